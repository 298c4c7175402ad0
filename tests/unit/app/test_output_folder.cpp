// SPDX-License-Identifier: Apache-2.0
#include "app/output_folder.h"
#include <gtest/gtest.h>

using namespace sluice;

TEST(OutputFolder, IsNamedAfterTheCaseUnlessOneIsGiven) {
    EXPECT_EQ(output_folder("", "cases/tank.xml"), "tank_out");
    EXPECT_EQ(output_folder("", "cases/Tank_Def.xml"), "Tank_out");
    EXPECT_EQ(output_folder("", "_Def.xml"), "_Def_out");
    EXPECT_EQ(output_folder("", "a_Def_Def.xml"), "a_Def_out");
    EXPECT_EQ(output_folder("results/a_Def", "cases/Tank_Def.xml"), "results/a_Def");
}
