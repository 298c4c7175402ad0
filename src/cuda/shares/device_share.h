// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/event_timer.h"
#include "cuda/device/runtime.h"
#include "cuda/device/stream.h"
#include "cuda/shares/share_exchange.h"
#include "cuda/steps/step_queue.h"
#include <optional>

namespace sluice::cuda {

/// A device of a run: its particles, and its messages to the host and to other devices that share the run.
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
    /// For what goes on beside the steps of stream(), and is served before them: copies and votes, and the edges of the
    /// share.
    cudaStream_t beside() const { return beside_; }
    cudaStream_t edges() const { return edges_; }
    StepQueue& queue() { return queue_; }
    const StepQueue& queue() const { return queue_; }
    RunArrays& run() { return queue_.run(); }
    const RunArrays& run() const { return queue_.run(); }
    /// Where the run is shared.
    ShareExchange& exchange() { return *exchange_; }
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
    /// What is enqueued beside the stream goes on from the point that a device has marked only, be it this one.
    void wait_beside_for(const DeviceShare& other) const;
    /// One of its streams goes on once what has been enqueued on another is done.
    void let_wait(cudaStream_t stream, cudaStream_t other);

    /// Writes the control of the device, which stands still.
    void write_control(const Control& control) const;
    /// Asks for the control, and waits until it has come.
    void request_control();
    /// The same, where what has been enqueued on one of its streams writes it to mail().
    void await_control(cudaStream_t stream);
    Control* mail() const { return mail_.data(); }
    const Control& wait_for_control();

    EventTimer& work() { return work_; }       ///< how long its interactions take
    EventTimer& waiting() { return waiting_; } ///< and how long its stream waits for other devices

private:
    int device_;
    Stream stream_, beside_ = Stream::first_served(), edges_ = Stream::first_served();
    StepQueue queue_;
    std::optional<ShareExchange> exchange_;
    DeviceArray<std::byte> copies_;
    Event mark_, control_came_, joint_;
    EventTimer work_, waiting_;
    PageLocked<Control> mail_{1};
};

} // namespace sluice::cuda
