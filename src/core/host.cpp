// SPDX-License-Identifier: Apache-2.0
#include "core/host.h"
#include <fstream>
#include <unistd.h>

namespace sluice {

std::string host_name() {
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

std::string boot_id() {
    std::string id;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
    return id;
}

} // namespace sluice
