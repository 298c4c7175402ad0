// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>

// Runs a fuzz target over the files of its corpus, without a fuzzer: a crash, an exception that it does not expect, or
// more memory than any of these small inputs should take fails the test.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
    int count = 0;
    for (int n = 1; n < argc; ++n)
        for (const auto& entry : std::filesystem::directory_iterator(argv[n])) {
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(file), {}};
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
            ++count;
        }
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    constexpr long most_memory = 1500 << 10; // KiB
    std::printf("%d inputs, %ld KiB of memory\n", count, used.ru_maxrss);
    return count > 0 && used.ru_maxrss < most_memory ? 0 : 1;
}
