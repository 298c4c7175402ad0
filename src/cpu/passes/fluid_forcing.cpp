// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/fluid_forcing.h"

#include "physics/led_fluid.h"

namespace sluice::cpu {

namespace {

std::vector<ForcedFrame> frames_at(const Forcing& forcing, double time) {
    std::vector<ForcedFrame> frames;
    for (const AccelerationInput& input : forcing.inputs)
        frames.push_back(frame_at(input, forcing.samples.data(), time));
    return frames;
}

} // namespace

void add_forcing(const Forcing& forcing, const SortedGroup& fluid, double time, const ThreadCount& threads,
                 const std::int32_t* zones, Accumulator* rates) {
    const std::vector<ForcedFrame> frames = frames_at(forcing, time);
    const int frame_count = static_cast<int>(frames.size());
#pragma omp parallel for schedule(static) num_threads(threads.now())
    for (std::uint32_t i = 0; i < fluid.count; ++i) {
        if (zones && zones[i] >= 0) continue; // which hold it
        const Flow& f = fluid.state.flow[i];
        const Vec3d a = forced_acceleration(frames.data(), frame_count, fluid.state.id[i], fluid.state.position[i],
                                            {f.vx, f.vy, f.vz});
        rates[i].ax += static_cast<float>(a.x);
        rates[i].ay += static_cast<float>(a.y);
        rates[i].az += static_cast<float>(a.z);
    }
}

WorkCounts relax_velocities(const Forcing& forcing, SortedGroup& fluid, const LevelStep& step, FlowVelocity also,
                            double work_unit, const std::int32_t* zones, const Space& space,
                            const ThreadCount& threads) {
    const std::vector<ForcedFrame> frames = frames_at(forcing, step.time);
    const LeadView view{forcing.damping.data(),
                        static_cast<int>(forcing.damping.size()),
                        {forcing.relaxation.data(), forcing.relaxation_waves.data(), forcing.relaxation_speeds.data(),
                         static_cast<int>(forcing.relaxation.size()), view_of(forcing.relaxation_tables)},
                        frames.data(),
                        static_cast<int>(frames.size()),
                        1 / work_unit};
    std::uint64_t damping = 0, relaxation = 0, acceleration = 0; // unsigned: no sum is out of bounds
#pragma omp parallel num_threads(threads.now()) reduction(+ : damping, relaxation, acceleration)
    for (const OwnRun& run : fluid.own)
#pragma omp for schedule(static) nowait
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            if (fluid.state.key[i] == space.no_cell()) continue; // it has left, or is an image
            const auto lead = [&](Flow& f) {
                const LedParticle now = led(view, fluid.state.id[i], fluid.state.position[i], {f.vx, f.vy, f.vz}, step,
                                            zones && zones[i] >= 0);
                f = {now.velocity.x, now.velocity.y, now.velocity.z, f.rho};
                return now;
            };
            const LedParticle now = lead(fluid.state.flow[i]);
            if (also == FlowVelocity::previous) lead(fluid.state.flow_previous[i]);
            damping += static_cast<std::uint64_t>(now.damping);
            relaxation += static_cast<std::uint64_t>(now.relaxation);
            acceleration += static_cast<std::uint64_t>(now.acceleration);
        }
    WorkCounts work;
    work.damping = static_cast<std::int64_t>(damping);
    work.relaxation = static_cast<std::int64_t>(relaxation);
    work.acceleration = static_cast<std::int64_t>(acceleration);
    return work;
}

} // namespace sluice::cpu
