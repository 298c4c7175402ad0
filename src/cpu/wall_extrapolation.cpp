// SPDX-License-Identifier: Apache-2.0
#include "cpu/wall_extrapolation.h"

#include "cpu/lattice.h"
#include "cpu/scalar_pairs.h"
#include "physics/sph/wall_extrapolation.h"

#include <algorithm>
#include <cmath>

namespace sluice::cpu {

namespace {

template <class Op>
class Extrapolation final : public WallExtrapolation {
public:
    Extrapolation(const RunSetup& setup, const Space& space, const ThreadCount& threads)
        : setup_(setup), space_(space), threads_(threads), constants_(setup.constants, lattice_unit(setup.constants)),
          eos_(setup.constants), flow_(setup.normals.size()) {
        for (int axis = 0; axis < 3; ++axis)
            if (space.stride[axis] == 1) fastest_ = axis;
    }

    void apply(const InteractionView& view, const std::vector<RigidMotion>& motions, SortedGroup& boundary) override {
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads_.now())
        for (std::uint32_t i = 0; i < boundary.count; ++i) {
            const std::uint32_t id = boundary.state.id[i];
            const Vec3d& place = boundary.state.position[i];
            if (!is_extrapolated(setup_, id) || space_.is_image(place)) continue;
            flow_[id] = extrapolated(view, motions, id, place);
        }
#pragma omp parallel for schedule(static) num_threads(threads_.now())
        for (std::uint32_t i = 0; i < boundary.count; ++i) { // images take over what their particles have
            const std::uint32_t id = boundary.state.id[i];
            if (!is_extrapolated(setup_, id)) continue;
            const Flow& flow = boundary.state.flow[i] = flow_[id];
            Record& record = view.records[i];
            record.pressure_term = eos_.pressure_term(flow.rho);
            record.vx = flow.vx;
            record.vy = flow.vy;
            record.vz = flow.vz;
            record.rho = flow.rho;
        }
    }

private:
    Flow extrapolated(const InteractionView& view, const std::vector<RigidMotion>& motions, std::uint32_t id,
                      const Vec3d& place) const {
        Vec3d normal = vec_cast<double>(setup_.normals[id]), velocity{};
        const std::int32_t object = setup_.rigid.object_of(id);
        if (object != RigidParticles::at_rest) {
            const RigidMotion& motion = motions[static_cast<std::size_t>(object)];
            normal = motion.turned(normal);
            velocity = motion.velocity_at(motion.position_of(setup_.rigid.start[id - setup_.rigid.begin]));
        }
        float sums[Op::sum_count] = {};
        add_around(view, space_.period.wrapped_from_afar(place + 2.0 * normal, space_.size), sums);
        const sph::WallFlow wall = sph::wall_flow(setup_.constants, sums, normal, velocity);
        const auto v = vec_cast<float>(wall.velocity);
        return {v.x, v.y, v.z, static_cast<float>(wall.density)};
    }

    /// Adds the fluid in reach of a place to its sums.
    void add_around(const InteractionView& view, const Vec3d& place, float (&sums)[Op::sum_count]) const {
        const double scale = space_.units_per_metre;
        const Record node{
            to_lattice(place.x, scale), to_lattice(place.y, scale), to_lattice(place.z, scale), 0, 0, 0, 0, 0};
        int low[3], high[3]; // cells
        for (int axis = 0; axis < 3; ++axis) {
            const double cell = space_.layers[axis] + std::floor(place[axis] * space_.inverse_cell[axis]);
            low[axis] = static_cast<int>(std::clamp(cell - view.rows.reach, 0.0, double(space_.count[axis])));
            high[axis] = static_cast<int>(std::clamp(cell + view.rows.reach, -1.0, double(space_.count[axis] - 1)));
        }
        const int second = (fastest_ + 1) % 3, third = (fastest_ + 2) % 3;
        for (int b = low[third]; b <= high[third]; ++b)
            for (int a = low[second]; a <= high[second]; ++a) {
                const std::uint32_t* const row =
                    view.fluid_begin + a * space_.stride[second] + std::ptrdiff_t(b) * space_.stride[third];
                for (std::uint32_t j = row[low[fastest_]]; j < row[high[fastest_] + 1]; ++j) {
                    const Separation s(node, view.records[j]);
                    if (s.r2 < constants_.support2) Op::add(constants_, s.dx, s.dy, s.dz, s.r2, view.records[j], sums);
                }
            }
    }

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    sph::GhostNodeConstants<float> constants_;
    sph::EquationOfState<float> eos_;
    std::vector<Flow> flow_; ///< by id
    int fastest_ = 0;        ///< axis along which cells follow one another
};

} // namespace

std::unique_ptr<WallExtrapolation> make_wall_extrapolation(const RunSetup& setup, const Space& space,
                                                           const ThreadCount& threads) {
    if (setup.normals.empty()) return nullptr;
    return sph::with_ghost_node(setup.constants, [&]<class Op>(Op) -> std::unique_ptr<WallExtrapolation> {
        return std::make_unique<Extrapolation<Op>>(setup, space, threads);
    });
}

} // namespace sluice::cpu
