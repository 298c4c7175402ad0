// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/fields.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// A single number of the fluid: a field that is one, a component of a vector, or its length.
struct FluidValue {
    Field field = Field::pressure;
    int component = length; ///< of a vector, 0 to 2

    static constexpr int length = -1;

    /// Of the field's components at a point.
    double of(const std::vector<double>& components) const {
        if (components.size() == 1) return components[0];
        if (component != length) return components[static_cast<std::size_t>(component)];
        return norm(Vec3d{components[0], components[1], components[2]});
    }
};

/// A value with its name ("speed", "vx", "pressure") and its unit.
struct NamedFluidValue {
    std::string name;
    std::string_view unit;
    FluidValue value;
};

/// All values that fluid particles can have, in the order of the table of fields: of a vector its length, then its
/// components.
inline std::vector<NamedFluidValue> fluid_values() {
    std::vector<NamedFluidValue> values;
    for (const FieldInfo& info : particle_fields) {
        if (is_of_boundary(info)) continue;
        values.push_back({std::string(info.magnitude), info.unit, {info.field, FluidValue::length}});
        for (int k = 0; k < components_of(info) && components_of(info) > 1; ++k)
            values.push_back({std::string(info.columns[static_cast<std::size_t>(k)]), info.unit, {info.field, k}});
    }
    return values;
}

} // namespace sluice
