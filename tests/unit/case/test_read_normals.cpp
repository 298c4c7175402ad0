// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/read_case.h"
#include "case_text.h"
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>

// What casedef/normals and special/initialize become, and what they refuse.

using namespace sluice;
using sluice::test::CaseText;

namespace {

Case read_normals(const std::string& normals, const std::string& initialize = "", const std::string& commands = "") {
    CaseText t;
    t.parameters = R"(<parameter key="Boundary" value="2"/>)";
    t.casedef = "<normals>" + normals + "</normals>";
    t.special = initialize.empty() ? "" : "<initialize>" + initialize + "</initialize>";
    t.commands += commands;
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    return read_case_text(t.text(), "folder/Tank_Def.xml", overrides);
}

template <class Surface>
const Surface& only_rule(const Case& c) {
    EXPECT_EQ(c.normals.rules.size(), 1u);
    return std::get<Surface>(c.normals.rules.at(0).surface);
}

std::string refusal_of_normals(const std::string& normals, const std::string& commands = "") {
    try {
        read_normals(normals, "", commands);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST(ReadNormals, HonouredWordsReachTheirPlace) {
    struct Row {
        std::string xml;
        std::function<double(const Case&)> value;
        double expected;
    };
    const std::map<std::string, Row> rows{
        {"norgeometry",
         {R"(<norgeometry><geometryfile file="a.vtk"/></norgeometry>)",
          [](const Case& c) { return double(c.normals.geometry->file == "a.vtk"); }, 1}},
        {"geometryfile",
         {R"(<geometryfile file="[CaseName]_hdp_Actual.vtk"/>)",
          [](const Case& c) { return double(c.normals.geometry->shapes == "hdp" && !c.normals.geometry->on_lattice); },
          1}},
        {"distanceh",
         {R"(<geometryfile file="a.vtk"/><distanceh value="3"/>)",
          [](const Case& c) { return c.normals.geometry->max_distance_h; }, 3}},
        {"maxsizeh",
         {R"(<norgeometry><geometryfile file="a.vtk"/><maxsizeh v="2.5"/></norgeometry>)",
          [](const Case& c) { return c.normals.geometry->max_size_h; }, 2.5}},
        {"norset",
         {R"(<norset mkbound="0,2-4"><normal x="0" y="0.5" z="0"/></norset>)",
          [](const Case& c) {
              return only_rule<NormalsOfVector>(c).normal.y + double(c.normals.rules[0].mkbound.size());
          },
          4.5}},
        {"norplane",
         {R"(<norplane mkbound="1"><point x="7" y="0" z="0"/><normal x="0" y="0" z="2"/><maxdisth v="0.5"/><clear v="0"/></norplane>)",
          [](const Case& c) {
              const auto& rule = c.normals.rules[0];
              return only_rule<NormalsOfPlane>(c).point->x + rule.max_distance_h + (rule.clear ? 100 : 0);
          },
          7.5}},
        {"norsphere",
         {R"(<norsphere mkbound="1"><center x="1" y="0" z="0"/><radius v="0.25"/><inside v="false"/></norsphere>)",
          [](const Case& c) {
              const auto& s = only_rule<NormalsOfSphere>(c);
              return s.center.x + s.radius + (s.inside ? 100 : 0);
          },
          1.25}},
        {"norcylinder",
         {R"(<norcylinder mkbound="1"><center1 x="0" y="0" z="0"/><center2 x="3" y="0" z="0"/><radius v="0.25"/><limit1 v="0"/></norcylinder>)",
          [](const Case& c) {
              const auto& s = only_rule<NormalsOfCylinder>(c);
              return s.center2.x + s.radius.value() + (s.limit1 ? 100 : 0) + (s.limit2 ? 0 : 100);
          },
          3.25}}};
    std::set<std::string> honoured, tested;
    for (const LanguageEntry& word : language())
        if (word.section == Section::normal && word.support == Support::honoured) honoured.insert(word.name);
    for (const auto& [word, row] : rows) {
        tested.insert(word);
        EXPECT_DOUBLE_EQ(row.value(read_normals(row.xml)), row.expected) << word;
    }
    EXPECT_EQ(honoured, tested);
}

TEST(ReadNormals, DefaultsAreThoseOfTheTemplates) {
    const Case plane =
        read_normals(R"(<norplane mkbound="1"><point auto="true"/><normal x="0" y="0" z="1"/></norplane>)");
    const NormalsRule& rule = plane.normals.rules.at(0);
    EXPECT_FALSE(std::get<NormalsOfPlane>(rule.surface).point);
    EXPECT_EQ(std::get<NormalsOfPlane>(rule.surface).limit_distance, 0.5);
    EXPECT_EQ(rule.max_distance_h, 2);
    EXPECT_TRUE(rule.clear);
    EXPECT_FALSE(rule.after_initials);
    const Case file = read_normals(R"(<geometryfile file="Tank_walls_Dp.vtk"/>)");
    EXPECT_EQ(file.normals.geometry->max_distance_h, 2);
    EXPECT_EQ(file.normals.geometry->max_size_h, 0);
    EXPECT_EQ(file.normals.geometry->shapes, "walls");
    EXPECT_TRUE(file.normals.geometry->on_lattice);
    EXPECT_FALSE(read_normals(R"(<geometryfile file="Other_walls_Dp.vtk"/>)").normals.geometry->shapes);
}

TEST(ReadNormals, RulesOfInitializeFollow) {
    const Case c =
        read_normals(R"(<norset mkbound="1"><normal x="1" y="0" z="0"/></norset>)",
                     R"(<boundnormal_set mkbound="1" active="false"><normal x="0" y="0" z="0"/></boundnormal_set>
<boundnormal_sphere mkbound="1"><center x="0" y="0" z="0"/><radius v="1"/></boundnormal_sphere>)");
    ASSERT_EQ(c.normals.rules.size(), 2u);
    EXPECT_FALSE(c.normals.rules[0].after_initials);
    EXPECT_EQ(c.normals.rules[1].element, "boundnormal_sphere");
    EXPECT_TRUE(c.normals.rules[1].after_initials);
}

// Words of a fork for grains: a tube that has the radius of its particles, and a contact that may be off.
TEST(ReadNormals, CurvedIsACylinderOfItsParticles) {
    const auto curved = [](const std::string& children) {
        return read_normals(
            "", R"(<boundnormal_curved mkbound="1"><center1 x="0" y="0" z="0"/><center2 x="0" y="0" z="2"/>)" +
                    children + "</boundnormal_curved>");
    };
    const Case plain = curved(R"(<inverse v="false"/><corner v="false"/>)");
    EXPECT_TRUE(plain.unsupported_in_run.empty());
    const auto& tube = only_rule<NormalsOfCylinder>(plain);
    EXPECT_EQ(tube.center2.z, 2);
    EXPECT_FALSE(tube.radius);
    EXPECT_FALSE(tube.inside || tube.limit1 || tube.limit2);
    EXPECT_EQ(plain.normals.rules[0].max_distance_h, 0);
    EXPECT_TRUE(plain.normals.rules[0].after_initials);
    EXPECT_FALSE(only_rule<NormalsOfCylinder>(curved("")).inside);
    EXPECT_TRUE(only_rule<NormalsOfCylinder>(curved(R"(<inverse v="true"/>)")).inside);
    const Case with_radius = curved(R"(<radius v="1"/>)");
    ASSERT_EQ(with_radius.unsupported_in_run.size(), 1u);
    EXPECT_EQ(with_radius.unsupported_in_run[0].message(),
              "<radius> of <boundnormal_curved> is not supported; take it out");
}

TEST(ReadNormals, CornersOfGrainsAreRefusedUnlessTheyAreOff) {
    const auto set = [](const std::string& corner) {
        return read_normals("", R"(<boundnormal_set mkbound="1"><normal x="1" y="0" z="0"/>)" + corner +
                                    "</boundnormal_set>");
    };
    EXPECT_EQ(only_rule<NormalsOfVector>(set(R"(<corner v="false"/>)")).normal, (Vec3d{1, 0, 0}));
    EXPECT_TRUE(set(R"(<corner v="false"/>)").unsupported_in_run.empty());
    for (const char* on : {R"(<corner v="true"/>)", "<corner/>"}) {
        const Case c = set(on);
        ASSERT_EQ(c.unsupported_in_run.size(), 1u) << on;
        EXPECT_EQ(c.unsupported_in_run[0].message(),
                  "<corner> of <boundnormal_set> is not supported; it is a contact of grains: "
                  "set it to false, and take norgeometry for corners");
    }
}

TEST(ReadNormals, WhatCannotBeMeantIsRefusedWithItsLine) {
    const std::string where = "folder/Tank_Def.xml:7: ";
    const auto refuses = [&](const std::string& normals, const std::string& what) {
        const std::string message = refusal_of_normals(normals);
        EXPECT_EQ(message.find(where), 0u) << normals << message;
        EXPECT_NE(message.find(what), std::string::npos) << message;
    };
    refuses(R"(<norset><normal x="1" y="0" z="0"/></norset>)", "mkbound");
    refuses(R"(<norplane mkbound="1"><point auto="true"/><normal x="0" y="0" z="0"/></norplane>)", "length 0");
    refuses(R"(<norplane mkbound="1"><normal x="0" y="0" z="1"/></norplane>)", "point");
    refuses(R"(<norplane mkbound="999"><point auto="1"/><normal x="0" y="0" z="1"/></norplane>)", "999");
    refuses(R"(<norplane mkbound="1"><point auto="1"/><normal x="0" y="0" z="1"/><maxdisth v="-1"/></norplane>)",
            "negative (-1)");
    refuses(R"(<norsphere mkbound="1"><center x="0" y="0" z="0"/><radius v="0"/></norsphere>)", "positive (0)");
    refuses(
        R"(<norcylinder mkbound="1"><center1 x="0" y="0" z="0"/><center2 x="0" y="0" z="0"/><radius v="1"/></norcylinder>)",
        "are the same");
    refuses(R"(<geometryfile file="../a.vtk"/>)", "outside the folder");
    refuses(R"(<norgeometry><geometryfile file="a.vtk"/></norgeometry><geometryfile file="b.vtk"/>)", "line 7");
    refuses(R"(<norgeometry><distanceh v="2"/></norgeometry>)", "geometryfile");
    EXPECT_NE(refusal_of_normals("", "<setshapemode>actual | walls</setshapemode>").find("\"walls\" is unknown"),
              std::string::npos);
    EXPECT_NE(refusal_of_normals("", "<shapeout/>").find("shapeout"), std::string::npos);
}

TEST(ReadNormals, WhatIsNotSupportedIsNamed) {
    const auto named = [](const Case& c) {
        std::string all;
        for (const UnsupportedFeature& f : c.unsupported_in_run) all += f.message() + "\n";
        return all;
    };
    EXPECT_NE(named(read_normals(R"(<norparts mkbound="1"/>)")).find("<norparts> is not supported"), std::string::npos);
    EXPECT_NE(named(read_normals(R"(<norplain mkbound="1"/>)")).find("did you mean norplane"), std::string::npos);
    EXPECT_NE(named(read_normals(R"(<norset mkbound="1"><normal x="1" y="0" z="0"/><corner v="1"/></norset>)"))
                  .find("<corner> of <norset>"),
              std::string::npos);
    const std::string parts = named(read_normals("", R"(<boundnormal_parts mkbound="1"/>)"));
    EXPECT_NE(parts.find("<boundnormal_parts> in <initialize> is not supported; draw the surface (norgeometry)"),
              std::string::npos)
        << parts;
    EXPECT_NE(named(read_normals(R"(<norcurved mkbound="1"/>)")).find("<norcurved> in <normals>"), std::string::npos);
    EXPECT_EQ(
        named(read_normals(R"(<svnormals value="true"/><norset mkbound="1"><normal x="1" y="0" z="0"/></norset>)")),
        "");
}

// What modified walls alone need does not stop a case of others.
TEST(ReadNormals, AreNoConditionForOtherWalls) {
    CaseText t;
    t.casedef = R"(<normals><norparts mkbound="0"/><geometryfile file="../outside.vtk"/></normals>)";
    t.special = R"(<initialize><boundnormal_parts mkbound="0"/></initialize>)";
    const Case c = read_case_text(t.text(), "case.xml", {});
    EXPECT_TRUE(c.unsupported_in_run.empty());
    int left_out = 0;
    for (const Diagnostic& d : c.diagnostics) left_out += d.message.starts_with("left out, as walls with Boundary 1");
    EXPECT_EQ(left_out, 3);
    t.parameters = R"(<parameter key="Boundary" value="2"/>)";
    EXPECT_THROW(read_case_text(t.text(), "case.xml", {}), InputError);
}
