// SPDX-License-Identifier: Apache-2.0
#include "core/nearest_word.h"

#include <gtest/gtest.h>

using namespace sluice;

TEST(NearestWord, IsSuggestedWhereOneIsNear) {
    const std::vector<std::string> known{"run", "report", "resume", "Visco"};
    EXPECT_EQ(suggest_nearest("reprot", known), " (did you mean report?)");
    EXPECT_EQ(suggest_nearest("visco", known), " (did you mean Visco?)");
    EXPECT_EQ(suggest_nearest("ru", known), " (did you mean run?)");
    EXPECT_EQ(suggest_nearest("measure", {"picture"}), "");
    EXPECT_EQ(suggest_nearest(std::string(1000, 'r'), known), "");
    EXPECT_EQ(suggest_nearest("run", {}), "");
}

TEST(NearestWord, IsTheOneThatALongerWordBeginsWith) {
    const std::vector<std::string> known{"ViscoTime", "Visco", "ViscoTreatment", "CFLnumber", "Pos"};
    EXPECT_EQ(suggest_nearest("Viscosity", known), " (did you mean Visco?)");
    EXPECT_EQ(suggest_nearest("ViscoTimes", known), " (did you mean ViscoTime?)");
    EXPECT_EQ(suggest_nearest("Position", known), ""); // three letters are little
}
