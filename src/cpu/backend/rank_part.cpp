// SPDX-License-Identifier: Apache-2.0
#include "cpu/backend/rank_part.h"

namespace sluice::cpu {

bool is_of_all_ranks(const std::exception& error) {
    const Outcome outcome = outcome_of(error);
    return outcome == Outcome::blown_up || outcome == Outcome::lost_fluid || outcome == Outcome::left_domain;
}

std::vector<Message> report(Transport& transport, Message mine) {
    std::vector<Message> messages(static_cast<std::size_t>(transport.count()));
    messages[0] = std::move(mine);
    return transport.exchange(std::move(messages));
}

/// Packs the boundary particles, then the fluid particles with the sums that a frame needs; each of them share by
/// share, after the shares themselves.
Message RankPart::state(bool with_gradients) {
    const ParticleState state = engine_->state();
    const FlowGradientSums sums = with_gradients ? engine_->flow_gradients() : FlowGradientSums();
    const OwnShares shares = engine_->own_shares();
    MessageWriter message;
    put_scalars(message, state);
    std::size_t at = 0;
    message.put_all(shares.boundary);
    for (const RowShare& share : shares.boundary) {
        put_particles(message, state, at, at + share.particles);
        at += share.particles;
    }
    const std::size_t boundary = at, width = at == state.size() ? 0 : sums.size() / (state.size() - boundary);
    message.put_all(shares.fluid);
    for (const RowShare& share : shares.fluid) {
        put_particles(message, state, at, at + share.particles);
        message.put(width * share.particles);
        message.put(sums.data() + width * (at - boundary), width * share.particles);
        at += share.particles;
    }
    return message.take();
}

/// Rates of boundary particles, then of fluid particles, as in a state.
Message RankPart::rates() {
    std::vector<Vec3f> acceleration;
    std::vector<float> density;
    engine_->rates(acceleration, density);
    const OwnShares shares = engine_->own_shares();
    MessageWriter message;
    std::size_t at = 0;
    for (const std::vector<RowShare>* kind : {&shares.boundary, &shares.fluid}) {
        message.put_all(*kind);
        for (const RowShare& share : *kind) {
            message.put(std::size_t(share.particles));
            message.put(acceleration.data() + at, share.particles);
            message.put(std::size_t(share.particles));
            message.put(density.data() + at, share.particles);
            at += share.particles;
        }
    }
    return message.take();
}

/// Its share with so many particles, for rank 0.
RankShare RankPart::share(std::uint32_t particles) const {
    return {particles, engine_->phase_seconds().interaction, timed_.seconds(), engine_->memory_bytes()};
}

Message RankPart::perform(Call call, MessageReader& in) {
    MessageWriter out;
    switch (call) {
    case Call::set_state: {
        ParticleState state;
        get_scalars(in, state);
        if (!in.at_end()) get_particles(in, state);
        engine_->set_state(state);
        std::uint32_t particles = 0;
        const OwnShares own = engine_->own_shares();
        for (const std::vector<RowShare>* kind : {&own.boundary, &own.fluid})
            for (const RowShare& part : *kind) particles += part.particles;
        out.put(share(particles));
        break;
    }
    case Call::advance: {
        const auto report = engine_->advance(in.get<AdvanceLimits>());
        out.put(report);
        out.put(share(report.particles));
        out.put(stop_ ? stop_->load() : 0);
        break;
    }
    case Call::next_time_step: out.put(engine_->next_time_step()); break;
    case Call::state: return state(false);
    case Call::frame: return state(in.get<bool>());
    case Call::rates: return rates();
    case Call::take_excluded: out.put_all(engine_->take_excluded()); break;
    case Call::take_passed: out.put_all(engine_->take_passed()); break;
    case Call::leave: break;
    }
    return out.take();
}

void RankPart::serve() {
    try {
        serve_calls(transport_, is_of_all_ranks,
                    [this](Call call, MessageReader& in) { report(transport_, perform(call, in)); });
    } catch (const RankLost&) { // another rank has reported why
    } catch (...) {
        transport_.abandon(std::current_exception());
    }
}

} // namespace sluice::cpu
