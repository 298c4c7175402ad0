// SPDX-License-Identifier: Apache-2.0
#include "io/files/alembic.h"

#include "io/files/digest.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>
#include <utility>

// The layout is that of Alembic 1.8 (AbcCoreOgawa, file version 0) with the schemas AbcGeom_PolyMesh_v1 and
// AbcGeom_Points_v1. An object is a group of the group of its properties, the groups of its children and data that
// name these; a property is a group of its samples; data at the end of a group of properties describe them.

namespace sluice {

namespace {

using ByteList = std::vector<std::uint8_t>;

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
    return std::as_bytes(std::span(values));
}

template <class T>
void push(ByteList& bytes, const T& value) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
}

void push_text(ByteList& bytes, const std::string& text) { bytes.insert(bytes.end(), text.begin(), text.end()); }

/// Bits of the word that describes a property.
constexpr std::uint32_t is_scalar = 1, is_array = 2, four_byte_counts = 2 << 2, has_times = 0x100, same_size = 0x400,
                        never_changes = 0x800;

/// Codes of its parts: the type of numbers, how many a value has, and the text that goes with it.
constexpr int number_bit = 4, extent_bit = 12, meta_bit = 20;

/// The samples of a run have the second entry of the table of times; the first one is the standard's.
constexpr std::uint32_t run_times = 1;

constexpr double irregular = std::numeric_limits<double>::max() / 32; // time of a cycle that is none

std::string schema_text(const std::string& schema) {
    return fmt::format("schema={};schemaBaseType=AbcGeom_GeomBase_v1", schema);
}

} // namespace

AlembicWriter::AlembicWriter(const std::filesystem::path& path, std::vector<double> times, UpAxis up)
    : file_(path), times_(std::move(times)), up_(up) {}

int AlembicWriter::add(std::string name, std::string schema, std::vector<Property> properties) {
    objects_.push_back({std::move(name), std::move(schema), std::move(properties)});
    return static_cast<int>(objects_.size()) - 1;
}

int AlembicWriter::add_mesh(const std::string& name, bool has_velocities) {
    std::vector<Property> properties{{".selfBnds", "interpretation=box", Number::float64, 6, false},
                                     {"P", "geoScope=vtx;interpretation=point", Number::float32, 3, true}};
    if (has_velocities) properties.push_back({".velocities", "interpretation=vector", Number::float32, 3, true});
    properties.push_back({".faceIndices", "", Number::int32, 1, true});
    properties.push_back({".faceCounts", "", Number::int32, 1, true});
    return add(name, "AbcGeom_PolyMesh_v1", std::move(properties));
}

int AlembicWriter::add_points(const std::string& name, bool has_velocities, double width) {
    std::vector<Property> properties{{".selfBnds", "interpretation=box", Number::float64, 6, false},
                                     {"P", "geoScope=var;interpretation=point", Number::float32, 3, true}};
    if (has_velocities) properties.push_back({".velocities", "interpretation=vector", Number::float32, 3, true});
    properties.push_back({".pointIds", "geoScope=var", Number::uint64, 1, true});
    properties.push_back({".widths",
                          "arrayExtent=1;geoScope=con;interpretation=;isGeomParam=true;podExtent=1;podName=float32_t",
                          Number::float32, 1, true});
    const std::vector<float> widths{static_cast<float>(width)};
    for (std::size_t k = 0; k < times_.size(); ++k) append(properties.back(), bytes_of(widths));
    return add(name, "AbcGeom_Points_v1", std::move(properties));
}

/// A value of the file; one that equals the last is stored once.
void AlembicWriter::append(Property& property, std::span<const std::byte> bytes) {
    const std::size_t size = property.number == Number::float64 || property.number == Number::uint64 ? 8 : 4;
    const std::array<std::uint64_t, 2> key{digest(bytes), bytes.size()};
    if (property.keys.empty() || property.keys.back() != key)
        property.samples.push_back(bytes.empty() ? OgawaWriter::no_data
                                                 : file_.add_data({std::as_bytes(std::span(key)), bytes}));
    else
        property.samples.push_back(property.samples.back());
    property.keys.push_back(key);
    property.counts.push_back(bytes.size() / (size * static_cast<std::size_t>(property.extent)));
}

template <class T>
std::vector<Vec3f> AlembicWriter::turned(std::span<const Vec3<T>> vectors) const {
    std::vector<Vec3f> result;
    result.reserve(vectors.size());
    for (const Vec3<T>& v : vectors) result.push_back(vec_cast<float>(up_ == UpAxis::y ? Vec3<T>{v.x, v.z, -v.y} : v));
    return result;
}

/// The box around the points, the points and their velocities: the first properties of both schemas.
void AlembicWriter::append_places(Object& object, std::span<const Vec3d> points, std::span<const Vec3f> velocities) {
    const std::vector<Vec3f> places = turned(points);
    std::vector<double> box(6, 0);
    for (std::size_t axis = 0; axis < 3 && !places.empty(); ++axis) {
        const auto of_axis = [axis](const Vec3f& p) { return p[static_cast<int>(axis)]; };
        box[axis] = static_cast<double>(of_axis(std::ranges::min(places, {}, of_axis)));
        box[3 + axis] = static_cast<double>(of_axis(std::ranges::max(places, {}, of_axis)));
    }
    append(object.properties[0], bytes_of(box));
    append(object.properties[1], bytes_of(places));
    if (object.properties[2].name != ".velocities") return;
    if (velocities.size() != points.size()) throw std::logic_error("Alembic: a sample lacks velocities");
    append(object.properties[2], bytes_of(turned(velocities)));
}

void AlembicWriter::set(int object, const MeshSample& sample) {
    Object& mesh = objects_.at(static_cast<std::size_t>(object));
    append_places(mesh, sample.points, sample.velocities);
    std::vector<std::int32_t> corners;
    corners.reserve(3 * sample.triangles.size());
    for (const Vec3i& t : sample.triangles) // clockwise, seen from outside
        corners.insert(corners.end(), {t.z, t.y, t.x});
    append(mesh.properties[mesh.properties.size() - 2], bytes_of(corners));
    append(mesh.properties.back(), bytes_of(std::vector<std::int32_t>(sample.triangles.size(), 3)));
}

void AlembicWriter::set(int object, const PointsSample& sample) {
    Object& points = objects_.at(static_cast<std::size_t>(object));
    append_places(points, sample.points, sample.velocities);
    const std::vector<std::uint64_t> ids(sample.ids.begin(), sample.ids.end());
    append(points.properties[points.properties.size() - 2], bytes_of(ids));
}

/// The number under which a text is stored once for all that have it; 0: none.
std::uint8_t AlembicWriter::meta_index(const std::string& meta) {
    if (meta.empty()) return 0;
    return metas_.try_emplace(meta, static_cast<std::uint8_t>(metas_.size() + 1)).first->second;
}

OgawaWriter::Child AlembicWriter::write_property(const Property& property) {
    const bool changes = std::ranges::any_of(property.keys, [&](const auto& key) { return key != property.keys[0]; });
    std::vector<OgawaWriter::Child> children;
    for (std::size_t k = 0; k < (changes ? property.samples.size() : 1); ++k) {
        children.push_back(property.samples[k]);
        if (property.is_array) children.push_back(OgawaWriter::no_data); // its extent follows from its size
    }
    return file_.add_group(children);
}

void AlembicWriter::describe(ByteList& headers, const Property& property) {
    const auto all_equal = [](const auto& values) {
        return std::ranges::all_of(values, [&](const auto& v) { return v == values[0]; });
    };
    std::uint32_t info = four_byte_counts | has_times | static_cast<std::uint32_t>(property.number) << number_bit |
                         static_cast<std::uint32_t>(property.extent) << extent_bit |
                         std::uint32_t{meta_index(property.meta)} << meta_bit;
    if (property.is_array) info |= is_array;
    if (!property.is_array || std::ranges::all_of(property.counts, [](auto n) { return n == 1; })) info |= is_scalar;
    if (all_equal(property.counts)) info |= same_size;
    if (all_equal(property.keys)) info |= never_changes;
    push(headers, info);
    push(headers, static_cast<std::uint32_t>(property.samples.size()));
    push(headers, run_times);
    push(headers, static_cast<std::uint32_t>(property.name.size()));
    push_text(headers, property.name);
}

/// An object with the properties of its schema in ".geom". `hash`: what tells it apart.
OgawaWriter::Child AlembicWriter::write_object(const Object& object, std::array<std::uint64_t, 2>& hash) {
    ByteList headers, told_apart;
    std::vector<OgawaWriter::Child> children;
    push_text(told_apart, object.name);
    for (const Property& property : object.properties) {
        if (property.samples.size() != times_.size())
            throw std::logic_error(fmt::format("Alembic: {} has {} samples of {} at {} times", object.name,
                                               property.samples.size(), property.name, times_.size()));
        children.push_back(write_property(property));
        describe(headers, property);
        push_text(told_apart, property.name);
        for (const auto& key : property.keys) push(told_apart, key);
    }
    children.push_back(file_.add_data({bytes_of(headers)}));
    const OgawaWriter::Child geometry = file_.add_group(children);
    const std::string name = ".geom";
    ByteList header;
    push(header, four_byte_counts | std::uint32_t{meta_index(schema_text(object.schema))} << meta_bit);
    push(header, static_cast<std::uint32_t>(name.size()));
    push_text(header, name);
    const OgawaWriter::Child properties = file_.add_group(std::array{geometry, file_.add_data({bytes_of(header)})});
    hash = {digest(bytes_of(told_apart)), told_apart.size()};
    const std::array<std::uint64_t, 4> hashes{hash[0], hash[1], 0, 0}; // of the properties, of no children
    return file_.add_group(std::array{properties, file_.add_data({std::as_bytes(std::span(hashes))})});
}

/// The table of times: for each kind the samples of the longest property, the time of a cycle and the times in it.
OgawaWriter::Child AlembicWriter::write_times() {
    ByteList bytes;
    push(bytes, std::uint32_t{0});
    push(bytes, 1.0);
    push(bytes, std::uint32_t{1});
    push(bytes, 0.0);
    const std::size_t n = times_.size();
    const double step = n > 1 ? (times_.back() - times_.front()) / static_cast<double>(n - 1) : 1;
    bool even = true;
    for (std::size_t k = 0; k < n; ++k)
        even = even && std::abs(times_[k] - (times_.front() + static_cast<double>(k) * step)) < 1e-6 * step;
    push(bytes, static_cast<std::uint32_t>(n));
    push(bytes, even ? step : irregular);
    push(bytes, static_cast<std::uint32_t>(even ? 1 : n));
    for (std::size_t k = 0; k < (even ? 1 : n); ++k) push(bytes, times_[k]);
    return file_.add_data({bytes_of(bytes)});
}

void AlembicWriter::finish() {
    std::vector<OgawaWriter::Child> children{OgawaWriter::no_group}; // no properties of the whole
    ByteList headers, told_apart;
    for (const Object& object : objects_) {
        std::array<std::uint64_t, 2> hash{};
        children.push_back(write_object(object, hash));
        push(told_apart, hash);
        push(headers, static_cast<std::uint32_t>(object.name.size()));
        push_text(headers, object.name);
        headers.push_back(
            meta_index(fmt::format("{};schemaObjTitle={}:.geom", schema_text(object.schema), object.schema)));
    }
    push(headers, std::array<std::uint64_t, 4>{0, 0, digest(bytes_of(told_apart)), told_apart.size()});
    children.push_back(file_.add_data({bytes_of(headers)}));
    const OgawaWriter::Child top = file_.add_group(children);

    std::vector<std::string> texts(metas_.size());
    for (const auto& [text, index] : metas_) texts[index - 1U] = text;
    ByteList metas;
    for (const std::string& text : texts) {
        metas.push_back(static_cast<std::uint8_t>(text.size()));
        push_text(metas, text);
    }
    const std::vector<std::int32_t> file_version{0}, library_version{10800};
    ByteList about;
    push_text(about, "_ai_Application=Sluice");
    file_.finish(file_.add_group(
        std::array{file_.add_data({bytes_of(file_version)}), file_.add_data({bytes_of(library_version)}), top,
                   file_.add_data({bytes_of(about)}), write_times(), file_.add_data({bytes_of(metas)})}));
}

} // namespace sluice
