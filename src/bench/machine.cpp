// SPDX-License-Identifier: Apache-2.0
#include "bench/machine.h"

#include "bench/variants.h"
#include "cpu/particles/processor.h"
#include "io/records/run_json.h"
#include <cstdlib>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace sluice::bench {

namespace {

std::string system_name() {
    utsname name{};
    if (uname(&name) != 0) return "unknown system";
    return fmt::format("{} {} {}", name.sysname, name.release, name.machine);
}

} // namespace

Machine this_machine(const Program& program) {
    Machine machine;
    machine.program = program;
    machine.processor = processor_name();
    machine.system = system_name();
    machine.gpu = gpu_name();
    machine.threads = default_threads();
    machine.memory_bytes = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
    double load[1] = {0};
    if (getloadavg(load, 1) == 1) machine.load = load[0];
    machine.date = utc_now();
    return machine;
}

} // namespace sluice::bench
