// SPDX-License-Identifier: Apache-2.0
#include "case/expression.h"
#include "case/read_case.h"
#include "case_text.h"
#include "core/error.h"
#include "test_name.h"
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

// How far the numbers of a case may go: the last that is taken, and the first that is not.

using namespace sluice;
using sluice::test::CaseText;

namespace {

using Texts = std::vector<std::string>;

/// A number with limits: the case that has it, values that are taken, others that are not, and what is said of them.
struct Limit {
    const char* title;
    CaseText (*with)(const std::string& value);
    Texts taken, refused;
    const char* says;
    friend void PrintTo(const Limit& limit, std::ostream* out) { *out << limit.title; }
};

CaseText with_commands(const std::string& commands) {
    CaseText t;
    t.commands = commands;
    return t;
}

/// Commands that run a list so many times.
CaseText with_repeated(const std::string& times, const std::string& list) {
    return with_commands("<runlist name=\"a\" times=\"" + times + "\"/></mainlist><list name=\"a\">" + list +
                         "</list><mainlist active=\"false\">");
}

CaseText with_special(const std::string& special) {
    CaseText t;
    t.special = special;
    return t;
}

CaseText with_parameter(const std::string& key, const std::string& value) {
    CaseText t;
    t.parameters = "<parameter key=\"" + key + "\" value=\"" + value + "\"/>";
    return t;
}

std::string with_value(const std::string& name, const std::string& value) {
    return "<" + name + " value=\"" + value + "\"/>";
}

CaseText with_paddle(const std::string& paddle, const std::string& words) {
    CaseText t = test::flume();
    t.special = "<wavepaddles><" + paddle + R"(><mkbound value="10"/><depth value="0.7"/><waveheight value="0.1"/>)" +
                words + "</" + paddle + "></wavepaddles>";
    return t;
}

CaseText with_irregular_waves(const std::string& words) {
    return with_paddle("piston_spectrum", R"(<waveperiod value="2"/>)" + words);
}

CaseText with_focused_waves(const std::string& words) {
    return with_paddle("piston_focused", R"(<waveperiod value="2"/><xf value="2"/>)" + words);
}

CaseText with_absorption(const std::string& words) {
    return with_paddle("piston", R"(<waveperiod value="2"/><awas_zsurf><swl value="0.7"/>)" + words + "</awas_zsurf>");
}

CaseText with_relaxation(const std::string& words) {
    return with_special(R"(<relaxationzones><rzwaves_regular><waveheight value="0.1"/><waveperiod value="2"/>
        <depth value="0.7"/><swl value="0.7"/><center x="1" y="0" z="0"/><width value="1"/>)" +
                        words + "</rzwaves_regular></relaxationzones>");
}

CaseText with_uniform_zone(const std::string& size) {
    return with_special(
        R"(<relaxationzones><rz_uniform><domainbox><point x="0" y="0" z="0"/><size )" + size +
        R"(/><direction x="1" y="0" z="0"/></domainbox><velocity value="1"/></rz_uniform></relaxationzones>)");
}

CaseText with_gauge(const std::string& gauge) { return with_special("<gauges>" + gauge + "</gauges>"); }

CaseText with_open_zone(const std::string& layers) {
    return with_special("<inout><inoutzone>" + with_value("layers", layers) + R"(<inputtreatment value="1"/><zone2d>
        <particles mkfluid="0" direction="left"/></zone2d><imposevelocity mode="0"><velocity v="2"/></imposevelocity>
        </inoutzone></inout>)");
}

CaseText with_extent(const std::string& dp, const std::string& x, const std::string& z) {
    CaseText t;
    t.definition = "<definition dp=\"" + dp + R"("><pointmin x="0" y="0" z="0"/><pointmax x=")" + x +
                   "\" y=\"0\" z=\"" + z + "\"/></definition>";
    return t;
}

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t k = 0; k < times; ++k) all += text;
    return all;
}

const Limit all_limits[] = {
    {"layers of an open zone", with_open_zone, {"1", "1000"}, {"0", "1001"}, "is none of 1 … 1000"},
    {"layers of a shape",
     [](const std::string& v) {
         return with_commands(R"(<setmkbound mk="0"/><drawsphere radius="1"><point x="0" y="0" z="0"/><layers vdp=")" +
                              v + "\"/></drawsphere>");
     },
     {"1e4", "-1e4", "0", "0*"},
     {"10001", "-10001"},
     "is no sensible number of layers"},
    {"number of layers of a shape",
     [](const std::string& v) {
         return with_commands(R"(<setmkbound mk="0"/><drawsphere radius="1"><point x="0" y="0" z="0"/><layers vdp=")" +
                              repeated("1,", std::stoul(v)) + "\"/></drawsphere>");
     },
     {"0", "1000"},
     {"1001"},
     "more than 1000 numbers"},
    {"number of a face",
     [](const std::string& v) {
         return with_commands("<setmkbound mk=\"0\"/><drawcylinder radius=\"1\" mask=\"" + v +
                              R"("><point x="0" y="0" z="0"/><point x="0" y="0" z="1"/></drawcylinder>)");
     },
     {"0", "1e6", "1|2"},
     {"-1", "1000001", "1.5"},
     "is not the number of a face"},
    {"radius of an ellipsoid",
     [](const std::string& v) {
         return with_commands("<setmkbound mk=\"0\"/><drawellipsoid radius=\"" + v +
                              R"("><point x="1" y="0" z="0"/><point x="3" y="0" z="0"/></drawellipsoid>)");
     },
     {"2.001"},
     {"2", "1.5"},
     "is not above the distance of the foci (2)"},
    {"times of redrawnear",
     [](const std::string& v) {
         return with_commands("<setmkbound mk=\"0\"/><redrawnear times=\"" + v +
                              R"(" targettp="fluid" bordertp="bound"/>)");
     },
     {"1", "10000"},
     {"0", "10001"},
     "times must be from 1 to 10000"},
    {"depth of lists",
     [](const std::string& v) {
         std::string lists;
         for (int k = 1; k <= std::stoi(v); ++k)
             lists += fmt::format("<list name=\"l{}\">{}</list>", k,
                                  k < std::stoi(v) ? fmt::format("<runlist name=\"l{}\"/>", k + 1) : "");
         return with_commands("<runlist name=\"l1\"/></mainlist>" + lists + "<mainlist active=\"false\">");
     },
     {"50"},
     {"51"},
     "lists call each other 50 deep"},
    {"times of a list",
     [](const std::string& v) { return with_repeated(v, ""); },
     {"0", "499998"}, // beside the command that runs it and the one before
     {"499999"},
     "run more than 500000 commands"},
    {"times of a list below 0",
     [](const std::string& v) { return with_repeated(v, ""); },
     {"0"},
     {"-1"},
     "times must not be negative (-1)"},
    {"states that are saved",
     [](const std::string& v) { return with_repeated(v, "<mksave/>"); },
     {"1000"},
     {"1001"},
     "<mksave>: more than 1000 states are saved"},
    {"whole number",
     [](const std::string& v) {
         CaseText t;
         t.casedef = "<initials><moverandom mkfluid=\"0\" dpxyz=\"0\" randomseed=\"" + v + "\"/></initials>";
         return t;
     },
     {"1e9", "0"},
     {"1000000001", "0.5"},
     "randomseed must be a whole number"},
    {"planes of the lattice",
     [](const std::string& v) { return with_extent("1", v, "1"); },
     {"9999999"},
     {"10000000"},
     "lattice planes on axis x (at most 1e+07)"},
    {"nodes of the lattice",
     [](const std::string& v) { return with_extent("1", "999999", v); },
     {"999999"},
     {"1000000"},
     "lattice nodes (at most 1e+12)"},
    {"mk of a kind",
     [](const std::string& v) { return with_commands("<setmkfluid mk=\"" + v + "\"/>"); },
     {"0", "8"},
     {"-1", "9"},
     "is outside 0…8, raise fluidcount"},
    {"points of a line",
     [](const std::string& v) {
         return with_gauge("<swl name=\"a\">" + with_value("pointdp", v) +
                           R"(<point0 x="0" y="0" z="0"/><point2 x="0" y="0" z="10"/></swl>)");
     },
     {"1e-6"},
     {"0.999e-6"},
     "1e7 are the most"},
    {"points of a rectangle",
     [](const std::string& v) {
         return with_gauge("<flowrate name=\"a\">" + with_value("pointdp", "0.001") +
                           R"(<point0 x="0" y="0" z="0"/><point1 x=")" + v +
                           R"(" y="0" z="0"/><point2 x="0" y="0" z="10"/></flowrate>)");
     },
     {"1", "0.00001"},
     {"1.001"},
     "1e7 are the most"},
    {"points of a mesh",
     [](const std::string& v) {
         return with_gauge(R"(<mesh name="a"><point x="0" y="0" z="0"/><vec1 x="1" y="0" z="0"/><size1 length=")" + v +
                           R"(" distpt="1"/><outputdata value="rhop"/></mesh>)");
     },
     {"0", "9999999"},
     {"10000000"},
     "1e7 are the most"},
    {"support of a mesh",
     [](const std::string& v) {
         return with_gauge(R"(<mesh name="a"><point x="0" y="0" z="0"/><outputdata value="rhop"/>)" +
                           with_value("kclimit", v) + "</mesh>");
     },
     {"0", "1", "none"},
     {"-0.01", "1.01"},
     "<kclimit> must lie in 0 to 1"},
    {"distance of a highest place",
     [](const std::string& v) {
         return with_gauge(R"(<maxz name="a"><point0 x="0" y="0" z="0"/><height value="1"/><distlimit coefh=")" + v +
                           "\"/></maxz>");
     },
     {"0.1"},
     {"0", "-1"},
     "<distlimit> must be positive"},
    {"fraction that may leave",
     [](const std::string& v) { return with_parameter("PartsOutMax", v); },
     {"0", "1"},
     {"-0.1", "1.1"},
     "PartsOutMax "},
    {"factor of the time step",
     [](const std::string& v) {
         CaseText t;
         t.constants += with_value("cflnumber", v);
         return t;
     },
     {"1", "0.01"},
     {"1.01", "0"},
     "cflnumber must"},
    {"peak of a spectrum",
     [](const std::string& v) { return with_irregular_waves(with_value("peakcoef", v)); },
     {"1", "100"},
     {"0.9", "101"},
     "peakcoef"},
    {"waves of a spectrum",
     [](const std::string& v) { return with_irregular_waves(with_value("waves", v)); },
     {"4", "2048"},
     {"3", "2049", "4.5"},
     "waves is "},
    {"seed of a spectrum",
     [](const std::string& v) { return with_irregular_waves(with_value("randomseed", v)); },
     {"0", "2e9"},
     {"-1", "2000000001"},
     "it must be a whole number from 0 to 2000000000"},
    {"rows of a table of waves",
     [](const std::string& v) {
         return with_irregular_waves(R"(<saveserie timemin="1" timemax="1000001" timedt=")" + v + "\"/>");
     },
     {"1"},
     {"0.999", "0"},
     "at most 1e6 rows"},
    {"time of a table of waves",
     [](const std::string& v) {
         return with_irregular_waves("<saveserie timemin=\"1\" timedt=\"0.1\" timemax=\"" + v + "\"/>");
     },
     {"1.1"},
     {"1"},
     "ends before it begins"},
    {"waves that a highest one is of",
     [](const std::string& v) { return with_focused_waves("<maxwaveh nwaves=\"" + v + "\"/>"); },
     {"1.1"},
     {"1"},
     "waves are too few"},
    {"time of a focused wave",
     [](const std::string& v) {
         return with_focused_waves(R"(<ramptime value="1"/><fmovramp value="2"/>)" + with_value("fmovtime", v));
     },
     {"3", "0"},
     {"2.9"},
     "ramptime and fmovramp (3 s together) are longer than fmovtime (2.9 s)"},
    {"number of solitary waves",
     [](const std::string& v) { return with_paddle("piston_solitary", with_value("waves", v)); },
     {"1", "1000"},
     {"0", "1001"},
     "it must be a whole number from 1 to 1000"},
    {"theory of a solitary wave",
     [](const std::string& v) { return with_paddle("piston_solitary", with_value("theory", v)); },
     {"1", "3"},
     {"0", "4"},
     "it must be a whole number from 1 to 3"},
    {"fixed part of a piston",
     [](const std::string& v) {
         return with_paddle("piston", with_value("waveperiod", "2") + with_value("fixeddepth", v));
     },
     {"0", "0.69"},
     {"0.7"},
     "leaves nothing of the depth (0.7)"},
    {"draft of a flap",
     [](const std::string& v) {
         return with_paddle("flap", with_value("waveperiod", "2") + with_value("variabledraft", v) +
                                        R"(<flapaxis0 x="0" y="-1" z="0"/><flapaxis1 x="0" y="1" z="0"/>)");
     },
     {"0.69", "-1"},
     {"0.7"},
     "is not below the surface (depth 0.7)"},
    {"way back of a piston",
     [](const std::string& v) {
         return with_absorption("<correction coefstroke=\"1\" coefperiod=\"1\" powerfunc=\"" + v + "\"/>");
     },
     {"1", "20"},
     {"0.9", "20.1"},
     "powerfunc"},
    {"mass that makes a surface",
     [](const std::string& v) { return with_absorption(with_value("coefmasslimit", v)); },
     {"0.01", "0.99"},
     {"0", "1"},
     "is not between 0 and 1"},
    {"start of absorption",
     [](const std::string& v) { return with_absorption(with_value("startawas", v)); },
     {"0"},
     {"-0.1"},
     "lies before the start of the paddle"},
    {"weight of a relaxation zone",
     [](const std::string& v) { return with_relaxation("<function psi=\"" + v + "\"/>"); },
     {"0.01", "1"},
     {"0", "1.01"},
     "psi"},
    {"shape of a relaxation zone",
     [](const std::string& v) { return with_relaxation("<function beta=\"" + v + "\"/>"); },
     {"0.01"},
     {"0"},
     "beta 0 must be above 0"},
    {"directions of a relaxation zone",
     [](const std::string& v) { return with_relaxation("<coefdir x=\"1\" y=\"0\" z=\"" + v + "\"/>"); },
     {"0", "1"},
     {"-0.1", "1.1"},
     "is not between 0 and 1"},
    {"drift of a relaxation zone",
     [](const std::string& v) { return with_relaxation(with_value("driftcorrection", v)); },
     {"0", "1"},
     {"-0.1", "1.1"},
     "is not between 0 and 1"},
    {"box of a relaxation zone",
     [](const std::string& v) { return with_uniform_zone("x=\"1\" y=\"0\" z=\"" + v + "\""); },
     {"0.1"},
     {"0"},
     "has no extent"},
    {"size of a box of a relaxation zone",
     [](const std::string& v) { return with_uniform_zone("x=\"1\" y=\"" + v + "\" z=\"1\""); },
     {"0"},
     {"-1"},
     "size -1 is negative"},
    {"length of an expression",
     [](const std::string& v) { return with_commands("<newvar a=\"" + std::string(std::stoul(v) - 1, '0') + "1\"/>"); },
     {"4096"},
     {"4097"},
     "the expression is too long (4097 characters)"},
    {"depth of an expression",
     [](const std::string& v) {
         const std::size_t n = std::stoul(v);
         return with_commands("<newvar a=\"" + std::string(n, '(') + "1" + std::string(n, ')') + "\"/>");
     },
     {"64"},
     {"65"},
     "nested too deeply"},
    {"length of a text",
     [](const std::string& v) {
         return with_commands("<newvarstr t=\"" + std::string(1024, 'a') + "\"/>" +
                              repeated("<setvarstr t=\"[t][t]\"/>", std::stoul(v)));
     },
     {"10"},
     {"11"},
     "grows beyond 1 MiB"},
};

class CaseLimit : public testing::TestWithParam<Limit> {};

std::string refusal_of(const CaseText& text) {
    try {
        read_case_text(text.text(), "case.xml", {});
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

TEST_P(CaseLimit, IsWhereItIsSaidToBe) {
    const Limit& limit = GetParam();
    for (const std::string& value : limit.taken) EXPECT_EQ(refusal_of(limit.with(value)), "") << value;
    for (const std::string& value : limit.refused) {
        const std::string said = refusal_of(limit.with(value));
        EXPECT_NE(said.find(limit.says), std::string::npos) << value << ": " << said;
        EXPECT_EQ(said.rfind("case.xml:", 0), 0U) << said;
    }
}

std::string name_of(const testing::TestParamInfo<Limit>& info) { return as_test_name(info.param.title); }

INSTANTIATE_TEST_SUITE_P(Numbers, CaseLimit, testing::ValuesIn(all_limits), name_of);

} // namespace

// What a loop says or asks for again and again is kept as often as anyone wants to read it.
TEST(CaseLimits, LoopsDoNotFillTheMemoryWithMessages) {
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    const auto read = [&](const std::string& times, const std::string& list) {
        return read_case_text(with_repeated(times, list).text(), "case.xml", overrides);
    };
    EXPECT_EQ(read("999", "<printf text=\"a\"/>").diagnostics.size(), 999U);
    EXPECT_EQ(read("1001", "<printf text=\"a\"/>").diagnostics.size(), 1000U);
    EXPECT_EQ(read("999", "<setpattern name=\"holes\"/>").unsupported_in_run.size(), 999U);
    EXPECT_EQ(read("1001", "<setpattern name=\"holes\"/>").unsupported_in_run.size(), 1000U);
}

TEST(CaseLimits, TwentyMistakesAreNamed) {
    for (const int count : {19, 20, 21}) {
        std::string commands;
        for (int k = 0; k < count; ++k) commands += fmt::format("<setmkfluid mk=\"{}\"/>\n", 100 + k);
        const std::string said = refusal_of(with_commands(commands));
        EXPECT_EQ(std::count(said.begin(), said.end(), '\n') + 1, std::min(count, 20)) << said;
    }
}

TEST(CaseLimits, VariablesAreCounted) {
    Variables v;
    for (int k = 0; k < 100000; ++k) {
        v.set(fmt::format("v{}", k), k);
        v.set_text(fmt::format("t{}", k), "a");
    }
    EXPECT_TRUE(v.has("v99999"));
    EXPECT_THROW(v.set("one_more", 1), InputError);
    EXPECT_THROW(v.set_text("one_more", "a"), InputError);
}
