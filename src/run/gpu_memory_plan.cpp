// SPDX-License-Identifier: Apache-2.0
#include "run/gpu_memory_plan.h"

#include "core/cell_grid.h"
#include "core/error.h"
#include "core/numbers.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace sluice {

namespace {

// Bytes of the arrays of src/cuda, particle by particle.
constexpr double state_bytes = 3 * 16 + 4; // position, two time levels, id
constexpr double start_bytes = 16;         // symplectic: position at the start of the step
constexpr double rate_bytes = 16;
constexpr double sort_bytes = 4 * 4 + 0.15; // cell, second key, two indices; the sort's own tables
constexpr double excluded_record_bytes = 72;
constexpr double excluded_records = 65536;
constexpr double cell_bytes = 2 * 4 + 1;     // first fluid and boundary particle, whether a boundary is near
constexpr double count_bytes = 4;            // fluid particles, counted as they move
constexpr double list_bytes = 16 + 2.0 / 32; // position at the build, length of a tile's lists
constexpr double list_cell_bytes = 32;       // box of displacements
constexpr double row_start_bytes = 9 * 4;    // entries of 16 bits: what they count from

std::string gigabytes(double bytes) {
    char text[32];
    std::snprintf(text, sizeof text,
                  bytes >= 1e10  ? "%.1f GB"
                  : bytes >= 1e9 ? "%.2f GB"
                                 : "%.0f MB",
                  bytes >= 1e9 ? bytes / 1e9 : bytes / 1e6);
    return text;
}

MemoryModel model_of(const RunSetup& setup, std::uint64_t particles, const ModeInfo<GpuMode>& info) {
    const sph::Constants& constants = setup.constants;
    const bool symplectic = constants.integrator == sph::Integrator::symplectic;
    const double state = state_bytes + (symplectic ? start_bytes : 0);
    MemoryModel model;
    model.mode = "cuda " + std::string(info.name);
    model.bytes_per_particle = state + rate_bytes + sort_bytes;
    model.bytes_per_cell = cell_bytes;
    model.fixed_bytes = excluded_records * excluded_record_bytes;
    if (info.mode == GpuMode::fast_half) model.bytes_per_particle += state; // sorted copy
    if (has_neighbour_lists(info.mode)) {
        const double fluid =
            particles > setup.boundary_count ? 1 - double(setup.boundary_count) / double(particles) : 0;
        const bool is_short = info.mode == GpuMode::short_list;
        const double entries = 8.0 * list_eights(constants) * (is_short ? 2 : 4) + (is_short ? row_start_bytes : 0);
        model.bytes_per_particle += fluid * entries + list_bytes;
        model.bytes_per_cell += list_cell_bytes;
    } else
        model.bytes_per_cell += count_bytes;
    return model;
}

bool ruled_out(const GpuMemoryRequest& request, GpuMode mode) {
    if (request.mode) return *request.mode != mode;
    if (!request.neighbour_list) return false;
    return *request.neighbour_list != has_neighbour_lists(mode);
}

/// Particles and cells grow alike as dp falls; ids have 32 bits.
double most_particles(const GpuMemoryRequest& request, const GpuModePlan& plan) {
    const double room = request.available - plan.model.fixed_bytes, growing = plan.bytes - plan.model.fixed_bytes;
    return std::min(std::max(0.0, room / growing) * double(request.particles), 0x1p32);
}

/// The dp with which the smallest version would fit: its memory grows with dp^−dim.
double fitting_dp(const GpuMemoryRequest& request, double bytes) {
    const double growth = bytes / std::max(request.available, 1.0);
    return request.setup.constants.dp * std::pow(growth, request.setup.constants.two_d ? 1.0 / 2 : 1.0 / 3) * 1.01;
}

std::string text_of(const GpuMemoryPlan& plan, const GpuMemoryRequest& request) {
    char line[200];
    std::snprintf(line, sizeof line, "%-16s %14s %11s %12s %10s %15s\n", "GPU version", "bytes/particle", "bytes/cell",
                  "cells", "memory", "most particles");
    std::string text = "GPU with " + gigabytes(request.available) + " for the run:\n" + line;
    for (const GpuModePlan& p : plan.modes) {
        const char* verdict = plan.choice == p.mode        ? "  chosen"
                              : !p.fits                    ? "  does not fit"
                              : ruled_out(request, p.mode) ? "  not asked for"
                                                           : "";
        std::snprintf(line, sizeof line, "%-16s %14.0f %11.0f %12llu %10s %15s%s\n",
                      std::string(mode_info(gpu_modes, p.mode).name).c_str(), p.model.bytes_per_particle,
                      p.model.bytes_per_cell, static_cast<unsigned long long>(p.cells), gigabytes(p.bytes).c_str(),
                      short_number(p.most_particles).c_str(), verdict);
        text += line;
    }
    if (plan.choice) {
        if (plan.frame_bytes > 0)
            std::snprintf(line, sizeof line, "%-16s %14.0f %11d %12s %10s %15s  copied while steps go on\n", "frames",
                          frame_copy_bytes, 0, "", gigabytes(plan.frame_bytes).c_str(), "");
        else
            std::snprintf(line, sizeof line, "%-16s no room for copies: the steps wait while a frame is copied\n",
                          "frames");
        text += line;
    }
    return text + plan.why + "\n";
}

std::string reason_for_choice(const GpuMemoryPlan& plan, const GpuMemoryRequest& request) {
    const std::string name(mode_info(gpu_modes, *plan.choice).name);
    const std::string room = gigabytes(request.available) + " available";
    if (request.mode) return name + ": asked for, and fits into the " + room;
    return name + ": the fastest version that fits into the " + room;
}

std::string reason_for_none(const GpuMemoryPlan& plan, const GpuMemoryRequest& request) {
    const GpuModePlan* least = nullptr;
    for (const GpuModePlan& p : plan.modes)
        if (!ruled_out(request, p.mode) && (!least || p.bytes < least->bytes)) least = &p;
    if (!least) return "no GPU version is both asked for and allowed (--gpu-mode against --neighbour-list)";
    char dp[32];
    std::snprintf(dp, sizeof dp, "%.3g", fitting_dp(request, least->bytes));
    return std::string(mode_info(gpu_modes, least->mode).name) + " needs " + gigabytes(least->bytes) + " for " +
           std::to_string(request.particles) + " particles, but only " + gigabytes(request.available) +
           " are available: a dp of about " + dp + " would fit" + (request.mode ? ", or another --gpu-mode" : "");
}

} // namespace

int list_eights(const sph::Constants& c) {
    const double radius = 2 * c.h * (1 + widest_list_skin) / c.dp; // in particle spacings
    const double pi = 3.14159265358979323846;
    const double neighbours = c.two_d ? pi * radius * radius : 4.0 / 3 * pi * radius * radius * radius;
    const double longest = 1.1 * neighbours + 8; // lists of 32 particles are as long as the longest of them
    return static_cast<int>(std::ceil(longest / 8));
}

double gpu_search_radius(const sph::Constants& c, GpuMode mode) {
    return 2 * c.h * (has_neighbour_lists(mode) ? 1 + widest_list_skin : 1);
}

int gpu_cell_divisions(GpuMode mode) { return mode == GpuMode::fast_half || mode == GpuMode::slow_half ? 2 : 1; }

std::uint64_t gpu_cell_count(const RunSetup& setup, GpuMode mode) {
    const double radius = gpu_search_radius(setup.constants, mode);
    const CellGrid grid = make_cell_grid(setup.domain.min, setup.domain.max, radius / 2, gpu_cell_divisions(mode));
    return static_cast<std::uint64_t>(grid.size());
}

std::vector<MemoryModel> cuda_memory_models(const RunSetup& setup, std::uint64_t particles) {
    std::vector<MemoryModel> models;
    for (const auto& info : gpu_modes) models.push_back(model_of(setup, particles, info));
    return models;
}

GpuMemoryPlan plan_gpu_memory(const GpuMemoryRequest& request) {
    GpuMemoryPlan plan;
    plan.available = request.available;
    for (const auto& info : gpu_modes) {
        GpuModePlan p;
        p.mode = info.mode;
        p.model = model_of(request.setup, request.particles, info);
        p.cells = gpu_cell_count(request.setup, info.mode);
        p.bytes = p.model.total(request.particles, p.cells);
        p.fits = p.bytes <= request.available;
        p.most_particles = most_particles(request, p);
        if (p.fits && !plan.choice && !ruled_out(request, info.mode)) plan.choice = info.mode;
        plan.modes.push_back(p);
        const double frames = frame_copy_bytes * double(request.particles);
        if (plan.choice == info.mode && p.bytes + frames <= request.available) plan.frame_bytes = frames;
    }
    plan.why = plan.choice ? reason_for_choice(plan, request) : reason_for_none(plan, request);
    plan.text = text_of(plan, request);
    return plan;
}

double parse_memory_size(const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    std::string unit(end ? end : "");
    if (!unit.empty() && (unit.back() == 'B' || unit.back() == 'b')) unit.pop_back();
    const bool binary = unit.size() == 2 && unit[1] == 'i';
    if (binary) unit.pop_back();
    const std::string prefixes = "KMGT";
    double scale = 1;
    if (unit.size() == 1) {
        const auto power = prefixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
        if (power != std::string::npos) {
            scale = std::pow(binary ? 1024.0 : 1000.0, double(power) + 1);
            unit.clear();
        }
    }
    if (end == text.c_str() || !unit.empty() || !(number > 0) || !std::isfinite(number))
        throw InputError("memory size '" + text + "' is not a number of bytes: write it like 1.4G, 500M or 2GiB");
    return number * scale;
}

} // namespace sluice
