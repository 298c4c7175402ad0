// SPDX-License-Identifier: Apache-2.0
#include "io/water/runup.h"
#include "core/error.h"
#include "core/log.h"
#include "io/files/csv.h"
#include "io/fluid/followed.h"
#include "io/fluid/periodic_images.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_store.h"
#include "io/records/run_json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <vector>

namespace sluice {
namespace {

/// How far from the foot the water ends, m.
std::optional<double> end_of_water(std::vector<double> wet, double widest_gap) {
    if (wet.empty()) return std::nullopt;
    std::sort(wet.begin(), wet.end());
    std::size_t last = 0;
    while (last + 1 < wet.size() && wet[last + 1] - wet[last] <= widest_gap) ++last;
    return wet[last];
}

/// φ at a particle without its own part.
double fraction_of_others(const FluidInterpolator& fluid, std::size_t particle) {
    const sph::Constants& c = fluid.constants();
    const Frame& frame = fluid.frame();
    return sph::with_kernel(c.kernel, [&](auto kernel) {
        const double normalisation = kernel.normalisation(c.h, c.two_d);
        double sum = 0;
        fluid.cells().for_each_near(frame.position[particle], [&](std::uint32_t i, double r2, const Vec3d&) {
            const auto density = static_cast<double>(frame.density[i]);
            if (i != particle)
                sum += sph::fluid_fraction<decltype(kernel)>(normalisation * fluid.mass_of(i), density, r2, c.h);
        });
        return sum;
    });
}

std::optional<Runup> runup_on(const SlopeLine& line, const RunupPlace& place, const FluidInterpolator& fluid) {
    const sph::Constants& c = fluid.constants();
    Vec3d span = line.top - line.foot;
    if (c.two_d) span.y = 0;
    const double length = norm(span), distance = place.distance > 0 ? place.distance : 2 * c.dp;
    const Vec3d direction = normalized(span);
    const Frame& frame = fluid.frame();
    std::vector<double> wet;
    for (std::size_t i = fluid.fluid_begin(); i < frame.size(); ++i) {
        Vec3d from_foot = frame.position[i] - line.foot;
        if (c.two_d) from_foot.y = 0;
        const double along = dot(from_foot, direction);
        if (along < 0 || along > length || norm(from_foot - along * direction) > distance) continue;
        if (fraction_of_others(fluid, i) >= place.least_fraction) wet.push_back(along);
    }
    const auto along = end_of_water(std::move(wet), 2 * c.h);
    if (!along) return std::nullopt;
    return Runup{line.foot + *along * direction, *along};
}

std::optional<Runup> highest_in(const Box& box, const RunupPlace& place, const FluidInterpolator& fluid) {
    const Frame& frame = fluid.frame();
    std::optional<Runup> highest;
    for (std::size_t i = fluid.fluid_begin(); i < frame.size(); ++i) {
        const Vec3d& p = frame.position[i];
        if (!in_box(box, p, fluid.constants().two_d) || (highest && p.z <= highest->place.z)) continue;
        if (fraction_of_others(fluid, i) >= place.least_fraction) highest = Runup{p, 0};
    }
    return highest;
}

void check_place(const RunupPlace& place, bool two_d) {
    if (!place.line && !place.box) throw InputError("runup: no place is given; use --line (up the slope) or --box");
    if (!place.line) return;
    Vec3d span = place.line->top - place.line->foot;
    if (two_d) span.y = 0;
    if (!(norm(span) > 0) || !std::isfinite(norm(span)))
        throw InputError("runup: --line: the line has no length; give the foot of the slope, then its top");
}

std::string comment_of(const RunupJob& job, double distance) {
    if (job.place.line)
        return fmt::format("end of the water along the line from ({}, {}, {}) to ({}, {}, {}) m, of particles within "
                           "{:g} m of it",
                           job.place.line->foot.x, job.place.line->foot.y, job.place.line->foot.z,
                           job.place.line->top.x, job.place.line->top.y, job.place.line->top.z, distance);
    return fmt::format("highest wet place in the box from ({}, {}, {}) to ({}, {}, {}) m", job.place.box->min.x,
                       job.place.box->min.y, job.place.box->min.z, job.place.box->max.x, job.place.box->max.y,
                       job.place.box->max.z);
}

/// Whether the water ends within a particle spacing of the end of the place that is looked at.
bool reaches_the_end(const RunupPlace& place, const Runup& end, const sph::Constants& c) {
    if (!place.line) return place.box->max.z - end.place.z < c.dp;
    Vec3d span = place.line->top - place.line->foot;
    if (c.two_d) span.y = 0;
    return norm(span) - end.along < c.dp;
}

} // namespace

std::optional<Runup> find_runup(const RunupPlace& place, const FluidInterpolator& fluid) {
    return place.line ? runup_on(*place.line, place, fluid) : highest_in(*place.box, place, fluid);
}

double write_runup(const RunupJob& job) {
    if (job.out.extension() != ".csv")
        throw InputError(fmt::format("{}: unknown suffix; run-up is written as .csv", job.out.string()));
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    const ParticleLayout layout = read_layout(job.dir);
    require_stored(job.dir, layout, {Field::density});
    warn_of_left_out(job.dir, layout, frames);
    RunSetup setup = read_run_setup(job.dir / "run.json");
    setup.set_groups(layout.groups);
    check_place(job.place, layout.two_d);
    const double distance = job.place.distance > 0 ? job.place.distance : 2 * setup.constants.dp;
    CsvWriter csv(job.out, {"time [s]", "frame", "along [m]", "x [m]", "y [m]", "z [m]", "runup [m]"},
                  {comment_of(job, distance),
                   fmt::format("wet: at a particle the others are {} or more of the volume; runup: z less {} m",
                               job.place.least_fraction, job.still_level)});
    double largest = std::numeric_limits<double>::quiet_NaN();
    int cut = 0; // frames in which there may be more water beyond
    double first_cut = 0;
    for (const FrameEntry& entry : frames) {
        Frame frame = read_frame(job.dir, entry.number);
        require_volumes(frame, setup.groups, frame_path(job.dir, entry.number));
        add_fluid_images(frame, setup, 2 * setup.constants.h);
        const auto found = find_runup(job.place, FluidInterpolator(frame, setup.groups, setup.constants));
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        const Runup end = found.value_or(Runup{{none, none, none}, none});
        const double runup = end.place.z - job.still_level;
        if (found && reaches_the_end(job.place, *found, setup.constants) && cut++ == 0) first_cut = frame.time;
        if (!(runup <= largest)) largest = std::isnan(runup) ? largest : runup;
        csv.write_measured({frame.time, std::int64_t{entry.number}, job.place.line ? end.along : none, end.place.x,
                            end.place.y, end.place.z, runup});
    }
    if (cut > 0)
        spdlog::warn(
            "warning: in {} of {} frames, the first at {:g} s, the water is as far as the end of the {}: it may "
            "be farther; take a {} one",
            cut, frames.size(), first_cut, job.place.line ? "line" : "box", job.place.line ? "longer" : "higher");
    if (std::isnan(largest)) spdlog::warn("warning: nothing was wet there in any of the frames: the values are nan");
    return largest;
}

} // namespace sluice
