// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "geometry/generate.h"

#include <cstdint>

// libFuzzer target: whatever the bytes, the reader either makes a case or throws InputError, in bounded time and
// memory. Small cases are drawn too.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        sluice::CaseOverrides overrides;
        overrides.allow_unsupported = true;
        const sluice::Case the_case =
            sluice::read_case_text({reinterpret_cast<const char*>(data), size}, "fuzz/case.xml", overrides);
        const sluice::CaseDefinition& d = the_case.definition;
        double nodes = 1;
        for (int axis = 0; axis < 3; ++axis) nodes *= (d.point_max[axis] - d.point_min[axis]) / d.dp + 1;
        if (nodes > 1e5 || the_case.commands.size() > 200) return 0;
        std::vector<sluice::Diagnostic> diagnostics;
        sluice::generate_particles(the_case, diagnostics);
    } catch (const sluice::InputError&) {
    }
    return 0;
}
