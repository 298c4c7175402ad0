// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

// What a run would take on more GPUs than there are: arithmetic on measured costs, link by link. docs/benchmarks.md has
// the formulas in words, and how far they are off where they can be compared.

namespace sluice::bench {

/// The way from one GPU to another.
struct Link {
    double latency = 0;   ///< s, until the first byte of a message is there
    double bandwidth = 0; ///< bytes/s that one GPU sends over all its links of this kind
};

/// Nodes of several GPUs each, all alike.
struct SimulatedMachine {
    std::string name, description;
    int gpus_a_node = 1;
    double gpu_memory = 0; ///< bytes of a GPU
    Link inside, between;  ///< of nodes
};

/// The machines that are known by name; the first is the default.
std::span<const SimulatedMachine> simulated_machines();

/// "NAME" or "NAME,KEY=VALUE,…": a machine that is known, with other values where they are given. Keys: gpus-a-node,
/// gpu-memory (bytes), inside-latency, between-latency (s), inside-bandwidth, between-bandwidth (bytes/s). InputError
/// that names what there is for anything else.
SimulatedMachine machine_of(const std::string& text);

/// What one GPU takes for a step against the number of its particles: straight lines between the measured points,
/// below them the line through the first two, which does not fall below 0 at none; beyond them the cost of a particle
/// is that of the last.
class StepCost {
public:
    struct Point {
        double particles = 0, seconds = 0;
    };
    /// At least one point. InputError for none, or for numbers that are not positive.
    explicit StepCost(std::vector<Point> points);
    double seconds(double particles) const;
    const std::vector<Point>& points() const { return points_; }

private:
    std::vector<Point> points_; ///< by their particles
};

/// Measured costs of a run, and what the run is.
struct ScalingCosts {
    ScalingCosts(std::string where, StepCost cost) : source(std::move(where)), one_gpu(std::move(cost)) {}
    std::string source; ///< where they were measured
    StepCost one_gpu;
    double imbalance = 0;      ///< the longest share of the work over the mean one, less 1
    double sharing = 0;        ///< s a step that sharing takes beside work, halos and votes
    double halo_layers = 0;    ///< how deep a halo is, in particle spacings
    double halo_bytes = 32;    ///< a particle and step: position and flow
    int votes = 2;             ///< that all agree on in a step: the time step, and whether lists are renewed
    double particle_bytes = 0; ///< memory of a particle
    Vec3d water;               ///< sides of the box that the particles fill, m
};

/// How space is cut between the GPUs. Each prime factor of their number, the largest first, cuts the longest side of
/// the shares so far, of the axes that may be cut: first between the nodes, then between the GPUs of a node.
enum class Cut { layers, two_axes, three_axes };
/// "across z", …
const char* cut_name(Cut cut);

/// Shares along each axis.
struct ShareGrid {
    std::array<int, 3> nodes{1, 1, 1}, in_node{1, 1, 1};
    int along(int axis) const { return nodes[std::size_t(axis)] * in_node[std::size_t(axis)]; }
};

/// The shares of so many GPUs. InputError where they neither fit into a node nor fill nodes.
ShareGrid share_grid(const SimulatedMachine& machine, const Vec3d& water, int gpus, Cut cut);

/// A step of a run.
struct StepPrediction {
    ShareGrid grid;
    double compute = 0;        ///< s, of the share that takes longest
    double sharing = 0;        ///< s
    double halo = 0;           ///< s, of all messages of a step
    double votes = 0;          ///< s
    double halo_particles = 0; ///< that a GPU sends in a step
    double exposed = 0;        ///< s of communication during which a GPU has nothing to compute
    double step() const { return compute + sharing + exposed; }
};

/// What a step takes. `overlap`: halos travel while what needs none is computed.
StepPrediction predict_step(const ScalingCosts& costs, const SimulatedMachine& machine, double particles, int gpus,
                            Cut cut, bool overlap);

/// Time on one GPU over that on `gpus`, and over their number: 1 would be ideal.
double strong_efficiency(const ScalingCosts& costs, double particles, int gpus, const StepPrediction& prediction);
/// Time of a share on one GPU, over that of the same share among others.
double weak_efficiency(const ScalingCosts& costs, double particles_a_gpu, const StepPrediction& prediction);

/// A step that several GPUs of one node were seen to take.
struct SharedStep {
    double particles = 0;
    int gpus = 2;
    double seconds = 0;
    bool overlap = false; ///< halos came while what needs none was computed
};

/// The costs with the imbalance and the time of sharing that fit these steps best: least squares of the relative
/// errors, neither below 0. One step gives the time of sharing alone; none leave both as they are.
ScalingCosts calibrated(ScalingCosts costs, const SimulatedMachine& machine, const std::vector<SharedStep>& steps);

} // namespace sluice::bench
