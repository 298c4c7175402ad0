// SPDX-License-Identifier: Apache-2.0

// Stands in for the library of an NVIDIA driver that is too old: it knows its version, and no other function works.

#include <cstring>

namespace {

constexpr int success = 0, not_found = 500;
using Function = void (*)();

int refuse() { return not_found; }

} // namespace

extern "C" {

int cuInit(unsigned) { return success; }

int cuDriverGetVersion(int* version) {
    *version = 11040; // CUDA 11.4
    return success;
}

int cuGetProcAddress_v2(const char* name, Function* function, int, unsigned long long, int* status) {
    if (status) *status = 0;
    if (std::strcmp(name, "cuInit") == 0)
        *function = reinterpret_cast<Function>(cuInit);
    else if (std::strcmp(name, "cuDriverGetVersion") == 0)
        *function = reinterpret_cast<Function>(cuDriverGetVersion);
    else if (std::strcmp(name, "cuGetProcAddress") == 0)
        *function = reinterpret_cast<Function>(cuGetProcAddress_v2);
    else
        *function = reinterpret_cast<Function>(refuse);
    return success;
}
}
