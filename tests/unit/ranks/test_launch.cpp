// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "ranks/failure_message.h"
#include "ranks/launch.h"
#include "ranks/mpi_library.h"
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <new>
#include <string>

using namespace sluice;

namespace {

constexpr const char* all_variables[] = {"OMPI_COMM_WORLD_SIZE",
                                         "OMPI_COMM_WORLD_RANK",
                                         "MV2_COMM_WORLD_SIZE",
                                         "MV2_COMM_WORLD_RANK",
                                         "PMI_SIZE",
                                         "PMI_RANK",
                                         "SLURM_STEP_NUM_TASKS",
                                         "SLURM_PROCID",
                                         "SLUICE_MPI"};

Launch launch_with(const std::map<std::string, std::string>& variables) {
    for (const char* name : all_variables) ::unsetenv(name);
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
    return find_launch();
}

} // namespace

TEST(Launch, IsFoundByTheVariablesOfEachLauncher) {
    const Launch mpirun = launch_with({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "2"}});
    EXPECT_EQ(mpirun.launcher, "mpirun");
    EXPECT_EQ(mpirun.sign, "OMPI_COMM_WORLD_SIZE=4");
    EXPECT_EQ(mpirun.rank, 2);
    EXPECT_EQ(mpirun.count, 4);
    EXPECT_EQ(launch_with({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}}).launcher, "mpiexec");
    EXPECT_EQ(launch_with({{"SLURM_STEP_NUM_TASKS", "3"}, {"SLURM_PROCID", "1"}}).launcher, "srun");
    // mpirun in a job of Slurm: srun has started one helper a host
    EXPECT_EQ(launch_with({{"OMPI_COMM_WORLD_SIZE", "8"},
                           {"OMPI_COMM_WORLD_RANK", "7"},
                           {"SLURM_STEP_NUM_TASKS", "2"},
                           {"SLURM_PROCID", "1"}})
                  .count,
              8);
}

TEST(Launch, OfOneProcessOrOfRunsOfTheirOwnIsNone) {
    EXPECT_EQ(launch_with({}).count, 1);
    EXPECT_EQ(launch_with({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}}).launcher, "");
    EXPECT_EQ(launch_with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}).count, 1); // a job script, without srun
    EXPECT_EQ(launch_with({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}, {"SLUICE_MPI", "off"}}).count, 1);
    EXPECT_EQ(launch_with({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}, {"SLUICE_MPI", "on"}}).count, 3);
    EXPECT_THROW(launch_with({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}, {"SLUICE_MPI", "no"}}), InputError);
}

TEST(FailureMessage, KeepsWhatWentWrongAndWhere) {
    const auto told = [](const std::exception_ptr& why) {
        const RankFailure failure = unpacked_failure(packed_failure({why, true}, "rank 2 on node7"));
        EXPECT_TRUE(failure.is_gone);
        try {
            std::rethrow_exception(failure.why);
        } catch (const std::exception& error) {
            return std::pair(std::string(error.what()), outcome_of(error));
        }
    };
    EXPECT_EQ(told(std::make_exception_ptr(RunError("disk full", Outcome::output_failed))),
              std::pair(std::string("rank 2 on node7: disk full"), Outcome::output_failed));
    EXPECT_EQ(told(std::make_exception_ptr(std::bad_alloc())),
              std::pair(std::string("rank 2 on node7: out of memory"), Outcome::out_of_memory));
    EXPECT_EQ(told(std::make_exception_ptr(InputError("case.xml:3: wrong"))),
              std::pair(std::string("case.xml:3: wrong"), Outcome::bad_input));
}

TEST(MpiLibrary, IsNamedInOneLine) {
    const MpiLibrary mpi = load_mpi();
    if (!mpi.calls) GTEST_SKIP() << mpi.why_none;
    const std::string whole = mpi.calls->library();
    EXPECT_EQ(mpi.name, whole.substr(0, mpi.name.size()));
    EXPECT_GE(mpi.name.size(), std::min<std::size_t>(whole.size(), 3));
    EXPECT_EQ(mpi.name.find_first_of(",\n\t"), std::string::npos);
}
