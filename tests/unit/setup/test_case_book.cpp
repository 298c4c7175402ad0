// SPDX-License-Identifier: Apache-2.0
#include "../pages.h"
#include "../values_of.h"
#include "case/read_case.h"
#include "case_book.h"
#include "core/error.h"
#include "geometry/generate.h"
#include "setup/setup.h"
#include "temporary_folder.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>

// Cases of every word with unusual values, and the examples of docs/case-format.md, with every value that the case, its
// particles and its run have because of them, and with what is said to values that are nonsense: see
// case_book/README.md.

using namespace sluice;
using namespace sluice::test;

namespace {

constexpr double rounding = 2e-7; // a place of single precision

/// The message without the folder.
std::string message_of(const std::exception& error, const std::filesystem::path& data) {
    std::string text = error.what();
    const std::string prefix = data.string() + "/";
    for (auto at = text.find(prefix); at != text.npos; at = text.find(prefix)) text.erase(at, prefix.size());
    std::ranges::replace(text, '\n', ' ');
    return text;
}

/// All values that the text makes, or the message that it stops with.
std::vector<std::string> values_of(const std::string& text, const std::filesystem::path& data) {
    try {
        CaseOverrides overrides;
        overrides.allow_unsupported = true;
        Case c = read_case_text(text, data / "case.xml", overrides);
        c.source.clear();
        std::erase_if(c.effective, [](const EffectiveValue& value) { return !value.given; }); // those at their defaults
        const ParticleSet set = generate_particles(c, c.diagnostics);
        const RunSetup setup = make_run_setup(c, set);
        Values values("");
        values.put(c);
        values.put(set);
        values.put(setup);
        values.put(make_initial_state(c, set, setup));
        std::vector<std::string> lines = values.lines();
        for (std::string& line : lines) std::ranges::replace(line, '\n', ' ');
        return lines;
    } catch (const InputError& error) {
        return {"stops: " + message_of(error, data)};
    }
}

/// Of the lines those that the box of water without anything else has not.
std::vector<std::string> without(const std::vector<std::string>& lines, const std::vector<std::string>& base) {
    const std::set<std::string> known(base.begin(), base.end());
    std::vector<std::string> left;
    for (const std::string& line : lines)
        if (!known.contains(line)) left.push_back(line);
    return left;
}

/// Lines "where: value" by where they are, which is told apart by a number where several lines have the same.
std::map<std::string, std::string> by_place(const std::vector<std::string>& lines) {
    std::map<std::string, std::string> places;
    std::map<std::string, int> times;
    for (const std::string& line : lines) {
        const std::string place = line.substr(0, line.find(": "));
        places.emplace(fmt::format("{} {}", place, times[place]++), line);
    }
    return places;
}

/// What a change of a value has changed: how many lines, the first of them, and how many particles there are of each
/// mk. Lines are known by their names, so that a new member moves none of them.
std::string difference(const std::vector<std::string>& from, const std::vector<std::string>& to) {
    const std::map<std::string, std::string> old_lines = by_place(from), new_lines = by_place(to);
    std::set<std::string> changed;
    for (const auto& [place, line] : new_lines) {
        const auto old = old_lines.find(place);
        if (old == old_lines.end() || !alike(old->second, line, rounding, 0.01 * rounding)) changed.insert(line);
    }
    std::size_t gone = 0;
    std::string first_gone;
    for (const auto& [place, line] : old_lines)
        if (!new_lines.contains(place) && gone++ == 0) first_gone = "no " + line;
    if (changed.empty() && gone == 0) return "changes nothing";
    const auto first = std::ranges::find_if(to, [&](const std::string& line) { return changed.contains(line); });
    std::string text =
        fmt::format("changes {} lines: {}, particles", changed.size() + gone, first != to.end() ? *first : first_gone);
    static const std::regex count(R"(ParticleSet\.blocks\.\d+\.ParticleGroup: .*\bcount=(\d+).*)");
    std::smatch match;
    for (const std::string& line : to)
        if (std::regex_match(line, match, count)) text += " " + match[1].str();
    return text;
}

/// An element of a text: where it begins, its name, where its first tag ends and where it ends itself.
struct FoundElement {
    std::size_t begin;
    std::string name;
    std::size_t tag_end, end;
};

/// All of a text, without comments.
std::vector<FoundElement> elements_of(const std::string& text) {
    static const std::regex tag("<(\\w+)[^>]*>");
    std::vector<FoundElement> found;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), tag); at != std::sregex_iterator(); ++at) {
        FoundElement e{std::size_t(at->position()), (*at)[1], std::size_t(at->position() + at->length()), 0};
        e.end = e.tag_end;
        if (text[e.tag_end - 2] != '/') {
            const std::string opens = "<" + e.name, closes = "</" + e.name + ">";
            for (std::size_t depth = 1, next = e.tag_end; depth > 0 && next != text.npos;) {
                const std::size_t close = text.find(closes, next), open = text.find(opens, next);
                if (close == text.npos) break;
                if (open < close && std::string(" />").find(text[open + opens.size()]) != std::string::npos)
                    if (text[text.find('>', open) - 1] != '/') ++depth;
                if (open < close) {
                    next = open + 1;
                } else {
                    --depth;
                    next = close + closes.size();
                    e.end = next;
                }
            }
        }
        if (text.compare(e.end - 2, 2, "/>") == 0 || text.compare(e.end - e.name.size() - 3, 2, "</") == 0)
            found.push_back(e); // it ends in this text
    }
    return found;
}

class CaseBook : public testing::Test {
protected:
    CaseBook() { book.write_files(data.path()); }

    Book book;
    TemporaryFolder data;
};

} // namespace

// The numbers that the others are compared with begin from these.
TEST_F(CaseBook, TheBoxOfWaterIsWhatAPencilMakesOfIt) {
    Case c = read_case_text(text_of({}), data.path() / "case.xml", {});
    const ParticleSet set = generate_particles(c, c.diagnostics);
    ASSERT_EQ(set.blocks.size(), 2U);
    EXPECT_EQ(set.blocks[0].count, 11U * 11U);
    EXPECT_EQ(set.blocks[1].count, 11U * 11U * 9U);
    EXPECT_NEAR(set.blocks[1].deviation.x, 0.1 * std::sqrt((11 * 11 - 1) / 12.0), 1e-12);
    EXPECT_NEAR(set.blocks[1].deviation.z, 0.1 * std::sqrt((9 * 9 - 1) / 12.0), 1e-12);
    EXPECT_NEAR(set.still_water_depth, 0.8, 1e-12); // from the lowest fluid node to the highest
    const RunSetup setup = make_run_setup(c, set);
    const sph::Constants& constants = setup.constants;
    EXPECT_NEAR(constants.h, std::sqrt(3.0) * 0.1, 1e-12);
    EXPECT_NEAR(constants.c0, 20 * std::sqrt(9.81 * 0.8), 1e-9);
    EXPECT_NEAR(constants.b, 400 * 9.81 * 0.8 * 1000 / 7, 1e-6);
    EXPECT_NEAR(constants.mass_fluid, 1, 1e-12);
    EXPECT_NEAR(constants.eta2, 0.01 * 0.03, 1e-12);
    EXPECT_NEAR(constants.dt_min, 0.05 * constants.h / constants.c0, 1e-15);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(setup.domain.min[axis], -constants.h / 20, 1e-12);
    EXPECT_NEAR(setup.domain.max.z, 0.9 + constants.h / 20, 1e-12);
    const ParticleState state = make_initial_state(c, set, setup);
    const double deepest = 1000 * std::pow(1 + 1000 * 9.81 * 0.8 / constants.b, 1 / 7.0);
    EXPECT_NEAR(state.density[121], deepest, 1e-4);
    EXPECT_EQ(state.density[0], 1000.f);
}

/// Compares with a page of the book, which has the names of members.
static void expect_book(const std::vector<Page>& pages, const char* file) {
    if (!members_have_names) GTEST_SKIP() << "this compiler does not tell the names of members";
    expect_pages(pages, book_folder / file, rounding, 0.01 * rounding);
}

TEST_F(CaseBook, CasesMakeWhatIsWrittenDown) {
    const std::vector<std::string> base = values_of(text_of({}), data.path());
    std::vector<Page> pages{{"box of water", base}};
    for (const BookCase& c : book.cases)
        pages.emplace_back(c.name, without(values_of(text_of(c.blocks), data.path()), base));
    expect_book(pages, "values.txt");
}

TEST_F(CaseBook, OtherValuesDoWhatIsWrittenDown) {
    const std::regex attribute(R"re( (\w+)="([^"]*)")re"), number(R"([-+]?[\d.]+(e-?\d+)?)");
    const std::set<std::string> costly{"freq", "ampl", "waveheight", "waveheight2"}; // where they are huge
    std::vector<Page> pages;
    std::set<std::string> asked; // one answer to a question
    for (const BookCase& c : book.cases) {
        Page page{c.name, {}};
        const std::vector<std::string> original = values_of(text_of(c.blocks), data.path());
        for (std::size_t n = 0; n < c.blocks.size(); ++n)
            for (auto at = std::sregex_iterator(c.blocks[n].begin(), c.blocks[n].end(), attribute);
                 at != std::sregex_iterator(); ++at) {
                const std::string name = (*at)[1], value = (*at)[2];
                const std::size_t tag = c.blocks[n].rfind('<', std::size_t(at->position()));
                const std::string element =
                    c.blocks[n].substr(tag + 1, c.blocks[n].find_first_of(" />", tag) - tag - 1);
                const bool is_number = std::regex_match(value, number);
                for (const char* other : {"", "-7", "0", "3e6", "some"}) {
                    const bool huge = other == std::string("3e6");
                    if (name == "y" || name == "z" || (name == "x" && other != std::string("-7"))) continue;
                    if (huge && (name == "ang" || costly.contains(element))) continue;
                    if (value == other || is_number == (other == std::string("some"))) continue;
                    std::vector<std::string> blocks = c.blocks;
                    blocks[n].replace(std::size_t(at->position()), std::size_t(at->length()),
                                      *other ? " " + name + "=\"" + other + "\"" : "");
                    const std::vector<std::string> made = values_of(text_of(blocks), data.path());
                    const std::string answer = element + " " + name +
                                               (*other ? std::string("=") + other : " left out") + ": " +
                                               (made.size() == 1 ? made[0] : difference(original, made));
                    if (asked.insert(answer).second) page.second.push_back(answer);
                }
            }
        if (!page.second.empty()) pages.push_back(page);
    }
    expect_book(pages, "other_values.txt");
}

// As other_values.txt has it of attributes: what becomes of a case when one of its elements is left out or stands
// twice, or has an attribute or an element in it that nobody knows.
TEST_F(CaseBook, OtherElementsDoWhatIsWrittenDown) {
    std::vector<Page> pages;
    std::set<std::string> asked; // an element is tried once in all that begins with the same one
    for (const BookCase& c : book.cases) {
        Page page{c.name, {}};
        const std::vector<std::string> original = values_of(text_of(c.blocks), data.path());
        for (std::size_t n = 0; n < c.blocks.size(); ++n)
            for (const FoundElement& e : elements_of(c.blocks[n])) {
                const std::string& block = c.blocks[n];
                const std::string whole = block.substr(e.begin, e.end - e.begin);
                const bool is_empty = e.end == e.tag_end;
                const std::string place = block.substr(0, block.find_first_of(" />")) + " " + e.name + " ";
                const auto ask = [&](const std::string& what, const std::string& with) {
                    if (!asked.insert(place + what).second) return;
                    std::vector<std::string> blocks = c.blocks;
                    blocks[n].replace(e.begin, e.end - e.begin, with);
                    const std::vector<std::string> made = values_of(text_of(blocks), data.path());
                    page.second.push_back(e.name + " " + what + ": " +
                                          (made.size() == 1 ? made[0] : difference(original, made)));
                };
                const std::size_t name_end = 1 + e.name.size();
                if (whole.size() + 1 < block.size()) ask("left out", "");
                if (e.begin > 0) ask("twice", whole + whole);
                ask("with an attribute more", whole.substr(0, name_end) + " unheard=\"1\"" + whole.substr(name_end));
                ask("with an element more",
                    is_empty ? whole.substr(0, whole.size() - 2) + "><unheard/></" + e.name + ">"
                             : whole.substr(0, e.tag_end - e.begin) + "<unheard/>" + whole.substr(e.tag_end - e.begin));
            }
        if (!page.second.empty()) pages.push_back(page);
    }
    expect_book(pages, "other_elements.txt");
}
