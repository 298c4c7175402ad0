// SPDX-License-Identifier: Apache-2.0
#include "../geometry/geometry_case.h"
#include "core/error.h"
#include "setup/setup.h"
#include <cmath>
#include <fmt/format.h>

using namespace sluice;
using namespace sluice::test;

namespace {

struct Made {
    Case definition;
    ParticleSet set;
    RunSetup setup;
    ParticleState state;

    explicit Made(const CaseText& text) : definition(read_case_text(text.text(), "case.xml", {})) {
        std::vector<Diagnostic> diagnostics;
        set = generate_particles(definition, diagnostics);
        setup = make_run_setup(definition, set);
        state = make_initial_state(definition, set, setup);
    }
    const sph::Constants& constants() const { return setup.constants; }
};

CaseText with_constants(const std::string& constants) {
    CaseText text;
    text.constants = constants;
    return text;
}

/// Two columns of water of different height, 0.4 and 0.8 m, apart from one another.
std::vector<float> densities_of_two_columns(int rhopgradient) {
    CaseText text = with_constants(R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1.0"/><rhopgradient value=")" +
                                   std::to_string(rhopgradient) + R"("/>)");
    text.commands = R"(<setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="0.3" y="2" z="0.4"/></drawbox>
<drawbox><boxfill>solid</boxfill><point x="1" y="-1" z="0"/><size x="0.3" y="2" z="0.8"/></drawbox>)";
    const Made made(text);
    std::vector<float> lowest; // of the low column and of the high one
    for (const double x : {0.1, 1.1})
        for (std::uint32_t i = 0; i < made.set.size(); ++i)
            if (std::abs(made.set.position[i].x - x) < 1e-6 && std::abs(made.set.position[i].z) < 1e-6)
                lowest.push_back(made.state.density[i]);
    return lowest;
}

double density_under(double depth, double top_depth) {
    // c0 = 20 sqrt(g·depth of the water), gamma = 7
    const double b = 400 * 9.81 * top_depth * 1000 / 7;
    return 1000 * std::pow(1 + 1000 * 9.81 * depth / b, 1 / 7.0);
}

} // namespace

TEST(Setup, EveryConstantComesFromItsOwnElement) {
    CaseText text = with_constants(R"(<gravity x="0.5" y="0" z="-8"/><rhop0 value="1010"/><gamma value="6.5"/>
<speedsound value="33"/><coefh value="1.3"/><massbound value="12"/><massfluid value="11"/><cflnumber value="0.3"/>)");
    text.parameters = R"(<parameter key="StepAlgorithm" value="2"/><parameter key="VerletSteps" value="37"/>
<parameter key="Kernel" value="1"/><parameter key="Visco" value="0.2"/><parameter key="ViscoBoundFactor" value="1.5"/>
<parameter key="AcousticDamping" value="0.4"/><parameter key="Smagorinsky" value="0.1"/><parameter key="TensileSpacing" value="0.6"/><parameter key="DensityDT" value="3"/><parameter key="DensityDTvalue" value="0.15"/>
<parameter key="DtFixed" value="1e-4"/><parameter key="DtIni" value="2e-5"/><parameter key="DtMin" value="3e-6"/>
<parameter key="DtAllParticles" value="1"/><parameter key="RhopOutMin" value="650"/><parameter key="RhopOutMax" value="1350"/>)";
    sph::Constants expected;
    expected.kernel = sph::KernelType::cubic_spline;
    expected.diffusion = sph::DensityDiffusion::fourtakas_full;
    expected.integrator = sph::Integrator::symplectic;
    expected.verlet_steps = 37;
    expected.two_d = true;
    expected.dp = 0.1;
    expected.h = 1.3 * std::sqrt(2.0) * 0.1;
    expected.gravity = {0.5, 0, -8};
    expected.rho0 = 1010;
    expected.gamma = 6.5;
    expected.c0 = 33;
    expected.alpha = 0.2;
    expected.boundary_viscosity_factor = 1.5;
    expected.acoustic_damping = 0.4;
    expected.smagorinsky = 0.1;
    expected.tensile_spacing = 0.6;
    expected.delta = 0.15;
    expected.cfl = 0.3;
    expected.dt_fixed = 1e-4;
    expected.dt_initial = 2e-5;
    expected.dt_all_particles = true;
    expected.rho_out_min = 650;
    expected.rho_out_max = 1350;
    expected.mass_fluid = 11;
    expected.mass_bound = 12;
    expected.b = 33 * 33 * 1010 / 6.5;
    expected.eta2 = 0.01 * expected.h * expected.h;
    expected.dt_min = 3e-6;
    const auto text_of = [](const sph::Constants& constants) {
        std::string lines;
        sph::for_each_field(constants, [&](const std::string& name, const auto& field) {
            if constexpr (std::is_same_v<decltype(field), const Vec3d&>)
                lines += fmt::format("{} {} {} {}\n", name, field.x, field.y, field.z);
            else
                lines += fmt::format("{} {:.14g}\n", name, double(field));
        });
        return lines;
    };
    EXPECT_EQ(text_of(Made(text).constants()), text_of(expected));
}

TEST(Setup, SpeedOfSoundComesFromTheDepthOfTheWater) {
    const double speed = std::sqrt(9.81 * 1.0); // the block is 1 m deep
    EXPECT_DOUBLE_EQ(Made(CaseText{}).constants().c0, 20 * speed);
    EXPECT_DOUBLE_EQ(
        Made(with_constants(R"(<coefh value="1"/><coefsound value="15"/><speedsystem value="4"/>)")).constants().c0,
        60);
    EXPECT_DOUBLE_EQ(Made(with_constants(R"(<coefh value="1"/><hswl value="0.25"/>)")).constants().c0, 10 * speed);
    EXPECT_DOUBLE_EQ(Made(with_constants(R"(<gravity x="0" y="0" z="9.81"/><coefh value="1"/>)")).constants().c0,
                     20 * speed);
    EXPECT_THROW(Made(with_constants(R"(<gravity x="0" y="0" z="0"/><coefh value="1"/>)")), InputError);
}

TEST(Setup, SpeedOfSoundComesFromBWhereThatIsGiven) {
    const sph::Constants c = Made(with_constants(R"(<coefh value="1"/><b value="7e5"/>)")).constants();
    EXPECT_EQ(c.b, 7e5);
    EXPECT_DOUBLE_EQ(c.c0, std::sqrt(7e5 * 7 / 1000));
    const sph::Constants both =
        Made(with_constants(R"(<coefh value="1"/><b value="7e5"/><speedsound value="50"/>)")).constants();
    EXPECT_EQ(both.b, 7e5);
    EXPECT_EQ(both.c0, 50);
}

TEST(Setup, SmallestTimeStepFollowsItsCoefficient) {
    CaseText text;
    text.parameters = R"(<parameter key="CoefDtMin" value="0.08"/>)";
    const sph::Constants c = Made(text).constants();
    EXPECT_DOUBLE_EQ(c.dt_min, 0.08 * c.h / c.c0);
}

TEST(Setup, WaterStartsInEquilibriumAsRhopgradientAsks) {
    const double low = 0.4, high = 0.8;
    std::vector<float> density = densities_of_two_columns(1);
    ASSERT_EQ(density.size(), 2u);
    EXPECT_EQ(density[0], 1000);
    EXPECT_EQ(density[1], 1000);
    density = densities_of_two_columns(2);
    EXPECT_NEAR(density[0], density_under(low, high), 1e-3);
    EXPECT_NEAR(density[1], density_under(high, high), 1e-3);
    density = densities_of_two_columns(3);
    EXPECT_NEAR(density[0], density_under(high, high), 1e-3);
    EXPECT_NEAR(density[1], density_under(high, high), 1e-3);
}

TEST(Setup, DomainIsTheParticlesExtentAndATwentiethOfH) {
    const Made made{CaseText{}};
    const double margin = 0.05 * made.constants().h;
    EXPECT_NEAR(made.setup.domain.min.x, -margin, 1e-12);
    EXPECT_NEAR(made.setup.domain.max.x, 1 + margin, 1e-12);
    EXPECT_NEAR(made.setup.domain.max.z, 1 + margin, 1e-12);
    EXPECT_NEAR(made.state.position[0].x, made.set.position[0].x - made.setup.domain.min.x, 1e-15);
}

TEST(Setup, APeriodReachesHalfASpacingBeyondTheParticlesOrToTheDomainsLimits) {
    CaseText text;
    text.parameters = R"(<parameter key="XPeriodicIncZ" value="0.3"/>)";
    const Made made{text};
    const double dp = made.constants().dp, margin = 0.05 * made.constants().h;
    EXPECT_NEAR(made.setup.domain.min.x, -0.5 * dp, 1e-12);
    EXPECT_NEAR(made.setup.domain.max.x, 1 + 0.5 * dp, 1e-12);
    EXPECT_NEAR(made.setup.domain.max.z, 1 + margin, 1e-12);
    const Period& period = made.setup.period;
    EXPECT_TRUE(period.periodic[0]);
    EXPECT_FALSE(period.periodic[1] || period.periodic[2]);
    EXPECT_NEAR(period.shift[0].x, 1 + dp, 1e-12);
    EXPECT_EQ(period.shift[0].z, -0.3); // what leaves through the upper face of x enters 0.3 m higher
    const Vec3d size = made.setup.domain.max - made.setup.domain.min;
    const Vec3d entered = period.wrapped({size.x + 0.01, 0, 0.2}, size);
    EXPECT_NEAR(entered.x, 0.01, 1e-12);
    EXPECT_NEAR(entered.z, 0.5, 1e-12);

    text.parameters = R"(<parameter key="XZPeriodic" value="0"/>
<simulationdomain><posmin x="-0.25" y="default" z="default - 0.1"/><posmax x="1.25" y="default" z="default"/></simulationdomain>)";
    const Made given{text};
    EXPECT_NEAR(given.setup.period.shift[0].x, 1.5, 1e-12);
    EXPECT_NEAR(given.setup.domain.min.z, -0.1, 1e-12);
    EXPECT_NEAR(given.setup.domain.max.z, 1 + 0.5 * dp, 1e-12);
}

TEST(Setup, EveryPeriodicParameterNamesItsAxes) {
    const auto axes = [](const std::string& key) {
        CaseText text;
        text.parameters = "<parameter key=\"" + key + "\" value=\"0\"/>";
        const Case definition = read_case_text(text.text(), "case.xml", {});
        std::string found;
        for (int axis = 0; axis < 3; ++axis)
            if (definition.parameters.periodic[axis]) found += "xyz"[axis];
        return found;
    };
    EXPECT_EQ(axes("XPeriodicIncY"), "x");
    EXPECT_EQ(axes("XPeriodicIncZ"), "x");
    EXPECT_EQ(axes("YPeriodicIncX"), "y");
    EXPECT_EQ(axes("YPeriodicIncZ"), "y");
    EXPECT_EQ(axes("ZPeriodicIncX"), "z");
    EXPECT_EQ(axes("ZPeriodicIncY"), "z");
    EXPECT_EQ(axes("XYPeriodic"), "xy");
    EXPECT_EQ(axes("XZPeriodic"), "xz");
    EXPECT_EQ(axes("YZPeriodic"), "yz");
}

TEST(Setup, PeriodsThatContradictThemselvesAreRefused) {
    const auto made_with = [](const std::string& parameters) {
        CaseText text;
        text.parameters = parameters;
        return Made{text};
    };
    EXPECT_THROW(made_with(R"(<parameter key="XPeriodicIncZ" value="0.1"/><parameter key="ZPeriodicIncX" value="0"/>)"),
                 InputError);
    EXPECT_THROW(made_with(R"(<parameter key="XYPeriodic" value="0"/>)"), InputError); // the case is 2-D
    EXPECT_THROW(made_with(R"(<parameter key="XPeriodicIncY" value="0.1"/>)"), InputError);
    EXPECT_NO_THROW(made_with(R"(<parameter key="XPeriodicIncY" value="0"/>)"));
    EXPECT_THROW(made_with(R"(<parameter key="XPeriodicIncZ" value="0"/>
<simulationdomain><posmin x="0.25" y="default" z="default"/><posmax x="default" y="default" z="default"/></simulationdomain>)"),
                 InputError); // particles beyond the face
}

TEST(Setup, LaminarViscosityIsTheKinematicOne) {
    CaseText text;
    text.parameters = R"(<parameter key="ViscoTreatment" value="3"/><parameter key="Visco" value="1e-6"/>)";
    const sph::Constants laminar = Made(text).constants();
    EXPECT_EQ(laminar.viscosity, sph::ViscosityModel::laminar);
    EXPECT_EQ(laminar.nu, 1e-6);
    text.parameters =
        R"(<parameter key="ViscoTreatment" value="MonaghanGingold"/><parameter key="Visco" value="1e-6"/>)";
    EXPECT_EQ(Made(text).constants().viscosity, sph::ViscosityModel::laminar_central);
    EXPECT_EQ(Made(text).constants().nu, 1e-6);
    text.parameters = R"(<parameter key="Visco" value="0.3"/>)";
    const sph::Constants artificial = Made(text).constants();
    EXPECT_EQ(artificial.viscosity, sph::ViscosityModel::artificial);
    EXPECT_EQ(artificial.alpha, 0.3);
    EXPECT_EQ(artificial.nu, 0);
}

TEST(Setup, MovingGroupsKnowTheirMotion) {
    CaseText text;
    text.casedef = R"(<motion><objreal ref="4"><begin mov="1" start="0"/><mvnull id="1"/></objreal>
<obj><begin mov="1" start="0"/><mvrect id="1" duration="1"><vel x="1" y="0" z="0"/></mvrect><objreal ref="3"/></obj>
</motion>)";
    text.commands += R"(<setmkbound mk="2"/><drawpoint x="1.5" y="0" z="0"/><setmkbound mk="3"/>
<drawpoint x="1.6" y="0" z="0"/><setmkbound mk="4"/><drawpoint x="1.7" y="0" z="0"/>)";
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    const Case definition = read_case_text(text.text(), "case.xml", overrides);
    std::vector<Diagnostic> diagnostics;
    const RunSetup setup = make_run_setup(definition, generate_particles(definition, diagnostics));
    ASSERT_EQ(setup.motions.object_count(), 3);
    ASSERT_EQ(setup.groups.all().size(), 4u);
    const ParticleType types[] = {ParticleType::fixed, ParticleType::moving, ParticleType::moving, ParticleType::fluid};
    const int motions[] = {-1, 2, -1, -1}; // by ascending mk: 2, the carried 3, 4 that stands still, the fluid
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(setup.groups.all()[i].type, types[i]) << i;
        EXPECT_EQ(setup.groups.all()[i].motion, motions[i]) << i;
    }
}

TEST(Setup, FilesOfTheMotionAreAmongTheInputs) {
    CaseText text;
    text.casedef =
        R"(<motion><objreal ref="4"><mvfile id="1" duration="1"><file name="sub/piston.dat" fields="2" fieldtime="0"
fieldx="1"/></mvfile></objreal></motion>)";
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    std::vector<Diagnostic> diagnostics;
    const ParticleSet set = generate_particles(read_case_text(text.text(), "case.xml", overrides), diagnostics);
    EXPECT_EQ(set.data_files, std::vector<std::string>{"sub/piston.dat"});
}

// In the plane x–z of a 2-D case nothing may be given a way out of it.
TEST(Setup, ATwoDimensionalCaseKeepsItsPlane) {
    const auto refused = [](const CaseText& text) {
        try {
            Made made(text);
        } catch (const InputError& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    const auto refusal = [&](const std::string& casedef, const std::string& special = "") {
        CaseText text;
        text.casedef = casedef;
        text.special = special;
        return refused(text);
    };
    CaseText sideways;
    sideways.constants = R"(<gravity x="0" y="1" z="-9.81"/><coefh value="1.0"/>)";
    EXPECT_TRUE(refused(sideways).starts_with(fmt::format("case.xml:{}: ", CaseText::constants_line)));
    const auto initials = [&](const std::string& e) { return refusal("<initials>" + e + "</initials>"); };
    const auto fluid_velocity = [&](const std::string& e) {
        return refusal("", "<initialize><fluidvelocity mkfluid=\"0\">" + e + "</fluidvelocity></initialize>");
    };
    const std::string axis = R"(<axisp1 x="0.5" y="0" z="0.5"/><axisp2 x="0.5" y="1" z="0.5"/></rotateaxis>)",
                      other = R"(<axisp1 x="0.5" y="0" z="0.5"/><axisp2 x="0.5" y="0" z="1"/></rotateaxis>)",
                      turn = R"(<rotateaxis mkfluid="0" angle="30">)",
                      profile = R"(<velocity3 v="1" v2="1" v3="1" z="0" z2="1" z3="2"/>)";
    const auto body = [&](const std::string& e) {
        return refusal(R"(<floatings><floating mkbound="0" relativeweight="0.5">)" + e + "</floating></floatings>");
    };
    const auto in_plane = [](const std::string& said) { return said.find("the case is 2-D") == std::string::npos; };
    EXPECT_TRUE(in_plane(body(R"(<linearvelini x="1" y="0" z="2"/><angularvelini x="0" y="3" z="0"/>)")));
    EXPECT_EQ(initials(R"(<velocity mkfluid="0" x="1" y="0" z="2"/>)"), "");
    EXPECT_EQ(initials(R"(<move mkfluid="0" x="0.1" y="0" z="0.2"/>)"), "");
    EXPECT_EQ(initials(turn + axis), "");
    EXPECT_EQ(fluid_velocity(R"(<direction x="1" y="0" z="1"/>)" + profile), "");
    EXPECT_EQ(fluid_velocity(R"(<direction x="1" y="1" z="0"/><velocity v="0"/>)"), "");
    for (const std::string& said :
         {initials(R"(<velocity mkfluid="0" x="0" y="0.5" z="0"/>)"), initials(R"(<move mkfluid="0" y="0.1"/>)"),
          initials(turn + other), fluid_velocity(R"(<direction x="1" y="1" z="1"/>)" + profile),
          fluid_velocity(R"(<direction x="1" y="1" z="1"/><velocity v="3"/>)"),
          body(R"(<linearvelini x="0" y="0.5" z="0"/>)"), body(R"(<angularvelini x="0.5" y="0" z="0"/>)"),
          body(R"(<angularvelini x="0" y="1" z="2"/>)"),
          body(R"(<linearvel><vel time="0" x="0" y="0.5" z="0"/></linearvel>)"),
          body(R"(<angularvel><vel time="0" x="0" y="0" z="1"/></angularvel>)")}) {
        EXPECT_TRUE(said.starts_with("case.xml:") && std::isdigit(static_cast<unsigned char>(said[9]))) << said;
        EXPECT_NE(said.find("the case is 2-D in x–z: "), std::string::npos) << said;
    }
}

// A gate that rises 1 m, a wheel that stays where it is, and a limit that the case gives.
TEST(Setup, ADefaultDomainHoldsPrescribedMotion) {
    const auto domain = [](const std::string& step, const std::string& limits = "") {
        CaseText text;
        text.commands += R"(<setmkbound mk="1"/>
<drawbox><boxfill>solid</boxfill><point x="1.5" y="-1" z="0"/><size x="0.1" y="2" z="0.4"/></drawbox>)";
        text.casedef = R"(<motion><objreal ref="1"><begin mov="1" start="0"/>)" + step + "</objreal></motion>";
        text.parameters = R"(<parameter key="TimeMax" value="1"/><simulationdomain>)" + limits + "</simulationdomain>";
        return Made(text).setup.domain;
    };
    const Domain still = domain(R"(<mvnull id="1"/>)");
    EXPECT_NEAR(still.max.z, 1 + 0.05 * 0.1 * std::sqrt(2.0), 1e-12);
    const Domain raised = domain(R"(<mvrect id="1" duration="2"><vel x="0" y="0" z="2"/></mvrect>)");
    EXPECT_EQ(raised.min, still.min);
    EXPECT_EQ(raised.max.x, still.max.x);
    EXPECT_GE(raised.max.z, 0.4 + 2 + 2 * 0.001) << "and a little more, for the last step";
    EXPECT_LE(raised.max.z, 0.4 + 2 + 0.1);
    const Domain aside = domain(R"(<mvrectsinu id="1" duration="2"><freq x="1.1" y="0" z="0"/><ampl x="3" y="0" z="0"/>
<phase x="0" y="0" z="0"/></mvrectsinu>)");
    EXPECT_LE(aside.min.x, 1.5 - 3);
    EXPECT_GE(aside.max.x, 1.6 + 3);
    EXPECT_LE(aside.max.x, 1.6 + 3 + 0.1);
    EXPECT_EQ(aside.max.z, still.max.z);
    EXPECT_EQ(domain(R"(<mvrect id="1" duration="2"><vel x="1e9" y="0" z="0"/></mvrect>)").max, still.max) << "too far";
    // A little way inside of the margin changes nothing.
    EXPECT_EQ(domain(R"(<mvrect id="1" duration="1"><vel x="0" y="0" z="0.5"/></mvrect>)").max, still.max);
    const Domain given =
        domain(R"(<mvrect id="1" duration="2"><vel x="0" y="0" z="2"/></mvrect>)", R"(<posmax z="1.5"/>)");
    EXPECT_NEAR(given.max.z, 1.5, 0.01) << "the case says so";
    EXPECT_GE(
        domain(R"(<mvrect id="1" duration="2"><vel x="0" y="0" z="2"/></mvrect>)", R"(<posmax z="default + 50%"/>)")
            .max.z,
        2.4);
}

TEST(Setup, BodiesNeedNoFluid) {
    CaseText text;
    text.commands = R"(<setmkbound mk="1"/>
<drawbox><boxfill>solid</boxfill><point x="0.5" y="-1" z="1"/><size x="0.2" y="2" z="0.2"/></drawbox>
<setmkbound mk="0"/><drawbox><boxfill>bottom</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)";
    text.casedef = R"(<floatings><floating mkbound="1" relativeweight="0.5"/></floatings>)";
    const Made made(text);
    EXPECT_FALSE(has_nothing_to_compute(made.definition, made.set));
    EXPECT_EQ(made.setup.bodies.size(), 1U);
    EXPECT_TRUE(made.constants().dt_all_particles) << "nothing else limits the time step";
    EXPECT_FALSE(Made(CaseText{}).constants().dt_all_particles);
    // 20 times what falls from the highest particle to the lowest would reach as the front of a dam break
    EXPECT_NEAR(made.constants().c0, 20 * std::sqrt(9.81 * 1.2), 1e-9);
    text.casedef = "";
    const Case walls = read_case_text(text.text(), "case.xml", {});
    std::vector<Diagnostic> diagnostics;
    EXPECT_TRUE(has_nothing_to_compute(walls, generate_particles(walls, diagnostics)));
}

TEST(Setup, DensityLimitsGoWithTheReferenceDensity) {
    const auto limits = [](const std::string& rho0, const std::string& parameters) {
        CaseText text =
            with_constants(R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1.0"/><rhop0 value=")" + rho0 + R"("/>)");
        text.parameters = parameters;
        const Made made(text);
        return std::pair(made.constants().rho_out_min, made.constants().rho_out_max);
    };
    EXPECT_EQ(limits("1000", ""), std::pair(700.0, 1300.0));
    EXPECT_EQ(limits("1400", ""), std::pair(700 * 1.4, 1300 * 1.4));
    EXPECT_EQ(limits("1400", R"(<parameter key="RhopOutMax" value="2000"/>)"), std::pair(700 * 1.4, 2000.0));
    EXPECT_THROW(limits("1400", R"(<parameter key="RhopOutMax" value="1300"/>)"), InputError);
}
