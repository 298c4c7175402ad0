// SPDX-License-Identifier: Apache-2.0
#include "run/links.h"

#include <algorithm>

namespace sluice {

Links::Links(const RunSetup& setup) : setup_(setup), lines_(setup.moorings), joints_(setup) {}

Link Links::line(const Frame& frame, std::size_t index) {
    const MooringLine& line = setup_.moorings.lines[index];
    Link link{LinkKind::mooring_line, static_cast<std::int32_t>(index), {}, {}};
    if (!frame.moorings.lines[index].holds()) return link;
    const MooringNode* const nodes = &frame.moorings.nodes[static_cast<std::size_t>(line.first_node)];
    const auto tension = [&](int k) {
        const mooring::Segment segment = mooring::segment_between(line, nodes[k].place, nodes[k + 1].place,
                                                                  nodes[k + 1].velocity - nodes[k].velocity);
        return segment.tension + segment.damping;
    };
    const LineReport ends = lines_.report(setup_.moorings, index, frame.moorings.nodes);
    for (int k = 0; k <= line.segments; ++k) {
        link.points.push_back(nodes[k].place + setup_.domain.min);
        const double load = k == 0               ? ends.tension[0]
                            : k == line.segments ? ends.tension[1]
                                                 : (tension(k - 1) + tension(k)) / 2;
        link.load.push_back(static_cast<float>(load));
    }
    return link;
}

Link Links::joint(const Joint& joint, const JointReport& report) const {
    const auto kind = static_cast<LinkKind>(static_cast<int>(joint.kind) + 1);
    const auto load = static_cast<float>(norm(report.force));
    Vec3d from = report.point[0], to = report.point[1];
    if (kind == LinkKind::hinge || kind == LinkKind::pulley) {
        constexpr double half_width = 2; // of the piece of the axis, in particle spacings
        from = report.point[1] - half_width * setup_.constants.dp * report.axis;
        to = report.point[1] + half_width * setup_.constants.dp * report.axis;
    }
    return {kind, joint.origin, {from + setup_.domain.min, to + setup_.domain.min}, {load, load}};
}

std::vector<Link> Links::of(const Frame& frame) {
    std::vector<Link> links;
    for (std::size_t k = 0; k < frame.moorings.lines.size(); ++k) links.push_back(line(frame, k));
    if (!setup_.mechanisms.any() || frame.bodies.size() != setup_.bodies.size()) return links;
    const std::size_t first = links.size();
    const std::vector<JointReport> reports = joints_.of(frame);
    for (std::size_t j = 0; j < reports.size(); ++j) links.push_back(joint(setup_.mechanisms.joints[j], reports[j]));
    std::stable_sort(links.begin() + static_cast<std::ptrdiff_t>(first), links.end(),
                     [](const Link& a, const Link& b) { return a.index < b.index; });
    return links;
}

} // namespace sluice
