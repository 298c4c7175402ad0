// SPDX-License-Identifier: Apache-2.0
#include "cpu/fluid_forcing.h"

#include "physics/forcing.h"
#include "physics/relaxation.h"

namespace sluice::cpu {

void add_forcing(const Forcing& forcing, const SortedGroup& fluid, double time, const ThreadCount& threads,
                 Accumulator* rates) {
    std::vector<ForcedFrame> frames;
    for (const AccelerationInput& input : forcing.inputs)
        frames.push_back(frame_at(input, forcing.samples.data(), time));
    const int zone_count = static_cast<int>(forcing.damping.size()), frame_count = static_cast<int>(frames.size());
#pragma omp parallel for schedule(static) num_threads(threads.now())
    for (std::uint32_t i = 0; i < fluid.count; ++i) {
        const Flow& f = fluid.state.flow[i];
        const Vec3d a = forced_acceleration(forcing.damping.data(), zone_count, frames.data(), frame_count,
                                            fluid.state.id[i], fluid.state.position[i], {f.vx, f.vy, f.vz});
        rates[i].ax += static_cast<float>(a.x);
        rates[i].ay += static_cast<float>(a.y);
        rates[i].az += static_cast<float>(a.z);
    }
}

void relax_velocities(const Forcing& forcing, SortedGroup& fluid, double time, double dt, const ThreadCount& threads) {
    const RelaxationView view{forcing.relaxation.data(), forcing.relaxation_waves.data(),
                              forcing.relaxation_speeds.data(), static_cast<int>(forcing.relaxation.size()),
                              view_of(forcing.relaxation_tables)};
#pragma omp parallel for schedule(static) num_threads(threads.now())
    for (std::uint32_t i = 0; i < fluid.count; ++i) {
        Flow& f = fluid.state.flow[i];
        const Vec3d v{f.vx, f.vy, f.vz}, to = relaxed(view, fluid.state.position[i], v, time, dt);
        if (to == v) continue;
        f = {static_cast<float>(to.x), static_cast<float>(to.y), static_cast<float>(to.z), f.rho};
    }
}

} // namespace sluice::cpu
