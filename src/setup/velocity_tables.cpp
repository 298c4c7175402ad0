// SPDX-License-Identifier: Apache-2.0
#include "setup/velocity_tables.h"

#include "case/expression.h"
#include "setup/layered_velocity.h"
#include "setup/number_rows.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

constexpr double most_values = 1e8; ///< of a table: what indices and memory are worth

void require_countable(const SourceLocation& where, double values) {
    if (!(values < most_values))
        throw InputError(where, fmt::format("{:g} velocities are more than memory is worth, at most {:g}: give fewer "
                                            "times or places",
                                            values, most_values));
}

/// The words of a line between semicolons or commas.
std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    for (const char c : line)
        if (c == ';' || c == ',')
            fields.emplace_back();
        else
            fields.back() += c;
    for (std::string& field : fields) field = std::string(trim(field));
    return fields;
}

/// The second line of a grid's file.
VelocityTable read_grid_head(const std::filesystem::path& file, const std::vector<std::string>& lines,
                             double steps[2]) {
    if (fields_of(lines[0]) !=
        std::vector<std::string>{"fmtversion", "grid_dpx", "grid_dpz", "grid_nx", "grid_nz", "vars"})
        throw InputError({file.string(), 1}, "the first line of velocities on a grid is "
                                             "fmtversion;grid_dpx;grid_dpz;grid_nx;grid_nz;vars");
    const SourceLocation where{file.string(), 2};
    const std::vector<std::string> values = fields_of(lines[1]);
    if (values.size() != 6)
        throw InputError(where, fmt::format("the second line has {} values, the first names 6: give one for each, with "
                                            "points in numbers, as 0.5",
                                            values.size()));
    const auto number = [&](std::size_t k) {
        try {
            return parse_number(values[k]);
        } catch (const InputError& e) {
            throw InputError(where, e.what());
        }
    };
    if (number(0) != 1) throw InputError(where, fmt::format("fmtversion {} is not known, only 1", values[0]));
    steps[0] = number(1);
    steps[1] = number(2);
    const double nx = number(3), nz = number(4);
    if (!(steps[0] > 0 && steps[1] > 0) || !(nx >= 1 && nz >= 1) || nx != std::floor(nx) || nz != std::floor(nz))
        throw InputError(where, fmt::format("a grid of {} x {} points, {} and {} m apart: counts are whole and steps "
                                            "above 0",
                                            values[3], values[4], values[1], values[2]));
    if (values[5] != "velx" && values[5] != "velx velz")
        throw InputError(where, fmt::format("vars \"{}\" is neither velx nor velx velz", values[5]));
    require_countable(where, nx * nz);
    VelocityTable table;
    table.x_count = static_cast<int>(nx);
    table.z_count = static_cast<int>(nz);
    table.z_step = steps[1];
    table.has_z = values[5] == "velx velz";
    return table;
}

void start_table(VelocityTable& table, const std::vector<double>& times, const std::vector<double>& places,
                 VelocityTables& out) {
    table.first_time = static_cast<int>(out.numbers.size());
    table.time_count = static_cast<int>(times.size());
    out.numbers.insert(out.numbers.end(), times.begin(), times.end());
    table.first_x = static_cast<int>(out.numbers.size());
    table.x_count = static_cast<int>(places.size());
    out.numbers.insert(out.numbers.end(), places.begin(), places.end());
    table.first_value = static_cast<int>(out.values.size());
}

/// The files of one component of external waves, by ascending x, with the same times.
std::vector<LayeredVelocity> read_columns(const Case& definition, const RelaxationDef& def,
                                          const std::vector<std::string>& files) {
    std::vector<LayeredVelocity> columns;
    for (const std::string& name : files) {
        columns.push_back(read_layered_velocity(definition.data_folder / name, def.where));
        columns.back().x += def.external->move.x;
        const auto &now = columns.back().rows, &first = columns.front().rows;
        if (!std::ranges::equal(now, first, {}, &LayeredVelocity::Row::time, &LayeredVelocity::Row::time))
            throw InputError(def.where, fmt::format("{} has other times than {}: the files of a zone have the same",
                                                    name, files.front()));
    }
    std::ranges::sort(columns, {}, &LayeredVelocity::x);
    for (std::size_t k = 1; k < columns.size(); ++k)
        if (!(columns[k].x > columns[k - 1].x))
            throw InputError(def.where, fmt::format("two files of the zone have the same x, {} m", columns[k].x));
    return columns;
}

/// The speeds of a row at equal steps from `z` up, each the mean of those around it.
std::vector<double> key_speeds(const LayeredVelocity::Row& row, const VelocityTable& table, double raised, int smooth) {
    std::vector<double> raw, made;
    for (int k = 0; k < table.z_count; ++k) raw.push_back(row.at(table.z + k * table.z_step - raised));
    for (int k = 0; k < table.z_count; ++k) {
        const int low = std::max(0, k - smooth), high = std::min(table.z_count - 1, k + smooth);
        double sum = 0;
        for (int n = low; n <= high; ++n) sum += raw[static_cast<std::size_t>(n)];
        made.push_back(sum / (high - low + 1));
    }
    return made;
}

/// The mean current that waves carry, m/s: of the flow above the bottom over the depth, over time and columns.
double drift_of(const std::vector<LayeredVelocity>& columns, const RelaxationDef& def) {
    const double bottom = def.zone.still - def.zone.depth - def.external->move.z;
    double flow = 0, span = 0;
    for (const LayeredVelocity& column : columns)
        for (std::size_t n = 1; n < column.rows.size(); ++n) {
            const auto &before = column.rows[n - 1], &now = column.rows[n];
            if (before.time < def.external->ignored) continue;
            const double step = now.time - before.time;
            flow += 0.5 * step * (before.flow_above(bottom) + now.flow_above(bottom));
            span += step;
        }
    return span > 0 ? flow / (span * def.zone.depth) : 0;
}

} // namespace

int add_velocity_grid(const Case& definition, const OpenZoneDef& zone, VelocityTables& out) {
    const std::filesystem::path file = definition.data_folder / zone.grid_file;
    double steps[2];
    VelocityTable table = read_grid_head(file, first_lines(file, zone.where, 2), steps);
    const auto points = static_cast<std::size_t>(table.x_count) * static_cast<std::size_t>(table.z_count);
    const std::size_t width = points * static_cast<std::size_t>(table.components());
    std::vector<double> times, places;
    std::vector<float> values;
    for (const auto& [where, row] :
         read_number_rows(file, zone.where, {.least = 1 + static_cast<int>(width), .titles = 4})) {
        if (!times.empty() && !(row[0] > times.back()))
            throw InputError(where, fmt::format("the time {} does not come after that of the row before ({})", row[0],
                                                times.back()));
        times.push_back(row[0]);
        require_countable(where, double(times.size()) * double(width));
        for (std::size_t k = 0; k < points; ++k)
            for (std::size_t c = 0; c < width / points; ++c)
                values.push_back(static_cast<float>(row[1 + c * points + k]));
    }
    if (times.empty()) throw InputError(zone.where, fmt::format("the file {} has no velocities", zone.grid_file));
    for (int k = 0; k < table.x_count; ++k) places.push_back(zone.grid_corner.x + k * steps[0]);
    table.z = zone.grid_corner.z;
    start_table(table, times, places, out);
    out.values.insert(out.values.end(), values.begin(), values.end());
    out.tables.push_back(table);
    return static_cast<int>(out.tables.size()) - 1;
}

void add_external_waves(const Case& definition, const RelaxationDef& def, RelaxationZone& zone, VelocityTables& out) {
    const ExternalWaves& waves = *def.external;
    std::vector<std::vector<LayeredVelocity>> components{read_columns(definition, def, waves.files_x)};
    if (!waves.files_z.empty()) {
        components.push_back(read_columns(definition, def, waves.files_z));
        if (!std::ranges::equal(components[0], components[1], {}, &LayeredVelocity::x, &LayeredVelocity::x) ||
            !std::ranges::equal(components[0][0].rows, components[1][0].rows, {}, &LayeredVelocity::Row::time,
                                &LayeredVelocity::Row::time))
            throw InputError(def.where, "the files of the velocities along x and z have other places or times");
    }
    double low = 1e300, high = -1e300;
    std::vector<double> times, places;
    for (const LayeredVelocity& column : components[0]) {
        places.push_back(column.x);
        for (const LayeredVelocity::Row& row : column.rows) {
            low = std::min(low, row.z.front() + waves.move.z);
            high = std::max(high, row.z.back() + waves.move.z);
        }
    }
    for (const LayeredVelocity::Row& row : components[0][0].rows) times.push_back(row.time);
    VelocityTable table;
    table.z = low;
    table.z_step = waves.step;
    const double keys = std::ceil((high - low) / waves.step - 1e-9) + 1;
    require_countable(def.where, keys * double(times.size()) * double(places.size()) * double(components.size()));
    table.z_count = static_cast<int>(keys);
    table.has_z = components.size() == 2;
    start_table(table, times, places, out);
    for (std::size_t n = 0; n < times.size(); ++n)
        for (std::size_t i = 0; i < places.size(); ++i) {
            std::vector<std::vector<double>> speeds;
            for (const auto& columns : components)
                speeds.push_back(key_speeds(columns[i].rows[n], table, waves.move.z, waves.smooth));
            for (std::size_t k = 0; k < speeds[0].size(); ++k)
                for (const std::vector<double>& component : speeds)
                    out.values.push_back(static_cast<float>(component[k]));
        }
    zone.table_index = static_cast<int>(out.tables.size());
    if (def.drift > 0) zone.current = -def.drift * drift_of(components[0], def);
    out.tables.push_back(table);
}

VelocityTables relative_to(VelocityTables tables, const Vec3d& origin) {
    for (VelocityTable& table : tables.tables) {
        table.z -= origin.z;
        for (int k = 0; k < table.x_count; ++k) tables.numbers[static_cast<std::size_t>(table.first_x + k)] -= origin.x;
    }
    return tables;
}

} // namespace sluice
