// SPDX-License-Identifier: Apache-2.0
#include "backends/compare.h"
#include "cpu/backend/make_backend.h"
#include "cpu/particles/particles.h"

// A CPU run whose pairs are computed by a schedule from outside: here by the oracle, which checks what it is handed.

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;

namespace {

/// Every record's place is found in the lattice around its cell's middle.
class OracleSchedule final : public cpu::Schedule {
public:
    OracleSchedule(const RunSetup& setup, CellSize cells)
        : setup_(setup), space_(setup, cells == CellSize::h ? 2 : 1, 2), cells_(space_.cell_count()) {}

    void set_boundary(const cpu::InteractionView& view) override { boundary_count_ = view.boundary_begin[cells_]; }
    float interact(const cpu::Interaction&, const cpu::InteractionView& view) override {
        EXPECT_EQ(view.boundary_begin[0], 0u);
        EXPECT_EQ(view.boundary_begin[cells_], boundary_count_);
        EXPECT_EQ(view.fluid_begin[0], boundary_count_);
        oracle::State state;
        add(view.records, view.boundary_begin, state);
        add(view.records, view.fluid_begin, state);
        const oracle::Rates found = oracle::rates(setup_, state);
        for (std::size_t i = 0; i < state.id.size(); ++i) {
            const Vec3d a = i >= boundary_count_ ? found.acceleration[i] - setup_.constants.gravity : Vec3d{};
            view.rates[i] = {float(a.x), float(a.y), float(a.z), float(found.density[i])};
        }
        return static_cast<float>(found.limits.speed);
    }
    std::size_t bytes() const override { return 12345; }

private:
    double coordinate(std::uint32_t low, std::uint32_t cell, int axis) const {
        const auto count = std::uint32_t(space_.count[axis]), stride = std::uint32_t(space_.stride[axis]);
        const double middle = (double(cell / stride % count) - space_.layers[axis] + 0.5) * space_.cell[axis];
        const auto units = std::int32_t(low - cpu::to_lattice(middle, space_.units_per_metre));
        return middle + units / space_.units_per_metre;
    }
    void add(const cpu::Record* records, const std::uint32_t* begin, oracle::State& to) const {
        for (std::uint32_t cell = 0; cell < cells_; ++cell)
            for (std::uint32_t i = begin[cell]; i < begin[cell + 1]; ++i) {
                const cpu::Record& r = records[i];
                to.id.push_back(static_cast<std::uint32_t>(to.id.size()));
                to.position.push_back({coordinate(r.x, cell, 0), coordinate(r.y, cell, 1), coordinate(r.z, cell, 2)});
                to.velocity.push_back({r.vx, r.vy, r.vz});
                to.density.push_back(r.rho);
            }
    }

    RunSetup setup_;
    cpu::Space space_;
    std::uint32_t cells_, boundary_count_ = 0;
};

std::unique_ptr<Backend> backend_of(const Cloud& cloud, CellSize cells) {
    return cpu::make_cpu_backend_with(cloud.setup, cells, 2, std::make_unique<OracleSchedule>(cloud.setup, cells));
}

} // namespace

TEST(AnotherSchedule, RatesComeBackToTheirParticles) {
    for (const Choice& choice : {Choice{}, Choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas}})
        for (const CellSize cells : {CellSize::two_h, CellSize::h}) {
            const Cloud cloud = clouds::make_cloud(choice, {10, 7, 8});
            const RateErrors errors = rate_errors(*backend_of(cloud, cells), cloud);
            EXPECT_LT(errors.acceleration, 1e-6) << choice.name();
            EXPECT_LT(errors.density, 1e-6) << choice.name();
        }
}

TEST(AnotherSchedule, StepsFollowTheOracle) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const Cloud cloud =
            clouds::make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::molteni, integrator}, {6, 5, 6});
        oracle::State expected = oracle::to_double(cloud.state);
        for (int n = 0; n < 20; ++n) oracle::step(cloud.setup, expected);
        const auto backend = backend_of(cloud, CellSize::two_h);
        backend->set_state(cloud.state);
        take_steps(*backend, 20);
        const StateErrors errors = state_errors(expected, backend->state(), cloud.setup.constants.dp);
        EXPECT_LT(errors.position, 1e-5);
        EXPECT_LT(errors.velocity, 1e-4);
        EXPECT_GT(backend->memory_bytes(), 12345u);
    }
}
