// SPDX-License-Identifier: Apache-2.0
#include "io/water/overtopping.h"
#include "core/error.h"
#include "io/files/csv.h"
#include "io/fluid/followed.h"
#include "io/frames/frame_reader.h"
#include "io/records/run_json.h"

#include <fmt/format.h>
#include <limits>

namespace sluice {
namespace {

/// Whether the way of a particle meets the plane: 1 forward, −1 backward, 0 not.
int passage(const Vec3d& from, const Vec3d& way, const PassedPlane& plane, bool two_d) {
    const double start = dot(from - plane.point, plane.normal), end = start + dot(way, plane.normal);
    if ((start >= 0) == (end >= 0)) return 0;
    if (plane.box && !in_box(*plane.box, from + (start / (start - end)) * way, two_d)) return 0;
    return end >= 0 ? 1 : -1;
}

} // namespace

PassedVolume passed_between(const Frame& before, const Frame& after, const PassedPlane& plane, const RunSetup& setup) {
    PassedVolume passed;
    const double volume = particle_volume(setup.constants);
    const auto count = [&](int direction) {
        if (direction > 0) passed.forward += volume;
        if (direction < 0) passed.backward += volume;
    };
    for_each_followed(before, after, setup.groups, [&](std::size_t i, std::size_t j) {
        if (i == before.size() || j == after.size()) return;
        const Vec3d &from = before.position[i], &to = after.position[j];
        const Vec3d way = way_between(from, to, setup);
        count(passage(from, way, plane, setup.constants.two_d));
        // Across a periodic side the plane may lie before the one face or behind the other.
        if (setup.period.any() && norm(to - from - way) > setup.constants.dp)
            count(passage(to - way, way, plane, setup.constants.two_d));
    });
    return passed;
}

PassedVolume write_overtopping(const OvertoppingJob& job) {
    if (job.out.extension() != ".csv")
        throw InputError(fmt::format("{}: unknown suffix; passed volumes are written as .csv", job.out.string()));
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    if (frames.size() < 2)
        throw InputError(fmt::format("{}: only one frame is chosen (frame {}): what passes is found from two or more",
                                     job.dir.string(), frames.front().number));
    const ParticleLayout layout = read_layout(job.dir);
    require_stored(job.dir, layout, {});
    warn_of_left_out(job.dir, layout, frames);
    RunSetup setup = read_run_setup(job.dir / "run.json");
    setup.set_groups(layout.groups);
    PassedPlane plane = job.plane;
    if (setup.constants.two_d) plane.normal.y = 0;
    if (!(norm(plane.normal) > 0))
        throw InputError("overtopping: the normal of the plane has no length; give the way forward, as 1 0 0");
    const char *volume = setup.constants.two_d ? "m2" : "m3", *flow = setup.constants.two_d ? "m2/s" : "m3/s";
    CsvWriter csv(job.out,
                  {"time [s]", "frame", fmt::format("forward [{}]", volume), fmt::format("backward [{}]", volume),
                   fmt::format("net [{}]", volume), fmt::format("flow [{}]", flow)},
                  {fmt::format("volume of the fluid particles that have passed the plane through ({}, {}, {}) m along "
                               "({}, {}, {}) since the first row, at the reference density{}",
                               plane.point.x, plane.point.y, plane.point.z, plane.normal.x, plane.normal.y,
                               plane.normal.z, setup.constants.two_d ? ", for a metre of width" : ""),
                   "flow: forward less backward since the row before, over the time"});
    PassedVolume sum;
    Frame before;
    for (const FrameEntry& entry : frames) {
        Frame frame = read_frame(job.dir, entry.number);
        double rate = std::numeric_limits<double>::quiet_NaN();
        if (entry.number != frames.front().number) {
            const PassedVolume now = passed_between(before, frame, plane, setup);
            sum.forward += now.forward;
            sum.backward += now.backward;
            rate = (now.forward - now.backward) / (frame.time - before.time);
        }
        csv.write_measured(
            {frame.time, std::int64_t{entry.number}, sum.forward, sum.backward, sum.forward - sum.backward, rate});
        before = std::move(frame);
    }
    return sum;
}

} // namespace sluice
