// SPDX-License-Identifier: Apache-2.0
#include "../case/case_text.h"
#include "../values_of.h"
#include "case/read_case.h"
#include "core/error.h"
#include "documented_examples.h"
#include "geometry/generate.h"
#include "setup/setup.h"
#include "temporary_folder.h"
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

// Cases of every word with unusual values, and the examples of docs/case-format.md, with every value that the case, its
// particles and its run have because of them, and with what is said to values that are nonsense: see
// case_book/README.md.

using namespace sluice;
using namespace sluice::test;

namespace {

const std::filesystem::path book_folder = std::filesystem::path(SLUICE_SOURCE_DIR) / "tests/unit/setup/case_book";

struct BookCase {
    std::string name;
    std::vector<std::string> blocks; ///< elements, one after the other
};

/// cases.txt: "file NAME" and "case NAME" begin what stands below them. Elements of a case are apart by empty lines.
struct Book {
    std::vector<BookCase> cases;
    std::vector<std::pair<std::string, std::string>> files;

    Book() {
        std::ifstream in(book_folder / "cases.txt");
        std::string* text = nullptr;
        for (std::string line; std::getline(in, line);) {
            if (line.starts_with("file ")) {
                text = &files.emplace_back(line.substr(5), "").second;
            } else if (line.starts_with("case ")) {
                text = &cases.emplace_back(line.substr(5), std::vector<std::string>{""}).blocks.back();
            } else if (line.empty() && !cases.empty()) {
                if (!cases.back().blocks.back().empty()) text = &cases.back().blocks.emplace_back();
            } else if (text) {
                *text += line + "\n";
            }
        }
        for (BookCase& c : cases) std::erase(c.blocks, "");
        int number = 0;
        for (const std::string& block : documented_examples("Every other word, by example"))
            cases.push_back({"documented word " + std::to_string(++number), {block}});
        number = 0;
        for (const std::string& block : documented_examples("Every drawing command, by example"))
            cases.push_back({"documented drawing " + std::to_string(++number),
                             {"<constantsdef><coefh value=\"1\"/><speedsystem value=\"3\"/></constantsdef>",
                              "<drawing><setdrawmode mode=\"full\"/><setmkbound mk=\"0\"/>" + block + "</drawing>"}});
    }
    void write_files(const std::filesystem::path& to) const {
        for (const auto& [name, text] : files) {
            std::filesystem::create_directories((to / name).parent_path());
            std::ofstream(to / name) << text;
        }
    }
};

std::string text_of(const std::vector<std::string>& blocks) {
    CaseText text = box_of_water();
    for (const std::string& block : blocks) put_example(text, block);
    std::string all = text.text();
    all.insert(all.find("<mainlist>"), R"(<list name="post"><drawpoint x="1.9" y="1.9" z="1.9"/></list>)");
    return all;
}

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

/// Equal but for the rounding of numbers: a place of single precision.
bool alike(const std::string& a, const std::string& b) {
    std::istringstream words_a(a), words_b(b);
    std::string x, y;
    while (words_a >> x) {
        if (!(words_b >> y)) return false;
        if (x == y) continue;
        char *end_x = nullptr, *end_y = nullptr;
        const double p = std::strtod(x.c_str(), &end_x), q = std::strtod(y.c_str(), &end_y);
        if (*end_x || *end_y || !(std::abs(p - q) <= 2e-7 * std::max({std::abs(p), std::abs(q), 0.01}))) return false;
    }
    return !(words_b >> y);
}

/// What a change of a value has changed: how many lines, the first of them, and how many particles there are of each
/// mk.
std::string difference(const std::vector<std::string>& from, const std::vector<std::string>& to) {
    std::size_t changed = to.size() > from.size() ? to.size() - from.size() : from.size() - to.size();
    std::string first;
    for (std::size_t k = 0; k < std::min(from.size(), to.size()); ++k) {
        if (alike(from[k], to[k])) continue;
        if (first.empty()) first = to[k];
        ++changed;
    }
    if (changed == 0) return "changes nothing";
    std::string text = fmt::format("changes {} lines: {}, particles", changed, first);
    static const std::regex count(R"(ParticleSet\.2\.\d+\.ParticleGroup: .*\|( \d+) \| -?\d+)");
    std::smatch match;
    for (const std::string& line : to)
        if (std::regex_match(line, match, count)) text += match[1];
    return text;
}

using Page = std::pair<std::string, std::vector<std::string>>; ///< a title and what stands below it

std::vector<Page> read_pages(const char* name) {
    std::vector<Page> pages;
    std::ifstream in(book_folder / name);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("== "))
            pages.emplace_back(line.substr(3), std::vector<std::string>{});
        else if (!pages.empty())
            pages.back().second.push_back(line);
    }
    return pages;
}

/// Compares with what is written down; with SLUICE_WRITE_CASE_BOOK in the environment writes it instead.
void expect_pages(const std::vector<Page>& made, const char* name) {
    if (std::getenv("SLUICE_WRITE_CASE_BOOK")) { // NOLINT(concurrency-mt-unsafe)
        std::ofstream out(book_folder / name);
        for (const auto& [title, lines] : made) {
            out << "== " << title << "\n";
            for (const std::string& line : lines) out << line << "\n";
        }
        return;
    }
    const std::vector<Page> expected = read_pages(name);
    ASSERT_EQ(made.size(), expected.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
        SCOPED_TRACE(made[i].first);
        ASSERT_EQ(made[i].first, expected[i].first);
        const std::vector<std::string>&a = made[i].second, &b = expected[i].second;
        EXPECT_EQ(a.size(), b.size());
        int shown = 0;
        for (std::size_t k = 0; k < std::min(a.size(), b.size()) && shown < 5; ++k)
            if (!alike(a[k], b[k])) {
                EXPECT_EQ(a[k], b[k]);
                ++shown;
            }
    }
}

class CaseBook : public testing::Test {
protected:
    CaseBook() { book.write_files(data.path()); }

    Book book;
    TemporaryFolder data;
};

} // namespace

TEST_F(CaseBook, CasesMakeWhatIsWrittenDown) {
    const std::vector<std::string> base = values_of(text_of({}), data.path());
    std::vector<Page> pages{{"box of water", base}};
    for (const BookCase& c : book.cases)
        pages.emplace_back(c.name, without(values_of(text_of(c.blocks), data.path()), base));
    expect_pages(pages, "values.txt");
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
    expect_pages(pages, "other_values.txt");
}
