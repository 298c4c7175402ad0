// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/files/csv.h"
#include "io/water/reflection.h"
#include "setup/wave_theory.h"
#include "temporary_folder.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <numbers>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

constexpr double wave_depth = 0.5, g = 9.81, two_pi = 2 * std::numbers::pi;

/// One wave towards +x and its reflection.
struct Component {
    double frequency, incident, reflected, phase, lag; ///< Hz, m, m, rad, rad
};

double elevation_at(const std::vector<Component>& waves, double x, double t) {
    double sum = 0;
    for (const Component& c : waves) {
        const double w = two_pi * c.frequency, kx = waves::wave_number(w, wave_depth, g) * x;
        sum += c.incident * std::cos(w * t - kx + c.phase) + c.reflected * std::cos(w * t + kx + c.phase + c.lag);
    }
    return sum;
}

/// Irregular waves around 0.5 Hz, each component reflected by the same part.
std::vector<Component> irregular(double coefficient) {
    std::vector<Component> waves;
    for (int m = 30; m <= 120; ++m) { // of 100 s
        const double f = m / 100.0, a = 0.01 * std::exp(-8 * (f - 0.5) * (f - 0.5));
        waves.push_back({f, a, coefficient * a, 2.4 * m * m, 0.7 * m});
    }
    return waves;
}

double height_of(const std::vector<Component>& waves, double Component::*amplitude) {
    double variance = 0;
    for (const Component& c : waves) variance += c.*amplitude * (c.*amplitude) / 2;
    return 4 * std::sqrt(variance);
}

/// A table as swl gauges write them.
fs::path gauge_table(const fs::path& path, const std::vector<Component>& waves, double x, double interval, double end,
                     double level = wave_depth) {
    std::ofstream file(path);
    file << "# gauge\ntime [s],x [m],y [m],z [m]\n";
    for (int k = 0; k * interval <= end + 1e-9; ++k) {
        // samples come in the first step after their time
        const double t = k * interval + 1e-4 * (k % 3);
        file << fmt::format("{},{},0,{}\n", t, x, level + elevation_at(waves, x, t));
    }
    return path;
}

ReflectionJob job_of(const fs::path& folder, const std::vector<Component>& waves, const std::vector<double>& places,
                     double end) {
    ReflectionJob job;
    for (const double x : places)
        job.tables.push_back(gauge_table(folder / fmt::format("g{}.csv", x), waves, x, 0.05, end));
    job.depth = wave_depth;
    return job;
}

} // namespace

TEST(reflection, of_a_regular_wave_is_what_was_put_in) {
    const TemporaryFolder folder;
    const std::vector<Component> wave{{0.6, 0.05, 0.02, 0.3, 1.1}};
    ReflectionJob job = job_of(folder.path(), wave, {10, 10.5, 11.2}, 40);
    job.from = 5;
    job.to = 30; // fifteen periods
    const Reflection found = find_reflection(job);
    EXPECT_NEAR(found.result.peak_frequency, 0.6, 1e-9);
    EXPECT_NEAR(found.result.incident_height, std::numbers::sqrt2 * 0.1, 0.01 * 0.1414);
    EXPECT_NEAR(found.result.reflected_height, std::numbers::sqrt2 * 0.04, 0.01 * 0.0566);
    EXPECT_NEAR(found.result.coefficient, 0.4, 0.004);
}

TEST(reflection, of_irregular_waves_is_what_was_put_in) {
    const TemporaryFolder folder;
    for (const double coefficient : {0.0, 0.35, 1.0}) {
        const std::vector<Component> waves = irregular(coefficient);
        ReflectionJob job = job_of(folder.path(), waves, {2, 2.4, 3.1}, 101);
        job.to = 100;
        job.out = folder.path() / "spectra.csv";
        const Reflection found = find_reflection(job);
        const double height = height_of(waves, &Component::incident);
        EXPECT_NEAR(found.result.incident_height, height, 0.01 * height) << coefficient;
        EXPECT_NEAR(found.result.coefficient, coefficient, 0.01) << coefficient;
        EXPECT_LT(found.uncertain_part, 0.01);
    }
}

TEST(reflection, goes_the_way_of_the_waves) {
    const TemporaryFolder folder;
    ReflectionJob job = job_of(folder.path(), {{0.6, 0.02, 0.05, 0.3, 1.1}}, {10, 10.5, 11.2}, 40);
    job.from = 5;
    job.to = 30;
    job.direction_x = -3; // the larger wave goes towards −x
    EXPECT_NEAR(find_reflection(job).result.coefficient, 0.4, 0.004);
    job.direction_x = 1;
    job.positions = {-10, -10.5, -11.2};
    EXPECT_NEAR(find_reflection(job).result.coefficient, 0.4, 0.004);
}

TEST(reflection, leaves_out_what_the_places_cannot_tell_apart) {
    // places half a wave length apart see the same of both waves
    const double length = two_pi / waves::wave_number(two_pi * 0.6, wave_depth, g);
    std::vector<waves::PlacedSeries> series;
    for (int p = 0; p < 3; ++p) {
        series.push_back({p * length / 2, {}});
        for (int k = 0; k < 500; ++k)
            series.back().elevation.push_back(elevation_at({{0.6, 0.05, 0.02, 0, 0}}, series.back().x, k * 0.05));
    }
    const auto found = waves::separate_waves(series, {.duration = 25, .depth = wave_depth, .from = 0.6, .to = 0.6});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].certainty, 0, 1e-9);
    EXPECT_FALSE(found[0].counts);
    EXPECT_EQ(std::abs(found[0].incident), 0);
    EXPECT_TRUE(std::isnan(waves::sum_up(found).coefficient));
    series[1].x = length / 4; // the value does not matter: 1 − |1 − 1 + 1|²/9
    EXPECT_NEAR(
        waves::separate_waves(series, {.duration = 25, .depth = wave_depth, .from = 0.6, .to = 0.6})[0].certainty,
        8.0 / 9, 1e-9);
}

TEST(reflection, spectra_hold_the_energy_of_the_waves) {
    const TemporaryFolder folder;
    const std::vector<Component> waves = irregular(0.5);
    ReflectionJob job = job_of(folder.path(), waves, {2, 2.4, 3.1}, 100);
    job.out = folder.path() / "spectra.csv";
    job.least_frequency = 0.3;
    job.largest_frequency = 1.2;
    for (const int smoothing : {1, 7}) {
        job.smoothing = smoothing;
        find_reflection(job);
        const CsvTable table = read_csv(job.out);
        ASSERT_EQ(table.rows.size(), smoothing == 1 ? 91u : 13u);
        double sum = 0;
        for (const double density : table.numbers("incident [m2 s]")) sum += density * smoothing / 100;
        EXPECT_NEAR(4 * std::sqrt(sum), height_of(waves, &Component::incident), 0.01 * 4 * std::sqrt(sum));
        EXPECT_NEAR(table.numbers("coefficient").at(4), 0.5, 0.01);
    }
}

TEST(reflection, reads_one_table_of_many_points) {
    const TemporaryFolder folder;
    const std::vector<Component> wave{{0.6, 0.05, 0.02, 0.3, 1.1}};
    const fs::path path = folder.path() / "surface.csv";
    std::ofstream file(path);
    file << "time [s],frame,point,x [m],y [m],elevation [m]\n";
    for (int k = 0; k <= 500; ++k)
        for (int p = 0; p < 4; ++p) // the last one is dry
            file << fmt::format("{},{},{},{},0,{}\n", k * 0.05, k, p, 0.6 * p,
                                p == 3 ? std::nan("") : elevation_at(wave, 0.6 * p, k * 0.05));
    file.close();
    ReflectionJob job;
    job.tables = {path};
    job.depth = wave_depth;
    EXPECT_THROW(find_reflection(job), InputError) << "a dry point";
    job.points = {0, 1, 2};
    EXPECT_NEAR(find_reflection(job).result.coefficient, 0.4, 0.004);
    job.points = {0, 1};
    EXPECT_THROW(find_reflection(job), InputError) << "two places";
}

TEST(reflection, bad_input_is_refused) {
    const TemporaryFolder folder;
    const ReflectionJob good = job_of(folder.path(), {{0.6, 0.05, 0.02, 0.3, 1.1}}, {10, 10.5, 11.2}, 20);
    EXPECT_NO_THROW(find_reflection(good));
    const auto refuses = [&](auto change) {
        ReflectionJob job = good;
        change(job);
        EXPECT_THROW(find_reflection(job), InputError);
    };
    refuses([](ReflectionJob& job) { job.tables.pop_back(); });
    refuses([](ReflectionJob& job) { job.tables[1] = job.tables[0]; });
    refuses([&](ReflectionJob& job) { job.tables[1] = folder.path() / "none.csv"; });
    refuses([](ReflectionJob& job) { job.positions = {1, 2}; });
    refuses([](ReflectionJob& job) { job.direction_x = 0; });
    refuses([](ReflectionJob& job) { job.from = 21; });
    refuses([](ReflectionJob& job) { job.from = 19.9; });
    refuses([](ReflectionJob& job) { job.least_frequency = 50; });
    refuses([](ReflectionJob& job) { job.out = "spectra.txt"; });
    refuses([&](ReflectionJob& job) {
        std::ofstream(job.tables[1] = folder.path() / "speed.csv") << "time [s],vx [m/s]\n0,1\n";
    });
}
