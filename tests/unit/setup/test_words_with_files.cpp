// SPDX-License-Identifier: Apache-2.0
#include "../case/case_text.h"
#include "case/read_case.h"
#include "core/error.h"
#include "geometry/generate.h"
#include "model/motion.h"
#include "physics/open_zones.h"
#include "physics/relaxation.h"
#include "physics/sph/shifting.h"
#include "setup/setup.h"
#include "temporary_folder.h"
#include <fstream>
#include <gtest/gtest.h>

// Viscosity in time, zones of shifting, layered pistons and velocities of other models: from case and files to a run.

using namespace sluice;

namespace {

struct MadeWithFiles {
    Case definition;
    ParticleSet particles;
    RunSetup setup;
};

class WordsWithFiles : public testing::Test {
protected:
    MadeWithFiles make() const {
        MadeWithFiles made;
        made.definition = read_case_text(text.text(), folder.path() / "case.xml", {});
        made.particles = generate_particles(made.definition, made.definition.diagnostics);
        made.setup = make_run_setup(made.definition, made.particles);
        return made;
    }
    void write(const std::string& name, const std::string& content) const {
        std::ofstream(folder.path() / name) << content;
    }
    /// The XML of a section of docs/case-format.md.
    static std::string example(const std::string& of_section) {
        std::ifstream in(std::string(SLUICE_SOURCE_DIR) + "/docs/case-format.md");
        std::string xml;
        bool section = false, block = false;
        for (std::string line; std::getline(in, line);) {
            if (line.starts_with("## ")) section = line == "## " + of_section;
            if (line.starts_with("```"))
                block = line == "```xml";
            else if (section && block)
                xml += line + "\n";
        }
        return xml;
    }
    void expect_error(const std::string& part) const {
        try {
            make();
            ADD_FAILURE() << "no error with: " << part;
        } catch (const InputError& e) {
            EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
        }
    }

    test::CaseText text;
    TemporaryFolder folder;
};

const char* const wall = R"(<motion><objreal ref="5"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>)";

} // namespace

// The examples of docs/case-format.md work as they stand there.
TEST_F(WordsWithFiles, DocumentedExamplesWork) {
    text.definition =
        R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="2" z="2"/></definition>)";
    text.commands =
        R"(<setmkbound mk="10"/><drawbox><boxfill>left</boxfill><point x="0" y="0" z="0"/><size x="1" y="0.4" z="0.2"/></drawbox>
<setmkbound mk="11"/><drawbox><boxfill>right</boxfill><point x="0" y="0" z="0"/><size x="1" y="0.4" z="0.2"/></drawbox>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.1" y="0" z="0"/><size x="0.5" y="0.4" z="0.2"/></drawbox>)";
    text.casedef = "<motion>";
    for (const char* mk : {"10", "11"})
        text.casedef +=
            std::string("<objreal ref=\"") + mk + R"("><begin mov="1" start="0"/><mvnull id="1"/></objreal>)";
    text.casedef += "</motion>";
    for (const std::string name :
         {"velx_x10_y00", "velx_x05_y00", "velx_x05_y01", "waves_velx_x02_y00", "waves_velx_x03_y00",
          "waves_velx_x04_y00", "waves_velx_x05_y00", "waves_velx_x06_y00"})
        write(name + ".csv", "px:;" + name.substr(name.size() - 6, 2) + ";py:;0\ntime;pz_0;vel_0\n0;0.1;1\n30;0.1;1\n");
    write("viscosity.csv", "0;0.01\n");
    text.special = example("Pistons of layers") + example("Zones of shifting") + example("Waves of another model");
    text.parameters = example("Viscosity in time");
    const MadeWithFiles made = make();
    EXPECT_EQ(made.definition.layered_pistons.size(), 2U);
    EXPECT_EQ(made.setup.motions.object_count(), 2 + 3 + 15);
    EXPECT_EQ(made.setup.shift_zones.size(), 2U);
    EXPECT_EQ(made.setup.viscosity.size(), 1U);
    ASSERT_EQ(made.setup.forcing.relaxation.size(), 1U);
    EXPECT_EQ(made.setup.forcing.relaxation_tables.tables[0].x_count, 5);
    const std::string zones = example("Open boundaries");
    write("grid.csv", "fmtversion;grid_dpx;grid_dpz;grid_nx;grid_nz;vars\n1;1;1;1;2;velx velz\n\ntime\n0;1;2;0;0.1\n");
    text.special = "<inout>" + zones.substr(zones.find("</inout>") + 8) + "</inout>";
    const MadeWithFiles open = make();
    ASSERT_EQ(open.setup.open.zones.size(), 2U);
    EXPECT_NEAR(open.setup.open.zones[0].jet_growth, 1, 1e-12);
    EXPECT_EQ(open.setup.open.zones[1].table, 0);
}

TEST_F(WordsWithFiles, ViscosityInTimeIsLinearBetweenRows) {
    text.parameters = R"(<parameter key="ViscoTime" value="v.csv"/><parameter key="Visco" value="0.5"/>)";
    write("v.csv", "#time;visco\n1;0.1\n3;0.3\n4;0\n");
    const MadeWithFiles made = make();
    EXPECT_EQ(made.setup.constants.alpha, 0.3); // the greatest, which bounds are checked with
    const auto alpha = [&](double time) { return made.setup.constants_at(time).alpha; };
    EXPECT_EQ(alpha(0), 0.1);
    EXPECT_EQ(alpha(1), 0.1);
    EXPECT_DOUBLE_EQ(alpha(1.5), 0.15);
    EXPECT_DOUBLE_EQ(alpha(3.5), 0.15);
    EXPECT_EQ(alpha(9), 0);
    EXPECT_EQ(made.setup.constants_at(1).nu, 0);
    EXPECT_EQ(made.particles.data_files, std::vector<std::string>{"v.csv"});
    EXPECT_NE(made.definition.diagnostics.back().message.find("Visco has no effect"), std::string::npos);
    text.parameters = R"(<parameter key="ViscoTime" value="v.csv"/><parameter key="ViscoTreatment" value="3"/>)";
    EXPECT_DOUBLE_EQ(make().setup.constants_at(2).nu, 0.2);
}

TEST_F(WordsWithFiles, ViscosityInTimeSaysWhatIsWrong) {
    text.parameters = R"(<parameter key="ViscoTime" value="v.csv"/>)";
    expect_error("case.xml:17: ");
    write("v.csv", "");
    expect_error("has no rows");
    write("v.csv", "0;0.1\n0;0.2\n");
    expect_error("v.csv:2: the time 0 does not come after");
    write("v.csv", "0;0.1\n1;-0.2\n");
    expect_error("v.csv:2: the viscosity -0.2 is negative");
    write("v.csv", "0\n");
    expect_error("v.csv:1: ");
    write("v.csv", "0;99\n");
    expect_error("ViscoTime: 99 is beyond what works");
}

TEST_F(WordsWithFiles, ZonesOfShiftingAreBoxesInSpace) {
    text.special = R"(<shifting><mode value="2"/><coefficient value="-3"/><fsthreshold value="1.5"/>
<shiftingzone><posref x="0" y="0" z="0"/><size x="0.4" y="1" z="0.5"/></shiftingzone>
<shiftingzone><posref x="0.5" y="0" z="0"/><vecx x="0.3" y="0" z="0.3"/><vecy x="0" y="1" z="0"/><vecz x="-0.1" y="0" z="0.1"/></shiftingzone>
<shiftingzone active="false"><posref x="9" y="0" z="0"/></shiftingzone></shifting>)";
    const MadeWithFiles made = make();
    EXPECT_EQ(made.setup.constants.shifting, sph::Shifting::off_resting_walls);
    EXPECT_EQ(made.setup.constants.shift_coefficient, -3);
    EXPECT_EQ(made.setup.constants.shift_threshold, 1.5);
    ASSERT_EQ(made.setup.shift_zones.size(), 2U);
    const auto in = [&](double x, double z) {
        return sph::shifts_at(made.setup.shift_zones.data(), 2, Vec3d{x, 5, z} - made.setup.domain.min);
    };
    EXPECT_TRUE(in(0.1, 0.1) && in(0.39, 0.49)); // whatever their y, in 2-D
    EXPECT_FALSE(in(0.41, 0.4) || in(0.1, 0.51));
    EXPECT_TRUE(in(0.6, 0.15) && in(0.45, 0.1) && in(0.7, 0.35));
    EXPECT_FALSE(in(0.6, 0.05) || in(0.6, 0.35) || in(0.85, 0.3));
    text.special = "<shifting><mode value=\"1\"/></shifting>";
    EXPECT_EQ(make().setup.constants.shift_coefficient, -2);
    EXPECT_TRUE(make().setup.shift_zones.empty());
}

TEST_F(WordsWithFiles, ZonesOfShiftingTurn) {
    text.special = R"(<shifting><mode value="3"/><shiftingzone><posref x="0" y="0" z="0"/><size x="1" y="1" z="0.1"/>
<rotateaxis angle="90"><point1 x="0" y="0" z="0"/><point2 x="0" y="1" z="0"/></rotateaxis></shiftingzone></shifting>)";
    const MadeWithFiles made = make();
    const auto in = [&](double x, double z) {
        return sph::shifts_at(made.setup.shift_zones.data(), 1, Vec3d{x, 0, z} - made.setup.domain.min);
    };
    EXPECT_TRUE(in(-0.05, 0.5)); // as in 2-D: counter-clockwise with x to the right and z up
    EXPECT_FALSE(in(0.5, 0.05) || in(0.05, 0.5));
}

TEST_F(WordsWithFiles, LayersOfAPistonMoveByTheirVelocities) {
    text.casedef = wall;
    text.commands =
        R"(<setmkbound mk="5"/><drawbox><boxfill>left</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="0.4"/></drawbox>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.1" y="-1" z="0"/><size x="1" y="2" z="0.4"/></drawbox>)";
    text.special = R"(<mlayerpistons><piston1d><mkbound value="5"/><filevelx value="u.csv"/><incz value="0.2"/>
<timedataini value="1"/></piston1d></mlayerpistons>)";
    // u = z + (t − 1), over z from −0.2 to 0.1: in the run, from 0 to 0.3
    write("u.csv",
          "px:;0;py:;0\ntime;pz_0;pz_1;vel_0;vel_1\n1;0.1;-0.2;0.1;-0.2\n2;0.1;-0.2;1.1;0.8\n3;0.1;-0.2;2.1;1.8\n");
    const MadeWithFiles made = make();
    ASSERT_EQ(made.setup.motions.object_count(), 1 + 5); // the wall's own, at rest, and five layers
    EXPECT_EQ(made.particles.data_files, std::vector<std::string>{"u.csv"});
    int checked = 0;
    for (std::uint32_t id = 0; id < made.particles.boundary_count; ++id) {
        const std::int32_t object = made.setup.rigid.object_of(id);
        ASSERT_GE(object, 1);
        const Vec3d start = made.setup.rigid.start[id - made.setup.rigid.begin];
        const double z = std::min(made.particles.position[id].z, 0.3) - 0.2; // the highest layer is above the data
        const RigidMotion now = motion_at(made.setup.motions.view(), object, 1.4);
        EXPECT_NEAR(now.position_of(start).x - start.x, 1.4 * z + 0.5 * 1.4 * 1.4, 1e-12);
        EXPECT_NEAR(now.velocity_at(start).x, z + 1.4, 1e-12);
        EXPECT_EQ(now.velocity_at(start).z, 0);
        const RigidMotion later = motion_at(made.setup.motions.view(), object, 5); // the data have ended
        EXPECT_NEAR(later.position_of(start).x - start.x, 2 * z + 2, 1e-12);
        EXPECT_EQ(later.velocity_at(start).x, 0);
        ++checked;
    }
    EXPECT_EQ(checked, 5);
    text.special = R"(<mlayerpistons><piston1d><mkbound value="5"/><filevelx value="u.csv"/><incz value="0.2"/>
<smooth value="1"/></piston1d></mlayerpistons>)";
    const MadeWithFiles smooth = make();
    const auto speed = [&](int object) {
        return motion_at(smooth.setup.motions.view(), object, 0.5).velocity_at({}).x; // before the first row
    };
    EXPECT_NEAR(speed(1), (-0.2 - 0.1) / 2, 1e-12);
    EXPECT_NEAR(speed(3), 0, 1e-12);
    EXPECT_NEAR(speed(4), (0 + 0.1 + 0.1) / 3, 1e-12);
}

TEST_F(WordsWithFiles, AWidePistonTakesVelocitiesBetweenItsFiles) {
    text.casedef = wall;
    text.definition =
        R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="2" z="2"/></definition>)";
    text.commands =
        R"(<setmkbound mk="5"/><drawbox><boxfill>left</boxfill><point x="0" y="0" z="0"/><size x="1" y="0.4" z="0.2"/></drawbox>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.1" y="0" z="0"/><size x="1" y="0.4" z="0.2"/></drawbox>)";
    text.special =
        R"(<mlayerpistons><piston2d><mkbound value="5"/><veldata><filevelx value="a.csv"/><posy value="0"/></veldata>
<veldata><filevelx value="b.csv"/><posy value="0.3"/><timedataini value="1"/></veldata></piston2d></mlayerpistons>)";
    write("a.csv", "px:;0;py:;0\ntime;pz_0;vel_0\n0;0;1\n9;0;1\n");
    write("b.csv", "px:;0;py:;0\ntime;pz_0;vel_0\n0;0;2\n1;0;4\n9;0;4\n");
    const MadeWithFiles made = make();
    ASSERT_EQ(made.setup.motions.object_count(), 1 + 5 * 3);
    for (std::uint32_t id = 0; id < made.particles.boundary_count; ++id) {
        const double y = std::min(made.particles.position[id].y, 0.3);
        const RigidMotion now = motion_at(made.setup.motions.view(), made.setup.rigid.object_of(id), 0.5);
        EXPECT_NEAR(now.velocity_at({}).x, 1 + 3 * y / 0.3, 1e-9);
    }
    for (const char* separated : {"px:,0,py:,0", "px: 0 py: 0", "px:;0; py:;0", "px:\t0\tpy:\t0"}) {
        write("a.csv", std::string(separated) + "\ntime;pz_0;vel_0\n0;0;1\n9;0;1\n");
        EXPECT_EQ(make().setup.motions.object_count(), 1 + 5 * 3) << separated;
    }
    write("a.csv", "px:;0;py:;0\ntime;pz_0;vel_0\n");
    expect_error("has no velocities");
    write("a.csv", "time;pz_0;vel_0\n0;0;1\n");
    expect_error("a.csv:1: ");
    write("a.csv", "px:;0;py:;0\ntime;pz_0;vel_0\n0;0;1\n0;0;1\n");
    expect_error("a.csv:4: the time 0 does not come after");
    write("a.csv", "px:;0;py:;0\ntime;pz_0;vel_0\n0;0;1;2\n");
    expect_error("a.csv:3: the row has 4 numbers");
}

TEST_F(WordsWithFiles, WavesOfAnotherModelAreATable) {
    text.special =
        R"(<relaxationzones><rzwaves_external_1d><depth value="0.5"/><swl value="0.5"/><filesvel value="waves/w"/>
<filesvelx initial="3" count="2"/><usevelz value="true"/><movedata x="1" y="0" z="0.5"/><dpz valuedp="1"/>
<center x="1.5" y="0" z="0"/><width value="0.8"/><coefdir x="1" y="0" z="1"/><driftcorrection value="0.5"/>
<driftinitialramp value="1"/></rzwaves_external_1d></relaxationzones>)";
    std::filesystem::create_directory(folder.path() / "waves");
    // u = x + z + t, w = −u, at x = 0 and 1, z = −0.5 … 0; drift from t = 1 on
    for (const int x : {0, 1})
        for (const auto& [component, sign] : {std::pair{"x", 1.0}, {"z", -1.0}}) {
            std::string rows = "px:;" + std::to_string(x) + ";py:;0\ntime;pz_0;pz_1;vel_0;vel_1\n";
            for (const double t : {0.0, 0.5, 1.0, 1.5, 2.0})
                rows += std::to_string(t) + ";0;-0.5;" + std::to_string(sign * (x + t)) + ";" +
                        std::to_string(sign * (x + t - 0.5)) + "\n";
            write(std::string("waves/w_vel") + component + "_x0" + std::to_string(4 - x) + "_y00.csv", rows);
        }
    const MadeWithFiles made = make();
    EXPECT_EQ(made.particles.data_files.size(), 4U);
    ASSERT_EQ(made.setup.forcing.relaxation.size(), 1U);
    const RelaxationZone& zone = made.setup.forcing.relaxation[0];
    // the mean over the two columns and t from 1 to 2 of u is 0.5 − 0.25 + 1.5
    EXPECT_NEAR(zone.current, -0.5 * 1.75, 1e-12);
    const std::string from_1 = text.special;
    text.special.replace(from_1.find("driftinitialramp value=\"1\""), 26, "driftinitialramp value=\"5\"");
    EXPECT_EQ(make().setup.forcing.relaxation.at(0).current, 0) << "no time is left to find the drift of";
    text.special = from_1;
    const Forcing& f = made.setup.forcing;
    const RelaxationView view{f.relaxation.data(), nullptr, nullptr, 1, view_of(f.relaxation_tables)};
    const auto v = [&](double x, double z, double t) {
        return relaxation::target(zone, view, Vec3d{x, 0, z} - made.setup.domain.min, t) - Vec3d{zone.current, 0, 0};
    };
    const Vec3d found = v(1.3, 0.2, 0.6); // in the file's places x is 0.3 and z is −0.3
    EXPECT_NEAR(found.x, 0.3 - 0.3 + 0.6, 1e-5);
    EXPECT_NEAR(found.z, -0.6, 1e-5);
    EXPECT_NEAR(v(1.3, 2, 0.6).x, 0.9, 1e-5); // that of the highest place above
    const std::string with_z = text.special, use = "<usevelz value=\"true\"/>";
    for (const char* without : {"<usevelz value=\"false\"/>", "<usevelz/>", ""}) {
        text.special = with_z;
        text.special.replace(with_z.find(use), use.size(), without);
        EXPECT_EQ(make().particles.data_files.size(), 2U) << without;
    }
    const auto write_z = [&](double first, int rows) { // of both columns, with other times
        for (const int x : {0, 1}) {
            std::string text_z = "px:;" + std::to_string(x) + ";py:;0\ntime;pz_0;pz_1;vel_0;vel_1\n";
            for (int t = 0; t < rows; ++t) text_z += std::to_string(first + 0.5 * t) + ";0;-0.5;0;0\n";
            write("waves/w_velz_x0" + std::to_string(4 - x) + "_y00.csv", text_z);
        }
    };
    text.special = with_z;
    for (const auto& [first, rows] : {std::pair{0.0, 4}, {0.25, 5}}) {
        write_z(first, rows);
        expect_error("the files of the velocities along x and z have other places or times");
    }
    write_z(0, 5);
    make();
    std::filesystem::remove(folder.path() / "waves/w_velx_x04_y00.csv");
    expect_error("w_velx_x04_y00.csv cannot be read");
}

TEST_F(WordsWithFiles, AGridGivesAZoneItsVelocities) {
    text.special =
        R"(<inout><inoutzone><layers value="4"/><inputtreatment value="2"/><zone2d><line><point x="-0.2" z="0"/>
<point2 x="-0.2" z="1"/><direction x="1" z="0"/></line></zone2d><imposevelocity mode="3"><gridveldata file="g.csv"/>
<gridresetvelz value="true"/><gridposzero x="-1" z="0.5"/></imposevelocity></inoutzone></inout>)";
    const std::string head = "fmtversion;grid_dpx;grid_dpz;grid_nx;grid_nz;vars\n1;2;0.5;2;2;";
    write("g.csv", head + "velx velz\n\ntime;vx_x0_z0\n0;1;2;3;4;5;6;7;8\n1;2;3;4;5;6;7;8;9\n");
    const MadeWithFiles made = make();
    const OpenZone& zone = made.setup.open.zones.at(0);
    EXPECT_TRUE(zone.holds_level);
    const auto v = [&](double x, double z, double t) {
        return zone_velocity(view_of(made.setup.open), zone, Vec3d{x, 0, z} - made.setup.domain.min, t);
    };
    EXPECT_NEAR(v(-1, 0.5, 0).x, 1, 1e-6);
    EXPECT_NEAR(v(-1, 1, 0).x, 2, 1e-6);
    EXPECT_NEAR(v(1, 0.5, 0).x, 3, 1e-6);
    EXPECT_NEAR(v(1, 1, 0).z, 8, 1e-6);
    EXPECT_NEAR(v(0, 0.75, 0.5).x, 3, 1e-6);
    EXPECT_NEAR(v(0, 0.75, 0.5).z, 7, 1e-6);
    EXPECT_EQ(made.particles.data_files, std::vector<std::string>{"g.csv"});
    write("g.csv", head + "velx\n\ntime\n0;1;2;3\n");
    expect_error("g.csv:5: ");
    write("g.csv", head + "vely\n\ntime\n0;1;2;3;4\n");
    expect_error("g.csv:2: vars \"vely\"");
    write("g.csv", "time;v\n0;1\n");
    expect_error("g.csv:1: ");
    write("g.csv", head + "velx\n\ntime\n");
    expect_error("has no velocities");
}

TEST_F(WordsWithFiles, AccelerationsActOnWhatOpenBoundariesCreate) {
    text.special =
        R"(<inout><inoutzone><layers value="4"/><inputtreatment value="2"/><zone2d><line><point x="-0.2" z="0"/>
<point2 x="-0.2" z="1"/><direction x="1" z="0"/></line></zone2d><imposevelocity mode="0"><velocity v="1"/></imposevelocity>
</inoutzone></inout><accinputs><accinput mkfluid="0-1"><acctimes><timevalue time="0" linx="1"/></acctimes></accinput></accinputs>)";
    text.commands +=
        R"(<setmkfluid mk="1"/><drawbox><boxfill>solid</boxfill><point x="1.2" y="-1" z="0"/><size x="0.2" y="2" z="1"/></drawbox>)";
    const MadeWithFiles made = make();
    ASSERT_EQ(made.setup.forcing.inputs.size(), 2U);
    EXPECT_EQ(made.setup.forcing.inputs[0].created_id, made.particles.size());
    EXPECT_EQ(made.setup.forcing.inputs[1].created_id, UINT32_MAX); // they are of the first mkfluid
}
