// SPDX-License-Identifier: Apache-2.0
#include "bench/simulated_machine.h"

#include "core/error.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>

namespace sluice::bench {

namespace {

const SimulatedMachine machines[] = {
    {"nvlink-infiniband",
     "nodes of 8 GPUs with NVLink (386 GB/s from one to another, measured between two H200; its data sheet says 450), "
     "and an InfiniBand adapter of 400 Gb/s for each GPU, which reads the GPU's memory",
     8,
     141e9,
     {3e-6, 386e9},
     {10e-6, 45e9}},
    {"nvlink-staged",
     "the same nodes, with messages between them through the memory of the hosts, as by an MPI that does not know GPUs",
     8,
     141e9,
     {3e-6, 386e9},
     {30e-6, 12e9}},
    {"pcie-ethernet",
     "nodes of 4 GPUs on PCIe 4.0, and one Ethernet adapter of 100 Gb/s for all of them",
     4,
     80e9,
     {10e-6, 20e9},
     {50e-6, 2.75e9}},
};

/// Prime factors, the largest first.
std::vector<int> factors_of(int number) {
    std::vector<int> factors;
    for (int p = 2; number > 1; ++p)
        for (; number % p == 0; number /= p) factors.push_back(p);
    std::ranges::reverse(factors);
    return factors;
}

bool may_cut(Cut cut, int axis) { return axis == 2 || cut == Cut::three_axes || (cut == Cut::two_axes && axis == 1); }

/// Cuts `sides` into so many parts; how many there are along each axis.
std::array<int, 3> cut_into(int parts, Cut cut, Vec3d& sides) {
    std::array<int, 3> along{1, 1, 1};
    for (const int factor : factors_of(parts)) {
        int longest = 2;
        for (const int axis : {1, 0})
            if (may_cut(cut, axis) && sides[axis] > sides[longest]) longest = axis;
        sides[longest] /= factor;
        along[std::size_t(longest)] *= factor;
    }
    return along;
}

/// Rounds in which all of so many know what one of them knew, where each passes on what it has.
int rounds(int count) { return std::bit_width(unsigned(count - 1)); }

/// A share's messages along one axis, in both directions at once. The share with most neighbours counts.
double message_seconds(const SimulatedMachine& machine, const ShareGrid& grid, int axis, double bytes, double hops) {
    const int sides = std::min(2, grid.along(axis) - 1);
    const bool ends_of_node = grid.nodes[std::size_t(axis)] > 1;
    const int between = !ends_of_node ? 0 : grid.in_node[std::size_t(axis)] == 1 ? sides : 1;
    const auto time = [&](const Link& link, int messages) {
        return messages == 0 ? 0.0 : hops * link.latency + messages * bytes / link.bandwidth;
    };
    return std::max(time(machine.inside, sides - between), time(machine.between, between));
}

} // namespace

std::span<const SimulatedMachine> simulated_machines() { return machines; }

SimulatedMachine machine_of(const std::string& text) {
    const auto comma = std::min(text.find(','), text.size());
    const std::string name = text.substr(0, comma);
    const auto* const known = std::ranges::find(machines, name, &SimulatedMachine::name);
    if (known == std::end(machines)) {
        std::string names;
        for (const SimulatedMachine& m : machines) names += (names.empty() ? "" : ", ") + m.name;
        throw InputError(fmt::format("bench: --simulate: there is no machine '{}'; take one of {}", name, names));
    }
    SimulatedMachine machine = *known;
    double gpus = machine.gpus_a_node;
    const std::pair<const char*, double*> keys[] = {{"gpus-a-node", &gpus},
                                                    {"gpu-memory", &machine.gpu_memory},
                                                    {"inside-latency", &machine.inside.latency},
                                                    {"inside-bandwidth", &machine.inside.bandwidth},
                                                    {"between-latency", &machine.between.latency},
                                                    {"between-bandwidth", &machine.between.bandwidth}};
    for (std::size_t at = comma; at < text.size();) {
        const std::size_t end = std::min(text.find(',', at + 1), text.size());
        const std::string part = text.substr(at + 1, end - at - 1), key = part.substr(0, part.find('='));
        const std::string value = part.size() > key.size() ? part.substr(key.size() + 1) : "";
        at = end;
        std::string names;
        double* target = nullptr;
        for (const auto& [known_key, number] : keys) {
            names += (names.empty() ? "" : ", ") + std::string(known_key);
            if (key == known_key) target = number;
        }
        if (!target)
            throw InputError(fmt::format("bench: --simulate: a machine has no '{}'; take one of {}", key, names));
        char* rest = nullptr;
        *target = std::strtod(value.c_str(), &rest);
        if (value.empty() || *rest != '\0' || !(*target > 0) || !std::isfinite(*target))
            throw InputError(
                fmt::format("bench: --simulate: {}={}: a number above 0 is wanted, as {}=8", key, value, key));
        machine.description = known->description + ", with other values as given";
    }
    if (gpus != std::floor(gpus) || gpus > 1024)
        throw InputError(fmt::format("bench: --simulate: gpus-a-node={}: take a whole number up to 1024", gpus));
    machine.gpus_a_node = int(gpus);
    return machine;
}

StepCost::StepCost(std::vector<Point> points) : points_(std::move(points)) {
    std::ranges::sort(points_, {}, &Point::particles);
    if (points_.empty()) throw InputError("scaling: no step of one GPU has been measured");
    for (const Point& p : points_)
        if (!(p.particles > 0 && p.seconds > 0))
            throw InputError(
                fmt::format("scaling: {} s for {} particles is no cost of a step", p.seconds, p.particles));
}

double StepCost::seconds(double particles) const {
    const Point& last = points_.back();
    if (points_.size() == 1 || particles >= last.particles) return last.seconds * particles / last.particles;
    std::size_t n = 1; // the line from point n−1 to point n
    while (points_[n].particles < particles) ++n;
    const Point &a = points_[n - 1], &b = points_[n];
    const double slope = (b.seconds - a.seconds) / (b.particles - a.particles);
    if (particles >= a.particles) return a.seconds + slope * (particles - a.particles);
    const double at_none = std::clamp(a.seconds - slope * a.particles, 0.0, a.seconds);
    return at_none + (a.seconds - at_none) * particles / a.particles;
}

const char* cut_name(Cut cut) {
    switch (cut) {
    case Cut::layers: return "layers across z";
    case Cut::two_axes: return "across y and z";
    case Cut::three_axes: return "across x, y and z";
    }
    return "";
}

ShareGrid share_grid(const SimulatedMachine& machine, const Vec3d& water, int gpus, Cut cut) {
    if (gpus < 1 || (gpus > machine.gpus_a_node && gpus % machine.gpus_a_node != 0))
        throw InputError(
            fmt::format("scaling: {} GPUs neither fit into a node of {} nor fill nodes", gpus, machine.gpus_a_node));
    const int in_node = std::min(gpus, machine.gpus_a_node);
    Vec3d sides = water;
    ShareGrid grid;
    grid.nodes = cut_into(gpus / in_node, cut, sides);
    grid.in_node = cut_into(in_node, cut, sides);
    return grid;
}

StepPrediction predict_step(const ScalingCosts& costs, const SimulatedMachine& machine, double particles, int gpus,
                            Cut cut, bool overlap) {
    StepPrediction p;
    const Vec3d& water = costs.water;
    p.grid = share_grid(machine, water, gpus, cut);
    const double share = particles / gpus;
    p.compute = costs.one_gpu.seconds(share);
    if (gpus == 1) return p;
    p.compute *= 1 + costs.imbalance;
    p.sharing = costs.sharing;
    const double volume = water.x * water.y * water.z, spacing = std::cbrt(volume / particles);
    for (int axis = 0; axis < 3; ++axis) {
        const int along = p.grid.along(axis);
        if (along == 1) continue;
        const double thickness = water[axis] / along; // of a share
        const double face = volume / gpus / thickness;
        const double sent = costs.halo_layers * face / (spacing * spacing);
        const double hops = std::ceil(costs.halo_layers * spacing / thickness); // neighbours of neighbours, if thin
        p.halo += message_seconds(machine, p.grid, axis, sent * costs.halo_bytes, hops);
        p.halo_particles += std::min(2, along - 1) * sent;
    }
    const int in_node = std::min(gpus, machine.gpus_a_node);
    p.votes =
        costs.votes * (rounds(in_node) * machine.inside.latency + rounds(gpus / in_node) * machine.between.latency);
    const double interior = std::max(0.0, 1 - p.halo_particles / share);
    p.exposed = p.votes + (overlap ? std::max(0.0, p.halo - interior * p.compute) : p.halo);
    return p;
}

double strong_efficiency(const ScalingCosts& costs, double particles, int gpus, const StepPrediction& prediction) {
    return costs.one_gpu.seconds(particles) / (gpus * prediction.step());
}

double weak_efficiency(const ScalingCosts& costs, double particles_a_gpu, const StepPrediction& prediction) {
    return costs.one_gpu.seconds(particles_a_gpu) / prediction.step();
}

ScalingCosts calibrated(ScalingCosts costs, const SimulatedMachine& machine, const std::vector<SharedStep>& steps) {
    if (steps.empty()) return costs;
    costs.imbalance = costs.sharing = 0;
    // of each: imbalance × work + sharing × one = missing, all relative to the time that it took
    double ww = 0, wo = 0, oo = 0, wm = 0, om = 0;
    for (const SharedStep& step : steps) {
        const StepPrediction bare = predict_step(costs, machine, step.particles, step.gpus, Cut::layers, step.overlap);
        const double work = bare.compute / step.seconds, one = 1 / step.seconds,
                     missing = 1 - bare.step() / step.seconds;
        ww += work * work;
        wo += work * one;
        oo += one * one;
        wm += work * missing;
        om += one * missing;
    }
    const double determinant = ww * oo - wo * wo;
    const bool tells_apart = determinant > 1e-9 * ww * oo;
    if (tells_apart) {
        costs.imbalance = (wm * oo - om * wo) / determinant;
        costs.sharing = (om * ww - wm * wo) / determinant;
    }
    if (!tells_apart || costs.imbalance < 0) {
        costs.imbalance = 0;
        costs.sharing = std::max(0.0, om / oo);
    } else if (costs.sharing < 0) {
        costs.sharing = 0;
        costs.imbalance = std::max(0.0, wm / ww);
    }
    return costs;
}

} // namespace sluice::bench
