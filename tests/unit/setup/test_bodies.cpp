// SPDX-License-Identifier: Apache-2.0
#include "../geometry/geometry_case.h"
#include "core/error.h"
#include "setup/setup.h"
#include <cmath>

using namespace sluice;
using namespace sluice::test;

namespace {

/// A block of 5 × 4 × 3 particles (2-D: 5 × 3) as mkbound 1, with what stands in <floating>.
struct Floating {
    Case definition;
    ParticleSet set;
    RunSetup setup;
    ParticleState state;

    explicit Floating(const std::string& attributes, const std::string& children = "", bool two_d = false,
                      const std::string& parameters = "") {
        CaseText text;
        text.definition =
            two_d
                ? R"(<definition dp="0.1"><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/></definition>)"
                : R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="2" z="2"/></definition>)";
        text.constants = R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1"/><speedsound value="30"/>)";
        text.commands = two_d ? R"(<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/>
<size x="0.4" y="2" z="0.2"/></drawbox>)"
                              : R"(<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0"/>
<size x="0.4" y="0.3" z="0.2"/></drawbox>)";
        text.commands += R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="1"/>
<size x="0.4" y="2" z="0.2"/></drawbox>)";
        text.casedef = "<floatings><floating mkbound=\"1\" " + attributes + ">" + children + "</floating></floatings>";
        text.parameters = parameters;
        definition = read_case_text(text.text(), "case.xml", {});
        std::vector<Diagnostic> diagnostics;
        set = generate_particles(definition, diagnostics);
        setup = make_run_setup(definition, set);
        state = make_initial_state(definition, set, setup);
    }
    const Body& body() const { return setup.bodies.at(0); }
};

void expect_diagonal(const Body& body, double x, double y, double z) {
    const double expected[3] = {x, y, z};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(body.inertia[i][k], i == k ? expected[i] : 0, 1e-12 * (x + y + z)) << i << k;
}

} // namespace

TEST(Bodies, ABlockHasTheMomentsOfACuboid) {
    const Floating made(R"(rhopbody="600")");
    const double mass = 600 * 60 * 1e-3, a = 0.5, b = 0.4, c = 0.3; // as many cubes as particles
    EXPECT_NEAR(made.body().mass, mass, 1e-12 * mass);
    expect_diagonal(made.body(), mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c), mass / 12 * (a * a + b * b));
    const Vec3d centre = made.setup.domain.min + made.body().centre;
    EXPECT_NEAR(centre.x, 0.2, 1e-12);
    EXPECT_NEAR(centre.y, 0.15, 1e-12);
    EXPECT_NEAR(centre.z, 0.1, 1e-12);
    EXPECT_EQ(made.body().translates, (Vec3d{1, 1, 1}));
    EXPECT_EQ(made.body().turns, (Vec3d{1, 1, 1}));
}

TEST(Bodies, InAPlaneTheyStayInIt) {
    const Floating made(R"(relativeweight="0.5")",
                        R"(<linearvelini x="1" y="2" z="3"/><angularvelini x="4" y="5" z="6"/>)", true);
    const double mass = 500 * 15 * 1e-2, a = 0.5, c = 0.3;
    EXPECT_NEAR(made.body().mass, mass, 1e-12 * mass);
    expect_diagonal(made.body(), mass / 12 * c * c, mass / 12 * (a * a + c * c), mass / 12 * a * a);
    EXPECT_EQ(made.body().translates, (Vec3d{1, 0, 1}));
    EXPECT_EQ(made.body().turns, (Vec3d{0, 1, 0}));
    EXPECT_EQ(made.body().velocity, (Vec3d{1, 0, 3}));
    EXPECT_EQ(made.body().angular_velocity, (Vec3d{0, 5, 0}));
}

TEST(Bodies, MassMayBeGivenForTheBodyOrForAParticle) {
    EXPECT_EQ(Floating("", R"(<massbody value="7"/>)").body().mass, 7);
    EXPECT_EQ(Floating("", R"(<masspart value="0.25"/>)").body().mass, 15);
    EXPECT_THROW(Floating(""), InputError);
    EXPECT_THROW(Floating("", R"(<massbody value="-1"/>)"), InputError);
}

TEST(Bodies, CentreInertiaAndFreedomMayBeGiven) {
    const Floating made("", R"(<massbody value="7"/><center x="0.3" y="0.2" z="0.15"/><inertia x="1" y="2" z="3"/>
<translationDOF x="1" y="0" z="1"/><rotationDOF x="0" y="1" z="0"/><linearvelini x="0.1" y="0.2" z="0.3"/>)");
    expect_diagonal(made.body(), 1, 2, 3);
    EXPECT_NEAR((made.setup.domain.min + made.body().centre).x, 0.3, 1e-12);
    EXPECT_EQ(made.body().translates, (Vec3d{1, 0, 1}));
    EXPECT_EQ(made.body().turns, (Vec3d{0, 1, 0}));
    EXPECT_EQ(made.body().velocity, (Vec3d{0.1, 0, 0.3}));
    EXPECT_THROW(Floating("", R"(<massbody value="7"/><inertia x="1" y="0" z="3"/>)"), InputError);
}

TEST(Bodies, TheirParticlesBeginWithTheirMotion) {
    const Floating made(R"(rhopbody="600")", R"(<linearvelini x="1" y="0" z="0"/><angularvelini x="0" y="0" z="2"/>)");
    for (std::uint32_t id = made.body().first_id; id < made.body().first_id + made.body().particles; ++id) {
        const Vec3d r = made.state.position[id] - made.body().centre;
        EXPECT_NEAR(made.state.velocity[id].x, 1 - 2 * r.y, 1e-6);
        EXPECT_NEAR(made.state.velocity[id].y, 2 * r.x, 1e-6);
        EXPECT_EQ(made.state.velocity_previous[id], made.state.velocity[id]);
    }
}

TEST(Bodies, ParametersHoldThemAndSayHowTheyTouch) {
    const auto with = [](const std::string& key, const std::string& value) {
        return Floating(R"(rhopbody="600")", "", false, "<parameter key=\"" + key + "\" value=\"" + value + "\"/>");
    };
    EXPECT_EQ(with("FtPause", "0.75").body().released, 0.75);
    EXPECT_EQ(with("FtPause", "0").setup.contact, BodyContact::sph);
    EXPECT_EQ(with("RigidAlgorithm", "1").setup.contact, BodyContact::sph);
    EXPECT_EQ(with("RigidAlgorithm", "0").setup.contact, BodyContact::none);
    EXPECT_THROW(with("RigidAlgorithm", "2"), InputError);
}
