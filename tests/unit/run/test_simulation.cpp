// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "run/simulation.h"
#include "unit/idle_backend.h"
#include <chrono>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

using namespace sluice;

namespace {

constexpr std::uint32_t walls = 10, water = 5;

/// Steps of 0.1 s and nothing else; one fluid particle leaves after each step that `loses` says.
class FakeBackend final : public test::IdleBackend {
public:
    std::function<sph::ExclusionCause(std::int64_t)> loses = [](std::int64_t) { return sph::ExclusionCause::none; };
    /// Throws where no step can be taken after so many; where `limits` are of no steps, too, if it says so.
    std::function<void(std::int64_t, bool)> fails = [](std::int64_t, bool) {};
    std::vector<AdvanceLimits> asked;
    AdvanceReport now{0, 0, 0, 0, walls + water};

    AdvanceReport advance(const AdvanceLimits& limits) override {
        asked.push_back(limits);
        if (limits.steps == 0) fails(now.step, true);
        for (std::int64_t done = 0; done < limits.steps && now.time < limits.time; ++done) {
            fails(now.step, false);
            ++now.step;
            now.time = 0.1 * double(now.step);
            const sph::ExclusionCause cause = loses(now.step);
            if (cause == sph::ExclusionCause::none) continue;
            --now.particles;
            ExcludedParticle particle;
            particle.id = now.particles;
            particle.cause = cause;
            excluded_.push_back(particle);
        }
        return now;
    }
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override {
        wanted_fields.push_back(wanted);
        std::this_thread::sleep_for(snapshot_takes);
        struct Taken final : PendingFrame {
            Frame frame;
            Frame get() override { return frame; }
        };
        auto taken = std::make_unique<Taken>();
        taken->frame.step = now.step;
        taken->frame.time = now.time;
        return taken;
    }
    std::vector<FieldSelection> wanted_fields; ///< of each snapshot
    std::chrono::milliseconds snapshot_takes{0};
    std::vector<ExcludedParticle> take_excluded() override { return std::exchange(excluded_, {}); }

private:
    std::vector<ExcludedParticle> excluded_;
};

class Recorder final : public Sampler {
public:
    explicit Recorder(const SampleClock& clock, bool last = false) : Sampler(clock), last_(last) {}
    void sample(const Frame& frame) override { steps.push_back(frame.step); }
    bool wants_last() const override { return last_; }
    FieldSelection wanted_fields() const override { return fields; }
    std::vector<std::int64_t> steps;
    FieldSelection fields;

private:
    bool last_;
};

RunSetup setup() {
    RunSetup s;
    s.set_groups(ParticleGroups::of(walls, water));
    return s;
}

struct Trial {
    FakeBackend backend;
    RunSetup of_run = setup();
    RunLimits limits;
    std::atomic<int> stop{0};
    std::vector<Sampler*> samplers;
    std::function<void(const Progress&)> on_progress;
    std::vector<ExcludedParticle> excluded;

    Trial() { limits.time_max = 1; }
    RunResult go() {
        Simulation simulation(backend, of_run, limits);
        for (Sampler* sampler : samplers) simulation.add_sampler(*sampler);
        simulation.on_progress = on_progress;
        simulation.on_excluded = [&](const auto& left) { excluded.insert(excluded.end(), left.begin(), left.end()); };
        return simulation.run(stop);
    }
};

using Steps = std::vector<std::int64_t>;

sph::ExclusionCause leaves(std::int64_t) { return sph::ExclusionCause::position; }

} // namespace

TEST(Simulation, EndsAtTheFirstStepAtOrPastTheTime) {
    Trial run;
    run.limits.time_max = 0.95;
    const RunResult result = run.go();
    EXPECT_EQ(result.end, Outcome::finished);
    EXPECT_EQ(result.last.step, 10);
    EXPECT_EQ(result.steps_taken, 10);
    EXPECT_DOUBLE_EQ(result.simulated_seconds, 1);
    EXPECT_DOUBLE_EQ(result.particle_steps, 10.0 * (walls + water));
}

TEST(Simulation, TakesSamplesAfterTheFirstStepAtOrPastTheirTimes) {
    Trial run;
    Recorder often(SampleClock(0.25)), from(SampleClock(0.3, 0.5)), always(SampleClock(0));
    run.samplers = {&often, &from, &always};
    run.go();
    EXPECT_EQ(often.steps, (Steps{0, 3, 5, 8, 10}));
    EXPECT_EQ(from.steps, (Steps{5, 8}));
    EXPECT_EQ(always.steps, (Steps{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(Simulation, TellsHowLongSamplesHeldItUp) {
    Trial run;
    Recorder often(SampleClock(0.25));
    run.samplers = {&often};
    run.backend.snapshot_takes = std::chrono::milliseconds(2);
    EXPECT_GE(run.go().output_seconds, 5 * 0.002);
}

TEST(Simulation, AsksForTheFieldsThatTheSamplersAtHandWant) {
    Trial run;
    Recorder often(SampleClock(0.2)), seldom(SampleClock(0.4)), none(SampleClock(0.1));
    often.fields = {Field::vorticity};
    seldom.fields = {Field::velocity_divergence};
    run.samplers = {&often, &seldom, &none};
    run.limits.time_max = 0.4;
    run.go();
    const FieldSelection both{Field::vorticity, Field::velocity_divergence};
    EXPECT_EQ(run.backend.wanted_fields, (std::vector<FieldSelection>{both, {}, {Field::vorticity}, {}, both}));
}

TEST(Simulation, TakesSoManyStepsAndNoMore) {
    Trial run;
    Recorder frames(SampleClock(0.4), true), series(SampleClock(0.4), false);
    run.samplers = {&frames, &series};
    run.limits.max_steps = 6;
    const RunResult result = run.go();
    EXPECT_EQ(result.end, Outcome::step_limit);
    EXPECT_EQ(result.last.step, 6);
    EXPECT_TRUE(result.sampled_last);
    EXPECT_EQ(frames.steps, (Steps{0, 4, 6})) << "the last state, between two frames";
    EXPECT_EQ(series.steps, (Steps{0, 4}));
}

TEST(Simulation, DoesNotTakeTheLastStateTwice) {
    Trial run;
    Recorder frames(SampleClock(0.3), true);
    run.samplers = {&frames};
    run.limits.max_steps = 6;
    EXPECT_FALSE(run.go().sampled_last);
    EXPECT_EQ(frames.steps, (Steps{0, 3, 6}));
}

TEST(Simulation, TakesTheLastStateWhereAnotherSamplerIsDueAtItToo) {
    Trial run;
    Recorder frames(SampleClock(0.4), true), series(SampleClock(0.3), false);
    run.samplers = {&frames, &series};
    run.limits.max_steps = 6;
    EXPECT_TRUE(run.go().sampled_last);
    EXPECT_EQ(frames.steps, (Steps{0, 4, 6}));
    EXPECT_EQ(series.steps, (Steps{0, 3, 6}));
}

TEST(Simulation, ThatGoesOnCountsItsOwnSteps) {
    Trial run;
    run.backend.now = {4, 0.4, 0.1, 0, walls + water};
    Recorder frames(SampleClock(0.4), true);
    frames.clock().resume(0.4);
    run.samplers = {&frames};
    run.limits.max_steps = 7;
    const RunResult result = run.go();
    EXPECT_EQ(result.steps_taken, 3);
    EXPECT_EQ(result.last.step, 7);
    EXPECT_NEAR(result.simulated_seconds, 0.3, 1e-12);
    EXPECT_EQ(frames.steps, (Steps{7}));
}

TEST(Simulation, StopsWhenLessFluidIsLeftThanItMay) {
    for (const std::uint32_t least : {3u, 5u}) {
        Trial run;
        Recorder always(SampleClock(0)); // so that the loop looks after every step
        run.samplers = {&always};
        run.backend.loses = leaves;
        run.limits.min_fluid = least;
        const RunResult result = run.go();
        EXPECT_EQ(result.end, Outcome::stopped);
        EXPECT_EQ(result.last.particles, walls + least - 1) << "as many as it may is not too little";
        EXPECT_EQ(run.excluded.size(), water - least + 1);
    }
}

TEST(Simulation, EndsAtASignalAndLeavesTheLastStateToTheCheckpoint) {
    Trial run;
    Recorder frames(SampleClock(0.2), true);
    run.samplers = {&frames};
    run.on_progress = [&](const Progress& now) {
        if (now.now.step >= 4) run.stop = 1;
    };
    run.limits.time_max = 10;
    const RunResult result = run.go();
    EXPECT_EQ(result.end, Outcome::interrupted);
    EXPECT_EQ(result.last.step, 4);
    EXPECT_FALSE(result.sampled_last);
    EXPECT_EQ(frames.steps, (Steps{0, 2, 4}));
}

TEST(Simulation, FailsWhereAParticleIsNoLongerFinite) {
    Trial run;
    run.backend.loses = [](std::int64_t step) {
        return step == 3 ? sph::ExclusionCause::not_finite : sph::ExclusionCause::none;
    };
    const RunResult result = run.go();
    EXPECT_EQ(result.end, Outcome::blown_up);
    EXPECT_NE(result.reason.find("not finite"), std::string::npos) << result.reason;
    EXPECT_EQ(run.excluded.size(), 1u) << "it is listed all the same";
}

TEST(Simulation, TellsHowFarItIs) {
    Trial run;
    run.limits.max_steps = 8;
    Recorder frames(SampleClock(0.5));
    run.samplers = {&frames};
    std::vector<Progress> told;
    run.on_progress = [&](const Progress& now) { told.push_back(now); };
    run.go();
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[0].now.step, 5);
    EXPECT_DOUBLE_EQ(told[0].particle_steps, 5.0 * (walls + water));
    EXPECT_EQ(told[1].max_steps, 8);
    EXPECT_EQ(told[1].time_max, 1);
    EXPECT_EQ(told[1].start_time, 0);
    run.limits = {};
    run.limits.time_max = 2;
    told.clear();
    run.go();
    EXPECT_EQ(told.back().max_steps, 0) << "no limit";
}

// What the fluid itself makes impossible ends the run, which tells why and how far it came; all samples up to there
// stay.
TEST(Simulation, EndsWhereTheFluidAllowsNoFurtherStep) {
    for (const Outcome end : {Outcome::blown_up, Outcome::lost_fluid, Outcome::left_domain, Outcome::out_of_memory})
        for (const bool for_good : {false, true}) {
            Trial run;
            Recorder frames(SampleClock(0.2), true);
            run.samplers = {&frames};
            run.backend.fails = [&](std::int64_t step, bool is_look) {
                if (step == 5 && (for_good || !is_look)) throw RunError("no further step", end);
            };
            int looks = 0;
            run.on_progress = [&](const Progress&) { ++looks; };
            const RunResult result = run.go();
            EXPECT_EQ(result.end, end);
            EXPECT_EQ(result.reason, "no further step");
            EXPECT_EQ(result.last.step, for_good ? 4 : 5) << "as far as is known";
            EXPECT_EQ(frames.steps, (Steps{0, 2, 4})) << "what failed is no last state to be shown";
            EXPECT_FALSE(result.sampled_last);
            EXPECT_EQ(looks, 2);
        }
}

TEST(Simulation, OtherFailuresAreNotItsOwn) {
    Trial run;
    run.backend.fails = [&](std::int64_t step, bool) {
        if (step == 3) throw RunError("disk full", Outcome::output_failed);
    };
    EXPECT_THROW(run.go(), RunError);
}

TEST(Simulation, HasLostItsFluidWhenNoParticleIsLeft) {
    Trial run;
    Recorder always(SampleClock(0));
    run.samplers = {&always};
    run.backend.loses = leaves; // one after each step
    const RunResult result = run.go();
    EXPECT_EQ(result.end, Outcome::lost_fluid);
    EXPECT_EQ(result.last.step, water);
    EXPECT_EQ(run.excluded.size(), water);
}

TEST(Simulation, OfWallsAloneGoesOnToItsEnd) {
    Trial run;
    run.of_run.set_groups(ParticleGroups::of(walls, 0));
    run.backend.now.particles = walls;
    EXPECT_EQ(run.go().end, Outcome::finished);
}
