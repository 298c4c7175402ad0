// SPDX-License-Identifier: Apache-2.0
#include "case/expression.h"

#include "core/error.h"
#include <array>
#include <gtest/gtest.h>

using namespace sluice;

TEST(Expression, CapitalsCountInNames) {
    Variables v;
    v.set("Dp", 0.5);
    EXPECT_EQ(v.evaluate("Dp*3"), 1.5);
    v.set("DP", 2);
    EXPECT_EQ(v.evaluate("DP-Dp"), 1.5);
    try {
        v.evaluate("-dp");
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("capitals count: there is D"), std::string::npos) << e.what();
    }
}

TEST(Expression, Functions) {
    Variables v;
    EXPECT_EQ(v.evaluate("eval(1>2,3,4)"), 4);
    EXPECT_EQ(v.evaluate("int(2.9)+floor(-0.5)+ceil(0.2)+round(0.6)"), 2 - 1 + 1 + 1);
    EXPECT_NEAR(v.evaluate("sindg(30)+cosdg(60)"), 1, 1e-15);
    EXPECT_NEAR(v.evaluate("log(e())"), 1, 1e-15);
    EXPECT_EQ(v.evaluate("max(1,2,3)-min(1,2)"), 2);
    EXPECT_NEAR(v.evaluate("roundpos(0.26,0,0.1)"), 0.3, 1e-15);
    // the remainder, rounded: reference generator 5.4.354, 2026
    EXPECT_EQ(v.evaluate("fmodr(7.3,2)"), 1);
    EXPECT_EQ(v.evaluate("fmodr(-7.3,2)"), -1);
    EXPECT_EQ(v.evaluate("fmodr(5.9,3)"), 3);
    // Deep water: L = g T²/2π
    EXPECT_NEAR(v.evaluate("wavelength(9.81,100,2)"), 9.81 * 4 / 6.283185307, 1e-6);
    // Shallow water: L ≈ T sqrt(g d)
    EXPECT_NEAR(v.evaluate("wavelength(9.81,0.01,5)"), 5 * 0.3132, 0.01);
}

// A decimal comma would be two values, of which the last counts.
TEST(Expression, HasOneValue) {
    Variables v;
    EXPECT_THROW(v.evaluate("0,5"), InputError);
    EXPECT_THROW(v.evaluate("1 + 0,5"), InputError);
    EXPECT_EQ(v.evaluate("max(0,5)"), 5);
}

TEST(Expression, ArraysAndText) {
    Variables v;
    v.set("x1", 11);
    v.set("x2", 22);
    v.set("i", 1);
    v.set_text("Name", "tank");
    EXPECT_EQ(v.evaluate("x[i]+x[i+1]"), 33);
    EXPECT_EQ(v.substitute("[Name]_[x[i]*2]"), "tank_22");
}

TEST(Expression, WildcardsErase) {
    Variables v;
    v.set("size1", 1);
    v.set("size2", 2);
    v.set("other", 3, true);
    v.erase("siz*");
    v.erase("*");
    EXPECT_FALSE(v.has("size1"));
    EXPECT_TRUE(v.has("other"));
}

TEST(Expression, Errors) {
    Variables v;
    for (const char* bad : {"", "1+", "sqrt(-1)", "nothing", "1/0", "x[1", "a b", "1e999"})
        EXPECT_THROW(v.evaluate(bad), InputError) << bad;
    EXPECT_THROW(parse_number("1 2"), InputError);
    EXPECT_THROW(parse_number("0x10"), InputError);
    EXPECT_EQ(parse_number(" +1e-3 "), 1e-3);
}

TEST(Expression, RandomNumbersAreTheSameInEveryCase) {
    Variables v;
    const auto draw = [&] {
        restart_random_numbers();
        return std::array{v.evaluate("rand(2)"), v.evaluate("rand(5, 6)"), v.evaluate("randint(1, 3)"),
                          v.evaluate("randinit(7) + rand(1)")};
    };
    const auto first = draw();
    EXPECT_EQ(first, draw());
    EXPECT_NE(v.evaluate("rand(1)"), v.evaluate("rand(1)"));
    for (int i = 0; i < 1000; ++i) {
        const double a = v.evaluate("rand(2)"), b = v.evaluate("rand(5,6)"), c = v.evaluate("randint(1,3)");
        ASSERT_TRUE(a >= 0 && a < 2 && b >= 5 && b < 6 && (c == 1 || c == 2 || c == 3)) << a << b << c;
    }
    EXPECT_THROW(v.evaluate("rand(1,2,3)"), InputError);
}

TEST(Expression, AtSignsAreAnd) {
    Variables v;
    EXPECT_EQ(v.evaluate("1<2 @@ (3<4 || 5<4)"), 1);
    EXPECT_EQ(v.evaluate("1<2 @@ 4<3"), 0);
}

TEST(Expression, RoundsToTheLatticeOfTheCase) {
    Variables v;
    v.set("Dp", 0.1);
    v.set("PosRef_x", 0.05);
    EXPECT_NEAR(v.evaluate("1 + roundposx(0.21 + 0.01)"), 1.25, 1e-12);
    EXPECT_THROW(v.evaluate("roundposz(1)"), InputError);
}

TEST(Variables, AreForgottenByNameOrByPattern) {
    const auto left_by = [](const char* pattern) {
        Variables v;
        for (const char* name : {"wide", "width", "height"}) v.set(name, 1);
        v.set("depth", 1, true);
        v.erase(pattern);
        std::string left;
        for (const char* name : {"wide", "width", "height", "depth"})
            if (v.has(name)) left += std::string(left.empty() ? "" : " ") + name;
        return left;
    };
    EXPECT_EQ(left_by("height"), "wide width depth");
    EXPECT_EQ(left_by("HEIGHT"), "wide width height depth");
    EXPECT_EQ(left_by("heigh"), "wide width height depth");
    EXPECT_EQ(left_by("heights"), "wide width height depth");
    EXPECT_EQ(left_by("wid*"), "height depth");
    EXPECT_EQ(left_by("*h"), "wide height depth");
    EXPECT_EQ(left_by("w*d*"), "height depth");
    EXPECT_EQ(left_by("wi?e"), "width height depth");
    EXPECT_EQ(left_by("wid?"), "width height depth");
    EXPECT_EQ(left_by("*"), "depth"); // a constant stays
}
