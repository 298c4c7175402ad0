// SPDX-License-Identifier: Apache-2.0
#include "app/output_folder.h"
#include "core/error.h"
#include "temporary_folder.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace sluice;

TEST(OutputFolder, IsNamedAfterTheCaseUnlessOneIsGiven) {
    EXPECT_EQ(output_folder("", "cases/tank.xml"), "tank_out");
    EXPECT_EQ(output_folder("", "cases/Tank_Def.xml"), "Tank_out");
    EXPECT_EQ(output_folder("", "_Def.xml"), "_Def_out");
    EXPECT_EQ(output_folder("", "a_Def_Def.xml"), "a_Def_out");
    EXPECT_EQ(output_folder("results/a_Def", "cases/Tank_Def.xml"), "results/a_Def");
}

// What a run leaves, each alone: a new run is not let in beside it, and with --overwrite nothing of it stays.
TEST(OutputFolder, HoldsNothingOfAnEarlierRun) {
    for (const char* part : {"frames/frame_000000.h5",
                             "fluid.vtkhdf",
                             "boundary.vtkhdf",
                             "fluid.xdmf",
                             "boundary.xdmf",
                             "view.py",
                             "gauges/swl.csv",
                             "bodies/mkbound_1.csv",
                             "absorption/mkbound_10.csv",
                             "pictures/picture_000000.png",
                             "flow.csv",
                             "excluded.csv",
                             "probes.csv",
                             "checkpoints/checkpoint_000000000001.h5",
                             "report.html",
                             "run.json",
                             "run.log",
                             "effective-case.xml",
                             "inputs/case.xml",
                             "options.json",
                             "waves/waves.html"}) {
        const TemporaryFolder folder;
        const std::filesystem::path file = folder.path() / part;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << "old";
        std::ofstream(folder.path() / "notes.txt") << "of the user";
        EXPECT_THROW(check_output_folder(folder.path(), false), InputError) << part;
        EXPECT_NO_THROW(check_output_folder(folder.path(), true));
        remove_results(folder.path());
        EXPECT_FALSE(std::filesystem::exists(file)) << part;
        EXPECT_NO_THROW(check_output_folder(folder.path(), false)) << part;
        EXPECT_TRUE(std::filesystem::exists(folder.path() / "notes.txt"));
    }
}
