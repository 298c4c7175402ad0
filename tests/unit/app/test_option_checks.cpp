// SPDX-License-Identifier: Apache-2.0
#include "app/option_checks.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

// What values options take, and what is said to others.

using namespace sluice;

namespace {

/// What a check says of a value; empty: it is right.
std::string said(const CLI::Validator& check, std::string text) { return check(text); }

} // namespace

TEST(OptionChecks, NumbersAreWithinTheirBounds) {
    for (const char* text : {"1", "+2.5", "1e-300", "1e300", ".5"})
        EXPECT_EQ(said(positive_number(), text), "") << text;
    for (const char* text : {"0", "-1", "", "+", "1x", " 1", "nan", "inf", "1e999", "0x10", "--1", "++1"})
        EXPECT_EQ(said(positive_number(), text), "a number above 0 is wanted (" + std::string(text) + " is given)");
    EXPECT_EQ(said(number_from_zero(), "0"), "");
    EXPECT_EQ(said(number_from_zero(), "-0.001"), "a number not below 0 is wanted (-0.001 is given)");
    const CLI::Validator level = number_between(0.01, 0.99);
    for (const char* text : {"0.01", "0.5", "0.99", "+0.99"}) EXPECT_EQ(said(level, text), "") << text;
    for (const char* text : {"0.0099", "0.991", "nan"})
        EXPECT_EQ(said(level, text), "a number from 0.01 to 0.99 is wanted (" + std::string(text) + " is given)");
}

TEST(OptionChecks, WholeNumbersAreWithinTheirBounds) {
    const CLI::Validator few = whole_number(2, 9);
    for (const char* text : {"2", "+9", "05"}) EXPECT_EQ(said(few, text), "") << text;
    for (const char* text : {"1", "10", "2.0", "", "two", "99999999999999999999"})
        EXPECT_EQ(said(few, text), "a whole number is wanted, 2 to 9 (" + std::string(text) + " is given)");
    EXPECT_EQ(said(whole_number(0), "2147483647"), "");
    EXPECT_EQ(said(whole_number(1), "0"), "a whole number is wanted, 1 or more (0 is given)");
    EXPECT_EQ(said(whole_number(1, 2147483646), "0"), "a whole number is wanted, 1 to 2147483646 (0 is given)");
    const CLI::Validator many = whole_number_or("auto", 1, 32);
    for (const char* text : {"auto", "1", "32"}) EXPECT_EQ(said(many, text), "") << text;
    for (const char* text : {"0", "33", "Auto", ""})
        EXPECT_EQ(said(many, text), "a whole number is wanted, 1 to 32, or auto (" + std::string(text) + " is given)");
}

TEST(OptionChecks, WordsAreThoseOfTheList) {
    const CLI::Validator words = one_of({"continue", "stop"}, {{"halt", "stop"}});
    EXPECT_EQ(said(words, "stop"), "");
    EXPECT_EQ(said(words, "halt"), "there is no 'halt' (did you mean stop?): take one of continue, stop");
    EXPECT_EQ(said(words, "contineu"), "there is no 'contineu' (did you mean continue?): take one of continue, stop");
    EXPECT_EQ(said(words, "zzz"), "there is no 'zzz': take one of continue, stop");
    EXPECT_EQ(said(file_with_suffix(".html"), "a.html"), "");
    EXPECT_EQ(said(file_with_suffix(".html"), "a.htm"), "a file name with .html is wanted (a.htm is given)");
}

TEST(OptionChecks, PlacesAndBoxesAreTakenApart) {
    CLI::App app;
    Vec3d place;
    std::optional<Box> box;
    int kind = 0;
    add_vector(app, "--about", place, "");
    add_box(app, "--box", box, "");
    add_choice(app, "--kind", kind, {{"one", 1}, {"two", 2}}, "");
    const auto parse = [&](const std::string& words) { app.parse(words); };
    parse("--about 1 2 -3 --box -1 -2 -3 4 5 6 --kind two");
    EXPECT_EQ(place, (Vec3d{1, 2, -3}));
    ASSERT_TRUE(box);
    EXPECT_EQ(box->min, (Vec3d{-1, -2, -3}));
    EXPECT_EQ(box->max, (Vec3d{4, 5, 6}));
    EXPECT_EQ(kind, 2);
    EXPECT_EQ(app.get_option("--kind")->get_default_str(), "one");
    EXPECT_NO_THROW(parse("--box 1 2 3 1 2 3")); // a point
    EXPECT_EQ(box->max, (Vec3d{1, 2, 3}));
    for (const char* words : {"--box 2 0 0 1 1 1", "--box 0 2 0 1 1 1", "--box 0 0 2 1 1 1", "--box 0 0 0 nan 1 1",
                              "--box 0 0 0 1 1", "--about 1 2", "--kind three"})
        EXPECT_THROW(parse(words), CLI::ParseError) << words;
}
