// SPDX-License-Identifier: Apache-2.0
#include "bench/simulated_machine.h"
#include "core/error.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::bench;

// Numbers worked out by hand.

namespace {

/// Nodes of 8: 10 µs and 10 GB/s inside, 50 µs and 1 GB/s between.
SimulatedMachine hand_machine() { return {"hand", "", 8, 1e12, {1e-5, 1e10}, {5e-5, 1e9}}; }

/// A nanosecond a particle; a cube of 1 m; halos 4 spacings deep.
ScalingCosts hand_costs() {
    ScalingCosts c("hand", StepCost({{1e6, 1e-3}}));
    c.halo_layers = 4;
    c.water = {1, 1, 1};
    return c;
}

} // namespace

TEST(StepCost, IsWhatWasMeasuredAndLinesBetween) {
    const StepCost cost({{2e6, 1.8e-3}, {1e6, 1e-3}});
    EXPECT_DOUBLE_EQ(cost.seconds(1e6), 1e-3);
    EXPECT_DOUBLE_EQ(cost.seconds(2e6), 1.8e-3);
    EXPECT_DOUBLE_EQ(cost.seconds(1.5e6), 1.4e-3);
    EXPECT_DOUBLE_EQ(cost.seconds(5e5), 0.6e-3); // the line meets 0.2 ms at none
    EXPECT_DOUBLE_EQ(cost.seconds(0), 0.2e-3);
    EXPECT_DOUBLE_EQ(cost.seconds(4e6), 3.6e-3);                                 // 0.9 ns a particle
    EXPECT_DOUBLE_EQ(StepCost({{1e6, 1e-3}, {2e6, 3e-3}}).seconds(5e5), 0.5e-3); // not below 0 at none
    EXPECT_THROW(StepCost({}), InputError);
    EXPECT_THROW(StepCost({{0, 1}}), InputError);
}

TEST(SimulatedMachine, OneGpuTakesWhatWasMeasured) {
    ScalingCosts c = hand_costs();
    c.imbalance = 0.1;
    c.sharing = 1e-4;
    for (const bool overlap : {false, true}) {
        const StepPrediction one = predict_step(c, hand_machine(), 3e6, 1, Cut::three_axes, overlap);
        EXPECT_DOUBLE_EQ(one.step(), 3e-3);
        EXPECT_DOUBLE_EQ(strong_efficiency(c, 3e6, 1, one), 1);
        EXPECT_DOUBLE_EQ(weak_efficiency(c, 3e6, one), 1);
    }
}

TEST(SimulatedMachine, TwoGpusSendAHaloAndVote) {
    ScalingCosts c = hand_costs();
    c.imbalance = 0.1;
    c.sharing = 5e-5;
    // spacing 1 cm; 4 layers of 10⁴ particles, 32 bytes each: 1.28 MB
    const StepPrediction plain = predict_step(c, hand_machine(), 1e6, 2, Cut::layers, false);
    EXPECT_NEAR(plain.compute, 0.55e-3, 1e-12);
    EXPECT_NEAR(plain.halo_particles, 4e4, 1e-6);
    EXPECT_NEAR(plain.halo, 1e-5 + 1.28e-4, 1e-12);
    EXPECT_NEAR(plain.votes, 2e-5, 1e-12);
    EXPECT_NEAR(plain.exposed, 1.58e-4, 1e-12);
    EXPECT_NEAR(plain.step(), 0.758e-3, 1e-12);
    EXPECT_NEAR(strong_efficiency(c, 1e6, 2, plain), 1e-3 / (2 * 0.758e-3), 1e-9);
    // 92 % of the share needs no halo, 0.506 ms: longer than the halo takes
    const StepPrediction overlap = predict_step(c, hand_machine(), 1e6, 2, Cut::layers, true);
    EXPECT_NEAR(overlap.exposed, 2e-5, 1e-12);
    EXPECT_NEAR(overlap.step(), 0.62e-3, 1e-12);
}

TEST(SimulatedMachine, AHaloLongerThanTheInteriorIsExposedByTheRest) {
    SimulatedMachine slow = hand_machine();
    slow.inside.bandwidth = 1e9; // the halo takes 10 µs and 1.28 ms, the interior 0.46 ms
    const StepPrediction p = predict_step(hand_costs(), slow, 1e6, 2, Cut::layers, true);
    EXPECT_NEAR(p.exposed, 2e-5 + 1.29e-3 - 0.46e-3, 1e-12);
}

TEST(SimulatedMachine, FacesBetweenNodesGoTheSlowerWay) {
    // 8 nodes and 8 GPUs in each, 2 x 2 x 2 both; 4 shares along each axis, a face of 4·10⁴ particles
    const StepPrediction p = predict_step(hand_costs(), hand_machine(), 64e6, 64, Cut::three_axes, false);
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(p.grid.along(axis), 4);
    EXPECT_NEAR(p.halo, 3 * (5e-5 + 1.28e-3), 1e-10);
    EXPECT_NEAR(p.halo_particles, 3 * 2 * 4e4, 1e-5); // of a share in the middle
    EXPECT_NEAR(p.votes, 2 * 3 * (1e-5 + 5e-5), 1e-12);
    // layers across z: 8 nodes of 8 layers each, all faces whole: 4 × 160,000 particles, one of two between nodes
    const StepPrediction layers = predict_step(hand_costs(), hand_machine(), 64e6, 64, Cut::layers, false);
    EXPECT_EQ(layers.grid.along(2), 64);
    EXPECT_NEAR(layers.halo, 5e-5 + 640e3 * 32 / 1e9, 1e-9);
}

TEST(SimulatedMachine, AGpuThatIsANodeSendsBothFacesTheSlowerWay) {
    SimulatedMachine machine = hand_machine();
    machine.gpus_a_node = 1;
    // 4 layers, 4 × 10⁴ particles a face; two nodes have one face each
    EXPECT_NEAR(predict_step(hand_costs(), machine, 1e6, 4, Cut::layers, false).halo, 5e-5 + 2 * 1.28e-3, 1e-10);
    EXPECT_NEAR(predict_step(hand_costs(), machine, 1e6, 2, Cut::layers, false).halo, 5e-5 + 1.28e-3, 1e-10);
}

TEST(SimulatedMachine, ASmallRunIsBoundByLatency) {
    // 1000 particles: spacing 0.1, faces of 4 × 100
    const StepPrediction p = predict_step(hand_costs(), hand_machine(), 1000, 2, Cut::layers, false);
    EXPECT_NEAR(p.step() - p.compute, 3e-5 + 400 * 32 / 1e10, 1e-12);
    EXPECT_GT(p.exposed / p.step(), 0.9);
    // so thin that a halo reaches four shares further: a latency each
    const StepPrediction thin = predict_step(hand_costs(), hand_machine(), 1000, 8, Cut::layers, false);
    EXPECT_NEAR(thin.halo, std::ceil(0.4 * 8) * 1e-5 + 2 * 400 * 32 / 1e10, 1e-12);
}

TEST(SimulatedMachine, WeakScalingEndsAtTheHaloOfAShareWithAllItsNeighbours) {
    const double each = 1e6;
    const auto at = [&](int gpus, Cut cut) {
        return predict_step(hand_costs(), hand_machine(), each * gpus, gpus, cut, false);
    };
    const StepPrediction many = at(512, Cut::three_axes), more = at(4096, Cut::three_axes);
    EXPECT_NEAR(many.halo, more.halo, 1e-9);
    EXPECT_NEAR(more.step() - many.step(), 2 * 3 * 5e-5, 1e-9); // eight times the nodes: three more rounds a vote
    EXPECT_NEAR(at(4096, Cut::layers).halo / at(512, Cut::layers).halo, 4, 0.02); // a face grows as N^(2/3)
}

TEST(ShareGrid, CutsTheLongestSideThatMayBeCut) {
    const Vec3d water{0.4, 0.67, 0.3};
    const ShareGrid three = share_grid(hand_machine(), water, 8, Cut::three_axes);
    EXPECT_EQ(three.in_node, (std::array<int, 3>{2, 4, 1}));
    EXPECT_EQ(share_grid(hand_machine(), water, 8, Cut::two_axes).in_node, (std::array<int, 3>{1, 4, 2}));
    EXPECT_EQ(share_grid(hand_machine(), water, 24, Cut::layers).nodes, (std::array<int, 3>{1, 1, 3}));
    EXPECT_EQ(share_grid(hand_machine(), water, 6, Cut::three_axes).in_node, (std::array<int, 3>{2, 3, 1}));
    EXPECT_THROW(share_grid(hand_machine(), water, 12, Cut::layers), InputError);
}

TEST(Calibration, FindsTheImbalanceAndTheTimeOfSharingAgain) {
    ScalingCosts c = hand_costs();
    c.imbalance = 0.05;
    c.sharing = 3e-5;
    std::vector<SharedStep> steps;
    for (const double n : {1e6, 8e6, 30e6})
        steps.push_back({n, 2, predict_step(c, hand_machine(), n, 2, Cut::layers, false).step()});
    const ScalingCosts found = calibrated(hand_costs(), hand_machine(), steps);
    EXPECT_NEAR(found.imbalance, 0.05, 1e-9);
    EXPECT_NEAR(found.sharing, 3e-5, 1e-12);
    const ScalingCosts of_one = calibrated(hand_costs(), hand_machine(), {steps[0]});
    EXPECT_EQ(of_one.imbalance, 0);
    EXPECT_NEAR(of_one.sharing, 3e-5 + 0.05 * 0.5e-3, 1e-12);
    EXPECT_EQ(calibrated(c, hand_machine(), {}).sharing, 3e-5);
    const ScalingCosts faster = calibrated(hand_costs(), hand_machine(), {{1e6, 2, 0.5e-3}, {8e6, 2, 4e-3}});
    EXPECT_EQ(faster.sharing, 0); // never below
    EXPECT_EQ(faster.imbalance, 0);
}

TEST(MachineOf, TakesAKnownMachineAndWhatDiffers) {
    const SimulatedMachine m = machine_of("pcie-ethernet,gpus-a-node=6,between-latency=2e-5");
    EXPECT_EQ(m.gpus_a_node, 6);
    EXPECT_EQ(m.between.latency, 2e-5);
    EXPECT_EQ(m.inside.bandwidth, machine_of("pcie-ethernet").inside.bandwidth);
    for (const char* wrong :
         {"abacus", "", "pcie-ethernet,speed=3", "pcie-ethernet,gpus-a-node=0", "pcie-ethernet,gpus-a-node=2.5",
          "pcie-ethernet,gpu-memory=80G", "pcie-ethernet,", "pcie-ethernet,gpus-a-node"})
        EXPECT_THROW(machine_of(wrong), InputError) << wrong;
}
