// SPDX-License-Identifier: Apache-2.0
#include "io/constants_json.h"

#include "core/error.h"
#include "model/derive.h"
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace sluice {
namespace {

using Json = nlohmann::ordered_json;

template <class Choice, std::size_t Count>
using Names = std::pair<Choice, const char*>[Count];

constexpr Names<sph::KernelType, 2> kernel_names = {{sph::KernelType::cubic_spline, "cubic_spline"},
                                                    {sph::KernelType::wendland, "wendland"}};
constexpr Names<sph::Integrator, 2> integrator_names = {{sph::Integrator::verlet, "verlet"},
                                                        {sph::Integrator::symplectic, "symplectic"}};

template <class Choice, std::size_t Count>
Json name_of(Choice choice, const Names<Choice, Count>& names) {
    for (const auto& [value, name] : names)
        if (value == choice) return name;
    throw RunError("a choice without a name");
}
template <class Choice, std::size_t Count>
Choice choice_of(const Json& json, const Names<Choice, Count>& names) {
    for (const auto& [value, name] : names)
        if (json == name) return value;
    throw RunError(fmt::format("{} is no choice that this version knows", json.dump()));
}

template <class Number>
Json to_json(const Number& number) {
    return number;
}
Json to_json(sph::KernelType kernel) { return name_of(kernel, kernel_names); }
Json to_json(sph::Integrator integrator) { return name_of(integrator, integrator_names); }
Json to_json(sph::DensityDiffusion diffusion) { return static_cast<int>(diffusion); }
Json to_json(const Vec3d& v) { return {v.x, v.y, v.z}; }

template <class Number>
void from_json(const Json& json, Number& number) {
    number = json.get<Number>();
}
void from_json(const Json& json, int& number) {
    const double value = json.get<double>(); // the library converts whatever it finds
    if (!(value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max()) ||
        value != std::floor(value))
        throw RunError(fmt::format("{} is no whole number that can be here", json.dump()));
    number = static_cast<int>(value);
}
void from_json(const Json& json, sph::KernelType& kernel) { kernel = choice_of(json, kernel_names); }
void from_json(const Json& json, sph::Integrator& integrator) { integrator = choice_of(json, integrator_names); }
void from_json(const Json& json, sph::DensityDiffusion& diffusion) {
    int code = 0;
    from_json(json, code);
    if (code < 0 || code > static_cast<int>(sph::DensityDiffusion::fourtakas_full))
        throw RunError(fmt::format("density_diffusion {} is no choice that this version knows", code));
    diffusion = sph::DensityDiffusion(code);
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
