// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/shares/device_share.h"
#include "cuda/shares/process_group.h"
#include <vector>

namespace sluice::cuda {

/// Memory of the host that copies go through.
class CopyBuffer {
public:
    /// At least so much; what was there is lost if there was less.
    std::byte* room_for(std::size_t bytes);

private:
    PageLocked<std::byte> memory_;
};

/// Copies from devices of this process to those of others and back, through the memory of the hosts and messages. Every
/// process names the pieces in the same order, each those that it sends or receives, and all deliver at once.
class RemoteCopies {
public:
    explicit RemoteCopies(const ProcessGroup& group) : group_(group) {}

    /// What has been enqueued on the stream of the device up to the delivery is in what is sent.
    void send(std::size_t process, const DeviceShare& from, cudaStream_t stream, const void* source, std::size_t bytes);
    /// What is enqueued on the stream after the delivery sees what has come.
    void receive(std::size_t process, const DeviceShare& to, cudaStream_t stream, void* target, std::size_t bytes);
    /// Waits for the streams that send, exchanges all pieces named since the last delivery, and waits until those that
    /// have come are where they belong. Does nothing for a process that is alone.
    void deliver();

private:
    struct Piece {
        std::size_t process;
        const DeviceShare* share;
        cudaStream_t stream;
        std::byte* place;
        std::size_t bytes;
    };
    static std::size_t total(const std::vector<Piece>& pieces);
    static void finish(const std::vector<Piece>& pieces);

    const ProcessGroup& group_;
    std::vector<Piece> sent_, received_;
    CopyBuffer out_, in_;
};

} // namespace sluice::cuda
