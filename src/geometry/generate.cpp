// SPDX-License-Identifier: Apache-2.0
#include "geometry/generate.h"

#include "core/memory.h"
#include "core/numbers.h"
#include "geometry/initial_state.h"
#include "geometry/normals.h"
#include "geometry/painter.h"
#include "geometry/water_columns.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace sluice {

const char* particle_type_name(ParticleType type) {
    switch (type) {
    case ParticleType::fixed: return "fixed";
    case ParticleType::moving: return "moving";
    case ParticleType::floating: return "floating";
    case ParticleType::fluid: return "fluid";
    }
    return "";
}

ParticleGroups groups_of(const std::vector<ParticleBlock>& blocks) {
    return ParticleGroups(std::vector<ParticleGroup>(blocks.begin(), blocks.end()));
}

namespace {

// Ids are 32-bit everywhere; this many particles need 36 GB before the first step.
constexpr std::size_t max_particles = 1'000'000'000u;

ParticleType type_of(const Case& the_case, int mkbound) {
    const auto is = [&](const auto& body) { return body.mkbound == mkbound; };
    if (std::any_of(the_case.floatings.begin(), the_case.floatings.end(), is)) return ParticleType::floating;
    if (std::any_of(the_case.motion.begin(), the_case.motion.end(), is)) return ParticleType::moving;
    return ParticleType::fixed;
}

/// The object that moves the particles of an mk: its index in Case::motion, or -1 where nothing acts on it.
int motion_of(const Case& the_case, int mkbound) {
    const std::vector<MotionObject>& objects = the_case.motion;
    const auto found =
        std::find_if(objects.begin(), objects.end(), [&](const auto& o) { return o.mkbound == mkbound; });
    if (found == objects.end()) return -1;
    for (const MotionObject* object = &*found; object;
         object = object->parent ? &objects[std::size_t(*object->parent)] : nullptr)
        if (object->acts()) return static_cast<int>(found - objects.begin());
    return -1;
}

/// Relative to the data folder of the case: what the drawing read and what motions and bodies will read.
std::vector<std::string> data_files_of(const Case& the_case, const Painter& painter) {
    std::set<std::string> files = painter.data_files();
    for (const MotionObject& object : the_case.motion)
        for (const MotionStep& step : object.steps)
            if (step.file) files.insert(step.file->name);
    if (!the_case.parameters.visco_file.empty()) files.insert(the_case.parameters.visco_file);
    for (const AccelerationInputDef& input : the_case.acceleration_inputs)
        if (!input.file.empty()) files.insert(input.file);
    for (const LayeredPiston& piston : the_case.layered_pistons)
        for (const LayerData& data : piston.data) files.insert(data.file);
    for (const RelaxationDef& zone : the_case.relaxation)
        if (zone.external)
            for (const auto* list : {&zone.external->files_x, &zone.external->files_z})
                files.insert(list->begin(), list->end());
    for (const OpenZoneDef& zone : the_case.open.zones)
        for (const std::string& file : {zone.velocity_file, zone.grid_file, zone.surface_file})
            if (!file.empty()) files.insert(file);
    for (const FloatingBody& body : the_case.floatings)
        for (const BodySeries* series : body.series())
            if (!series->file.empty()) files.insert(series->file);
    for (const JointDef& joint : the_case.mechanisms.joints)
        for (const JointCoefficient* one : {&joint.stiffness, &joint.damping})
            if (!one->file.empty()) files.insert(one->file);
    for (const ForceFactors& factors : the_case.mechanisms.factors)
        if (!factors.series.file.empty()) files.insert(factors.series.file);
    if (!the_case.moorings.file.empty()) files.insert(the_case.moorings.file);
    for (const JointBody& body : the_case.mechanisms.bodies)
        if (the_case.mechanisms.collision && !body.model.empty() && !body.model_is_drawn()) files.insert(body.model);
    if (the_case.asks_for_properties())
        for (const PropertyFile& file : the_case.properties.files) files.insert(file.file);
    return {files.begin(), files.end()};
}

int particles_per_node(const Case& the_case, bool fluid) {
    return fluid ? the_case.lattice_fluid : the_case.lattice_bound;
}

/// What the fluid that open boundaries create belongs to where the case draws none.
ParticleBlock fluid_to_come() {
    ParticleBlock block;
    block.mk = 1;
    block.type = ParticleType::fluid;
    return block;
}

/// Blocks in the order of the ids, still without positions.
std::vector<ParticleBlock> plan_blocks(const Case& the_case, const Canvas& canvas) {
    std::vector<std::size_t> counts = canvas.grid().count_by_mk();
    for (std::size_t mk = 1; mk < counts.size(); ++mk)
        counts[mk] *= std::size_t(particles_per_node(the_case, static_cast<int>(mk) <= the_case.mk.fluid_count));
    counts[Canvas::taken] = 0;
    for (const FreeParticle& p : canvas.free_particles()) ++counts[p.mk];
    counts[0] = 0;
    std::vector<ParticleBlock> blocks;
    std::size_t total = 0;
    for (std::size_t mk = 1; mk < counts.size(); ++mk) {
        if (!counts[mk]) continue;
        ParticleBlock block;
        block.mk = static_cast<int>(mk);
        const bool fluid = block.mk <= the_case.mk.fluid_count;
        block.mk_type = fluid ? block.mk - 1 : block.mk - 1 - the_case.mk.fluid_count;
        block.type = fluid ? ParticleType::fluid : type_of(the_case, block.mk_type);
        if (block.type == ParticleType::moving) block.motion = motion_of(the_case, block.mk_type);
        block.count = static_cast<std::uint32_t>(counts[mk]);
        blocks.push_back(block);
        total += counts[mk];
    }
    if (total > max_particles)
        throw InputError(the_case.definition.where,
                         fmt::format("the case has {} particles (at most {}), use a larger dp", total, max_particles));
    std::stable_sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.type < b.type; });
    if (!the_case.open.zones.empty() && (blocks.empty() || !blocks.back().is_fluid()))
        blocks.push_back(fluid_to_come());
    std::uint32_t begin = 0;
    for (ParticleBlock& block : blocks) {
        block.begin = begin;
        begin += block.count;
    }
    return blocks;
}

/// A body that later draws cover wholly is often a mistake.
void note_vanished(const Case& the_case, const Painter& painter, const std::vector<ParticleBlock>& blocks,
                   std::vector<Diagnostic>& diagnostics) {
    for (const auto& [mk, line] : painter.drawn_by()) {
        const bool left =
            std::any_of(blocks.begin(), blocks.end(), [mk = mk](const ParticleBlock& b) { return b.mk == mk; });
        if (!left)
            diagnostics.push_back(
                {Diagnostic::Level::info,
                 {the_case.file.string(), line},
                 fmt::format("mk {} is drawn here, but nothing of it is left: later draws cover or erase it",
                             int(mk))});
    }
}

std::string name_of_mk(const Case& the_case, int mk) {
    return mk <= the_case.mk.fluid_count ? fmt::format("mkfluid {}", mk - 1)
                                         : fmt::format("mkbound {}", mk - 1 - the_case.mk.fluid_count);
}

/// A shape that takes nodes of another: fluid that eats walls, or bodies that share more than an edge.
void note_overlaps(const Case& the_case, const Painter& painter, std::vector<Diagnostic>& diagnostics) {
    // Parts of a body that its neighbours may take and still only touch it. Walls and obstacles go over the water.
    constexpr double shared_edge = 0.1, under_walls = 0.5;
    for (const auto& [mk, nodes] : painter.canvas().overlaps()) {
        const auto [loser, winner] = mk;
        const bool wall_lost = loser > the_case.mk.fluid_count && winner <= the_case.mk.fluid_count;
        const bool water_lost = loser <= the_case.mk.fluid_count && winner > the_case.mk.fluid_count;
        const std::size_t all = painter.drawn_nodes(loser);
        if (!wall_lost && double(nodes) <= (water_lost ? under_walls : shared_edge) * double(all)) continue;
        const auto line = painter.drawn_by().find(winner);
        diagnostics.push_back(
            {wall_lost ? Diagnostic::Level::warning : Diagnostic::Level::info,
             {the_case.file.string(), line == painter.drawn_by().end() ? 0 : line->second},
             fmt::format("{} takes {} of the {} nodes of {}{}", name_of_mk(the_case, winner), nodes, all,
                         name_of_mk(the_case, loser),
                         wall_lost ? ": fluid drawn over a wall makes holes in it, draw the wall after the fluid"
                                   : ", which was drawn before it")});
    }
}

/// Compares what the particles take before the first step with what there is.
void require_memory(const Case& the_case, std::size_t particles) {
    constexpr double bytes_a_particle = sizeof(Vec3d) + sizeof(Vec3f) + sizeof(float) // set
                                        + sizeof(std::uint32_t) + sizeof(Vec3d)       // state: id, position
                                        + 2 * (sizeof(Vec3f) + sizeof(float));        // at two levels
    const double needed = bytes_a_particle * double(particles), available = available_memory();
    if (needed <= available) return;
    const BytesTexts bytes = bytes_texts(needed, available);
    throw InputError(the_case.definition.where,
                     fmt::format("the case has {} particles, which take {} before the first step ({} are free): use a "
                                 "larger dp, or a machine with more memory",
                                 particles, bytes.needed, bytes.available));
}

void place_particles(const Case& the_case, ParticleSet& set, const Canvas& canvas) {
    std::vector<std::uint32_t> next(65536);
    for (const ParticleBlock& block : set.blocks) next[block.mk] = block.begin;
    const Lattice& lattice = canvas.lattice();
    const double quarter = lattice.dp() / 4;
    const Vec3d off{quarter, lattice.two_d() ? 0 : quarter, quarter};
    canvas.grid().for_each([&](int i, int j, int k, std::uint16_t mk) {
        if (mk == Canvas::taken) return;
        const Vec3d p = lattice.node({i, j, k});
        if (particles_per_node(the_case, mk <= the_case.mk.fluid_count) == 1) {
            set.position[next[mk]++] = p;
        } else {
            set.position[next[mk]++] = p - off;
            set.position[next[mk]++] = p + off;
        }
    });
    for (const FreeParticle& p : canvas.free_particles())
        if (p.mk) set.position[next[p.mk]++] = p.position;
}

/// Extent, mean and deviation; the sums are taken relative to the first particle and to the mean, so that they are
/// exact far from the origin too.
void measure_block(const ParticleSet& set, ParticleBlock& block) {
    if (block.count == 0) return;
    const Vec3d first = set.position[block.begin];
    block.min = block.max = first;
    Vec3d sum;
    for (std::uint32_t n = block.begin; n < block.begin + block.count; ++n) {
        const Vec3d p = set.position[n];
        for (int axis = 0; axis < 3; ++axis) {
            block.min[axis] = std::min(block.min[axis], p[axis]);
            block.max[axis] = std::max(block.max[axis], p[axis]);
        }
        sum = sum + (p - first);
    }
    block.mean = first + (1.0 / block.count) * sum;
    Vec3d squares;
    for (std::uint32_t n = block.begin; n < block.begin + block.count; ++n) {
        const Vec3d d = set.position[n] - block.mean;
        squares = squares + Vec3d{d.x * d.x, d.y * d.y, d.z * d.z};
    }
    for (int axis = 0; axis < 3; ++axis) block.deviation[axis] = std::sqrt(squares[axis] / block.count);
}

/// Whether normals could be made. A surface that cannot be had, such as a file that is not there, is an error only
/// where walls need them.
template <class Make>
bool make_normals(const Case& the_case, ParticleSet& set, std::vector<Diagnostic>& diagnostics, Make&& make) {
    try {
        make();
        return true;
    } catch (const InputError& e) {
        if (the_case.parameters.boundary == sph::BoundaryCondition::modified_dynamic) throw;
        set.normals.clear();
        diagnostics.push_back(
            {Diagnostic::Level::warning, the_case.definition.where,
             fmt::format("the normals are left out, as walls with Boundary 1 have none: {}", e.what())});
        return false;
    }
}

} // namespace

ParticleSet generate_particles(const Case& the_case, std::vector<Diagnostic>& diagnostics) {
    Painter painter(the_case, diagnostics);
    painter.draw();
    ParticleSet set;
    set.dp = the_case.definition.dp;
    set.two_d = the_case.definition.two_d;
    set.blocks = plan_blocks(the_case, painter.canvas());
    set.data_files = data_files_of(the_case, painter);
    note_vanished(the_case, painter, set.blocks, diagnostics);
    note_overlaps(the_case, painter, diagnostics);
    if (std::ranges::all_of(set.blocks, [](const ParticleBlock& block) { return block.count == 0; }))
        throw InputError(the_case.definition.where,
                         "the case draws no particles, check the definition box and the drawing commands");
    std::size_t total = 0;
    for (const ParticleBlock& block : set.blocks) {
        total += block.count;
        if (block.type != ParticleType::fluid) set.boundary_count += block.count;
    }
    require_memory(the_case, total);
    set.position.resize(total);
    place_particles(the_case, set, painter.canvas());
    measure_water(the_case, painter.canvas(), set);
    set.velocity.resize(total);
    NormalsMaker normals(the_case, set, diagnostics);
    const bool made = make_normals(the_case, set, diagnostics, [&] { normals.make(); });
    apply_initial_states(the_case, set, diagnostics);
    if (made) make_normals(the_case, set, diagnostics, [&] { normals.finish(); });
    for (ParticleBlock& block : set.blocks) measure_block(set, block);
    if (!set.blocks.empty() && set.blocks.back().is_fluid() && set.blocks.back().count == 0)
        diagnostics.push_back({Diagnostic::Level::info, the_case.open.zones.front().where,
                               "the case draws no fluid: what open boundaries create counts as mkfluid 0 (mk 1)"});
    if (has_nothing_to_compute(the_case, set))
        diagnostics.push_back({Diagnostic::Level::warning, the_case.definition.where,
                               "the case has no fluid particles: a run has nothing to compute"});
    return set;
}

bool has_nothing_to_compute(const Case& the_case, const ParticleSet& particles) {
    const bool has_bodies = std::ranges::any_of(particles.blocks, [](const ParticleBlock& block) {
        return block.type == ParticleType::floating && block.count > 0;
    });
    return particles.boundary_count == particles.size() && the_case.open.zones.empty() && the_case.flexible.empty() &&
           !has_bodies;
}

} // namespace sluice
