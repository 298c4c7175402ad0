// SPDX-License-Identifier: Apache-2.0
#include "../geometry/geometry_case.h"
#include "setup/setup.h"
#include <cmath>

using namespace sluice;
using namespace sluice::test;

namespace {

/// Oil of 800 kg/m³ from 0.5 to 1 m on water, mkfluid 1 on mkfluid 0.
CaseText oil_on_water() {
    CaseText t;
    t.commands = R"(<setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="0.4"/></drawbox>
<setmkfluid mk="1"/>
<drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0.5"/><size x="1" y="2" z="0.5"/></drawbox>)";
    t.casedef = R"(<properties><property name="water" rhop0="1000" gamma="7" cs0="40" visco="0.1"/>
<property name="oil" rhop0="800" gamma="5" cs0="80" visco="0.2"/>
<links><link mkfluid="0" property="water"/><link mkfluid="1" property="oil"/></links></properties>)";
    t.parameters = R"(<parameter key="FlowType" value="2"/>)";
    return t;
}

struct OilOnWater {
    ParticleSet set;
    RunSetup setup;
    ParticleState state;

    explicit OilOnWater(const CaseText& t) {
        const Case the_case = read_case_text(t.text(), "case.xml", {});
        std::vector<Diagnostic> diagnostics;
        set = generate_particles(the_case, diagnostics);
        setup = make_run_setup(the_case, set);
        state = make_initial_state(the_case, set, setup);
    }
};

} // namespace

TEST(Fluids, GroupsHaveTheMassOfTheirFluid) {
    const OilOnWater layers(oil_on_water());
    ASSERT_EQ(layers.setup.fluids.size(), 2u);
    const ParticleGroups& groups = layers.setup.groups;
    ASSERT_EQ(groups.all().size(), 2u);
    EXPECT_DOUBLE_EQ(groups.all()[0].mass, 1000 * 0.1 * 0.1);
    EXPECT_DOUBLE_EQ(groups.all()[1].mass, 800 * 0.1 * 0.1);
    EXPECT_EQ(groups.mass_of(0), groups.all()[0].mass);
    EXPECT_EQ(groups.mass_of(groups.all()[1].begin), groups.all()[1].mass);
    EXPECT_EQ(groups.mass_of(groups.particle_count() + 5), groups.all()[0].mass); // created: of the first fluid
    EXPECT_EQ(layers.setup.phase_of(groups.all()[1].begin), 2u);
    EXPECT_DOUBLE_EQ(layers.setup.density_ratio_of(groups.all()[1].begin), 0.8);
    EXPECT_EQ(layers.setup.constants.pressure_form, sph::PressureForm::product);
    EXPECT_EQ(layers.setup.constants.c0, 40); // of walls: the first liquid's
    EXPECT_DOUBLE_EQ(layers.setup.constants.dt_min, 0.05 * layers.setup.constants.h / 80); // by the fastest
}

// Σ ρ g h down through the layers.
TEST(Fluids, LayersBeginAtRest) {
    const OilOnWater layers(oil_on_water());
    for (std::uint32_t id = 0; id < layers.set.size(); ++id) {
        const double z = layers.set.position[id].z;
        const bool oil = z > 0.45;
        // each layer ends half a spacing above its highest particle
        const double pressure = oil ? 800 * 9.81 * (1.05 - z) : 800 * 9.81 * (1.05 - 0.45) + 1000 * 9.81 * (0.45 - z);
        const double gamma = oil ? 5 : 7, b = oil ? 80 * 80 * 800 / gamma : 40 * 40 * 1000 / gamma;
        EXPECT_NEAR(layers.state.density[id], 1000 * std::pow(1 + pressure / b, 1 / gamma), 1e-3) << z;
    }
}

TEST(Fluids, AFluidThatNothingDescribesIsNamed) {
    CaseText none = oil_on_water();
    none.casedef.clear();
    try {
        OilOnWater fluids(none);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("FlowType 2 without fluids"), std::string::npos) << e.what();
    }
    CaseText t = oil_on_water();
    t.casedef.replace(t.casedef.find(R"(<link mkfluid="1" property="oil"/>)"), 34, "");
    try {
        OilOnWater layers(t);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("nothing says what mkfluid 1 is made of"), std::string::npos) << e.what();
    }
}
