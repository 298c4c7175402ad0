// SPDX-License-Identifier: Apache-2.0
#include "ranks/mpi_transport.h"
#include "unit/ranks/transport_contract.h"
#include <chrono>
#include <ctime>
#include <thread>

// One rank of the tests of MpiTransport: to be started by mpirun. All ranks run the same tests in the same order.

using namespace sluice;
using namespace sluice::transport_contract;

namespace {

constexpr std::size_t part = 1000; // of a message, bytes: so short that there are many
MpiTransport* transport = nullptr;

double processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

} // namespace

TEST(MpiTransport, BringsEveryoneWhatWasSentToHimInTheOrderOfTheRanks) {
    brings_everyone_what_was_sent_in_the_order_of_the_ranks(*transport);
    brings_messages_of_any_length(*transport, part);
}

TEST(MpiTransport, CombinesInTheOrderOfTheRanksOnAll) { combines_in_the_order_of_the_ranks_on_all(*transport); }

TEST(MpiTransport, KnowsWhereTheRanksAre) {
    EXPECT_GT(transport->count(), 1);
    EXPECT_GE(transport->ranks_on_cores(), 1);
    EXPECT_NE(transport->description().find("OMPI_COMM_WORLD_SIZE"), std::string::npos);
    EXPECT_EQ(transport->description().find("no TCP"), std::string::npos);
}

TEST(MpiTransport, LeavesTheCoreToOthersWhileItWaits) {
    using namespace std::chrono_literals;
    all_gather(*transport, {});
    const double before = processor_seconds();
    if (transport->rank() == 0) std::this_thread::sleep_for(2s);
    all_gather(*transport, {});
    EXPECT_LT(processor_seconds() - before, 1); // of two seconds of waiting
}

TEST(MpiFailure, NobodyWaitsForOneThatHasFailed) {
    nobody_waits_for_one_that_has_failed(*transport,
                                         std::make_exception_ptr(RunError("disk full", Outcome::output_failed)));
    if (transport->rank() == 1) return;
    try {
        std::rethrow_exception(transport->failure());
    } catch (const RunError& error) {
        EXPECT_EQ(error.outcome(), Outcome::output_failed);
        EXPECT_TRUE(std::string(error.what()).starts_with("rank 1 on ")) << error.what();
        EXPECT_TRUE(std::string(error.what()).ends_with(": disk full")) << error.what();
    }
}

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    MpiTransport ranks(find_launch(), {}, part);
    transport = &ranks;
    const int failed = RUN_ALL_TESTS();
    ranks.close(failed);
    return failed;
}
