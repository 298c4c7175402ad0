// SPDX-License-Identifier: Apache-2.0
#include "backend/gpu_memory_plan.h"
#include "bench/paper/ladder.h"
#include "cuda/backend/cuda_backend.h"
#include "gpu/dam_break.h"
#include "gpu/gpu_processes.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

// Prints compact tables of rates on the GPU. bench_gpu EXPERIMENT [arguments …]; without arguments: what there is.

using namespace sluice;

namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

const ModeInfo<GpuMode>& mode_named(const std::string& name) {
    for (const auto& m : gpu_modes)
        if (m.option == name) return m;
    std::fprintf(stderr, "no mode '%s'\n", name.c_str());
    std::exit(2);
}

AdvanceReport advance_steps(Backend& backend, std::int64_t steps) {
    AdvanceLimits limits;
    limits.time = 1e9;
    limits.steps = steps;
    limits.wall_seconds = 1e9;
    return backend.advance(limits);
}

std::unique_ptr<Backend> make_mode(const DamBreak& dam, GpuMode mode, int gpus = 1) {
    CudaOptions options;
    options.mode = mode;
    for (int gpu = 0; gpu < gpus; ++gpu) options.devices.push_back(gpu);
    auto backend = make_cuda_backend(dam.setup, static_cast<std::uint32_t>(dam.state.size()), options);
    backend->set_state(dam.state);
    return backend;
}

void print_rate(const char* mode, double dp, std::size_t particles, std::int64_t steps, double wall,
                const PhaseSeconds& p, std::size_t bytes) {
    const double total = std::max(1e-30, p.cell_list + p.interaction + p.update);
    std::printf("%-16s dp %.4f n %9zu steps %6lld  %8.3f ms/step  %7.1f M/s  NL %4.1f%% PI %4.1f%% SU %4.1f%%  %.0f "
                "B/particle\n",
                mode, dp, particles, static_cast<long long>(steps), 1e3 * wall / double(steps),
                1e-6 * double(particles) * double(steps) / wall, 100 * p.cell_list / total, 100 * p.interaction / total,
                100 * p.update / total, double(bytes) / double(particles));
    std::fflush(stdout);
}

/// Returns how long the steps took, s.
double bench_backend(const DamBreak& dam, const std::string& name, const std::unique_ptr<Backend>& backend, int steps) {
    advance_steps(*backend, std::max(10, steps / 10));
    const PhaseSeconds before = backend->phase_seconds();
    const double start = seconds();
    advance_steps(*backend, steps);
    const double wall = seconds() - start;
    PhaseSeconds p = backend->phase_seconds();
    p.cell_list -= before.cell_list;
    p.interaction -= before.interaction;
    p.update -= before.update;
    print_rate(name.c_str(), dam.setup.constants.dp, dam.state.size(), steps, wall, p, backend->memory_bytes());
    return wall;
}

/// rates DP STEPS [MODE …]: early phase of the dam break.
void bench_rates(const std::vector<std::string>& arguments) {
    const double dp = std::atof(arguments.at(0).c_str());
    const int steps = std::atoi(arguments.at(1).c_str());
    const DamBreak dam = make_dam_break(dp);
    std::vector<std::string> names(arguments.begin() + 2, arguments.end());
    if (names.empty())
        for (const auto& m : gpu_modes) names.emplace_back(m.option);
    for (const std::string& name : names) {
        const auto& mode = mode_named(name);
        bench_backend(dam, std::string(mode.name), make_mode(dam, mode.mode), steps);
    }
}

/// passes DP LAYERS STEPS MODE [SPEED [GPUS]]: a full tank with dynamic walls, and what walls from ghost nodes and
/// further passes over the fluid add to its steps.
void bench_passes(const std::vector<std::string>& arguments) {
    const int steps = std::atoi(arguments.at(2).c_str());
    const auto& mode = mode_named(arguments.at(3));
    const DamBreak tank = make_full_tank(std::atof(arguments.at(0).c_str()), std::atoi(arguments.at(1).c_str()),
                                         arguments.size() > 4 ? std::atof(arguments[4].c_str()) : 0);
    const int gpus = arguments.size() > 5 ? std::atoi(arguments[5].c_str()) : 1;
    std::printf("%u of %zu particles are walls\n", tank.setup.groups.boundary_count(), tank.state.size());
    const auto bench = [&](const char* name, auto&& change) {
        DamBreak variant = tank;
        change(variant.setup);
        if (variant.setup.constants.boundary == sph::BoundaryCondition::dynamic) variant.setup.normals.clear();
        bench_backend(variant, name, make_mode(variant, mode.mode, gpus), steps);
    };
    const auto use_ghost_nodes = [](RunSetup& s) { s.constants.boundary = sph::BoundaryCondition::modified_dynamic; };
    const auto step_symplectic = [](RunSetup& s) { s.constants.integrator = sph::Integrator::symplectic; };
    const auto be_laminar = [](RunSetup& s) {
        s.constants.viscosity = sph::ViscosityModel::laminar;
        s.constants.nu = 1e-6;
    };
    bench("dynamic", [](RunSetup&) {});
    bench("ghost nodes", use_ghost_nodes);
    bench("... no slip", [&](RunSetup& s) {
        use_ghost_nodes(s);
        s.constants.slip = sph::SlipMode::no_slip;
    });
    bench("symplectic", step_symplectic);
    bench("... ghost nodes", [&](RunSetup& s) {
        step_symplectic(s);
        use_ghost_nodes(s);
    });
    bench("laminar", be_laminar);
    bench("... with stress", [&](RunSetup& s) {
        be_laminar(s);
        s.constants.viscosity = sph::ViscosityModel::laminar_sps;
    });
    bench("shifting", [](RunSetup& s) {
        s.constants.shifting = sph::Shifting::everywhere;
        s.constants.shift_threshold = 1.5;
    });
}

/// shared DP STEPS GPUS MODE: one GPU, and so many that share the run, whose bits must be those of one: with
/// interactions that begin inside the shares while what lies at their edges is copied, by processes of a GPU each
/// (threads here, which send messages all the same), and with interactions that do not begin inside.
void bench_shared(const std::vector<std::string>& arguments) {
    const DamBreak dam = make_dam_break(std::atof(arguments.at(0).c_str()));
    const int steps = std::atoi(arguments.at(1).c_str()), gpus = std::atoi(arguments.at(2).c_str());
    CudaOptions options;
    options.mode = mode_named(arguments.at(3)).mode;
    ParticleState expected;
    double alone = 0;
    const auto bench = [&](int n, const char* how) {
        options.devices.clear();
        for (int d = 0; d < n; ++d) options.devices.push_back(d);
        const auto particles = static_cast<std::uint32_t>(dam.state.size());
        std::unique_ptr<Backend> backend;
        if (std::strstr(how, "processes")) {
            options.devices.resize(1); // of each
            backend = std::make_unique<BackendOfProcesses>(dam.setup, particles, options, n);
        } else {
            backend = make_cuda_backend(dam.setup, particles, options);
        }
        backend->set_state(dam.state);
        const double took = bench_backend(dam, backend->info().mode + " x" + std::to_string(n) + how, backend, steps);
        for (const GpuShare& share : backend->info().gpus)
            std::printf("  GPU %d: rows %u to %u, %u fluid particles, waits %.2f%%\n", share.device, share.first_row,
                        share.last_row, share.fluid_particles, 100 * share.waiting);
        ParticleState state = backend->state();
        if (n == 1) {
            alone = took;
            expected = std::move(state);
        } else {
            std::printf("  %.2f times as fast, efficiency %.1f%%, %s\n", alone / took, 100 * alone / took / n,
                        state.id == expected.id && state.position == expected.position &&
                                state.velocity == expected.velocity && state.density == expected.density &&
                                state.section == expected.section
                            ? "the bits of one"
                            : "OTHER BITS");
        }
        std::fflush(stdout);
    };
    bench(1, "");
    bench(gpus, "");
    bench(gpus, " of as many processes");
    options.begins_inside = false;
    bench(gpus, " in turn");
}

/// ladder DP STEPS: the paper's ladder on the GPU, and our own FastCells over it.
void bench_ladder(const std::vector<std::string>& arguments) {
    const DamBreak dam = make_dam_break(std::atof(arguments.at(0).c_str()));
    const int steps = std::atoi(arguments.at(1).c_str());
    for (const paper::Rung& rung : paper::ladder) {
        const auto backend =
            paper::make_backend(dam.setup, static_cast<std::uint32_t>(dam.state.size()), rung.mode, rung.optimisations);
        backend->set_state(dam.state);
        bench_backend(dam, std::string(rung.name), backend, steps);
    }
    bench_backend(dam, "FastCells", make_mode(dam, GpuMode::fast_half), steps);
}

/// run DP TIME MODE [EVERY]: the whole dam break, with a line each EVERY seconds of simulated time.
void bench_run(const std::vector<std::string>& arguments) {
    const double dp = std::atof(arguments.at(0).c_str()), end = std::atof(arguments.at(1).c_str());
    const auto& mode = mode_named(arguments.at(2));
    const double every = arguments.size() > 3 ? std::atof(arguments[3].c_str()) : end / 8;
    const DamBreak dam = make_dam_break(dp);
    const auto backend = make_mode(dam, mode.mode);
    double wall = 0;
    std::int64_t steps = 0;
    std::size_t excluded = 0;
    for (double t = every; t < end + 0.5 * every; t += every) {
        AdvanceReport report;
        const double start = seconds();
        do report = backend->advance({t, 1LL << 60, 0.2});
        while (report.time < t);
        const double took = seconds() - start;
        wall += took;
        excluded += backend->take_excluded().size();
        double x = 0, z = 0, energy = 0, front = 0;
        const ParticleState s = backend->state();
        const std::size_t fluid = s.size() - dam.setup.groups.boundary_count();
        for (std::size_t i = 0; i < s.size(); ++i) {
            if (!dam.setup.groups.is_fluid(s.id[i])) continue;
            const Vec3d r = s.position[i] + dam.setup.domain.min;
            x += r.x;
            z += r.z;
            front = std::max(front, r.x);
            energy += 0.5 * dam.setup.constants.mass_fluid * double(dot(s.velocity[i], s.velocity[i]));
        }
        std::printf("t %.3f steps %lld (%.3f ms/step) excluded %zu  x %.5f z %.5f front %.4f Ekin %.4f\n", s.time,
                    static_cast<long long>(s.step), 1e3 * took / double(std::max<std::int64_t>(1, s.step - steps)),
                    excluded, x / double(fluid), z / double(fluid), front, energy);
        std::fflush(stdout);
        steps = s.step;
    }
    print_rate(std::string(mode.name).c_str(), dp, dam.state.size(), steps, wall, backend->phase_seconds(),
               backend->memory_bytes());
    std::printf("whole run to %.2f s: %.2f s wall\n", end, wall);
}

/// large PARTICLES MODE STEPS: the largest problem, and a frame of it.
void bench_large(const std::vector<std::string>& arguments) {
    const auto& mode = mode_named(arguments.at(1));
    const int steps = std::atoi(arguments.at(2).c_str());
    const double start = seconds();
    const DamBreak tank = make_large_tank(std::atof(arguments.at(0).c_str()));
    std::printf("%zu particles made in %.1f s\n", tank.state.size(), seconds() - start);
    const auto backend = make_mode(tank, mode.mode);
    std::printf("on the device after %.1f s, %.1f GB\n", seconds() - start, 1e-9 * double(backend->memory_bytes()));
    std::fflush(stdout);
    const double before = seconds();
    const AdvanceReport report = advance_steps(*backend, steps);
    print_rate(std::string(mode.name).c_str(), tank.setup.constants.dp, tank.state.size(), steps, seconds() - before,
               backend->phase_seconds(), backend->memory_bytes());
    std::printf("t %.3e s dt %.3e s\n", report.time, report.dt);
    std::fflush(stdout);
    const double asked = seconds();
    const auto pending = backend->snapshot({});
    const double called = seconds();
    const std::size_t in_frame = pending->get().id.size();
    std::printf("a frame of %zu particles: %.2f s in the call, %.1f s to get, %.1f GB on the device\n", in_frame,
                called - asked, seconds() - called, 1e-9 * double(backend->memory_bytes()));
}

/// frames DP STEPS EVERY MODE: stepping with a frame every EVERY steps, got by a thread of its own, against stepping
/// alone; with room for copies on the device and without.
void bench_frames(const std::vector<std::string>& arguments) {
    const DamBreak dam = make_dam_break(std::atof(arguments.at(0).c_str()));
    const int steps = std::atoi(arguments.at(1).c_str()), every = std::atoi(arguments.at(2).c_str());
    const auto& mode = mode_named(arguments.at(3));
    const auto particles = static_cast<std::uint32_t>(dam.state.size());
    double step_bytes = 0;
    for (const GpuModePlan& p : plan_gpu_memory({dam.setup, particles, 1e15, mode.mode, {}}).modes)
        if (p.mode == mode.mode) step_bytes = p.bytes;
    for (const bool roomy : {true, false}) {
        CudaOptions options;
        options.mode = mode.mode;
        if (!roomy) options.memory_limit = static_cast<std::size_t>(step_bytes + 1);
        const auto backend = make_cuda_backend(dam.setup, particles, options);
        for (const bool frames : {true, false, true}) { // the first frames also take their memory
            backend->set_state(dam.state);
            advance_steps(*backend, every);
            double in_call = 0, in_get = 0;
            std::thread getter;
            const double start = seconds();
            for (int n = 0; n < steps; n += every) {
                advance_steps(*backend, every);
                if (!frames) continue;
                const double before = seconds();
                std::shared_ptr<PendingFrame> frame = backend->snapshot({});
                in_call += seconds() - before;
                if (getter.joinable()) getter.join();
                getter = std::thread([&in_get, frame] {
                    const double begin = seconds();
                    frame->get();
                    in_get += seconds() - begin;
                });
            }
            const double wall = seconds() - start;
            if (getter.joinable()) getter.join();
            std::printf("%-16s n %9u  %-22s %8.3f ms/step", std::string(mode.name).c_str(), particles,
                        !frames ? "no frames"
                        : roomy ? "copied beside the steps"
                                : "copied between steps",
                        1e3 * wall / steps);
            if (frames)
                std::printf("  a frame: %.2f ms in the call, %.1f ms to get", 1e3 * in_call * every / steps,
                            1e3 * in_get * every / steps);
            std::printf("\n");
            std::fflush(stdout);
        }
    }
}

/// profile DP STEPS MODE: after some steps, three interactions one kernel at a time, for a profiler to look at.
void bench_profile(const std::vector<std::string>& arguments) {
    const DamBreak dam = make_dam_break(std::atof(arguments.at(0).c_str()));
    const auto backend = make_mode(dam, mode_named(arguments.at(2)).mode);
    advance_steps(*backend, std::atoi(arguments.at(1).c_str()));
    for (int n = 0; n < 3; ++n) backend->next_time_step();
}

void list_devices() {
    std::string why;
    for (const GpuDevice& d : list_gpus(&why))
        std::printf("GPU %d: %s, compute capability %d.%d, %.1f of %.1f GB free, driver %s\n", d.index, d.name.c_str(),
                    d.compute_major, d.compute_minor, 1e-9 * double(d.free_memory), 1e-9 * double(d.total_memory),
                    d.driver.c_str());
    if (!why.empty()) std::printf("no GPU: %s\n", why.c_str());
}

struct Experiment {
    const char* name;
    const char* help;
    void (*run)(const std::vector<std::string>&);
};

const Experiment experiments[] = {
    {"rates", "DP STEPS [MODE ...]", bench_rates},  {"passes", "DP LAYERS STEPS MODE [SPEED [GPUS]]", bench_passes},
    {"shared", "DP STEPS GPUS MODE", bench_shared}, {"ladder", "DP STEPS", bench_ladder},
    {"run", "DP TIME MODE [EVERY]", bench_run},     {"frames", "DP STEPS EVERY MODE", bench_frames},
    {"profile", "DP STEPS MODE", bench_profile},    {"large", "PARTICLES MODE STEPS", bench_large},
};

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + std::min(argc, 2), argv + argc);
    try {
        for (const Experiment& e : experiments)
            if (argc > 1 && std::strcmp(argv[1], e.name) == 0) {
                e.run(arguments);
                return 0;
            }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
        return 1;
    }
    list_devices();
    for (const Experiment& e : experiments) std::printf("bench_gpu %s %s\n", e.name, e.help);
    return argc > 1 ? 2 : 0;
}
