// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ranks/transport.h"
#include <algorithm>
#include <string>
#include <vector>

namespace sluice::cuda {

/// The processes that share a run on GPUs, each with devices of its own: the devices of all are numbered process by
/// process. All make the same calls in the same order. A process that is alone has all devices.
class ProcessGroup {
public:
    /// `transport`: to the other processes; null: this one is alone. `own`: devices of this process. InputError for
    /// more of all than can share a run.
    ProcessGroup(Transport* transport, std::size_t own);

    bool alone() const { return transport_ == nullptr; }
    /// Devices of all processes.
    std::size_t devices() const { return first_of_.back(); }
    /// The first of this process's devices.
    std::size_t first() const { return first_of_[self_]; }
    bool is_here(std::size_t device) const { return device >= first_of_[self_] && device < first_of_[self_ + 1]; }
    std::size_t process_of(std::size_t device) const;
    std::size_t processes() const { return first_of_.size() - 1; }
    Transport* transport() const { return transport_; }

    /// messages[p] goes to process p; returns what each has sent to this one. Not alone.
    std::vector<Message> exchange(std::vector<Message> messages) const {
        return transport_->exchange(std::move(messages));
    }

    /// Puts in what other processes have of an array of one value a device.
    template <class T>
    void complete(std::vector<T>& of_devices) const {
        if (alone()) return;
        MessageWriter mine;
        mine.put(of_devices.data() + first(), first_of_[self_ + 1] - first());
        const std::vector<Message> all = all_gather(*transport_, mine.take());
        for (std::size_t p = 0; p < processes(); ++p)
            MessageReader(all[p]).get(of_devices.data() + first_of_[p], first_of_[p + 1] - first_of_[p]);
    }
    /// The same of lists.
    template <class T>
    void complete(std::vector<std::vector<T>>& of_devices) const {
        if (alone()) return;
        MessageWriter mine;
        for (std::size_t d = first_of_[self_]; d < first_of_[self_ + 1]; ++d) mine.put_all(of_devices[d]);
        const std::vector<Message> all = all_gather(*transport_, mine.take());
        for (std::size_t p = 0; p < processes(); ++p) {
            MessageReader theirs(all[p]);
            for (std::size_t d = first_of_[p]; d < first_of_[p + 1]; ++d) of_devices[d] = theirs.template get_all<T>();
        }
    }
    template <class T>
    T largest(const T& value) const {
        return alone() ? value : combined(*transport_, value, [](T a, T b) { return std::max(a, b); });
    }
    template <class T>
    T smallest(const T& value) const {
        return alone() ? value : combined(*transport_, value, [](T a, T b) { return std::min(a, b); });
    }
    /// Whether it is so on every process, or on any.
    bool all(bool value) const { return smallest(int(value)) != 0; }
    bool any(bool value) const { return largest(int(value)) != 0; }

private:
    Transport* transport_;
    std::size_t self_ = 0;
    std::vector<std::size_t> first_of_; ///< of each process the first device, and the number of all
};

/// What is found wrong on all processes at once, so that all go on afterwards as before.
class FoundByAll : public RunError {
public:
    explicit FoundByAll(const RunError& error) : RunError(error.what(), error.outcome()) {}
};

/// The devices of each process of a host one after the other, from `first` on and so many each: those of this process,
/// over again from device 0 where the host has fewer. `there`: how many it has. All processes at once.
std::vector<int> devices_of_process(Transport& transport, int first, std::size_t each, int there);

} // namespace sluice::cuda
