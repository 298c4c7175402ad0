// SPDX-License-Identifier: Apache-2.0
#include "cuda/backend/shared_backend.h"
#include "cuda/device/runtime.h"

#include "backend/left_domain.h"
#include "backend/state_frame.h"
#include "core/error.h"
#include "core/log.h"
#include "cuda/backend/team_devices.h"
#include "cuda/device/host_copies.h"
#include "cuda/device/kept_device.h"
#include "cuda/passes/flow_gradients.h"
#include "cuda/steps/excluded_records.h"
#include "cuda/steps/run_plan.h"
#include "physics/effective_gravity.h"
#include "physics/sph/flow_gradients.h"
#include <algorithm>
#include <chrono>
#include <limits>

namespace sluice::cuda {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double forever = std::numeric_limits<double>::infinity();

/// The places in a range that hold particles of the run, counted from the first.
std::vector<std::uint32_t> in_run(const RunArrays& run, const Range& places) {
    return particles_in_run(run, download(run.places.cell + places.begin, size_of(places)));
}

} // namespace

SharedBackend::SharedBackend(const RunSetup& setup, std::uint32_t particle_count, const CudaOptions& options,
                             Transport* processes)
    : team_(processes, options.devices.size()), gpus_(described(options.devices, team_)), options_(options),
      setup_(setup), particle_count_(particle_count),
      plan_(plan_run(setup, particle_count, int(team_.devices()), least_memory(options, team_), options)),
      mode_(*plan_.choice), rules_(rules()), all_connected_(options.direct_copies && connect(options.devices)),
      parts_(team_.devices(), 1.0 / double(team_.devices())) {}

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
    info.device = std::to_string(team_.devices()) + " x " + gpus_.front().name;
    info.threads = 1;
    info.ranks = int(team_.processes());
    if (!team_.alone()) info.split = "pieces of the order of its cells";
    info.memory_plan = plan_.text;
    if (gpus_.size() > 1)
        info.memory_plan +=
            std::string("the GPUs ") + (team_.alone() ? "" : "of a process ") +
            (all_connected_ ? "read each other's memory\n" : "exchange particles through the host's memory\n");
    if (!team_.alone())
        info.memory_plan += "processes exchange particles through their hosts, which wait for that in every step\n";
    const auto gpus = static_cast<int>(team_.devices());
    if (const int pay = gpus_that_pay(particle_count_, gpus); pay < gpus)
        info.memory_plan += "so few particles a GPU (fewer than " + std::to_string(least_particles_a_gpu) +
                            ") are likely to take longer than on " +
                            (pay == 1 ? std::string("one GPU alone") : std::to_string(pay)) + "\n";
    for (std::size_t d = 0; d < told_.size(); ++d) {
        const Share& share = steps_->shares()[d];
        const double waited = stepped_seconds_ > 0 ? told_[d].waited / stepped_seconds_ : 0;
        info.gpus.push_back({told_[d].index, gpus_.front().name, share.rows.begin, share.rows.end, size_of(share.own),
                             waited, told_[d].memory, int(team_.alone() ? 0 : team_.process_of(d))});
    }
    return info;
}

/// All-gathers what process 0 reports of the devices.
void SharedBackend::tell() {
    told_.assign(devices_.size(), {});
    for (std::size_t d = 0; d < devices_.size(); ++d)
        if (devices_[d])
            told_[d] = {gpus_[d - team_.first()].index, devices_[d]->run().memory.held(), steps_->seconds_waited()[d]};
    team_.complete(told_);
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
        if (!run.is_open) run.usual_fluid = fluid; // of the whole run: the order of sums must not depend on the devices
        return make(run);
    };
    devices_.resize(team_.devices());
    for (std::size_t n = 0; n < gpus_.size(); ++n)
        devices_[team_.first() + n] =
            std::make_unique<DeviceShare>(options_.devices[n], setup_, static_cast<std::uint32_t>(room),
                                          mode_ == GpuMode::fast_half ? GpuMode::slow_half : mode_,
                                          make_search); // they sort in one store
    steps_ = std::make_unique<SharedSteps>(
        devices_, team_, SharedWays{all_connected_, rules_.has_lists, rules_.reach_rows, options_.begins_inside});
}

void SharedBackend::set_state(const ParticleState& state) {
    const KeptDevice kept;
    if (steps_ && !steps_->parts().empty()) parts_ = steps_->parts();
    const DealtState dealt = deal_out(state, setup_.groups, rules_, parts_);
    std::uint64_t needed = 0;
    for (std::size_t d = 0; d < dealt.sighted.size(); ++d) {
        const Share& share = dealt.sighted[d];
        const std::uint64_t held = std::max(size_of(share.held), size_of(dealt.shares[d].held)),
                            halo = size_of(share.held) - size_of(share.own);
        needed = std::max(needed, dealt.boundary.size() + 8 + held + halo + setup_.open.points.size());
    }
    if (devices_.empty() || first().run().capacity < needed)
        make_devices(needed + static_cast<std::uint64_t>(options_.slots_to_spare * double(needed)));
    deal(dealt, state);
    alive_ = static_cast<std::uint32_t>(state.size());
    settle();
    tell();
}

void SharedBackend::deal(const DealtState& dealt, const ParticleState& state) {
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (!devices_[d]) continue;
        DeviceShare& device = *devices_[d];
        device.select();
        wait_for(device.stream(), "waiting for the GPU");
        const SharePlaces places = places_of(dealt.shares[d], setup_.groups.boundary_count());
        take_places(device.run(), places, device.stream());
        wait_for(device.stream(), "waiting for the GPU");
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
    const std::uint32_t alive = alive_, room = first().run().capacity;
    std::string failure;
    try {
        make_devices(slots + slots / 4);
    } catch (const RunError& error) {
        failure = error.what();
    }
    if (team_.any(!failure.empty())) { // the state goes back to where it was, to be saved
        make_devices(room);
        set_state(now);
        for (const std::string& what : said_by_all(team_, {failure}))
            if (!what.empty()) throw FoundByAll(RunError(what, Outcome::out_of_memory));
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
        if (&c == &controls.front()) continue;
        control_.excluded += c.excluded;
        control_.work = control_.work + c.work;
    }
}

/// A step uses the viscosity and the effective gravity of its begin; where these change in time, the host must know the
/// time.
void SharedBackend::settle_pairs() {
    if (!has_pairs_in_time(setup_)) return;
    settle();
    const sph::Constants run = setup_.constants_at(control_.time), pairs = pair_constants_at(setup_, control_.time);
    for (const auto& device : devices_)
        if (device) device->queue().set_pairs(run, pairs);
}

/// Changes the controls of all devices, which stand still.
template <class Change>
void SharedBackend::rewrite_controls(Change&& change) {
    const std::vector<Control> controls = steps_->settle();
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (!devices_[d]) continue;
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
                settle_pairs();
                take_step(*steps_, setup_.constants.integrator);
                const std::vector<Control>& began = steps_->controls();
                goes_on = team_.all(steps_->is_taken() && began.front().step + 1 < last_step && Clock::now() < end &&
                                    !wants_collection() &&
                                    std::ranges::all_of(began, [](const Control& c) { return c.excluded == 0; }));
            } while (goes_on);
        });
        goes_on = steps_->is_taken() && team_.any(wants_collection()) && team_.all(Clock::now() < end);
        settle();
        check_failures();
        goes_on &= control_.excluded == 0 && control_.step < last_step;
        collect_excluded();
        collect_passed();
        first().queue().open().expect_ids(control_);
    }
    stepped_seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
    AdvanceReport report;
    report.step = control_.step;
    report.time = control_.time;
    report.dt = control_.dt;
    report.dt_min_hits = control_.dt_min_hits;
    report.particles = alive_;
    tell();
    return report;
}

void SharedBackend::check_failures() const {
    if (control_.left_id != Control::nobody) throw FoundByAll(left_domain(setup_, control_.left_id, control_.time));
    if (control_.failed)
        throw FoundByAll(
            blown_up(control_.step, control_.time, alive_ - control_.excluded == setup_.groups.boundary_count()));
}

void SharedBackend::collect_excluded() {
    if (control_.excluded == 0) return;
    std::vector<std::vector<ExcludedRecord>> of_devices(devices_.size());
    const std::vector<Control> controls = steps_->controls();
    for (std::size_t d = 0; d < devices_.size(); ++d)
        if (devices_[d]) of_devices[d] = download_excluded(devices_[d]->run(), controls[d]);
    team_.complete(of_devices);
    std::vector<ExcludedRecord> records;
    for (const auto& more : of_devices) records.insert(records.end(), more.begin(), more.end());
    append_excluded(std::move(records), rules_.grid, setup_.domain.min, excluded_);
    alive_ -= control_.excluded;
    rewrite_controls([](Control& control) { control.excluded = 0; });
}

/// Whether some device's list of what comes and goes was nearly full when the last step began.
bool SharedBackend::wants_collection() const {
    const OpenBoundaries& open = first().queue().open();
    return open.any() &&
           std::ranges::any_of(steps_->controls(), [&](const Control& c) { return open.wants_collection(c); });
}

/// All devices record the particles that enter, which are the same, and each records those that leave from its share.
void SharedBackend::collect_passed() {
    if (!first().queue().open().any()) return;
    const std::vector<Control> controls = steps_->controls();
    std::vector<std::vector<ZonePassage>> of_devices(devices_.size());
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (!devices_[d] || controls[d].passed == 0) continue;
        devices_[d]->select();
        for (const ZonePassage& p : devices_[d]->queue().open().passed(controls[d], setup_.domain.min))
            if (d == 0 || !p.entered) of_devices[d].push_back(p);
    }
    team_.complete(of_devices);
    std::vector<ZonePassage> passages;
    for (const auto& more : of_devices) passages.insert(passages.end(), more.begin(), more.end());
    std::ranges::sort(passages, {}, passage_order);
    for (const ZonePassage& p : passages) p.entered ? ++alive_ : --alive_;
    passed_.insert(passed_.end(), passages.begin(), passages.end());
    if (!passages.empty()) rewrite_controls([](Control& control) { control.passed = 0; });
}

DevicePieces SharedBackend::pieces() const {
    DevicePieces all{team_, {}};
    const auto add = [&](std::size_t device, const Range& slots) {
        all.pieces.push_back({devices_[device] ? &devices_[device]->queue() : nullptr, slots, device});
    };
    const auto places = [&](std::size_t device) {
        return places_of(steps_->shares()[device], setup_.groups.boundary_count());
    };
    for (std::size_t d = 0; d < devices_.size(); ++d) add(d, steps_->own_walls()[d]);
    for (std::size_t d = 0; d < devices_.size(); ++d) add(d, {places(d).own_first, places(d).own_end});
    const std::uint32_t behind = places(0).count;
    add(0, {behind, behind + control_.newcomers}); // all devices have them
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
    settle_pairs();
    const Control before = control_;
    with_room([&] {
        steps_->begin_advance(forever, std::numeric_limits<long long>::max());
        steps_->build_cells();
        steps_->interact(sph::RatesPart::both, Absorbers::stay);
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
    if (failed) throw FoundByAll(RunError("the first time step is not finite: two particles may lie on one another"));
    return dt;
}

void SharedBackend::rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) {
    const KeptDevice kept;
    settle_pairs();
    with_room([&] {
        steps_->begin_advance(forever, std::numeric_limits<long long>::max());
        steps_->build_cells();
        steps_->interact(sph::RatesPart::both, Absorbers::stay);
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
    std::vector<std::vector<float>> of_devices(devices_.size());
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (!devices_[d]) continue;
        DeviceShare& device = *devices_[d];
        device.select();
        const RunArrays& run = device.run();
        FlowGradientSource source;
        source.view = run.view();
        source.view.position = run.places.state.position; // what was sorted has become the state
        source.view.flow = run.places.state.flow;
        source.period = run.period;
        source.particles = source.ids = run.count;
        source.excluded_cell = run.excluded_cell();
        source.spare = run.places.spare;
        source.spare_count = run.capacity;
        const std::vector<float> of_slots = flow_gradients_by_id(source, setup_.constants, device.stream());
        for (const std::uint32_t k : in_run(run, {run.own_first, run.own_end})) {
            const auto from = of_slots.begin() + std::size_t(run.own_first + k) * sph::flow_gradient_sums;
            of_devices[d].insert(of_devices[d].end(), from, from + sph::flow_gradient_sums);
        }
    }
    team_.complete(of_devices);
    std::vector<float> sums;
    for (const auto& more : of_devices) sums.insert(sums.end(), more.begin(), more.end());
    return sums;
}

/// Frames are made from states: only the host has all particles.
std::unique_ptr<PendingFrame> SharedBackend::snapshot(const FieldSelection& wanted) {
    std::vector<float> sums;
    ParticleState now = look(!wanted.from(FieldSource::neighbours).empty(), sums);
    return std::make_unique<StateFrame>(std::move(now), setup_, std::move(sums), wanted, bodies());
}

ParticleState SharedBackend::look(bool with_gradients, std::vector<float>& gradients) {
    if (with_gradients) gradients = flow_gradients();
    return state_of(false);
}

std::vector<BodyReport> SharedBackend::bodies() const {
    const KeptDevice kept;
    first().select();
    return first().queue().rigid().reports(); // all have the same
}

PhaseSeconds SharedBackend::phase_seconds() const { return phase_seconds_of(control_); }

std::size_t SharedBackend::memory_bytes() const {
    std::size_t bytes = 0;
    for (const Told& device : told_) bytes += device.memory;
    return bytes;
}

std::unique_ptr<Backend> make_shared_backend(const RunSetup& setup, std::uint32_t particle_count,
                                             const CudaOptions& options) {
    return std::make_unique<SharedBackend>(setup, particle_count, options, nullptr);
}

} // namespace sluice::cuda
