// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "io/files/ogawa.h"
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace sluice {

/// Axis that points up in a file. Positions and velocities are turned about the x axis for `y`, which Alembic files
/// have by custom: (x, y, z) becomes (x, z, −y).
enum class UpAxis { y, z };

/// A mesh of triangles at one time. Normals by the right-hand rule point outwards.
struct MeshSample {
    std::span<const Vec3d> points;     ///< m
    std::span<const Vec3i> triangles;  ///< over the points
    std::span<const Vec3f> velocities; ///< of the points, m/s; empty where they are not known
};

/// Particles at one time.
struct PointsSample {
    std::span<const Vec3d> points;      ///< m
    std::span<const std::uint32_t> ids; ///< of the particles
    std::span<const Vec3f> velocities;  ///< m/s; empty where they are not known
};

/// Writes moving meshes and particles as an Alembic file (Ogawa), which programs for animation read: schemas PolyMesh
/// and Points, one sample an object and time. A sample that equals the one before takes no room. Meshes may have other
/// points and triangles at each time. Where an object has velocities, its property ".velocities" has them, m/s.
class AlembicWriter {
public:
    /// `times`: of the samples, s, ascending; stored as they are, or as first time and step where they are evenly
    /// spaced. Throws InputError if `path` is there and no regular file, RunError.
    AlembicWriter(const std::filesystem::path& path, std::vector<double> times, UpAxis up);

    /// Adds an object, which then gets a sample for each time. `name`: without '/'. Returns its number.
    int add_mesh(const std::string& name, bool has_velocities);
    /// The same of particles, each `width` wide, m.
    int add_points(const std::string& name, bool has_velocities, double width);

    /// The next sample of an object. Throws RunError.
    void set(int object, const MeshSample& sample);
    void set(int object, const PointsSample& sample);

    /// Closes the file; each object must have a sample for each time. Throws std::logic_error if one lacks some,
    /// RunError.
    void finish();

private:
    /// Types of numbers, by their codes in the file.
    enum class Number : std::uint32_t { int32 = 6, uint64 = 7, float32 = 10, float64 = 11 };

    /// One array, or one value of several numbers, over time.
    struct Property {
        std::string name, meta; ///< meta: "key=value;key=value", keys ascending
        Number number;
        int extent; ///< numbers of a value
        bool is_array;
        std::vector<OgawaWriter::Child> samples{};
        std::vector<std::array<std::uint64_t, 2>> keys{}; ///< what tells samples apart
        std::vector<std::uint64_t> counts{};              ///< values
    };
    struct Object {
        std::string name, schema;
        std::vector<Property> properties;
    };

    int add(std::string name, std::string schema, std::vector<Property> properties);
    void append(Property& property, std::span<const std::byte> bytes);
    void append_places(Object& object, std::span<const Vec3d> points, std::span<const Vec3f> velocities);
    template <class T>
    std::vector<Vec3f> turned(std::span<const Vec3<T>> vectors) const;
    std::uint8_t meta_index(const std::string& meta);
    OgawaWriter::Child write_property(const Property& property);
    void describe(std::vector<std::uint8_t>& headers, const Property& property);
    OgawaWriter::Child write_object(const Object& object, std::array<std::uint64_t, 2>& hash);
    OgawaWriter::Child write_times();

    OgawaWriter file_;
    std::vector<double> times_;
    UpAxis up_;
    std::vector<Object> objects_;
    std::map<std::string, std::uint8_t> metas_; ///< texts that are stored once, with their numbers from 1 on
};

} // namespace sluice
