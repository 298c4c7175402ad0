// SPDX-License-Identifier: Apache-2.0
#include "io/measures/measure.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/log.h"
#include "core/numbers.h"
#include "core/table_rows.h"
#include "core/text.h"
#include "io/files/csv.h"
#include "io/files/file.h"
#include "io/files/vtp.h"
#include "io/fluid/flow_derivatives.h"
#include "io/fluid/periodic_images.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_store.h"
#include "io/frames/numbered_files.h"
#include "io/measures/gauges.h"
#include "io/measures/water_layers.h"
#include "io/records/run_json.h"
#include "physics/sph/free_surface.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <omp.h>

namespace sluice {
namespace {

namespace fs = std::filesystem;

std::vector<FrameEntry> chosen_frames(const MeasureJob& job) {
    if (job.points.empty()) throw InputError("measure: no points are given");
    for (const Vec3d& p : job.points)
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            throw InputError(
                fmt::format("measure: a point has a coordinate that is no number ({}, {}, {})", p.x, p.y, p.z));
    return choose_frames(job.dir, job.first, job.last, job.every);
}

void write_rows(CsvWriter& csv, const Frame& frame, const MeasureJob& job,
                const std::vector<FieldMeasurement>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
        const Vec3d& p = job.points[k];
        std::vector<CsvValue> row{frame.time, std::int64_t{frame.number}, static_cast<std::int64_t>(k), p.x, p.y,
                                  p.z,        values[k].fraction};
        row.insert(row.end(), values[k].components.begin(), values[k].components.end());
        csv.write_measured(row);
    }
}

/// The numbers or vectors that begin at a component of each point's values.
VtpArray point_values(const FieldInfo& info, const std::vector<FieldMeasurement>& values, std::size_t first) {
    const auto at = [&](const FieldMeasurement& m, std::size_t k) {
        return static_cast<float>(m.components[first + k]);
    };
    std::vector<float> numbers;
    std::vector<Vec3f> vectors;
    for (const FieldMeasurement& m : values) {
        if (components_of(info) == 1)
            numbers.push_back(at(m, 0));
        else
            vectors.push_back({at(m, 0), at(m, 1), at(m, 2)});
    }
    if (components_of(info) == 1) return {std::string(info.name), numbers};
    return {std::string(info.name), vectors};
}

void write_points(const fs::path& path, const std::vector<Vec3d>& points, const FieldSelection& fields,
                  const std::vector<FieldMeasurement>& values) {
    std::vector<float> fraction;
    for (const FieldMeasurement& m : values) fraction.push_back(static_cast<float>(m.fraction));
    std::vector<VtpArray> arrays{{"fraction", fraction}};
    std::size_t first = 0;
    for_each_selected(fields, [&](const FieldInfo& info) {
        arrays.push_back(point_values(info, values, first));
        first += static_cast<std::size_t>(components_of(info));
    });
    write_vtp(path, {"points", points}, arrays);
}

/// What is measured. Throws InputError for a field that the frames do not hold and that does not follow from what they
/// hold.
FieldSelection measured_fields(const MeasureJob& job, const ParticleLayout& layout) {
    if (!job.fields) return layout.fields.of_fluid();
    require_stored(job.dir, layout, job.fields->from(FieldSource::neighbours));
    return *job.fields;
}

/// Those that the frames do not hold.
FieldSelection missing_derivatives(const FieldSelection& fields, const ParticleLayout& layout) {
    FieldSelection missing;
    for_each_selected(fields.from(FieldSource::least_squares), [&](const FieldInfo& info) {
        if (!layout.fields.has(info.field)) missing.add(info.field);
    });
    return missing;
}

std::vector<std::string> table_columns(const FieldSelection& fields) {
    std::vector<std::string> columns{"time [s]", "frame", "point", "x [m]", "y [m]", "z [m]", "fraction"};
    for_each_selected(fields, [&](const FieldInfo& info) {
        for (const std::string& title : column_titles(info)) columns.push_back(title);
    });
    return columns;
}

/// Tells how many points have not met fluid in any frame: there the table has no numbers.
void warn_of_dry_points(const std::vector<bool>& found, std::size_t frames) {
    const auto dry = std::count(found.begin(), found.end(), false);
    if (dry == 0) return;
    const auto first = std::find(found.begin(), found.end(), false) - found.begin();
    spdlog::warn("warning: no fluid was at {} of {} in {} (the first of them is point {}): their values are nan", dry,
                 counted(static_cast<int>(found.size()), "point"), counted(static_cast<int>(frames), "frame"), first);
}

/// A point outside the domain of the run meets no fluid: most often a unit or a sign is wrong.
void warn_of_points_outside(const std::vector<Vec3d>& points, const RunSetup& setup, bool with_height) {
    const Domain& domain = setup.domain;
    const auto is_outside = [&](const Vec3d& p) {
        for (int axis = 0; axis < 3; ++axis) {
            const bool counts = axis == 0 || (axis == 1 ? !setup.constants.two_d : with_height);
            if (counts && !(p[axis] >= domain.min[axis] && p[axis] <= domain.max[axis])) return true;
        }
        return false;
    };
    const auto first = std::find_if(points.begin(), points.end(), is_outside);
    if (first == points.end() || !(domain.max.x > domain.min.x)) return;
    spdlog::warn("warning: {} of {} are outside the domain of the run, ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, "
                 "{:.6g}) m; the first of them is point {}: ({:.6g}, {:.6g}, {:.6g})",
                 std::count_if(first, points.end(), is_outside), counted(static_cast<int>(points.size()), "point"),
                 domain.min.x, domain.min.y, domain.min.z, domain.max.x, domain.max.y, domain.max.z,
                 first - points.begin(), first->x, first->y, first->z);
}

std::vector<std::string> elevation_columns(const ColumnValues& also) {
    std::vector<std::string> columns{"time [s]", "frame", "point", "x [m]", "y [m]", "elevation [m]"};
    if (also.depth) columns.emplace_back("depth [m]");
    if (also.layers > 0) columns.insert(columns.end(), {"layers", "highest [m]"});
    for (int k = 1; k <= also.layers; ++k)
        for (const char* side : {"lower", "upper"}) columns.push_back(fmt::format("{}_{} [m]", side, k));
    return columns;
}

std::vector<std::string> elevation_comments(const ColumnValues& also, double limit) {
    std::vector<std::string> comments{
        fmt::format("height at which the fluid's fraction of the volume first falls below {}, from below", limit)};
    if (also.depth || also.layers > 0)
        comments.push_back(fmt::format("layers: parts of the vertical where that fraction is {} or more, from below; "
                                       "depth: the sum of their heights",
                                       layer_fraction));
    return comments;
}

/// The values of a column of water behind its elevation.
void append_layers(std::vector<CsvValue>& row, const ColumnValues& also, const std::vector<WaterLayer>& layers) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (also.depth) row.emplace_back(total_height(layers));
    if (also.layers == 0) return;
    row.emplace_back(static_cast<std::int64_t>(layers.size()));
    row.emplace_back(layers.empty() ? none : layers.back().upper);
    for (std::size_t k = 0; k < static_cast<std::size_t>(also.layers); ++k) {
        row.emplace_back(k < layers.size() ? layers[k].lower : none);
        row.emplace_back(k < layers.size() ? layers[k].upper : none);
    }
}

constexpr double most_measured_points = 1e8;

/// Reads numbers line by line and knows where it is.
class PointFile {
public:
    explicit PointFile(const fs::path& path) : name_(path.string()), file_(open_input(path)) {
        if (!file_) throw InputError(fmt::format("{}: cannot open the list of points", name_));
    }

    /// The next line with something on it; false at the end.
    bool next() {
        while (std::getline(file_, text_)) {
            if (++line_ == 1) text_ = without_byte_order_mark(text_);
            try {
                cells_ = table_cells(text_);
            } catch (const InputError& e) {
                fail(e.what());
            }
            if (!cells_.empty()) return true;
        }
        return false;
    }
    bool is_word(const char* word) const { return cells_.size() == 1 && cells_[0] == word; }
    Vec3d vector() const {
        Vec3d v;
        try {
            if (cells_.size() != 3) throw InputError("three numbers are wanted");
            for (int axis = 0; axis < 3; ++axis) v[axis] = cell_number(cells_[static_cast<std::size_t>(axis)]);
            if (!std::isfinite(v.x + v.y + v.z)) throw InputError("a number is not finite");
        } catch (const InputError& e) {
            fail(e.what());
        }
        return v;
    }
    Vec3d next_vector() {
        if (!next()) fail("POINTSLIST wants three lines after it: first point, step, count");
        return vector();
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError({name_, line_}, fmt::format("{} ({})", what, trim(text_)));
    }

private:
    std::string name_;
    std::ifstream file_;
    std::string text_;
    std::vector<std::string_view> cells_; ///< of the line in text_
    int line_ = 0;
};

void add_lattice(std::vector<Vec3d>& points, PointFile& file) {
    const Vec3d first = file.next_vector(), step = file.next_vector(), count = file.next_vector();
    if (!(count.x >= 1 && count.y >= 1 && count.z >= 1 && count.x * count.y * count.z <= most_measured_points))
        file.fail("the counts must be 1 or more, and 1e8 points at most in all");
    for (int k = 0; k < static_cast<int>(count.z); ++k)
        for (int j = 0; j < static_cast<int>(count.y); ++j)
            for (int i = 0; i < static_cast<int>(count.x); ++i)
                points.push_back({first.x + i * step.x, first.y + j * step.y, first.z + k * step.z});
}

} // namespace

std::vector<Vec3d> line_points(const Vec3d& from, const Vec3d& to, double wanted) {
    if (!(wanted >= 1 && wanted <= most_measured_points))
        throw InputError(fmt::format("measure: a line has 1 to {:g} points ({:g})", most_measured_points, wanted));
    if (wanted != std::floor(wanted))
        throw InputError(fmt::format("measure: the number of points on a line is a whole number ({:g})", wanted));
    const int count = static_cast<int>(wanted);
    std::vector<Vec3d> points;
    for (int k = 0; k < count; ++k)
        points.push_back(from + (count > 1 ? k / static_cast<double>(count - 1) : 0.0) * (to - from));
    return points;
}

std::vector<Vec3d> grid_points(const Vec3d& min, const Vec3d& max, const Vec3d& spacing) {
    double all = 1;
    for (int axis = 0; axis < 3; ++axis)
        if (spacing[axis] > 0) all *= std::max(0.0, (max[axis] - min[axis]) / spacing[axis]) + 1;
    if (!(all <= most_measured_points))
        throw InputError(fmt::format("measure: a grid has at most {:g} points ({:g})", most_measured_points, all));
    const auto count = [&](int axis) {
        return spacing[axis] > 0 ? static_cast<int>(std::floor((max[axis] - min[axis]) / spacing[axis] + 1e-9)) + 1 : 1;
    };
    std::vector<Vec3d> points;
    for (int k = 0; k < count(2); ++k)
        for (int j = 0; j < count(1); ++j)
            for (int i = 0; i < count(0); ++i)
                points.push_back({min.x + i * spacing.x, min.y + j * spacing.y, min.z + k * spacing.z});
    return points;
}

std::vector<Vec3d> read_points(const fs::path& path) {
    PointFile file(path);
    std::vector<Vec3d> points;
    while (file.next()) {
        if (file.is_word("POINTSLIST"))
            add_lattice(points, file);
        else if (!file.is_word("POINTS"))
            points.push_back(file.vector());
    }
    return points;
}

fs::path measure(const MeasureJob& job) {
    const bool as_table = job.out.extension() == ".csv";
    if (!as_table && job.out.extension() != ".vtp")
        throw InputError(fmt::format("{}: unknown suffix; .csv and .vtp can be written", job.out.string()));
    const std::vector<FrameEntry> frames = chosen_frames(job);
    const ParticleLayout layout = read_layout(job.dir);
    require_stored(job.dir, layout, state_fields);
    warn_of_left_out(job.dir, layout, frames);
    RunSetup setup = read_run_setup(job.dir / "run.json");
    setup.set_groups(layout.groups);
    warn_of_points_outside(job.points, setup, true);
    const FieldSelection fields = measured_fields(job, layout), missing = missing_derivatives(fields, layout);
    std::optional<CsvWriter> csv;
    if (as_table)
        csv.emplace(
            job.out, table_columns(fields),
            std::vector<std::string>{"f(x) = sum f_b (m/rho_b) W / fraction, fraction = sum (m/rho_b) W, over the "
                                     "fluid; nan where fraction < 0.1"});
    else if (job.out.has_parent_path())
        make_folder(job.out.parent_path());
    const std::string name = job.out.stem().string();
    std::optional<EarlierFiles> earlier;
    if (!as_table) earlier.emplace(job.out.parent_path(), std::vector{name}, "vtp", frames, job.overwrite);
    std::vector<TimedFile> files;
    std::vector<bool> found(job.points.size());
    for (const FrameEntry& entry : frames) {
        Frame frame = read_frame(job.dir, entry.number);
        require_volumes(frame, setup.groups, frame_path(job.dir, entry.number));
        if (!missing.empty()) add_flow_derivatives(frame, setup, missing, omp_get_max_threads());
        add_fluid_images(frame, setup, 2 * setup.constants.h);
        const FluidInterpolator fluid(frame, setup.groups, setup.constants, boxes_at(job.points));
        std::vector<FieldMeasurement> values;
        for (std::size_t k = 0; k < job.points.size(); ++k) {
            values.push_back(fluid.at(job.points[k], fields));
            if (values.back().fraction >= least_fraction) found[k] = true;
        }
        if (as_table)
            write_rows(*csv, frame, job, values);
        else {
            const fs::path file = job.out.parent_path() / numbered_file(name, entry.number, "vtp");
            write_points(file, job.points, fields, values);
            files.push_back({entry.sampling_time, file.filename().string()});
        }
    }
    warn_of_dry_points(found, frames.size());
    if (as_table) return job.out;
    earlier->remove();
    const fs::path list = fs::path(job.out).replace_extension(".pvd");
    write_pvd(list, files);
    return list;
}

fs::path measure_elevation(const MeasureJob& job, const ColumnValues& also) {
    if (job.out.extension() != ".csv")
        throw InputError(fmt::format("{}: elevations are written as .csv", job.out.string()));
    const std::vector<FrameEntry> frames = chosen_frames(job);
    const ParticleLayout layout = read_layout(job.dir);
    require_stored(job.dir, layout, {Field::density});
    warn_of_left_out(job.dir, layout, frames);
    RunSetup setup = read_run_setup(job.dir / "run.json");
    setup.set_groups(layout.groups);
    warn_of_points_outside(job.points, setup, false);
    const double h = setup.constants.h;
    SurfaceLine line;
    line.point_spacing = setup.constants.dp / 2;
    line.mass_limit = sph::usual_limit(setup.constants.two_d);
    CsvWriter csv(job.out, elevation_columns(also), elevation_comments(also, line.mass_limit));
    std::vector<bool> found(job.points.size());
    for (const FrameEntry& entry : frames) {
        Frame frame = read_frame(job.dir, entry.number);
        require_volumes(frame, setup.groups, frame_path(job.dir, entry.number));
        add_fluid_images(frame, setup, 2 * h);
        const FluidInterpolator fluid(frame, setup.groups, setup.constants);
        double low = 0, high = 0;
        for (std::size_t i = setup.groups.fluid_begin(frame.id), first = i; i < frame.size(); ++i) {
            low = i == first ? frame.position[i].z : std::min(low, frame.position[i].z);
            high = i == first ? frame.position[i].z : std::max(high, frame.position[i].z);
        }
        for (std::size_t k = 0; k < job.points.size(); ++k) {
            const Vec3d& p = job.points[k];
            line.point0 = {p.x, p.y, low - 2 * h};
            line.point2 = {p.x, p.y, high + 2 * h};
            const auto surface = find_surface(line, fluid);
            found[k] = found[k] || surface;
            const double z = surface ? surface->z : std::numeric_limits<double>::quiet_NaN();
            std::vector<CsvValue> row{frame.time, std::int64_t{entry.number}, static_cast<std::int64_t>(k), p.x, p.y,
                                      z};
            if (also.depth || also.layers > 0)
                append_layers(row, also, water_layers(line.point0, line.point2.z, fluid));
            csv.write_measured(row);
        }
    }
    warn_of_dry_points(found, frames.size());
    return job.out;
}

} // namespace sluice
