// SPDX-License-Identifier: Apache-2.0
#include "cuda/backend/gpu_backend.h"

#include "backend/left_domain.h"
#include "backend/state_frame.h"
#include "cuda/backend/make_backend.h"
#include "cuda/backend/process_devices.h"
#include "cuda/device/host_copies.h"
#include "cuda/device/kept_device.h"
#include "cuda/passes/flow_gradients.h"
#include "cuda/steps/excluded_records.h"
#include "cuda/steps/run_plan.h"
#include "physics/sph/flow_gradients.h"
#include <algorithm>
#include <chrono>
#include <limits>

namespace sluice {

namespace cuda {

namespace {

using Clock = std::chrono::steady_clock;

/// Of the particles whose order the cells have just given.
FlowGradientSource gradient_source(const RunArrays& run) {
    FlowGradientSource source;
    source.view = run.view();
    source.view.position = run.places.state.position; // what was sorted has become the state
    source.view.flow = run.places.state.flow;
    source.period = run.period;
    source.particles = source.ids = run.count;
    source.excluded_cell = run.excluded_cell();
    source.spare = run.places.spare;
    source.spare_count = run.capacity;
    return source;
}

} // namespace

GpuBackend::GpuBackend(const RunSetup& setup, std::uint32_t particle_count, const CudaOptions& options,
                       Transport* processes, const MakeSearch& make_search)
    : group_(processes, options.devices.size()), gpus_(described(options.devices, group_)), options_(options),
      setup_(setup), particle_count_(particle_count),
      plan_(plan_run(setup, particle_count, int(group_.devices()), least_memory(options, group_), options)),
      mode_(*plan_.choice), make_search_(make_search ? make_search : search_of(setup, mode_, options)), rules_(rules()),
      all_connected_(options.direct_copies && connect(options.devices)),
      parts_(group_.devices(), 1.0 / double(group_.devices())) {
    if (is_shared()) return; // how much room they need depends on where the particles are
    const KeptDevice kept;
    make_devices(room_for(particle_count));
    frames_.emplace(setup_, first().run().grid, first().run().period, first().device());
}

ScatterRules GpuBackend::rules() const {
    ScatterRules rules;
    const sph::Constants& c = setup_.constants;
    rules.grid = make_fixed_grid(setup_.domain, gpu_search_radius(c, mode_), gpu_cell_divisions(mode_));
    rules.period = make_grid_period(setup_.period, rules.grid, 2 * c.h);
    rules.has_lists = has_neighbour_lists(mode_);
    rules.reach_rows = reach_rows_of(rules.grid, rules.period, setup_.open, rules.has_lists);
    rules.widest_skin = static_cast<float>(widest_list_skin) * static_cast<float>(2 * c.h);
    return rules;
}

BackendInfo GpuBackend::info() const {
    BackendInfo info;
    info.backend = "cuda";
    info.mode = mode_info(gpu_modes, mode_).name;
    info.cells = gpu_cell_divisions(mode_) == 2 ? "h" : "2h";
    info.simd = "sm_" + std::to_string(gpus_.front().compute_major) + std::to_string(gpus_.front().compute_minor);
    info.device = gpus_.front().name;
    info.threads = 1;
    info.ranks = int(group_.processes());
    info.memory_plan = plan_.text;
    if (!is_shared()) return info;
    info.device = std::to_string(group_.devices()) + " x " + info.device;
    if (!group_.alone()) info.split = "pieces of the order of its cells";
    if (gpus_.size() > 1)
        info.memory_plan +=
            std::string("the GPUs ") + (group_.alone() ? "" : "of a process ") +
            (all_connected_ ? "read each other's memory\n" : "exchange particles through the host's memory\n");
    if (!group_.alone())
        info.memory_plan += "processes exchange particles through their hosts, which wait for that in every step\n";
    const auto gpus = static_cast<int>(group_.devices());
    if (const int pay = gpus_that_pay(particle_count_, gpus); pay < gpus)
        info.memory_plan += "so few particles a GPU (fewer than " + std::to_string(least_particles_a_gpu) +
                            ") are likely to take longer than on " +
                            (pay == 1 ? std::string("one GPU alone") : std::to_string(pay)) + "\n";
    for (std::size_t d = 0; d < reports_.size(); ++d) {
        const Share& share = shared_->shares()[d];
        const double waited = stepped_seconds_ > 0 ? reports_[d].waited / stepped_seconds_ : 0;
        info.gpus.push_back({reports_[d].index, gpus_.front().name, share.rows.begin, share.rows.end,
                             size_of(share.own), waited, reports_[d].memory,
                             int(group_.alone() ? 0 : group_.process_of(d))});
    }
    return info;
}

/// All-gathers what process 0 reports of the devices.
void GpuBackend::gather_reports() {
    reports_.assign(devices_.size(), {});
    for (std::size_t d = 0; d < devices_.size(); ++d)
        if (devices_[d])
            reports_[d] = {gpus_[d - group_.first()].index, devices_[d]->run().memory.held(),
                           shared_ ? shared_->seconds_waited()[d] : 0};
    group_.complete(reports_);
}

AdvanceReport GpuBackend::advance(const AdvanceLimits& limits) {
    const KeptDevice kept;
    const auto begin = Clock::now();
    const auto end = begin + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(std::min(limits.wall_seconds, 1e8)));
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::int64_t last_step = limits.steps > most - control_.step ? most : control_.step + limits.steps;
    bool goes_on = true;
    while (goes_on) {
        bool wants_host = false;
        with_room([&] {
            first().select();
            wants_host = steps_->advance({limits.time, last_step, end});
        });
        goes_on = wants_host && group_.all(Clock::now() < end);
        synchronise();
        check_failures();
        goes_on &= control_.excluded == 0 && control_.step < last_step;
        collect_excluded();
        collect_passed();
        serve();
    }
    stepped_seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
    gather_reports();
    AdvanceReport report;
    report.step = control_.step;
    report.time = control_.time;
    report.dt = control_.dt;
    report.dt_min_hits = control_.dt_min_hits;
    report.particles = particles_;
    return report;
}

double GpuBackend::next_time_step() {
    const KeptDevice kept;
    synchronise();
    const Control before = control_;
    with_room([&] {
        first().select();
        steps_->look(Look::time_step);
    });
    synchronise();
    const double dt = control_.dt;
    const bool failed = control_.failed;
    rewrite_controls([&](Control& control) {
        control.dt = before.dt;
        control.dt_min_hits = before.dt_min_hits;
        control.failed = before.failed;
        std::copy(std::begin(before.phase_ns), std::end(before.phase_ns), std::begin(control.phase_ns));
    });
    if (failed) throw FoundByAll(RunError("the first time step is not finite: two particles may lie on one another"));
    return dt;
}

void GpuBackend::rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) {
    const KeptDevice kept;
    with_room([&] {
        first().select();
        steps_->look(Look::rates);
    });
    synchronise();
    download_rates(pieces(), acceleration, density_rate);
}

/// The sums of every id, as a frame that is copied while steps go on wants them. Of one device.
std::vector<float> GpuBackend::gradients_by_id() {
    steps_->look(Look::cells);
    synchronise();
    FlowGradientSource source = gradient_source(first().run());
    source.id = first().run().places.state.id;
    source.ids = ids_;
    return flow_gradients_by_id(source, setup_.constants, first().stream());
}

/// Of the fluid that is in the run, in the order of the state.
std::vector<float> GpuBackend::gradients_of_state() {
    with_room([&] {
        first().select();
        steps_->look(Look::cells);
    });
    synchronise();
    std::vector<std::vector<float>> of_devices(devices_.size());
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (!devices_[d]) continue;
        DeviceShare& device = *devices_[d];
        device.select();
        const RunArrays& run = device.run();
        const Range own = is_shared() ? Range{run.own_first, run.own_end} : Range{run.boundary_count, run.count};
        const std::vector<float> of_slots =
            flow_gradients_by_id(gradient_source(run), setup_.constants, device.stream());
        for (const std::uint32_t k : particles_in_run(run, download(run.places.cell + own.begin, size_of(own)))) {
            const auto from = of_slots.begin() + std::size_t(own.begin + k) * sph::flow_gradient_sums;
            of_devices[d].insert(of_devices[d].end(), from, from + sph::flow_gradient_sums);
        }
    }
    group_.complete(of_devices);
    std::vector<float> sums;
    for (const auto& more : of_devices) sums.insert(sums.end(), more.begin(), more.end());
    return sums;
}

/// One device copies a frame while it steps on. Of several devices only the host has all particles, and where ids grow
/// without bound an array by id would grow, too: then frames are made from states.
std::unique_ptr<PendingFrame> GpuBackend::snapshot(const FieldSelection& wanted) {
    const bool with_gradients = !wanted.from(FieldSource::neighbours).empty();
    if (is_shared() || setup_.open.any()) {
        std::vector<float> sums;
        ParticleState now = state_and_gradients(with_gradients, sums);
        return std::make_unique<StateFrame>(std::move(now), setup_, std::move(sums), wanted, bodies());
    }
    const KeptDevice kept;
    first().select();
    FrameSource source;
    source.wanted = wanted;
    if (with_gradients) source.flow_gradients = gradients_by_id();
    RunArrays& run = first().run();
    source.pack = {run.places.state, run.places.cell, run.count, run.excluded_cell(), 0, ids_};
    source.spare = run.places.spare;
    source.spare_ids = run.capacity;
    source.step = control_.step;
    source.time = control_.time;
    source.work = control_.work;
    source.bodies = bodies();
    source.absorbers = first().queue().rigid().absorbers();
    source.moorings = first().queue().rigid().lines().state();
    return frames_->begin(std::move(source), plan_.frame_bytes > 0, run.memory, first().stream());
}

ParticleState GpuBackend::state_and_gradients(bool with_gradients, std::vector<float>& gradients) {
    const KeptDevice kept;
    if (with_gradients) gradients = gradients_of_state();
    return state_of(false);
}

std::vector<BodyReport> GpuBackend::bodies() const {
    const KeptDevice kept;
    first().select();
    return first().queue().rigid().reports(); // all have the same
}

PhaseSeconds GpuBackend::phase_seconds() const { return phase_seconds_of(control_); }

std::size_t GpuBackend::memory_bytes() const {
    std::size_t bytes = 0;
    for (std::size_t d = 0; d < devices_.size(); ++d)
        bytes += devices_[d] ? devices_[d]->run().memory.held() : reports_[d].memory;
    return bytes;
}

} // namespace cuda

std::unique_ptr<Backend> make_cuda_backend(const RunSetup& setup, std::uint32_t particle_count,
                                           const CudaOptions& options) {
    return cuda::make_cuda_backend_with(setup, particle_count, options, nullptr);
}

std::unique_ptr<Backend> cuda::make_cuda_backend_with(const RunSetup& setup, std::uint32_t particle_count,
                                                      const CudaOptions& options, const MakeSearch& make_search) {
    if (make_search && setup.constants.integrator == sph::Integrator::staggered)
        throw InputError("the papers' versions find both rates at once: take Verlet or symplectic steps");
    CudaOptions here = options;
    if (here.devices.empty()) here.devices = {here.device};
    return std::make_unique<GpuBackend>(setup, particle_count, here, nullptr, make_search);
}

} // namespace sluice
