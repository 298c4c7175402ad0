// SPDX-License-Identifier: Apache-2.0
#include "backend/state_message.h"

#include <type_traits>

namespace sluice {

void put_scalars(MessageWriter& message, const ParticleState& s) {
    for_each_state_number([&](const char*, const auto& number) { message.put(number); }, s);
    message.put_all(s.bodies);
    message.put_all(s.absorbers);
    message.put_all(s.moorings.nodes);
    message.put_all(s.moorings.lines);
}

void get_scalars(MessageReader& message, ParticleState& s) {
    for_each_state_number(
        [&](const char*, auto& number) { number = message.get<std::remove_reference_t<decltype(number)>>(); }, s);
    s.bodies = message.get_all<BodyState>();
    s.absorbers = message.get_all<AbsorberState>();
    s.moorings.nodes = message.get_all<MooringNode>();
    s.moorings.lines = message.get_all<LineState>();
}

void put_particles(MessageWriter& message, const ParticleState& state, std::size_t begin, std::size_t end) {
    message.put(end - begin);
    for_each_particle_array([&](const char*, const auto& array) { message.put(array.data() + begin, end - begin); },
                            state);
}

void get_particles(MessageReader& message, ParticleState& state) {
    const auto count = message.get<std::size_t>();
    const auto append = [&](const char*, auto& array) {
        const std::size_t before = array.size();
        array.resize(before + count);
        message.get(array.data() + before, count);
    };
    for_each_particle_array(append, state);
}

void put_state(MessageWriter& message, const ParticleState& state) {
    put_scalars(message, state);
    put_particles(message, state, 0, state.size());
    message.put_all(state.section.owner);
    message.put_all(state.section.bytes);
}

ParticleState get_state(MessageReader& message) {
    ParticleState state;
    get_scalars(message, state);
    get_particles(message, state);
    state.section.owner = message.get_text();
    state.section.bytes = message.get_all<std::byte>();
    return state;
}

} // namespace sluice
