// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/backend/cuda_backend.h"
#include "test_name.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <ostream>

namespace sluice {

inline void PrintTo(const ModeInfo<GpuMode>& mode, std::ostream* out) { *out << mode.name; }

inline std::string mode_test_name(const testing::TestParamInfo<ModeInfo<GpuMode>>& tested) {
    return as_test_name(std::string(tested.param.option));
}

/// Skips a test on a machine without a GPU, or fails it if SLUICE_REQUIRE_GPU=1 promises one.
class GpuTest : public testing::Test {
protected:
    void SetUp() override {
        std::string why;
        if (count_gpus(&why) > 0) return;
        const char* required = std::getenv("SLUICE_REQUIRE_GPU");
        if (required && std::strcmp(required, "1") == 0) FAIL() << "a GPU is required: " << why;
        GTEST_SKIP() << why;
    }
};

inline constexpr sph::Integrator integrators[] = {sph::Integrator::verlet, sph::Integrator::symplectic};
/// With that of staggered steps, which no version of the papers has.
inline constexpr sph::Integrator all_integrators[] = {sph::Integrator::verlet, sph::Integrator::symplectic,
                                                      sph::Integrator::staggered};

/// Steps exactly `steps` steps, as take_steps(), without reading the state back on the way.
inline void advance(Backend& backend, std::int64_t steps) {
    std::int64_t step = backend.advance({1e9, 0, 1e9}).step;
    for (const std::int64_t end = step + steps; step < end;) step = backend.advance({1e9, end - step, 1e9}).step;
}

} // namespace sluice
