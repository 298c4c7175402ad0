// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/solver.h"

#include "methods/fvpm/cpu_passes.h"
#include "methods/fvpm/step.h"
#include <chrono>

namespace sluice::fvpm {

namespace {

/// The passes, with the time that each part takes.
class TimedPasses {
public:
    TimedPasses(CpuPasses& passes, PartSeconds& seconds) : passes_(passes), seconds_(seconds) {}
    void choose_time_step(double end) {
        timed(seconds_.fluxes, [&] { passes_.choose_time_step(end); });
    }
    void drift() {
        timed(seconds_.fluxes, [&] { passes_.drift(); });
    }
    void find_neighbours() {
        timed(seconds_.search, [&] { passes_.find_neighbours(); });
    }
    void find_vectors() {
        timed(seconds_.vectors, [&] { passes_.find_vectors(); });
    }
    void find_sides() {
        timed(seconds_.fluxes, [&] { passes_.find_sides(); });
    }
    void find_gradients() {
        timed(seconds_.fluxes, [&] { passes_.find_gradients(); });
    }
    void find_fluxes() {
        timed(seconds_.fluxes, [&] { passes_.find_fluxes(); });
    }
    void predict() {
        timed(seconds_.fluxes, [&] { passes_.predict(); });
    }
    void correct() {
        timed(seconds_.fluxes, [&] { passes_.correct(); });
    }

private:
    template <class Pass>
    static void timed(double& seconds, Pass pass) {
        const auto begin = std::chrono::steady_clock::now();
        pass();
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    CpuPasses& passes_;
    PartSeconds& seconds_;
};

class CpuSolver final : public Solver {
public:
    CpuSolver(const FvpmConstants& constants, const CpuSolverOptions& options) : passes_(constants, options) {}
    void set_particles(Particles particles) override { passes_.set_particles(std::move(particles)); }
    Particles particles() override { return passes_.particles(); }
    void advance(double end, std::int64_t most_steps) override {
        TimedPasses passes(passes_, seconds_);
        for (std::int64_t n = 0; n < most_steps && passes_.time() < end; ++n, ++steps_) take_step(passes, end);
    }
    double time() const override { return passes_.time(); }
    double time_step() const override { return passes_.time_step(); }
    std::int64_t steps() const override { return steps_; }
    std::vector<Vec3d> forces() override { return passes_.forces(); }
    bool has_strays(const Box& domain, double largest_density) override {
        return passes_.has_strays(domain, largest_density);
    }
    PartSeconds part_seconds() const override { return seconds_; }
    std::size_t memory_bytes() const override { return passes_.bytes(); }

private:
    CpuPasses passes_;
    PartSeconds seconds_;
    std::int64_t steps_ = 0;
};

} // namespace

std::unique_ptr<Solver> make_cpu_solver(const FvpmConstants& constants, const CpuSolverOptions& options) {
    return std::make_unique<CpuSolver>(constants, options);
}

} // namespace sluice::fvpm
