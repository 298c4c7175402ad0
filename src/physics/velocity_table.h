// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/velocity_table.h"
#include "physics/math.h"

namespace sluice {

/// VelocityTables by pointers, on the host or on a device.
struct VelocityTablesView {
    const VelocityTable* tables = nullptr;
    const double* numbers = nullptr;
    const float* values = nullptr;
};

inline VelocityTablesView view_of(const VelocityTables& t) {
    return {t.tables.data(), t.numbers.data(), t.values.data()};
}

inline namespace SLUICE_ISA {

namespace velocity_table {

/// Between which two of some ascending entries a number lies, and how far it is from the lower one to the upper one;
/// beyond the ends the last one counts.
struct Between {
    int low = 0, high = 0;
    double share = 0;
};

SLUICE_HD inline Between between(const double* entries, int count, double number) {
    int low = 0, high = count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (entries[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    if (low == count - 1 || number <= entries[low]) return {low, low, 0};
    return {low, low + 1, (number - entries[low]) / (entries[low + 1] - entries[low])};
}

SLUICE_HD inline Between between_equal(double first, double step, int count, double number) {
    const double s = (number - first) / step;
    if (!(s > 0)) return {0, 0, 0};
    if (s >= count - 1) return {count - 1, count - 1, 0};
    const int low = static_cast<int>(s);
    return {low, low + 1, s - low};
}

SLUICE_HD inline double mix(double a, double b, double share) { return a + share * (b - a); }

} // namespace velocity_table

/// The velocity (m/s) at a place and a time: linear along x, z and t, and that of the nearest place or time beyond
/// those of the table. It has no y.
SLUICE_HD inline Vec3d velocity_in(const VelocityTablesView& view, const VelocityTable& table, double x, double z,
                                   double time) {
    using namespace velocity_table;
    const Between t = between(view.numbers + table.first_time, table.time_count, time);
    const Between at = between(view.numbers + table.first_x, table.x_count, x);
    const Between up = between_equal(table.z, table.z_step, table.z_count, z);
    const int width = table.has_z ? 2 : 1;
    Vec3d v;
    for (int k = 0; k < width; ++k) {
        const auto value = [&](int n, int i, int j) {
            return double(view.values[table.first_value + ((n * table.x_count + i) * table.z_count + j) * width + k]);
        };
        const auto upright = [&](int n, int i) { return mix(value(n, i, up.low), value(n, i, up.high), up.share); };
        const auto at_time = [&](int n) { return mix(upright(n, at.low), upright(n, at.high), at.share); };
        (k == 0 ? v.x : v.z) = mix(at_time(t.low), at_time(t.high), t.share);
    }
    return v;
}

} // namespace SLUICE_ISA
} // namespace sluice
