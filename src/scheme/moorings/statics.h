// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scheme/body_motion.h"
#include "scheme/moorings/catenary.h"
#include "scheme/moorings/line_forces.h"
#include <algorithm>
#include <vector>

// Mooring lines at rest: where a run begins. On the host.

namespace sluice::mooring {

namespace statics {

/// Matrix of three rows.
struct Block {
    Vec3d row[3];

    Vec3d times(const Vec3d& v) const { return body::product(row, v); }
    void add(double factor, const Block& other) {
        for (int i = 0; i < 3; ++i) row[i] = row[i] + factor * other.row[i];
    }
    /// The product with another block.
    Block times(const Block& other) const {
        Block result;
        for (int i = 0; i < 3; ++i)
            result.row[i] = row[i].x * other.row[0] + row[i].y * other.row[1] + row[i].z * other.row[2];
        return result;
    }
    Block solved(const Block& right) const {
        Block result;
        for (int j = 0; j < 3; ++j) {
            const Vec3d column = body::solution(row, {right.row[0][j], right.row[1][j], right.row[2][j]});
            for (int i = 0; i < 3; ++i) result.row[i][j] = column[i];
        }
        return result;
    }
};

/// How the pull of a segment changes with the way between its nodes.
inline Block stiffness_of(const MooringLine& line, const Vec3d& first, const Vec3d& second) {
    const Segment s = segment_between(line, first, second, {});
    Block k;
    if (!(s.tension > 0)) return k;
    const double rest = segment_length(line), along = line.stiffness / rest,
                 across = s.tension / (rest * (1 + s.strain));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            k.row[i][j] = (i == j ? across : 0) + (along - across) * s.direction[i] * s.direction[j];
    return k;
}

/// A line and the places of its nodes.
struct Rest {
    const MooringLine& line;
    const MooringWater& water;
    std::vector<Vec3d> place;

    std::vector<Vec3d> forces() const {
        std::vector<Vec3d> force(place.size()), velocity(place.size()), pull(place.size());
        find_forces(line, water, place.data(), velocity.data(), 1, pull.data(), force.data());
        return force;
    }
    double greatest_force() const {
        const std::vector<Vec3d> force = forces();
        double greatest = 0;
        for (std::size_t k = 1; k + 1 < force.size(); ++k) greatest = std::max(greatest, norm(force[k]));
        return greatest;
    }
    /// Potential energy, J: convex in the places as long as what is wet stays so.
    double energy() const {
        double sum = 0;
        for (int k = 0; k < line.segments; ++k) {
            const double strain = segment_between(line, at(k), at(k + 1), {}).strain;
            if (strain > 0) sum += 0.5 * line.stiffness * segment_length(line) * strain * strain;
        }
        for (int k = 1; k < line.segments; ++k) {
            const NodeShare share = node_share(line, water, place.data(), k);
            const double mass = line.mass * share.length - water.density * volume_per_length(line) * share.wet;
            const double depth = std::max(0.0, line.bed - at(k).z);
            sum += 0.5 * water.bed_stiffness * line.diameter * share.length * depth * depth -
                   mass * dot(water.gravity, at(k));
        }
        return sum;
    }
    const Vec3d& at(int k) const { return place[static_cast<std::size_t>(k)]; }

    /// The way to where nothing pulls at a node any more, to first order, with `soft` (N/m) added to all stiffnesses.
    std::vector<Vec3d> way(double soft) const {
        const std::vector<Vec3d> force = forces();
        const std::size_t last = place.size() - 1;
        std::vector<Vec3d> way(place.size());
        std::vector<Block> upper(place.size());
        for (std::size_t k = 1; k < last; ++k) { // elimination in blocks
            const Block before = stiffness_of(line, place[k - 1], place[k]),
                        after = stiffness_of(line, place[k], place[k + 1]);
            Block middle;
            middle.add(1, before);
            middle.add(1, after);
            for (int i = 0; i < 3; ++i) middle.row[i][i] += soft;
            if (place[k].z < line.bed) middle.row[2].z += water.bed_stiffness * line.diameter * segment_length(line);
            middle.add(-1, before.times(upper[k - 1]));
            upper[k] = middle.solved(after);
            way[k] = body::solution(middle.row, force[k] + before.times(way[k - 1]));
        }
        upper[last] = {};
        for (std::size_t k = last - 1; k >= 1; --k) way[k] = way[k] + upper[k].times(way[k + 1]);
        return way;
    }
};

} // namespace statics

/// Moves the inner nodes of a line to where they rest, by Newton's method on its energy. `place`: of all its nodes,
/// near where they rest. False if it does not find the place, as for slack lines that may lie in many ways.
inline bool settle(const MooringLine& line, const MooringWater& water, std::vector<Vec3d>& place) {
    if (line.segments < 2) return true;
    statics::Rest rest{line, water, place};
    const double weight = line.mass * line.length * norm(water.gravity);
    const double enough = 1e-13 * line.stiffness + 1e-12 * weight;
    double soft = 1e-6 * line.stiffness / line.length, error = rest.greatest_force();
    constexpr int most_steps = 500;
    for (int n = 0; n < most_steps && error > enough; ++n) {
        const std::vector<Vec3d> way = rest.way(soft);
        const double energy = rest.energy();
        const std::vector<Vec3d> from = rest.place;
        bool nearer = false;
        for (double part = 1; part > 1e-4 && !nearer; part *= 0.5) {
            for (std::size_t k = 1; k + 1 < from.size(); ++k) rest.place[k] = from[k] + part * way[k];
            const double there = rest.greatest_force();
            nearer = there < 0.9 * error || rest.energy() < energy - 1e-13 * std::abs(energy);
            if (nearer) error = there;
        }
        if (!nearer) rest.place = from;
        soft *= nearer ? 0.1 : 10;
        if (soft > 1e3 * line.stiffness / line.length) break;
    }
    place = rest.place;
    return error < 1e-6 * weight + 1e-9 * line.stiffness;
}

/// Nodes along a bow of the length of a line, or along the straight way between its ends where they are too far apart:
/// the begin of a search.
inline std::vector<Vec3d> bowed(const MooringLine& line, const Vec3d& first, const Vec3d& last, double down) {
    const auto nodes = [&](double sag) {
        std::vector<Vec3d> all;
        for (int k = 0; k <= line.segments; ++k) {
            const double t = double(k) / line.segments;
            all.push_back(first + t * (last - first));
            all.back().z -= down * 4 * sag * t * (1 - t);
        }
        return all;
    };
    const auto length_of = [](const std::vector<Vec3d>& all) {
        double sum = 0;
        for (std::size_t k = 1; k < all.size(); ++k) sum += norm(all[k] - all[k - 1]);
        return sum;
    };
    double low = 0, high = line.length;
    for (int n = 0; n < 60 && norm(last - first) < line.length; ++n) {
        const double middle = 0.5 * (low + high);
        (length_of(nodes(middle)) < line.length ? low : high) = middle;
    }
    return nodes(low);
}

/// Where the nodes of a line are at rest between two places: a catenary first, then what the equations of the nodes
/// ask for. `settled`: whether they are at rest there.
inline std::vector<Vec3d> nodes_at_rest(const MooringLine& line, const MooringWater& water, const Vec3d& first,
                                        const Vec3d& last, bool& settled) {
    const double g = -water.gravity.z, wet = 0.5 * (wetness(water, first) + wetness(water, last));
    const double weight = (line.mass - wet * water.density * volume_per_length(line)) * g, down = weight >= 0 ? 1 : -1;
    const bool turned = down * first.z > down * last.z; // the catenary begins at its lower end
    const Vec3d &low = turned ? last : first, &high = turned ? first : last;
    const Vec3d way = high - low;
    const double across = std::hypot(way.x, way.y);
    const double sunk = weight / (water.bed_stiffness * line.diameter); // into the bottom
    const bool bed = down > 0 && low.z <= line.bed + 0.01 * line.length;
    const std::optional<Catenary> c =
        Catenary::between(across, std::abs(way.z), line.length, std::abs(weight), line.stiffness, bed);
    std::vector<Vec3d> place = bowed(line, first, last, down);
    for (int k = 1; k < line.segments && c; ++k) {
        const double s = segment_length(line) * (turned ? line.segments - k : k), part = c->along(s) / across;
        place[static_cast<std::size_t>(k)] = {low.x + part * way.x, low.y + part * way.y, low.z + down * c->above(s)};
    }
    if (down > 0)
        for (int k = 1; k < line.segments; ++k) {
            double& z = place[static_cast<std::size_t>(k)].z;
            z = std::max(z, line.bed - sunk);
            if (c && c->on_bed > 0 && z < line.bed) z = line.bed - sunk;
        }
    settled = settle(line, water, place);
    return place;
}

} // namespace sluice::mooring
