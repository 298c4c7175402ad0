// SPDX-License-Identifier: Apache-2.0
#include "cuda/shared_steps.h"

#include "core/error.h"
#include "cuda/wave_absorption.h"
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace sluice::cuda {

namespace {

std::vector<Voter> voters_of(const std::vector<std::unique_ptr<DeviceShare>>& devices) {
    std::vector<Voter> voters;
    for (const auto& d : devices) voters.push_back({d->device(), d->control(), d->stream(), d->beside()});
    return voters;
}

template <class T>
void copy_array(const DeviceShare& from, const T* source, const DeviceShare& to, T* target, std::size_t count) {
    if (source) copy_between(from.device(), source, to.device(), target, count * sizeof(T), to.stream());
}

constexpr int timings_to_balance = 4;
constexpr std::int64_t interactions_a_timing = 4; ///< of which one is timed: events take a little time themselves

} // namespace

/// With lists, particles may have gone as far as the next cell before they are renewed. The order of the rows goes
/// along z last: where images lie beyond a face of z, every device sees all.
/// Particles of open boundaries take what is around their ghost nodes.
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

SharedSteps::SharedSteps(std::vector<std::unique_ptr<DeviceShare>>& devices, const SharedWays& ways)
    : devices_(devices), ways_(ways), begins_inside_(ways.begins_inside && devices.front()->queue().may_begin_inside()),
      votes_(voters_of(devices)), walls_move_(devices.front()->run().walls_move), seconds_(devices.size()),
      waited_(devices.size()), controls_(devices.size()) {}

template <class Use>
void SharedSteps::for_each(Use&& use) {
    for (auto& device : devices_) {
        device->select();
        use(*device);
    }
}

void SharedSteps::adopt(const std::vector<Share>& shares, std::vector<double> parts, bool walls_are_sorted) {
    shares_ = shares;
    parts_ = std::move(parts);
    for (std::size_t d = 0; d < devices_.size(); ++d) devices_[d]->run().own_rows = shares_[d].rows;
    if (walls_are_sorted) {
        find_walls();
        for (std::size_t d = 0; d < devices_.size(); ++d) devices_[d]->run().own_walls = walls_in(shares_[d].rows);
        return;
    }
    const RunArrays& run = devices_.front()->run();
    wall_first_.assign(std::size_t(run.grid.rows()) + 1, 0);
    for (auto& device : devices_) device->run().own_walls = {0, device == devices_.front() ? run.boundary_count : 0};
}

/// Which boundary particles each row has: the same on all devices.
void SharedSteps::find_walls() {
    const RunArrays& run = devices_.front()->run();
    const std::size_t rows = run.grid.rows();
    wall_first_.resize(rows + 1);
    devices_.front()->select();
    check(cudaStreamSynchronize(devices_.front()->stream()), "cell list of the boundary");
    check(cudaMemcpy2D(wall_first_.data(), sizeof(std::uint32_t), run.boundary_begin.data(),
                       sizeof(std::uint32_t) * std::size_t(run.grid.nx), sizeof(std::uint32_t), rows + 1,
                       cudaMemcpyDeviceToHost),
          "cell list of the boundary");
}

std::vector<HaloCopies> SharedSteps::no_copies() const {
    std::vector<HaloCopies> copies;
    for (const auto& device : devices_) copies.emplace_back(*device, ways_.all_connected);
    return copies;
}

void SharedSteps::begin_advance(double time_limit, long long step_limit) {
    for_each([&](DeviceShare& d) { cuda::begin_advance(d.control(), time_limit, step_limit, d.stream()); });
    taken_ = true;
}

const std::vector<Control>& SharedSteps::settle() {
    for_each([&](DeviceShare& d) { d.request_control(); });
    read_controls();
    return controls_;
}

void SharedSteps::read_controls() {
    for (std::size_t d = 0; d < devices_.size(); ++d) controls_[d] = devices_[d]->wait_for_control();
}

/// Those of the boundary particles `seen` by `to` that others step; `all_levels`: to step them itself.
void SharedSteps::add_walls(HaloCopies& copies, std::size_t to, const Range& seen, bool all_levels) {
    const ParticleArrays& target = devices_[to]->queue().state();
    for (std::size_t from = 0; from < devices_.size(); ++from) {
        if (from == to) continue;
        const Range walls = common_part(devices_[from]->run().own_walls, seen);
        const ParticleArrays& source = devices_[from]->queue().state();
        const auto add = [&](const auto* array, auto* into) {
            copies.add(*devices_[from], array + walls.begin, into + walls.begin, size_of(walls));
        };
        add(source.position, target.position);
        add(source.flow, target.flow);
        if (all_levels) add(source.previous, target.previous);
    }
}

/// All streams go on once all have come as far as now.
void SharedSteps::wait_for_all() {
    for_each([](DeviceShare& d) { d.mark(); });
    for_each([this](DeviceShare& device) {
        for (auto& other : devices_) device.wait_for(*other);
    });
}

/// Calls `use(receiver, sender, to, from)` for every two devices, the receiver being the current one, whose stream goes
/// on once the sender has come as far as now.
template <class Use>
void SharedSteps::tell_others(Use&& use) {
    for_each([](DeviceShare& d) { d.mark(); });
    for (std::size_t to = 0; to < devices_.size(); ++to) {
        devices_[to]->select();
        for (std::size_t from = 0; from < devices_.size(); ++from) {
            if (from == to) continue;
            devices_[to]->wait_for(*devices_[from]);
            use(*devices_[to], *devices_[from], to, from);
        }
    }
}

/// Adds copies of what `to` holds of the fluid that `from` steps. `arrays`: of a device, those to be copied.
template <class Arrays>
void SharedSteps::add_fluid(HaloCopies& copies, std::size_t to, std::size_t from, Arrays&& arrays) {
    DeviceShare &receiver = *devices_[to], &sender = *devices_[from];
    const Range &own = shares_[from].own, &held = shares_[to].held;
    const Range part = common_part(own, held);
    const std::uint32_t source_slot = sender.run().own_first + (part.begin - own.begin),
                        target_slot = receiver.run().fluid_first + (part.begin - held.begin);
    const auto sources = arrays(sender), targets = arrays(receiver);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (copies.add(sender, std::get<I>(sources) + source_slot, std::get<I>(targets) + target_slot, size_of(part)),
         ...);
    }
    (std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(sources)>>>());
}

/// Copies what all hold of the fluid that others step.
template <class Arrays>
void SharedSteps::copy_fluid(Arrays&& arrays) {
    std::vector<HaloCopies> copies = no_copies();
    tell_others(
        [&](DeviceShare&, DeviceShare&, std::size_t to, std::size_t from) { add_fluid(copies[to], to, from, arrays); });
    for (std::size_t to = 0; to < devices_.size(); ++to) {
        devices_[to]->select();
        copies[to].enqueue(devices_[to]->stream());
    }
}

/// Copies what all hold of the particles that others step, on streams that have come as far as those are.
void SharedSteps::copy_halos(cudaStream_t (DeviceShare::*stream)() const) {
    for (std::size_t to = 0; to < devices_.size(); ++to) {
        DeviceShare& receiver = *devices_[to];
        HaloCopies copies(receiver, ways_.all_connected);
        for (std::size_t from = 0; from < devices_.size(); ++from)
            if (from != to)
                add_fluid(copies, to, from,
                          [](DeviceShare& d) { return std::pair(d.queue().state().position, d.queue().state().flow); });
        receiver.select();
        add_walls(copies, to, walls_in(shares_[to].seen), false);
        copies.enqueue((receiver.*stream)());
    }
}

void SharedSteps::receive(const ExchangePlan& plan, std::size_t to) {
    DeviceShare& receiver = *devices_[to];
    std::uint32_t skip = 0;
    for (std::size_t from = 0; from < devices_.size(); ++from) {
        const std::uint32_t count = plan.sent[from][to];
        if (count == 0) continue;
        DeviceShare& sender = *devices_[from];
        const ParcelArrays parcel = sender.exchange().parcel(to),
                           inbox = receiver.exchange().inbox(controls_.front().newcomers, skip);
        copy_array(sender, parcel.position, receiver, inbox.position, count);
        copy_array(sender, parcel.start, receiver, inbox.start, count);
        copy_array(sender, parcel.flow, receiver, inbox.flow, count);
        copy_array(sender, parcel.previous, receiver, inbox.previous, count);
        copy_array(sender, parcel.id, receiver, inbox.id, count);
        copy_array(sender, parcel.cell, receiver, inbox.cell, count);
        skip += count;
    }
}

/// Every particle goes to those who see the cell that it is in now, and all sort what they hold.
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
    std::vector<std::vector<std::uint32_t>> counts;
    for (auto& d : devices_) counts.push_back(d->exchange().counts());
    const std::uint32_t newcomers = controls_.front().newcomers;
    const ExchangePlan plan = plan_exchange(counts, devices_.front()->exchange().newcomers(), ways_.reach_rows, parts_);
    std::uint64_t needed = 0;
    for (std::size_t d = 0; d < devices_.size(); ++d)
        needed = std::max(needed, slots_for(plan, d, devices_[d]->run(), newcomers));
    needed += devices_.front()->queue().open().most_created(); // by the next step
    // in the middle of a step nothing could be made of too little: cuts may come to lie in other rows then
    if (!mid_step_) needed += needed / 32 + 2 * (plan.fullest_row + share_grain);
    if (needed > devices_.front()->run().capacity) {
        if (mid_step_)
            throw RunError(
                "GPUs: the flow has come together so fast that the halos find no room in the middle of a step: "
                "resume the run from its last checkpoint",
                Outcome::out_of_memory);
        throw NeedsRoom{needed};
    }
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        devices_[d]->select();
        devices_[d]->exchange().pack(plan, d, devices_[d]->stream());
        devices_[d]->mark();
    }
    for (std::size_t to = 0; to < devices_.size(); ++to) {
        devices_[to]->select();
        for (auto& from : devices_) devices_[to]->wait_for(*from);
        receive(plan, to);
        // walls that move are sorted by all devices, who then must have them all
        HaloCopies copies(*devices_[to], ways_.all_connected);
        add_walls(copies, to, walls_move_ ? devices_[to]->run().all_walls() : walls_in(plan.shares[to].seen), true);
        copies.enqueue(devices_[to]->stream());
    }
    wait_for_all(); // who has been read may move its particles
    if (walls_move_) {
        for_each([](DeviceShare& d) { d.queue().search().sort_walls(d.stream()); });
        find_walls();
    }
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        DeviceShare& device = *devices_[d];
        device.select();
        device.exchange().sort(plan, d, newcomers, device.queue().search(), device.stream());
        device.run().own_walls = walls_in(plan.shares[d].rows);
        device.run().own_rows = plan.shares[d].rows;
        device.queue().search().adopt_order(device.stream());
    }
    shares_ = plan.shares;
}

/// What the last interactions took says how the next are to be shared out.
void SharedSteps::take_times() {
    if (timed_ < timings_to_balance) return;
    if (std::ranges::all_of(seconds_, [](double s) { return s > 0; })) parts_ = balanced(parts_, seconds_);
    std::ranges::fill(seconds_, 0.0);
    timed_ = 0;
}

void SharedSteps::share_gauges() {
    const RigidView& first = devices_.front()->queue().rigid().view();
    if (first.absorber_count == 0) return;
    const std::size_t points = std::size_t(first.absorber_count) * std::size_t(first.most_check_points);
    for_each([](DeviceShare& d) { d.queue().look_at_gauges(); });
    tell_others([&](DeviceShare& to, DeviceShare& from, std::size_t, std::size_t) {
        PeerReader reader(to, ways_.all_connected, points * sizeof(double));
        const double* fractions = reader.read(from, from.queue().rigid().view().fractions, points);
        take_fractions(to.queue().interaction_args(), to.queue().rigid().view(), {from.run().own_rows, fractions},
                       to.stream());
    });
    for_each([](DeviceShare& d) { d.queue().move_absorbers(); });
}

void SharedSteps::share_surfaces() {
    if (!devices_.front()->queue().open().any()) return;
    const OpenView& first = devices_.front()->queue().open().view();
    for_each([](DeviceShare& d) { d.queue().look_at_surfaces(); });
    const std::size_t points = std::size_t(first.finding_count) * std::size_t(first.most_check_points);
    if (points > 0)
        tell_others([&](DeviceShare& to, DeviceShare& from, std::size_t, std::size_t) {
            PeerReader reader(to, ways_.all_connected, points * sizeof(double));
            const double* fractions = reader.read(from, from.queue().open().view().fractions, points);
            take_surface_fractions(to.queue().interaction_args(), to.queue().open().view(),
                                   {from.run().own_rows, fractions}, to.stream());
        });
    for_each([](DeviceShare& d) { d.queue().impose_flow(); });
    copy_fluid(
        [](DeviceShare& d) { return std::pair(d.queue().places().sorted.position, d.queue().places().sorted.flow); });
    wait_for_all(); // what has been copied may change again
}

void SharedSteps::share_walls() {
    if (!devices_.front()->queue().walls().any()) return;
    const std::size_t walls = devices_.front()->run().boundary_count;
    tell_others([&](DeviceShare& to, DeviceShare& from, std::size_t receiver, std::size_t) {
        PeerReader reader(to, ways_.all_connected, walls * sizeof(Flow));
        const Flow* flow = reader.read(from, from.queue().places().sorted.flow, walls);
        to.queue().take_walls({walls_in(shares_[receiver].seen), from.run().own_rows, flow});
    });
}

void SharedSteps::share_stresses() {
    if (!devices_.front()->queue().stress().any()) return;
    copy_fluid([](DeviceShare& d) {
        const StressArrays arrays = d.queue().stress().arrays();
        const std::uint32_t first = d.run().boundary_count;
        return std::pair(arrays.stress - first, arrays.rest - first);
    });
}

void SharedSteps::share_shifts() {
    if (!devices_.front()->queue().shifts().density_follows()) return;
    copy_fluid([](DeviceShare& d) { return std::tuple(d.queue().shifts().data() - d.run().boundary_count); });
}

void SharedSteps::share_reactions() {
    const RigidView& first = devices_.front()->queue().rigid().view();
    if (first.body_count == 0) return;
    tell_others([&](DeviceShare& to, DeviceShare& from, std::size_t, std::size_t) {
        const RigidView& found = from.queue().rigid().view();
        PeerReader reader(to, ways_.all_connected, first.particles * (sizeof(Vec3f) + sizeof(ContactForce)) + 16);
        const Vec3f* acceleration = reader.read(from, found.acceleration, first.particles);
        const ContactForce* contact = reader.read(from, found.contact, first.particles);
        take_reactions(to.queue().interaction_args(), to.queue().places().sorted.id, to.queue().rigid().view(),
                       {from.run().own_walls, acceleration, contact}, to.stream());
    });
}

void SharedSteps::enqueue_interaction() {
    for_each([](DeviceShare& d) { cuda::begin_interaction(d.control(), d.stream()); });
    if (gauges_are_due_) share_gauges();
    share_surfaces();
    for_each([](DeviceShare& d) { d.queue().extrapolate_to_walls(); });
    share_walls();
    for_each([](DeviceShare& d) { d.queue().find_stresses(); });
    share_stresses();
    for_each([&](DeviceShare& d) {
        begin(d.work(), d.stream());
        d.queue().interact_pairs();
        end(d.work(), d.stream());
    });
    share_reactions();
    for_each([](DeviceShare& d) { d.queue().sum_loads(); });
}

/// How lists are checked before an interaction that begins afterwards.
void SharedSteps::check_lists() {
    for_each([](DeviceShare& d) { d.mark(); });
    for_each([this](DeviceShare& d) {
        begin(d.waiting(), d.stream());
        for (auto& other : devices_) d.wait_for(*other);
    });
    copy_halos(&DeviceShare::stream);
    for_each([this](DeviceShare& d) {
        end(d.waiting(), d.stream());
        d.queue().search().measure(d.stream());
        begin(d.waiting(), d.stream());
    });
    const Ballot ballot = votes_.cast();
    for_each([&](DeviceShare& d) {
        d.queue().search().decide(ballot, d.mail(), d.stream());
        d.await_control(d.stream());
        end(d.waiting(), d.stream());
    });
}

/// The interaction begins with the interior, which needs nothing of what others step, as if the lists held; beside it
/// all copy what they see of others, go on with what lies at the edges, and decide about the lists. If those do not
/// hold, what is not done by then does nothing, and what is done counts for nothing.
void SharedSteps::interact_from_inside() {
    for (std::size_t n = 0; n < devices_.size(); ++n) {
        DeviceShare& d = *devices_[n];
        d.select();
        cuda::begin_interaction(d.control(), d.stream());
        d.mark();
        const Range inside = numbers_in_own(shares_[n].interior, n);
        begin(d.work(), d.stream());
        d.queue().interact_fluid({inside, {inside.end, inside.end}}, d.stream());
        begin(d.waiting(), d.stream());
    }
    for_each([this](DeviceShare& d) {
        for (auto& other : devices_) d.wait_beside_for(*other);
    });
    copy_halos(&DeviceShare::beside);
    for (std::size_t n = 0; n < devices_.size(); ++n) {
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
    const Ballot ballot = votes_.cast(&Voter::beside);
    for_each([&](DeviceShare& d) {
        d.queue().search().decide(ballot, d.mail(), d.beside());
        d.await_control(d.beside());
        d.queue().interact_boundary(d.beside());
        begin(d.waiting(), d.stream());
        d.let_wait(d.stream(), d.beside());
        end(d.waiting(), d.stream());
        d.queue().react(d.stream());
    });
    share_reactions();
    for_each([](DeviceShare& d) { d.queue().sum_loads(); });
}

/// A range of fluid that a device steps, counted from its first.
Range SharedSteps::numbers_in_own(const Range& fluid, std::size_t device) const {
    const std::uint32_t first = shares_[device].own.begin;
    return {fluid.begin - first, fluid.end - first};
}

/// Once the decision is known. Returns whether the lists were renewed.
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

void SharedSteps::interact() {
    if (!taken_) return;
    // with lists it does nothing, or nothing that counts, where they have to be renewed
    begins_inside_ ? interact_from_inside() : enqueue_interaction();
    if (ways_.has_lists && renew_if_decided()) enqueue_interaction();
    gauges_are_due_ = false;
}

void SharedSteps::build_to_look() {
    is_timed_ = false;
    if (!ways_.has_lists) return exchange();
    check_lists();
    renew_if_decided();
}

/// Every so many interactions one is timed; what the last one took counts now.
void SharedSteps::begin_timing() {
    is_timed_ = interactions_++ % interactions_a_timing == 0;
    if (!is_timed_) return;
    ++timings_;
    for (std::size_t d = 0; d < devices_.size(); ++d) {
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

void SharedSteps::agree_on_limits() {
    for_each([this](DeviceShare& d) { begin(d.waiting(), d.stream()); });
    votes_.agree_on_limits();
    for_each([this](DeviceShare& d) { end(d.waiting(), d.stream()); });
}

void SharedSteps::reduce_time_step() {
    if (!taken_) return;
    agree_on_limits();
    for_each([](DeviceShare& d) { d.queue().reduce_time_step(); });
}

void SharedSteps::reduce_corrector_limit() {
    if (!taken_) return;
    agree_on_limits();
    for_each([](DeviceShare& d) { d.queue().reduce_corrector_limit(); });
}

void SharedSteps::shift() {
    if (!taken_) return;
    for_each([](DeviceShare& d) { d.queue().find_shifts(); });
    share_shifts();
    for_each([](DeviceShare& d) { d.queue().follow_shifts(); });
}

void SharedSteps::integrate_verlet() {
    if (taken_) for_each([](DeviceShare& d) { d.queue().integrate_verlet(); });
}

void SharedSteps::integrate_predictor() {
    if (taken_) for_each([](DeviceShare& d) { d.queue().integrate_predictor(); });
    mid_step_ = true;
}

void SharedSteps::integrate_corrector() {
    if (taken_) for_each([](DeviceShare& d) { d.queue().integrate_corrector(); });
    mid_step_ = false;
}

void SharedSteps::relax() {
    if (taken_) for_each([](DeviceShare& d) { d.queue().relax(); });
}

void SharedSteps::finish_step() {
    if (!taken_) return;
    if (!devices_.front()->queue().open().any()) return for_each([](DeviceShare& d) { d.queue().finish_step(); });
    const auto columns = static_cast<std::size_t>(devices_.front()->queue().open().view().point_count);
    for_each([](DeviceShare& d) { d.queue().take_stock(); });
    tell_others([&](DeviceShare& to, DeviceShare& from, std::size_t, std::size_t) {
        PeerReader reader(to, ways_.all_connected, columns * 12 + 32);
        const ColumnArrays& found = from.queue().open().view().columns;
        const unsigned long long* deepest = reader.read(from, found.deepest, columns);
        const std::uint32_t* entered = reader.read(from, found.entered, columns);
        join_stock(to.control(), to.queue().open().view(), deepest, entered, to.stream());
    });
    for_each([](DeviceShare& d) { d.queue().find_ends(); });
    tell_others([&](DeviceShare& to, DeviceShare& from, std::size_t, std::size_t) {
        PeerReader reader(to, ways_.all_connected, columns * sizeof(ColumnEnd));
        const ColumnEnd* ends = reader.read(from, from.queue().open().view().columns.own_end, columns);
        join_ends(to.control(), to.queue().open().view(), ends, to.stream());
    });
    for_each([](DeviceShare& d) { d.queue().create_particles(); });
}

void SharedSteps::keep_sorted() {
    for_each([](DeviceShare& d) { d.queue().keep_sorted(); });
}

} // namespace sluice::cuda
