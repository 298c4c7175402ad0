// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "core/log.h"
#include "io/files/csv.h"
#include "io/fluid/followed.h"
#include "io/fluid/periodic_images.h"
#include "io/fluid/rigid_fit.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_store.h"
#include "io/measures/forces.h"
#include "io/records/run_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace sluice {
namespace {

std::vector<ParticleBlock> blocks_of_mk(const ParticleLayout& layout, int mk_bound) {
    std::vector<ParticleBlock> blocks = boundary_blocks(layout.blocks, mk_bound);
    if (blocks.empty())
        throw InputError(fmt::format("forces: the run has no boundary of mkbound {}; it has {}", mk_bound,
                                     list_of_mks(layout.blocks, false)));
    return blocks;
}

/// The particles that all choices name, as blocks of consecutive ids. `start`: the first stored frame.
std::vector<ParticleBlock> chosen_blocks(const ForcedParticles& wanted, const Frame& start,
                                         const ParticleLayout& layout) {
    const std::uint32_t count = layout.groups.boundary_count();
    if (!wanted.mk_bound && !wanted.box && wanted.ids.empty())
        throw InputError("forces: no particles are given; use --mkbound, --box or --id");
    if (!wanted.ids.empty() && wanted.ids.back() >= count)
        throw InputError(fmt::format("forces: --id: particle {} is no boundary particle: these have the ids 0 to {}",
                                     wanted.ids.back(), std::int64_t{count} - 1));
    if (wanted.mk_bound && !wanted.box && wanted.ids.empty()) return blocks_of_mk(layout, *wanted.mk_bound);
    std::vector<bool> chosen(count, !wanted.mk_bound);
    if (wanted.mk_bound)
        for (const ParticleBlock& block : blocks_of_mk(layout, *wanted.mk_bound))
            std::fill_n(chosen.begin() + block.begin, block.count, true);
    std::vector<ParticleBlock> blocks;
    for (std::uint32_t id = 0; id < count; ++id) {
        if (!chosen[id] || (wanted.box && !in_box(*wanted.box, start.position[id], layout.two_d))) continue;
        if (!wanted.ids.empty() && !std::binary_search(wanted.ids.begin(), wanted.ids.end(), id)) continue;
        if (blocks.empty() || blocks.back().begin + blocks.back().count != id) {
            blocks.emplace_back();
            blocks.back().begin = id;
        }
        ++blocks.back().count;
    }
    if (blocks.empty())
        throw InputError(
            "forces: no boundary particle is named by all of --mkbound, --box and --id (places are those of "
            "the first stored frame); choose others");
    return blocks;
}

/// The places of the particles of blocks.
std::vector<Vec3d> places_of(const Frame& frame, const std::vector<ParticleBlock>& blocks) {
    std::vector<Vec3d> places;
    for (const ParticleBlock& block : blocks)
        for (std::uint32_t id = block.begin; id < block.begin + block.count; ++id) places.push_back(frame.position[id]);
    return places;
}

/// Where the point and the axis of a moment are in each frame.
class MomentPlace {
public:
    MomentPlace(const ForcesJob& job, const Frame& start, const ParticleLayout& layout) : job_(job), layout_(layout) {
        if (job.axis && !(norm(job.axis->direction) > 0))
            throw InputError("forces: --axis: its direction has no length; give a point and a direction");
        if (!job.moves_with) return;
        blocks_ = blocks_of_mk(layout, *job.moves_with);
        if (blocks_.front().type == ParticleType::fixed)
            throw InputError(fmt::format(
                "forces: --moves-with {}: this mkbound is fixed; name a moving or floating one", *job.moves_with));
        start_ = places_of(start, blocks_);
        if (!fit_rigid_motion(start_, start_, layout.two_d).is_unique)
            throw InputError(fmt::format("forces: --moves-with {}: its particles lie on a line, so that how it turns "
                                         "about this line cannot be seen; name another mkbound",
                                         *job.moves_with));
    }
    /// Throws RunError if the object that they move with has not moved as a rigid one.
    void see(const Frame& frame) {
        if (!job_.moves_with) return;
        fit_ = fit_rigid_motion(start_, places_of(frame, blocks_), layout_.two_d);
        if (!(fit_.error < 0.1 * layout_.dp))
            throw RunError(
                fmt::format("forces: --moves-with {}: at {} s it has not moved as one rigid object (by up to "
                            "{:g} m); name another mkbound",
                            *job_.moves_with, frame.time, fit_.error));
    }
    Vec3d about() const { return fit_.motion.position_of(job_.about); }
    Vec3d axis_point() const { return fit_.motion.position_of(job_.axis->point); }
    Vec3d axis_direction() const { return fit_.motion.turned(normalized(job_.axis->direction)); }

private:
    const ForcesJob& job_;
    const ParticleLayout& layout_;
    std::vector<ParticleBlock> blocks_;
    std::vector<Vec3d> start_;
    RigidFit fit_; ///< stays the identity where nothing moves
};

std::string particles_text(const ForcedParticles& p) {
    std::string text;
    if (p.mk_bound) text += fmt::format(" of mkbound {}", *p.mk_bound);
    if (!p.ids.empty()) text += fmt::format(" among {} ids", p.ids.size());
    if (p.box)
        text += fmt::format(" in the box ({}, {}, {}) to ({}, {}, {}) m", p.box->min.x, p.box->min.y, p.box->min.z,
                            p.box->max.x, p.box->max.y, p.box->max.z);
    return text;
}

std::vector<std::string> columns_of(const ForcesJob& job, bool two_d) {
    const char *unit = two_d ? "N/m" : "N", *moment = two_d ? "N" : "N m";
    std::vector<std::string> columns{"time [s]", "frame"};
    for (const char* axis : {"x", "y", "z"}) columns.push_back(fmt::format("f{} [{}]", axis, unit));
    for (const char* axis : {"x", "y", "z"}) columns.push_back(fmt::format("m{} [{}]", axis, moment));
    if (job.axis) columns.push_back(fmt::format("m_axis [{}]", moment));
    if (job.moves_with) columns.insert(columns.end(), {"about_x [m]", "about_y [m]", "about_z [m]"});
    return columns;
}

std::vector<std::string> comments_of(const ForcesJob& job) {
    std::vector<std::string> comments{
        fmt::format("force of the fluid on the boundary particles{}: the reaction of the momentum pair terms, without "
                    "gravity; moment about ({}, {}, {}) m",
                    particles_text(job.particles), job.about.x, job.about.y, job.about.z)};
    if (job.axis)
        comments.push_back(fmt::format("m_axis: moment about the axis through ({}, {}, {}) m along ({}, {}, {})",
                                       job.axis->point.x, job.axis->point.y, job.axis->point.z, job.axis->direction.x,
                                       job.axis->direction.y, job.axis->direction.z));
    if (job.moves_with)
        comments.push_back(fmt::format("the point{} with mkbound {}; given are places in the first stored frame",
                                       job.axis ? " and the axis move" : " moves", *job.moves_with));
    return comments;
}

} // namespace

int write_forces(const ForcesJob& job) {
    if (job.out.extension() != ".csv")
        throw InputError(fmt::format("{}: unknown suffix; forces are written as .csv", job.out.string()));
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    const ParticleLayout layout = read_layout(job.dir);
    require_stored(job.dir, layout, {Field::velocity, Field::density});
    warn_of_left_out(job.dir, layout, frames);
    RunSetup setup = read_run_setup(job.dir / "run.json");
    setup.set_groups(layout.groups);
    const sph::Constants& constants = setup.constants;
    if (constants.viscosity == sph::ViscosityModel::apparent)
        spdlog::warn("forces: without the friction of the fluids of <nnphases>: what they exert by pressure alone");
    if (setup.method != Method::sph)
        throw InputError(fmt::format("forces: {} is a run with Method={}, whose forces do not follow from the pairs of "
                                     "SPH; take wall_pressure of its frames (sluice measure)",
                                     job.dir.string(), method_name(setup.method).word));
    if (constants.mirrors_velocities() && !layout.mirrors)
        throw InputError(
            fmt::format("forces: the frames in {} are of an earlier version and lack what its walls mirror "
                        "(SlipMode 2 or 3); use a force gauge",
                        job.dir.string()));
    require_boundary(job.dir, layout, frames);
    const FrameEntry first = choose_frames(job.dir, 0, std::numeric_limits<int>::max()).front();
    require_boundary(job.dir, layout, {first});
    const Frame start = read_frame(job.dir, first.number);
    const std::vector<ParticleBlock> blocks = chosen_blocks(job.particles, start, layout);
    MomentPlace place(job, start, layout);
    CsvWriter csv(job.out, columns_of(job, constants.two_d), comments_of(job));
    for (const FrameEntry& entry : frames) {
        Frame frame = read_frame(job.dir, entry.number);
        require_volumes(frame, layout.groups, frame_path(job.dir, entry.number));
        place.see(frame);
        add_fluid_images(frame, setup, 2 * constants.h);
        const FluidInterpolator fluid(frame, layout.groups, setup.constants_at(frame.time));
        const auto [f, m] = load_on_boundary(fluid, blocks, place.about());
        std::vector<CsvValue> row{frame.time, std::int64_t{frame.number}, f.x, f.y, f.z, m.x, m.y, m.z};
        if (job.axis) // the moment about another point: M + (x_0 − x_1) × F
            row.emplace_back(dot(m + cross(place.about() - place.axis_point(), f), place.axis_direction()));
        if (job.moves_with) row.insert(row.end(), {place.about().x, place.about().y, place.about().z});
        csv.write_measured(row);
    }
    return static_cast<int>(frames.size());
}

} // namespace sluice
