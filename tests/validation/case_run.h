// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/read_case.h"
#include "cpu/backend/cpu_backend.h"
#include "geometry/generate.h"
#include "run/flow_statistics.h"
#include "run/simulation.h"
#include "setup/setup.h"
#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>

// Whole runs inside a test: a shipped case through the same layers as `sluice run`, without files.

namespace sluice::validation {

/// Calls a function with the frame at regular times.
class Watcher final : public Sampler {
public:
    Watcher(double period, std::function<void(const Frame&)> look)
        : Sampler(SampleClock(period)), look_(std::move(look)) {}
    void sample(const Frame& frame) override { look_(frame); }

private:
    std::function<void(const Frame&)> look_;
};

/// A case ready to run, and what left it.
struct CaseRun {
    Case definition;
    ParticleSet particles;
    RunSetup setup;
    std::unique_ptr<Backend> backend;
    std::vector<ExcludedParticle> excluded;

    explicit CaseRun(const std::string& name, const CaseOverrides& overrides = {}, const CpuOptions& cpu = {})
        : CaseRun(read_case(std::string(SLUICE_SOURCE_DIR) + "/cases/" + name, overrides), cpu) {}
    explicit CaseRun(Case the_case, const CpuOptions& cpu = {}) : definition(std::move(the_case)) {
        particles = generate_particles(definition, definition.diagnostics);
        setup = make_run_setup(definition, particles);
        backend = make_cpu_backend(setup, particles.size(), cpu);
        backend->set_state(make_initial_state(definition, particles, setup));
    }

    /// Runs to the case's TimeMax and looks every `period` seconds.
    RunResult run(double period, std::function<void(const Frame&)> look) {
        Watcher watcher(period, std::move(look));
        RunLimits limits;
        limits.time_max = definition.parameters.time_max;
        Simulation simulation(*backend, setup, limits);
        simulation.add_sampler(watcher);
        simulation.on_excluded = [&](const auto& list) { excluded.insert(excluded.end(), list.begin(), list.end()); };
        const std::atomic<int> never{0};
        return simulation.run(never);
    }
    std::vector<FlowStatistics> run_statistics(double period) {
        std::vector<FlowStatistics> series;
        run(period, [&](const Frame& frame) {
            series.push_back(flow_statistics(frame, setup.constants, setup.groups, setup.normals));
        });
        return series;
    }
};

/// A table of numbers with '#' comments and one header line.
inline std::vector<std::vector<double>> read_table(const std::string& name) {
    std::ifstream file(std::string(SLUICE_SOURCE_DIR) + "/tests/validation/data/" + name);
    EXPECT_TRUE(file) << name;
    std::vector<std::vector<double>> rows;
    bool header = true;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        if (std::exchange(header, false)) continue;
        std::istringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
    }
    return rows;
}

/// Linear interpolation of a figure of the series at a time.
inline double at_time(const std::vector<FlowStatistics>& series, double time, double (*figure)(const FlowStatistics&)) {
    const auto after =
        std::lower_bound(series.begin(), series.end(), time, [](const auto& s, double t) { return s.time < t; });
    if (after == series.begin()) return figure(series.front());
    if (after == series.end()) return figure(series.back());
    const auto before = after - 1;
    const double w = (time - before->time) / (after->time - before->time);
    return (1 - w) * figure(*before) + w * figure(*after);
}

inline double front(const FlowStatistics& s) { return s.front; }
inline double centroid_x(const FlowStatistics& s) { return s.centroid.x; }
inline double centroid_z(const FlowStatistics& s) { return s.centroid.z; }
inline double kinetic_energy(const FlowStatistics& s) { return s.kinetic_energy; }

/// Holds a series against the reference solver's (columns as in tests/validation/data): relative differences up to
/// `until` at most `band`.
inline void expect_follows_reference(const std::vector<FlowStatistics>& series, const std::string& table, double until,
                                     double band) {
    double worst_front = 0, worst_centroid = 0, worst_energy = 0;
    const auto rows = read_table(table);
    for (const auto& row : rows) {
        const double t = row[0];
        if (t == 0 || t > until + 1e-9) continue;
        const auto relative = [&](double (*figure)(const FlowStatistics&), double expected, double scale) {
            return std::abs(at_time(series, t, figure) - expected) / scale;
        };
        worst_front = std::max(worst_front, relative(front, row[2], row[2]));
        worst_centroid =
            std::max({worst_centroid, relative(centroid_x, row[3], row[3]), relative(centroid_z, row[4], row[4])});
        worst_energy = std::max(worst_energy, relative(kinetic_energy, row[5], row[5]));
    }
    testing::Test::RecordProperty("front", std::to_string(worst_front));
    std::printf("largest relative difference to the reference solver up to %g s: front %.4f, centroid %.4f, kinetic "
                "energy %.4f\n",
                until, worst_front, worst_centroid, worst_energy);
    EXPECT_LE(worst_front, band) << "front";
    EXPECT_LE(worst_centroid, band) << "centroid";
    EXPECT_LE(worst_energy, band) << "kinetic energy";
}

} // namespace sluice::validation
