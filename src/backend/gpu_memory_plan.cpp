// SPDX-License-Identifier: Apache-2.0
#include "backend/gpu_memory_plan.h"

#include "core/cell_grid.h"
#include "core/error.h"
#include "core/numbers.h"
#include "model/body_ids.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace sluice {

namespace {

// Bytes of the arrays of src/cuda, particle by particle.
constexpr double state_bytes = 3 * 16 + 4; // position, two time levels, id
constexpr double start_bytes = 16;         // where a run keeps it: position at the begin of the step
constexpr double rate_bytes = 16;
constexpr double sort_bytes = 4 * 4 + 0.15; // cell, second key, two indices; the sort's own tables
constexpr double excluded_record_bytes = 72;
constexpr double excluded_records = 65536;
constexpr double cell_bytes = 2 * 4 + 1;     // first fluid and boundary particle, whether a boundary is near
constexpr double count_bytes = 4;            // fluid particles, counted as they move
constexpr double list_bytes = 16 + 2.0 / 32; // position at the build, length of a tile's lists
constexpr double list_cell_bytes = 32;       // box of displacements
constexpr double rigid_bytes = 24 + 4 + 12;  // of walls and bodies that move: place at the start, object, acceleration
constexpr double met_bytes = 4;              // of boundary particles: those that bodies may meet
constexpr double body_list_bytes = 10;       // of bodies, beside a list's entries: its length, the place, the cell
constexpr double normal_bytes = 12;          // of boundary particles with extrapolated density
constexpr double stress_bytes = 16 + 8 + 12; // of fluid with the sub-particle-scale model
constexpr double viscosity_bytes = 4 + 12;   // of generalised Newtonian fluids
constexpr double shift_bytes = 16;           // of fluid that shifts
constexpr double gradient_bytes = 16;        // of fluid with renormalised density diffusion
constexpr double contact_bytes = 32, part_bytes = 4; // of bodies with elastic contacts; of all boundary particles then
constexpr double row_start_bytes = 9 * 4;            // entries of 16 bits: what they count from
constexpr double zone_bytes = 4, ghost_bytes = 4;    // of fluid beside open boundaries; where they extrapolate
constexpr double passage_bytes = 64;                 // of what has come or gone through them
constexpr double column_bytes = 24 + 8 + 8 + 4, zone_cell_bytes = 8; // of their points and their cells
constexpr double near_zone_bytes = 1;                                // of the grid's cells: whether one is near

MemoryModel model_of(const RunSetup& setup, double particles, const ModeInfo<GpuMode>& info) {
    const sph::Constants& constants = setup.constants;
    const double state = state_bytes + (setup.keeps_start() ? start_bytes : 0);
    MemoryModel model;
    model.mode = "cuda " + std::string(info.name);
    model.bytes_per_particle = state + rate_bytes + sort_bytes;
    model.bytes_per_cell = cell_bytes;
    model.fixed_bytes = excluded_records * excluded_record_bytes + rigid_bytes * double(setup.rigid.start.size()) +
                        normal_bytes * double(setup.normals.size());
    if (!setup.bodies.empty()) model.fixed_bytes += met_bytes * double(setup.groups.boundary_count());
    if (setup.contact == BodyContact::elastic)
        model.fixed_bytes +=
            contact_bytes * double(setup.rigid.start.size()) + part_bytes * double(setup.groups.boundary_count());
    if (setup.open.any()) {
        model.bytes_per_cell += near_zone_bytes;
        model.fixed_bytes += passage_bytes * double(passage_records(setup)) +
                             column_bytes * double(setup.open.points.size()) +
                             zone_cell_bytes * double(setup.open.cells.size());
    }
    if (info.mode == GpuMode::fast_half) model.bytes_per_particle += state; // sorted copy
    const double boundary = setup.groups.boundary_count();
    const double fluid = particles > boundary ? 1 - boundary / particles : 0;
    if (constants.viscosity == sph::ViscosityModel::laminar_sps) model.bytes_per_particle += fluid * stress_bytes;
    if (constants.viscosity == sph::ViscosityModel::apparent) model.bytes_per_particle += fluid * viscosity_bytes;
    if (constants.diffusion == sph::DensityDiffusion::renormalised) model.bytes_per_particle += fluid * gradient_bytes;
    if (constants.shifting != sph::Shifting::none) model.bytes_per_particle += fluid * shift_bytes;
    if (setup.open.any())
        model.bytes_per_particle += fluid * (zone_bytes + (setup.open.extrapolate() ? ghost_bytes : 0));
    if (has_neighbour_lists(info.mode)) {
        const bool is_short = info.mode == GpuMode::short_list;
        const double entries = list_capacity(constants) * (is_short ? 2.0 : 4.0) + (is_short ? row_start_bytes : 0);
        const double parts = setup.period.any() ? list_part_chunks * 16 : 0;
        model.bytes_per_particle += fluid * (entries + parts) + list_bytes;
        model.fixed_bytes += (list_capacity(constants) * 4.0 + body_list_bytes) * double(ids_of(setup.bodies).count());
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

/// Cells of a mode; many more than can be numbered are as good as any.
std::uint64_t cell_count(const RunSetup& setup, GpuMode mode) {
    const double radius = gpu_search_radius(setup.constants, mode);
    const Vec3i count = make_cell_grid(setup.domain.min, setup.domain.max, radius / 2, gpu_cell_divisions(mode)).count;
    return static_cast<std::uint64_t>(std::min(1e18, double(count.x) * count.y * count.z));
}

/// What a version needs for a case on each of so many GPUs.
GpuModePlan plan_of(const RunSetup& setup, double particles, int gpus, const ModeInfo<GpuMode>& info,
                    double available) {
    GpuModePlan p;
    const std::uint64_t held = gpu_share(setup, static_cast<std::uint64_t>(std::min(particles, 1e18)), gpus);
    const auto room = double(gpu_room(setup, held));
    p.mode = info.mode;
    p.model = model_of(setup, room, info);
    p.cells = cell_count(setup, info.mode);
    p.bytes = p.model.total(room, p.cells);
    p.fits = p.bytes <= available && room <= most_ids && double(p.cells) <= most_gpu_cells;
    return p;
}

/// The case with another dp: fluid fills space, boundaries are surfaces of as many layers as before.
struct Redrawn {
    RunSetup setup;
    double particles = 0;

    Redrawn(const GpuMemoryRequest& request, double dp) : setup(request.setup) {
        const double finer = setup.constants.dp / dp, walls = setup.groups.boundary_count();
        const int dimensions = setup.constants.two_d ? 2 : 3;
        const double boundary = walls * std::pow(finer, dimensions - 1);
        setup.constants.h /= finer;
        setup.constants.dp = dp;
        setup.groups = ParticleGroups::of(static_cast<std::uint32_t>(std::min(boundary, most_ids)), 0);
        particles = boundary + (double(request.particles) - walls) * std::pow(finer, dimensions);
    }
};

/// Halves the interval of dp, in the logarithm, between what is too fine for any memory (more particles than can be
/// numbered, 10⁹ spacings from one end of the domain to the other) and a single particle of fluid.
void find_finest(const GpuMemoryRequest& request, const ModeInfo<GpuMode>& info, GpuModePlan& plan) {
    const auto fits = [&](double dp) {
        const Redrawn redrawn(request, dp);
        return plan_of(redrawn.setup, redrawn.particles, request.gpus, info, request.available).fits;
    };
    const sph::Constants& c = request.setup.constants;
    const Vec3d size = request.setup.domain.max - request.setup.domain.min;
    const double fluid = std::max(1.0, double(request.particles) - request.setup.groups.boundary_count()),
                 root = 1.0 / (c.two_d ? 2 : 3);
    double coarse = c.dp * std::pow(fluid, root),
           fine = std::max(coarse / std::pow(most_ids, root), 1e-9 * std::max({size.x, size.y, size.z}));
    if (!fits(coarse)) return;
    for (int n = 0; n < 40; ++n) {
        const double middle = std::sqrt(fine * coarse);
        (fits(middle) ? coarse : fine) = middle;
    }
    plan.finest_dp = coarse;
    plan.most_particles = Redrawn(request, coarse).particles;
}

int fewest_gpus(const GpuMemoryRequest& request, const ModeInfo<GpuMode>& info) {
    for (int gpus = 1; gpus <= most_gpus; ++gpus)
        if (plan_of(request.setup, double(request.particles), gpus, info, request.available).fits) return gpus;
    return 0;
}

std::string text_of(const GpuMemoryPlan& plan, const GpuMemoryRequest& request) {
    char line[200];
    std::snprintf(line, sizeof line, "%-15s %14s %10s %10s %8s %8s\n", "GPU version", "bytes/particle", "bytes/cell",
                  "cells", "memory", "room for");
    std::string text = "GPU with " + bytes_text(request.available) + " for the run:\n" + line;
    if (plan.gpus > 1)
        text = std::to_string(plan.gpus) + " GPUs with " + bytes_text(request.available) +
               " for the run on each, with room there for " + short_number(double(plan.particles)) + " particles (" +
               short_number(double(request.particles)) + " in the run):\n" + line;
    for (const GpuModePlan& p : plan.modes) {
        const char* verdict = plan.choice == p.mode        ? "  chosen"
                              : !p.fits                    ? "  too big"
                              : ruled_out(request, p.mode) ? "  not asked"
                                                           : "";
        std::snprintf(line, sizeof line, "%-15s %14.0f %10.0f %10llu %8s %8s%s\n",
                      std::string(mode_info(gpu_modes, p.mode).name).c_str(), p.model.bytes_per_particle,
                      p.model.bytes_per_cell, static_cast<unsigned long long>(p.cells), bytes_text(p.bytes).c_str(),
                      short_number(p.most_particles).c_str(), verdict);
        text += line;
    }
    if (plan.choice) {
        if (request.setup.open.any() || plan.gpus > 1)
            std::snprintf(line, sizeof line, "%-15s made of the whole state: the steps wait while it is copied\n",
                          "frames");
        else if (plan.frame_bytes > 0)
            std::snprintf(line, sizeof line, "%-15s %14.0f %10d %10s %8s  while steps go on\n", "frames",
                          frame_copy_bytes, 0, "", bytes_text(plan.frame_bytes).c_str());
        else
            std::snprintf(line, sizeof line, "%-15s no room for copies: the steps wait while a frame is copied\n",
                          "frames");
        text += line;
    }
    return text + plan.why + "\n";
}

/// " on each of 2 GPUs"; nothing for one.
std::string on_each(const GpuMemoryPlan& plan) {
    return plan.gpus == 1 ? "" : " on each of " + std::to_string(plan.gpus) + " GPUs";
}

std::string reason_for_choice(const GpuMemoryPlan& plan, const GpuMemoryRequest& request) {
    const std::string name(mode_info(gpu_modes, *plan.choice).name);
    const std::string room = bytes_text(request.available) + " available" + on_each(plan);
    if (request.mode) return name + ": asked for, and fits into the " + room;
    return name + ": the fastest version that fits into the " + room;
}

/// What would do, in place of what was asked for and does not fit.
std::string remedy_for(const GpuMemoryPlan& plan, const GpuModePlan& least, const GpuMemoryRequest& request) {
    std::string remedy;
    if (least.fewest_gpus > plan.gpus) remedy = "--gpus " + std::to_string(least.fewest_gpus) + " would do, or ";
    char text[64];
    std::snprintf(text, sizeof text, "a dp of about %.3g would fit", 1.03 * least.finest_dp);
    remedy += least.finest_dp > 0 ? text : "too little for any dp";
    return remedy + (request.mode ? ", or another --gpu-mode" : "");
}

std::string reason_for_none(const GpuMemoryPlan& plan, const GpuMemoryRequest& request) {
    const GpuModePlan* least = nullptr;
    for (const GpuModePlan& p : plan.modes)
        if (!ruled_out(request, p.mode) && (!least || p.bytes < least->bytes)) least = &p;
    if (!least) return "no GPU version is both asked for and allowed (--gpu-mode against --neighbour-list)";
    const std::string name(mode_info(gpu_modes, least->mode).name);
    if (double(least->cells) > most_gpu_cells)
        return name + " has " + std::to_string(least->cells) +
               " cells in this domain, more than the GPU backend can number (2e9): make the domain smaller";
    const BytesTexts bytes = bytes_texts(least->bytes, request.available);
    return name + " needs " + bytes.needed + on_each(plan) + " for " + std::to_string(request.particles) +
           " particles, but only " + bytes.available + " are available: " + remedy_for(plan, *least, request);
}

} // namespace

int list_capacity(const sph::Constants& c) {
    const double radius = 2 * c.h * (1 + widest_list_skin) / c.dp; // in particle spacings
    const double pi = 3.14159265358979323846;
    const double neighbours = c.two_d ? pi * radius * radius : 4.0 / 3 * pi * radius * radius * radius;
    const double longest = 1.1 * neighbours + 8; // lists of 32 particles are as long as the longest of them
    return 8 * static_cast<int>(std::ceil(longest / 8));
}

std::uint64_t gpu_room(const RunSetup& setup, std::uint64_t particles) {
    if (!setup.open.any()) return particles;
    // few particles become twice as many soon, and each move to larger arrays takes the time of a hundred steps
    const std::uint64_t spare = std::max(particles / 8, std::min<std::uint64_t>(particles, 65536));
    return particles + spare + 4 * setup.open.points.size(); // a step creates one a point at most
}

std::uint64_t gpu_share(const RunSetup& setup, std::uint64_t particles, int gpus) {
    if (gpus == 1) return particles;
    const double boundary = setup.groups.boundary_count(), fluid = std::max(0.0, double(particles) - boundary),
                 own = fluid / gpus, others = fluid - own;
    // halos of two layers of cells at each cut, of fluid that lies in a cube; wider, as flows are wider than cubes:
    // measured at 0.17 to 4 million particles (docs/lab/gpu.md)
    const double cuts = gpus == 2 ? 1 : 2, halo = 12 * std::pow(fluid, setup.constants.two_d ? 1.0 / 2 : 2.0 / 3);
    const double seen = setup.period.has_images_along(2) ? others : std::min(others, cuts * halo);
    return static_cast<std::uint64_t>(1.1 * (boundary + own + 2 * seen)); // what comes lies behind what is there
}

std::size_t passage_records(const RunSetup& setup) { return 65536 + 4 * setup.open.points.size(); }

double gpu_search_radius(const sph::Constants& c, GpuMode mode) {
    return 2 * c.h * (has_neighbour_lists(mode) ? 1 + widest_list_skin : 1);
}

int gpu_cell_divisions(GpuMode mode) { return mode == GpuMode::fast_half || mode == GpuMode::slow_half ? 2 : 1; }

GpuMemoryPlan plan_gpu_memory(const GpuMemoryRequest& request) {
    GpuMemoryPlan plan;
    plan.available = request.available;
    plan.gpus = request.gpus;
    plan.particles = gpu_share(request.setup, request.particles, request.gpus);
    const bool copies_frames = request.gpus == 1 && !request.setup.open.any();
    for (const auto& info : gpu_modes) {
        GpuModePlan p = plan_of(request.setup, double(request.particles), request.gpus, info, request.available);
        find_finest(request, info, p);
        p.fewest_gpus = fewest_gpus(request, info);
        if (p.fits && !plan.choice && !ruled_out(request, info.mode)) plan.choice = info.mode;
        plan.modes.push_back(p);
        const double frames = frame_copy_bytes * double(request.particles);
        if (plan.choice == info.mode && copies_frames && p.bytes + frames <= request.available)
            plan.frame_bytes = frames;
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
