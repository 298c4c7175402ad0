// SPDX-License-Identifier: Apache-2.0
#include "core/host.h"
#include <gtest/gtest.h>
#include <sys/utsname.h>

TEST(Host, HasTheNameThatTheSystemKnows) {
    utsname system{};
    ASSERT_EQ(uname(&system), 0);
    EXPECT_EQ(sluice::host_name(), system.nodename);
}

TEST(Host, IsTheSameSystemUntilItIsStartedAnew) {
    EXPECT_EQ(sluice::boot_id(), sluice::boot_id());
#ifdef __linux__
    EXPECT_EQ(sluice::boot_id().size(), 36U);
#endif
}
