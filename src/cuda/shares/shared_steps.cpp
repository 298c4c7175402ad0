// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/shared_steps.h"
#include "cuda/device/host_copies.h"
#include "cuda/device/runtime.h"

#include "core/error.h"
#include "physics/effective_gravity.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::cuda {

namespace {

std::vector<ReducedDevice> reduced_devices(const SharedDevices& devices) {
    std::vector<ReducedDevice> voters;
    for (std::size_t n = 0; n < devices.size(); ++n)
        if (const auto& d = devices[n]) voters.push_back({n, d->device(), d->control(), d->stream(), d->beside()});
    return voters;
}

constexpr int timings_to_balance = 4;
constexpr std::int64_t interactions_a_timing = 4; ///< of which one is timed: events take a little time themselves

} // namespace

/// With lists, particles may have moved into the next cell before a renewal. Rows are ordered along z last: where
/// images lie beyond a face of z, every device holds all particles. Particles of open boundaries need the fluid around
/// their ghost nodes, too.
std::uint32_t reach_rows_of(const FixedGrid& grid, const GridPeriod& period, const OpenZones& open, bool has_lists) {
    if (period.shift_x.z != 0 || period.shift_y.z != 0 || period.shift_z.z != 0) return grid.rows();
    const bool images_along_y = period.shift_x.y != 0 || period.shift_y.y != 0;
    const int around = has_lists ? 2 : grid.reach;
    const double cell = std::ldexp(double(grid.unit), grid.cell_bits);
    ReachInCells reach{around, around};
    for (const OpenZone& zone : open.zones) {
        if (!zone.extrapolates()) continue;
        const auto to_node = [&](double along) { return int(std::ceil(2 * zone.depth * std::abs(along) / cell)); };
        reach.y = std::max(reach.y, around + to_node(zone.direction.y));
        reach.z = std::max(reach.z, around + to_node(zone.direction.z));
    }
    return rows_in_reach(std::uint32_t(grid.ny), reach, images_along_y);
}

SharedSteps::SharedSteps(const RunSetup& setup, SharedDevices& devices, const ProcessGroup& group,
                         const SharedWays& ways)
    : setup_(setup), devices_(devices), group_(group), ways_(ways),
      begins_inside_(ways.begins_inside && first().queue().may_begin_inside()),
      all_reduce_(reduced_devices(devices), group), remote_(group), walls_move_(first().run().walls_move),
      seconds_(devices.size()), waited_(devices.size()), controls_(devices.size()) {}

void SharedSteps::adopt(const std::vector<Share>& shares, std::vector<double> parts, bool walls_are_sorted) {
    shares_ = shares;
    parts_ = std::move(parts);
    for (std::size_t d = 0; d < devices_.size(); ++d)
        if (devices_[d]) devices_[d]->run().own_rows = shares_[d].rows;
    if (walls_are_sorted) {
        find_walls();
        give_walls();
        return;
    }
    const RunArrays& run = first().run();
    wall_first_.assign(std::size_t(run.grid.rows()) + 1, 0);
    own_walls_.assign(devices_.size(), {0, 0});
    own_walls_.front() = {0, run.boundary_count};
    for (std::size_t d = 0; d < devices_.size(); ++d)
        if (devices_[d]) devices_[d]->run().own_walls = own_walls_[d];
}

/// Each device steps the boundary particles of its rows.
void SharedSteps::give_walls() {
    own_walls_.clear();
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        own_walls_.push_back(walls_in(shares_[d].rows));
        if (devices_[d]) devices_[d]->run().own_walls = own_walls_[d];
    }
}

/// Finds the boundary particles of each row: the same on all devices.
void SharedSteps::find_walls() {
    const RunArrays& run = first().run();
    const std::size_t rows = run.grid.rows();
    wall_first_.resize(rows + 1);
    first().select();
    wait_for(first().stream(), "cell list of the boundary");
    download_every(run.grid.nx, run.boundary_begin.data(), wall_first_);
}

void SharedSteps::begin_advance(double time_limit, long long step_limit) {
    for_each([&](DeviceShare& d) { cuda::begin_advance(d.control(), time_limit, step_limit, d.stream()); });
    taken_ = true;
}

/// A step uses the viscosity and the effective gravity of its begin; where these change in time, the host must know the
/// time.
void SharedSteps::set_pairs() {
    if (!has_pairs_in_time(setup_)) return;
    const double time = synchronise().front().time;
    const sph::Constants run = setup_.constants_at(time), pairs = pair_constants_at(setup_, time);
    for_each([&](DeviceShare& d) { d.queue().set_pairs(run, pairs); });
}

/// Whether some device's list of what comes and goes was nearly full when the last step began.
bool SharedSteps::wants_collection() const {
    const OpenBoundaries& open = first().queue().open();
    return open.any() && std::ranges::any_of(controls_, [&](const Control& c) { return open.wants_collection(c); });
}

bool SharedSteps::advance(const StepLimits& limits) {
    begin_advance(limits.time, limits.last_step);
    bool goes_on = true;
    do {
        set_pairs();
        take_step(*this, setup_.constants.integrator);
        goes_on = group_.all(taken_ && controls_.front().step + 1 < limits.last_step &&
                             std::chrono::steady_clock::now() < limits.end && !wants_collection() &&
                             std::ranges::all_of(controls_, [](const Control& c) { return c.excluded == 0; }));
    } while (goes_on);
    return taken_ && group_.any(wants_collection());
}

void SharedSteps::look(Look what) {
    if (what != Look::cells) set_pairs();
    begin_advance(std::numeric_limits<double>::infinity(), std::numeric_limits<long long>::max());
    if (what == Look::cells)
        build_to_look();
    else {
        build_cells();
        interact(sph::RatesPart::both, Absorbers::stay);
        if (what == Look::time_step) reduce_time_step();
    }
    for_each([](DeviceShare& d) { d.queue().keep_sorted(); });
    if (what != Look::cells || !ways_.has_lists) return;
    wait_for_all();
    copy_halos(&DeviceShare::stream, Levels::now);
}

const std::vector<Control>& SharedSteps::synchronise() {
    for_each([&](DeviceShare& d) { d.request_control(); });
    read_controls();
    group_.complete(controls_);
    return controls_;
}

void SharedSteps::read_controls() {
    for (std::size_t d = 0; d < devices_.size(); ++d)
        if (devices_[d]) controls_[d] = devices_[d]->wait_for_control();
    for (std::size_t d = 0; d < devices_.size(); ++d)
        if (!devices_[d]) {
            controls_[d] = controls_[group_.first()];
            controls_[d].excluded = controls_[d].passed = 0;
        }
}

/// Adds the fluid that is sent to a device.
void SharedSteps::add_sent(ShareCopies& copies, const ExchangePlan& plan, std::size_t to) const {
    std::uint32_t skip = 0;
    for (std::size_t from = 0; from < devices_.size(); ++from) {
        const std::uint32_t count = plan.sent[from][to];
        if (count == 0) continue;
        ParticleBuffer send_buffer, receive_buffer;
        if (devices_[from]) send_buffer = devices_[from]->exchange().send_buffer(to);
        if (devices_[to]) receive_buffer = devices_[to]->exchange().receive_buffer(controls_.front().newcomers, skip);
        copies.add_array(from, send_buffer.position, to, receive_buffer.position, count);
        copies.add_array(from, send_buffer.start, to, receive_buffer.start, count);
        copies.add_array(from, send_buffer.flow, to, receive_buffer.flow, count);
        copies.add_array(from, send_buffer.previous, to, receive_buffer.previous, count);
        copies.add_array(from, send_buffer.id, to, receive_buffer.id, count);
        copies.add_array(from, send_buffer.cell, to, receive_buffer.cell, count);
        skip += count;
    }
}

/// Throws NeedsRoom, on all processes, where some device has too little for an exchange.
void SharedSteps::require_room(const ExchangePlan& plan) const {
    std::uint64_t needed = 0;
    for (std::size_t d = 0; d < devices_.size(); ++d)
        if (devices_[d]) needed = std::max(needed, slots_for(plan, d, devices_[d]->run(), controls_.front().newcomers));
    needed = group_.largest(needed);
    needed += first().queue().open().most_created(); // by the next step
    // in the middle of a step the exchange cannot be repeated: cuts may come to lie in other rows then
    if (!mid_step_) needed += needed / 32 + 2 * (plan.fullest_row + share_grain);
    if (needed <= first().run().capacity) return;
    if (mid_step_)
        throw FoundByAll(RunError("GPUs: the flow has come together so fast that the halos find no room in the middle "
                                  "of a step: resume the run from its last checkpoint",
                                  Outcome::out_of_memory));
    throw NeedsRoom{needed};
}

/// Sends every particle to the devices that see its present cell; each device sorts what it holds.
void SharedSteps::exchange() {
    for_each([](DeviceShare& d) {
        d.exchange().count_rows(d.stream());
        d.request_control();
    });
    read_controls();
    if (!ways_.has_lists && !controls_.front().active) {
        taken_ = false;
        return;
    }
    if (!mid_step_) take_times();
    std::vector<std::vector<std::uint32_t>> counts(devices_.size());
    for (std::size_t d = 0; d < devices_.size(); ++d)
        if (devices_[d]) counts[d] = devices_[d]->exchange().counts();
    group_.complete(counts);
    const std::uint32_t newcomers = controls_.front().newcomers;
    const ExchangePlan plan = plan_exchange(counts, first().exchange().newcomers(), ways_.reach_rows, parts_);
    require_room(plan);
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (!devices_[d]) continue;
        devices_[d]->select();
        devices_[d]->exchange().pack(plan, d, devices_[d]->stream());
    }
    wait_for_all();
    ShareCopies copies = no_copies(&DeviceShare::stream);
    for (std::size_t to = 0; to < devices_.size(); ++to) {
        add_sent(copies, plan, to);
        // all devices sort moving walls, and so need all of them
        add_walls(copies, to, walls_move_ ? first().run().all_walls() : walls_in(plan.shares[to].seen), Levels::all);
    }
    copies.enqueue();
    wait_for_all(); // no device moves its particles before the others have read them
    if (walls_move_) {
        for_each([](DeviceShare& d) { d.queue().search().sort_walls(d.stream()); });
        find_walls();
    }
    shares_ = plan.shares;
    give_walls();
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (!devices_[d]) continue;
        DeviceShare& device = *devices_[d];
        device.select();
        device.exchange().sort(plan, d, newcomers, device.queue().search(), device.stream());
        device.run().own_rows = plan.shares[d].rows;
        device.queue().search().adopt_order(device.stream());
    }
}

/// Balances the shares by the time that the last interactions took.
void SharedSteps::take_times() {
    if (timed_ < timings_to_balance) return;
    group_.complete(seconds_);
    if (std::ranges::all_of(seconds_, [](double t) { return t > 0; })) parts_ = balanced(parts_, seconds_);
    std::ranges::fill(seconds_, 0.0);
    timed_ = 0;
}

/// How lists are checked before an interaction that begins afterwards.
void SharedSteps::check_lists() {
    for_each([](DeviceShare& d) { d.mark(); });
    for_each([this](DeviceShare& d) {
        begin(d.waiting(), d.stream());
        for (auto& other : devices_)
            if (other) d.wait_for(*other);
    });
    copy_halos(&DeviceShare::stream, Levels::interacting);
    for_each([this](DeviceShare& d) {
        end(d.waiting(), d.stream());
        d.queue().search().measure(d.stream());
        begin(d.waiting(), d.stream());
    });
    const AllMaxima maxima = all_reduce_.reduce();
    for_each([&](DeviceShare& d) {
        d.queue().search().decide(maxima, d.mail(), d.stream());
        d.await_control(d.stream());
        end(d.waiting(), d.stream());
    });
}

/// The interaction begins with the interior, which needs no halo, as if the lists were complete. Beside it all devices
/// copy halos, check the lists, and go on with the particles at the edges. If the lists are not complete, kernels that
/// begin later do nothing, and the results are not used.
void SharedSteps::interact_from_inside() {
    for (std::size_t n = 0; n < devices_.size(); ++n) {
        if (!devices_[n]) continue;
        DeviceShare& d = *devices_[n];
        d.select();
        d.mark();
        const Range inside = numbers_in_own(shares_[n].interior, n);
        begin(d.work(), d.stream());
        d.queue().interact_fluid({inside, {inside.end, inside.end}}, d.stream());
        begin(d.waiting(), d.stream());
    }
    for_each([this](DeviceShare& d) {
        for (auto& other : devices_)
            if (other) d.wait_beside_for(*other);
    });
    copy_halos(&DeviceShare::beside, Levels::interacting);
    for (std::size_t n = 0; n < devices_.size(); ++n) {
        if (!devices_[n]) continue;
        DeviceShare& d = *devices_[n];
        d.select();
        d.let_wait(d.edges(), d.beside());
        end(d.waiting(), d.edges());
        const Range inside = numbers_in_own(shares_[n].interior, n);
        d.queue().interact_fluid({{0, inside.begin}, {inside.end, size_of(shares_[n].own)}}, d.edges());
        d.let_wait(d.stream(), d.edges());
        end(d.work(), d.stream());
        d.queue().search().measure(d.beside());
    }
    const AllMaxima maxima = all_reduce_.reduce(&ReducedDevice::beside);
    for_each([&](DeviceShare& d) {
        d.queue().search().decide(maxima, d.mail(), d.beside());
        d.await_control(d.beside());
        d.queue().interact_boundary(d.beside());
        begin(d.waiting(), d.stream());
        d.let_wait(d.stream(), d.beside());
        end(d.waiting(), d.stream());
        d.queue().begin_reactions(d.stream());
    });
}

/// A range of fluid that a device steps, counted from its first.
Range SharedSteps::numbers_in_own(const Range& fluid, std::size_t device) const {
    const std::uint32_t first = shares_[device].own.begin;
    return {fluid.begin - first, fluid.end - first};
}

/// Renews the lists if that was decided. Returns whether they were renewed.
bool SharedSteps::renew_if_decided() {
    read_controls();
    taken_ = controls_.front().active || controls_.front().paused;
    if (!controls_.front().paused) return false;
    exchange();
    for_each([](DeviceShare& d) { end_pause(d.control(), d.stream()); });
    return true;
}

void SharedSteps::build_cells() {
    if (!taken_) return;
    begin_timing();
    if (!ways_.has_lists) return exchange();
    if (!begins_inside_) check_lists(); // else they are checked beside the interaction
}

void SharedSteps::interact(sph::RatesPart part, Absorbers absorbers) {
    if (!taken_) return;
    const auto enqueue = [&](bool from_inside) {
        from_inside_ = from_inside;
        for_each([part](DeviceShare& d) { d.queue().begin_interaction(part); });
        find_rates(*this, part, absorbers);
    };
    // with lists that must be renewed it does nothing, or its results are not used
    enqueue(begins_inside_);
    if (ways_.has_lists && renew_if_decided()) enqueue(false);
}

/// Cells of the present state, without an interaction.
void SharedSteps::build_to_look() {
    is_timed_ = false;
    if (!ways_.has_lists) return exchange();
    check_lists();
    renew_if_decided();
}

/// Times one of every few interactions, and takes the time of the last one timed.
void SharedSteps::begin_timing() {
    is_timed_ = interactions_++ % interactions_a_timing == 0;
    if (!is_timed_) return;
    ++timings_;
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        if (!devices_[d]) continue;
        seconds_[d] += devices_[d]->work().take();
        waited_[d] += devices_[d]->waiting().take();
    }
    ++timed_;
}

std::vector<double> SharedSteps::seconds_waited() const {
    std::vector<double> all;
    for (const double timed : waited_)
        all.push_back(timings_ < 2 ? 0 : timed / double(timings_ - 1) * double(interactions_));
    return all;
}

void SharedSteps::begin(EventTimer& timer, cudaStream_t stream) const {
    if (is_timed_) timer.begin(stream);
}

void SharedSteps::end(EventTimer& timer, cudaStream_t stream) const {
    if (is_timed_) timer.end(stream);
}

/// All-reduces what limits the time step.
AllMaxima SharedSteps::all_reduce_limits() {
    for_each([this](DeviceShare& d) { begin(d.waiting(), d.stream()); });
    const AllMaxima maxima = all_reduce_.reduce();
    for_each([this](DeviceShare& d) { end(d.waiting(), d.stream()); });
    return maxima;
}

void SharedSteps::reduce_time_step() {
    if (!taken_) return;
    const AllMaxima maxima = all_reduce_limits();
    for_each([&](DeviceShare& d) { d.queue().reduce_time_step(maxima); });
}

void SharedSteps::reduce_corrector_limit() {
    if (!taken_) return;
    const AllMaxima maxima = all_reduce_limits();
    for_each([&](DeviceShare& d) { d.queue().reduce_corrector_limit(maxima); });
}

void SharedSteps::move_bodies(Stage stage) {
    if (taken_) for_each([stage](DeviceShare& d) { d.queue().move_bodies(stage); });
}

void SharedSteps::integrate_particles(Stage stage) {
    if (taken_) for_each([stage](DeviceShare& d) { d.queue().integrate_particles(stage); });
    mid_step_ = part_of_step(stage) < 1;
}

void SharedSteps::place_boundary(Stage stage) {
    if (taken_) for_each([stage](DeviceShare& d) { d.queue().place_boundary(stage); });
}

void SharedSteps::relax() {
    if (taken_) for_each([](DeviceShare& d) { d.queue().relax(); });
}

} // namespace sluice::cuda
