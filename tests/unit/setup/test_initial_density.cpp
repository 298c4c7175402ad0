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

// Depths and speeds of sound that the reference generator says for a block of water, 0.4 m from its lowest to its
// highest particle, in which a body floats 0.3 m higher (GenCase 5.4.354, 2026).
TEST(SpeedOfSound, DependsOnTheDepthOfTheWaterAndOnWhatFloatsInIt) {
    const auto speed = [](const std::string& constants, bool body, const char* more = "") {
        CaseText t;
        t.definition =
            R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="5" y="1.5" z="1.5"/></definition>)";
        t.constants = R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1.1"/>)" + constants;
        t.commands =
            R"(<setmkbound mk="0"/><drawbox><boxfill>bottom</boxfill><point x="0" y="0" z="0"/><size x="3" y="0.5" z="0"/></drawbox>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0.1"/><size x="0.9" y="0.5" z="0.4"/></drawbox>)" +
            std::string(more);
        if (body) {
            t.commands +=
                R"(<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="0.2" y="0.1" z="0.3"/><size x="0.3" y="0.3" z="0.5"/></drawbox>)";
            t.casedef = R"(<floatings><floating mkbound="1"><massbody value="10"/></floating></floatings>)";
        }
        const Case the_case = read_case_text(t.text(), "case.xml", {});
        std::vector<Diagnostic> diagnostics;
        return make_constants(the_case, generate_particles(the_case, diagnostics)).c0;
    };
    const std::string twenty = R"(<coefsound value="20"/>)";
    EXPECT_NEAR(speed(twenty, false), 39.6182, 1e-4);
    EXPECT_NEAR(speed(twenty, true), 52.4099, 1e-4) << "0.7 m to the top of the body";
    EXPECT_NEAR(speed(twenty + R"(<rhopgradient value="1"/>)", true), 52.4099, 1e-4);
    EXPECT_NEAR(speed(twenty + R"(<rhopgradient value="2"/>)", true), 52.4099, 1e-4);
    EXPECT_NEAR(speed(twenty + R"(<rhopgradient value="3"/>)", true), 39.6182, 1e-4) << "0.4 m of water";
    const char* above =
        R"(<drawbox><boxfill>solid</boxfill><point x="1.5" y="0" z="0.7"/><size x="0.9" y="0.5" z="0.2"/></drawbox>)";
    EXPECT_NEAR(speed(twenty + R"(<rhopgradient value="2"/>)", false, above), 39.6182, 1e-4);
    EXPECT_NEAR(speed(twenty + R"(<rhopgradient value="3"/>)", false, above), 56.0286, 1e-4) << "from 0.1 to 0.9 m";
    // never below 10 √(g depth)
    EXPECT_NEAR(speed(twenty + R"(<speedsystem value="1"/>)", false), 20, 1e-4);
    EXPECT_NEAR(speed(twenty + R"(<speedsystem value="3"/>)", false), 60, 1e-4);
    EXPECT_NEAR(speed(R"(<coefsound value="5"/><speedsystem value="1"/>)", false), 19.8091, 1e-4);
    EXPECT_NEAR(speed(R"(<coefsound value="5"/>)", false), 19.8091, 1e-4);
}
