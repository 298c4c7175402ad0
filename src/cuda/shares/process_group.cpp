// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/process_group.h"

#include "backend/gpu_memory_plan.h"
#include "core/error.h"
#include "core/host.h"

namespace sluice::cuda {

ProcessGroup::ProcessGroup(Transport* transport, std::size_t own) : transport_(transport), first_of_{0, own} {
    if (alone()) return;
    self_ = static_cast<std::size_t>(transport->rank());
    MessageWriter mine;
    mine.put(own);
    first_of_ = {0};
    for (const Message& theirs : all_gather(*transport, mine.take()))
        first_of_.push_back(first_of_.back() + MessageReader(theirs).get<std::size_t>());
    if (devices() > std::size_t(most_gpus))
        throw InputError("--gpus: " + std::to_string(devices()) + " GPUs in " + std::to_string(processes()) +
                         " processes are more than can share a run (" + std::to_string(most_gpus) + "): take fewer");
}

std::size_t ProcessGroup::process_of(std::size_t device) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(first_of_, device) - first_of_.begin()) - 1;
}

std::vector<int> devices_of_process(Transport& transport, int first, std::size_t each, int there) {
    const std::string host = host_name();
    MessageWriter mine;
    mine.put_all(host);
    const std::vector<Message> hosts = all_gather(transport, mine.take());
    int before = 0; // processes of this host
    for (std::size_t p = 0; p < static_cast<std::size_t>(transport.rank()); ++p)
        before += MessageReader(hosts[p]).get_text() == host;
    std::vector<int> devices;
    for (std::size_t n = 0; n < each; ++n)
        devices.push_back((first + before * static_cast<int>(each) + static_cast<int>(n)) % std::max(1, there));
    return devices;
}

} // namespace sluice::cuda
