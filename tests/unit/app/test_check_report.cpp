// SPDX-License-Identifier: Apache-2.0
#include "app/check_report.h"
#include "backend/gpu_memory_plan.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace sluice;

namespace {

/// Two kinds of particles, without what a run of them would take.
CheckReport example() {
    CheckReport r;
    r.case_file = "tank.xml";
    r.has_constants = false;
    r.particles.dp = 0.5;
    ParticleBlock wall, water;
    static_cast<ParticleGroup&>(wall) = {17, 6, ParticleType::moving, 0, 4};
    wall.min = {-1, -2, -3};
    wall.max = {1.5, 2.5, 3.5};
    wall.mean = {0.125, 0.25, 0.375};
    static_cast<ParticleGroup&>(water) = {3, 2, ParticleType::fluid, 4, 2};
    water.min = {10, 20, 30};
    water.max = {11, 21, 31};
    water.mean = {10.5, 20.5, 30.5};
    water.deviation = {0.25, 0.5, 0.75};
    r.particles.blocks = {wall, water};
    r.count = 6;
    return r;
}

/// The words of the lines that begin with one, each line as "a b c".
std::vector<std::string> lines_of(const std::string& text, const std::string& first) {
    std::vector<std::string> found;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string all, word;
        while (words >> word) all += (all.empty() ? "" : " ") + word;
        if (all.starts_with(first + " ")) found.push_back(all);
    }
    return found;
}

} // namespace

TEST(CheckReport, TellsWhatAndWhereTheParticlesOfEachMkAre) {
    const std::string text = check_text(example(), false);
    EXPECT_EQ(lines_of(text, "tank.xml:"), std::vector<std::string>{"tank.xml: 6 particles, dp = 0.5 m"});
    const std::vector<std::string> wall = lines_of(text, "17"), water = lines_of(text, "3");
    ASSERT_EQ(wall.size(), 2u) << text;
    ASSERT_EQ(water.size(), 2u) << text;
    EXPECT_EQ(wall[0], "17 mkbound 6 moving 4");
    EXPECT_EQ(wall[1], "17 (-1, -2, -3) (1.5, 2.5, 3.5) (0.125, 0.25, 0.375)");
    EXPECT_EQ(water[0], "3 mkfluid 2 fluid 2");
    EXPECT_EQ(water[1], "3 (10, 20, 30) (11, 21, 31) (10.5, 20.5, 30.5)");
}

TEST(CheckReport, PlacesStandBelowOneAnother) {
    const std::string text = check_text(example(), false);
    const auto column = [&](const std::string& of) {
        const std::size_t at = text.find(of);
        return at == text.npos ? at : at - (text.rfind('\n', at) + 1);
    };
    EXPECT_EQ(column("(1.5, 2.5, 3.5)"), column("max [m]"));
    EXPECT_EQ(column("(11, 21, 31)"), column("max [m]"));
    EXPECT_EQ(column("(0.125, 0.25, 0.375)"), column("mean [m]"));
    EXPECT_EQ(column("(10.5, 20.5, 30.5)"), column("mean [m]"));
}

// A thousandth of a spacing is told apart, however far from the origin.
TEST(CheckReport, PlacesHaveTheDigitsThatTheyNeed) {
    CheckReport r = example();
    r.particles.dp = 0.01;
    r.particles.blocks[1].min = {500000.12, 0, -2e6 / 3};
    EXPECT_NE(check_text(r, false).find("(500000.12, 0, -666666.66667)"), std::string::npos) << check_text(r, false);
}

TEST(CheckReport, TellsFindingsAndWhyTheCaseWouldBeRefused) {
    CheckReport r = example();
    EXPECT_EQ(check_text(r, true), "");
    r.diagnostics = {{Diagnostic::Level::info, {"tank.xml", 3}, "by the way"},
                     {Diagnostic::Level::warning, {"tank.xml", 7}, "beware"}};
    EXPECT_EQ(check_text(r, true), "tank.xml:7: warning: beware\n");
    EXPECT_EQ(lines_of(check_text(r, false), "tank.xml:3:").size(), 1u);
    r.reasons = {"no water"};
    EXPECT_NE(check_text(r, true).find("would refuse this case:\n  no water\n"), std::string::npos);
}

TEST(CheckReport, HasTheSameForPrograms) {
    const auto json = nlohmann::json::parse(check_json(example()));
    EXPECT_EQ(json["particles"]["total"], 6) << json.dump(1);
    const auto& water = json["particles"]["blocks"][1];
    EXPECT_EQ(water["mk"], 3);
    EXPECT_EQ(water["mkfluid"], 2);
    EXPECT_EQ(water["type"], "fluid");
    EXPECT_EQ(water["count"], 2);
    EXPECT_EQ(water["min"], (std::vector<double>{10, 20, 30}));
    EXPECT_EQ(water["max"], (std::vector<double>{11, 21, 31}));
    EXPECT_EQ(water["mean"], (std::vector<double>{10.5, 20.5, 30.5}));
    EXPECT_EQ(water["std"], (std::vector<double>{0.25, 0.5, 0.75}));
    CheckReport r = example();
    r.reasons = {"kein Wasser für Käse"};
    EXPECT_NE(check_json(r).find("\"kein Wasser für Käse\""), std::string::npos) << "letters are as they are";
}

TEST(CheckReport, TellsTheMemoryOfEachRankAndOfEachGpu) {
    CheckReport r = example();
    r.has_constants = true;
    auto json = nlohmann::json::parse(check_json(r));
    EXPECT_FALSE(json.contains("ranks") || json.contains("gpu"));
    EXPECT_EQ(check_text(r, false).find("memory by rank"), std::string::npos);
    r.rank_memory = {{40, 7, 2.5e6}, {50, 8, 1.25e6}};
    r.gpu_plan = GpuMemoryPlan{};
    r.gpu_plan->gpus = 3;
    r.gpu_plan->particles = 77;
    r.gpu_plan->modes.resize(1);
    r.gpu_plan->modes[0].fewest_gpus = 5;
    json = nlohmann::json::parse(check_json(r));
    ASSERT_EQ(json["ranks"].size(), 2u);
    EXPECT_EQ(json["ranks"][1]["particles"], 50);
    EXPECT_EQ(json["ranks"][1]["ghosts"], 8);
    EXPECT_EQ(json["ranks"][1]["bytes"], 1250000);
    EXPECT_EQ(json["gpu"]["gpus"], 3);
    EXPECT_EQ(json["gpu"]["particles"], 77);
    EXPECT_EQ(json["gpu"]["modes"][0]["fewest_gpus"], 5);
    EXPECT_EQ(lines_of(check_text(r, false), "rank"),
              (std::vector<std::string>{"rank 0 2.5 MB (40 particles, 7 copies of those of others and images)",
                                        "rank 1 1.2 MB (50 particles, 8 copies of those of others and images)"}));
}

TEST(CheckReport, TimesOfARunWhoseFirstStepsFailAreNotKnown) {
    CheckReport r = example();
    r.has_constants = true;
    r.time_max = 3;
    EXPECT_EQ(lines_of(check_text(r, false), "to"),
              std::vector<std::string>{"to TimeMax = 3 s not known, for the first steps fail"});
    EXPECT_TRUE(lines_of(check_text(r, false), "first").empty());
    auto json = nlohmann::json::parse(check_json(r));
    EXPECT_TRUE(json["constants"]["dt_first"].is_null());
    for (const char* key : {"steps", "seconds_per_step", "wall_seconds", "wall_seconds_low", "wall_seconds_high"})
        EXPECT_TRUE(json["estimate"].at(key).is_null()) << key;

    r.timing = {0.25, 0.2, 0.5, 0.4, 0.8, 7}; // seconds a step
    r.estimated_steps = 15;
    r.picture_seconds = 2;
    r.measured_particles = r.count;
    EXPECT_EQ(lines_of(check_text(r, false), "first"), std::vector<std::string>{"first time step 0.25 s"});
    r.timing.steps = 1; // of a run that is over then
    EXPECT_EQ(lines_of(check_text(r, false), "first"), std::vector<std::string>{"first time step 0.25 s"});
    r.timing.steps = 7;
    r.measured_particles = 3;
    EXPECT_EQ(lines_of(check_text(r, false), "first"),
              std::vector<std::string>{"first time step 0.25 s, from 3 particles in the middle of the fluid"});
    json = nlohmann::json::parse(check_json(r));
    EXPECT_EQ(json["constants"]["dt_first"], 0.25);
    EXPECT_EQ(json["estimate"]["steps"], 15);
    EXPECT_EQ(json["estimate"]["timed_steps"], 7);
    EXPECT_EQ(json["estimate"]["seconds_per_step"], 0.5);
    EXPECT_EQ(json["estimate"]["wall_seconds"], 2 + 15 * 0.5);
    EXPECT_EQ(json["estimate"]["wall_seconds_low"], 2 + 15 * 0.4);
    EXPECT_EQ(json["estimate"]["wall_seconds_high"], 2 + 15 * 0.8);
}

// A refusal is given in lines "FILE:LINE: what", which a program gets taken apart.
TEST(CheckReport, ReasonsAreTakenApartWhereTheyNameALine) {
    const auto json = nlohmann::json::parse(refused_json("tank.xml", "tank.xml:12: no floor\ntank.xml: odd\nworse: 3"));
    EXPECT_EQ(json["runnable"], false);
    EXPECT_EQ(json["reasons"], (std::vector<std::string>{"tank.xml:12: no floor", "tank.xml: odd", "worse: 3"}));
    const auto& all = json["diagnostics"];
    ASSERT_EQ(all.size(), 3u);
    for (const auto& d : all) EXPECT_EQ(d["level"], "error");
    EXPECT_EQ(all[0]["line"], 12);
    EXPECT_EQ(all[0]["message"], "no floor");
    EXPECT_EQ(all[1]["line"], 0);
    EXPECT_EQ(all[1]["message"], "tank.xml: odd");
    EXPECT_EQ(all[2]["message"], "worse: 3");
}
