// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "distinct_constants.h"
#include "io/records/constants_json.h"
#include "io/records/run_json.h"
#include "model/choices.h"
#include "sample.h"
#include "temporary_folder.h"

#include <ctime>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace sluice;

namespace {

RunSummary example_summary() {
    RunSummary s;
    s.case_name = "dam \"break\"";
    s.version = "0.1.0";
    s.outcome = Outcome::finished;
    s.backend = "cpu";
    s.mode = "asymmetric";
    s.cells = "2h";
    s.threads = 2;
    s.particles = 1000;
    s.total.steps = 50;
    s.simulated_seconds = 0.5;
    s.total.wall_seconds = 12;
    s.total.stepping_seconds = 10;
    s.total.particle_steps = 49000;
    s.phases = {{"neighbour_list", 1}, {"interaction", 8}, {"update", 1}};
    s.memory = {{"particles", 64000}};
    s.excluded = {{"position", 3}, {"density", 0}};
    return s;
}

} // namespace

TEST(run_json, has_the_documented_fields) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "run.json";
    write_run_json(path, example_summary());
    const auto json = nlohmann::json::parse(std::ifstream(path));
    for (const char* name : {"case", "version", "status", "backend", "mode", "cells"})
        EXPECT_TRUE(json.at(name).is_string()) << name;
    for (const char* name : {"threads", "particles", "steps", "simulated_seconds", "wall_seconds", "steps_per_second",
                             "particle_steps_per_second"})
        EXPECT_TRUE(json.at(name).is_number()) << name;
    for (const char* name : {"phases", "memory", "excluded"}) EXPECT_TRUE(json.at(name).is_object()) << name;
    EXPECT_EQ(json["case"], "dam \"break\"");
    EXPECT_EQ(json["status"], "finished");
    EXPECT_EQ(json["outcome"], "finished");
    EXPECT_EQ(json["exit_code"], 0);
    EXPECT_EQ(json["steps_per_second"], 5.0);
    EXPECT_EQ(json["particle_steps_per_second"], 4900.0);
    EXPECT_EQ(json["phases"]["interaction"], 8.0);
    EXPECT_EQ(json["excluded"]["position"], 3);
    EXPECT_EQ(json["excluded"]["density"], 0);
}

TEST(run_json, has_the_books_of_the_run) {
    RunSummary s = example_summary();
    EXPECT_TRUE(nlohmann::json::parse(run_json(s)).at("ledger").is_null()) << "before the first frame";
    LedgerSummary ledger;
    ledger.also_held = {"work_of_moving_walls_on_bodies"};
    double next = 1; // the figures of both rows count on
    for (LedgerEntry* entry : {&ledger.first, &ledger.last})
        for_each_figure(*entry, [&](const std::string&, auto& figure) {
            figure = static_cast<std::remove_reference_t<decltype(figure)>>(next++);
        });
    s.ledger = ledger;
    const auto json = nlohmann::json::parse(run_json(s)).at("ledger");
    EXPECT_EQ(json, nlohmann::json::parse(R"({"time": 46, "step": 47,
        "mass": {"start": 14, "end": 59, "excluded": 60, "inflow": 70, "outflow": 71}, "volume": {"start": 16, "end": 61},
        "viscosity": {"start": 29, "end": 74},
        "momentum": {"start": [17, 18, 19], "end": [62, 63, 64]},
        "energy": {"kinetic": {"start": 9, "end": 54}, "potential": {"start": 10, "end": 55},
                   "internal": {"start": 20, "end": 65}, "walls": {"start": 41, "end": 86},
                   "bodies": {"start": 21, "end": 66},
                   "flexible_kinetic": {"start": 43, "end": 88}, "flexible_elastic": {"start": 44, "end": 89},
                   "flexible_potential": {"start": 45, "end": 90}, "gravity_work": 67,
                   "damping_work": 76, "relaxation_work": 77, "acceleration_work": 78, "shifting_work": 79,
                   "moving_walls_work": 80, "bodies_work": 81, "open_boundaries_work": 82,
                   "clamps_work": 83, "structure_damping_work": 84, "hourglass_work": 85,
                   "moved": 87, "excluded": 68, "inflow": 72, "outflow": 73, "dissipated": 69,
                   "dissipated_also_holds": ["work_of_moving_walls_on_bodies"]}})"));
}

TEST(run_json, says_what_the_scheme_chose) {
    RunSummary s = example_summary();
    EXPECT_TRUE(nlohmann::json::parse(run_json(s)).at("scheme").is_null());
    s.scheme = {{"Scheme", "flow", "flow"}, {"Kernel", "2", "2"}, {"Visco", "1e-6", "0.01"}};
    EXPECT_EQ(nlohmann::json::parse(run_json(s)).at("scheme"),
              nlohmann::json::parse(R"({"name": "flow", "taken": {"Scheme": "flow", "Kernel": "2"},
                  "otherwise": {"Visco": {"used": "0.01", "recommended": "1e-6"}}})"));
}

TEST(run_json, is_valid_for_an_empty_run_and_any_bytes) {
    RunSummary s;
    s.case_name = "\xff\xfe not UTF-8";
    const auto json = nlohmann::json::parse(run_json(s));
    EXPECT_EQ(json["steps_per_second"], 0.0);
    EXPECT_EQ(json["status"], "running");
}

TEST(run_json, gives_every_constant_back) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "run.json";
    RunSummary s = example_summary();
    s.constants = distinct_constants();
    write_run_json(path, s);
    EXPECT_EQ(read_run_setup(path).constants, distinct_constants());
}

TEST(run_json, gives_a_viscosity_in_time_back) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "run.json";
    RunSummary s = example_summary();
    s.constants = distinct_constants();
    write_run_json(path, s);
    EXPECT_TRUE(read_run_setup(path).viscosity.empty());
    s.viscosity = {{0.1, 1e-6}, {2, 0.3}};
    write_run_json(path, s);
    EXPECT_EQ(read_run_setup(path).viscosity, s.viscosity);
}

TEST(run_json, gives_domain_and_period_back) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "run.json";
    RunSummary s = example_summary();
    s.constants = distinct_constants();
    s.constants->h = 0.1;
    write_run_json(path, s); // as older versions did
    EXPECT_FALSE(read_run_setup(path).period.any());
    s.domain = {{-1.5, 2, 3}, {4, 5.25, 6.1}};
    s.period.periodic[0] = s.period.periodic[2] = true;
    s.period.shift[0] = {5.5, 0, -0.1};
    s.period.shift[2] = {0, 0, 3.1};
    write_run_json(path, s);
    const RunSetup setup = read_run_setup(path);
    EXPECT_EQ(setup.domain.min, s.domain->min);
    EXPECT_EQ(setup.domain.max, s.domain->max);
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(setup.period.periodic[axis], s.period.periodic[axis]);
        EXPECT_EQ(setup.period.shift[axis], s.period.shift[axis]);
    }
    s.constants->h = 2; // the period along z is shorter than what a particle sees
    write_run_json(path, s);
    EXPECT_THROW(read_run_setup(path), InputError);
}

TEST(run_json, without_constants_is_refused) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "run.json";
    write_run_json(path, example_summary());
    EXPECT_THROW(read_run_setup(path), InputError);
    EXPECT_THROW(read_run_setup(folder.path() / "none.json"), InputError);
    const auto refused = [&](const char* name, const nlohmann::ordered_json& value) {
        auto json = constants_to_json(distinct_constants());
        json[name] = value;
        EXPECT_THROW(constants_from_json(json), std::exception) << name;
    };
    refused("mass_fluid", 0);
    refused("h", nullptr);
    refused("b", "much");
    refused("kernel", "gaussian");
    refused("integrator", "euler");
    refused("density_diffusion", 5);
    refused("density_diffusion", 1e99);
    refused("density_diffusion", "some");
    refused("viscosity", 0);
    refused("slip", 4);
    refused("boundary", true);
    refused("shifting", 1.5);
    refused("verlet_steps", 9.2e100);
    refused("verlet_steps", 4.5);
    refused("gravity", {0, 0});
}

TEST(run_json, of_an_older_version_gives_the_constants_that_it_has) {
    const sph::Constants whole = distinct_constants();
    auto json = constants_to_json(whole);
    for (const char* added :
         {"verlet_steps", "dt_min", "dt_fixed", "dt_initial", "dt_all_particles", "rho_out_min", "rho_out_max", "eta2",
          "boundary_viscosity_factor", "smagorinsky", "acoustic_damping", "tensile_spacing"})
        json.erase(added);
    const sph::Constants c = constants_from_json(json), defaults;
    EXPECT_EQ(c.eta2, 0.01 * whole.h * whole.h);
    EXPECT_EQ(c.boundary_viscosity_factor, 1);
    EXPECT_EQ(c.rho_out_min, defaults.rho_out_min);
    EXPECT_EQ(c.mass_bound, whole.mass_bound);
    // which wrote the numbers that cases have
    json["density_diffusion"] = 2;
    json["viscosity"] = 2;
    json["slip"] = 3;
    json["boundary"] = 1;
    json["shifting"] = 1;
    const sph::Constants numbered = constants_from_json(json);
    EXPECT_EQ(numbered.diffusion, sph::DensityDiffusion::fourtakas);
    EXPECT_EQ(numbered.viscosity, sph::ViscosityModel::laminar_sps);
    EXPECT_EQ(numbered.slip, sph::SlipMode::free_slip);
    EXPECT_EQ(numbered.boundary, sph::BoundaryCondition::dynamic);
    EXPECT_EQ(numbered.shifting, sph::Shifting::off_walls);
}

TEST(run_json, calls_every_choice_by_a_name_of_its_own) {
    const auto expect_back = []<class Choice>(const char* name, Choice sph::Constants::*member) {
        for (const ChoiceRow<Choice>& row : choices<Choice>) {
            sph::Constants c = distinct_constants();
            c.*member = row.choice;
            const auto json = constants_to_json(c);
            EXPECT_EQ(json[name], row.name);
            EXPECT_EQ(constants_from_json(json).*member, row.choice) << row.name;
        }
    };
    expect_back("kernel", &sph::Constants::kernel);
    expect_back("integrator", &sph::Constants::integrator);
    expect_back("density_diffusion", &sph::Constants::diffusion);
    expect_back("boundary", &sph::Constants::boundary);
    expect_back("slip", &sph::Constants::slip);
    expect_back("wall_pressure", &sph::Constants::wall_pressure);
    expect_back("pressure_form", &sph::Constants::pressure_form);
    expect_back("viscosity", &sph::Constants::viscosity);
    expect_back("shifting", &sph::Constants::shifting);
}

TEST(run_json, tells_the_time) { EXPECT_EQ(utc_now().size(), std::string("2025-03-01T12:00:00Z").size()); }

TEST(run_json, now_is_the_time_of_the_clock_in_greenwich) {
    const std::time_t before = std::time(nullptr);
    const std::string text = utc_now();
    const std::time_t after = std::time(nullptr);
    std::tm parts{};
    ASSERT_EQ(*strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts), '\0') << text;
    const std::time_t told = timegm(&parts);
    EXPECT_GE(told, before);
    EXPECT_LE(told, after);
}

TEST(run_json, tells_what_shares_the_run_and_what_frames_hold) {
    RunSummary s = example_summary();
    s.ranks = 2;
    s.split = "planes across x";
    s.gpus = {{3, "some GPU", 8, 15, 12, 0.25, 2'500'000, 1}};
    s.fields = FieldSelection{Field::velocity, Field::density};
    const auto json = nlohmann::json::parse(run_json(s));
    EXPECT_EQ(json["ranks"], 2);
    EXPECT_EQ(json["split"], "planes across x");
    EXPECT_EQ(json["gpus"], nlohmann::json::parse(R"([{"process": 1, "device": 3, "name": "some GPU", "rows": [8, 15],
        "fluid_particles": 12, "memory": 2500000, "waiting": 0.25}])"));
    ASSERT_EQ(json["fields"].size(), 2u);
    for (const auto& field : json["fields"]) {
        const bool velocity = field["name"] == "velocity";
        EXPECT_EQ(field["components"], velocity ? 3 : 1);
        EXPECT_EQ(field["unit"], velocity ? "m/s" : "kg/m3");
        EXPECT_EQ(field["particles"], "all");
    }
    const auto alone = nlohmann::json::parse(run_json(example_summary()));
    EXPECT_FALSE(alone.contains("split"));
    EXPECT_FALSE(alone.contains("gpus"));
}
