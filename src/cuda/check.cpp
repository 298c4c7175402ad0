// SPDX-License-Identifier: Apache-2.0
#include "cuda/check.h"

#include "core/error.h"
#include <cstdio>

namespace sluice::cuda {

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    throw RunError(std::string("GPU: ") + what + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) +
                   ")");
}

void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

std::string bytes_text(double bytes) {
    const char* units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    while (bytes >= 1000 && unit < 4) {
        bytes /= 1000;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return text;
}

} // namespace sluice::cuda
