// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/compare.h"
#include "backends/cpu_ways.h"
#include "test_name.h"

// What tests share that go through every way to run on the CPU.

namespace sluice::cpu_ways {

class WayTest : public testing::TestWithParam<Way> {
protected:
    /// A backend that has taken over the cloud's state.
    static std::unique_ptr<Backend> make(const clouds::Cloud& cloud, int threads = 2) {
        auto backend = GetParam().make(cloud, threads);
        backend->set_state(cloud.state);
        return backend;
    }

    /// The cloud's state after some steps, at one of which it has been handed to another backend.
    static ParticleState run(const clouds::Cloud& cloud, int steps, int threads, int handed_over) {
        const auto first = make(cloud, threads);
        take_steps(*first, handed_over);
        clouds::Cloud later = cloud;
        later.state = first->state();
        const auto second = make(later, threads);
        take_steps(*second, steps - handed_over);
        return second->state();
    }

    /// Neither the number of threads nor where a run is resumed changes a bit.
    static void expect_same_bits(const clouds::Cloud& cloud, int steps, int handed_over) {
        const ParticleState one = run(cloud, steps, 1, 0);
        EXPECT_TRUE(bitwise_equal(one, run(cloud, steps, 3, 0)));
        EXPECT_TRUE(bitwise_equal(one, run(cloud, steps, 2, handed_over)));
    }
};

inline std::string way_test_name(const testing::TestParamInfo<Way>& tested) {
    return as_test_name(tested.param.name());
}

/// Paired ways whose results do not depend on the number of threads.
inline std::vector<Way> same_for_any_threads() { return paired_ways({CpuMode::asymmetric, CpuMode::symmetric}); }

} // namespace sluice::cpu_ways
