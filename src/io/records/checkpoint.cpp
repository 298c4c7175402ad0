// SPDX-License-Identifier: Apache-2.0
#include "io/records/checkpoint.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/log.h"
#include "io/files/digest.h"
#include "io/files/file.h"
#include "io/files/hdf5.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace sluice {
namespace {

// 1: without what the backend alone understands; 2: with neighbour lists in a form of their own, which are left out;
// 3: without floating bodies; 4: without the ids given by open boundaries.
constexpr std::int32_t format_version = 5;
constexpr std::size_t kept = 2;

// After the HDF5 file proper, which ignores what follows it: a mark and the digest of all bytes before.
constexpr std::array<char, 8> mark{'S', 'L', 'U', 'I', 'C', 'E', 'C', '1'};
constexpr std::size_t trailer_size = mark.size() + sizeof(std::uint64_t);

void append_trailer(std::vector<std::byte>& bytes) {
    const std::uint64_t value = digest(bytes);
    const std::size_t size = bytes.size();
    bytes.resize(size + trailer_size);
    std::memcpy(bytes.data() + size, mark.data(), mark.size());
    std::memcpy(bytes.data() + size + mark.size(), &value, sizeof value);
}

void check_trailer(const std::filesystem::path& path) {
    if (const std::string what = not_a_file(path); !what.empty())
        throw RunError(fmt::format("{}: is {}, no checkpoint", path.string(), what));
    std::ifstream file(path, std::ios::binary);
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (!file || error) throw RunError(fmt::format("{}: cannot read", path.string()));
    std::vector<std::byte> bytes(size);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (!file) throw RunError(fmt::format("{}: cannot read", path.string()));
    if (size < trailer_size || std::memcmp(bytes.data() + size - trailer_size, mark.data(), mark.size()) != 0)
        throw RunError(fmt::format("{}: not a complete checkpoint", path.string()));
    std::uint64_t stored = 0;
    std::memcpy(&stored, bytes.data() + size - sizeof stored, sizeof stored);
    if (digest(std::span(bytes).first(size - trailer_size)) != stored)
        throw RunError(fmt::format("{}: damaged (its digest differs)", path.string()));
}

void write_section(h5::MemoryFile& file, const BackendSection& section) {
    std::vector<std::uint8_t> bytes(section.bytes.size());
    if (!bytes.empty()) std::memcpy(bytes.data(), section.bytes.data(), bytes.size());
    file.write("state/backend", bytes, true);
    file.set_text("state/backend", "owner", section.owner);
}

BackendSection read_section(const h5::File& file) {
    const auto bytes = file.read<std::uint8_t>("state/backend");
    BackendSection section{file.get_text("state/backend", "owner"), std::vector<std::byte>(bytes.size())};
    if (!bytes.empty()) std::memcpy(section.bytes.data(), bytes.data(), bytes.size());
    return section;
}

/// A row for each body: centre, velocity, turning, angular velocity, velocity at level n−1.
constexpr std::size_t body_columns = 16;

/// The angular velocities of half a step before, which files have since bodies take staggered steps.
constexpr const char* spins_before = "state/body_angular_velocity_previous";

void write_bodies(h5::MemoryFile& file, const std::vector<BodyState>& bodies) {
    std::vector<double> table;
    for (const BodyState& b : bodies) {
        const double* const q = b.turning;
        for (const double value : {b.centre.x, b.centre.y, b.centre.z, b.velocity.x, b.velocity.y, b.velocity.z, q[0],
                                   q[1], q[2], q[3], b.angular_velocity.x, b.angular_velocity.y, b.angular_velocity.z,
                                   b.velocity_previous.x, b.velocity_previous.y, b.velocity_previous.z})
            table.push_back(value);
    }
    file.write("state/bodies", table, true);
    std::vector<double> spins;
    for (const BodyState& b : bodies)
        for (int axis = 0; axis < 3; ++axis) spins.push_back(b.angular_velocity_previous[axis]);
    if (!spins.empty()) file.write(spins_before, spins, true);
}

std::vector<BodyState> read_bodies(const h5::File& file) {
    const auto table = file.read<double>("state/bodies");
    std::vector<BodyState> bodies;
    for (std::size_t k = 0; k + body_columns <= table.size(); k += body_columns) {
        const double* const v = &table[k];
        bodies.push_back({{v[0], v[1], v[2]},
                          {v[3], v[4], v[5]},
                          {v[6], v[7], v[8], v[9]},
                          {v[10], v[11], v[12]},
                          {v[13], v[14], v[15]},
                          {v[10], v[11], v[12]}});
    }
    if (!file.has(spins_before)) return bodies;
    const auto spins = file.read<double>(spins_before);
    for (std::size_t b = 0; b < bodies.size() && 3 * b + 3 <= spins.size(); ++b)
        bodies[b].angular_velocity_previous = {spins[3 * b], spins[3 * b + 1], spins[3 * b + 2]};
    return bodies;
}

/// A row for each piston that absorbs waves: the numbers of its state.
void write_absorbers(h5::MemoryFile& file, const std::vector<AbsorberState>& absorbers) {
    std::vector<double> table;
    for (const AbsorberState& state : absorbers) for_each_number(state, [&](double value) { table.push_back(value); });
    file.write("state/absorbers", table, true);
}

std::vector<AbsorberState> read_absorbers(const h5::File& file) {
    std::vector<AbsorberState> absorbers;
    const auto table = file.read<double>("state/absorbers");
    for (std::size_t k = 0; k < table.size();)
        for_each_number(absorbers.emplace_back(), [&](double& value) { value = k < table.size() ? table[k++] : 0; });
    return absorbers;
}

/// Tables of the nodes of mooring lines (place, velocity) and of the lines.
void write_moorings(h5::MemoryFile& file, const MooringState& moorings) {
    std::vector<double> nodes, lines;
    for (const MooringNode& node : moorings.nodes)
        for (const Vec3d& v : {node.place, node.velocity})
            for (int axis = 0; axis < 3; ++axis) nodes.push_back(v[axis]);
    for (const LineState& line : moorings.lines) {
        lines.push_back(line.broken_at);
        for (const Vec3d& v : line.impulse)
            for (int axis = 0; axis < 3; ++axis) lines.push_back(v[axis]);
    }
    file.write("state/mooring_nodes", nodes, true);
    file.write("state/mooring_lines", lines, true);
}

MooringState read_moorings(const h5::File& file) {
    MooringState moorings;
    const auto nodes = file.read<double>("state/mooring_nodes"), lines = file.read<double>("state/mooring_lines");
    const auto vector = [](const double* v) { return Vec3d{v[0], v[1], v[2]}; };
    for (std::size_t k = 0; k + 6 <= nodes.size(); k += 6)
        moorings.nodes.push_back({vector(&nodes[k]), vector(&nodes[k + 3])});
    for (std::size_t k = 0; k + 7 <= lines.size(); k += 7)
        moorings.lines.push_back({lines[k], {vector(&lines[k + 1]), vector(&lines[k + 4])}});
    return moorings;
}

void write_state(h5::MemoryFile& file, const ParticleState& state) {
    constexpr bool checksum = true;
    for_each_particle_array(
        [&](const char* name, const auto& array) { file.write(std::string("state/") + name, array, checksum); }, state);
    for_each_state_number([&](const char* name, const auto& number) { file.set("state", name, number); }, state);
    write_section(file, state.section);
    write_bodies(file, state.bodies);
    if (!state.absorbers.empty()) write_absorbers(file, state.absorbers);
    if (!state.moorings.lines.empty()) write_moorings(file, state.moorings);
}

ParticleState read_state(const h5::File& file) {
    ParticleState state;
    const auto read_array = [&]<class T>(const char* name, std::vector<T>& array) {
        array = file.read<T>(std::string("state/") + name);
    };
    for_each_particle_array(read_array, state);
    const auto read_number = [&]<class T>(const char* name, T& number) {
        if (file.has_attribute("state", name)) number = file.get<T>("state", name); // older ones have fewer works
    };
    for_each_state_number(read_number, state);
    state.section = read_section(file);
    state.bodies = read_bodies(file);
    if (file.has("state/absorbers")) state.absorbers = read_absorbers(file);
    if (file.has("state/mooring_lines")) state.moorings = read_moorings(file);
    return state;
}

} // namespace

double Checkpoint::counter(const std::string& name) const {
    for (const auto& [key, value] : counters)
        if (key == name) return value;
    return 0;
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    check_trailer(path);
    const h5::File file(path);
    const auto version = file.get<std::int32_t>("/", "format");
    if (version != format_version)
        throw RunError(
            fmt::format("{}: checkpoint format {}, and this program reads {}: go on with the version of sluice "
                        "that wrote it",
                        path.string(), version, format_version));
    Checkpoint checkpoint;
    checkpoint.state = read_state(file);
    if (file.has("state/lists/origin"))
        spdlog::warn("warning: {}: the neighbour lists in it are of an older form and are built anew: the run goes on "
                     "the same to rounding, not bit for bit",
                     path.string());
    checkpoint.next_frame = file.get<std::int32_t>("/", "next_frame");
    checkpoint.fingerprint = file.get_text("/", "fingerprint");
    const auto count = file.get<std::int32_t>("counters", "count");
    for (std::int32_t k = 0; k < count; ++k)
        checkpoint.counters.emplace_back(file.get_text("counters", fmt::format("name_{}", k)),
                                         file.get<double>("counters", fmt::format("value_{}", k)));
    return checkpoint;
}

CheckpointStore::CheckpointStore(const std::filesystem::path& dir) : folder_(dir / "checkpoints") {}

void CheckpointStore::write(const Checkpoint& checkpoint) const {
    constexpr std::size_t bytes_a_particle = 64;
    h5::MemoryFile file(bytes_a_particle * checkpoint.state.size());
    file.set("/", "format", format_version);
    file.set("/", "next_frame", std::int32_t(checkpoint.next_frame));
    file.set_text("/", "fingerprint", checkpoint.fingerprint);
    write_state(file, checkpoint.state);
    file.make_group("counters");
    file.set("counters", "count", static_cast<std::int32_t>(checkpoint.counters.size()));
    for (std::size_t k = 0; k < checkpoint.counters.size(); ++k) {
        file.set_text("counters", fmt::format("name_{}", k), checkpoint.counters[k].first);
        file.set("counters", fmt::format("value_{}", k), checkpoint.counters[k].second);
    }
    std::vector<std::byte> bytes = file.take_bytes();
    append_trailer(bytes);

    make_folder(folder_);
    const std::filesystem::path path = folder_ / fmt::format("checkpoint_{:012}.h5", checkpoint.state.step);
    write_file_atomically(path, bytes);
    // Files of later steps were damaged, or belong to a course of the run that was given up.
    std::size_t seen = 0;
    for (const std::filesystem::path& other : files())
        if (other > path || (other <= path && ++seen > kept)) std::filesystem::remove(other);
}

std::vector<std::filesystem::path> CheckpointStore::files() const {
    std::vector<std::filesystem::path> found;
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(folder_, error)) {
        const std::string name = file.path().filename().string();
        if (name.starts_with("checkpoint_") && name.ends_with(".h5")) found.push_back(file.path());
    }
    std::sort(found.rbegin(), found.rend());
    return found;
}

std::optional<Checkpoint> CheckpointStore::read_newest(const std::function<void(const Checkpoint&)>& check,
                                                       int frames) const {
    for (const std::filesystem::path& path : files()) {
        try {
            Checkpoint checkpoint = read_checkpoint(path);
            if (checkpoint.next_frame > frames) continue;
            if (check) check(checkpoint);
            return checkpoint;
        } catch (const RunError& error) {
            spdlog::warn("warning: {}; trying the checkpoint before it", error.what());
        }
    }
    return std::nullopt;
}

} // namespace sluice
