// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "fuzz/input_file.h"
#include "io/files/digest.h"
#include "io/records/checkpoint.h"
#include "run/state_check.h"

#include <cstdint>
#include <cstring>
#include <vector>

// libFuzzer target: whatever the bytes, a checkpoint is read or refused with RunError. The digest at the end is put
// right first, or hardly any input would get past it.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const sluice::fuzz::InputFile file("checkpoint.h5");
    std::vector<std::uint8_t> bytes(data, data + size);
    const std::uint64_t digest = sluice::digest(std::as_bytes(std::span(bytes)));
    const char mark[] = {'S', 'L', 'U', 'I', 'C', 'E', 'C', '1'};
    bytes.insert(bytes.end(), mark, mark + sizeof mark);
    bytes.resize(bytes.size() + sizeof digest);
    std::memcpy(bytes.data() + bytes.size() - sizeof digest, &digest, sizeof digest);
    file.write(bytes);
    try {
        const sluice::Checkpoint checkpoint = sluice::read_checkpoint(file.path());
        sluice::RunSetup setup;
        setup.domain = {{0, 0, 0}, {1, 1, 1}};
        setup.groups = sluice::ParticleGroups::of(2, 3);
        sluice::require_state_of(checkpoint.state, setup);
    } catch (const sluice::RunError&) {
    }
    return 0;
}
