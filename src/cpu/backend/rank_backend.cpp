// SPDX-License-Identifier: Apache-2.0
#include "cpu/backend/rank_backend.h"

#include "cpu/backend/rank_part.h"

#include <algorithm>
#include <tuple>

namespace sluice::cpu {

namespace {

class RankBackend final : public Backend {
public:
    RankBackend(const RunSetup& setup, const Choice& choice, std::unique_ptr<OtherRanks> others, std::atomic<int>* stop)
        : setup_(setup), others_(std::move(others)), stop_(stop), transport_(others_->first()),
          first_(setup, choice, transport_, nullptr), call_(transport_, is_of_all_ranks) {
        others_->begin(setup, choice);
    }
    BackendInfo info() const override {
        BackendInfo info = first_.engine().info();
        info.ranks = transport_.count();
        info.rank_shares = shares_;
        return info;
    }

    void set_state(const ParticleState& state) override {
        MessageWriter message = message_of(Call::set_state), mine = message;
        put_scalars(mine, state);
        put_particles(mine, state, 0, state.size());
        ParticleState begun; // this rank scatters its particles to the others, and has the work done so far
        for_each_state_number([](const char*, const auto& from, auto& to) { to = from; }, state, begun);
        begun.bodies = state.bodies;
        begun.absorbers = state.absorbers;
        begun.moorings = state.moorings;
        begun.work = {};
        put_scalars(message, begun);
        shares_.clear();
        for (const Message& answer : all(message.take(), mine.take()))
            shares_.push_back(MessageReader(answer).get<RankShare>());
    }

    AdvanceReport advance(const AdvanceLimits& limits) override {
        MessageWriter message = message_of(Call::advance);
        message.put(limits);
        const std::vector<Message> answers = all(message.take());
        AdvanceReport report = MessageReader(answers[0]).get<AdvanceReport>();
        report.particles = 0;
        shares_.clear();
        for (const Message& answer : answers) {
            MessageReader in(answer);
            report.particles += in.get<AdvanceReport>().particles;
            shares_.push_back(in.get<RankShare>());
            take_stop(in.get<int>());
        }
        return report;
    }

    double next_time_step() override {
        return MessageReader(all(message_of(Call::next_time_step).take())[0]).get<double>();
    }

    ParticleState state() override { return joined(all(message_of(Call::state).take()), nullptr); }

    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override {
        const bool with_gradients = !wanted.from(FieldSource::neighbours).empty();
        FlowGradientSums sums;
        MessageWriter message = message_of(Call::frame);
        message.put(with_gradients);
        ParticleState now = joined(all(message.take()), &sums);
        return std::make_unique<StateFrame>(std::move(now), setup_, std::move(sums), wanted, bodies());
    }

    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override {
        const std::vector<Message> answers = all(message_of(Call::rates).take());
        std::vector<MessageReader> in(answers.begin(), answers.end());
        acceleration.clear();
        density_rate.clear();
        for (int kind = 0; kind < 2; ++kind)
            for (MessageReader* answer : in_turn(in)) {
                const auto a = answer->get_all<Vec3f>();
                const auto d = answer->get_all<float>();
                acceleration.insert(acceleration.end(), a.begin(), a.end());
                density_rate.insert(density_rate.end(), d.begin(), d.end());
            }
    }

    std::vector<BodyReport> bodies() const override { return first_.engine().bodies(); }

    std::vector<ExcludedParticle> take_excluded() override {
        auto excluded = of_all<ExcludedParticle>(Call::take_excluded);
        std::ranges::sort(excluded, {}, [](const ExcludedParticle& p) { return std::tuple(p.step, p.time, p.id); });
        return excluded;
    }

    std::vector<ZonePassage> take_passed() override {
        if (!setup_.open.any()) return {};
        auto passed = of_all<ZonePassage>(Call::take_passed);
        std::ranges::sort(passed, {}, [](const ZonePassage& p) { return std::tuple(p.step, p.entered, p.id); });
        return passed;
    }

    PhaseSeconds phase_seconds() const override { return first_.engine().phase_seconds(); }
    std::size_t memory_bytes() const override {
        std::size_t bytes = 0;
        for (const RankShare& share : shares_) bytes += share.memory;
        return bytes;
    }

private:
    /// Another rank received a signal to stop.
    void take_stop(int signal) {
        int none = 0;
        if (stop_ && signal != 0) stop_->compare_exchange_strong(none, signal);
    }

    /// Lets all ranks make a call; returns the answer of each.
    std::vector<Message> all(const Message& message) { return all(message, message); }
    std::vector<Message> all(const Message& message, const Message& mine) {
        return call_(message, [&] {
            MessageReader in(mine);
            const auto call = in.get<Call>();
            return report(transport_, first_.perform(call, in));
        });
    }

    /// The lists that all ranks return for a call, one after the other.
    template <class T>
    std::vector<T> of_all(Call what) {
        std::vector<T> list;
        for (const Message& answer : all(message_of(what).take())) {
            const auto theirs = MessageReader(answer).get_all<T>();
            list.insert(list.end(), theirs.begin(), theirs.end());
        }
        return list;
    }

    /// The ranks whose answers hold the shares of the particles, in the order of the rows of cells.
    static std::vector<MessageReader*> in_turn(std::vector<MessageReader>& answers) {
        std::vector<std::pair<std::uint32_t, MessageReader*>> turns;
        for (MessageReader& answer : answers)
            for (const RowShare& share : answer.get_all<RowShare>()) turns.emplace_back(share.row, &answer);
        std::ranges::stable_sort(turns, {}, [](const auto& turn) { return turn.first; });
        std::vector<MessageReader*> order;
        order.reserve(turns.size());
        for (const auto& [row, answer] : turns) order.push_back(answer);
        return order;
    }

    /// The state of the run from those of the ranks: the boundary particles of all, then the fluid.
    static ParticleState joined(const std::vector<Message>& answers, FlowGradientSums* sums) {
        std::vector<MessageReader> in(answers.begin(), answers.end());
        ParticleState state;
        WorkCounts work;
        for (std::size_t r = in.size(); r-- > 0;) {
            get_scalars(in[r], state); // those of rank 0, as of all
            work = work + state.work;  // but for what each has done
        }
        state.work = work;
        for (MessageReader* answer : in_turn(in)) get_particles(*answer, state);
        for (MessageReader* answer : in_turn(in)) {
            get_particles(*answer, state);
            const auto theirs = answer->get_all<float>();
            if (sums) sums->insert(sums->end(), theirs.begin(), theirs.end());
        }
        return state;
    }

    RunSetup setup_;
    std::unique_ptr<OtherRanks> others_;
    std::atomic<int>* stop_;
    Transport& transport_;
    RankPart first_;
    std::vector<RankShare> shares_; ///< as they were at the last advance or new state
    Caller call_;                   ///< goes first: the others leave
};

} // namespace

std::unique_ptr<Backend> make_rank_backend(const RunSetup& setup, const Choice& choice,
                                           std::unique_ptr<OtherRanks> others, std::atomic<int>* stop) {
    return std::make_unique<RankBackend>(setup, choice, std::move(others), stop);
}

} // namespace sluice::cpu
