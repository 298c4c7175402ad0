// SPDX-License-Identifier: Apache-2.0
#include "io/water/trace.h"
#include "core/error.h"
#include "core/log.h"
#include "io/files/csv.h"
#include "io/files/file.h"
#include "io/files/vtp.h"
#include "io/fluid/followed.h"
#include "io/frames/frame_reader.h"
#include "io/records/run_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace sluice {
namespace {

/// A followed particle in one frame.
struct PathPoint {
    std::uint32_t id = 0;
    std::uint32_t frame = 0; ///< its number
    std::size_t order = 0;   ///< of the frame among the chosen ones
    double time = 0;         ///< s
    Vec3d place;             ///< m
    std::vector<float> values;
};

void append_values(std::vector<float>& row, float value) { row.push_back(value); }
void append_values(std::vector<float>& row, const Vec3f& v) { row.insert(row.end(), {v.x, v.y, v.z}); }

std::uint32_t nearest_fluid(const Frame& frame, std::size_t begin, const Vec3d& point, bool two_d) {
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t found = 0;
    for (std::size_t i = begin; i < frame.size(); ++i) {
        Vec3d r = frame.position[i] - point;
        if (two_d) r.y = 0;
        if (dot(r, r) >= least) continue;
        least = dot(r, r);
        found = frame.id[i];
    }
    return found;
}

std::vector<std::uint32_t> ids_in(const Box& box, const Frame& frame, std::size_t begin, const TracedParticles& wanted,
                                  bool two_d) {
    std::vector<std::uint32_t> ids;
    for (std::size_t i = begin; i < frame.size(); ++i)
        if (in_box(box, frame.position[i], two_d)) ids.push_back(frame.id[i]);
    if (ids.empty()) throw InputError("trace: --box: no fluid is in the box in the first frame; choose another box");
    const auto limit = static_cast<std::size_t>(wanted.limit);
    if (ids.size() <= limit) return ids;
    spdlog::warn("warning: {} of the {} particles in the box are followed; --limit changes it", limit, ids.size());
    std::vector<std::uint32_t> few;
    for (std::size_t k = 0; k < limit; ++k) few.push_back(ids[k * ids.size() / limit]);
    return few;
}

/// The ids that are followed, ascending and each once.
std::vector<std::uint32_t> followed_ids(const TracedParticles& wanted, const Frame& first,
                                        const ParticleLayout& layout) {
    const std::size_t begin = layout.groups.fluid_begin(first.id);
    std::vector<std::uint32_t> ids = wanted.ids;
    if (begin == first.size() && (!wanted.near.empty() || wanted.box))
        throw InputError("trace: the first frame has no fluid; choose another with --first");
    for (const Vec3d& point : wanted.near) ids.push_back(nearest_fluid(first, begin, point, layout.two_d));
    if (wanted.box) {
        const auto inside = ids_in(*wanted.box, first, begin, wanted, layout.two_d);
        ids.insert(ids.end(), inside.begin(), inside.end());
    }
    if (ids.empty()) throw InputError("trace: no particles are given; use --id, --near or --box");
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

/// The followed particles that a frame has.
std::vector<PathPoint> points_of(const Frame& frame, const std::vector<std::uint32_t>& ids,
                                 const FieldSelection& fields) {
    std::vector<PathPoint> points;
    for (const std::uint32_t id : ids) {
        const auto at = std::lower_bound(frame.id.begin(), frame.id.end(), id);
        if (at == frame.id.end() || *at != id) continue;
        const auto i = static_cast<std::size_t>(at - frame.id.begin());
        PathPoint point{id, static_cast<std::uint32_t>(frame.number), 0, frame.time, frame.position[i], {}};
        for_each_selected(fields, [&](const FieldInfo& info) {
            with_values(frame, info, [&](const auto& values) { append_values(point.values, values[i]); });
        });
        points.push_back(std::move(point));
    }
    return points;
}

void require_found(const std::vector<std::uint32_t>& ids, const std::vector<PathPoint>& points) {
    std::vector<std::uint32_t> found;
    for (const PathPoint& point : points) found.push_back(point.id);
    std::sort(found.begin(), found.end());
    for (const std::uint32_t id : ids)
        if (!std::binary_search(found.begin(), found.end(), id))
            throw InputError(fmt::format("trace: --id: none of the frames has particle {}", id));
}

void write_table(const TraceJob& job, const std::vector<PathPoint>& points, const FieldSelection& fields) {
    std::vector<std::string> columns{"time [s]", "frame", "id", "x [m]", "y [m]", "z [m]"};
    for_each_selected(fields, [&](const FieldInfo& info) {
        for (const std::string& title : column_titles(info)) columns.push_back(title);
    });
    CsvWriter csv(job.out, columns, {"paths of particles by id; a particle that has left the run has no more rows"});
    for (const PathPoint& p : points) {
        std::vector<CsvValue> row{p.time, std::int64_t{p.frame}, std::int64_t{p.id}, p.place.x, p.place.y, p.place.z};
        row.insert(row.end(), p.values.begin(), p.values.end());
        csv.write_measured(row);
    }
}

/// Lines through the points of each particle, which lie one after the other.
std::vector<Polyline> lines_through(const std::vector<PathPoint>& points, const RunSetup& setup) {
    std::vector<Polyline> lines;
    Polyline line;
    const auto end_line = [&] {
        if (line.size() > 1) lines.push_back(line);
        line.clear();
    };
    for (std::size_t k = 0; k < points.size(); ++k) {
        if (k > 0) {
            const PathPoint &last = points[k - 1], &now = points[k];
            const Vec3d way = now.place - last.place, shortest = way_between(last.place, now.place, setup);
            const bool jumps = norm(way - shortest) > setup.constants.dp;
            if (now.id != last.id || now.order != last.order + 1 || jumps) end_line();
        }
        line.push_back(static_cast<int>(k));
    }
    end_line();
    return lines;
}

void write_lines(const TraceJob& job, std::vector<PathPoint> points, const FieldSelection& fields,
                 const RunSetup& setup) {
    std::stable_sort(points.begin(), points.end(), [](const PathPoint& a, const PathPoint& b) { return a.id < b.id; });
    std::vector<Vec3d> places;
    std::vector<double> times;
    std::vector<std::uint32_t> ids, frames;
    for (const PathPoint& p : points) {
        places.push_back(p.place);
        times.push_back(p.time);
        ids.push_back(p.id);
        frames.push_back(p.frame);
    }
    std::vector<VtpArray> arrays{{"time", times}, {"id", ids}, {"frame", frames}};
    std::size_t column = 0;
    for_each_selected(fields, [&](const FieldInfo& info) {
        std::vector<float> numbers;
        std::vector<Vec3f> vectors;
        for (const PathPoint& p : points) {
            const float* value = p.values.data() + column;
            if (components_of(info) == 1)
                numbers.push_back(*value);
            else
                vectors.push_back({value[0], value[1], value[2]});
        }
        column += static_cast<std::size_t>(components_of(info));
        if (components_of(info) == 1)
            arrays.push_back({std::string(info.name), numbers});
        else
            arrays.push_back({std::string(info.name), vectors});
    });
    if (job.out.has_parent_path()) make_folder(job.out.parent_path());
    write_vtp(job.out, {"points", places}, arrays, lines_through(points, setup));
}

} // namespace

int write_paths(const TraceJob& job) {
    const bool as_table = job.out.extension() == ".csv";
    if (!as_table && job.out.extension() != ".vtp")
        throw InputError(fmt::format("{}: unknown suffix; .csv and .vtp can be written", job.out.string()));
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    const ParticleLayout layout = read_layout(job.dir);
    warn_of_left_out(job.dir, layout, frames);
    RunSetup setup = read_run_setup(job.dir / "run.json");
    setup.set_groups(layout.groups);
    const FieldSelection fields = layout.fields.of_fluid();
    std::vector<std::uint32_t> ids;
    std::vector<PathPoint> points; // by frame, then id
    constexpr std::size_t most = 100'000'000;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        const Frame frame = read_frame(job.dir, frames[k].number);
        if (k == 0) ids = followed_ids(job.particles, frame, layout);
        if (ids.size() * frames.size() > most)
            throw InputError(fmt::format("trace: {} particles in {} frames are more than {} points; follow fewer, or "
                                         "choose frames with --every",
                                         ids.size(), frames.size(), most));
        for (PathPoint& point : points_of(frame, ids, fields)) {
            point.order = k;
            points.push_back(std::move(point));
        }
    }
    require_found(ids, points);
    if (as_table)
        write_table(job, points, fields);
    else
        write_lines(job, std::move(points), fields, setup);
    return static_cast<int>(ids.size());
}

} // namespace sluice
