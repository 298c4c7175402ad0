// SPDX-License-Identifier: Apache-2.0
#include "cuda/shared_backend.h"

#include "backend/left_domain.h"
#include "backend/state_frame.h"
#include "core/error.h"
#include "core/log.h"
#include "cuda/excluded_records.h"
#include "cuda/flow_gradients.h"
#include "cuda/gpu_devices.h"
#include "cuda/host_copies.h"
#include "cuda/run_plan.h"
#include "cuda/share_state.h"
#include "cuda/shared_steps.h"
#include "cuda/state_exchange.h"
#include "physics/sph/flow_gradients.h"
#include "scheme/time_loop.h"
#include <algorithm>
#include <chrono>
#include <limits>
#include <set>

namespace sluice {

namespace {

using namespace cuda;
using Clock = std::chrono::steady_clock;

constexpr double forever = std::numeric_limits<double>::infinity();

/// Bytes on the device that has least for each share on it.
double least_memory(const CudaOptions& options) {
    double least = forever;
    for (const int device : options.devices) {
        select_gpu(device);
        const auto on_it = double(std::ranges::count(options.devices, device));
        least = std::min(least, available_memory(options, 0) / on_it);
    }
    return least;
}

/// Lets every device copy from every other where the hardware can. Returns whether all can.
bool connect(const std::vector<int>& devices) {
    bool all = true;
    for (const int to : devices)
        for (const int from : devices) {
            if (from == to) continue;
            int can = 0;
            check(cudaDeviceCanAccessPeer(&can, to, from), "asking whether GPUs see each other");
            all &= can != 0;
            if (!can) continue;
            check(cudaSetDevice(to), "selecting the device");
            const cudaError_t status = cudaDeviceEnablePeerAccess(from, 0);
            cudaGetLastError();
            if (status != cudaErrorPeerAccessAlreadyEnabled) check(status, "connecting GPUs");
        }
    return all;
}

std::vector<GpuDevice> described(const std::vector<int>& devices) {
    std::vector<GpuDevice> all;
    for (const int device : devices) {
        all.push_back(select_gpu(device));
        if (all.back().name != all.front().name)
            throw InputError("--gpus: GPU " + std::to_string(all.front().index) + " is of another kind (" +
                             all.front().name + ") than GPU " + std::to_string(device) + " (" + all.back().name +
                             "): GPUs that share a run must be alike, choose others with --device or "
                             "CUDA_VISIBLE_DEVICES");
    }
    return all;
}

/// Of some places those that particles of the run have, counted from the first.
std::vector<std::uint32_t> in_run(const RunArrays& run, const Range& places) {
    return particles_in_run(run, download(run.places.cell + places.begin, size_of(places)));
}

/// Gives the calling thread the device back that it had: other backends work with it.
class KeptDevice {
public:
    KeptDevice() { check(cudaGetDevice(&device_), "selecting the device"); }
    ~KeptDevice() { cudaSetDevice(device_); }
    KeptDevice(const KeptDevice&) = delete;
    KeptDevice& operator=(const KeptDevice&) = delete;

private:
    int device_ = 0;
};

class SharedBackend final : public Backend {
public:
    SharedBackend(const RunSetup& setup, std::uint32_t particle_count, const CudaOptions& options)
        : gpus_(described(options.devices)), options_(options), setup_(setup), particle_count_(particle_count),
          plan_(plan_run(setup, particle_count, least_memory(options), options)), mode_(*plan_.choice), rules_(rules()),
          all_connected_(options.direct_copies && connect(options.devices)),
          parts_(options.devices.size(), 1.0 / double(options.devices.size())) {}

    BackendInfo info() const override;
    void set_state(const ParticleState& state) override;
    AdvanceReport advance(const AdvanceLimits& limits) override;
    double next_time_step() override;
    ParticleState state() override { return state_of(true); }
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override;
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override;
    std::vector<BodyReport> bodies() const override;
    std::vector<ExcludedParticle> take_excluded() override { return std::exchange(excluded_, {}); }
    std::vector<ZonePassage> take_passed() override { return std::exchange(passed_, {}); }
    PhaseSeconds phase_seconds() const override { return phase_seconds_of(control_); }
    std::size_t memory_bytes() const override;

private:
    DealRules rules() const;
    void make_devices(std::uint64_t room);
    void deal(const DealtState& dealt, const ParticleState& state);
    void enlarge(std::uint64_t slots);
    template <class Work>
    void with_room(Work&& work);
    void settle();
    void settle_viscosity();
    template <class Change>
    void rewrite_controls(Change&& change);
    ParticleState state_of(bool with_section);
    std::vector<DevicePiece> pieces() const;
    std::vector<float> flow_gradients();
    void check_failures() const;
    void collect_excluded();
    void collect_passed();
    bool wants_collection() const;

    std::vector<GpuDevice> gpus_;
    CudaOptions options_;
    RunSetup setup_;
    std::uint32_t particle_count_;
    GpuMemoryPlan plan_;
    GpuMode mode_;
    DealRules rules_;
    bool all_connected_;
    std::vector<double> parts_;
    std::vector<std::unique_ptr<DeviceShare>> devices_;
    std::unique_ptr<SharedSteps> steps_;
    Control control_; ///< of the run, as last read from the devices
    std::uint32_t alive_ = 0;
    double stepped_seconds_ = 0; ///< wall time that the devices as they are have been stepping
    std::vector<ExcludedParticle> excluded_;
    std::vector<ZonePassage> passed_;
};

DealRules SharedBackend::rules() const {
    DealRules rules;
    const sph::Constants& c = setup_.constants;
    rules.grid = make_fixed_grid(setup_.domain, gpu_search_radius(c, mode_), gpu_cell_divisions(mode_));
    rules.period = make_grid_period(setup_.period, rules.grid, 2 * c.h);
    rules.has_lists = has_neighbour_lists(mode_);
    rules.reach_rows = reach_rows_of(rules.grid, rules.period, setup_.open, rules.has_lists);
    rules.widest_skin = static_cast<float>(widest_list_skin) * static_cast<float>(2 * c.h);
    return rules;
}

BackendInfo SharedBackend::info() const {
    BackendInfo info;
    info.backend = "cuda";
    info.mode = mode_info(gpu_modes, mode_).name;
    info.cells = gpu_cell_divisions(mode_) == 2 ? "h" : "2h";
    info.simd = "sm_" + std::to_string(gpus_.front().compute_major) + std::to_string(gpus_.front().compute_minor);
    info.device = std::to_string(gpus_.size()) + " x " + gpus_.front().name;
    info.threads = 1;
    info.memory_plan =
        plan_.text + "the GPUs " +
        (all_connected_ ? "read each other's memory\n" : "exchange particles through the host's memory\n");
    const auto gpus = static_cast<int>(gpus_.size());
    if (const int pay = gpus_that_pay(particle_count_, gpus); pay < gpus)
        info.memory_plan += "so few particles a GPU (fewer than " + std::to_string(least_particles_a_gpu) +
                            ") are likely to take longer than on " +
                            (pay == 1 ? std::string("one GPU alone") : std::to_string(pay)) + "\n";
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        const Share& share = steps_->shares()[d];
        const double waited = stepped_seconds_ > 0 ? steps_->seconds_waited()[d] / stepped_seconds_ : 0;
        info.gpus.push_back({gpus_[d].index, gpus_[d].name, share.rows.begin, share.rows.end, size_of(share.own),
                             waited, devices_[d]->run().memory.held()});
    }
    return info;
}

/// Devices whose arrays have so many slots, and no state yet.
void SharedBackend::make_devices(std::uint64_t room) {
    steps_.reset();
    devices_.clear();
    stepped_seconds_ = 0;
    if (room > most_ids) throw RunError("GPUs: a share of " + std::to_string(room) + " particles is too large");
    const std::uint32_t fluid = particle_count_ - setup_.groups.boundary_count();
    const MakeSearch make_search = [&, make = search_of(setup_, mode_, options_)](RunArrays& run) {
        run.is_shared = true;
        if (!run.is_open) run.usual_fluid = fluid; // of all: the order of sums must not depend on who shares them
        return make(run);
    };
    for (const int device : options_.devices)
        devices_.push_back(std::make_unique<DeviceShare>(device, setup_, static_cast<std::uint32_t>(room),
                                                         mode_ == GpuMode::fast_half ? GpuMode::slow_half : mode_,
                                                         make_search)); // they sort in one store
    steps_ = std::make_unique<SharedSteps>(
        devices_, SharedWays{all_connected_, rules_.has_lists, rules_.reach_rows, options_.begins_inside});
}

void SharedBackend::set_state(const ParticleState& state) {
    const KeptDevice kept;
    if (steps_ && !steps_->parts().empty()) parts_ = steps_->parts();
    const DealtState dealt = deal_out(state, setup_.groups, rules_, parts_);
    std::uint64_t needed = 0;
    for (std::size_t d = 0; d < gpus_.size(); ++d) {
        const Share& share = dealt.sighted[d];
        const std::uint64_t held = std::max(size_of(share.held), size_of(dealt.shares[d].held)),
                            halo = size_of(share.held) - size_of(share.own);
        needed = std::max(needed, dealt.boundary.size() + 8 + held + halo + setup_.open.points.size());
    }
    if (devices_.empty() || devices_.front()->run().capacity < needed)
        make_devices(needed + static_cast<std::uint64_t>(options_.slots_to_spare * double(needed)));
    deal(dealt, state);
    alive_ = static_cast<std::uint32_t>(state.size());
    settle();
}

void SharedBackend::deal(const DealtState& dealt, const ParticleState& state) {
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        DeviceShare& device = *devices_[d];
        device.select();
        check(cudaStreamSynchronize(device.stream()), "waiting for the GPU");
        const SharePlaces places = places_of(dealt.shares[d], setup_.groups.boundary_count());
        take_places(device.run(), places, device.stream());
        check(cudaStreamSynchronize(device.stream()), "waiting for the GPU");
        upload_state(device.queue(), setup_.groups, part_of(state, dealt, d));
    }
    // walls that move are sorted when the lists are renewed
    const bool waits_for_lists = rules_.has_lists && setup_.rigid.any() && steps_->settle().front().rebuild != 0;
    steps_->adopt(dealt.shares, parts_, !waits_for_lists);
}

/// Goes on in larger arrays. No number changes.
void SharedBackend::enlarge(std::uint64_t slots) {
    settle();
    collect_excluded();
    collect_passed();
    const Control before = control_;
    const ParticleState now = state_of(true);
    parts_ = steps_->parts();
    spdlog::debug("GPUs: arrays of {} slots", slots + slots / 4);
    const std::uint32_t alive = alive_, room = devices_.front()->run().capacity;
    try {
        make_devices(slots + slots / 4);
    } catch (const RunError& error) { // the state goes back to where it was, to be saved
        make_devices(room);
        set_state(now);
        throw RunError(error.what(), Outcome::out_of_memory);
    }
    set_state(now);
    alive_ = alive;
    rewrite_controls([&](Control& control) {
        control.dt_min_hits = before.dt_min_hits;
        std::copy(std::begin(before.phase_ns), std::end(before.phase_ns), std::begin(control.phase_ns));
    });
}

/// Does `work`, again if an exchange found no room for it.
template <class Work>
void SharedBackend::with_room(Work&& work) {
    for (;;) {
        try {
            return work();
        } catch (const NeedsRoom& needs) {
            enlarge(needs.slots);
        }
    }
}

void SharedBackend::settle() {
    const std::vector<Control>& controls = steps_->settle();
    control_ = controls.front();
    for (const Control& c : controls) {
        control_.rebuild |= c.rebuild;
        control_.left_id = std::min(control_.left_id, c.left_id);
        if (&c != &controls.front()) control_.excluded += c.excluded;
    }
}

/// A viscosity that changes in time is that of the step's begin all through it: the host has to know the time then.
void SharedBackend::settle_viscosity() {
    if (setup_.viscosity.empty()) return;
    settle();
    const sph::Constants now = setup_.constants_at(control_.time);
    for (const auto& device : devices_) device->queue().set_viscosity(now);
}

/// Changes the controls of all devices, which stand still.
template <class Change>
void SharedBackend::rewrite_controls(Change&& change) {
    const std::vector<Control> controls = steps_->settle();
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        Control control = controls[d];
        change(control);
        devices_[d]->select();
        copy_to_device(&control, devices_[d]->control(), sizeof control);
    }
    settle();
}

AdvanceReport SharedBackend::advance(const AdvanceLimits& limits) {
    const KeptDevice kept;
    const auto begin = Clock::now();
    const auto end = begin + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(std::min(limits.wall_seconds, 1e8)));
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::int64_t last_step = limits.steps > most - control_.step ? most : control_.step + limits.steps;
    bool goes_on = true;
    while (goes_on) {
        with_room([&] {
            steps_->begin_advance(limits.time, last_step);
            do {
                settle_viscosity();
                take_step(*steps_, setup_.constants.integrator);
                const std::vector<Control>& began = steps_->controls();
                goes_on = steps_->is_taken() && began.front().step + 1 < last_step && Clock::now() < end &&
                          !wants_collection() &&
                          std::ranges::all_of(began, [](const Control& c) { return c.excluded == 0; });
            } while (goes_on);
        });
        goes_on = steps_->is_taken() && wants_collection() && Clock::now() < end;
        settle();
        check_failures();
        goes_on &= control_.excluded == 0 && control_.step < last_step;
        collect_excluded();
        collect_passed();
        devices_.front()->queue().open().expect_ids(control_);
    }
    stepped_seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
    AdvanceReport report;
    report.step = control_.step;
    report.time = control_.time;
    report.dt = control_.dt;
    report.dt_min_hits = control_.dt_min_hits;
    report.particles = alive_;
    return report;
}

void SharedBackend::check_failures() const {
    if (control_.left_id != Control::nobody) throw left_domain(setup_, control_.left_id, control_.time);
    if (control_.failed)
        throw blown_up(control_.step, control_.time, alive_ - control_.excluded == setup_.groups.boundary_count());
}

void SharedBackend::collect_excluded() {
    if (control_.excluded == 0) return;
    std::vector<ExcludedRecord> records;
    const std::vector<Control> controls = steps_->controls();
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        const std::vector<ExcludedRecord> more = download_excluded(devices_[d]->run(), controls[d]);
        records.insert(records.end(), more.begin(), more.end());
    }
    append_excluded(std::move(records), rules_.grid, setup_.domain.min, excluded_);
    alive_ -= control_.excluded;
    rewrite_controls([](Control& control) { control.excluded = 0; });
}

/// Whether some device's list of what comes and goes was nearly full when the last step began.
bool SharedBackend::wants_collection() const {
    const OpenBoundaries& open = devices_.front()->queue().open();
    return open.any() &&
           std::ranges::any_of(steps_->controls(), [&](const Control& c) { return open.wants_collection(c); });
}

/// All devices record what enters, the same, and each what it lets out.
void SharedBackend::collect_passed() {
    if (!devices_.front()->queue().open().any()) return;
    const std::vector<Control> controls = steps_->controls();
    std::vector<ZonePassage> passages;
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (controls[d].passed == 0) continue;
        devices_[d]->select();
        for (const ZonePassage& p : devices_[d]->queue().open().passed(controls[d], setup_.domain.min))
            if (d == 0 || !p.entered) passages.push_back(p);
    }
    std::ranges::sort(passages, {}, passage_order);
    for (const ZonePassage& p : passages) p.entered ? ++alive_ : --alive_;
    passed_.insert(passed_.end(), passages.begin(), passages.end());
    if (!passages.empty()) rewrite_controls([](Control& control) { control.passed = 0; });
}

std::vector<DevicePiece> SharedBackend::pieces() const {
    std::vector<DevicePiece> all;
    for (const auto& d : devices_) all.push_back({&d->queue(), d->run().own_walls});
    for (const auto& d : devices_) all.push_back({&d->queue(), {d->run().own_first, d->run().own_end}});
    const std::uint32_t behind = devices_.front()->run().count;
    all.push_back({&devices_.front()->queue(), {behind, behind + control_.newcomers}}); // all devices have them
    return all;
}

ParticleState SharedBackend::state_of(bool with_section) {
    const KeptDevice kept;
    settle();
    return download_state(pieces(), control_, with_section);
}

double SharedBackend::next_time_step() {
    const KeptDevice kept;
    settle();
    settle_viscosity();
    const Control before = control_;
    with_room([&] {
        steps_->begin_advance(forever, std::numeric_limits<long long>::max());
        steps_->build_cells();
        steps_->interact();
        steps_->reduce_time_step();
        steps_->keep_sorted();
    });
    settle();
    const double dt = control_.dt;
    const bool failed = control_.failed;
    rewrite_controls([&](Control& control) {
        control.dt = before.dt;
        control.dt_min_hits = before.dt_min_hits;
        control.failed = before.failed;
        std::copy(std::begin(before.phase_ns), std::end(before.phase_ns), std::begin(control.phase_ns));
    });
    if (failed) throw RunError("the first time step is not finite: two particles may lie on one another");
    return dt;
}

void SharedBackend::rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) {
    const KeptDevice kept;
    settle_viscosity();
    with_room([&] {
        steps_->begin_advance(forever, std::numeric_limits<long long>::max());
        steps_->build_cells();
        steps_->interact();
        steps_->keep_sorted();
    });
    settle();
    download_rates(pieces(), acceleration, density_rate);
}

/// Of the fluid that is in the run, in the order of the state.
std::vector<float> SharedBackend::flow_gradients() {
    const KeptDevice kept;
    with_room([&] {
        steps_->begin_advance(forever, std::numeric_limits<long long>::max());
        steps_->build_to_look();
        steps_->keep_sorted();
    });
    settle();
    std::vector<float> sums;
    for (auto& device : devices_) {
        device->select();
        const RunArrays& run = device->run();
        FlowGradientSource source;
        source.view = run.view();
        source.view.position = run.places.state.position; // what was sorted has become the state
        source.view.flow = run.places.state.flow;
        source.period = run.period;
        source.particles = source.ids = run.count;
        source.excluded_cell = run.excluded_cell();
        source.spare = run.places.spare;
        source.spare_count = run.capacity;
        const std::vector<float> of_slots = flow_gradients_by_id(source, setup_.constants, device->stream());
        for (const std::uint32_t k : in_run(run, {run.own_first, run.own_end})) {
            const auto from = of_slots.begin() + std::size_t(run.own_first + k) * sph::flow_gradient_sums;
            sums.insert(sums.end(), from, from + sph::flow_gradient_sums);
        }
    }
    return sums;
}

/// Frames are made of states: nobody has all particles but the host.
std::unique_ptr<PendingFrame> SharedBackend::snapshot(const FieldSelection& wanted) {
    std::vector<float> sums;
    if (!wanted.from(FieldSource::neighbours).empty()) sums = flow_gradients();
    return std::make_unique<StateFrame>(state_of(false), setup_, std::move(sums), wanted, bodies());
}

std::vector<BodyReport> SharedBackend::bodies() const {
    const KeptDevice kept;
    devices_.front()->select();
    return devices_.front()->queue().rigid().reports(); // all have the same
}

std::size_t SharedBackend::memory_bytes() const {
    std::size_t bytes = 0;
    for (const auto& device : devices_) bytes += device->run().memory.held();
    return bytes;
}

} // namespace

std::unique_ptr<Backend> cuda::make_shared_backend(const RunSetup& setup, std::uint32_t particle_count,
                                                   const CudaOptions& options) {
    return std::make_unique<SharedBackend>(setup, particle_count, options);
}

} // namespace sluice
