// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/remote_copies.h"

#include "cuda/device/check.h"

#include <cstring>

namespace sluice::cuda {

std::byte* CopyBuffer::room_for(std::size_t bytes) {
    if (bytes > memory_.size()) {
        memory_ = {};
        memory_ = PageLocked<std::byte>(bytes + bytes / 4);
    }
    return memory_.data();
}

void RemoteCopies::send(std::size_t process, const DeviceShare& from, cudaStream_t stream, const void* source,
                        std::size_t bytes) {
    sent_.push_back({process, &from, stream, static_cast<std::byte*>(const_cast<void*>(source)), bytes});
}

void RemoteCopies::receive(std::size_t process, const DeviceShare& to, cudaStream_t stream, void* target,
                           std::size_t bytes) {
    received_.push_back({process, &to, stream, static_cast<std::byte*>(target), bytes});
}

std::size_t RemoteCopies::total(const std::vector<Piece>& pieces) {
    std::size_t bytes = 0;
    for (const Piece& piece : pieces) bytes += piece.bytes;
    return bytes;
}

void RemoteCopies::finish(const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) {
        piece.share->select();
        wait_for(piece.stream, "copying to another process");
    }
}

void RemoteCopies::deliver() {
    if (group_.alone()) return;
    std::byte* at = out_.room_for(total(sent_));
    for (const Piece& piece : sent_) {
        piece.share->select();
        copy_to_host(at, piece.place, piece.bytes, piece.stream, "copying to another process");
        at += piece.bytes;
    }
    finish(sent_);
    std::vector<MessageWriter> letters(group_.processes());
    at = out_.room_for(0);
    for (const Piece& piece : sent_) {
        letters[piece.process].put(at, piece.bytes);
        at += piece.bytes;
    }
    std::vector<Message> messages;
    for (MessageWriter& letter : letters) messages.push_back(letter.take());
    const std::vector<Message> answers = group_.exchange(std::move(messages));
    std::vector<MessageReader> readers(answers.begin(), answers.end());
    at = in_.room_for(total(received_));
    for (const Piece& piece : received_) {
        readers[piece.process].get(at, piece.bytes);
        piece.share->select();
        copy_from_host(piece.place, at, piece.bytes, piece.stream, "copying from another process");
        at += piece.bytes;
    }
    finish(received_);
    sent_.clear();
    received_.clear();
}

} // namespace sluice::cuda
