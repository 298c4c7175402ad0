// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/gauge_marks.h"

namespace sluice {

namespace {

std::vector<Vec3d> gauge_places(const SurfaceLine& line) { return {line.point0, line.point2}; }
std::vector<Vec3d> gauge_places(const VelocityPoint& gauge) { return {gauge.point}; }
std::vector<Vec3d> gauge_places(const PressurePoint& gauge) { return {gauge.point}; }
std::vector<Vec3d> gauge_places(const MaterialPlace& gauge) { return {gauge.point}; }
std::vector<Vec3d> gauge_places(const HighestFluid& gauge) {
    return {gauge.point0, gauge.point0 + Vec3d{0, 0, gauge.height}};
}
std::vector<Vec3d> gauge_places(const BoundaryForce&) { return {}; }
std::vector<Vec3d> gauge_places(const FlowRectangle& flow) {
    return {flow.point0, flow.point1, flow.point1 + flow.point2 - flow.point0, flow.point2};
}
/// Along the edges of its block of points, each at least once.
std::vector<Vec3d> gauge_places(const MeasuringMesh& mesh) {
    const auto corner = [&](int x, int y, int z) {
        return mesh.origin + double(x * (mesh.count.x - 1)) * mesh.step[0] +
               double(y * (mesh.count.y - 1)) * mesh.step[1] + double(z * (mesh.count.z - 1)) * mesh.step[2];
    };
    return {corner(0, 0, 0), corner(1, 0, 0), corner(1, 1, 0), corner(0, 1, 0), corner(0, 0, 0), corner(0, 0, 1),
            corner(1, 0, 1), corner(1, 0, 0), corner(1, 0, 1), corner(1, 1, 1), corner(1, 1, 0), corner(1, 1, 1),
            corner(0, 1, 1), corner(0, 1, 0), corner(0, 1, 1), corner(0, 0, 1)};
}

} // namespace

std::vector<PictureMark> gauge_marks(const std::vector<Gauge>& gauges) {
    std::vector<PictureMark> marks;
    for (const Gauge& gauge : gauges) {
        std::vector<Vec3d> points = std::visit([](const auto& kind) { return gauge_places(kind); }, gauge.kind);
        if (!points.empty())
            marks.push_back({gauge.name, std::move(points), std::holds_alternative<FlowRectangle>(gauge.kind)});
    }
    return marks;
}

} // namespace sluice
