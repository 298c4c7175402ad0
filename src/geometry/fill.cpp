// SPDX-License-Identifier: Apache-2.0
#include "geometry/fill.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sluice {

std::pair<std::uint16_t, std::uint16_t> mk_range(const MkConfig& config, const MkSelection& s) {
    const auto as = [](int mk) { return static_cast<std::uint16_t>(mk); };
    if (s.kind == MkKind::none) return {0, 0};
    if (s.kind == MkKind::fluid) {
        if (s.mk) return {as(config.stored_fluid(*s.mk)), as(config.stored_fluid(*s.mk))};
        return {as(config.stored_fluid(0)), as(config.stored_fluid(config.fluid_count - 1))};
    }
    if (s.mk) return {as(config.stored_bound(*s.mk)), as(config.stored_bound(*s.mk))};
    return {as(config.stored_bound(0)), as(config.stored_bound(config.bound_count - 1))};
}

IndexBox nodes_between(const Lattice& lattice, const Vec3d& min, const Vec3d& max) {
    IndexBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.first[axis] = lattice.nearest(axis, min[axis]) + 1;
        box.last[axis] = lattice.nearest(axis, max[axis]) - 1;
    }
    return lattice.clip(box);
}

namespace {

/// Kinds of nodes as a set of ranges of stored mk.
class Kinds {
public:
    void add(const MkConfig& config, const MkSelection& s) { ranges_.push_back(mk_range(config, s)); }
    bool contain(std::uint16_t mk) const {
        return std::any_of(ranges_.begin(), ranges_.end(),
                           [&](const auto& r) { return mk >= r.first && mk <= r.second; });
    }

private:
    std::vector<std::pair<std::uint16_t, std::uint16_t>> ranges_;
};

Kinds kinds_of(const MkConfig& config, const Fill& fill) {
    Kinds kinds;
    // A border alone is the border of the empty space around the seed.
    if (fill.over_void || fill.border) kinds.add(config, {MkKind::none, std::nullopt});
    if (fill.over_fluid) kinds.add(config, {MkKind::fluid, fill.only_fluid_mk});
    if (fill.over_bound) kinds.add(config, {MkKind::bound, fill.only_bound_mk});
    return kinds;
}

unsigned side(int step, unsigned low, unsigned high) { return step < 0 ? low : step > 0 ? high : 0; }

/// Steps from a border node to the nodes beside it.
std::vector<Vec3i> neighbours(unsigned sides, bool two_d) {
    std::vector<Vec3i> out;
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = two_d ? 0 : -1; dy <= (two_d ? 0 : 1); ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const unsigned needed =
                    side(dx, box_left, box_right) | side(dy, box_front, box_back) | side(dz, box_bottom, box_top);
                if (needed && (needed & ~sides) == 0) out.push_back({dx, dy, dz});
            }
    return out;
}

/// A run of nodes in x, the unit of the flood: far fewer than nodes.
struct Run {
    int first, last, j, k;
};

class Flood {
public:
    Flood(Canvas& canvas, const Kinds& kinds, const IndexBox& bounds, const ParticleGrid* enclosed, bool border)
        : canvas_(canvas), kinds_(kinds), bounds_(bounds), enclosed_(enclosed), border_(border),
          seen_(canvas.lattice().count()) {}

    std::size_t run(const Vec3i& seed) {
        grow(seed.x, seed.y, seed.z);
        while (!runs_.empty()) {
            const Run r = runs_.back();
            runs_.pop_back();
            for (const auto& [dj, dk] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}})
                scan(r.first, r.last, r.j + dj, r.k + dk);
        }
        if (border_) add_border();
        canvas_.reset_drawn();
        seen_.for_each([&](int i, int j, int k, std::uint16_t) { canvas_.plot(i, j, k); });
        return canvas_.drawn();
    }

    bool reached_edge() const { return reached_edge_; }

private:
    bool in_bounds(int i, int j, int k) const {
        return i >= bounds_.first.x && i <= bounds_.last.x && j >= bounds_.first.y && j <= bounds_.last.y &&
               k >= bounds_.first.z && k <= bounds_.last.z;
    }
    bool open(int i, int j, int k) const {
        return in_bounds(i, j, k) && !seen_.get(i, j, k) && (!enclosed_ || enclosed_->get(i, j, k)) &&
               kinds_.contain(canvas_.grid().get(i, j, k));
    }
    /// Marks the whole run through an open node and queues it; returns its last node.
    int grow(int i, int j, int k) {
        int first = i, last = i;
        while (open(first - 1, j, k)) --first;
        while (open(last + 1, j, k)) ++last;
        seen_.fill_row(first, last, j, k, 1);
        runs_.push_back({first, last, j, k});
        note_edge(first, last, j, k);
        return last;
    }
    void scan(int first, int last, int j, int k) {
        for (int i = first; i <= last; ++i) {
            if (open(i, j, k)) i = grow(i, j, k);
        }
    }
    /// Adds the drawn nodes in bounds among the 26 neighbours (8 in 2-D) of what was filled.
    void add_border() {
        const ParticleGrid filled = std::exchange(seen_, ParticleGrid(canvas_.lattice().count()));
        const std::vector<Vec3i> steps = neighbours(box_all_faces, canvas_.lattice().two_d());
        filled.for_each([&](int i, int j, int k, std::uint16_t) {
            seen_.set(i, j, k, 1);
            for (const Vec3i& s : steps)
                if (in_bounds(i + s.x, j + s.y, k + s.z) && canvas_.grid().get(i + s.x, j + s.y, k + s.z))
                    seen_.set(i + s.x, j + s.y, k + s.z, 1);
        });
    }
    void note_edge(int first, int last, int j, int k) {
        const Vec3i n = canvas_.lattice().count();
        reached_edge_ = reached_edge_ || first == 0 || last == n.x - 1 || k == 0 || k == n.z - 1 ||
                        (n.y > 1 && (j == 0 || j == n.y - 1));
    }

    Canvas& canvas_;
    const Kinds& kinds_;
    IndexBox bounds_;
    const ParticleGrid* enclosed_;
    bool border_;
    ParticleGrid seen_;
    std::vector<Run> runs_;
    bool reached_edge_ = false;
};

} // namespace

FillResult flood(Canvas& canvas, const MkConfig& config, const Fill& fill, const Vec3i& seed, const IndexBox& bounds,
                 const ParticleGrid* enclosed) {
    FillResult result;
    const bool in_box = seed.x >= bounds.first.x && seed.x <= bounds.last.x && seed.y >= bounds.first.y &&
                        seed.y <= bounds.last.y && seed.z >= bounds.first.z && seed.z <= bounds.last.z;
    result.seed_inside =
        in_box && canvas.inside(seed.x, seed.y, seed.z) && (!enclosed || enclosed->get(seed.x, seed.y, seed.z));
    if (!result.seed_inside) return result;
    // The reference generator changes nothing if border stands with another kind.
    if (fill.border && (fill.over_void || fill.over_fluid || fill.over_bound)) return result;
    const Kinds kinds = kinds_of(config, fill);
    result.seed_free = kinds.contain(canvas.grid().get(seed.x, seed.y, seed.z));
    if (!result.seed_free) return result;
    Flood work(canvas, kinds, bounds, enclosed, fill.border);
    result.filled = work.run(seed);
    result.reached_edge = work.reached_edge();
    return result;
}

void redraw(Canvas& canvas, const MkConfig& config, const Redraw& command, const std::optional<IndexBox>& box) {
    const Vec3i n = canvas.lattice().count();
    if (!command.only) return canvas.fill_box(box.value_or(IndexBox{{0, 0, 0}, {n.x - 1, n.y - 1, n.z - 1}}));
    const auto range = mk_range(config, *command.only);
    ParticleGrid chosen(canvas.lattice().count());
    canvas.grid().for_each([&](int i, int j, int k, std::uint16_t mk) {
        if (mk < range.first || mk > range.second) return;
        if (box && (i < box->first.x || i > box->last.x || j < box->first.y || j > box->last.y || k < box->first.z ||
                    k > box->last.z))
            return;
        chosen.set(i, j, k, 1);
    });
    chosen.for_each([&](int i, int j, int k, std::uint16_t) { canvas.plot(i, j, k); });
}

void redraw_near(Canvas& canvas, const MkConfig& config, const RedrawNear& command,
                 const std::optional<IndexBox>& box) {
    const auto target = mk_range(config, command.target), border = mk_range(config, command.border);
    const auto steps = neighbours(command.sides, canvas.lattice().two_d());
    for (int turn = 0; turn < command.times; ++turn) {
        ParticleGrid chosen(canvas.lattice().count());
        const auto visit = [&](int i, int j, int k) {
            for (const Vec3i& s : steps) {
                const Vec3i p{i + s.x, j + s.y, k + s.z};
                if (!canvas.inside(p.x, p.y, p.z)) continue;
                if (box && (p.x < box->first.x || p.x > box->last.x || p.y < box->first.y || p.y > box->last.y ||
                            p.z < box->first.z || p.z > box->last.z))
                    continue;
                const std::uint16_t mk = canvas.grid().get(p.x, p.y, p.z);
                if (mk >= target.first && mk <= target.second) chosen.set(p.x, p.y, p.z, 1);
            }
        };
        canvas.grid().for_each([&](int i, int j, int k, std::uint16_t mk) {
            if (command.border.kind != MkKind::none) {
                if (mk >= border.first && mk <= border.second) visit(i, j, k);
                return;
            }
            // Empty nodes are not visited: look for one from its neighbour.
            for (const Vec3i& s : steps)
                if (canvas.inside(i - s.x, j - s.y, k - s.z) && !canvas.grid().get(i - s.x, j - s.y, k - s.z))
                    return visit(i - s.x, j - s.y, k - s.z);
        });
        std::size_t changed = 0;
        chosen.for_each([&](int i, int j, int k, std::uint16_t) {
            canvas.plot(i, j, k);
            ++changed;
        });
        if (!changed) return;
    }
}

} // namespace sluice
