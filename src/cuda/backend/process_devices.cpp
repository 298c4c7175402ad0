// SPDX-License-Identifier: Apache-2.0
#include "cuda/backend/process_devices.h"

#include "core/error.h"
#include "core/host.h"
#include "core/log.h"
#include "cuda/device/kept_device.h"
#include "cuda/device/runtime.h"
#include "cuda/steps/run_plan.h"
#include <algorithm>
#include <limits>
#include <string>

namespace sluice::cuda {

namespace {

/// Which GPU of which host a device is.
std::string place_of(int device) { return host_name() + " " + bus_place_of(device); }

} // namespace

std::vector<std::string> gathered_texts(const ProcessGroup& group, const std::vector<std::string>& mine) {
    if (group.alone()) return mine;
    MessageWriter message;
    for (const std::string& text : mine) message.put_all(text);
    std::vector<std::string> all;
    for (const Message& theirs : all_gather(*group.transport(), message.take()))
        for (MessageReader in(theirs); !in.at_end();) all.push_back(in.get_text());
    return all;
}

double least_memory(const CudaOptions& options, const ProcessGroup& group) {
    const KeptDevice kept;
    std::vector<std::string> mine;
    for (const int device : options.devices) mine.push_back(place_of(device));
    const std::vector<std::string> places = gathered_texts(group, mine);
    double least = std::numeric_limits<double>::infinity();
    bool crowded = false;
    for (std::size_t n = 0; n < mine.size(); ++n) {
        select_gpu(options.devices[n]);
        const auto on_it = std::ranges::count(places, mine[n]);
        crowded |= on_it > std::ranges::count(mine, mine[n]);
        least = std::min(least, available_memory(options, 0) / double(on_it));
    }
    if (group.any(crowded) && group.first() == 0)
        spdlog::warn("warning: several processes drive the same GPU, which makes a run slower: start as many as there "
                     "are GPUs for");
    return group.smallest(least);
}

bool connect(const std::vector<int>& devices) {
    const KeptDevice kept;
    bool all = true;
    for (const int to : devices)
        for (const int from : devices)
            if (from != to && !give_access(to, from)) all = false;
    return all;
}

std::vector<GpuDevice> described(const std::vector<int>& devices, const ProcessGroup& group) {
    const KeptDevice kept;
    std::vector<GpuDevice> all;
    std::vector<std::string> names;
    for (const int device : devices) {
        all.push_back(select_gpu(device));
        names.push_back(all.back().name);
    }
    names = gathered_texts(group, names);
    for (std::size_t n = 0; n < names.size(); ++n)
        if (names[n] != names.front())
            throw InputError(
                "--gpus: GPU " + std::to_string(n) + " of the run is of another kind (" + names[n] +
                ") than its first (" + names.front() +
                "): GPUs that share a run must be alike, choose others with --device or CUDA_VISIBLE_DEVICES");
    return all;
}

} // namespace sluice::cuda
