// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include "core/error.h"
#include <gtest/gtest.h>

using namespace sluice;
using sluice::test::CaseText;

namespace {

Case read_parts(const std::string& special) {
    CaseText text;
    text.commands = R"(<setmkbound mk="50"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/>
<size x="0.3" y="2" z="0.3"/></drawbox><setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.5" y="-1" z="0"/>
<size x="1" y="2" z="1"/></drawbox>)";
    text.casedef = R"(<floatings><floating mkbound="50"><massbody value="10"/></floating></floatings>)";
    text.special = "\n" + special;
    return read_case_text(text.text(), "case.xml", {});
}

/// Filters in a selection that begins with nothing.
OutputParts filters_of(const std::string& text) {
    return *read_parts(R"(<outputparts preselection="none">)" + text + "</outputparts>").output_parts;
}

void refuses_parts(const std::string& text, const std::string& part) {
    try {
        read_parts(text);
        ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
        EXPECT_TRUE(std::string(e.what()).starts_with("case.xml:")) << e.what();
    }
}

void refuses_filter(const std::string& text, const std::string& part) {
    refuses_parts("<outputparts preselection=\"none\">\n" + text + "</outputparts>", part);
}

} // namespace

TEST(ReadOutputParts, AllParticlesNeedNoSelection) {
    EXPECT_FALSE(read_parts("").output_parts);
    EXPECT_FALSE(read_parts(R"(<outputparts preselection="all"><ignore nparts="10"/></outputparts>)").output_parts);
    EXPECT_FALSE(read_parts(R"(<outputparts preselection="none" active="false"/>)").output_parts);
}

TEST(ReadOutputParts, EveryFilter) {
    const OutputParts parts = filters_of(R"(<ignore nparts="7"/>
<filterpos operation="add"><posmin x="1"/><posmax x="2" z="3"/></filterpos>
<filterplane operation="del" inverse="true"><point x="1" y="0" z="2"/><vector x="0" y="0" z="5"/><distance v="0.1"/></filterplane>
<filtersphere operation="confirm"><ftfollow mkbound="50"/><radius v="0.3"/></filtersphere>
<filtercylinder operation="add"><ftfollow mk="60"/><point1 x="0" y="0" z="0"/><point2 x="0" y="0" z="2"/></filtercylinder>
<filtertype operation="add"><type v="Floating, fluid"/></filtertype>
<filtermk operation="add"><mk v="1"/></filtermk>
<filtermk operation="add"><mkbound v="50-52"/></filtermk>
<filtertype operation="add" active="0"><type v="nonsense"/></filtertype>
<filtergroup preselection="all" operation="del"><filtertype operation="del"><type v="bound"/></filtertype></filtergroup>)");
    EXPECT_EQ(parts.whole_every, 7);
    EXPECT_FALSE(parts.selection.all);
    const auto& f = parts.selection.filters;
    ASSERT_EQ(f.size(), 8U);
    const auto& box = std::get<BoxFilter>(f[0].rule);
    EXPECT_EQ(box.min.x, 1);
    EXPECT_EQ(box.min.z, -BoxFilter::none);
    EXPECT_EQ(box.max.y, BoxFilter::none);
    EXPECT_EQ(box.max.z, 3);
    EXPECT_EQ(f[0].operation, FilterOperation::add);
    EXPECT_FALSE(f[0].inverse || f[0].follow);
    EXPECT_EQ(std::get<PlaneFilter>(f[1].rule).vector.z, 1);
    EXPECT_EQ(std::get<PlaneFilter>(f[1].rule).distance, 0.1);
    EXPECT_TRUE(f[1].inverse);
    EXPECT_EQ(f[1].operation, FilterOperation::del);
    EXPECT_EQ(f[2].operation, FilterOperation::confirm);
    EXPECT_EQ(f[2].follow, 50);
    EXPECT_FALSE(std::get<SphereFilter>(f[2].rule).centre);
    EXPECT_EQ(std::get<SphereFilter>(f[2].rule).radius, 0.3);
    EXPECT_EQ(f[3].follow, 50); // mk 60 is mkbound 50 after nine fluids
    EXPECT_EQ(std::get<CylinderFilter>(f[3].rule).point2.z, 2);
    EXPECT_EQ(std::get<CylinderFilter>(f[3].rule).radius, BoxFilter::none);
    EXPECT_EQ(std::get<TypeFilter>(f[4].rule).types, (std::array<bool, 4>{false, false, true, true}));
    EXPECT_EQ(std::get<MkFilter>(f[5].rule).stored_last, 1);
    EXPECT_EQ(std::get<MkFilter>(f[6].rule).stored_first, 60);
    EXPECT_EQ(std::get<MkFilter>(f[6].rule).stored_last, 62);
    const auto& group = std::get<FilterGroup>(f[7].rule);
    EXPECT_TRUE(group.all);
    ASSERT_EQ(group.filters.size(), 1U);
    EXPECT_EQ(std::get<TypeFilter>(group.filters[0].rule).types, (std::array<bool, 4>{true, true, true, false}));
}

TEST(ReadOutputParts, SaysWhatIsWrong) {
    refuses_parts("<outputparts/>", "preselection");
    refuses_parts(R"(<outputparts preselection="some"/>)", "\"some\" is none of all, none");
    refuses_parts(R"(<outputparts preselection="none"/><outputparts preselection="none"/>)", "beside that of line");
    refuses_filter(R"(<ignore nparts="-1"/>)", "nparts is -1");
    refuses_filter(R"(<ignore nparts="2.5"/>)", "nparts");
    refuses_filter(R"(<filterpos><posmin x="1"/></filterpos>)", "operation");
    refuses_filter(R"(<filterpos operation="remove"><posmin x="1"/></filterpos>)",
                   "\"remove\" is none of add, del, confirm");
    refuses_filter(R"(<filterpos operation="add"><posmn x="1"/></filterpos>)", "posmn");
    refuses_filter(R"(<filterpos operation="add"><posmin x="2"/><posmax x="1"/></filterpos>)", "swap them");
    refuses_filter(R"(<filterbox operation="add"/>)", "is no filter");
    refuses_filter(
        R"(<filterplane operation="add"><point x="1" y="0" z="2"/><vector x="0" y="0" z="0"/></filterplane>)",
        "no length");
    refuses_filter(R"(<filtersphere operation="add"><radius v="1"/></filtersphere>)", "centre");
    refuses_filter(R"(<filtersphere operation="add"><centre x="0" y="0" z="0"/><radius v="-1"/></filtersphere>)",
                   "v is -1");
    refuses_filter(R"(<filtercylinder operation="add"><point1 x="0" y="0" z="0"/><point2 x="0" y="0" z="0"/>
</filtercylinder>)",
                   "the same place");
    refuses_filter(R"(<filtertype operation="add"><type v="fluid,wall"/></filtertype>)", "\"wall\" is none of");
    refuses_filter(R"(<filtermk operation="add"/>)", "neither");
    refuses_filter(R"(<filtermk operation="add"><mk v="1"/><mkfluid v="0"/></filtermk>)", "both");
    refuses_filter(R"(<filtermk operation="add"><mk v="3-1"/></filtermk>)", "goes down");
    refuses_filter(R"(<filtermk operation="add"><mk v="x"/></filtermk>)", "v");
    refuses_filter(R"(<filterpos operation="add"><ftfollow mkbound="7"/><posmin x="1"/></filterpos>)",
                   "mkbound 7 is no floating body");
    refuses_filter(R"(<filterpos operation="add"><ftfollow mkbound="50" mk="60"/><posmin x="1"/></filterpos>)",
                   "either");
    std::string nested = R"(<filtertype operation="add"><type v="fluid"/></filtertype>)";
    for (int k = 0; k < 7; ++k)
        nested = "<filtergroup preselection=\"none\" operation=\"add\">" + nested + "</filtergroup>";
    EXPECT_EQ(filters_of(nested).selection.filters.size(), 1U);
    refuses_filter("<filtergroup preselection=\"none\" operation=\"add\">" + nested + "</filtergroup>",
                   "stands in 7 others");
}
