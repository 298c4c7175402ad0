// SPDX-License-Identifier: Apache-2.0
#include "case/repair.h"

#include "case/read_case.h"
#include "case_text.h"
#include <gtest/gtest.h>

using namespace sluice;
using sluice::test::CaseText;

namespace {

std::string repaired(const std::string& text, int line = 0, const char* what = nullptr) {
    std::vector<Repair> repairs;
    const std::string out = repair_xml(text, repairs);
    EXPECT_EQ(repairs.size(), what ? 1u : 0u) << text;
    if (what && !repairs.empty()) {
        EXPECT_EQ(repairs[0].line, line);
        EXPECT_NE(repairs[0].what.find(what), std::string::npos) << repairs[0].what;
    }
    return out;
}

bool warns_at(const Case& c, int line, const std::string& part) {
    for (const Diagnostic& d : c.diagnostics)
        if (d.where.line == line && d.message.find(part) != std::string::npos) return true;
    return false;
}

} // namespace

TEST(Repair, LeavesWellFormedTextAlone) {
    for (const char* text : {"<a x=\"1\" y='2'/>", "<?xml version=\"1.0\"?>\n<a>t</a>", "<!-- a - b --><a/>",
                             "<!---- ruler ----><a/>", "<a><![CDATA[<b>]]></a>"})
        EXPECT_EQ(repaired(text), text);
}

TEST(Repair, PutsRightWhatHasOneMeaning) {
    EXPECT_EQ(repaired("<!-- c -->\n<?xml version=\"1.0\"?>\n<a/>", 2, "declaration"), "<!-- c -->\n\n<a/>");
    EXPECT_EQ(repaired("\xEF\xBB\xBF<a/>"), "<a/>");
    EXPECT_EQ(repaired("<a>\n<b if=\"Dp<0.1\"/></a>", 2, "in an attribute"), "<a>\n<b if=\"Dp&lt;0.1\"/></a>");
    EXPECT_EQ(repaired("<a x=\"1\"y=\"2\"/>", 1, "no blank"), "<a x=\"1\" y=\"2\"/>");
    EXPECT_EQ(repaired("<a>1 < 2</a>", 1, "in text"), "<a>1 &lt; 2</a>");
    repaired("<a/>\n<!-- x -- y -->", 2, "--");
}

TEST(Repair, TextMayEndAnywhere) {
    EXPECT_EQ(repaired("<a/><", 1, "in text"), "<a/>&lt;");
    EXPECT_EQ(repaired("<a/></", 1, "in text"), "<a/>&lt;/");
    for (const char* text : {"", "<a", "</a", "<a x", "<a x=", "<a x=\"", "<a x=\"1", "<a x=\"1\"", "<!", "<!-- b",
                             "<!-- b --", "<?", "<?xml", "<?xml ?", "<![CDATA[ b", "a\n"})
        EXPECT_EQ(repaired(text), text);
    const std::string whole = "<?xml version=\"1.0\"?>\n<!-- b -->\n<a x=\"1\" y='2'><b>t</b></a>\n";
    for (std::size_t length = 0; length < whole.size(); ++length) {
        std::vector<Repair> repairs;
        const std::string out = repair_xml(whole.substr(0, length), repairs);
        const bool bracket = length > 0 && (whole[length - 1] == '<' || whole.substr(length - 2, 2) == "</");
        EXPECT_EQ(repairs.size(), bracket ? 1u : 0u) << whole.substr(0, length);
        EXPECT_EQ(out == whole.substr(0, length), !bracket);
    }
}

TEST(Repair, CasesAreReadWithWarnings) {
    CaseText t;
    t.commands = "<setmkfluid mk=\"0\"/><abort if=\"Dp<0.01\" text=\"too fine\"/>\n<!-- a -- b -->\nstray "
                 "words\n<drawpoint x=\"0\"y=\"0\" z=\"0\"/>";
    const Case c = read_case_text("<!-- first -->" + t.text(), "case.xml");
    EXPECT_TRUE(warns_at(c, 1, "declaration"));
    EXPECT_TRUE(warns_at(c, 13, "\"<\" in an attribute"));
    EXPECT_TRUE(warns_at(c, 14, "\"--\""));
    EXPECT_TRUE(warns_at(c, 16, "no blank"));
    bool stray = false;
    for (const Diagnostic& d : c.diagnostics) stray = stray || d.message.find("stray words") != std::string::npos;
    EXPECT_TRUE(stray);
    EXPECT_EQ(c.commands.size(), 3u);
}

// What these files ask for would take all memory, or years: the test would not come to an end.
TEST(Safety, AbsurdCasesAreRefused) {
    const auto refused = [](const std::string& text) { EXPECT_THROW(read_case_text(text, "case.xml"), InputError); };
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += "<a>";
    refused(deep);
    refused(std::string(1 << 20, '<'));
    refused("<case>" + std::string(1 << 20, '"'));
    refused("<!DOCTYPE lolz [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><case>&b;</case>");
    CaseText t;
    t.commands = "<newvarstr t=\"ab\"/>";
    for (int i = 0; i < 60; ++i) t.commands += "<setvarstr t=\"[t][t]\"/>";
    refused(t.text());
    t = {};
    t.commands = "<newvar a=\"" + std::string(5000, '1') + "\"/>";
    refused(t.text());
    t = {};
    t.commands = "<runlist name=\"a\" times=\"1000\"/></mainlist><list name=\"a\"><runlist name=\"b\" "
                 "times=\"1000\"/></list><list name=\"b\"><runlist name=\"c\" times=\"1000\"/></list><list "
                 "name=\"c\"/><mainlist>";
    refused(t.text());
    t = {};
    t.definition = R"(<definition dp="1e-6"><pointmin x="0" y="0" z="0"/><pointmax x="9" y="9" z="9"/></definition>)";
    refused(t.text());
}
