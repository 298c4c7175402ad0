// SPDX-License-Identifier: Apache-2.0
#include "io/files/file.h"
#include "io/files/hdf5.h"
#include "io/frames/frame_store.h"

#include <algorithm>

// The VTKHDF files. Their layout (version 2.0, PolyData with Steps) is the one of the VTK file format documentation;
// what it leaves open was decided by reading the files back with VTK 9.3 to 9.7.

namespace sluice {
namespace {

/// Where the rows of each frame start in the virtual datasets.
struct Offsets {
    std::vector<std::int64_t> count, point, cell;
};

/// `count_of`: particles in each frame.
Offsets offsets_of(const std::vector<FrameEntry>& frames, std::uint64_t FrameEntry::*count_of) {
    Offsets offsets;
    std::int64_t point = 0, cell = 0;
    for (const FrameEntry& frame : frames) {
        const auto count = static_cast<std::int64_t>(frame.*count_of);
        offsets.count.push_back(count);
        offsets.point.push_back(point);
        offsets.cell.push_back(cell);
        point += count;
        // VTK ≥ 9.4 takes two steps with equal cell offsets for one mesh that stays; after a frame without
        // particles it would then look in the wrong place.
        cell += std::max<std::int64_t>(count, 1);
    }
    return offsets;
}

class Timeline {
public:
    Timeline(const ParticleLayout& layout, bool positions_double, const std::vector<FrameEntry>& frames)
        : layout_(layout), positions_double_(positions_double), frames_(frames) {}

    std::vector<std::byte> fluid() { return changing("fluid/", &FrameEntry::fluid_count, layout_.fields.of_fluid()); }

    std::vector<std::byte> boundary() {
        return layout_.selected ? changing("boundary/", &FrameEntry::boundary_count, layout_.boundary_fields())
                                : same_boundary();
    }

private:
    /// Particles of which each frame holds others. `group`: where they are in its file.
    std::vector<std::byte> changing(const std::string& group, std::uint64_t FrameEntry::*count_of,
                                    const FieldSelection& fields) {
        start();
        const Offsets offsets = offsets_of(frames_, count_of);
        const auto pieces = [&](const char* name) { return per_frame(group + name, offsets.count); };
        points(pieces("position"));
        const auto store = [&]<class T>(const char* name, T) {
            file_.write_virtual<T>(data(name), pieces(name));
            file_.write(std::string("VTKHDF/Steps/PointDataOffsets/") + name, offsets.point);
        };
        for_each_selected(fields, [&](const FieldInfo& info) { with_type(info, store); });
        store("id", std::uint32_t());
        store("mk", std::uint16_t());
        store("type", std::uint8_t());
        changing_cells(offsets, count_of);
        steps(offsets.point, offsets.cell, true);
        return file_.take_bytes();
    }

    /// All boundary particles in each frame.
    std::vector<std::byte> same_boundary() {
        start();
        const std::vector<std::int64_t> count(frames_.size(), layout_.groups.boundary_count());
        const std::vector<std::int64_t> still(frames_.size(), 0);
        std::vector<std::int64_t> advancing(frames_.size());
        for (std::size_t k = 0; k < frames_.size(); ++k)
            advancing[k] = static_cast<std::int64_t>(k) * layout_.groups.boundary_count();
        const auto store = [&]<class T>(const char* name, bool per_step, T) {
            const std::string source = std::string("boundary/") + name;
            file_.write_virtual<T>(data(name), per_step ? per_frame(source, count) : once(source));
            file_.write(std::string("VTKHDF/Steps/PointDataOffsets/") + name, per_step ? advancing : still);
        };
        const bool moves = layout_.boundary_moves();
        points(moves ? per_frame("boundary/position", count) : once("boundary/position"));
        for_each_selected(layout_.boundary_fields(), [&](const FieldInfo& info) {
            with_type(info, [&](const char* name, auto zero) { store(name, true, zero); });
        });
        store("id", false, std::uint32_t());
        store("mk", false, std::uint16_t());
        store("type", false, std::uint8_t());
        fixed_cells();
        steps(moves ? advancing : still, still, false);
        return file_.take_bytes();
    }

    /// Calls `use(name, zero)` with the name of a field and a zero of the type of its values.
    template <class Use>
    static void with_type(const FieldInfo& info, const Use& use) {
        std::visit([&]<class T>(std::vector<T> Frame::*) { use(std::string(info.name).c_str(), T()); }, info.member);
    }
    static std::string data(const char* name) { return std::string("VTKHDF/PointData/") + name; }

    void start() {
        file_ = h5::MemoryFile();
        file_.make_group("VTKHDF");
        file_.set("VTKHDF", "Version", std::vector<std::int64_t>{2, 0});
        file_.set_text("VTKHDF", "Type", "PolyData");
    }

    std::vector<h5::Piece> per_frame(const std::string& dataset, const std::vector<std::int64_t>& count) const {
        std::vector<h5::Piece> pieces;
        for (std::size_t k = 0; k < frames_.size(); ++k) {
            const auto rows = static_cast<std::uint64_t>(count[k]);
            pieces.push_back({"frames/" + frame_path({}, frames_[k].number).filename().string(), dataset, rows, rows});
        }
        return pieces;
    }
    std::vector<h5::Piece> once(const std::string& dataset) const {
        return {{"frames/geometry.h5", dataset, layout_.groups.boundary_count(), layout_.groups.boundary_count()}};
    }
    /// 0, 1, … `n` long, for a mesh of the boundary, or of the fluid of a frame.
    h5::Piece counting(std::int64_t n, const FrameEntry* frame = nullptr) const {
        const bool own = frame && has_own_count_up(layout_, frame->fluid_count);
        const std::uint64_t stored = own ? frame->fluid_count : layout_.groups.particle_count();
        return {own ? "frames/" + frame_path({}, frame->number).filename().string() : "frames/geometry.h5",
                count_up_dataset, stored + 2, static_cast<std::uint64_t>(n)};
    }

    void points(const std::vector<h5::Piece>& pieces) {
        if (positions_double_)
            file_.write_virtual<Vec3d>("VTKHDF/Points", pieces);
        else
            file_.write_virtual<Vec3f>("VTKHDF/Points", pieces);
    }

    /// One vertex a particle, per step; the connectivity 0, 1, … serves all steps.
    void changing_cells(const Offsets& offsets, std::uint64_t FrameEntry::*count_of) {
        file_.write("VTKHDF/NumberOfPoints", offsets.count);
        vertex_counts(offsets.count);
        std::vector<h5::Piece> ends;
        for (const FrameEntry& frame : frames_)
            ends.push_back(counting(std::max<std::int64_t>(static_cast<std::int64_t>(frame.*count_of), 1) + 1, &frame));
        file_.write_virtual<std::int64_t>("VTKHDF/Vertices/Offsets", ends);
        const FrameEntry& most = *std::ranges::max_element(frames_, {}, count_of);
        file_.write_virtual<std::int64_t>("VTKHDF/Vertices/Connectivity",
                                          {counting(static_cast<std::int64_t>(most.*count_of), &most)});
        empty_cells(frames_.size());
    }
    void fixed_cells() {
        const std::int64_t n = layout_.groups.boundary_count();
        file_.write("VTKHDF/NumberOfPoints", std::vector{n});
        vertex_counts({n});
        file_.write_virtual<std::int64_t>("VTKHDF/Vertices/Offsets", {counting(n + 1)});
        file_.write_virtual<std::int64_t>("VTKHDF/Vertices/Connectivity", {counting(n)});
        empty_cells(1);
    }
    void vertex_counts(const std::vector<std::int64_t>& count) {
        file_.write("VTKHDF/Vertices/NumberOfCells", count);
        file_.write("VTKHDF/Vertices/NumberOfConnectivityIds", count);
    }
    void empty_cells(std::size_t parts) {
        const std::vector<std::int64_t> none(parts, 0);
        for (const char* kind : {"Lines", "Polygons", "Strips"}) {
            const std::string group = std::string("VTKHDF/") + kind;
            file_.write(group + "/NumberOfCells", none);
            file_.write(group + "/NumberOfConnectivityIds", none);
            file_.write(group + "/Connectivity", std::vector<std::int64_t>{});
            file_.write(group + "/Offsets", none);
        }
    }

    void steps(const std::vector<std::int64_t>& point, const std::vector<std::int64_t>& cell, bool one_part_a_step) {
        const std::size_t n = frames_.size();
        std::vector<double> times(n), exact(n);
        std::vector<std::int64_t> part(n, 0), cells(4 * n, 0), step_numbers(n), row(n);
        for (std::size_t k = 0; k < n; ++k) {
            times[k] = frames_[k].sampling_time;
            exact[k] = frames_[k].time;
            row[k] = static_cast<std::int64_t>(k);
            step_numbers[k] = frames_[k].step;
            part[k] = one_part_a_step ? static_cast<std::int64_t>(k) : 0;
            cells[4 * k] = cell[k];
        }
        file_.write("VTKHDF/Steps/Values", times);
        file_.set("VTKHDF/Steps", "NSteps", static_cast<std::int64_t>(n));
        file_.write("VTKHDF/Steps/NumberOfParts", std::vector<std::int64_t>(n, 1));
        file_.write("VTKHDF/Steps/PartOffsets", part);
        file_.write("VTKHDF/Steps/PointOffsets", point);
        file_.write_table("VTKHDF/Steps/CellOffsets", cells, 4);
        file_.write("VTKHDF/FieldData/exact_time", exact);
        file_.write("VTKHDF/FieldData/step", step_numbers);
        for (const char* name : {"exact_time", "step"})
            file_.write(std::string("VTKHDF/Steps/FieldDataOffsets/") + name, row);
        file_.write_table("VTKHDF/Steps/ConnectivityIdOffsets", std::vector<std::int64_t>(4 * n, 0), 4);
    }

    const ParticleLayout& layout_;
    bool positions_double_;
    const std::vector<FrameEntry>& frames_;
    h5::MemoryFile file_;
};

} // namespace

void write_timeline(const std::filesystem::path& dir, const ParticleLayout& layout, bool positions_double,
                    const std::vector<FrameEntry>& frames) {
    write_xdmf(dir, layout, positions_double, frames);
    Timeline timeline(layout, positions_double, frames);
    write_file_atomically(dir / "fluid.vtkhdf", timeline.fluid(), false);
    if (layout.groups.boundary_count() > 0) write_file_atomically(dir / "boundary.vtkhdf", timeline.boundary(), false);
}

} // namespace sluice
