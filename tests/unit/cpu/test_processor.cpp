// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles/processor.h"
#include "temporary_folder.h"
#include <climits>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace sluice;

namespace {

/// Groups a, a/b and a/b/c with quotas of their own.
class Quotas : public testing::Test {
protected:
    void SetUp() override { std::filesystem::create_directories(root / "a/b/c"); }
    void set(const std::string& group, const std::string& quota) const {
        std::ofstream(root / group / "cpu.max") << quota << "\n";
    }
    const TemporaryFolder folder;
    const std::filesystem::path root = folder.path();
};

} // namespace

TEST_F(Quotas, NoneLeavesAllProcessors) {
    EXPECT_EQ(processors_of_quota(root, "a/b/c"), INT_MAX);
    EXPECT_EQ(processors_of_quota(root, ""), INT_MAX);
    set("a", "max 100000");
    EXPECT_EQ(processors_of_quota(root, "a/b/c"), INT_MAX);
}

TEST_F(Quotas, TheNarrowestOfAllGroupsCounts) {
    set("a/b/c", "800000 100000");
    EXPECT_EQ(processors_of_quota(root, "a/b/c"), 8);
    set("a", "250000 100000");
    EXPECT_EQ(processors_of_quota(root, "a/b/c"), 3);
    set("a/b", "600000 100000");
    EXPECT_EQ(processors_of_quota(root, "a/b/c"), 3);
    EXPECT_EQ(processors_of_quota(root, "a/b/c/gone"), 3);
    set("", "50000 100000"); // as a container sees its own
    EXPECT_EQ(processors_of_quota(root, ""), 1);
    EXPECT_EQ(processors_of_quota(root, "a/b/c"), 1);
}

TEST(ProcessorName, IsThatOfTheSystem) {
    std::istringstream x86(
        "processor\t: 0\nvendor_id\t: A\nmodel name\t: A 9000: fast\n\nprocessor\t: 1\nmodel name\t: B\n");
    EXPECT_EQ(processor_name(x86), "A 9000: fast");
    std::istringstream arm("processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
                           "CPU part\t: 0xd05\n\nprocessor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd0a\n");
    EXPECT_EQ(processor_name(arm), "Arm processor, implementer 0x41, part 0xd05");
    std::istringstream none("processor\t: 0\n");
    EXPECT_EQ(processor_name(none), "unknown processor");
}
