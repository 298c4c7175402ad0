// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/particle_clouds.h"
#include "backends/way_test.h"
#include "cpu/backend/engine.h"
#include "ranks/thread_transport.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

// Runs of several ranks, and everything that can be asked of them, for comparing with a run of one.

namespace sluice::rank_looks {

using clouds::Cloud;

/// A formulation with all terms of most cases.
inline clouds::Choice choice_of(sph::Integrator integrator) {
    return {sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
}

/// Without `simd` of the widest vectors of this machine.
inline CpuOptions options_for(int ranks, const std::optional<std::string>& simd = {}, int threads = 1) {
    CpuOptions options;
    options.mode = CpuMode::asymmetric;
    options.simd = simd;
    options.threads = threads;
    options.ranks = ranks;
    return options;
}

inline std::unique_ptr<Backend> backend_of(const Cloud& cloud, int ranks, const CpuOptions& options) {
    CpuOptions mine = options;
    mine.ranks = ranks;
    auto backend = make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), mine);
    backend->set_state(cloud.state);
    return backend;
}
inline std::unique_ptr<Backend> backend_of(const Cloud& cloud, int ranks) {
    return backend_of(cloud, ranks, options_for(ranks));
}

inline bool same(const std::vector<ExcludedParticle>& a, const std::vector<ExcludedParticle>& b) {
    return std::ranges::equal(a, b, [](const ExcludedParticle& p, const ExcludedParticle& q) {
        return p.id == q.id && p.cause == q.cause && p.step == q.step && p.time == q.time && p.position == q.position &&
               p.velocity == q.velocity && p.density == q.density;
    });
}

inline bool same(const std::vector<ZonePassage>& a, const std::vector<ZonePassage>& b) {
    return std::ranges::equal(a, b, [](const ZonePassage& p, const ZonePassage& q) {
        return p.id == q.id && p.entered == q.entered && p.step == q.step && p.time == q.time &&
               p.position == q.position && p.velocity == q.velocity && p.density == q.density;
    });
}

inline bool same(const std::vector<float>& a, const std::vector<float>& b) { // NaN is NaN
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Everything that can be asked of a backend after some steps.
struct Look {
    ParticleState state;
    std::vector<ExcludedParticle> excluded;
    std::vector<ZonePassage> passed;
    std::vector<Vec3f> acceleration;
    std::vector<float> density_rate;
    double next_time_step = 0;
    std::uint32_t particles = 0;
    Frame frame;
};

inline Look look(Backend& backend) {
    Look all;
    all.excluded = backend.take_excluded();
    all.passed = backend.take_passed();
    AdvanceLimits nowhere;
    nowhere.steps = 0;
    all.particles = backend.advance(nowhere).particles;
    FieldSelection wanted;
    for (const FieldInfo& info : particle_fields)
        if (info.field != Field::wall_pressure) wanted.add(info.field);
    all.frame = backend.snapshot(wanted)->get();
    backend.rates(all.acceleration, all.density_rate);
    all.next_time_step = backend.next_time_step();
    all.state = backend.state();
    return all;
}

inline void expect_same(const Look& one, const Look& many, const std::string& what) {
    EXPECT_TRUE(bitwise_equal(one.state, many.state)) << what;
    EXPECT_TRUE(same(one.excluded, many.excluded)) << what;
    EXPECT_TRUE(same(one.passed, many.passed)) << what;
    EXPECT_TRUE(one.acceleration == many.acceleration) << what;
    EXPECT_TRUE(same(one.density_rate, many.density_rate)) << what;
    EXPECT_EQ(one.next_time_step, many.next_time_step) << what;
    EXPECT_EQ(one.particles, many.particles) << what;
    EXPECT_TRUE(one.frame.id == many.frame.id) << what;
    EXPECT_TRUE(one.frame.position == many.frame.position) << what;
    EXPECT_TRUE(same(one.frame.pressure, many.frame.pressure)) << what;
    EXPECT_TRUE(same(one.frame.velocity_divergence, many.frame.velocity_divergence)) << what;
    EXPECT_EQ(one.frame.bodies.size(), many.frame.bodies.size()) << what;
}

inline Look run(const Cloud& cloud, int ranks, int steps, const CpuOptions& options) {
    const auto backend = backend_of(cloud, ranks, options);
    take_steps(*backend, steps);
    return look(*backend);
}

/// Ranks that know of a run only what rank 0 sends them, as those of other processes do.
class Processes {
public:
    explicit Processes(int ranks) : ends_(make_thread_transports(ranks)) {
        for (std::size_t r = 1; r < ends_.size(); ++r)
            others_.emplace_back([end = ends_[r].get(), this] { serve_runs(*end, stop); });
    }
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;
    ~Processes() {
        send_home(*ends_[0]);
        for (std::thread& other : others_) other.join();
    }
    Transport& first() { return *ends_[0]; }

    std::atomic<int> stop{0}; ///< a signal to one of the others

private:
    std::vector<std::unique_ptr<Transport>> ends_;
    std::vector<std::thread> others_;
};

inline Look run_by_processes(const Cloud& cloud, int ranks, int steps, const cpu::Split& split = {}) {
    Processes processes(ranks);
    CpuOptions options = options_for(ranks);
    options.split = split;
    options.processes = &processes.first();
    const auto backend = backend_of(cloud, ranks, options);
    take_steps(*backend, steps);
    return look(*backend);
}

/// Has each rank look at its ghosts now and then, and all of them count their particles.
inline void expect_true_ghosts(const Cloud& cloud, int ranks, const cpu::Split& split = {}) {
    const auto one = backend_of(cloud, 1);
    take_steps(*one, 80);
    auto ends = make_thread_transports(ranks);
    std::vector<std::thread> threads;
    std::vector<std::size_t> own(static_cast<std::size_t>(ranks));
    std::vector<std::string> failures(own.size());
    const auto work = [&](int rank) {
        const auto r = static_cast<std::size_t>(rank);
        try {
            cpu::Choice choice;
            choice.simd = cpu::choose({}, cloud.setup.constants, 1).simd;
            choice.ranks = ranks;
            choice.split = split;
            const auto engine = cpu::make_engine(cloud.setup, choice, nullptr, ends[r].get());
            ParticleState start = cloud.state;
            if (rank > 0) {
                start = {};
                start.bodies = cloud.state.bodies;
                start.created = cloud.state.created;
            }
            engine->set_state(start);
            for (int n = 0; n < 8; ++n) {
                AdvanceLimits limits;
                limits.time = limits.wall_seconds = 1e9;
                limits.steps = 10;
                engine->advance(limits);
                own[r] = engine->state().size();
                engine->check_ghosts();
            }
        } catch (const std::exception& error) {
            failures[r] = error.what();
            ends[r]->abandon(std::current_exception());
        }
    };
    for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(work, rank);
    for (std::thread& thread : threads) thread.join();
    for (const std::string& failure : failures) EXPECT_EQ(failure, "");
    EXPECT_EQ(std::accumulate(own.begin(), own.end(), std::size_t(0)), one->state().size());
}

} // namespace sluice::rank_looks
