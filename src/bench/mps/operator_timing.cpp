// SPDX-License-Identifier: Apache-2.0
#include "bench/mps/operator_timing.h"

#include "bench/timing.h"
#include "bench/variants.h"
#include "core/error.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice::bench {

namespace {

using mps::DifferentialOperator;

/// Particles along each axis of a lattice that keeps every multiprocessor of a GPU busy for many waves.
constexpr int filling_side = 201;

std::string measured_name(const OperatorVariant& variant, DifferentialOperator which) {
    return fmt::format("{}; {}", variant.name, operator_name(which));
}

BackendInfo info_of(const OperatorVariant& variant) {
    BackendInfo info;
    info.backend = variant.gpu ? "cuda" : "cpu";
    info.mode = variant.name;
    info.cells = fmt::format("r/{}", variant.divisions);
    info.simd = variant.lanes;
    info.device = variant.gpu ? gpu_name() : "";
    info.threads = variant.threads;
    return info;
}

/// A version with an operator, ready to be timed.
struct Contestant {
    OperatorRunner* runner;
    DifferentialOperator which;
    int evaluations; ///< in a sample
    Measurement measurement;
};

Sample sample_of(Contestant& contestant) {
    const OperatorSeconds mean = contestant.runner->run(contestant.which, contestant.evaluations);
    Sample sample;
    sample.steps = contestant.evaluations;
    sample.wall_seconds = mean.evaluate * contestant.evaluations;
    sample.phases.interaction = sample.wall_seconds;
    sample.phases.cell_list = mean.search * contestant.evaluations;
    return sample;
}

void measure_lattice(const std::vector<OperatorVariant>& variants, int side, double budget, const Plan& plan,
                     ExperimentResult& result) {
    const double start = now();
    const ParticleLattice lattice(side);
    std::vector<std::unique_ptr<OperatorRunner>> runners;
    std::vector<Contestant> contestants;
    for (const OperatorVariant& variant : variants) {
        try {
            runners.push_back(variant.make(lattice));
        } catch (const RunError& error) {
            result.estimated.push_back(
                fmt::format("{} at {} particles was left out: {}.", variant.name, lattice.size(), error.what()));
            continue;
        }
        for (const DifferentialOperator which : all_operators) {
            Measurement m;
            m.variant = measured_name(variant, which);
            m.particles = m.fluid = lattice.size();
            m.dp = 1;
            m.backend = info_of(variant);
            m.warm_up_steps = 1;
            contestants.push_back({runners.back().get(), which, 1, std::move(m)});
        }
    }
    double round = 0; // seconds of one
    for (Contestant& c : contestants) {
        c.runner->run(c.which, 1);
        const OperatorSeconds pilot = c.runner->run(c.which, 1);
        const double cost = pilot.search + pilot.evaluate;
        c.evaluations = std::clamp(static_cast<int>(0.02 / cost), 1, 50);
        c.measurement.memory_bytes = c.runner->memory_bytes();
        round += c.evaluations * cost;
    }
    const int rounds = std::clamp(static_cast<int>((budget - (now() - start)) / round), 2, 7);
    plan.tell(fmt::format("  {}³ particles: {} versions with three operators, {} times", side, runners.size(), rounds));
    for (int n = 0; n < rounds; ++n)
        for (Contestant& c : contestants) c.measurement.samples.push_back(sample_of(c));
    for (Contestant& c : contestants) result.measurements.push_back(std::move(c.measurement));
}

} // namespace

std::vector<int> lattice_sides(const Plan& plan) {
    std::vector<int> sides;
    for (const std::uint64_t size : plan.sizes) sides.push_back(lattice_side(size));
    if (sides.empty()) sides.push_back(plan.budget < 10 ? 31 : paper_side);
    std::ranges::sort(sides);
    return sides;
}

void measure_operators(const std::vector<OperatorVariant>& variants, const Plan& plan, ExperimentResult& result) {
    const std::vector<int> sides = lattice_sides(plan);
    std::vector<OperatorVariant> on_gpu;
    for (const OperatorVariant& variant : variants)
        if (variant.gpu && plan.sizes.empty()) on_gpu.push_back(variant);
    const double budget = plan.budget / double(sides.size() + (on_gpu.empty() ? 0 : 1));
    for (const int side : sides) measure_lattice(variants, side, budget, plan, result);
    if (!on_gpu.empty()) measure_lattice(on_gpu, filling_side, budget, plan, result);
}

const Measurement* find_operator(const ExperimentResult& result, const OperatorVariant& variant,
                                 DifferentialOperator which, int side) {
    return find(result, measured_name(variant, which), static_cast<std::uint32_t>(side * side * side));
}

std::vector<int> measured_sides(const ExperimentResult& result) {
    std::vector<int> sides;
    for (const std::uint32_t size : measured_sizes(result)) sides.push_back(lattice_side(size));
    return sides;
}

double search_seconds(const Measurement& measurement) { return measurement.phases_per_step().cell_list; }

} // namespace sluice::bench
