// SPDX-License-Identifier: Apache-2.0
#include "cuda/fvpm/gpu_solver.h"

#include "cuda/device/host_copies.h"
#include "cuda/device/runtime.h"
#include "cuda/device/stream.h"
#include "cuda/fvpm/passes.h"
#include "cuda/fvpm/search.h"
#include "cuda/fvpm/vectors.h"
#include "methods/fvpm/step.h"
#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>

namespace sluice::cuda {

namespace {

using namespace sluice::cuda::fvpm;

/// Particles on the device.
struct DeviceParticles {
    DeviceArray<Vec3d> position, velocity, begin_motion;
    DeviceArray<double> mass, volume, radius;
    DeviceArray<std::uint32_t> id;
    DeviceArray<Kind> kind;

    DeviceParticles(DeviceMemory& m, std::size_t n)
        : position(m, n, "positions"), velocity(m, n, "velocities"), begin_motion(m, n, "velocities"),
          mass(m, n, "masses"), volume(m, n, "volumes"), radius(m, n, "radii"), id(m, n, "ids"), kind(m, n, "kinds") {}
    ParticlePointers pointers() const {
        return {position.data(), velocity.data(), mass.data(), volume.data(),
                radius.data(),   id.data(),       kind.data(), begin_motion.data()};
    }
};

/// The stage of a step on the device.
struct DeviceStage {
    DeviceArray<double> mass, volume, surface, rate_mass, rate_volume;
    DeviceArray<Vec3d> momentum, motion, boundary, thin, rate_momentum;
    DeviceArray<Side<double>> side;
    DeviceArray<SideGradients<double>> gradients;

    DeviceStage(DeviceMemory& m, std::size_t n)
        : mass(m, n, "stage"), volume(m, n, "stage"), surface(m, n, "stage"), rate_mass(m, n, "rates"),
          rate_volume(m, n, "rates"), momentum(m, n, "stage"), motion(m, n, "stage"), boundary(m, n, "stage"),
          thin(m, n, "stage"), rate_momentum(m, n, "rates"), side(m, n, "stage"), gradients(m, n, "gradients") {}
    StagePointers pointers() const {
        return {mass.data(),    volume.data(),    momentum.data(),    motion.data(),
                side.data(),    gradients.data(), boundary.data(),    thin.data(),
                surface.data(), rate_mass.data(), rate_volume.data(), rate_momentum.data()};
    }
};

/// All that is on the device for so many particles. Particles are sorted from one place to the other, each step.
struct DeviceRun {
    std::uint32_t count;
    DeviceParticles here, there;
    DeviceStage stage;
    CellSearch search;

    DeviceRun(DeviceMemory& m, std::size_t n, double largest_radius)
        : count(std::uint32_t(n)), here(m, n), there(m, n), stage(m, n), search(m, std::uint32_t(n), largest_radius) {}
};

/// The passes of a step and the solver around them.
class GpuSolver final : public Solver {
public:
    GpuSolver(const FvpmConstants& constants, int device)
        : constants_(on_device(constants, device)), least_(memory_, 1, "time step"), stray_(memory_, 1, "strays") {}

    void set_particles(Particles p) override {
        run_.reset(); // its memory is free before more is taken
        const double largest = p.size() == 0 ? 1 : *std::max_element(p.radius.begin(), p.radius.end());
        run_.emplace(memory_, p.size(), largest);
        const ParticlePointers to = run_->here.pointers();
        upload(p.position, to.position);
        upload(p.velocity, to.velocity);
        upload(p.motion.empty() ? p.velocity : p.motion, to.begin_motion);
        upload(p.mass, to.mass);
        upload(p.volume, to.volume);
        upload(p.radius, to.radius);
        upload(p.id, to.id);
        upload(p.kind, to.kind);
    }
    Particles particles() override {
        stream_.wait();
        const ParticlePointers from = run_->here.pointers();
        const std::size_t n = run_->count;
        return {download(from.position, n), download(from.velocity, n),    download(from.mass, n),
                download(from.volume, n),   download(from.radius, n),      download(from.id, n),
                download(from.kind, n),     download(from.begin_motion, n)};
    }
    void advance(double end, std::int64_t most_steps) override {
        if (run_->count == 0) return;
        for (std::int64_t n = 0; n < most_steps && time_ < end; ++n, ++steps_) take_step(*this, end);
        stream_.wait();
    }
    double time() const override { return time_; }
    double time_step() const override { return time_step_; }
    std::int64_t steps() const override { return steps_; }
    std::vector<Vec3d> forces() override {
        stream_.wait();
        return download(run_->stage.rate_momentum.data(), run_->count);
    }
    bool has_strays(const Box& domain, double largest_density) override {
        if (run_->count == 0) return false;
        fill(stray_.data(), 0, sizeof(unsigned), stream_, "strays");
        mark_strays(particles_here(), run_->count, domain, largest_density, stray_.data(), stream_);
        unsigned found = 0;
        copy_to_host(&found, stray_.data(), sizeof found, stream_, "strays");
        wait_for(stream_, "strays");
        return found != 0;
    }
    PartSeconds part_seconds() const override { return seconds_; }
    std::size_t memory_bytes() const override { return memory_.held(); }

    void choose_time_step(double end) {
        begin_ = std::chrono::steady_clock::now();
        fill(least_.data(), 0x7f, sizeof(unsigned long long), stream_, "time step"); // a huge number
        reduce_crossing_time(particles_here(), run_->count, constants_, least_.data(), stream_);
        unsigned long long bits = 0;
        copy_to_host(&bits, least_.data(), sizeof bits, stream_, "time step");
        wait_for(stream_, "time step");
        time_step_ = std::min(end - time_, constants_.cfl * std::bit_cast<double>(bits));
    }
    void drift() { fvpm::drift(particles_here(), run_->count, time_step_, stream_); }
    void find_neighbours() {
        take_time(seconds_.fluxes);
        run_->search.sort(particles_here(), run_->there.pointers(), stream_);
        std::swap(run_->here, run_->there);
        run_->search.find(particles_here(), stream_);
        take_time(seconds_.search);
    }
    void find_vectors() {
        fvpm::find_vectors(particles_here(), rows(), run_->count, run_->search.longest(), constants_.dimensions,
                           stream_);
        begin_stage(particles_here(), rows(), stage(), run_->count, constants_, stream_);
        take_time(seconds_.vectors);
    }
    void find_sides() { fvpm::find_sides(particles_here(), stage(), run_->count, constants_, stream_); }
    void find_gradients() { fvpm::find_gradients(particles_here(), rows(), stage(), run_->count, stream_); }
    void find_fluxes() { fvpm::find_fluxes(particles_here(), rows(), stage(), run_->count, constants_, stream_); }
    void predict() { integrate(particles_here(), stage(), run_->count, constants_, time_step_ / 2, false, stream_); }
    void correct() {
        integrate(particles_here(), stage(), run_->count, constants_, time_step_, true, stream_);
        time_ += time_step_;
        take_time(seconds_.fluxes);
    }

private:
    /// The device must be the thread's before anything is on it.
    static const FvpmConstants& on_device(const FvpmConstants& constants, int device) {
        use_device(device);
        return constants;
    }
    ParticlePointers particles_here() const { return run_->here.pointers(); }
    RowPointers rows() const { return run_->search.rows(); }
    StagePointers stage() const { return run_->stage.pointers(); }
    /// Adds what has passed since the last call, once the device is done.
    void take_time(double& seconds) {
        stream_.wait();
        const auto now = std::chrono::steady_clock::now();
        seconds += std::chrono::duration<double>(now - begin_).count();
        begin_ = now;
    }

    FvpmConstants constants_;
    DeviceMemory memory_;
    Stream stream_;
    DeviceArray<unsigned long long> least_;
    DeviceArray<unsigned> stray_;
    std::optional<DeviceRun> run_;
    double time_ = 0, time_step_ = 0;
    std::int64_t steps_ = 0;
    PartSeconds seconds_;
    std::chrono::steady_clock::time_point begin_;
};

} // namespace

std::unique_ptr<sluice::fvpm::Solver> make_fvpm_solver(const FvpmConstants& constants, int device) {
    return std::make_unique<GpuSolver>(constants, device);
}

} // namespace sluice::cuda
