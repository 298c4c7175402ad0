// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/read_case.h"
#include "documented_examples.h"
#include "geometry/generate.h"
#include "setup/setup.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

// docs/case-format.md shows every word of the language at work, and the examples of its last section run as they stand.

using namespace sluice;
using namespace sluice::test;

namespace {

/// A box of water with an example in its place.
CaseText with(const std::string& block) {
    CaseText text = box_of_water();
    put_example(text, block);
    return text;
}

/// Whether reading the case says something in which the word stands.
bool says(const std::string& text, const std::string& word) {
    try {
        const Case c = read_case_text(text, "case.xml", {});
        return std::ranges::any_of(c.diagnostics,
                                   [&](const Diagnostic& d) { return d.message.find(word) != std::string::npos; });
    } catch (const InputError& e) {
        return std::string(e.what()).find(word) != std::string::npos;
    }
}

bool shown(const LanguageEntry& word, const std::string& all) {
    if (word.section == Section::parameter) return all.find("key=\"" + std::string(word.name) + "\"") != all.npos;
    const std::string tag = std::string("<") + word.name;
    for (std::size_t at = all.find(tag); at != all.npos; at = all.find(tag, at + 1))
        if (!std::isalnum(static_cast<unsigned char>(all[at + tag.size()])) && all[at + tag.size()] != '_') return true;
    return false;
}

} // namespace

TEST(DocumentedWords, ExamplesRunAsTheyStand) {
    const auto blocks = documented_examples("Every other word, by example");
    ASSERT_GT(blocks.size(), 10u);
    for (const std::string& block : blocks) {
        SCOPED_TRACE(block);
        try {
            Case c = read_case_text(with(block).text(), "case.xml", {});
            const ParticleSet particles = generate_particles(c, c.diagnostics);
            const RunSetup setup = make_run_setup(c, particles);
            EXPECT_EQ(make_initial_state(c, particles, setup).size(), particles.size());
            for (const Diagnostic& d : c.diagnostics)
                EXPECT_NE(d.level, Diagnostic::Level::error) << d.where.text() << d.message;
        } catch (const InputError& e) {
            ADD_FAILURE() << e.what();
        }
    }
}

TEST(DocumentedWords, LeaveNoWordOfTheLanguageOut) {
    std::string all;
    for (const std::string& block : documented_examples()) all += block;
    for (const LanguageEntry& word : language())
        if (word.support != Support::refused) {
            EXPECT_TRUE(shown(word, all))
                << word.name << " (" << section_name(word.section) << ") has no example in docs/case-format.md";
        }
}

TEST(DocumentedWords, NoElementHasAttributesThatMeanNothing) {
    const std::set<std::string> free_words{"newvar", "newvarcte", "newvarstr"}; // whose attributes are variables
    // what only holds others, whose content or presence alone counts, or which is left out as a whole
    const std::set<std::string> without_attributes{
        "boxfill",          "case",       "casedef",     "cellsout",     "commands",  "constantsdef", "debugout",
        "default",          "dpctesload", "dpctesreset", "dpctessave",   "execution", "exportvar",    "finish",
        "ftsupport",        "gauges",     "geometry",    "initialize",   "initials",  "interval",     "mainlist",
        "normals",          "onlypos",    "parameters",  "pattern",      "patterns",  "pointsmkout",  "savedt",
        "simulationdomain", "special",    "start",       "svnormaldata", "svnormals", "svshapes",     "timeout"};
    std::set<std::string> tried, silent;
    for (const std::string& block : documented_examples("Every other word, by example")) {
        const std::string text = with(block).text();
        for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
            std::size_t end = at + 1;
            while (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_') ++end;
            const std::string name = text.substr(at + 1, end - at - 1);
            if (name.empty() || free_words.contains(name)) continue;
            std::string other = text;
            other.insert(end, " nonsense=\"1\"");
            tried.insert(name);
            if (!says(other, "nonsense")) silent.insert(name);
        }
    }
    EXPECT_GT(tried.size(), 100u);
    for (const std::string& name : silent) EXPECT_TRUE(without_attributes.contains(name)) << name;
}
