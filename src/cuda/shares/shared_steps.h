// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/shares/all_reduce.h"
#include "cuda/shares/device_share.h"
#include "cuda/shares/share_copies.h"
#include "cuda/steps/stepping.h"
#include <memory>
#include <vector>

namespace sluice::cuda {

/// An exchange found no room in the arrays of a device. The state is as before the step.
struct NeedsRoom {
    std::uint64_t slots; ///< that would have done
};

/// Rows on either side that a device sees beside its own (rows_in_reach()).
std::uint32_t reach_rows_of(const FixedGrid& grid, const GridPeriod& period, const OpenZones& open, bool has_lists);

/// How the devices of a run step together.
struct SharedWays {
    bool all_connected = false; ///< every device sees the others' memory
    bool has_lists = false;
    std::uint32_t reach_rows = 0; ///< reach_rows_of()
    bool begins_inside = true;    ///< CudaOptions::begins_inside
};

/// The passes of a step (scheme/step.h) over the devices that share a run. One thread of the host enqueues the
/// work of all of them and waits once for each sort, or once for each decision about the lists, while the interaction
/// runs.
///
/// Several processes go through the same passes at once, each with the devices that it drives; messages between them go
/// through the hosts, which wait for them (RemoteCopies, AllReduce).
///
/// Later passes need results of all devices (ghost nodes of walls, stresses of the fluid, forces on bodies, gauges).
/// Each device computes those of its rows, and the devices exchange them before the pass ends (StepQueue).
///
/// With neighbour lists, halos are copied before every interaction, a contiguous piece of the arrays of each other
/// device; the order of the particles changes only when lists are renewed. Unless another pass has to come before the
/// interaction, it begins meanwhile with the particles that see no halo (Share::interior). Without lists each build is
/// an exchange.
class SharedSteps final : public Stepping {
public:
    SharedSteps(const RunSetup& setup, SharedDevices& devices, const ProcessGroup& group, const SharedWays& ways);

    /// After the state was written: the shares that the devices have, and their parts of the work.
    /// `walls_are_sorted`: else the first exchange sorts them, and one device has them all until then.
    void adopt(const std::vector<Share>& shares, std::vector<double> parts, bool walls_are_sorted);

    bool advance(const StepLimits& limits) override;
    void look(Look what) override;
    /// Those of other processes, too.
    const std::vector<Control>& synchronise() override;
    /// Of other processes what all devices have alike, as it was at the begin of the last step that was enqueued.
    const std::vector<Control>& controls() const override { return controls_; }
    const std::vector<Share>& shares() const { return shares_; }
    /// The boundary particles that each device steps.
    const std::vector<Range>& own_walls() const { return own_walls_; }
    const std::vector<double>& parts() const { return parts_; }
    /// How long each device of this process has waited for others without other work, s: for their particles, for the
    /// decision about the lists, and for the time step.
    std::vector<double> seconds_waited() const;

    // the passes of a step
    void build_cells();
    void interact(sph::RatesPart part, Absorbers absorbers);
    void absorb_waves();
    void impose_flow();
    void extrapolate_to_walls();
    void find_stresses();
    void diverge_stresses();
    void take_wall_velocities() {} ///< the kick has given them back
    void interact_pairs(sph::RatesPart part);
    void add_contacts();
    void sum_loads();
    void accelerate();
    void diffuse_densities();
    void hold_flow(sph::RatesPart part);
    void reduce_time_step();
    void reduce_corrector_limit();
    void find_shifts();
    void follow_shifts();
    void move_bodies(Stage stage);
    void integrate_particles(Stage stage);
    void place_boundary(Stage stage);
    void relax();
    void finish_step();

private:
    /// Calls `use` with every device of this process, the current one.
    template <class Use>
    void for_each(Use&& use) {
        for (auto& device : devices_) {
            if (!device) continue;
            device->select();
            use(*device);
        }
    }
    DeviceShare& first() const { return *devices_[group_.first()]; }
    void begin_advance(double time_limit, long long step_limit);
    void set_pairs();
    bool wants_collection() const;
    void build_to_look();
    ShareCopies no_copies(ShareCopies::StreamOf stream);
    template <class Arrays>
    void add_fluid(ShareCopies& copies, std::size_t to, std::size_t from, Arrays&& arrays);
    template <class Arrays>
    void copy_fluid(Arrays&& arrays);
    /// Of the velocities and densities of particles that are copied.
    enum class Levels { interacting, now, all };
    void copy_halos(ShareCopies::StreamOf stream, Levels levels);
    void add_walls(ShareCopies& copies, std::size_t to, const Range& seen, Levels levels);
    void add_sent(ShareCopies& copies, const ExchangePlan& plan, std::size_t to) const;
    void require_room(const ExchangePlan& plan) const;
    void find_walls();
    void give_walls();
    void exchange();
    void interact_from_inside();
    Range numbers_in_own(const Range& fluid, std::size_t device) const;
    template <class Offer, class Take>
    void exchange_results(Offer&& offer, Take&& take);
    void wait_for_all();
    void check_lists();
    bool renew_if_decided();
    void read_controls();
    AllMaxima all_reduce_limits();
    void begin_timing();
    void begin(EventTimer& timer, cudaStream_t stream) const;
    void end(EventTimer& timer, cudaStream_t stream) const;
    void take_times();
    Range walls_in(const Range& rows) const { return {wall_first_[rows.begin], wall_first_[rows.end]}; }

    const RunSetup& setup_;
    SharedDevices& devices_;
    const ProcessGroup& group_;
    SharedWays ways_;
    bool begins_inside_;
    AllReduce all_reduce_;
    RemoteCopies remote_;
    std::vector<std::uint32_t> wall_first_; ///< boundary particles of rows below each
    bool walls_move_;
    std::vector<Share> shares_;
    std::vector<Range> own_walls_;
    std::vector<double> parts_, seconds_;
    int timed_ = 0;         ///< interactions in `seconds_`
    bool is_timed_ = false; ///< whether the one that is enqueued is
    std::int64_t interactions_ = 0, timings_ = 0;
    std::vector<double> waited_; ///< s, in the timed ones
    std::vector<Control> controls_;
    bool taken_ = true, mid_step_ = false;
    bool from_inside_ = false; ///< whether the interaction that is enqueued begins before the lists are checked
};

} // namespace sluice::cuda
