// SPDX-License-Identifier: Apache-2.0
#include "app/moorings/line_sampler.h"

#include "io/files/file.h"
#include <fmt/format.h>

namespace sluice {

namespace {

constexpr const char* ends[2] = {"first", "second"};

SampleClock clock_of(const LineTables& given, const SampleClock& frames) {
    if (given.interval >= 0) return SampleClock(given.interval, given.start, given.end);
    return frames;
}

std::string end_text(const LineEndDef& end) {
    if (end.hold == LineHold::body) return fmt::format("mkbound {}", end.mkbound);
    return end.hold == LineHold::anchor ? "an anchor" : "a free node";
}

bool has(const MooringLineDef& line, char column) { return line.columns.find(column) != std::string::npos; }

void append(std::vector<CsvValue>& row, const Vec3d& v) {
    for (int axis = 0; axis < 3; ++axis) row.emplace_back(v[axis]);
}

} // namespace

LineSampler::LineSampler(const std::filesystem::path& folder, const Moorings& moorings, const MooringsDef& given,
                         const Vec3d& corner, const SampleClock& frames, bool append)
    : Sampler(clock_of(given.tables, frames)), moorings_(moorings), given_(given), corner_(corner), arrays_(moorings) {
    for (std::size_t l = 0; l < moorings.lines.size(); ++l) {
        const MooringLineDef& line = given.lines[l];
        if (!line.has_table) continue;
        make_folder(folder / "moorings");
        lines_.push_back(l);
        tables_.emplace_back(
            folder / "moorings" / fmt::format("line_{}.csv", l), columns_of(line),
            std::vector<std::string>{
                fmt::format(
                    "Mooring line {} from {} (first) to {} (second): the force on what holds each end, with the "
                    "weight, drag and bottom of half a segment,",
                    l, end_text(line.end[0]), end_text(line.end[1])),
                "and its size, the tension; the impulse of that force since the start, which ramptime makes less; the "
                "greatest strain; the time at which",
                "it broke, -1 before. With numbers: nodes, from the first end on, or the segments between them."},
            append);
    }
}

std::vector<std::string> LineSampler::columns_of(const MooringLineDef& line) const {
    std::vector<std::string> columns{"time [s]", "step"};
    const auto vector = [&](const char* prefix, const std::string& of, const char* unit) {
        for (const char axis : {'x', 'y', 'z'}) columns.push_back(fmt::format("{}{}_{} [{}]", prefix, axis, of, unit));
    };
    const LineTables& wanted = given_.tables;
    if (wanted.tension)
        for (const char* end : ends) columns.push_back(fmt::format("tension_{} [N]", end));
    columns.insert(columns.end(), {"strain", "broken [s]"});
    for (const char* end : ends) {
        if (wanted.force) vector("f", end, "N");
        vector("i", end, "N s");
        if (wanted.position) vector("", end, "m");
        if (wanted.velocity) vector("v", end, "m/s");
    }
    for (int k = 0; k <= line.values.segments; ++k) {
        const std::string node = fmt::format("{}", k);
        if (has(line, 'p')) vector("", node, "m");
        if (has(line, 'v')) vector("v", node, "m/s");
        if (k == line.values.segments) break;
        if (has(line, 't')) columns.push_back(fmt::format("tension_{} [N]", k));
        if (has(line, 's')) columns.push_back(fmt::format("strain_{}", k));
    }
    return columns;
}

std::vector<CsvValue> LineSampler::row_of(const Frame& frame, std::size_t l) {
    const MooringLine& line = moorings_.lines[l];
    const MooringLineDef& def = given_.lines[l];
    const LineState& state = frame.moorings.lines[l];
    LineReport report = arrays_.report(moorings_, l, frame.moorings.nodes);
    if (!state.holds()) report = {};
    const MooringNode* const nodes = &frame.moorings.nodes[static_cast<std::size_t>(line.first_node)];
    const LineTables& wanted = given_.tables;
    std::vector<CsvValue> row{frame.time, frame.step};
    if (wanted.tension)
        for (const double tension : report.tension) row.emplace_back(tension);
    row.emplace_back(report.strain);
    row.emplace_back(state.broken_at);
    for (int e = 0; e < 2; ++e) {
        const MooringNode& node = nodes[e == 0 ? 0 : line.segments];
        if (wanted.force) append(row, report.force[e]);
        append(row, state.impulse[e]);
        if (wanted.position) append(row, node.place + corner_);
        if (wanted.velocity) append(row, node.velocity);
    }
    for (int k = 0; k <= line.segments; ++k) {
        if (has(def, 'p')) append(row, nodes[k].place + corner_);
        if (has(def, 'v')) append(row, nodes[k].velocity);
        if (k == line.segments) break;
        const mooring::Segment segment = mooring::segment_between(line, nodes[k].place, nodes[k + 1].place,
                                                                  nodes[k + 1].velocity - nodes[k].velocity);
        if (has(def, 't')) row.emplace_back(state.holds() ? segment.tension + segment.damping : 0.0);
        if (has(def, 's')) row.emplace_back(segment.strain);
    }
    return row;
}

void LineSampler::sample(const Frame& frame) {
    if (frame.time < given_.tables.start || frame.time > given_.tables.end || frame.moorings.lines.empty()) return;
    for (std::size_t t = 0; t < lines_.size(); ++t) tables_[t].write_row(row_of(frame, lines_[t]));
}

} // namespace sluice
