// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/files/digest.h"
#include "io/files/hdf5.h"
#include "io/records/checkpoint.h"
#include "sample.h"
#include "temporary_folder.h"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <span>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

Checkpoint example_checkpoint(std::int64_t step, std::uint32_t count = 1000) {
    Checkpoint c;
    for (std::uint32_t i = 0; i < count; ++i) {
        const double x = std::sin(i + 0.1 * static_cast<double>(step));
        const auto f = static_cast<float>(x);
        c.state.id.push_back(count - i);
        c.state.position.push_back({x, x / 3, 1e5 + x});
        c.state.velocity.push_back({f, 2 * f, 3 * f});
        c.state.velocity_previous.push_back({f, f, -0.0f});
        c.state.density.push_back(1000 + f);
        c.state.density_previous.push_back(std::nanf("1"));
    }
    c.state.step = step;
    c.state.time = 0.1 * static_cast<double>(step);
    c.state.dt = 1.0 / 3;
    c.state.dt_limit = 1e-300;
    c.next_frame = 7;
    c.fingerprint = "case, backend";
    c.counters = {{"particle_steps", 1e15 / 3}, {"loop_seconds", 0.25}};
    return c;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same_checkpoint(const Checkpoint& a, const Checkpoint& b) {
    EXPECT_TRUE(same_bytes(a.state.id, b.state.id));
    EXPECT_TRUE(same_bytes(a.state.position, b.state.position));
    EXPECT_TRUE(same_bytes(a.state.velocity, b.state.velocity));
    EXPECT_TRUE(same_bytes(a.state.velocity_previous, b.state.velocity_previous));
    EXPECT_TRUE(same_bytes(a.state.density, b.state.density));
    EXPECT_TRUE(same_bytes(a.state.density_previous, b.state.density_previous));
    EXPECT_EQ(a.state.step, b.state.step);
    EXPECT_EQ(a.state.time, b.state.time);
    EXPECT_EQ(a.state.dt, b.state.dt);
    EXPECT_EQ(a.state.dt_limit, b.state.dt_limit);
    EXPECT_EQ(a.state.section, b.state.section);
    EXPECT_EQ(a.state.bodies, b.state.bodies);
    EXPECT_EQ(a.state.absorbers, b.state.absorbers);
    EXPECT_EQ(a.state.moorings, b.state.moorings);
    EXPECT_EQ(a.next_frame, b.next_frame);
    EXPECT_EQ(a.fingerprint, b.fingerprint);
    EXPECT_EQ(a.counters, b.counters);
}

void flip_byte(const fs::path& path, std::uintmax_t at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(file.get() ^ 0x10);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
}

} // namespace

TEST(checkpoint, comes_back_bit_for_bit) {
    const TemporaryFolder folder;
    const CheckpointStore store(folder.path());
    EXPECT_FALSE(store.read_newest());
    store.write(example_checkpoint(12));
    expect_same_checkpoint(store.read_newest().value(), example_checkpoint(12));
    Checkpoint with_section = example_checkpoint(13);
    with_section.state.section = {"a backend", {std::byte{0}, std::byte{255}, std::byte{7}}};
    with_section.state.bodies = {{{1, 2, 3}, {4, 5, 6}, {0.5, -0.5, 0.5, -0.5}, {7, 8, 9}, {10, 11, 12}, {13, 14, 15}},
                                 {}};
    with_section.state.absorbers = {{1.0 / 3, 2, 3, 4, 5, 6, -1, 8}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}};
    with_section.state.moorings = {{{{1.0 / 3, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {0.1, 0.2, 0.3}}},
                                   {{-1, {{1, 2, 3}, {4, 5, 6}}}, {0.7, {{7, 8, 9}, {10, 11, 12}}}}};
    store.write(with_section);
    expect_same_checkpoint(store.read_newest().value(), with_section);
    EXPECT_EQ(store.read_newest()->counter("loop_seconds"), 0.25);
    EXPECT_EQ(store.read_newest()->counter("unknown"), 0.0);
}

TEST(checkpoint, of_another_format_is_refused_by_its_number) {
    h5::MemoryFile file;
    file.set("/", "format", std::int32_t(4));
    const std::vector<std::byte> bytes = file.take_bytes();
    const std::uint64_t value = digest(bytes);
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "old.h5";
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.write("SLUICEC1", 8);
    out.write(reinterpret_cast<const char*>(&value), sizeof value);
    out.close();
    try {
        read_checkpoint(path);
        ADD_FAILURE();
    } catch (const RunError& e) {
        EXPECT_NE(std::string(e.what()).find("checkpoint format 4, and this program reads 5"), std::string::npos)
            << e.what();
    }
}

namespace {

void append_trailer(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const std::uint64_t value = digest(std::as_bytes(std::span(text.data(), text.size())));
    std::ofstream out(path, std::ios::binary | std::ios::app);
    out.write("SLUICEC1", 8);
    out.write(reinterpret_cast<const char*>(&value), sizeof value);
}

} // namespace

// Files from before staggered steps with bodies do not have the angular velocities of half a step before: those of the
// present stand in their place.
TEST(checkpoint, of_bodies_without_their_spins_of_half_a_step_before_is_read) {
    const TemporaryFolder folder;
    const CheckpointStore store(folder.path());
    Checkpoint written = example_checkpoint(3);
    written.state.bodies = {{{1, 2, 3}, {4, 5, 6}, {1, 0, 0, 0}, {7, 8, 9}, {10, 11, 12}, {13, 14, 15}},
                            {{1, 2, 3}, {4, 5, 6}, {1, 0, 0, 0}, {-7, -8, -9}, {10, 11, 12}, {16, 17, 18}}};
    store.write(written);
    const fs::path path = store.files().front();
    fs::resize_file(path, fs::file_size(path) - 16);
    {
        const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        ASSERT_GE(file, 0);
        EXPECT_GE(H5Ldelete(file, "state/body_angular_velocity_previous", H5P_DEFAULT), 0);
        EXPECT_GE(H5Fclose(file), 0);
    }
    append_trailer(path);
    for (BodyState& body : written.state.bodies) body.angular_velocity_previous = body.angular_velocity;
    expect_same_checkpoint(read_checkpoint(path), written);
}

TEST(checkpoint, may_be_empty) {
    const TemporaryFolder folder;
    const CheckpointStore store(folder.path());
    store.write(Checkpoint{});
    expect_same_checkpoint(store.read_newest().value(), Checkpoint{});
}

TEST(checkpoint, the_last_two_are_kept) {
    const TemporaryFolder folder;
    const CheckpointStore store(folder.path());
    for (const int step : {9, 10, 100, 1000}) store.write(example_checkpoint(step));
    ASSERT_EQ(store.files().size(), 2u);
    EXPECT_EQ(store.read_newest()->state.step, 1000);
    EXPECT_EQ(read_checkpoint(store.files()[1]).state.step, 100);
}

TEST(checkpoint, any_damage_is_seen_and_the_one_before_used) {
    const TemporaryFolder folder;
    const CheckpointStore store(folder.path());
    store.write(example_checkpoint(1, 60));
    store.write(example_checkpoint(2, 60));
    const fs::path newest = store.files().front();
    const fs::path copy = folder.path() / "copy";
    fs::copy_file(newest, copy);
    const auto size = fs::file_size(newest);
    for (std::uintmax_t at = 0; at < size; at += 97) {
        flip_byte(newest, at);
        EXPECT_EQ(store.read_newest()->state.step, 1) << "byte " << at;
        fs::copy_file(copy, newest, fs::copy_options::overwrite_existing);
    }
    for (const std::uintmax_t length : {std::uintmax_t{0}, std::uintmax_t{5}, size / 2, size - 1}) {
        fs::resize_file(newest, length);
        EXPECT_EQ(store.read_newest()->state.step, 1) << "cut to " << length;
        fs::copy_file(copy, newest, fs::copy_options::overwrite_existing);
    }
    EXPECT_EQ(store.read_newest()->state.step, 2);
}

TEST(checkpoint, a_damaged_one_never_displaces_a_good_one) {
    const TemporaryFolder folder;
    const CheckpointStore store(folder.path());
    store.write(example_checkpoint(100));
    store.write(example_checkpoint(200));
    flip_byte(store.files().front(), 4000);
    store.write(example_checkpoint(150)); // the run went on from 100
    ASSERT_EQ(store.files().size(), 2u);
    EXPECT_EQ(store.read_newest()->state.step, 150);
    EXPECT_EQ(read_checkpoint(store.files()[1]).state.step, 100);
}

TEST(checkpoint, a_full_disk_leaves_the_last_good_one) {
    const TemporaryFolder folder;
    const CheckpointStore store(folder.path());
    store.write(example_checkpoint(1));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const rlimit limit{20000, 20000};
        std::signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        int failures = 1;
        try {
            store.write(example_checkpoint(2));
        } catch (const RunError&) {
            failures = 0;
        }
        std::_Exit(failures);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(store.files().size(), 1u);
    expect_same_checkpoint(store.read_newest().value(), example_checkpoint(1));
}

TEST(digest, depends_on_every_bit_and_on_the_length) {
    std::vector<std::byte> bytes(101, std::byte{0});
    const std::uint64_t before = digest(bytes);
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        bytes[bit / 8] ^= std::byte(1 << (bit % 8));
        EXPECT_NE(digest(bytes), before);
        bytes[bit / 8] ^= std::byte(1 << (bit % 8));
    }
    EXPECT_NE(digest(std::span(bytes).first(100)), before);
}
