// SPDX-License-Identifier: Apache-2.0
#include "../geometry/geometry_case.h"
#include "core/error.h"
#include "setup/body_series.h"
#include "setup/setup.h"
#include "temporary_folder.h"
#include <cmath>
#include <fstream>
#include <map>

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
                        R"(<linearvelini x="1" y="0" z="3"/><angularvelini x="0" y="5" z="0"/>)", true);
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
    EXPECT_EQ(with("FtPause", "0").setup.contact, BodyContact::pair_formula);
    EXPECT_EQ(with("RigidAlgorithm", "1").setup.contact, BodyContact::pair_formula);
    EXPECT_EQ(with("RigidAlgorithm", "0").setup.contact, BodyContact::none);
    EXPECT_THROW(with("RigidAlgorithm", "2"), InputError); // of no material
    EXPECT_THROW(with("RigidAlgorithm", "3"), InputError);
}

TEST(Bodies, SeriesRunFromRowToRowAndLeaveAxesFree) {
    const Floating made(R"(rhopbody="600")",
                        R"(<linearvelini x="9" y="9" z="9"/><linearvel><vel time="0" x="1" y="2" z="none"/>
<vel time="0.1" x="3" y="2" z="5"/><vel time="0.1" x="4" y="none" z="5"/><vel time="0.3" x="8" y="7" z="none"/></linearvel>
<linearforce><force time="0" x="0" y="6" z="0"/></linearforce>)");
    const Body& body = made.body();
    const SeriesSample* const samples = made.setup.body_series.data();
    const auto velocity = [&](int axis, double time) { return given_at(samples, body.imposed_velocity, axis, time); };
    EXPECT_EQ(body.velocity, (Vec3d{1, 2, 9}));
    EXPECT_EQ(velocity(0, -1), 1);
    EXPECT_NEAR(velocity(0, 0.05), 2, 1e-12);
    EXPECT_EQ(velocity(0, 0.1), 4); // of two rows at one time the last counts
    EXPECT_NEAR(velocity(0, 0.2), 6, 1e-12);
    EXPECT_EQ(velocity(0, 9), 8);
    EXPECT_EQ(velocity(1, 0.05), 2);
    EXPECT_EQ(velocity(1, 0.2), free_axis);
    EXPECT_EQ(velocity(1, 0.3), 7);
    EXPECT_EQ(velocity(2, 0.05), free_axis);
    EXPECT_EQ(velocity(2, 0.2), 5);
    EXPECT_EQ(velocity(2, 0.4), free_axis);
    EXPECT_NEAR(mean_between(samples, body.imposed_velocity, 0, 0, 0.2), (0.1 * 2 + 0.1 * 5) / 0.2, 1e-12);
    EXPECT_NEAR(mean_between(samples, body.imposed_velocity, 2, 0.3, 0.4), 5, 1e-12); // let go with what it had
    EXPECT_EQ(mean_between(samples, body.outer_force, 1, 1, 2), 6);
    EXPECT_FALSE(body.outer_moment.any());
}

TEST(Bodies, SeriesOfFiles) {
    const TemporaryFolder folder;
    const auto samples_of = [&](const std::string& rows) {
        std::ofstream(folder.path() / "turn.csv") << rows;
        Case definition;
        definition.data_folder = folder.path();
        BodySeries given;
        given.file = "turn.csv";
        std::vector<SeriesSample> samples;
        add_body_series(definition, given, true, samples);
        return samples;
    };
    const std::vector<SeriesSample> samples = samples_of("# time;x;y;z\n0;1;none;3\n\n0.5;2 ; 4;3\n");
    ASSERT_EQ(samples.size(), 2u);
    EXPECT_EQ(samples[0].slope.x, 2);
    EXPECT_EQ(samples[0].given, (Vec3d{1, 0, 1}));
    EXPECT_EQ(samples[1].value, (Vec3d{2, 4, 3}));
    EXPECT_EQ(samples_of("Time[s];Vel.x;Vel.y;Vel.z\n0;none;none;none\n1.9;0;-10;0\n")[1].value, (Vec3d{0, -10, 0}));
    for (const auto& [rows, message] : std::map<std::string, std::string>{
             {"0;1;2\n", ":1: the row has 3 numbers where the case asks for 4"},
             {"0;1;2;3;77\n", ":1: the row has 5 numbers where the case asks for 4: take the others out"},
             {"0,0;0,5;0,0;0,0\n", ":1: \"0,0\" has a decimal comma"},
             {"0;1;2;3\n-1;1;2;3\n", ":2: the time -1 comes before that of the row before, 0"},
             {"time;x;y;z\n", "has no rows of numbers"},
             {"0;x;y;z\n", "begin comments with #"},
             {"# nothing\n", "has no rows of numbers"},
             {"none;1;2;3\n", "the time is not finite"}}) {
        try {
            samples_of(rows);
            ADD_FAILURE() << rows;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
        }
    }
}

TEST(Bodies, SeriesOfAPlaneStayInIt) {
    EXPECT_THROW(Floating(R"(rhopbody="600")", R"(<linearvel><vel time="0" x="1" y="2" z="0"/></linearvel>)", true),
                 InputError);
    EXPECT_THROW(Floating(R"(rhopbody="600")", R"(<angularvel><vel time="0" x="1" y="2" z="0"/></angularvel>)", true),
                 InputError);
    const Floating made(R"(rhopbody="600")", R"(<linearvel><vel time="0" x="1" z="none"/></linearvel>
<angularvel><vel time="0" x="0" y="2" z="none"/></angularvel>)",
                        true);
    EXPECT_EQ(made.body().velocity, (Vec3d{1, 0, 0}));
    EXPECT_EQ(made.body().angular_velocity, (Vec3d{0, 2, 0}));
}
