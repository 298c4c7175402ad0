// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"

#include "case/domain.h"
#include "case/write_effective.h"
#include "case_text.h"
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace sluice;
using sluice::test::CaseText;

namespace {

Case read(const CaseText& text, const CaseOverrides& overrides = {}) {
    return read_case_text(text.text(), "case.xml", overrides);
}

bool warns(const Case& c, const std::string& part) {
    for (const Diagnostic& d : c.diagnostics)
        if (d.message.find(part) != std::string::npos && d.where.line > 0) return true;
    return false;
}

const EffectiveValue& effective(const Case& c, const std::string& name) {
    for (const EffectiveValue& v : c.effective)
        if (v.name == name) return v;
    throw std::runtime_error("no effective value " + name);
}

} // namespace

TEST(ReadCase, DefaultsAreTheFields) {
    const Case c = read({});
    EXPECT_EQ(c.constants.rho0, 1000);
    EXPECT_FALSE(c.constants.speed_sound);
    EXPECT_EQ(c.parameters.integrator, sph::Integrator::verlet);
    EXPECT_EQ(c.parameters.kernel, sph::KernelType::wendland);
    EXPECT_EQ(c.parameters.diffusion, sph::DensityDiffusion::none);
    EXPECT_EQ(c.parameters.time_max, 1.5);
    EXPECT_TRUE(c.definition.two_d);
    EXPECT_TRUE(c.diagnostics.empty());
}

TEST(ReadCase, BoundaryAndItsOlderNameAgree) {
    CaseText t;
    t.parameters = R"(<parameter key="Boundary" value="2"/>)";
    const Case again = read_case_text(effective_case(read(t), {}, ""), "effective-case.xml", {});
    EXPECT_EQ(again.parameters.boundary, sph::BoundaryCondition::modified_dynamic) << "what a resumed run goes on with";
    t.parameters += R"(<parameter key="BoundaryMethod" value="1"/>)";
    try {
        read(t);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_STREQ(e.what(),
                     "case.xml:17: parameter BoundaryMethod=1 is the older name of Boundary=2 and says something "
                     "else, keep one");
    }
    CaseOverrides overrides;
    overrides.set = {{"BoundaryMethod", "2"}};
    EXPECT_EQ(read_case_text(t.text(), "case.xml", overrides).parameters.boundary,
              sph::BoundaryCondition::modified_dynamic);
}

TEST(ReadCase, ConstantsWithAuto) {
    CaseText t;
    t.constants = R"(<gravity x="1" y="2" z="-3"/><rhop0 value="998"/><rhopgradient value="3"/>
        <hswl value="0.5" auto="false"/><speedsystem value="7" auto="true"/><speedsound value="30" auto="false"/>
        <_hdp value="2"/><coefh value="1.2"/><cflnumber value="0.3"/><massfluid value="0.25"/>)";
    const Case c = read(t);
    EXPECT_EQ(c.constants.gravity, (Vec3d{1, 2, -3}));
    EXPECT_EQ(c.constants.initial_density, sph::InitialDensity::max_water_level);
    EXPECT_EQ(c.constants.hswl, 0.5);
    EXPECT_FALSE(c.constants.speed_system);
    EXPECT_EQ(c.constants.speed_sound, 30);
    EXPECT_EQ(c.constants.coef_h, 1.2);
    EXPECT_FALSE(c.constants.hdp);
    EXPECT_EQ(c.constants.mass_fluid, 0.25);
}

TEST(ReadCase, ParametersAndDomain) {
    CaseText t;
    t.parameters = R"(<parameter key="StepAlgorithm" value="2" comment="symplectic"/><parameter key="Kernel" value="1"/>
        <parameter key="DensityDT" value="3"/><parameter key="Visco" value="0.25"/><parameter key="TimeMax" value="2"/>
        <_parameter key="TimeOut" value="7"/><parameter key="RhopOutMin" value="0" active="false"/>
        <parameter key="DtFixedFile" value="NONE"/>
        <simulationdomain><posmin x="0.5" y="default - 2" z="default-20%"/>
        <posmax x="default" y="default + 1" z="default + 10%"/></simulationdomain>)";
    const ExecutionParameters p = read(t).parameters;
    EXPECT_EQ(p.integrator, sph::Integrator::symplectic);
    EXPECT_EQ(p.kernel, sph::KernelType::cubic_spline);
    EXPECT_EQ(p.diffusion, sph::DensityDiffusion::fourtakas_full);
    EXPECT_EQ(p.time_out, 0.01);
    EXPECT_EQ(p.rho_out_min, 700);
    const Box box = resolve_domain(p, {0, 0, 0}, {10, 4, 5});
    EXPECT_EQ(box.min, (Vec3d{0.5, -2, -1}));
    EXPECT_EQ(box.max, (Vec3d{10, 5, 5.5}));
}

TEST(ReadCase, OldDomainKeys) {
    CaseText t;
    t.parameters = R"(<parameter key="DomainFixed" value="0:1:2:3:4:5"/><parameter key="DomainFixedZmax" value="9"/>)";
    const Box box = resolve_domain(read(t).parameters, {7, 7, 7}, {8, 8, 8});
    EXPECT_EQ(box.min, (Vec3d{0, 1, 2}));
    EXPECT_EQ(box.max, (Vec3d{3, 4, 9}));
}

TEST(ReadCase, DomainInsideOutIsAnError) {
    CaseText t;
    t.parameters = R"(<simulationdomain><posmax z="0.5"/></simulationdomain>)";
    EXPECT_THROW(resolve_domain(read(t).parameters, {0, 0, 1}, {1, 1, 2}), InputError);
}

TEST(ReadCase, GaugeTakesDefaultsAndItsOwnValues) {
    CaseText t;
    t.special = R"(<gauges><default><output value="true"/><computedt value="0.25"/><_outputdt value="9"/></default>
        <swl name="a"><pointdp coefdp="0.5"/><point0 x="1" y="0" z="0"/><point2 x="1" y="0" z="2"/></swl>
        <swl name="b"><masslimit coef="0.45"/><pointdp value="0.2"/><outputdt value="0"/><computetime start="1" end="2"/>
        <point0 x="0" y="0" z="0"/><point2 x="0" y="0" z="2"/></swl><swl name="off" active="false"/></gauges>)";
    const Case c = read(t);
    ASSERT_EQ(c.gauges.size(), 2u);
    EXPECT_EQ(c.gauges[0].name, "a");
    const auto& a = std::get<SurfaceLine>(c.gauges[0].kind);
    const auto& b = std::get<SurfaceLine>(c.gauges[1].kind);
    EXPECT_DOUBLE_EQ(a.point_spacing, 0.05);
    EXPECT_EQ(c.gauges[0].output_dt, 0.25);
    EXPECT_EQ(a.mass_limit, 0.4);
    EXPECT_EQ(b.mass_limit, 0.45);
    EXPECT_EQ(c.gauges[1].output_dt, 0);
    EXPECT_EQ(c.gauges[1].start, 1);
}

TEST(ReadCase, TheSurfaceIsWhereHalfTheMassIsOrLessInTwoDimensions) {
    CaseText t;
    t.definition = R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="1" z="2"/></definition>)";
    t.special = R"(<gauges><default><computedt value="0.25"/></default>
        <swl name="a"><point0 x="1" y="0" z="0"/><point2 x="1" y="0" z="2"/></swl></gauges>)";
    EXPECT_EQ(std::get<SurfaceLine>(read(t).gauges.at(0).kind).mass_limit, 0.5);
}

TEST(ReadCase, AMassThatTheSurfaceHasIsAShareOfAParticle) {
    CaseText t;
    t.special = R"(<gauges><default><computedt value="0.25"/></default>
        <swl name="a"><masslimit value="3"/><point0 x="1" y="0" z="0"/><point2 x="1" y="0" z="2"/></swl></gauges>)";
    const auto limit = [&] { return std::get<SurfaceLine>(read(t).gauges.at(0).kind).mass_limit; };
    EXPECT_DOUBLE_EQ(limit(), 0.3) << "of 1000 kg/m³ times 0.1 m squared, for a metre of width";
    t.definition = R"(<definition dp="0.2"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="1" z="2"/></definition>)";
    EXPECT_DOUBLE_EQ(limit(), 0.375) << "of 1000 kg/m³ times 0.2 m cubed";
}

TEST(ReadCase, MeshesDrawWhatTheirSelectionNames) {
    const auto drawn = [](const std::string& selection) {
        CaseText t;
        t.commands = R"(<setmkbound mk="0"/><drawfilevtk file="a.vtk">)" + selection + "</drawfilevtk>";
        const Case c = read(t);
        const auto& mesh = std::get<DrawMesh>(c.commands.back().action);
        return std::array{mesh.points, mesh.lines, mesh.polygons};
    };
    EXPECT_EQ(drawn(""), (std::array{true, true, true}));
    EXPECT_EQ(drawn("<polyselec>points</polyselec>"), (std::array{true, false, false}));
    EXPECT_EQ(drawn("<polyselec>lines</polyselec>"), (std::array{false, true, false}));
    EXPECT_EQ(drawn("<polyselec>lines | quads</polyselec>"), (std::array{false, true, true}));
}

TEST(ReadCase, MeshGaugesHaveTheirPointsAndValues) {
    CaseText t;
    t.special = R"(<gauges><mesh name="v"><point x="1" y="0" z="0.5"/><vec1 x="2" y="0" z="0"/><vec3 x="0" y="0" z="1"/>
        <size1 length="0.3" distpt="0.1"/><size3 length="1" distpt="0.3"/><outputdata value="vel, VelDir,zsurf"/>
        <kclimit value="none"/><kcdummy value="0"/><masslimit coef="0.3"/></mesh>
        <flow name="q"><point x="1" y="0" z="0"/><vec1 x="0" y="1" z="0"/><vec2 x="0" y="0" z="3"/>
        <size1 length="0.4" distpt="0.1"/><size2 length="0.5" distpt="0.05"/><dirdat x="2" y="0" z="0"/></flow></gauges>)";
    const Case c = read(t);
    const auto& mesh = std::get<MeasuringMesh>(c.gauges.at(0).kind);
    EXPECT_EQ(mesh.count, (Vec3i{4, 1, 4}));
    EXPECT_DOUBLE_EQ(mesh.step[0].x, 0.1);
    EXPECT_DOUBLE_EQ(mesh.step[2].z, 0.3);
    EXPECT_TRUE(mesh.velocity && mesh.along && mesh.surface && !mesh.density);
    EXPECT_FALSE(mesh.support);
    EXPECT_EQ(mesh.dummy, 0);
    EXPECT_EQ(mesh.mass_limit, 0.3);
    const auto& flow = std::get<FlowRectangle>(c.gauges.at(1).kind);
    EXPECT_EQ(flow.point1, (Vec3d{1, 0.4, 0}));
    EXPECT_EQ(flow.point2, (Vec3d{1, 0, 0.5}));
    EXPECT_EQ(flow.direction, (Vec3d{1, 0, 0}));
    EXPECT_EQ(flow.support, 0.5);
}

TEST(ReadCase, VtkFilesOfGaugesAreNotWrittenAndANoteSaysSo) {
    const auto notes = [](const std::string& word) {
        CaseText t;
        t.special = "<gauges><default>" + word + "</default></gauges>";
        const Case c = read(t);
        return std::ranges::count_if(c.diagnostics, [](const Diagnostic& d) {
            EXPECT_EQ(d.level, Diagnostic::Level::info) << d.message;
            return d.message.find("savevtkpart of gauges") != std::string::npos;
        });
    };
    EXPECT_EQ(notes(R"(<savevtkpart value="true"/>)"), 1);
    for (const char* silent : {R"(<savevtkpart value="false"/>)", "<savevtkpart/>"})
        EXPECT_EQ(notes(silent), 0) << silent;
}

TEST(ReadCase, WrongMeshGaugesAreErrors) {
    const auto message = [](const std::string& gauge) {
        CaseText t;
        t.special = "<gauges>" + gauge + "</gauges>";
        try {
            read(t);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string at = R"(<point x="0" y="0" z="0"/><vec1 x="1" y="0" z="0"/>)",
                      size = R"(<size1 length="1" distpt="0.1"/>)";
    EXPECT_NE(message("<mesh name=\"a\">" + at + size + R"(<outputdata value="speed"/></mesh>)").find("speed"),
              std::string::npos);
    EXPECT_NE(message("<mesh name=\"a\">" + at + size + R"(<outputdata value="zsurf"/></mesh>)").find("vec3"),
              std::string::npos);
    EXPECT_NE(message("<mesh name=\"a\">" + at + R"(<outputdata value="vel"/></mesh>)").find("size1"),
              std::string::npos);
    EXPECT_NE(message("<flow name=\"a\">" + at + size + R"(<dirdat x="1" y="0" z="0"/></flow>)").find("area"),
              std::string::npos);
}

TEST(ReadCase, ParametersMayBeComputed) {
    CaseText t;
    t.parameters = R"(<parameter key="TimeMax" value=" #20*Dp "/><parameter key="TimeOut" value="#1/4"/>)";
    EXPECT_DOUBLE_EQ(read(t).parameters.time_max, 2);
    EXPECT_EQ(read(t).parameters.time_out, 0.25);
}

TEST(ReadCase, OverridesComeBeforeEverything) {
    CaseText t;
    t.parameters = R"(<parameter key="Kernel" value="2"/>)";
    t.commands =
        R"(<setmkfluid mk="0"/><drawbox><boxfill>all ^ top</boxfill><point x="#Dp*3" y="-1" z="0"/><endpoint x="1" y="1" z="#Dp"/></drawbox>)";
    CaseOverrides o;
    o.dp = 0.2;
    o.time_max = 3;
    o.set = {{"Kernel", "1"}, {"cflnumber", "0.4"}, {"gravity", "0,0,-1"}};
    const Case c = read(t, o);
    EXPECT_EQ(c.definition.dp, 0.2);
    EXPECT_EQ(c.parameters.kernel, sph::KernelType::cubic_spline);
    EXPECT_EQ(c.parameters.time_max, 3);
    EXPECT_EQ(c.constants.cfl, 0.4);
    EXPECT_EQ(c.constants.gravity.z, -1);
    const auto& box = std::get<DrawBox>(c.commands.at(2).action);
    EXPECT_DOUBLE_EQ(box.min.x, 0.6);
    EXPECT_DOUBLE_EQ(box.max.z, 0.2);
    EXPECT_EQ(box.fill, unsigned(box_all_faces & ~box_top));
}

TEST(ReadCase, EffectiveCaseSaysGivenOrDefaulted) {
    CaseText t;
    t.parameters = R"(<parameter key="Visco" value="0.3"/>)";
    const Case c = read(t);
    EXPECT_TRUE(effective(c, "Visco").given);
    EXPECT_EQ(effective(c, "Visco").value, "0.3");
    EXPECT_FALSE(effective(c, "Kernel").given);
    EXPECT_EQ(effective(c, "Kernel").value, "2");
    EXPECT_FALSE(effective(c, "gamma").given);
    EXPECT_TRUE(effective(c, "coefh").given);
}

TEST(ReadCase, EffectiveCaseIsACaseThatGivesTheSame) {
    CaseText t;
    t.parameters = R"(<parameter key="Visco" value="0.3"/><parameter key="TimeMax" value="2"/>)";
    CaseOverrides overrides;
    overrides.dp = 0.2;
    overrides.time_max = 0.5;
    overrides.set = {{"gravity", "1,0,-9"}, {"DensityDT", "1"}, {"hswl", "0.7"}};
    const Case c = read_case_text(t.text(), "case.xml", overrides);
    const std::string text = effective_case(c, overrides, "inputs");
    const Case again = read_case_text(text, "out/effective-case.xml");
    EXPECT_EQ(again.definition.dp, 0.2);
    EXPECT_EQ(again.parameters.time_max, 0.5);
    EXPECT_EQ(again.parameters.visco, 0.3);
    EXPECT_EQ(again.parameters.diffusion, sph::DensityDiffusion::molteni);
    EXPECT_EQ(again.constants.gravity, (Vec3d{1, 0, -9}));
    EXPECT_EQ(again.constants.hswl, 0.7);
    EXPECT_FALSE(again.constants.speed_sound);
    EXPECT_EQ(again.commands.size(), c.commands.size());
    EXPECT_EQ(again.data_folder, "out/inputs");
    EXPECT_NE(text.find("command line"), std::string::npos);
    EXPECT_NE(text.find("default"), std::string::npos);
    // what it is does not depend on its end, nor on how often it was written
    EXPECT_EQ(essence_of(text), essence_of(with_time_max(text, 7)));
    EXPECT_EQ(essence_of(text), essence_of(effective_case(again, {}, "inputs")));
    EXPECT_EQ(read_case_text(with_time_max(text, 7), "case.xml").parameters.time_max, 7);
    CaseOverrides other = overrides;
    other.set.emplace_back("RhopOutMin", "800");
    EXPECT_NE(essence_of(text),
              essence_of(effective_case(read_case_text(t.text(), "case.xml", other), other, "inputs")));
}

TEST(ReadCase, UnknownAttributeIsAWarning) {
    CaseText t;
    t.constants = R"(<coefh value="1.0" valu="2"/>)";
    EXPECT_TRUE(warns(read(t), "valu"));
}

TEST(ReadCase, AttributesThatMeanNothingAreNamedWhereverTheyStand) {
    CaseText t;
    t.commands = R"(<setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0" w="2"/><size x="1" y="2" z="1" comment="1 m"/></drawbox>)";
    const Case c = read(t);
    ASSERT_EQ(c.diagnostics.size(), 1u);
    EXPECT_EQ(c.diagnostics[0].message, "<point>: the attribute w means nothing here and is left out");
    EXPECT_EQ(c.diagnostics[0].where.line, CaseText::commands_line + 1);
    t.commands += R"(
<drawfilevtm file="s.vtm"><onlysurfaces index="0" mk="3"/></drawfilevtm>)";
    EXPECT_TRUE(warns(read(t), "<onlysurfaces>: the attribute mk means nothing here and is left out"));
}

TEST(ReadCase, WhatNobodyReadsIsNamed) {
    CaseText t;
    t.constants = R"(<coefh value="1.0"><value/></coefh>)";
    EXPECT_TRUE(warns(read(t), "<value> in <coefh> means nothing here and is left out"));
    t.commands = R"(<resetdraw all="1"><what/></resetdraw>)";
    EXPECT_TRUE(warns(read(t), "<resetdraw>: the attribute all means nothing here and is left out"));
    EXPECT_TRUE(warns(read(t), "<what> in <resetdraw> means nothing here and is left out"));
    t.commands = "";
    t.constants = R"(<coefh value="1.0"><value active="false"/><_value/></coefh>)";
    EXPECT_FALSE(warns(read(t), "means nothing"));
    t.commands = R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/>
<size x="1" y="2" z="1"/></drawbox></mainlist><list name="not run"><drawbox/></list><mainlist active="false">)";
    EXPECT_FALSE(warns(read(t), "means nothing")) << "what a list has is read where it is run";
    std::string stamped = t.text();
    stamped.insert(stamped.find("<case") + 5, " app=\"a program\" date=\"today\" day=\"x\"");
    const Case c = read_case_text(stamped, "case.xml");
    EXPECT_FALSE(warns(c, "attribute app")) << "of the program that wrote the file";
    EXPECT_FALSE(warns(c, "attribute date"));
    EXPECT_TRUE(warns(c, "<case>: the attribute day means nothing here"));
}

TEST(ReadCase, AListThatIsNeverRunIsAWarning) {
    const auto never_run = [](const std::string& commands, const std::string& lists) {
        CaseText t;
        t.commands = commands + "</mainlist>" + lists + "<mainlist active=\"false\">";
        std::vector<std::string> named;
        for (const Diagnostic& d : read(t).diagnostics)
            if (const std::size_t at = d.message.find("\" is never run"); at != std::string::npos)
                named.push_back(d.message.substr(0, at));
        return named;
    };
    using Names = std::vector<std::string>;
    const std::string lists = R"(<list name="a"><runlist name="b"/></list><list name="b"/><list name="c"/>)";
    EXPECT_EQ(never_run("", lists), (Names{"the list \"a", "the list \"c"}));
    EXPECT_EQ(never_run(R"(<runlist name="a"/>)", lists), Names{"the list \"c"});
    EXPECT_EQ(never_run(R"(<runlist name="a" times="0"/><runlist name="c" if="0"/>)", lists), Names{}) << "meant so";
}

TEST(ReadCase, UnitsThatNobodyConvertsAreAWarning) {
    CaseText t;
    t.definition =
        R"(<definition dp="0.1" units_comment="mm"><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/></definition>)";
    EXPECT_TRUE(warns(read(t), "units_comment=\"mm\" is a comment and converts nothing"));
    t.definition.replace(t.definition.find("\"mm\""), 4, "\"metres (m)\"");
    EXPECT_TRUE(read(t).diagnostics.empty());
}

TEST(ReadCase, GravityThatIsNotGivenOrPointsUpIsAWarning) {
    CaseText t;
    t.constants = R"(<coefh value="1.0"/>)";
    EXPECT_TRUE(warns(read(t), "no <gravity>: x=0 y=0 z=-9.81 m/s2 is taken"));
    t.constants = R"(<gravity x="0" y="0" z="9.81"/><coefh value="1.0"/>)";
    EXPECT_TRUE(warns(read(t), "gravity points up (z=9.81): write z=-9.81"));
    t.constants = R"(<gravity x="9.81" y="0" z="0"/><coefh value="1.0"/>)";
    EXPECT_TRUE(read(t).diagnostics.empty());
}

TEST(ReadCase, ZeroWithoutAutoIsDerivedWithAWarning) {
    CaseText t;
    t.constants += R"(<hswl value="0" auto="false"/>)";
    const Case c = read(t);
    EXPECT_FALSE(c.constants.hswl);
    EXPECT_TRUE(warns(c, "hswl is 0"));
}

TEST(ReadCase, UnsupportedFeaturesCanBeRead) {
    CaseText t;
    t.parameters = R"(<parameter key="Shifting" value="4"/><parameter key="ShiftAdvNCPress" value="1"/>)";
    t.special = "<phases/>";
    CaseOverrides o;
    o.allow_unsupported = true;
    const Case c = read(t, o);
    ASSERT_EQ(c.unsupported_in_run.size(), 2u);
    EXPECT_EQ(c.unsupported_in_run[0].name, "parameter ShiftAdvNCPress=1");
    EXPECT_GT(c.unsupported_in_run[0].where.line, 0);
}

TEST(ReadCase, WhatIsWrongBesideTheDrawingCanBeKept) {
    CaseText t;
    t.parameters = R"(<parameter key="ViscoTreatment" value="9"/><parameter key="CoefDtMin" value="abc"/>)";
    t.special = R"(<gauges><velocity name="v"><point x="a" y="0" z="0"/></velocity></gauges>)";
    CaseOverrides o;
    o.keep_errors_beside_drawing = true;
    const Case c = read(t, o);
    ASSERT_EQ(c.errors_beside_drawing.size(), 3u);
    EXPECT_NE(c.errors_beside_drawing[0].find("ViscoTreatment must be"), std::string::npos);
    EXPECT_GT(c.definition.dp, 0);
    EXPECT_FALSE(c.commands.empty());
    CaseText scheme;
    scheme.parameters = R"(<parameter key="Scheme" value="nonsense"/>)";
    EXPECT_EQ(read(scheme, o).errors_beside_drawing.size(), 1u);
    EXPECT_FALSE(read(scheme, o).commands.empty());
    EXPECT_THROW(read(t), InputError);
    CaseText drawing = t;
    drawing.constants = R"(<gravity x="down" y="0" z="0"/><coefh value="1.0"/>)";
    EXPECT_THROW(read(drawing, o), InputError) << "the drawing depends on constants";
}

TEST(ReadCase, ShiftingHasItsOwnCoefficients) {
    const auto notes = [](const char* parameters) {
        CaseText t;
        t.parameters = parameters;
        std::string all;
        for (const Diagnostic& d : read(t).diagnostics) all += d.message + "\n";
        return all;
    };
    const char* transport = R"(<parameter key="ShiftAdvALE" value="1"/><parameter key="ShiftAdvNCPress" value="1"/>)";
    EXPECT_EQ(notes(transport), "") << "without Shifting 4 they say nothing";
    EXPECT_EQ(notes(R"(<parameter key="Shifting" value="3"/><parameter key="ShiftAdvCoef" value="-0.1"/>)"),
              "ShiftAdvCoef has no effect without Shifting 4\n");
    EXPECT_EQ(notes(R"(<parameter key="Shifting" value="3"/><parameter key="ShiftAdvCoef" value="-0.01"/>)"), "");
    EXPECT_EQ(notes(R"(<parameter key="Shifting" value="4"/><parameter key="ShiftCoef" value="-2"/>)"),
              "ShiftCoef has no effect with Shifting 4, whose coefficient is ShiftAdvCoef\n");
    EXPECT_EQ(notes(R"(<parameter key="Shifting" value="4"/><parameter key="ShiftTFS" value="1.5"/>)"),
              "ShiftTFS has no effect with Shifting 4, which finds free surfaces itself\n");
}

TEST(ReadCase, SeveralErrorsAtOnce) {
    CaseText t;
    t.constants = R"(<gravity x="0" y="0" z="down"/><coefh value="1"/>)";
    t.mkconfig = R"(<mkconfig boundcount="-1" fluidcount="9"/>)";
    try {
        read(t);
        FAIL();
    } catch (const InputError& e) {
        const std::string what = e.what();
        EXPECT_NE(what.find("case.xml:4"), std::string::npos);
        EXPECT_NE(what.find("case.xml:6"), std::string::npos);
    }
}

TEST(ReadCase, MkNumbersUpToWhatParticlesCanStore) {
    for (const auto& [bound, fluid] : {std::pair{1, 65533}, std::pair{65533, 1}, std::pair{65000, 534}}) {
        CaseText t;
        t.mkconfig =
            "<mkconfig boundcount=\"" + std::to_string(bound) + "\" fluidcount=\"" + std::to_string(fluid) + "\"/>";
        const Case c = read(t);
        EXPECT_EQ(c.mk.bound_count, bound);
        EXPECT_EQ(c.mk.stored_bound(c.mk.bound_count - 1), 65534);
    }
}

// What cannot change the particles or the motion does not stop a run.
TEST(ReadCase, WordsThatChangeNothingAreAccepted) {
    const auto refused = [](const CaseText& t) {
        CaseOverrides overrides;
        overrides.allow_unsupported = true;
        return read_case_text(t.text(), "case.xml", overrides).unsupported_in_run.size();
    };
    CaseText t;
    t.special = R"(<initialize/>)";
    EXPECT_EQ(refused(t), 0u);
    t.special =
        R"(<initialize><boundnormal_set mkbound="1"><normal x="1" y="0" z="0"/></boundnormal_set></initialize>)";
    EXPECT_EQ(refused(t), 0u);
    t.special =
        R"(<initialize><fluidvelocity mkfluid="0"><direction x="1" y="0" z="0"/><velocity v="1"/></fluidvelocity>
        </initialize>)";
    EXPECT_EQ(refused(t), 0u);
    t.special = R"(<initialize><fluidpressure mkfluid="0"/></initialize>)";
    EXPECT_EQ(refused(t), 1u);
    t.special = "";
    t.casedef = R"(<normals><distanceh value="2"/></normals>)";
    t.parameters = R"(<parameter key="ViscoTreatment" value=""/>)";
    EXPECT_EQ(refused(t), 0u);
    t.parameters = R"(<parameter key="ViscoTreatment" value="monaghangingold"/>)"; // as all words, in any case
    EXPECT_EQ(refused(t), 0u);
    t.parameters = R"(<parameter key="ViscoTreatment" value="Monaghan"/>)";
    EXPECT_THROW(refused(t), InputError);
    t.parameters = R"(<parameter key="FtSaveAce" value="1"/><parameter key="SaveExtraParts" value="all"/>
<parameter key="SavePosDouble" value="2"/><parameter key="PosDouble" value="2"/><parameter key="FtSupport" value="1"/>)";
    t.special = R"(<ftsupport><anything/></ftsupport><gauges><default><savevtk value="true"/></default></gauges>)";
    EXPECT_EQ(refused(t), 0u);
    EXPECT_TRUE(read(t).parameters.positions_double);
    for (const char* nonsense :
         {R"(<parameter key="PosDouble" value="twice"/>)", R"(<parameter key="FtSaveAce" value="?"/>)",
          R"(<parameter key="FtIgnoreRadius" value="7"/>)", R"(<parameter key="TimeOutExtra" value="often"/>)",
          R"(<parameter key="WrnPartsOut" value="no"/>)"}) {
        t.parameters = nonsense;
        EXPECT_THROW(refused(t), InputError) << nonsense;
    }
    // What the field's generator adds to the files that it processed; a motion there is read.
    const auto processed = [](const std::string& more) {
        std::string text = CaseText{}.text();
        text.insert(text.find("<special>"), more);
        CaseOverrides overrides;
        overrides.allow_unsupported = true;
        return read_case_text(text, "case.xml", overrides).unsupported_in_run.size();
    };
    EXPECT_EQ(
        processed(R"(<particles np="4"><fluid mkfluid="0"/></particles><constants><dp value="0.1"/></constants>)"), 0u);
    EXPECT_EQ(processed(R"(<particles np="4"><moving mkbound="3" refmotion="0"/></particles>
<motion><objreal ref="0"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>)"),
              0u);
    EXPECT_EQ(processed(R"(<output><format value="vtk"/></output>)"), 0u);
    EXPECT_EQ(processed(R"(<vtkout mkboundfirst="10"><vtkfile name="a__Actual.vtk" mk="10" mkbound="0"/></vtkout>)"),
              0u);
    EXPECT_EQ(processed(R"(<outputs/>)"), 1u);
}

// A text changes nothing: what cannot be put into it does not hide what it says, nor stop the case.
TEST(ReadCase, TextsAreShownAsFarAsTheyCanBe) {
    const auto said = [](const std::string& command) {
        CaseText t;
        t.commands = command + t.commands;
        try {
            const Case c = read(t);
            return c.diagnostics.empty() ? std::string() : c.diagnostics.back().message;
        } catch (const InputError& e) {
            return std::string(e.what());
        }
    };
    EXPECT_NE(said(R"(<abort if="1" text="dp [Dp]\n is wrong"/>)").find("the case stops itself: dp 0.1  is wrong"),
              std::string::npos);
    for (const char* text : {"low [nothing]", "open [dp"})
        EXPECT_NE(said(fmt::format(R"(<abort text="{}"/>)", text)).find(fmt::format("the case stops itself: {}", text)),
                  std::string::npos);
    EXPECT_EQ(said(R"(<printf text="low [nothing]"/>)"), "low [nothing]");
    EXPECT_EQ(said(R"(<abort if="0" text="never"/>)"), "") << "the text belongs to it";
    EXPECT_EQ(
        said(R"(<drawbox if="Dp &gt; 1"><boxfill>solid</boxfill><point x="0"/><size x="1" y="2" z="1"/></drawbox>)"),
        "");
}

TEST(ReadCase, TheSpeedOfSoundNeedsNoFactor) {
    CaseText t;
    t.constants = R"(<coefsound value="0"/><speedsound value="30" auto="false"/><coefficient value="1.3"/>)";
    const Case c = read_case_text(t.text(), "case.xml", {});
    EXPECT_EQ(c.constants.speed_sound, 30);
    EXPECT_EQ(c.constants.coef_h, 1.3);
    t.constants = R"(<coefsound value="0"/><coefh value="1"/>)";
    EXPECT_THROW(read_case_text(t.text(), "case.xml", {}), InputError);
}

TEST(ReadCase, OutputTimesThatChange) {
    CaseText t;
    t.special = R"(<timeout><tout time="0.1" timeout="0.02"/><tout time="0.3" timeout="0.5"/></timeout>)";
    t.parameters = R"(<parameter key="TimeMax" value="1"/><parameter key="TimeOut" value="0.05"/>)";
    const ExecutionParameters p = read_case_text(t.text(), "case.xml", {}).parameters;
    ASSERT_EQ(p.output_intervals.size(), 2u);
    EXPECT_EQ(p.output_intervals[1].begin, 0.3);
    EXPECT_EQ(p.output_intervals[1].period, 0.5);
    EXPECT_EQ(p.frame_count(), 1 + 2 + 10 + 1); // 0 | 0.05, 0.1 | … 0.3 | 0.8
    CaseOverrides overrides;
    overrides.time_out = 0.2;
    EXPECT_THROW(read_case_text(t.text(), "case.xml", overrides), InputError);
    for (const char* wrong :
         {R"(<tout time="0.1" timeout="0"/>)", R"(<tout time="-1" timeout="1"/>)",
          R"(<tout time="1" timeout="1"/><tout time="1" timeout="2"/>)", R"(<out time="1" timeout="1"/>)"}) {
        t.special = std::string("<timeout>") + wrong + "</timeout>";
        EXPECT_THROW(read_case_text(t.text(), "case.xml", {}), InputError) << wrong;
    }
}

// The solver's own word for what casedef/initials calls velocity, with the profiles that only it has.
TEST(ReadCase, VelocitiesOfTheSolver) {
    CaseText t;
    const char* profile = R"(<direction x="1" y="0" z="0"/><velocity2 v="1" v2="3" z="0" z2="1"/>)";
    t.special = std::string(R"(<initialize><fluidvelocity mkfluid="0">)") + profile + "</fluidvelocity></initialize>";
    const Case c = read_case_text(t.text(), "case.xml", {});
    ASSERT_EQ(c.initials.size(), 1u);
    EXPECT_EQ(c.initials[0].profile.size(), 2u);
    t.special.clear();
    t.casedef = std::string(R"(<initials><velocity mkfluid="0">)") + profile + "</velocity></initials>";
    EXPECT_THROW(read_case_text(t.text(), "case.xml", {}), InputError);
    t.casedef = R"(<initials><velocity mkfluid="0"><velocity v="1"/></velocity></initials>)"; // which way?
    EXPECT_THROW(read_case_text(t.text(), "case.xml", {}), InputError);
}

TEST(ReadCase, StepsFromAFileAreLeftOutWithAWarning) {
    CaseText t;
    t.parameters = R"(<parameter key="DtFixedFile" value="steps.csv"/>)";
    const Case c = read_case_text(t.text(), "case.xml", {});
    ASSERT_FALSE(c.diagnostics.empty());
    EXPECT_EQ(c.diagnostics[0].level, Diagnostic::Level::warning);
    EXPECT_NE(c.diagnostics[0].message.find("steps.csv"), std::string::npos);
}

TEST(ReadCase, ShiftingWithoutAModeShiftsNothing) {
    CaseText t;
    t.special = "<shifting><coefficient value=\"-1.5\"/></shifting>";
    const Case c = read_case_text(t.text(), "case.xml");
    EXPECT_EQ(c.parameters.shifting, sph::Shifting::none);
    EXPECT_EQ(c.parameters.shift_coefficient, -1.5);
    t.special = "<shifting><mode value=\"1\"/></shifting>";
    EXPECT_NE(read_case_text(t.text(), "case.xml").parameters.shifting, sph::Shifting::none);
}
