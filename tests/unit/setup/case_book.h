// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "documented_examples.h"
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

// Cases of every word with unusual values, and the examples of docs/case-format.md: see case_book/README.md.

namespace sluice::test {

inline const std::filesystem::path book_folder =
    std::filesystem::path(SLUICE_SOURCE_DIR) / "tests/unit/setup/case_book";

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
                cases.push_back({line.substr(5), {""}});
                text = &cases.back().blocks.back();
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

/// The text of a case: a box of water with these elements, and a list `post` if they run one.
inline std::string text_of(const std::vector<std::string>& blocks) {
    CaseText text = box_of_water();
    for (const std::string& block : blocks) put_example(text, block);
    std::string all = text.text();
    if (all.find("<runlist") != all.npos)
        all.insert(all.find("<mainlist>"), R"(<list name="post"><drawpoint x="1.9" y="1.9" z="1.9"/></list>)");
    return all;
}

} // namespace sluice::test
