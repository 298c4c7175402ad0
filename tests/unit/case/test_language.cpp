// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"

#include "case/read_case.h"
#include "case_text.h"
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace sluice;

TEST(Language, WordsAreUniqueAndExplained) {
    std::set<std::pair<Section, std::string>> seen;
    for (const LanguageEntry& e : language()) {
        EXPECT_TRUE(seen.emplace(e.section, e.name).second) << e.name;
        EXPECT_GT(std::string(e.meaning).size(), 3u) << e.name;
        if (e.support == Support::refused) {
            EXPECT_NE(std::string(e.advice), "") << e.name;
        }
        EXPECT_NE(explain_language().find(e.name), std::string::npos);
    }
}

// Whatever the table says of a parameter, the reader does.
TEST(Language, EveryParameterIsReadAsTheTableSays) {
    for (const LanguageEntry& e : language()) {
        if (e.section != Section::parameter) continue;
        test::CaseText t;
        const std::string value = *e.fallback ? e.fallback : std::string(e.name) == "DomainFixed" ? "0:0:0:1:1:1" : "1";
        t.parameters = std::string("<parameter key=\"") + e.name + "\" value=\"" + value + "\"/>";
        CaseOverrides o;
        o.allow_unsupported = true;
        const Case c = read_case_text(t.text(), "case.xml", o);
        const bool refused_always = e.support == Support::refused && !*e.fallback;
        EXPECT_EQ(!c.unsupported_in_run.empty(), refused_always) << e.name;
    }
}

// Words without effect are named once, together.
TEST(Language, IgnoredWordsAreNamed) {
    test::CaseText t;
    t.commands += "<cellsout file=\"a\"/><cellsout file=\"b\"/>";
    t.parameters = "<parameter key=\"WrnPartsOut\" value=\"2\"/>";
    t.special = "<savedt/>";
    const Case c = read_case_text(t.text(), "case.xml", {});
    ASSERT_EQ(c.diagnostics.size(), 1u);
    EXPECT_EQ(c.diagnostics[0].level, Diagnostic::Level::info);
    EXPECT_NE(c.diagnostics[0].message.find("WrnPartsOut (line 17), cellsout (line 14), savedt (line 16)"),
              std::string::npos)
        << c.diagnostics[0].message;
}

TEST(Language, DocumentationHasTheTable) {
    std::ifstream in(std::string(SLUICE_SOURCE_DIR) + "/docs/case-format.md");
    std::stringstream text;
    text << in.rdbuf();
    EXPECT_NE(text.str().find(language_markdown()), std::string::npos)
        << "docs/case-format.md must contain the Markdown form of the table:\n"
        << language_markdown();
}
