// SPDX-License-Identifier: Apache-2.0
#include "case/method_words.h"

#include "case/read_case.h"
#include "case/write_effective.h"
#include "case_text.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

// Method: its values, the words that only SPH has, and what is said of them.

using namespace sluice;
using sluice::test::CaseText;

namespace {

/// A case that says nothing of SPH.
CaseText bare_case() {
    CaseText t;
    t.constants = R"(<gravity x="0" y="0" z="-9.81"/>)";
    return t;
}

std::string parameter(const std::string& key, const std::string& value) {
    return "<parameter key=\"" + key + "\" value=\"" + value + "\"/>";
}

CaseText with_method(const std::string& method, const std::string& parameters = "") {
    CaseText t = bare_case();
    t.parameters = parameter("Method", method) + parameters;
    return t;
}

Case read_all(const CaseText& t, std::vector<std::pair<std::string, std::string>> set = {}) {
    CaseOverrides overrides;
    overrides.set = std::move(set);
    overrides.allow_unsupported = true;
    return read_case_text(t.text(), "case.xml", overrides);
}

/// What the run would be refused for, beside the method itself.
std::vector<std::string> refusals_of(const CaseText& t, std::vector<std::pair<std::string, std::string>> set = {}) {
    std::vector<std::string> messages;
    for (const UnsupportedFeature& f : read_all(t, std::move(set)).unsupported_in_run)
        if (!f.name.starts_with("parameter Method=")) messages.push_back(InputError(f.where, f.message()).what());
    return messages;
}

} // namespace

TEST(Method, IsReadWithoutRegardToCase) {
    EXPECT_EQ(read_all(CaseText{}).parameters.method, Method::sph);
    EXPECT_EQ(read_all(with_method("SPH"), {{"coefh", "1"}}).parameters.method, Method::sph);
    EXPECT_EQ(read_all(with_method("Mps")).parameters.method, Method::mps);
    EXPECT_EQ(read_all(with_method("FVPM")).parameters.method, Method::fvpm);
    EXPECT_EQ(read_all(bare_case(), {{"method", "fvpm"}}).parameters.method, Method::fvpm);
}

TEST(Method, AnUnknownOneIsAnErrorWithItsLine) {
    try {
        read_all(with_method("dem"));
        FAIL();
    } catch (const InputError& e) {
        EXPECT_STREQ(e.what(), "case.xml:17: parameter Method is sph, mps or fvpm (dem)");
    }
}

TEST(Method, AllRunACaseWithoutFurtherWords) {
    for (const MethodName& m : method_names)
        EXPECT_TRUE(read_all(with_method(m.word), {{"hdp", "1"}}).unsupported_in_run.empty()) << m.word;
}

// A word of `special` that is honoured from now on is refused with other methods, or stands here as one that they know.
TEST(Method, EveryWordOfSpecialIsKnownOrRefused) {
    const std::set<std::string> known{"gauges", "initialize", "timeout", "outputparts"};
    for (const LanguageEntry& word : language()) {
        if (word.section != Section::special || word.support != Support::honoured) continue;
        const bool is_refused = std::ranges::any_of(missing_words(), [&](const MissingWord& m) {
            return m.section == Section::special && std::string(m.name) == word.name && m.in_mps && m.in_fvpm;
        });
        EXPECT_NE(is_refused, known.contains(word.name)) << word.name;
    }
}

TEST(Method, TheRadiusIsTheSpacingWhereNothingIsSaid) {
    EXPECT_EQ(read_all(with_method("fvpm")).constants.hdp, 1.0);
    EXPECT_EQ(read_all(with_method("mps")).constants.hdp, 1.05);
    EXPECT_EQ(read_all(with_method("fvpm"), {{"hdp", "1.2"}}).constants.hdp, 1.2);
    EXPECT_TRUE(refusals_of(with_method("fvpm"), {{"hdp", "1.2"}}).empty());
    EXPECT_TRUE(refusals_of(with_method("fvpm"), {{"coefh", "auto"}}).empty());
    EXPECT_EQ(refusals_of(with_method("fvpm"), {{"coefh", "1.2"}}).size(), 1u);
}

TEST(Method, WordsOfSphAreRefusedWithTheirLine) {
    const std::vector<std::string> said = refusals_of(with_method("fvpm", "\n" + parameter("DensityDT", "2")));
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0],
              "case.xml:18: parameter DensityDT=2 with Method=fvpm is not supported; take 0: density diffusion "
              "belongs to SPH");
}

// Each word of the table is one that the language has, and the methods know all others.
TEST(Method, EveryWordOfTheTableIsOneOfTheLanguage) {
    for (const MissingWord& word : missing_words()) {
        EXPECT_NE(find_word(word.section, word.name), nullptr) << word.name;
        EXPECT_TRUE(word.in_mps || word.in_fvpm) << word.name;
        EXPECT_FALSE(word.is_missing_in(Method::sph)) << word.name;
    }
}

TEST(Method, EveryParameterOfTheTableIsRefusedUnlessItSaysNothing) {
    for (const MissingWord& word : missing_words()) {
        if (word.section != Section::parameter || word.name == std::string("Scheme")) continue;
        const std::string other = word.name == std::string("ViscoTreatment") ? "2" : word.passes_with("1") ? "2" : "1";
        for (const char* method : {"mps", "fvpm"}) {
            const bool missing = word.is_missing_in(method == std::string("mps") ? Method::mps : Method::fvpm);
            EXPECT_EQ(refusals_of(with_method(method, parameter(word.name, other))).size(), missing ? 1u : 0u)
                << word.name << "=" << other << " with " << method;
            if (*word.passes) {
                const std::string first = std::string(word.passes).substr(0, std::string(word.passes).find(' '));
                EXPECT_TRUE(refusals_of(with_method(method, parameter(word.name, first))).empty()) << word.name;
            }
        }
    }
}

TEST(Method, TheSchemeIsForSph) {
    EXPECT_EQ(refusals_of(with_method("fvpm", parameter("Scheme", "recommended"))).size(), 1u);
    EXPECT_TRUE(refusals_of(with_method("fvpm", parameter("Scheme", "recommended")), {{"Scheme", "none"}}).empty());
    EXPECT_TRUE(read_all(with_method("fvpm", parameter("Scheme", "recommended"))).scheme.empty());
}

TEST(Method, AKinematicViscosityIsNoWordOfSph) {
    EXPECT_EQ(refusals_of(with_method("fvpm", parameter("Visco", "0.01"))).size(), 1u);
    EXPECT_TRUE(
        refusals_of(with_method("fvpm", parameter("ViscoTreatment", "3") + parameter("Visco", "1e-6"))).empty());
}

TEST(Method, BodiesMotionsAndOpenBoundariesAreRefused) {
    CaseText t = with_method("fvpm");
    t.special = R"(<damping><dampingzone><limitmin pointx="0" pointy="0" pointz="0"/></dampingzone></damping>)";
    bool found = false;
    try {
        for (const std::string& message : refusals_of(t))
            found = found || message.find("<damping> with Method=fvpm") != std::string::npos;
    } catch (const InputError&) { // its own mistakes are told first
        found = true;
    }
    EXPECT_TRUE(found);
    t = test::flume();
    t.constants = bare_case().constants;
    t.parameters += parameter("Method", "fvpm");
    const auto said = refusals_of(t);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("<motion> with Method=fvpm"), std::string::npos) << said[0];
    t = with_method("fvpm");
    t.constants += R"(<lattice bound="2" fluid="1"/>)";
    EXPECT_EQ(refusals_of(t).size(), 1u);
}

// The case that is stored with the run is read again by a resume: it must not say what its method lacks.
TEST(Method, TheEffectiveCaseIsReadAgainWithoutRefusals) {
    const CaseText t = with_method("fvpm", parameter("Kernel", "2"));
    const Case first = read_all(t);
    EXPECT_TRUE(std::ranges::any_of(first.diagnostics, [](const Diagnostic& d) {
        return d.level == Diagnostic::Level::info && d.message == "Kernel=2 says nothing with Method=fvpm";
    }));
    const std::string effective = effective_case(first, {}, "");
    EXPECT_EQ(effective.find("\"DensityDT\""), std::string::npos);
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    const Case second = read_case_text(effective, "case.xml", overrides);
    EXPECT_EQ(second.parameters.method, Method::fvpm);
    EXPECT_EQ(second.constants.hdp, 1.0);
    for (const UnsupportedFeature& f : second.unsupported_in_run) EXPECT_TRUE(f.name.starts_with("parameter Method="));
}
