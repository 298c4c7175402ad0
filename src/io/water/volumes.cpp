// SPDX-License-Identifier: Apache-2.0
#include "io/water/volumes.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/log.h"
#include "core/table_rows.h"
#include "core/text.h"
#include "io/files/csv.h"
#include "io/fluid/followed.h"
#include "io/frames/frame_reader.h"
#include "io/records/run_json.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace sluice {
namespace {

namespace fs = std::filesystem;

/// The box of a line of a file. Throws InputError without a place.
NamedBox box_of(const std::vector<std::string_view>& cells, std::size_t number) {
    const std::size_t first = cells.size() == 7 ? 1 : 0; // a name
    if (cells.size() - first != 6)
        throw InputError("a box is NAME XMIN YMIN ZMIN XMAX YMAX ZMAX, with or without the name");
    NamedBox box{first ? std::string(cells[0]) : std::to_string(number), {}};
    for (int axis = 0; axis < 3; ++axis) {
        box.box.min[axis] = cell_number(cells[first + static_cast<std::size_t>(axis)]);
        box.box.max[axis] = cell_number(cells[first + static_cast<std::size_t>(axis) + 3]);
        if (!(box.box.min[axis] <= box.box.max[axis]) || !std::isfinite(box.box.max[axis] - box.box.min[axis]))
            throw InputError(fmt::format("the box ends at {} before it begins at {}, or has no end; write XMIN YMIN "
                                         "ZMIN XMAX YMAX ZMAX",
                                         box.box.max[axis], box.box.min[axis]));
    }
    return box;
}

void require_names(const std::vector<NamedBox>& boxes) {
    if (boxes.empty()) throw InputError("volumes: no boxes are given; use --box or --boxes FILE");
    std::set<std::string> names;
    for (const NamedBox& box : boxes)
        if (!names.insert(box.name).second)
            throw InputError(fmt::format("volumes: two boxes are called {}; give each a name of its own", box.name));
}

} // namespace

std::vector<NamedBox> read_boxes(const fs::path& path) {
    std::ifstream file = open_input(path);
    if (!file) throw InputError(fmt::format("{}: cannot open the list of boxes", path.string()));
    std::vector<NamedBox> boxes;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        const std::string_view text = ++number == 1 ? without_byte_order_mark(line) : std::string_view(line);
        try {
            const std::vector<std::string_view> cells = table_cells(text);
            if (!cells.empty()) boxes.push_back(box_of(cells, boxes.size()));
        } catch (const InputError& e) {
            throw InputError({path.string(), number}, fmt::format("{} ({})", e.what(), trim(text)));
        }
    }
    return boxes;
}

BoxFlow flow_between(const Frame& before, const Frame& after, const Box& box, const RunSetup& setup) {
    BoxFlow flow;
    const double volume = particle_volume(setup.constants);
    const bool two_d = setup.constants.two_d;
    for_each_followed(before, after, setup.groups, [&](std::size_t i, std::size_t j) {
        const bool was_inside = i < before.size() && in_box(box, before.position[i], two_d);
        const bool is_inside = j < after.size() && in_box(box, after.position[j], two_d);
        if (is_inside && !was_inside) flow.entered += volume;
        if (was_inside && !is_inside) flow.left += volume;
    });
    return flow;
}

double volume_in(const Frame& frame, const Box& box, const RunSetup& setup) {
    std::size_t count = 0;
    for (std::size_t i = setup.groups.fluid_begin(frame.id); i < frame.size(); ++i)
        if (in_box(box, frame.position[i], setup.constants.two_d)) ++count;
    return static_cast<double>(count) * particle_volume(setup.constants);
}

int write_volumes(const VolumesJob& job) {
    if (job.out.extension() != ".csv")
        throw InputError(fmt::format("{}: unknown suffix; volumes are written as .csv", job.out.string()));
    require_names(job.boxes);
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    const ParticleLayout layout = read_layout(job.dir);
    require_stored(job.dir, layout, {});
    warn_of_left_out(job.dir, layout, frames);
    RunSetup setup = read_run_setup(job.dir / "run.json");
    setup.set_groups(layout.groups);
    const char *volume = layout.two_d ? "m2" : "m3", *flow = layout.two_d ? "m2/s" : "m3/s";
    CsvWriter csv(job.out,
                  {"time [s]", "frame", "box", fmt::format("volume [{}]", volume), fmt::format("entered [{}]", volume),
                   fmt::format("left [{}]", volume), fmt::format("inflow [{}]", flow),
                   fmt::format("outflow [{}]", flow)},
                  {fmt::format("fluid particles in boxes at the reference density{}; entered and left: since the first "
                               "frame of the table; inflow and outflow: since the frame before, over the time",
                               layout.two_d ? ", for a metre of width" : "")});
    std::vector<BoxFlow> sums(job.boxes.size());
    std::vector<bool> wet(job.boxes.size());
    Frame before;
    for (const FrameEntry& entry : frames) {
        Frame frame = read_frame(job.dir, entry.number);
        for (std::size_t k = 0; k < job.boxes.size(); ++k) {
            double inflow = std::numeric_limits<double>::quiet_NaN(), outflow = inflow;
            if (entry.number != frames.front().number) {
                const BoxFlow now = flow_between(before, frame, job.boxes[k].box, setup);
                sums[k].entered += now.entered;
                sums[k].left += now.left;
                inflow = now.entered / (frame.time - before.time);
                outflow = now.left / (frame.time - before.time);
            }
            const double inside = volume_in(frame, job.boxes[k].box, setup);
            if (inside > 0) wet[k] = true;
            csv.write_measured({frame.time, std::int64_t{entry.number}, job.boxes[k].name, inside, sums[k].entered,
                                sums[k].left, inflow, outflow});
        }
        before = std::move(frame);
    }
    for (std::size_t k = 0; k < wet.size(); ++k)
        if (!wet[k]) spdlog::warn("warning: box {} has no fluid in any of the frames", job.boxes[k].name);
    return static_cast<int>(frames.size());
}

} // namespace sluice
