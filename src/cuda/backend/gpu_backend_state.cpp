// SPDX-License-Identifier: Apache-2.0
#include "backend/left_domain.h"
#include "backend/lost_course.h"
#include "core/error.h"
#include "core/log.h"
#include "cuda/backend/gpu_backend.h"
#include "cuda/backend/process_devices.h"
#include "cuda/data/list_state.h"
#include "cuda/device/kept_device.h"
#include "cuda/steps/excluded_records.h"
#include "cuda/steps/recorded_steps.h"
#include "cuda/steps/run_plan.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

// The particles of a run on its devices: their arrays and the room in them, states, and what steps leave to the host.

namespace sluice::cuda {

namespace {

/// Without lists, whose renewal is a branch of the graph, many particles need none: their kernels run for longer than
/// launching them takes.
bool graphs_are_wanted(const CudaOptions& options, GpuMode mode, std::uint64_t particles) {
    const char* value = std::getenv("SLUICE_CUDA_GRAPHS");
    const bool are_off = !options.graphs || (value && std::strcmp(value, "off") == 0);
    return !are_off && (has_neighbour_lists(mode) || particles < 10000000);
}

} // namespace

/// Devices whose arrays have so many slots, and no state yet.
void GpuBackend::make_devices(std::uint64_t room) {
    steps_.reset();
    shared_ = nullptr;
    devices_.clear();
    stepped_seconds_ = 0;
    if (room > most_ids) throw RunError("GPUs: a share of " + std::to_string(room) + " particles is too large");
    const std::uint32_t fluid = particle_count_ - setup_.groups.boundary_count();
    const MakeSearch make_search = [this, fluid](RunArrays& run) {
        run.is_shared = is_shared();
        // of the whole run: the order of sums must not depend on the devices
        if (run.is_shared && !run.is_open) run.usual_fluid = fluid;
        return make_search_(run);
    };
    // devices that share a run sort in one store
    const GpuMode mode = is_shared() && mode_ == GpuMode::fast_half ? GpuMode::slow_half : mode_;
    devices_.resize(group_.devices());
    for (std::size_t n = 0; n < gpus_.size(); ++n)
        devices_[group_.first() + n] = std::make_unique<DeviceShare>(
            options_.devices[n], setup_, static_cast<std::uint32_t>(room), mode, make_search);
    if (is_shared()) {
        auto shared = std::make_unique<SharedSteps>(
            setup_, devices_, group_,
            SharedWays{all_connected_, rules_.has_lists, rules_.reach_rows, options_.begins_inside});
        shared_ = shared.get();
        steps_ = std::move(shared);
    } else
        steps_ = std::make_unique<RecordedSteps>(first().queue(), setup_, graphs_are_wanted(options_, mode_, room),
                                                 first().stream());
}

/// Slots for what takes so many now, with some to spare for what comes.
std::uint64_t GpuBackend::room_for(std::uint64_t slots) const {
    return is_shared() ? slots + slots / 4 : gpu_room(setup_, slots);
}

/// Whether one device has room for them and for what two steps may create.
bool GpuBackend::has_room_for(std::uint64_t particles) const {
    return particles + 2 * std::uint64_t(first().queue().open().most_created()) <= first().run().capacity;
}

/// RunError if one device has not got the memory for arrays of so many particles, once it has given those back that it
/// has.
void GpuBackend::require_memory(std::uint64_t particles) const {
    first().select();
    const double available = available_memory(options_, first().run().memory.held());
    const GpuMemoryPlan plan = plan_gpu_memory({setup_, particles, available, mode_, {}});
    if (!plan.choice) throw RunError("open boundaries: " + plan.why, Outcome::out_of_memory);
}

void GpuBackend::set_state(const ParticleState& state) {
    const KeptDevice kept;
    if (is_shared()) {
        if (shared_ && !shared_->parts().empty()) parts_ = shared_->parts();
        const ScatteredState scattered = scatter(state, setup_.groups, rules_, parts_);
        std::uint64_t needed = 0;
        for (std::size_t d = 0; d < scattered.sighted.size(); ++d) {
            const Share& share = scattered.sighted[d];
            const std::uint64_t held = std::max(size_of(share.held), size_of(scattered.shares[d].held)),
                                halo = size_of(share.held) - size_of(share.own);
            needed = std::max(needed, scattered.boundary.size() + 8 + held + halo + setup_.open.points.size());
        }
        if (devices_.empty() || first().run().capacity < needed)
            make_devices(needed + static_cast<std::uint64_t>(options_.slots_to_spare * double(needed)));
        place(scattered, state);
    } else {
        const std::uint64_t places = state.size() + lists_of(state.section).vacated.size();
        if (setup_.open.any() && !has_room_for(places)) {
            require_memory(places);
            make_devices(room_for(places));
        }
        place(state);
    }
    ids_ = state.id.empty() ? 0 : *std::ranges::max_element(state.id) + 1;
    particles_ = static_cast<std::uint32_t>(state.size());
    synchronise();
    gather_reports();
}

/// Writes a state to the devices, which have room for it.
void GpuBackend::place(const ParticleState& state) {
    if (is_shared()) return place(scatter(state, setup_.groups, rules_, parts_), state);
    first().select();
    wait_for(first().stream(), "waiting for the GPU");
    upload_state(first().queue(), setup_.groups, state);
    steps_->forget();
}

/// Writes to each device that shares the run its part of a state.
void GpuBackend::place(const ScatteredState& scattered, const ParticleState& state) {
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (!devices_[d]) continue;
        DeviceShare& device = *devices_[d];
        device.select();
        wait_for(device.stream(), "waiting for the GPU");
        const SharePlaces places = places_of(scattered.shares[d], setup_.groups.boundary_count());
        take_places(device.run(), places, device.stream());
        wait_for(device.stream(), "waiting for the GPU");
        upload_state(device.queue(), setup_.groups, part_of(state, scattered, d));
    }
    // walls that move are sorted when the lists are renewed
    const bool waits_for_lists = rules_.has_lists && setup_.rigid.any() && steps_->synchronise().front().rebuild != 0;
    shared_->adopt(scattered.shares, parts_, !waits_for_lists);
}

/// Goes on in larger arrays; where there is no memory for them the state stays where it was, and the run can only end:
/// RunError. No number changes.
void GpuBackend::enlarge(std::uint64_t slots) {
    synchronise();
    collect_excluded();
    collect_passed();
    const Control before = control_;
    const ParticleState now = state_of(true);
    if (shared_) parts_ = shared_->parts();
    spdlog::debug("GPU: arrays of {} slots", room_for(slots));
    const std::uint32_t room = first().run().capacity;
    std::string failure;
    try {
        if (!is_shared()) require_memory(slots);
        make_devices(room_for(slots));
    } catch (const RunError& error) {
        failure = error.what();
    }
    if (group_.any(!failure.empty())) { // the state goes back, to be saved
        make_devices(room);
        place(now);
        synchronise();
        for (const std::string& what : gathered_texts(group_, {failure}))
            if (!what.empty()) throw FoundByAll(RunError(what, Outcome::out_of_memory));
    }
    set_state(now);
    rewrite_controls([&](Control& control) {
        control.dt_min_hits = before.dt_min_hits;
        std::copy(std::begin(before.phase_ns), std::end(before.phase_ns), std::begin(control.phase_ns));
    });
}

void GpuBackend::synchronise() {
    const std::vector<Control>& controls = steps_->synchronise();
    control_ = controls.front();
    for (const Control& c : controls) {
        control_.rebuild |= c.rebuild;
        control_.left_id = std::min(control_.left_id, c.left_id);
        if (&c == &controls.front()) continue;
        control_.excluded += c.excluded;
        control_.work = control_.work + c.work;
    }
}

void GpuBackend::check_failures() const {
    for (const auto& device : devices_)
        if (device) device->queue().rigid().require_success();
    if (!control_.failed && control_.left_id == Control::no_particle) return;
    first().select();
    const LostCourse lost = first().queue().rigid().lines().lost_course(); // which throws bodies anywhere
    if (lost.fault.any()) throw FoundByAll(lost_course(setup_.moorings, lost.fault, lost.step));
    if (control_.left_id != Control::no_particle)
        throw FoundByAll(left_domain(setup_, control_.left_id, control_.time));
    throw FoundByAll(
        blown_up(control_.step, control_.time, particles_ - control_.excluded == setup_.groups.boundary_count()));
}

void GpuBackend::collect_excluded() {
    if (control_.excluded == 0) return;
    std::vector<std::vector<ExcludedRecord>> of_devices(devices_.size());
    const std::vector<Control> controls = steps_->controls();
    for (std::size_t d = 0; d < devices_.size(); ++d)
        if (devices_[d]) of_devices[d] = download_excluded(devices_[d]->run(), controls[d]);
    group_.complete(of_devices);
    std::vector<ExcludedRecord> records;
    for (const auto& more : of_devices) records.insert(records.end(), more.begin(), more.end());
    append_excluded(std::move(records), rules_.grid, setup_, excluded_);
    particles_ -= control_.excluded;
    rewrite_controls([](Control& control) { control.excluded = 0; });
}

/// All devices record the particles that enter, which are the same, and each records those that leave from its share.
void GpuBackend::collect_passed() {
    if (!setup_.open.any()) return;
    const std::vector<Control> controls = steps_->controls();
    std::vector<std::vector<ZonePassage>> of_devices(devices_.size());
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (!devices_[d] || controls[d].passed == 0) continue;
        devices_[d]->select();
        for (const ZonePassage& p : devices_[d]->queue().open().passed(controls[d], setup_.domain.min))
            if (d == 0 || !p.entered) of_devices[d].push_back(p);
    }
    group_.complete(of_devices);
    std::vector<ZonePassage> passages;
    for (const auto& more : of_devices) passages.insert(passages.end(), more.begin(), more.end());
    std::ranges::sort(passages, {}, passage_order);
    for (const ZonePassage& p : passages) p.entered ? ++particles_ : --particles_;
    passed_.insert(passed_.end(), passages.begin(), passages.end());
    if (!passages.empty()) rewrite_controls([](Control& control) { control.passed = 0; });
}

/// Goes on where the steps have stopped because the next one might not find room for what open boundaries create.
void GpuBackend::serve() {
    first().queue().open().expect_ids(control_);
    if (!control_.wants_host) return;
    const std::uint64_t places = std::uint64_t(particles_) + control_.vacated; // lists hold what left
    if (!has_room_for(places)) enlarge(places);
    rewrite_controls([](Control& control) { control.wants_host = 0; });
}

DevicePieces GpuBackend::pieces() const {
    if (!is_shared()) return {group_, {{&first().queue(), {0, first().run().count}}}};
    DevicePieces all{group_, {}};
    const auto add = [&](std::size_t device, const Range& slots) {
        all.pieces.push_back({devices_[device] ? &devices_[device]->queue() : nullptr, slots, device});
    };
    const auto places = [&](std::size_t device) {
        return places_of(shared_->shares()[device], setup_.groups.boundary_count());
    };
    for (std::size_t d = 0; d < devices_.size(); ++d) add(d, shared_->own_walls()[d]);
    for (std::size_t d = 0; d < devices_.size(); ++d) add(d, {places(d).own_first, places(d).own_end});
    const std::uint32_t behind = places(0).count;
    add(0, {behind, behind + control_.newcomers}); // all devices have them
    return all;
}

ParticleState GpuBackend::state_of(bool with_section) {
    const KeptDevice kept;
    first().select();
    synchronise();
    return download_state(pieces(), control_, with_section);
}

} // namespace sluice::cuda
