// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../case/case_text.h"
#include <fstream>
#include <string>
#include <vector>

namespace sluice::test {

/// The XML blocks of docs/case-format.md, those of one section or all.
inline std::vector<std::string> documented_examples(const std::string& of_section = "") {
    std::ifstream in(std::string(SLUICE_SOURCE_DIR) + "/docs/case-format.md");
    std::vector<std::string> blocks;
    bool section = of_section.empty(), block = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("## ") && !of_section.empty()) section = line == "## " + of_section;
        if (line.starts_with("```")) {
            block = line == "```xml";
            if (section && block) blocks.emplace_back();
        } else if (section && block) {
            blocks.back() += line + "\n";
        }
    }
    return blocks;
}

/// Puts an element where its name says: into the constants, the parameters, `special`, or else into `casedef`; what a
/// `mainlist` has goes behind the drawing commands, and what a `drawing` has stands in their place.
inline void put_example(CaseText& text, const std::string& block) {
    const std::size_t begin = block.find('>') + 1, end = block.rfind('<');
    const std::string root = block.substr(1, begin - 2), inner = block.substr(begin, end - begin);
    if (root == "constantsdef")
        text.constants = inner;
    else if (root == "parameters")
        text.parameters += inner;
    else if (root == "special")
        text.special += inner;
    else if (root == "mainlist")
        text.commands += inner;
    else if (root == "drawing")
        text.commands = inner;
    else if (root.starts_with("mkconfig"))
        text.mkconfig = block;
    else if (root.starts_with("definition"))
        text.definition = block;
    else
        text.casedef += block;
}

/// A box of water with a floor, 3-D.
inline CaseText box_of_water() {
    CaseText t;
    t.definition =
        R"(<definition dp="0.1"><pointmin x="0" y="0" z="0"/><pointmax x="2.05" y="2.05" z="2.05"/></definition>)";
    t.commands = R"(<newvar Width="1"/><setmkbound mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0"/><size x="1" y="1" z="0"/></drawbox><setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0.1"/><size x="1" y="1" z="0.8"/></drawbox>)";
    return t;
}

} // namespace sluice::test
