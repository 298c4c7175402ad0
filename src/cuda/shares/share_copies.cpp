// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/share_copies.h"

namespace sluice::cuda {

ShareCopies::ShareCopies(const SharedDevices& devices, const ProcessGroup& group, bool all_connected,
                         RemoteCopies& remote, StreamOf stream)
    : devices_(devices), group_(group), remote_(remote), stream_(stream) {
    const DeviceShare& any = *devices[group.first()]; // in place of those that copy nothing here
    for (const auto& device : devices) local_.emplace_back(device ? *device : any, all_connected);
}

void ShareCopies::add_remote(std::size_t from, const void* source, std::size_t to, void* target, std::size_t bytes) {
    if (const auto& sender = devices_[from])
        remote_.send(group_.process_of(to), *sender, (*sender.*stream_)(), source, bytes);
    else if (const auto& receiver = devices_[to])
        remote_.receive(group_.process_of(from), *receiver, (*receiver.*stream_)(), target, bytes);
}

void ShareCopies::enqueue() {
    for (const Array& a : arrays_) {
        devices_[a.to]->select();
        copy_between(devices_[a.from]->device(), a.source, devices_[a.to]->device(), a.target, a.bytes,
                     (*devices_[a.to].*stream_)());
    }
    for (std::size_t to = 0; to < devices_.size(); ++to) {
        if (!devices_[to]) continue;
        devices_[to]->select();
        local_[to].enqueue((*devices_[to].*stream_)());
    }
    remote_.deliver();
}

} // namespace sluice::cuda
