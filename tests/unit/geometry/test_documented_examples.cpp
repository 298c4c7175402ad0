// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "geometry_case.h"
#include "temporary_folder.h"
#include <fstream>
#include <sstream>

// The examples of docs/case-format.md are drawn as they stand there, and leave no drawing command out.

using namespace sluice;
using namespace sluice::test;

namespace {

/// The XML blocks of the section with the examples.
std::vector<std::string> examples() {
    std::ifstream in(std::string(SLUICE_SOURCE_DIR) + "/docs/case-format.md");
    std::vector<std::string> blocks;
    bool section = false, block = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("## ")) section = line == "## Every drawing command, by example";
        if (!section) continue;
        if (line == "```xml") {
            block = true;
            blocks.emplace_back();
        } else if (line == "```") {
            block = false;
        } else if (block) {
            blocks.back() += line + "\n";
        }
    }
    return blocks;
}

/// The files that the examples name.
void write_files(const std::filesystem::path& folder) {
    const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
    write("body.stl", R"(solid a
facet normal 0 0 1 outer loop vertex 0 0 0 vertex 0.5 0.7 0 vertex 0.8 0 0 endloop endfacet
facet normal 0 0 1 outer loop vertex 0 0 0 vertex 0.8 0 0 vertex 0.4 0.3 0.8 endloop endfacet
facet normal 0 0 1 outer loop vertex 0.8 0 0 vertex 0.5 0.7 0 vertex 0.4 0.3 0.8 endloop endfacet
facet normal 0 0 1 outer loop vertex 0.5 0.7 0 vertex 0 0 0 vertex 0.4 0.3 0.8 endloop endfacet
endsolid a
)");
    write("body.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 1\n1 0 1\n0 1 1\n"
                      "3 0 1 2\n");
    const char* surface = "# vtk DataFile Version 3.0\nsurface\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n"
                          "0 0 1.5\n1 0 1.5\n0 1 1.5\nPOLYGONS 1 4\n3 0 1 2\n";
    write("surface.vtk", surface);
    write("parts.vtm", R"(<?xml version="1.0"?><VTKFile type="vtkMultiBlockDataSet" version="1.0">
<vtkMultiBlockDataSet><DataSet index="0" name="one" file="surface.vtk"/></vtkMultiBlockDataSet></VTKFile>)");
    write("heights.csv", "y/x;0;1;2\n0;0.1;0.2;0.3\n1;0.1;0.2;0.3\n2;0.2;0.2;0.4\n");
    write("depths.xyz", "0.3 0 0.1\n1.5 0 0.2\n0.3 1.5 0.3\n1.5 1.5 0.2\n");
}

} // namespace

TEST(DocumentedExamples, AreDrawn) {
    const TemporaryFolder folder;
    write_files(folder.path());
    const auto blocks = examples();
    ASSERT_GT(blocks.size(), 4u);
    for (const std::string& block : blocks) {
        CaseText t;
        t.definition =
            R"(<definition dp="0.1"><pointmin x="0" y="0" z="0"/><pointmax x="2.05" y="2.05" z="2.05"/></definition>)";
        t.commands = "<setmkbound mk=\"0\"/>\n" + block;
        std::string text = t.text();
        text.insert(text.find("<mainlist>"), R"(<list name="post"><drawpoint x="1.9" y="1.9" z="1.9"/></list>)");
        const Case c = read_case_text(text, folder.path() / "case.xml", {});
        std::vector<Diagnostic> diagnostics;
        EXPECT_GT(generate_particles(c, diagnostics).size(), 10u) << block;
        for (const Diagnostic& d : diagnostics)
            EXPECT_EQ(d.message.find("draws nothing"), std::string::npos) << d.where.text() << d.message << block;
        for (const Diagnostic& d : diagnostics)
            EXPECT_EQ(d.message.find("fills nothing"), std::string::npos) << d.where.text() << d.message << block;
    }
}

TEST(DocumentedExamples, LeaveNoCommandOut) {
    std::string all;
    for (const std::string& block : examples()) all += block;
    for (const LanguageEntry& word : language())
        if (word.section == Section::command && word.support == Support::honoured) {
            const std::string tag = std::string("<") + word.name;
            std::size_t at = all.find(tag);
            while (at != std::string::npos && std::isalnum(static_cast<unsigned char>(all[at + tag.size()])))
                at = all.find(tag, at + 1);
            EXPECT_NE(at, std::string::npos) << word.name << " has no example in docs/case-format.md";
        }
}
