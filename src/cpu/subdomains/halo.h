// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "cpu/subdomains/row_split.h"
#include "ranks/transport.h"
#include <algorithm>
#include <functional>
#include <vector>

namespace sluice::cpu {

/// What the particles of a rank see beside themselves: images of particles near periodic faces, and the particles of
/// other ranks. Both are ghosts in the layers of cells around the rank's own rows, made anew before each sort: a
/// particle that has moved into the rows of another rank is sent there, and each rank that sees its cell, or the cell
/// of an image of it, receives a copy, all in one message to each rank. A rank sorts received and own particles in the
/// order of the rows that they were in at the last sort, and last the particles that have been created
/// (SortedGroup::newcomers), which all ranks hold. So every rank sorts a part of the one order of a run of one rank,
/// and every cell holds the same particles in the same order, whichever rank owns the rows.
///
/// Without a transport the run has one rank, and all of this is about images. All ranks make the same calls.
class Halo {
public:
    /// `looks_back`: particles interact with GroupState::flow_previous, too, which ghosts then have.
    /// Throws InputError for a split that cannot be with these cells and ranks.
    Halo(Space& space, const ThreadCount& threads, Transport* transport, const Split& split, bool looks_back);

    bool alone() const { return transport_ == nullptr; }
    /// Whether this rank counts what all ranks compute alike.
    bool is_first() const { return alone() || transport_->rank() == 0; }
    const RankMap& map() const { return map_; }
    /// How the rows are split, for logs.
    std::string split() const { return split_.description(); }
    Transport& transport() const { return *transport_; }

    /// Splits the rows between the ranks. `work`: of the rows of the whole grid from `first` on, what this rank knows.
    void cut(std::uint32_t first, const std::vector<std::uint64_t>& work);
    /// Splits them anew if that balances the work of the sorted particles better; returns whether it has.
    bool balance(const InteractionView& view);
    /// What this rank sees, in whole layers of cells. All of it is walked after rows have been split.
    CellBox seen() const { return space_.layers_of(map_.seen(rank_)); }
    /// A part of it is walked from now on, which holds whatever this rank has or sees.
    void walk(const CellBox& box);

    /// Before a sort of the groups in `moved`: hands over their particles, and brings ghosts. Those of `resting`, which
    /// stays as it is, take over their particles' values.
    void exchange(const std::vector<SortedGroup*>& moved, SortedGroup* resting);
    /// The rank in whose rows of cells a place is, or whose rows are the nearest to it.
    int owner_of(const Vec3d& place) const { return map_.owner(space_.row_of(space_.nearest_key(place))); }
    /// Whether it is in this rank's.
    bool owns(const Vec3d& place) const { return owner_of(place) == rank_; }
    /// `width` numbers for each of these places, worked out where they are: each rank calls `work_out(places, numbers)`
    /// for those in its rows that any rank asks for.
    std::vector<float> at_owners(const std::vector<Vec3d>& places, std::size_t width,
                                 const std::function<void(const std::vector<Vec3d>&, float*)>& work_out);

    /// Finds the particles of all ghosts of a group that rests from now on: it was the only one in the last exchange,
    /// and has been sorted.
    void link(const SortedGroup& group);

    /// The values of ghosts become those of their particles. `by_id`: of all ids among the group's particles.
    template <class T>
    void share_by_id(const SortedGroup& group, T* by_id) {
        if (!alone()) share_by_id(group, by_id, sizeof(T));
    }
    /// The values at these places become those of this rank, on all ranks.
    template <class T>
    void spread(const std::vector<std::uint32_t>& places, T* values) {
        if (!alone()) spread(places, values, sizeof(T));
    }

    /// What all ranks have, one after the other.
    template <class T>
    std::vector<T> of_all(std::vector<T> mine) {
        if (alone()) return mine;
        MessageWriter message;
        message.put_all(mine);
        mine.clear();
        for (const Message& theirs : all_gather(*transport_, message.take())) {
            const std::vector<T> values = MessageReader(theirs).template get_all<T>();
            mine.insert(mine.end(), values.begin(), values.end());
        }
        return mine;
    }

    template <class T>
    T largest(const T& value) {
        return combined(value, [](T a, T b) { return std::max(a, b); });
    }
    template <class T>
    T smallest(const T& value) {
        return combined(value, [](T a, T b) { return std::min(a, b); });
    }
    template <class T>
    T sum(const T& value) {
        return combined(value, [](T a, T b) { return static_cast<T>(a + b); });
    }
    /// What all ranks' values make, in the order of the ranks.
    template <class T, class Combine>
    T combined(const T& value, const Combine& combine) {
        return alone() ? value : sluice::combined(*transport_, value, combine);
    }

    /// Gives the memory of the last exchange back: after the one that scatters a state it is far more than others need.
    void tidy();
    std::size_t bytes() const;

private:
    /// A particle of this rank, or an image of it, that is sent to a rank which sees its cell.
    struct Departure {
        std::uint32_t particle, key;
        int rank;
        bool stays_there; ///< that rank owns it from now on
        Vec3d position;
    };
    /// What a rank receives of a particle that it sees.
    struct Traveller {
        Flow flow;
        Vec3d position;
        std::uint32_t id, key;
    };
    /// How many of those that go to a rank were in one run of the sender's rows: the first of these, those that stay,
    /// and ghosts.
    struct Leaving {
        std::uint32_t row, staying, ghosts;
    };
    /// What is sorted next: a range of indices, and the first row of the run of rows that its particles were in.
    struct Part {
        std::uint32_t row;
        IndexRange range;
    };
    /// Ghosts of a group that rests, and the particles whose values they take over, rank by rank.
    struct Links {
        std::vector<std::uint32_t> particles; ///< of this rank, which the other one sees
        std::vector<std::uint32_t> ghosts;    ///< that this rank has of the other's, in its order
    };

    void adopt(std::vector<RankNumber> owners);
    std::vector<std::uint64_t> work_of_whole_grid(const InteractionView& view) const;
    std::size_t self() const { return static_cast<std::size_t>(rank_); }
    void find_departures(SortedGroup& group, std::vector<std::vector<Departure>>& departures);
    void place_own(SortedGroup& group, std::uint32_t i, std::vector<Departure>& leaving) const;
    template <class Use>
    void for_each_observer(std::uint32_t key, const Use& use) const;
    void put_previous(MessageWriter& message, const GroupState& state, std::uint32_t i) const;
    void get_previous(MessageReader& message, GroupState& state, std::uint32_t ghost) const;
    static std::vector<Leaving> count_leaving(const SortedGroup& group, const std::vector<Departure>& departures);
    void pack(const SortedGroup& group, const std::vector<std::vector<Departure>>& departures,
              std::vector<MessageWriter>& messages) const;
    void unpack(SortedGroup& group, const std::vector<Departure>& images, std::vector<MessageReader>& messages);
    static std::uint32_t add_parts(std::vector<Part>& parts, const std::vector<Leaving>& counts,
                                   std::uint32_t Leaving::*which, std::uint32_t at);
    static void set_parts(SortedGroup& group, std::vector<Part> parts, const IndexRange& newcomers);
    std::vector<Departure> newcomers_seen(const SortedGroup& group) const;
    void add_newcomers(SortedGroup& group, const std::vector<Departure>& seen, std::uint32_t at) const;
    void add_newcomers_alone(SortedGroup& group) const;
    void add_arrival(SortedGroup& group, std::uint32_t at, bool stays, MessageReader& message) const;
    void add_images(SortedGroup& group, const std::vector<Departure>& images, std::uint32_t at) const;
    void share_by_id(const SortedGroup& group, void* by_id, std::size_t size);
    void spread(const std::vector<std::uint32_t>& places, void* values, std::size_t size);
    std::vector<MessageWriter> new_messages();
    const std::vector<Message>& exchanged(std::vector<MessageWriter>& messages);

    Space& space_;
    const ThreadCount& threads_;
    Transport* transport_;
    bool looks_back_; ///< whether ghosts have GroupState::flow_previous
    int rank_ = 0, ranks_ = 1;
    RowSplit split_;
    std::vector<RankNumber> owners_; ///< of the rows that may hold particles, as split last
    RankMap map_;
    std::vector<std::uint8_t>
        own_rows_; ///< of each row of the whole grid, as Rows::own has it; empty: one rank has all
    std::vector<std::uint8_t> own_walked_; ///< of those walked
    IndexRange unseen_; ///< keys of cells that only this rank sees: most of them, where they lie together
    std::vector<Links> links_;

    // of the last exchange
    std::vector<std::vector<Departure>> found_;                   ///< of each thread
    std::vector<std::vector<std::vector<Departure>>> departures_; ///< of each group, to each rank
    std::vector<Message> last_;                                   ///< from each rank
    std::vector<IndexRange> arrived_; ///< of each rank, where the last group's ghosts are before the sort
};

} // namespace sluice::cpu
