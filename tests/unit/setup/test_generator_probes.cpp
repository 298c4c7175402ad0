// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "geometry/generate.h"
#include "setup/setup.h"
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

// Small cases that each ask the reference generator one question, with its answers: see generator_probes/README.md.

using namespace sluice;

namespace {

const std::filesystem::path folder = std::filesystem::path(SLUICE_SOURCE_DIR) / "tests/unit/setup/generator_probes";

using Row = std::vector<double>; ///< the numbers after the name
using Table = std::map<std::string, std::vector<Row>>;

Table read_table(const char* name) {
    std::ifstream in(folder / name);
    Table table;
    std::string line;
    for (std::getline(in, line); std::getline(in, line);) {
        std::istringstream cells(line);
        std::string probe, cell;
        std::getline(cells, probe, ',');
        Row row;
        while (std::getline(cells, cell, ',')) row.push_back(std::stod(cell));
        table[probe].push_back(row);
    }
    return table;
}

std::map<std::string, std::string> read_probes() {
    std::ifstream in(folder / "probes.txt");
    std::map<std::string, std::string> probes;
    std::string line, *text = nullptr;
    while (std::getline(in, line)) {
        if (line.starts_with("probe "))
            text = &probes[line.substr(6)];
        else
            *text += line + "\n";
    }
    return probes;
}

/// What the generator refuses, and so does Sluice.
const std::set<std::string> refused{
    "fill-mode-none",         "fill-voidbox", "bathy-single-line",    "mk-beyond",
    "mk-hdp-coefh",           "mk-nocoefh",   "init-velocity-linear", "init-velocity-linear-nodir",
    "init-velocity-parabolic"};

/// What is known to differ: docs/case-format.md says how. One that agrees must be taken from here.
const std::set<std::string> different{"bathy-expands", "bathy-periodicx", "bathy-periodicy", "bathy-plain-grid",
                                      "bathy-regular"};

/// Its places are random; the generator's bounds, velocities and densities are compared.
const char* const random_places = "init-moverandom";

bool near(double a, double b, double absolute, double relative) {
    return std::abs(a - b) <= absolute + relative * std::max(std::abs(a), std::abs(b));
}

/// The first thing that differs, or "".
class Comparison {
public:
    explicit Comparison(const std::string& text, const std::string& name)
        : name_(name), case_(read_case_text(text, folder / (name + ".xml"), allowing())) {
        set_ = generate_particles(case_, case_.diagnostics);
    }

    std::string blocks(const std::vector<Row>& expected) const {
        if (expected.size() != set_.blocks.size())
            return fmt::format("{} mk, {} expected", set_.blocks.size(), expected.size());
        for (const Row& row : expected) {
            const ParticleBlock* b = block(row);
            if (!b) return fmt::format("mk {} is missing", row[0]);
            if (int(b->type) != int(row[1]) || b->count != std::uint32_t(row[2]))
                return fmt::format("mk {}: {} particles of type {}, {} of {} expected", row[0], b->count, int(b->type),
                                   row[2], row[1]);
            if (name_ == random_places) continue;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const double got[] = {b->min[int(axis)], b->max[int(axis)], b->mean[int(axis)],
                                      b->deviation[int(axis)]};
                for (std::size_t i = 0; i < 4; ++i)
                    if (!near(got[i], row[3 + 4 * axis + i], 3e-6, 2e-6))
                        return fmt::format("mk {}, axis {}: {} of the places (min, max, mean, deviation) is {}, {} "
                                           "expected",
                                           row[0], axis, i, got[i], row[3 + 4 * axis + i]);
            }
        }
        return "";
    }

    /// Every place of the generator is one of ours.
    std::string places(const std::vector<Row>& expected) const {
        for (const Row& row : expected) {
            const ParticleBlock* b = block(row);
            bool found = false;
            for (std::uint32_t n = b->begin; n < b->begin + b->count && !found; ++n) {
                const Vec3d& p = set_.position[n];
                found = near(p.x, row[1], 2e-5, 0) && near(p.y, row[2], 2e-5, 0) && near(p.z, row[3], 2e-5, 0);
            }
            if (!found) return fmt::format("no particle of mk {} at {} {} {}", row[0], row[1], row[2], row[3]);
        }
        return "";
    }

    std::string initial(const std::vector<Row>& expected) const {
        constexpr std::size_t cs0 = 3, hswl = 4, values = 5;
        if (!near(set_.still_water_depth, case_.constants.hswl ? set_.still_water_depth : expected[0][hswl], 1e-5, 0))
            return fmt::format("still water depth {}, {} expected", set_.still_water_depth, expected[0][hswl]);
        if (expected[0][cs0] == 0) return "";
        const RunSetup setup = make_run_setup(case_, set_);
        if (!near(setup.constants.c0, expected[0][cs0], 0, 1e-5))
            return fmt::format("speed of sound {}, {} expected", setup.constants.c0, expected[0][cs0]);
        const ParticleState state = make_initial_state(case_, set_, setup);
        for (const Row& row : expected) {
            const ParticleBlock* b = block(row);
            double low[4] = {1e300, 1e300, 1e300, 1e300}, high[4] = {-1e300, -1e300, -1e300, -1e300}, sum[4] = {};
            for (std::uint32_t n = b->begin; n < b->begin + b->count; ++n) {
                // the generator leaves the motion of walls to the solver
                const bool moves = setup.rigid.object_of(n) != RigidParticles::at_rest;
                const Vec3f velocity = moves ? Vec3f{} : state.velocity[n];
                const double v[] = {velocity.x, velocity.y, velocity.z, state.density[n]};
                for (std::size_t i = 0; i < 4; ++i) {
                    low[i] = std::min(low[i], v[i]);
                    high[i] = std::max(high[i], v[i]);
                    sum[i] += v[i] / b->count;
                }
            }
            for (std::size_t i = 0; i < 4; ++i) {
                const double got[] = {low[i], high[i], sum[i]};
                for (std::size_t k = 0; k < 3; ++k)
                    if (!near(got[k], row[values + 3 * i + k], i < 3 ? 1e-5 : 0.002, 0))
                        return fmt::format("mk {}: {} of {} (min, max, mean of vx, vy, vz, density) is {}, {} expected",
                                           row[0], k, i, got[k], row[values + 3 * i + k]);
            }
        }
        return "";
    }

    /// The fluid, if there is one.
    const ParticleBlock& last() const { return set_.blocks.back(); }

private:
    static CaseOverrides allowing() {
        CaseOverrides overrides;
        overrides.allow_unsupported = true;
        return overrides;
    }
    const ParticleBlock* block(const Row& row) const {
        for (const ParticleBlock& b : set_.blocks)
            if (b.mk == int(row[0])) return &b;
        return nullptr;
    }

    std::string name_;
    Case case_;
    ParticleSet set_;
};

struct Answers {
    Table particles = read_table("particles.csv"), initial = read_table("initial.csv"),
          places = read_table("places.csv");
};

std::string difference(const std::string& name, const std::string& text, const Answers& answers) {
    const auto expected = answers.particles.find(name);
    try {
        const Comparison made(text, name);
        if (expected == answers.particles.end()) return "it draws what the generator does not";
        std::string what = made.blocks(expected->second);
        if (const auto found = answers.places.find(name); what.empty() && found != answers.places.end())
            what = made.places(found->second);
        if (const auto found = answers.initial.find(name); what.empty() && found != answers.initial.end())
            what = made.initial(found->second);
        return what;
    } catch (const InputError& e) {
        const bool empty = std::string_view(e.what()).find("draws no particles") != std::string_view::npos;
        const bool right = refused.contains(name) ? !empty : empty && expected == answers.particles.end();
        return right ? "" : e.what();
    }
}

} // namespace

TEST(GeneratorProbes, AreDrawnAsTheReferenceDrawsThem) {
    const auto probes = read_probes();
    const Answers answers;
    EXPECT_EQ(probes.size(), 257u);
    for (const auto& [name, text] : probes) {
        const std::string what = difference(name, text, answers);
        if (different.contains(name))
            EXPECT_NE(what, "") << name << " agrees now: take it from the list";
        else
            EXPECT_EQ(what, "") << name;
    }
}

// Displacements are within half of dpxyz·dp on every axis, and come near to that.
TEST(GeneratorProbes, RandomPlacesStayWithinTheirBounds) {
    const auto probes = read_probes();
    const Comparison made(probes.at(random_places), random_places);
    const double shift = 0.2 * 0.05 / 2;
    EXPECT_GE(made.last().min.z, 0.05 - shift);
    EXPECT_LE(made.last().max.z, 0.55 + shift);
    EXPECT_LT(made.last().min.z, 0.05 - shift / 2);
}
