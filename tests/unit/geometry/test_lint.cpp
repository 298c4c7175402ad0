// SPDX-License-Identifier: Apache-2.0
#include "geometry/lint.h"
#include "geometry_case.h"

using namespace sluice;
using namespace sluice::test;

namespace {

std::vector<Diagnostic> lint(const std::string& commands, const CaseText& base = {}) {
    CaseText t = base;
    t.commands = commands;
    t.definition = R"(<definition dp="0.1"><pointmin x="-1" y="0" z="-1"/><pointmax x="5" y="0" z="5"/></definition>)";
    CaseOverrides o;
    o.allow_unsupported = true;
    const Case c = read_case_text(t.text(), "case.xml", o);
    std::vector<Diagnostic> d;
    const ParticleSet set = generate_particles(c, d);
    lint_particles(c, set, smoothing_length_of(c), d);
    return d;
}

bool says(const std::vector<Diagnostic>& all, const std::string& part) {
    for (const Diagnostic& d : all)
        if (d.message.find(part) != std::string::npos && d.where.line > 0) return true;
    return false;
}

const char* water =
    R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)";

std::string walls(const char* point, const char* size) {
    return std::string(R"(<setmkbound mk="0"/><drawbox><boxfill>bottom | left | right</boxfill><point )") + point +
           "/><size " + size + "/></drawbox>";
}

} // namespace

TEST(Lint, FluidAtTheEdgeOfTheDomain) {
    EXPECT_TRUE(says(lint(water), "fluid of mk 1 touches the edge"));
    EXPECT_FALSE(
        says(lint(water + walls(R"(x="-0.1" y="-1" z="-0.1")", R"(x="1.2" y="2" z="2")")), "touches the edge"));
}

TEST(Lint, OutsideTheDomain) {
    CaseText t;
    t.parameters = R"(<simulationdomain><posmax x="0.5"/></simulationdomain>)";
    EXPECT_TRUE(says(lint(water, t), "lie outside the simulation domain on axis x"));
}

TEST(Lint, ThinWalls) {
    EXPECT_TRUE(says(lint(water + walls(R"(x="-0.1" y="-1" z="-0.1")", R"(x="1.2" y="2" z="2")")),
                     "walls are 1 layer(s) thick where the kernel reaches 3"));
    const std::string thick =
        R"(<setmkbound mk="0"/><drawbox><boxfill>solid</boxfill><point x="-0.4" y="-1" z="-0.4"/><size x="1.8" y="2" z="1.8"/></drawbox>)";
    EXPECT_FALSE(says(lint(thick + water), "layer(s) thick"));
}

TEST(Lint, BodiesWithoutParticlesAndCoveredBodies) {
    CaseText t;
    t.casedef = "<floatings><floating mkbound=\"7\" rhopbody=\"500\"/></floatings>\n";
    EXPECT_TRUE(says(lint(water, t), "floating mkbound 7 has no particles"));
    EXPECT_TRUE(says(lint(R"(<setmkbound mk="3"/><drawpoint x="0.5" y="0" z="0.5"/>)" + std::string(water)),
                     "nothing of it is left"));
}
