// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ranks/launch.h"
#include "ranks/lifeline.h"
#include "ranks/mpi_library.h"
#include "ranks/transport.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// Between processes that a launcher has started, by MPI: each is a rank. Data go through host memory. A rank that
/// waits lets others have its core, and looks at a lifeline: no one waits for a rank that is gone.
class MpiTransport final : public Transport {
public:
    /// The longest part of a message that MPI is given at once, bytes: its counts are ints.
    static constexpr std::size_t largest_part = std::size_t(1) << 30;

    /// Starts MPI and finds the other ranks. `arguments`: those of the program, which must be the same everywhere.
    /// Throws InputError where the processes cannot be the ranks of one run,
    /// the same on all; RunError where MPI fails here.
    MpiTransport(const Launch& launch, const std::vector<std::string>& arguments, std::size_t part = largest_part);
    MpiTransport(const MpiTransport&) = delete;
    MpiTransport& operator=(const MpiTransport&) = delete;
    ~MpiTransport() override;

    int rank() const override { return rank_; }
    int count() const override { return count_; }
    std::vector<Message> exchange(std::vector<Message> messages) override;
    void abandon(std::exception_ptr why) override;
    std::exception_ptr failure() const override { return failure_; }
    std::string description() const override;
    int ranks_on_cores() const override { return ranks_on_cores_; }

    /// Ends MPI, the last thing that a process does, with the exit code that it is about to return: where MPI does not
    /// come back, the process ends all the same. All ranks; the others wait until rank 0 has come here.
    void close(int exit_code);
    /// Whether rank 0 is no more, so that another has to say why the run has ended.
    bool first_is_lost() const { return first_is_lost_; }

private:
    struct Traffic;
    struct Place;
    void check(int error);
    void join(const std::vector<std::string>& arguments);
    std::vector<Place> introduced(const std::vector<std::string>& arguments);
    void require_one_run(const std::vector<Place>& places) const;
    void connect(const std::vector<Place>& places);
    bool move(Traffic& traffic);
    void look_for_failure();

    MpiLibrary mpi_;
    Launch launch_;
    std::size_t part_;
    int rank_ = 0, count_ = 1, hosts_ = 1, ranks_on_cores_ = 1;
    std::vector<std::string> names_; ///< of the ranks, with their hosts
    std::unique_ptr<Traffic> traffic_;
    std::unique_ptr<Lifeline> lifeline_;
    std::exception_ptr failure_;
    bool is_open_ = false, first_is_lost_ = false, someone_is_lost_ = false;
};

} // namespace sluice
