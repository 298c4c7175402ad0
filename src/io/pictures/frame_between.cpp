// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/frame_between.h"

#include "model/fields.h"
#include "model/motion.h"
#include <cmath>

namespace sluice {

namespace {

/// The rows of particles in both frames; one of them may be missing.
struct PairOfRows {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t a = none, b = none;
};

std::vector<PairOfRows> pairs_of(const Frame& a, const Frame& b, bool nearer_a) {
    std::vector<PairOfRows> pairs;
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        if (j == b.size() || (i < a.size() && a.id[i] < b.id[j])) {
            if (nearer_a) pairs.push_back({i, PairOfRows::none});
            ++i;
        } else if (i == a.size() || b.id[j] < a.id[i]) {
            if (!nearer_a) pairs.push_back({PairOfRows::none, j});
            ++j;
        } else {
            pairs.push_back({i++, j++});
        }
    }
    return pairs;
}

bool crosses_side(const Vec3d& from, const Vec3d& to, const RunSetup& setup) {
    for (int axis = 0; axis < 3; ++axis)
        if (setup.period.periodic[axis] &&
            std::abs(to[axis] - from[axis]) > (setup.domain.max[axis] - setup.domain.min[axis]) / 2)
            return true;
    return false;
}

bool is_known(const Vec3f& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

template <class T>
T straight(const T& a, const T& b, double part) {
    return static_cast<float>(1 - part) * a + static_cast<float>(part) * b;
}

/// Those of both frames with as many points in each; a line that breaks in between stays until it is broken.
std::vector<Link> links_between(const Frame& a, const Frame& b, double part) {
    std::vector<Link> links = a.links;
    if (a.links.size() != b.links.size()) return links;
    for (std::size_t k = 0; k < links.size(); ++k) {
        const Link& to = b.links[k];
        if (links[k].points.size() != to.points.size()) continue;
        for (std::size_t i = 0; i < to.points.size(); ++i) {
            links[k].points[i] = links[k].points[i] + part * (to.points[i] - links[k].points[i]);
            links[k].load[i] = straight(links[k].load[i], to.load[i], part);
        }
    }
    return links;
}

} // namespace

Frame frame_between(const Frame& a, const Frame& b, double part, const RunSetup& setup) {
    const bool nearer_a = part < 0.5;
    const double between = b.time - a.time;
    std::vector<PairOfRows> pairs = pairs_of(a, b, nearer_a);
    for (PairOfRows& pair : pairs) {
        if (pair.a == PairOfRows::none || pair.b == PairOfRows::none) continue;
        if (crosses_side(a.position[pair.a], b.position[pair.b], setup))
            (nearer_a ? pair.b : pair.a) = PairOfRows::none;
    }
    Frame frame;
    frame.number = nearer_a ? a.number : b.number;
    frame.step = nearer_a ? a.step : b.step;
    frame.time = a.time + part * between;
    frame.links = links_between(a, b, part);
    for (const PairOfRows& pair : pairs) {
        const bool in_a = pair.a != PairOfRows::none, in_b = pair.b != PairOfRows::none;
        const std::uint32_t id = in_a ? a.id[pair.a] : b.id[pair.b];
        frame.id.push_back(id);
        if (!in_a || !in_b) {
            frame.position.push_back(in_a ? a.position[pair.a] : b.position[pair.b]);
            continue;
        }
        const Vec3d &from = a.position[pair.a], &to = b.position[pair.b];
        const Vec3f &va = a.velocity[pair.a], &vb = b.velocity[pair.b];
        const bool curved = setup.groups.is_fluid(id) && is_known(va) && is_known(vb);
        Vec3d place = from + part * (to - from);
        for (int axis = 0; axis < 3 && curved; ++axis)
            place[axis] =
                motion::hermite(part, from[axis], between * double(va[axis]), to[axis], between * double(vb[axis]));
        frame.position.push_back(place);
    }
    for (const FieldInfo& info : particle_fields)
        with_values(frame, info, [&](auto& values) {
            using Values = std::decay_t<decltype(values)>;
            const Values &of_a = a.*std::get<Values Frame::*>(info.member),
                         &of_b = b.*std::get<Values Frame::*>(info.member);
            if (of_a.empty() || of_b.empty()) return;
            for (const PairOfRows& pair : pairs)
                values.push_back(pair.b == PairOfRows::none   ? of_a[pair.a]
                                 : pair.a == PairOfRows::none ? of_b[pair.b]
                                                              : straight(of_a[pair.a], of_b[pair.b], part));
        });
    return frame;
}

} // namespace sluice
