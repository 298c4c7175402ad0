// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "cuda/data/grid_period.h"
#include "cuda/device/device_memory.h"
#include "cuda/device/runtime.h"
#include "cuda/device/stream.h"
#include "cuda/steps/frame_pack.h"
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace sluice::cuda {

/// What is to be copied: the particles, memory that is free between two steps, and the time that they belong to.
struct FrameSource {
    FramePackArgs pack; ///< ids: all that occur
    SpareRecords spare; ///< for `spare_ids` positions or flows
    std::uint32_t spare_ids = 0;
    std::int64_t step = 0;
    double time = 0;
    FieldSelection wanted;             ///< besides the fields of the state
    std::vector<float> flow_gradients; ///< of all ids (flow_gradients.h), if any of those is derived
    std::vector<BodyReport> bodies;
    std::vector<AbsorberState> absorbers;
    MooringState moorings;
    WorkCounts work;
};

/// Memory on the host that copies of a frame arrive in: page-locked, so that the copy runs beside the steps, or plain.
class FrameHostMemory {
public:
    FrameHostMemory() = default;
    FrameHostMemory(std::size_t bytes, bool page_locked);

    std::byte* data() const { return plain_ ? plain_.get() : static_cast<std::byte*>(locked_.data()); }
    std::size_t bytes() const { return bytes_; }

private:
    PageLockedBytes locked_;
    std::unique_ptr<std::byte[]> plain_;
    std::size_t bytes_ = 0;
};

/// Frames on their way from the device to the host, two at most. With a buffer on the device the state is set aside
/// there by the stepping stream, and a stream of its own brings it to the host while steps go on. Without one the
/// state is brought to the host in parts through spare memory of the steps, and the call waits for that.
class FrameCopies {
public:
    FrameCopies(const RunSetup& setup, const FixedGrid& grid, const GridPeriod& period, int device);
    ~FrameCopies();
    FrameCopies(const FrameCopies&) = delete;
    FrameCopies& operator=(const FrameCopies&) = delete;

    /// Begins a frame of the state that `steps` has reached. Waits while two frames are under way. `buffered`: whether
    /// the plan has room for the buffer, which is made by the first call.
    std::unique_ptr<PendingFrame> begin(FrameSource source, bool buffered, DeviceMemory& memory, cudaStream_t steps);

private:
    struct Slot {
        FrameHostMemory host;
        Event arrived;
        std::uint32_t ids = 0;
        std::int64_t step = 0;
        double time = 0;
        FieldSelection wanted;
        std::vector<float> flow_gradients;
        std::vector<BodyReport> bodies;
        std::vector<AbsorberState> absorbers;
        MooringState moorings;
        WorkCounts work;
        bool busy = false;
    };
    class Pending;

    Slot& take_slot();
    void free_slot(Slot& slot);
    bool has_buffer(std::uint32_t ids, DeviceMemory& memory);
    void copy_beside_steps(const FrameSource& source, Slot& slot, cudaStream_t steps);
    void copy_between_steps(const FrameSource& source, Slot& slot, cudaStream_t steps);
    Frame frame_of(const Slot& slot) const;

    RunSetup setup_;
    FixedGrid grid_;
    GridPeriod period_;
    int device_;
    Stream stream_;
    Event packed_;      ///< the buffer holds the state
    Event buffer_free_; ///< the buffer has been copied
    DeviceArray<std::byte> buffer_;
    bool no_room_ = false;
    Slot slots_[2];
    std::mutex mutex_;
    std::condition_variable freed_;
};

} // namespace sluice::cuda
