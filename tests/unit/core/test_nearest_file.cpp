// SPDX-License-Identifier: Apache-2.0
#include "core/nearest_file.h"
#include "temporary_folder.h"

#include <fstream>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

void touch(const std::filesystem::path& file) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "x";
}

} // namespace

TEST(NearestFile, NamesThatDifferInCaseOnly) {
    const TemporaryFolder dir;
    touch(dir.path() / "ball.stl");
    EXPECT_EQ(suggest_file(dir.path() / "Ball.STL"), "; there is " + (dir.path() / "ball.stl").string());
}

TEST(NearestFile, FilesThatLieElsewhere) {
    const TemporaryFolder dir;
    touch(dir.path() / "case" / "meshes" / "fine" / "ball.stl");
    touch(dir.path() / "pier.stl");
    touch(dir.path() / "other" / "gate.vtk");
    const std::filesystem::path folder = dir.path() / "case";
    EXPECT_EQ(suggest_file(folder / "ball.stl"), "; there is " + (folder / "meshes" / "fine" / "ball.stl").string());
    EXPECT_EQ(suggest_file(folder / "pier.stl"), "; there is " + (dir.path() / "pier.stl").string());
    EXPECT_EQ(suggest_file(folder / "gate.vtk"), "; there is " + (dir.path() / "other" / "gate.vtk").string());
    EXPECT_EQ(suggest_file(folder / "none.stl"), "");
    EXPECT_EQ(suggest_file("/nowhere/at/all/none.stl"), "");
}
