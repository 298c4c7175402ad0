// SPDX-License-Identifier: Apache-2.0
#include "geometry_case.h"
#include <map>

// Geometries of the example cases of DualSPHysics 4.0 to 5.0 (RedrawComplex, RedrawSimple, RotatedBox, CaseFrBeach,
// GenericWaveTank), with the particles per mk that the reference generator wrote into those files.

using namespace sluice;
using namespace sluice::test;

namespace {

struct Example {
    const char *mkconfig, *before, *definition, *lists, *commands, *casedef;
};

void expect_counts(const Example& e, const std::map<int, std::uint32_t>& expected) {
    CaseText t;
    t.mkconfig = e.mkconfig;
    t.geometry = e.before;
    t.definition = e.definition;
    t.commands = e.commands;
    t.casedef = e.casedef;
    t.constants = R"(<gravity x="0" y="0" z="-9.8065"/><coefh value="1.2"/>)";
    std::string text = t.text();
    text.insert(text.find("<mainlist>"), e.lists);
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    std::vector<Diagnostic> diagnostics;
    const ParticleSet set = generate_particles(read_case_text(text, "case.xml", overrides), diagnostics);
    std::map<int, std::uint32_t> counts;
    for (const ParticleBlock& b : set.blocks) counts[b.mk] = b.count;
    EXPECT_EQ(counts, expected);
}

} // namespace

TEST(FieldExamples, RedrawComplex) {
    const Example example{
        R"x(<mkconfig boundcount="220" fluidcount="8"/>)x",
        R"x()x",
        R"x(<definition dp="0.1"><pointmin x="0" y="0" z="0"/><pointmax x="36.5" y="0" z="13"/></definition>)x",
        R"x(<list name="H"><drawline><point x="0" y="0" z="0"/><point x="0" y="0" z="8"/></drawline><drawline>
<point x="4" y="0" z="0"/><point x="4" y="0" z="8"/></drawline><drawline>
<point x="-0.2" y="0" z="4"/><point x="4.2" y="0" z="4"/></drawline></list><list name="E"><drawline>
<point x="0" y="0" z="0"/><point x="0" y="0" z="8"/></drawline><drawline>
<point x="-0.2" y="0" z="0"/><point x="4.2" y="0" z="0"/></drawline><drawline>
<point x="-0.2" y="0" z="4"/><point x="3.5" y="0" z="4"/></drawline><drawline>
<point x="-0.2" y="0" z="8"/><point x="4.2" y="0" z="8"/></drawline></list><list name="L"><drawline>
<point x="0" y="0" z="0"/><point x="0" y="0" z="8"/></drawline><drawline>
<point x="-0.2" y="0" z="0"/><point x="4.2" y="0" z="0"/></drawline></list><list name="O">
<drawlines><point x="0.5" y="0" z="0"/><point x="3.5" y="0" z="0"/><point x="4" y="0" z="0.5"/>
<point x="4" y="0" z="7.5"/><point x="3.5" y="0" z="8"/><point x="0.5" y="0" z="8"/>
<point x="0" y="0" z="7.5"/><point x="0" y="0" z="0.5"/><point x="0.5" y="0" z="0"/></drawlines>
</list><list name="S"><drawbox><boxfill>solid</boxfill><point x="0.4" y="-1" z="2.6"/>
<size x="0.8" y="2" z="4.5"/></drawbox><drawcylinder radius="0.5" mask="0">
<point x="0.8" y="-1" z="1.1"/><point x="0.8" y="1" z="1.1"/></drawcylinder></list>)x",
        R"x(<setdrawmode mode="full"/><setmkbound mk="0"/><redraw/><move x="2.5" y="0" z="2"/>
<setmkfluid mk="0"/><runlist name="H"/><move x="6.7" y="0" z="0"/><setmkfluid mk="1"/>
<runlist name="E"/><move x="6.3" y="0" z="0"/><setmkfluid mk="2"/><runlist name="L"/>
<move x="6" y="0" z="0"/><setmkfluid mk="3"/><runlist name="L"/><move x="6" y="0" z="0"/>
<setmkfluid mk="4"/><runlist name="O"/><move x="6" y="0" z="0"/><setmkfluid mk="5"/>
<runlist name="S"/><redraw mkfluid="0"/><matrixreset/><setmkfluid mk="0"/><redrawbox mkfluid="5">
<point x="32" y="-1" z="0"/><size x="4" y="2" z="10"/></redrawbox><setmkfluid mk="5"/>
<redrawnear times="7" targettp="bound" targetmk="0" bordertp="fluid" bordermk="5"/>
<setmkfluid mk="1"/>
<redrawnear times="5" targettp="bound" targetmk="0" bordertp="fluid" bordermk="1"/>
<setmkfluid mk="2"/>
<redrawnear times="3" targettp="bound" targetmk="0" bordertp="fluid" bordermk="2"/>
<setmkfluid mk="3"/>
<redrawnear times="1" targettp="bound" targetmk="0" bordertp="fluid" bordermk="3"/><setmkvoid/>
<redrawnear times="1" targettp="bound" targetmk="0" bordertp="fluid"/>
<redrawnearbox times="2" targettp="bound" targetmk="0" bordertp="void"><point x="0" y="-1" z="0"/>
<size x="42" y="2" z="13"/></redrawnearbox>)x",
        R"x()x"};
    expect_counts(example, {{9, 33268}, {1, 511}, {2, 2376}, {3, 917}, {4, 381}, {5, 220}, {6, 3285}});
}

TEST(FieldExamples, RedrawSimple) {
    const Example example{
        R"x(<mkconfig boundcount="220" fluidcount="8"/>)x",
        R"x()x",
        R"x(<definition dp="0.05"><pointmin x="-1" y="0" z="-1"/><pointmax x="36.5" y="0" z="13"/></definition>)x",
        R"x()x",
        R"x(<setdrawmode mode="full"/><setmkbound mk="0"/><drawline><point x="0" y="0" z="2"/>
<point x="0" y="0" z="0"/></drawline><setmkbound mk="1"/><drawline><point x="0" y="0" z="0"/>
<point x="1" y="0" z="0"/></drawline><drawline><point x="1.1" y="0" z="0"/>
<point x="3" y="0" z="0.5"/></drawline><drawline><point x="3.1" y="0" z="0.5"/>
<point x="3.5" y="0" z="0.5"/></drawline><drawline><point x="3.6" y="0" z="0.6"/>
<point x="3.75" y="0" z="0.25"/></drawline><drawlines><point x="3.75" y="0" z="0.25"/>
<point x="4.5" y="0" z="0.25"/><point x="6" y="0" z="2"/></drawlines><setmkbound mk="2"/>
<redrawnear times="1" targettp="void" bordertp="bound" bordermk="1"/><setmkfluid mk="0"/>
<fillbox x="0.5" y="0" z="0.5"><modefill>void</modefill><point x="0" y="-1" z="0"/>
<size x="6" y="2" z="1.5"/></fillbox>)x",
        R"x()x"};
    expect_counts(example, {{9, 40}, {10, 157}, {11, 355}, {1, 2264}});
}

TEST(FieldExamples, RotatedBox) {
    const Example example{
        R"x(<mkconfig boundcount="240" fluidcount="3"/>)x",
        R"x()x",
        R"x(<definition dp="0.005"><pointmin x="-0.2" y="-0.2" z="-0.2"/><pointmax x="3" y="0.7" z="0.3"/>
</definition>)x",
        R"x()x",
        R"x(<setdrawmode mode="full"/><setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill>
<point x="0" y="0" z="0"/><size x="0.25" y="0.5" z="0.1"/></drawbox><setmkbound mk="2"/>
<rotateline ang="40"><point x="0.45" y="0.145" z="0"/><point x="0.45" y="0.145" z="1"/></rotateline>
<drawbox><boxfill>all ^ top ^ bottom</boxfill><point x="0.45" y="0.04" z="0"/>
<size x="0.05" y="0.21" z="0.04"/></drawbox><matrixreset/><setmkbound mk="3"/><drawbox>
<boxfill>all ^ top ^ bottom</boxfill><point x="0.45" y="0.25" z="0"/>
<size x="0.05" y="0.21" z="0.04"/></drawbox><setmkbound mk="0"/><drawbox>
<boxfill>left | front | back</boxfill><point x="0" y="0.0" z="0"/><size x="0.8" y="0.5" z="0.15"/>
</drawbox><setmkbound mk="1"/><drawbox><boxfill>bottom</boxfill><point x="0" y="0.0" z="0"/>
<size x="0.8" y="0.5" z="0.15"/></drawbox>)x",
        R"x(<initials><rotateaxis mkbound="3" angle="-40" anglesunits="degrees">
<axisp1 x="0.45" y="0.355" z="0"/><axisp2 x="0.45" y="0.355" z="1"/></rotateaxis></initials>)x"};
    expect_counts(example, {{4, 12630}, {5, 16261}, {6, 960}, {7, 832}, {1, 99000}});
}

TEST(FieldExamples, BeachOffTheLattice) {
    const Example example{
        R"x(<mkconfig boundcount="230" fluidcount="9"/>)x",
        R"x()x",
        R"x(<definition dp="0.03"><pointmin x="-0.6" y="0" z="-0.6"/><pointmax x="25" y="0" z="2"/></definition>)x",
        R"x()x",
        R"x(<newvar Tankx0="-0.5" Tankz0="0"/><newvar Tankx1="6" Tankz1="0"/><newvar Tankx2="16" Tankz2="1"/>
<newvar Hdp="Dp/2"/><exportvar vars="Hdp"/><setdrawmode mode="full"/><setmkbound mk="10"/><drawbox>
<boxfill>solid</boxfill><point x="#-Dp*3" y="-1" z="#Tankz0"/>
<size x="#Dp*3" y="2" z="#Tankz2-Tankz0"/></drawbox><setmkbound mk="0"/><setfrdrawmode auto="true"/>
<drawextrude closed="false"><extrude x="0" y="2" z="0"/><point x="#Tankx0" y="-1" z="#Tankz0"/>
<point x="#Tankx1" y="-1" z="#Tankz1"/><point x="#Tankx2" y="-1" z="#Tankz2"/>
<layers vdp="0,-1,-2"/></drawextrude><setfrdrawmode auto="false"/><setmkfluid mk="0"/>
<fillbox x="0.5" y="0" z="0.05"><modefill>void</modefill><point x="-1" y="-1" z="-1"/>
<size x="20" y="2" z="1.66"/></fillbox>)x",
        R"x()x"};
    expect_counts(example, {{10, 1659}, {20, 132}, {1, 6353}});
}

TEST(FieldExamples, GenericWaveTank) {
    const Example example{
        R"x(<mkconfig boundcount="241" fluidcount="2"/>)x",
        R"x(<predefinition><newvarcte case3d="false" _rem="x"/><newvarcte use_awas="true"/>
<newvarcte use_damping="true"/><newvarcte use_beach="true"/><newvarcte depth="2.6"/>
<newvarcte wperiod="2.0" wheight="0.14"/><newvarcte ang="25"/><newvarcte pt="5"/>
<newvarcte n_up="1" n_down="0"/><newvarcte tankw="1.0"/>
<newvarcte wlen="wavelength(-Gravity_z,depth,wperiod)" _print="1"/>
<newvarcte sk="wlen*0.3" _print="1"/><newvarcte tankh="depth+wheight*2"/>
<newvarcte tankx="wlen*(n_up+1+n_down)"/>
<newvarcte dlen="eval(use_beach,tankh/tandg(ang),wlen*0.5)"/><newvarcte tankxtot="sk+tankx+dlen"/>
<newvarcte modelx="(n_up+0.5)*wlen"/></predefinition>)x",
        R"x(<definition dp="0.02">
<pointmin x="#-modelx-sk-Dp" y="#eval(case3d,-tankw/2-Dp*pt,0)" z="#-depth-Dp*pt"/>
<pointmax x="#-modelx+tankxtot" y="#eval(case3d,tankw/2+Dp*pt,0)" z="#wheight*2+Dp"/></definition>)x",
        R"x(<list name="TankWall" printcall="false"><setshapemode if="#walln&gt;0">bound</setshapemode>
<drawpolygon><point x="#-sk" y="#wallx" z="#-dpt"/><point x="#tankx" y="#wallx" z="#-dpt"/>
<point x="#tankx+dlen+dpt" y="#wallx" z="#tankh"/></drawpolygon><setvar wallx="wallx+wallix"/>
<setvar walln="walln+1"/></list>)x",
        R"x(<exportvar vars="depth"/>
<abort if="use_beach @@ (ang&lt;2 || ang&gt;90)" text="Beach angle (#ang#) is not in the range [1-90].\n It is invalid."/>
<newvarcte Ur="(wheight*pow(wlen,2))/(pow(depth,2))" _rem="Ursell number"/>
<printf text="==>> Wave steepness parameter..: #wheight/wlen#"/><newvarcte dpt="(pt-1)*Dp"/>
<setdrawmode mode="full"/><move x="#-modelx" y="0" z="#-depth"/><setmkbound mk="2"/><drawbox>
<boxfill>solid</boxfill><point x="#-dpt" y="#-0.5*tankw" z="0"/>
<size x="#dpt" y="#tankw" z="#tankh"/></drawbox><setmkbound mk="0"/><drawextrude closed="false">
<point x="#-sk" y="#-0.5*tankw" z="0"/><point x="#tankx" y="#-0.5*tankw" z="0"/>
<point x="#tankx+eval(use_beach,dlen/2,dlen)" y="#-0.5*tankw" z="#eval(use_beach,tankh/2,0)"/>
<point x="#tankx+dlen" y="#-0.5*tankw" z="#tankh"/><extrude x="0" y="#tankw" z="0"/>
<layers vdp="0*,-1,-2,-3"/></drawextrude><newvar wallx="-0.5*tankw" wallix="-Dp" walln="0"/>
<runlist name="TankWall" times="#eval(case3d,pt,0)"/>
<setvar wallx="0.5*tankw" wallix="Dp" walln="0"/>
<runlist name="TankWall" times="#eval(case3d,pt,0)"/><setmkfluid mk="0"/>
<fillbox x="#0.5*wlen" y="0" z="#0.5*depth"><modefill>void</modefill>
<point x="0" y="#-0.5*tankw" z="0"/><size x="#tankxtot+1" y="#tankw" z="#depth"/></fillbox>
<matrixreset/><setmkbound mk="1"/><drawbox><boxfill>solid</boxfill>
<point x="-0.3" y="#-0.2*tankw" z="-0.2"/><size x="0.6" y="#0.4*tankw" z="0.4"/></drawbox>)x",
        R"x()x"};
    expect_counts(example, {{3, 4287}, {4, 651}, {5, 720}, {1, 97122}});
}
