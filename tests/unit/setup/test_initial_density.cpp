// SPDX-License-Identifier: Apache-2.0
#include "../geometry/geometry_case.h"
#include "setup/setup.h"
#include <cmath>

using namespace sluice;
using namespace sluice::test;

namespace {

/// Densities of a block of water, 1 m wide and 1 m deep, by id, and its particles.
struct Water {
    ParticleSet set;
    std::vector<float> density;
    sph::Constants constants;

    explicit Water(const std::string& initials) {
        CaseText t;
        t.casedef = "<initials>" + initials + "</initials>";
        t.constants = R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1.0"/><rhopgradient value="1"/>)";
        const Case the_case = read_case_text(t.text(), "case.xml", {});
        std::vector<Diagnostic> diagnostics;
        set = generate_particles(the_case, diagnostics);
        const RunSetup setup = make_run_setup(the_case, set);
        constants = setup.constants;
        density = make_initial_state(the_case, set, setup).density;
    }
    /// Checks every particle against `expected(place)`.
    template <class F>
    void expect(F&& expected) const {
        ASSERT_GT(set.size(), 100u);
        for (std::uint32_t n = 0; n < set.size(); ++n)
            ASSERT_NEAR(density[n], expected(set.position[n]), 1e-3) << set.position[n].z;
    }
};

} // namespace

TEST(InitialDensity, Uniform) {
    const Water water(
        R"(<densityuniform mkfluid="0" rhop="1001"><onlypos><posmin z="0.45"/></onlypos></densityuniform>)");
    water.expect([](const Vec3d& p) { return p.z > 0.45 ? 1001 : 1000; });
}

TEST(InitialDensity, Gradient) {
    const Water water(
        R"(<densitygradient mkfluid="0"><pos1 x="0" y="0" z="0.8" rhop="1000"/><pos2 x="0" y="0" z="0.2" rhop="1006"/></densitygradient>)");
    water.expect([](const Vec3d& p) { return 1000 + 10 * std::min(std::max(0.8 - p.z, 0.0), 0.6); });
}

TEST(InitialDensity, Depth) {
    const Water water(R"(<densitydepth mkfluid="0"/>)");
    const double b = water.constants.b;
    water.expect([&](const Vec3d& p) { return 1000 * std::pow(1 + 9.81 * 1000 * (1 - p.z) / b, 1.0 / 7); });
    const Water own(R"(<densitydepth mkfluid="0"><posswl x="0" y="0" z="0.5"/><gravity x="0" y="0" z="-4"/>
        <rhop0 value="1100"/><gamma value="6"/><b value="1e6"/></densitydepth>)");
    own.expect([](const Vec3d& p) { return 1100 * std::pow(1 + 4 * 1100 * std::max(0.5 - p.z, 0.0) / 1e6, 1.0 / 6); });
}

TEST(InitialDensity, MistakesAreNamed) {
    EXPECT_THROW(Water(R"(<densityuniform mkfluid="0" rhop="-1"/>)"), InputError);
    EXPECT_THROW(Water(R"(<densitygradient mkfluid="0"><pos1 x="0" y="0" z="0" rhop="1"/></densitygradient>)"),
                 InputError);
    EXPECT_THROW(Water(R"(<densitydepth mkfluid="0"><b value="0"/></densitydepth>)"), InputError);
}
