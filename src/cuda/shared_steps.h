// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device_share.h"
#include "cuda/device_votes.h"
#include "cuda/halo_copies.h"
#include <memory>
#include <vector>

namespace sluice::cuda {

/// An exchange found no room in the arrays of a device. The state is as before the step.
struct NeedsRoom {
    std::uint64_t slots; ///< that would have done
};

/// Rows on either side that a device sees beside its own (rows_in_reach()).
std::uint32_t reach_rows_of(const FixedGrid& grid, const GridPeriod& period, const OpenZones& open, bool has_lists);

/// The phases of a step (scheme/time_loop.h) over the devices that share a run. One thread of the host enqueues the
/// work of all of them and waits once a sort, or once for each decision about the lists, while the interaction is under
/// way.
///
/// What a part of the interaction needs of all devices, ghost nodes of walls, stresses of the fluid, forces on bodies
/// and gauges, each finds for its rows and tells the others in between (StepQueue).
///
/// With neighbour lists, what a device holds of others' particles is copied before every interaction, a contiguous
/// piece of their arrays for each; the order changes where lists are renewed. Without lists each build is an exchange.
class SharedSteps {
public:
    /// `all_connected`: every device sees the others' memory.
    SharedSteps(std::vector<std::unique_ptr<DeviceShare>>& devices, bool all_connected, bool has_lists,
                std::uint32_t reach_rows);

    /// After the state was written: the shares that the devices have, and their parts of the work.
    /// `walls_are_sorted`: else the first exchange sorts them, and one device has them all until then.
    void adopt(const std::vector<Share>& shares, std::vector<double> parts, bool walls_are_sorted);

    void begin_advance(double time_limit, long long step_limit);
    /// Whether the last step that was enqueued is taken.
    bool is_taken() const { return taken_; }
    /// As it was at the begin of that step: of each device.
    const std::vector<Control>& controls() const { return controls_; }
    /// Waits for all devices and reads their controls.
    const std::vector<Control>& settle();
    const std::vector<Share>& shares() const { return shares_; }
    const std::vector<double>& parts() const { return parts_; }
    std::int64_t exchanges() const { return exchanges_; }

    // the phases of take_step()
    void build_cells();
    void absorb_waves() { gauges_are_due_ = true; }
    void interact();
    void reduce_time_step();
    void reduce_corrector_limit();
    void shift();
    void integrate_verlet();
    void integrate_predictor();
    void integrate_corrector();
    void relax();
    void finish_step();

    /// Cells of the present state, without an interaction.
    void build_to_look();
    void keep_sorted();

private:
    template <class Use>
    void for_each(Use&& use);
    std::vector<HaloCopies> no_copies() const;
    template <class Arrays>
    void add_fluid(HaloCopies& copies, std::size_t to, std::size_t from, Arrays&& arrays);
    template <class Arrays>
    void copy_fluid(Arrays&& arrays);
    void copy_halos();
    void add_walls(HaloCopies& copies, std::size_t to, const Range& seen, bool all_levels);
    void receive(const ExchangePlan& plan, std::size_t to);
    void find_walls();
    void exchange();
    void share_shifts();
    void enqueue_interaction();
    template <class Use>
    void tell_others(Use&& use);
    void wait_for_all();
    void share_gauges();
    void share_surfaces();
    void share_walls();
    void share_stresses();
    void share_reactions();
    void check_lists();
    bool renew_if_decided();
    void read_controls();
    void take_times();
    Range walls_in(const Range& rows) const { return {wall_first_[rows.begin], wall_first_[rows.end]}; }

    std::vector<std::unique_ptr<DeviceShare>>& devices_;
    bool all_connected_, has_lists_;
    DeviceVotes votes_;
    std::uint32_t reach_rows_;
    std::vector<std::uint32_t> wall_first_; ///< boundary particles of rows below each
    bool walls_move_;
    std::vector<Share> shares_;
    std::vector<double> parts_, seconds_;
    int timed_ = 0; ///< interactions in `seconds_`
    std::vector<Control> controls_;
    bool taken_ = true, mid_step_ = false, gauges_are_due_ = false;
    std::int64_t exchanges_ = 0;
};

} // namespace sluice::cuda
