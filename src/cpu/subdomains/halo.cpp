// SPDX-License-Identifier: Apache-2.0
#include "cpu/subdomains/halo.h"

#include "cpu/subdomains/row_work.h"

#include <cstring>

namespace sluice::cpu {

Halo::Halo(Space& space, const ThreadCount& threads, Transport* transport, const Split& split, bool looks_back)
    : space_(space), threads_(threads), transport_(transport), looks_back_(looks_back),
      rank_(transport ? transport->rank() : 0), ranks_(transport ? transport->count() : 1),
      split_(split, space, ranks_), links_(static_cast<std::size_t>(ranks_)), arrived_(links_.size()) {
    adopt(split_.owners(std::vector<std::uint64_t>(space.row_count(), 1)));
}

/// Sets the owners of the rows.
void Halo::adopt(std::vector<RankNumber> owners) {
    owners_ = std::move(owners);
    map_ = split_.map(owners_);
    if (!alone()) own_rows_ = map_.own_rows(rank_);
    const IndexRange rows = map_.longest_unseen(rank_);
    unseen_ = {rows.begin * space_.cells_a_row(), rows.end * space_.cells_a_row()};
    walk(seen());
}

/// The rank's own ones among the rows of the box are found once.
void Halo::walk(const CellBox& box) {
    space_.walk(box, nullptr);
    if (alone()) return;
    const Rows& rows = space_.rows;
    own_walked_.clear();
    for (int z = 0; z < rows.count_z; ++z)
        for (int y = 0; y < rows.count_y; ++y) own_walked_.push_back(own_rows_[space_.whole_row(y, z)]);
    space_.rows.own = own_walked_.data();
}

void Halo::cut(std::uint32_t first, const std::vector<std::uint64_t>& work) {
    if (!alone()) adopt(split_.owners(all_work(*transport_, space_.row_count(), first, work)));
}

bool Halo::balance(const InteractionView& view) {
    if (alone() || !split_.follows_work()) return false;
    constexpr double worth_it = 1.03;
    const std::vector<std::uint64_t> work = all_work(*transport_, space_.row_count(), 0, work_of_whole_grid(view));
    std::vector<RankNumber> better = split_.owners(work);
    if (double(split_.greatest_share(work, owners_)) <= worth_it * double(split_.greatest_share(work, better)))
        return false;
    adopt(std::move(better));
    return true;
}

/// The work of this rank's rows, in an array of all rows.
std::vector<std::uint64_t> Halo::work_of_whole_grid(const InteractionView& view) const {
    const std::vector<std::uint64_t> walked = work_of_rows(view);
    std::vector<std::uint64_t> work(space_.row_count());
    auto row = walked.begin();
    for (int z = 0; z < view.rows.count_z; ++z)
        for (int y = 0; y < view.rows.count_y; ++y) work[space_.whole_row(y, z)] = *row++;
    return work;
}

template <class Use>
void Halo::for_each_observer(std::uint32_t key, const Use& use) const {
    map_.for_each_observer(space_.row_of(key), use);
}

/// Gives a particle the key that its sort wants, and finds the other ranks that see it.
void Halo::place_own(SortedGroup& group, std::uint32_t i, std::vector<Departure>& leaving) const {
    std::uint32_t& key = group.state.key[i];
    const std::uint32_t dropped = space_.no_cell(), whole = key;
    const Vec3d& position = group.state.position[i];
    const bool is_periodic = space_.period.any();
    if (whole == space_.no_cell() || (is_periodic && space_.is_image(position))) {
        key = dropped;
        return;
    }
    if (!unseen_.has(whole)) {
        key = dropped;
        const int owner = map_.owner(space_.row_of(whole));
        for_each_observer(whole, [&](int rank) {
            if (rank == rank_)
                key = whole;
            else
                leaving.push_back({i, whole, rank, rank == owner, position});
        });
    }
    if (!is_periodic) return;
    space_.period.for_each_image(position, space_.size, space_.image_reach(), [&](const Vec3d& image) {
        const std::int64_t cell = space_.image_key(image);
        if (cell < 0) return;
        for_each_observer(static_cast<std::uint32_t>(cell), [&](int rank) {
            leaving.push_back({i, static_cast<std::uint32_t>(cell), rank, false, image});
        });
    });
}

/// Finds the particles and ghosts of a group that are sent, rank by rank in the order of the particles; images are sent
/// to this rank itself.
void Halo::find_departures(SortedGroup& group, std::vector<std::vector<Departure>>& departures) {
    // each thread a part of the particles, one after the other
    const int parts = threads_.now();
    const std::uint32_t total = group.own_count();
    const IndexRange quick = space_.period.any() ? IndexRange() : unseen_; // most are where no one else looks
    found_.resize(static_cast<std::size_t>(parts));
#pragma omp parallel for schedule(static, 1) num_threads(parts)
    for (int part = 0; part < parts; ++part) {
        const auto bound = [&](int p) { return static_cast<std::uint32_t>(std::uint64_t(total) * p / parts); };
        found_[part].clear();
        std::uint32_t* const key = group.state.key.data();
        std::uint32_t before = 0; // particles in the runs so far
        for (const OwnRun& run : group.own) {
            const std::uint32_t count = run.end - run.begin;
            const std::uint32_t from = std::clamp(bound(part), before, before + count) - before,
                                to = std::clamp(bound(part + 1), before, before + count) - before;
            before += count;
            for (std::uint32_t i = run.begin + from, end = run.begin + to; i < end; ++i)
                if (!quick.has(key[i])) place_own(group, i, found_[part]);
        }
    }
    departures.resize(static_cast<std::size_t>(ranks_));
    for (auto& of_rank : departures) of_rank.clear();
    for (const auto& part : found_)
        for (const Departure& d : part) departures[static_cast<std::size_t>(d.rank)].push_back(d);
}

void Halo::put_previous(MessageWriter& message, const GroupState& state, std::uint32_t i) const {
    if (looks_back_) message.put(state.flow_previous[i]);
}

void Halo::get_previous(MessageReader& message, GroupState& state, std::uint32_t ghost) const {
    if (looks_back_) state.flow_previous[ghost] = message.get<Flow>();
}

/// Counts them by runs of rows, in the order of the particles. Runs that no particle leaves are left out.
std::vector<Halo::Leaving> Halo::count_leaving(const SortedGroup& group, const std::vector<Departure>& departures) {
    std::vector<Leaving> counts;
    auto run = group.own.begin();
    for (const Departure& d : departures) {
        while (d.particle >= run->end) ++run;
        if (counts.empty() || counts.back().row != run->row) counts.push_back({run->row, 0, 0});
        ++(d.stays_there ? counts.back().staying : counts.back().ghosts);
    }
    return counts;
}

void Halo::pack(const SortedGroup& group, const std::vector<std::vector<Departure>>& departures,
                std::vector<MessageWriter>& messages) const {
    const GroupState& state = group.state;
    for (std::size_t r = 0; r < messages.size(); ++r) {
        if (r == self()) continue;
        MessageWriter& message = messages[r];
        message.put_all(count_leaving(group, departures[r]));
        for (const bool stays : {true, false})
            for (const Departure& d : departures[r]) {
                if (d.stays_there != stays) continue;
                const std::uint32_t i = d.particle;
                message.put(Traveller{state.flow[i], d.position, state.id[i], d.key});
                if (!stays) {
                    put_previous(message, state, i);
                    continue;
                }
                message.put(state.flow_previous[i]);
                if (group.with_start()) message.put(state.position_start[i]);
            }
    }
}

void Halo::add_images(SortedGroup& group, const std::vector<Departure>& images, std::uint32_t at) const {
    GroupState& state = group.state;
    for (const Departure& image : images) {
        const std::uint32_t i = image.particle;
        state.id[at] = state.id[i];
        state.key[at] = image.key;
        state.position[at] = image.position;
        if (group.with_start()) state.position_start[at] = image.position;
        state.flow[at] = state.flow[i];
        state.flow_previous[at] = state.flow_previous[i];
        ++at;
    }
}

void Halo::unpack(SortedGroup& group, const std::vector<Departure>& images, std::vector<MessageReader>& messages) {
    std::vector<std::vector<Leaving>> arrivals(messages.size());
    const std::vector<Departure> newcomers = newcomers_seen(group);
    std::size_t total = std::size_t(group.own_end()) + newcomers.size();
    for (std::size_t r = 0; r < messages.size(); ++r) {
        arrivals[r] = r == self() ? count_leaving(group, images) : messages[r].get_all<Leaving>();
        for (const Leaving& counts : arrivals[r]) total += std::size_t(counts.staying) + counts.ghosts;
    }
    group.make_room(total);
    std::vector<Part> parts;
    for (const OwnRun& run : group.own) parts.push_back({run.row, {run.begin, run.end}});
    std::uint32_t at = group.own_end();
    for (std::size_t r = 0; r < messages.size(); ++r) {
        const std::uint32_t ghosts = add_parts(parts, arrivals[r], &Leaving::staying, at),
                            end = add_parts(parts, arrivals[r], &Leaving::ghosts, ghosts);
        arrived_[r] = {ghosts, end};
        if (r == self()) {
            add_images(group, images, at);
            at = end;
        }
        while (at < ghosts) add_arrival(group, at++, true, messages[r]);
        while (at < end) add_arrival(group, at++, false, messages[r]);
    }
    add_newcomers(group, newcomers, at);
    group.count = at + static_cast<std::uint32_t>(newcomers.size()); // at most, until the sort
    set_parts(group, std::move(parts), {at, group.count});
}

/// Particles of a message, or of this rank, that lie from `at` on; returns where they end.
std::uint32_t Halo::add_parts(std::vector<Part>& parts, const std::vector<Leaving>& counts,
                              std::uint32_t Leaving::*which, std::uint32_t at) {
    for (const Leaving& of_run : counts) {
        if (of_run.*which > 0) parts.push_back({of_run.row, {at, at + of_run.*which}});
        at += of_run.*which;
    }
    return at;
}

/// Orders the parts by the rows that they come from. Particles and ghosts of one run of rows are in different cells.
void Halo::set_parts(SortedGroup& group, std::vector<Part> parts, const IndexRange& newcomers) {
    std::ranges::stable_sort(parts, {}, &Part::row);
    std::vector<IndexRange> ranges;
    ranges.reserve(parts.size() + 1);
    for (const Part& part : parts) ranges.push_back(part.range);
    if (newcomers.count() > 0) ranges.push_back(newcomers);
    group.set_parts(std::move(ranges));
}

/// Finds the newcomers of a group, and images of them, that this rank sees; none outside the domain.
std::vector<Halo::Departure> Halo::newcomers_seen(const SortedGroup& group) const {
    std::vector<Departure> seen;
    for (std::uint32_t k = 0; k < group.newcomers.size(); ++k) {
        const Vec3d& place = group.newcomers[k].position;
        if (!space_.contains(place)) continue;
        const auto see = [&](std::uint32_t key, const Vec3d& at) {
            for_each_observer(key, [&](int rank) {
                if (rank == rank_) seen.push_back({k, key, rank, true, at});
            });
        };
        see(space_.key(place), place);
        if (!space_.period.any()) continue;
        space_.period.for_each_image(place, space_.size, space_.image_reach(), [&](const Vec3d& image) {
            if (const std::int64_t key = space_.image_key(image); key >= 0) see(static_cast<std::uint32_t>(key), image);
        });
    }
    return seen;
}

void Halo::add_newcomers(SortedGroup& group, const std::vector<Departure>& seen, std::uint32_t at) const {
    GroupState& state = group.state;
    for (const Departure& one : seen) {
        const Newcomer& newcomer = group.newcomers[one.particle];
        state.id[at] = newcomer.id;
        state.key[at] = one.key;
        state.position[at] = one.position;
        if (group.with_start()) state.position_start[at] = one.position;
        state.flow[at] = state.flow_previous[at] = newcomer.flow;
        ++at;
    }
    group.newcomers.clear();
}

/// In a run of one rank without periodic sides they are its own like all others.
void Halo::add_newcomers_alone(SortedGroup& group) const {
    const std::vector<Departure> seen = newcomers_seen(group);
    const std::uint32_t at = group.own_end();
    if (!seen.empty()) group.make_room(std::size_t(at) + seen.size());
    add_newcomers(group, seen, at);
    group.count = at + static_cast<std::uint32_t>(seen.size());
    group.set_parts({{0, group.count}});
}

/// The next particle of a message, a whole one or a ghost.
void Halo::add_arrival(SortedGroup& group, std::uint32_t at, bool stays, MessageReader& message) const {
    GroupState& state = group.state;
    const auto traveller = message.get<Traveller>();
    state.id[at] = traveller.id;
    state.key[at] = traveller.key;
    state.position[at] = traveller.position;
    state.flow[at] = traveller.flow;
    state.flow_previous[at] = stays ? message.get<Flow>() : traveller.flow;
    if (!stays) get_previous(message, state, at);
    if (group.with_start()) state.position_start[at] = stays ? message.get<Vec3d>() : traveller.position;
}

/// A message to each rank, in the memory of the last ones received.
std::vector<MessageWriter> Halo::new_messages() {
    std::vector<MessageWriter> messages;
    for (Message& old : last_) messages.emplace_back(std::move(old));
    messages.resize(static_cast<std::size_t>(ranks_));
    return messages;
}

/// Exchanges the messages; returns what every rank has sent to this one.
const std::vector<Message>& Halo::exchanged(std::vector<MessageWriter>& messages) {
    std::vector<Message> out;
    for (MessageWriter& message : messages) out.push_back(message.take());
    last_ = alone() ? std::move(out) : transport_->exchange(std::move(out));
    return last_;
}

void Halo::exchange(const std::vector<SortedGroup*>& moved, SortedGroup* resting) {
    if (alone() && !space_.period.any()) {
        for (SortedGroup* group : moved) add_newcomers_alone(*group);
        return;
    }
    std::vector<MessageWriter> out = new_messages();
    if (resting)
        for (std::size_t r = 0; r < out.size(); ++r)
            for (const std::uint32_t i : links_[r].particles) {
                out[r].put(resting->state.flow[i]);
                put_previous(out[r], resting->state, i);
            }
    departures_.resize(std::max(departures_.size(), moved.size()));
    for (std::size_t k = 0; k < moved.size(); ++k) {
        find_departures(*moved[k], departures_[k]);
        pack(*moved[k], departures_[k], out);
    }
    const std::vector<Message>& messages = exchanged(out);
    std::vector<MessageReader> in(messages.begin(), messages.end());
    if (resting)
        for (std::size_t r = 0; r < in.size(); ++r)
            for (const std::uint32_t ghost : links_[r].ghosts) {
                resting->state.flow[ghost] = in[r].get<Flow>();
                get_previous(in[r], resting->state, ghost);
            }
    for (std::size_t k = 0; k < moved.size(); ++k) unpack(*moved[k], departures_[k][self()], in);
}

void Halo::link(const SortedGroup& group) {
    if (departures_.empty()) return;  // one rank, and no side is periodic
    std::vector<std::uint32_t> place; // after the sort, of each index before it
    for (std::uint32_t k = 0; k < group.count; ++k) {
        const std::uint32_t before = group.cells.order()[k];
        if (before >= place.size()) place.resize(before + 1);
        place[before] = k;
    }
    for (std::size_t r = 0; r < links_.size(); ++r) {
        links_[r].particles.clear();
        links_[r].ghosts.clear();
        for (const Departure& d : departures_[0][r])
            if (!d.stays_there) links_[r].particles.push_back(place[d.particle]);
        for (std::uint32_t i = arrived_[r].begin; i < arrived_[r].end; ++i) links_[r].ghosts.push_back(place[i]);
    }
}

void Halo::share_by_id(const SortedGroup& group, void* by_id, std::size_t size) {
    auto* const values = static_cast<std::byte*>(by_id);
    std::vector<MessageWriter> out = new_messages();
    group.for_each_own(space_, [&](std::uint32_t i) {
        const std::uint32_t id = group.state.id[i];
        const auto send = [&](int rank) {
            if (rank == rank_) return;
            out[static_cast<std::size_t>(rank)].put(id);
            out[static_cast<std::size_t>(rank)].put(values + std::size_t(id) * size, size);
        };
        if (!unseen_.has(group.state.key[i])) for_each_observer(group.state.key[i], send);
        if (!space_.period.any()) return;
        space_.period.for_each_image(group.state.position[i], space_.size, space_.image_reach(), [&](const Vec3d& p) {
            if (const std::int64_t key = space_.image_key(p); key >= 0)
                for_each_observer(static_cast<std::uint32_t>(key), send);
        });
    });
    for (const Message& message : exchanged(out))
        for (MessageReader in(message); !in.at_end();) {
            const auto id = in.get<std::uint32_t>();
            in.get(values + std::size_t(id) * size, size);
        }
}

std::vector<float> Halo::at_owners(const std::vector<Vec3d>& places, std::size_t width,
                                   const std::function<void(const std::vector<Vec3d>&, float*)>& work_out) {
    std::vector<float> numbers(places.size() * width);
    if (alone()) {
        work_out(places, numbers.data());
        return numbers;
    }
    std::vector<MessageWriter> questions = new_messages();
    std::vector<std::vector<std::size_t>> asked(static_cast<std::size_t>(ranks_)); // of each rank, in places
    for (std::size_t k = 0; k < places.size(); ++k) {
        const auto owner = static_cast<std::size_t>(owner_of(places[k]));
        asked[owner].push_back(k);
        questions[owner].put(places[k]);
    }
    std::vector<Vec3d> wanted;
    std::vector<std::size_t> count; // of each rank
    for (const Message& message : exchanged(questions)) {
        const std::size_t before = wanted.size();
        for (MessageReader in(message); !in.at_end();) wanted.push_back(in.get<Vec3d>());
        count.push_back(wanted.size() - before);
    }
    std::vector<float> found(wanted.size() * width);
    work_out(wanted, found.data());
    std::vector<MessageWriter> answers = new_messages();
    std::size_t first = 0;
    for (std::size_t r = 0; r < answers.size(); ++r) {
        answers[r].put(found.data() + first * width, count[r] * width);
        first += count[r];
    }
    const std::vector<Message>& messages = exchanged(answers);
    for (std::size_t r = 0; r < messages.size(); ++r) {
        MessageReader in(messages[r]);
        for (const std::size_t k : asked[r]) in.get(numbers.data() + k * width, width);
    }
    return numbers;
}

void Halo::spread(const std::vector<std::uint32_t>& places, void* values, std::size_t size) {
    auto* const bytes = static_cast<std::byte*>(values);
    MessageWriter mine;
    for (const std::uint32_t place : places) {
        mine.put(place);
        mine.put(bytes + place * size, size);
    }
    for (const Message& message : all_gather(*transport_, mine.take()))
        for (MessageReader in(message); !in.at_end();) {
            const auto place = in.get<std::uint32_t>();
            in.get(bytes + place * size, size);
        }
}

void Halo::tidy() {
    found_ = {};
    departures_ = {};
    last_ = {};
}

std::size_t Halo::bytes() const {
    std::size_t total =
        map_.bytes() + owners_.capacity() * sizeof(RankNumber) + own_rows_.capacity() + own_walked_.capacity();
    for (const Links& links : links_)
        total += (links.particles.capacity() + links.ghosts.capacity()) * sizeof(std::uint32_t);
    for (const Message& message : last_) total += message.capacity();
    for (const auto& part : found_) total += part.capacity() * sizeof(Departure);
    for (const auto& group : departures_)
        for (const auto& departures : group) total += departures.capacity() * sizeof(Departure);
    return total;
}

} // namespace sluice::cpu
