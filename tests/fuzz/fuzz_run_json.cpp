// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "fuzz/input_file.h"
#include "io/records/run_json.h"

#include <cstdint>

// libFuzzer target: whatever the bytes, the constants of a run are read from run.json or refused with InputError.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const sluice::fuzz::InputFile file("run.json");
    file.write({data, size});
    try {
        sluice::read_run_setup(file.path());
    } catch (const sluice::InputError&) {
    }
    return 0;
}
