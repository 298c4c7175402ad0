// SPDX-License-Identifier: Apache-2.0
#include "backends/fluid_passes.h"
#include "cuda/data/fluid_groups.h"
#include "cuda/data/phase_table.h"
#include <gtest/gtest.h>

// What kernels know of the fluids of a run.

using namespace sluice;
using namespace sluice::cuda;

TEST(FluidPhases, PressureTermsCarryThem) {
    for (const float term : {0.0f, -0.0f, 1.25e-3f, -8.0f, 3.4e7f, 1e-40f})
        for (std::uint32_t phase = 0; phase < phases; ++phase) {
            const float marked = with_phase(term, phase);
            EXPECT_EQ(phase_in(marked), phase);
            EXPECT_EQ(phase_in(with_phase(marked, 3)), 3u); // the last one counts
            EXPECT_NEAR(marked, term, 7.0 / (1 << 23) * std::abs(term) + 1e-44);
        }
    EXPECT_TRUE(std::isnan(with_phase(std::numeric_limits<float>::quiet_NaN(), 5)));
}

TEST(FluidPhases, IdsTellThemAsTheSetUpDoes) {
    const RunSetup setup = passes::layered(clouds::make_cloud({}, {6, 5, 4})).setup;
    const std::vector<std::uint32_t> first = first_ids_of_fluids(setup.groups);
    ASSERT_EQ(first.size(), 2u);
    const FluidGroups groups{first.data(), 2};
    for (std::uint32_t id = 0; id < setup.groups.particle_count(); ++id)
        EXPECT_EQ(groups.phase_of(id), setup.phase_of(id)) << id;
}

TEST(FluidPhases, HeavyOnesAccelerateLess) {
    sph::Constants c = clouds::make_constants({}, 0.01);
    const PhaseTable table(
        c, {{c.rho0, c.c0, 7, 0.1}, {4 * c.rho0, 0.5 * c.c0, 7, 0.1}, {0.25 * c.rho0, 3 * c.c0, 1.4, 0.1}});
    EXPECT_EQ(table.weight[0], 1);
    EXPECT_EQ(table.weight[1], 1);
    EXPECT_EQ(table.weight[2], 0.25f);
    EXPECT_EQ(table.weight[3], 4);
    EXPECT_EQ(table.density_ratio[2], 4);
    EXPECT_EQ(table.sound_speed, float(3 * c.c0));
}
