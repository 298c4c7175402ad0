// SPDX-License-Identifier: Apache-2.0
#include "cpu/backend/other_ranks.h"

#include "backend/message_parts.h"
#include "core/error.h"
#include "cpu/backend/rank_part.h"
#include "cpu/backend/setup_message.h"
#include "cpu/particles/processor.h"
#include "ranks/thread_transport.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace sluice::cpu {

namespace {

class RankThreads final : public OtherRanks {
public:
    explicit RankThreads(int ranks) : ends_(make_thread_transports(ranks)) {}
    RankThreads(const RankThreads&) = delete;
    RankThreads& operator=(const RankThreads&) = delete;
    ~RankThreads() override {
        for (std::thread& other : others_) other.join();
    }

    Transport& first() override { return *ends_[0]; }

    void begin(const RunSetup& setup, const Choice& choice) override {
        try {
            for (std::size_t r = 1; r < ends_.size(); ++r)
                others_.emplace_back([setup, choice, end = ends_[r].get()] { work(setup, choice, *end); });
        } catch (const std::exception&) { // so many threads there cannot be
            ends_[0]->abandon(std::current_exception());
            throw;
        }
    }

private:
    static void work(const RunSetup& setup, const Choice& choice, Transport& end) {
        try {
            RankPart(setup, choice, end, nullptr).serve();
        } catch (...) {
            end.abandon(std::current_exception());
        }
    }

    std::vector<std::unique_ptr<Transport>> ends_; ///< of each rank
    std::vector<std::thread> others_;
};

class RankProcesses final : public OtherRanks {
public:
    explicit RankProcesses(Transport& processes) : processes_(processes) {}

    Transport& first() override { return processes_; }

    void begin(const RunSetup& setup, const Choice& choice) override {
        MessageWriter message;
        put_setup(message, setup, choice);
        all_gather(processes_, message.take());
    }

private:
    Transport& processes_;
};

/// What rank 0 has chosen, on this host.
Choice choice_here(Choice choice, const Transport& processes) {
    for (const SimdLevel& level : simd_levels())
        if (level.name == choice.simd && !level.available)
            throw InputError(fmt::format("simd: the processor of a host cannot run {} ({}), which that of rank 0 can: "
                                         "take a lower level (--simd)",
                                         level.name, level.description));
    if (!choice.threads_asked) choice.threads = std::max(1, default_threads() / processes.ranks_on_cores());
    return choice;
}

} // namespace

std::unique_ptr<OtherRanks> make_rank_threads(int ranks) { return std::make_unique<RankThreads>(ranks); }

std::unique_ptr<OtherRanks> make_rank_processes(Transport& processes) {
    return std::make_unique<RankProcesses>(processes);
}

} // namespace sluice::cpu

namespace sluice {

void serve_runs(Transport& processes, const std::atomic<int>& stop,
                const std::function<void(const Message&)>& on_gpus) {
    using namespace cpu;
    try {
        while (true) {
            const Message message = all_gather(processes, Message())[0];
            if (message.empty()) return;
            if (MessageReader(message).get<RunsOn>() == RunsOn::gpus) {
                if (!on_gpus) throw InputError("this build has no CUDA, and the run is one of GPUs");
                on_gpus(message);
            } else {
                RunSetup setup;
                Choice choice;
                get_setup(message, setup, choice);
                RankPart(setup, choice_here(choice, processes), processes, &stop).serve();
            }
            if (processes.failure()) return;
        }
    } catch (const RankLost&) { // another rank has reported why
    } catch (...) {
        processes.abandon(std::current_exception());
    }
}

void send_home(Transport& processes) {
    try {
        all_gather(processes, Message());
    } catch (const RankLost&) { // they have gone
    }
}

} // namespace sluice
