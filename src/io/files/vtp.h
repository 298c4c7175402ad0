// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace sluice {

/// A named array of a VTP file, one value a point.
struct VtpArray {
    std::string name;
    std::variant<std::vector<float>, std::vector<Vec3f>, std::vector<double>, std::vector<Vec3d>,
                 std::vector<std::uint32_t>, std::vector<std::uint16_t>, std::vector<std::uint8_t>>
        values;
};

/// The points along a line, by their places in the file.
using Polyline = std::vector<int>;

/// What connects points: triangles, line segments, lines of many points, or nothing, which makes each point a vertex.
using VtpCells =
    std::variant<std::monostate, std::vector<Vec3i>, std::vector<std::array<int, 2>>, std::vector<Polyline>>;

/// Writes points with their values as VTK XML PolyData (raw appended data). Throws RunError.
void write_vtp(const std::filesystem::path& path, const VtpArray& points, const std::vector<VtpArray>& arrays,
               const VtpCells& cells = {});

/// A file of a series, relative to the one that lists them.
struct TimedFile {
    double time = 0; ///< s
    std::string name;
};

/// Writes the list that lets ParaView open a series of files with its times. Throws RunError.
void write_pvd(const std::filesystem::path& path, const std::vector<TimedFile>& files);

} // namespace sluice
