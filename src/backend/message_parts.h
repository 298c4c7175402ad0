// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/run_setup.h"
#include "ranks/message.h"
#include <string>
#include <type_traits>

// What other processes need of a run, except its particles, as messages: plain data as it is, everything else part by
// part. A folder that sends more gives for_each_part() for its types, in their namespace.

namespace sluice {

/// What a run is computed on, the first word of the message to other processes.
enum class RunsOn : std::uint8_t { cpu, gpus };

template <class T, class Bare>
concept Of = std::is_same_v<std::remove_const_t<T>, Bare>;

/// Calls `visit` with every part of what is no plain data. A part that is added to one of them does not compile before
/// it stands here, too.
template <class Visit>
void for_each_part(Of<RunSetup> auto& whole, const Visit& visit) {
    auto& [method, constants, viscosity, shift_zones, domain, period, groups, forcing, open, motions, absorbers, bodies,
           body_series, mechanisms, collisions, moorings, contact, contact_parts, rigid, normals, flexible, fluids,
           rheologies] = whole;
    visit(method, constants, viscosity, shift_zones, domain, period, groups, forcing, open, motions, absorbers, bodies,
          body_series, mechanisms, collisions, moorings, contact, contact_parts, rigid, normals, flexible, fluids,
          rheologies);
}
template <class Visit>
void for_each_part(Of<Forcing> auto& whole, const Visit& visit) {
    auto& [damping, inputs, samples, relaxation, waves, speeds, tables] = whole;
    visit(damping, inputs, samples, relaxation, waves, speeds, tables);
}
template <class Visit>
void for_each_part(Of<OpenZones> auto& whole, const Visit& visit) {
    auto& [zones, cells, points, velocities, surfaces, tables, least_determinant] = whole;
    visit(zones, cells, points, velocities, surfaces, tables, least_determinant);
}
template <class Visit>
void for_each_part(Of<VelocityTables> auto& whole, const Visit& visit) {
    auto& [tables, numbers, values] = whole;
    visit(tables, numbers, values);
}
template <class Visit>
void for_each_part(Of<Motions> auto& whole, const Visit& visit) {
    auto& [objects, segments, pieces, knots, samples] = whole;
    visit(objects, segments, pieces, knots, samples);
}
template <class Visit>
void for_each_part(Of<Mechanisms> auto& whole, const Visit& visit) {
    auto& [all, bodies, of_body, joints, rows, entry_count] = whole;
    visit(all, bodies, of_body, joints, rows, entry_count);
}
template <class Visit>
void for_each_part(Of<Moorings> auto& whole, const Visit& visit) {
    auto& [lines, connects, water, step, start, ramp, at_start] = whole;
    visit(lines, connects, water, step, start, ramp, at_start);
}
template <class Visit>
void for_each_part(Of<MooringState> auto& whole, const Visit& visit) {
    auto& [nodes, lines] = whole;
    visit(nodes, lines);
}
template <class Visit>
void for_each_part(Of<Collisions> auto& whole, const Visit& visit) {
    auto& [colliders, shapes, facets, points, edges, overlap, two_d] = whole;
    visit(colliders, shapes, facets, points, edges, overlap, two_d);
}
template <class Visit>
void for_each_part(Of<ContactParts> auto& whole, const Visit& visit) {
    auto& [parts, of_id] = whole;
    visit(parts, of_id);
}
template <class Visit>
void for_each_part(Of<FlexibleBodies> auto& whole, const Visit& visit) {
    auto& [all, clamp_id, start] = whole;
    visit(all, clamp_id, start);
}
template <class Visit>
void for_each_part(Of<RigidParticles> auto& whole, const Visit& visit) {
    auto& [begin, start, object] = whole;
    visit(begin, start, object);
}
template <class T>
constexpr bool is_list = requires(T& t) {
    t.resize(1);
};

template <class T>
void put_whole(MessageWriter& message, const T& value) {
    if constexpr (std::is_trivially_copyable_v<T>)
        message.put(value);
    else if constexpr (is_list<T>)
        message.put_all(value);
    else if constexpr (std::is_same_v<T, ParticleGroups>)
        message.put_all(value.all());
    else
        for_each_part(value, [&](const auto&... part) { (put_whole(message, part), ...); });
}

template <class T>
void get_whole(MessageReader& message, T& value) {
    if constexpr (std::is_trivially_copyable_v<T>)
        value = message.get<T>();
    else if constexpr (std::is_same_v<T, std::string>)
        value = message.get_text();
    else if constexpr (is_list<T>)
        value = message.get_all<typename T::value_type>();
    else if constexpr (std::is_same_v<T, ParticleGroups>)
        value = ParticleGroups(message.get_all<ParticleGroup>());
    else
        for_each_part(value, [&](auto&... part) { (get_whole(message, part), ...); });
}

} // namespace sluice
