// SPDX-License-Identifier: Apache-2.0
#include "ranks/mpi_transport.h"

#include "core/host.h"
#include "ranks/calls.h"
#include "ranks/failure_message.h"
#include "ranks/patience.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sched.h>
#include <set>
#include <thread>
#include <utility>

namespace sluice {

namespace {

std::uint64_t hash_of(const std::string& bytes, std::uint64_t hash = 0xcbf29ce484222325u) { // FNV-1a
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

std::uint64_t hash_of_program() {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    std::uint64_t hash = hash_of("");
    for (std::string part(1u << 20, '\0'); file.read(part.data(), std::ssize(part)), file.gcount() > 0;)
        hash = hash_of(part.substr(0, static_cast<std::size_t>(file.gcount())), hash);
    return hash;
}

/// Ends the process should it still be there after a while.
void end_in_any_case(int exit_code) {
    std::thread([exit_code] {
        std::this_thread::sleep_for(std::chrono::seconds(10));
        ::_exit(exit_code);
    }).detach();
}

} // namespace

/// What is under way between this rank and the others in one exchange.
struct MpiTransport::Traffic {
    struct Arrival {
        Message message;
        void* request = nullptr; ///< of the part that is coming
        int part = 0;            ///< its bytes
        bool is_done = false;
    };
    std::vector<Message> out;
    std::vector<Arrival> in;
    std::vector<void*> sends;
};

/// Where a rank is, and what it was started with.
struct MpiTransport::Place {
    std::string host, system, network;
    std::uint64_t program = 0, arguments = 0;
    cpu_set_t cores{};
};

MpiTransport::MpiTransport(const Launch& launch, const std::vector<std::string>& arguments, std::size_t part)
    : mpi_(load_mpi()), launch_(launch), part_(part), traffic_(std::make_unique<Traffic>()) {
    if (!SLUICE_HAVE_MPI)
        throw InputError(
            fmt::format("{} has started {} processes ({}), which only MPI can join, and {}; SLUICE_MPI=off "
                        "makes each of them a run of its own",
                        launch.launcher, launch.count, launch.sign, mpi_.why_none));
    if (!mpi_.calls)
        throw RunError(fmt::format("MPI on {}: {}", host_name(), mpi_.why_none)); // here, if not everywhere
    check(mpi_.calls->start(&rank_, &count_));
    is_open_ = true;
    try {
        join(arguments);
    } catch (const InputError&) { // all ranks have it
        close(exit_bad_input);
        throw;
    }
}

MpiTransport::~MpiTransport() = default;

/// Finds the other ranks, once MPI is there.
void MpiTransport::join(const std::vector<std::string>& arguments) {
    if (count_ != launch_.count)
        throw InputError(fmt::format("{} has started {} processes ({}), and {} finds {}: start them with the mpirun of "
                                     "that MPI, or with srun --mpi=pmix; SLUICE_MPI=off makes each of them a run of "
                                     "its own",
                                     launch_.launcher, launch_.count, launch_.sign, mpi_.name, count_));
    const std::vector<Place> places = introduced(arguments);
    require_one_run(places);
    connect(places);
}

/// A call of MPI has failed if this is not 0.
void MpiTransport::check(int error) {
    if (error == 0) return;
    const std::string text = mpi_.calls->error_text(error);
    for (int n = 0; n < 20; ++n) { // what has happened to the other end is the better answer
        look_for_failure();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    const auto why = std::make_exception_ptr(RunError(fmt::format("{}: {}", mpi_.name, text)));
    if (!lifeline_) std::rethrow_exception(why);
    abandon(why);
    throw RankLost();
}

/// All-gathers the places of the ranks.
std::vector<MpiTransport::Place> MpiTransport::introduced(const std::vector<std::string>& arguments) {
    Place mine{host_name(), boot_id(), network_space(), hash_of_program(), hash_of(""), {}};
    for (const std::string& argument : arguments) mine.arguments = hash_of(argument + '\n', mine.arguments);
    ::sched_getaffinity(0, sizeof mine.cores, &mine.cores);
    MessageWriter message;
    message.put_all(mine.host);
    message.put_all(mine.system);
    message.put_all(mine.network);
    message.put(mine.program);
    message.put(mine.arguments);
    message.put(mine.cores);
    std::vector<Place> places;
    for (const Message& theirs : all_gather(*this, message.take())) {
        MessageReader in(theirs);
        Place place;
        place.host = in.get_text();
        place.system = in.get_text();
        place.network = in.get_text();
        place.program = in.get<std::uint64_t>();
        place.arguments = in.get<std::uint64_t>();
        place.cores = in.get<cpu_set_t>();
        places.push_back(std::move(place));
    }
    return places;
}

/// Throws InputError, the same on all ranks.
void MpiTransport::require_one_run(const std::vector<Place>& places) const {
    for (std::size_t r = 1; r < places.size(); ++r) {
        if (places[r].program != places[0].program)
            throw InputError(fmt::format("the program of rank {} on {} is not that of rank 0 on {}: install the same "
                                         "sluice on all hosts",
                                         r, places[r].host, places[0].host));
        if (places[r].arguments != places[0].arguments)
            throw InputError(fmt::format("the command line of rank {} is not that of rank 0, and the {} processes of "
                                         "{} are ranks of one run: give all the same; SLUICE_MPI=off makes each of "
                                         "them a run of its own",
                                         r, places.size(), launch_.launcher));
    }
}

void MpiTransport::connect(const std::vector<Place>& places) {
    std::set<std::string> hosts;
    ranks_on_cores_ = 0;
    for (std::size_t r = 0; r < places.size(); ++r) {
        names_.push_back(fmt::format("rank {} on {}", r, places[r].host));
        hosts.insert(places[r].host);
        if (places[r].system != places[static_cast<std::size_t>(rank_)].system) continue;
        cpu_set_t common;
        CPU_AND(&common, &places[r].cores, &places[static_cast<std::size_t>(rank_)].cores);
        if (CPU_COUNT(&common) > 0) ++ranks_on_cores_;
    }
    hosts_ = static_cast<int>(hosts.size());
    const bool one_host = std::ranges::all_of(places, [&](const Place& p) { return p.network == places[0].network; });
    lifeline_ = std::make_unique<Lifeline>(*this, names_, one_host);
}

std::string MpiTransport::description() const {
    std::string text = fmt::format("processes that {} has started ({}), {} on {} host{}, which talk by {} through host "
                                   "memory",
                                   launch_.launcher, launch_.sign, count_, hosts_, hosts_ == 1 ? "" : "s", mpi_.name);
    if (lifeline_ && !lifeline_->missing().empty())
        text += fmt::format("; no TCP connection to {} of them, so that nobody notices when those fail",
                            lifeline_->missing().size());
    return text;
}

std::vector<Message> MpiTransport::exchange(std::vector<Message> messages) {
    if (failure_) throw RankLost();
    Traffic& traffic = *traffic_; // stays where it is if this fails on the way: MPI may still write to it
    traffic.out = std::move(messages);
    traffic.in.assign(traffic.out.size(), {});
    const auto self = static_cast<std::size_t>(rank_);
    for (std::size_t r = 0; r < traffic.out.size(); ++r) {
        if (r == self) continue;
        const Message& message = traffic.out[r];
        for (std::size_t at = 0;; at += part_) { // a part that is shorter than the others marks the end
            const std::size_t bytes = std::min(part_, message.size() - at);
            traffic.sends.push_back(nullptr);
            check(mpi_.calls->send(message.data() + at, static_cast<int>(bytes), static_cast<int>(r),
                                   &traffic.sends.back()));
            if (bytes < part_) break;
        }
    }
    traffic.in[self].message = std::move(traffic.out[self]);
    traffic.in[self].is_done = true;
    for (Patience patience; true; patience.pause()) {
        if (move(traffic)) patience.reset();
        if (traffic.sends.empty() && std::ranges::all_of(traffic.in, &Traffic::Arrival::is_done)) break;
        if (patience.has_time()) look_for_failure();
    }
    std::vector<Message> received;
    for (Traffic::Arrival& arrival : traffic.in) received.push_back(std::move(arrival.message));
    traffic.out.clear();
    return received;
}

/// Brings on what is under way; whether anything has come on.
bool MpiTransport::move(Traffic& traffic) {
    bool has_moved = false;
    for (std::size_t r = 0; r < traffic.in.size(); ++r) {
        Traffic::Arrival& arrival = traffic.in[r];
        if (arrival.is_done) continue;
        if (!arrival.request) {
            void* found = nullptr;
            check(mpi_.calls->probe(static_cast<int>(r), &found, &arrival.part));
            if (!found) continue;
            const std::size_t before = arrival.message.size();
            arrival.message.resize(before + static_cast<std::size_t>(arrival.part));
            check(mpi_.calls->receive(found, arrival.message.data() + before, arrival.part, &arrival.request));
            has_moved = true;
        }
        int is_done = 0;
        check(mpi_.calls->test(arrival.request, &is_done));
        if (!is_done) continue;
        arrival.request = nullptr;
        arrival.is_done = static_cast<std::size_t>(arrival.part) < part_;
        has_moved = true;
    }
    const auto sent = [&](void* request) {
        int is_done = 0;
        check(mpi_.calls->test(request, &is_done));
        return is_done != 0;
    };
    return std::erase_if(traffic.sends, sent) > 0 || has_moved;
}

/// Throws RankLost if another rank has said that it cannot go on, or is gone.
void MpiTransport::look_for_failure() {
    if (!lifeline_) return;
    const std::optional<Message> message = lifeline_->look();
    if (!message) return;
    const RankFailure failure = unpacked_failure(*message);
    someone_is_lost_ = failure.is_gone;
    first_is_lost_ = rank_ > 0 && failure.is_gone && !lifeline_->is_whole();
    failure_ = failure.why;
    throw RankLost();
}

void MpiTransport::abandon(std::exception_ptr why) {
    if (failure_) return;
    failure_ = why;
    const auto name = names_.empty() ? std::string("a rank") : names_[static_cast<std::size_t>(rank_)];
    const Message message = packed_failure({std::move(why), false}, name);
    if (lifeline_) lifeline_->tell(message);
    if (lifeline_ && lifeline_->missing().empty()) return;
    try {
        std::rethrow_exception(unpacked_failure(message).why);
    } catch (const std::exception& error) { // a rank cannot be reached
        std::fprintf(stderr, "error: %s\n", error.what());
        mpi_.calls->abort(exit_code(outcome_of(error)));
    }
}

void MpiTransport::close(int exit_code) {
    if (!is_open_) return;
    is_open_ = false;
    if (lifeline_) lifeline_->wait_for_end();
    if (someone_is_lost_) return; // MPI would wait for it
    end_in_any_case(exit_code);
    mpi_.calls->stop();
}

} // namespace sluice
