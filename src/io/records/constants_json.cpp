// SPDX-License-Identifier: Apache-2.0
#include "io/records/constants_json.h"

#include "core/error.h"
#include "model/choices.h"
#include "model/derive.h"
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace sluice {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json to_json(const Value& value) {
    if constexpr (std::is_enum_v<Value>)
        return name_of(value);
    else
        return value;
}
Json to_json(const Vec3d& v) { return {v.x, v.y, v.z}; }

/// A choice by its name, or by the number of the case, which older versions wrote.
template <class Choice>
Choice choice_of_json(const Json& json) {
    for (const ChoiceRow<Choice>& row : choices<Choice>)
        if (json == row.name || (json.is_number() && json.dump() == row.word)) return row.choice;
    throw RunError(fmt::format("{} is no choice that this version knows", json.dump()));
}

template <class Value>
void from_json(const Json& json, Value& value) {
    if constexpr (std::is_enum_v<Value>)
        value = choice_of_json<Value>(json);
    else
        value = json.get<Value>();
}
void from_json(const Json& json, int& number) {
    const double value = json.get<double>(); // the library converts whatever it finds
    if (!(value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max()) ||
        value != std::floor(value))
        throw RunError(fmt::format("{} is no whole number that can be here", json.dump()));
    number = static_cast<int>(value);
}
void from_json(const Json& json, Vec3d& v) { v = {json.at(0), json.at(1), json.at(2)}; }

} // namespace

Json constants_to_json(const sph::Constants& constants) {
    Json json = Json::object();
    sph::for_each_field(constants, [&](const char* name, const auto& field) { json[name] = to_json(field); });
    return json;
}

sph::Constants constants_from_json(const Json& object) {
    sph::Constants c;
    sph::for_each_field(c, [&](const char* name, auto& field) {
        if (const auto entry = object.find(name); entry != object.end()) from_json(*entry, field);
    });
    const std::pair<const char*, double> needed[] = {{"dp", c.dp},
                                                     {"h", c.h},
                                                     {"rho0", c.rho0},
                                                     {"c0", c.c0},
                                                     {"b", c.b},
                                                     {"mass_fluid", c.mass_fluid},
                                                     {"mass_bound", c.mass_bound}};
    for (const auto& [name, value] : needed)
        if (!(value > 0)) throw RunError(fmt::format("{} is not there, or not positive", name));
    if (!object.contains("eta2")) c.eta2 = sph::eta2_of(c.h);
    return c;
}

} // namespace sluice
