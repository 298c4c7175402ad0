// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/share_exchange.h"
#include "cuda/step_queue.h"
#include "cuda/stream.h"

namespace sluice::cuda {

/// One device of several that share a run: its share of the particles, and what it tells the host and the others.
class DeviceShare {
public:
    /// `room`: slots of its arrays. The device becomes the calling thread's, as by select().
    DeviceShare(int device, const RunSetup& setup, std::uint32_t room, GpuMode mode, const MakeSearch& make_search);
    ~DeviceShare();
    DeviceShare(const DeviceShare&) = delete;
    DeviceShare& operator=(const DeviceShare&) = delete;

    /// Makes the device the calling thread's: before anything is enqueued on it.
    void select() const;
    int device() const { return device_; }
    cudaStream_t stream() const { return stream_; }
    StepQueue& queue() { return queue_; }
    const StepQueue& queue() const { return queue_; }
    RunArrays& run() { return queue_.run(); }
    const RunArrays& run() const { return queue_.run(); }
    ShareExchange& exchange() { return exchange_; }
    Control* control() const { return queue_.control(); }

    /// Memory of this device for copies of what others have. What was copied there before is lost once the stream has
    /// come so far.
    std::byte* room_for_copies(std::size_t bytes) {
        if (copies_.bytes() < bytes) copies_ = {run().memory, bytes, "copies of what other GPUs have found"};
        return copies_.data();
    }

    /// A point of its stream, and that another device goes on from there only.
    void mark();
    void wait_for(const DeviceShare& other) const;

    /// Asks for the control, and waits until it has come.
    void request_control();
    /// The same, where what has been enqueued writes it to mail().
    void await_control();
    Control* mail() const { return mail_; }
    const Control& wait_for_control();

    /// Encloses an interaction, which takes turns with the one before.
    void begin_timing();
    void end_timing();
    /// Of the interaction before the last, s; 0: there was none.
    double seconds_before() const;

private:
    int device_;
    Stream stream_;
    StepQueue queue_;
    ShareExchange exchange_;
    DeviceArray<std::byte> copies_;
    cudaEvent_t mark_ = nullptr, control_came_ = nullptr;
    cudaEvent_t begin_[2] = {}, end_[2] = {};
    std::int64_t timed_ = 0;
    Control* mail_ = nullptr; ///< page-locked
};

} // namespace sluice::cuda
