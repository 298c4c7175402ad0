// SPDX-License-Identifier: Apache-2.0
#include "io/surfaces/link_lines.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/files/vtp.h"
#include "io/frames/frame_reader.h"
#include "io/frames/numbered_files.h"

#include <fmt/format.h>

namespace sluice {

namespace {

constexpr const char* series = "links";

void write_links_of(const std::filesystem::path& path, const std::vector<Link>& links) {
    std::vector<Vec3d> points;
    std::vector<float> loads;
    std::vector<std::uint8_t> kinds;
    std::vector<std::uint32_t> indices;
    std::vector<Polyline> lines;
    for (const Link& link : links) {
        if (link.points.empty()) continue; // a broken line
        Polyline& line = lines.emplace_back();
        for (std::size_t k = 0; k < link.points.size(); ++k) {
            line.push_back(static_cast<int>(points.size()));
            points.push_back(link.points[k]);
            loads.push_back(link.load[k]);
            kinds.push_back(static_cast<std::uint8_t>(link.kind));
            indices.push_back(static_cast<std::uint32_t>(link.index));
        }
    }
    write_vtp(path, {"points", std::move(points)},
              {{"load", std::move(loads)}, {"kind", std::move(kinds)}, {"index", std::move(indices)}},
              std::move(lines));
}

} // namespace

int write_link_lines(const LinkLinesJob& job) {
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    const EarlierFiles earlier(job.out, {series}, "vtp", frames, job.overwrite);
    std::vector<TimedFile> files;
    for (const FrameEntry& entry : frames) {
        const Frame frame = read_frame(job.dir, entry.number);
        if (frame.links.empty())
            throw InputError(fmt::format("{}: frame {} holds no mooring lines and no joints; the case has none, or an "
                                         "older version stored it",
                                         job.dir.string(), entry.number));
        if (files.empty()) make_folder(job.out);
        files.push_back({entry.sampling_time, numbered_file(series, entry.number, "vtp")});
        write_links_of(job.out / files.back().name, frame.links);
    }
    earlier.remove();
    write_pvd(job.out / fmt::format("{}.pvd", series), files);
    return static_cast<int>(frames.size());
}

} // namespace sluice
