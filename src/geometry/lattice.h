// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"

namespace sluice {

/// A closed range of lattice indices on each axis; empty if first > last on any.
struct IndexBox {
    Vec3i first, last;
    bool empty() const { return first.x > last.x || first.y > last.y || first.z > last.z; }
};

/// The nodes where particles may be: start + index·dp, indices 0 … count−1 on each axis. With r the
/// reference node (pointmin without one), the first plane is that of floor((pointmin − r)/dp), and the planes end
/// before that of floor((pointmax − r)/dp), both in double precision: the reference generator counts whole cells,
/// rounding and all, so the plane at pointmax itself is not drawn on.
class Lattice {
public:
    explicit Lattice(const CaseDefinition& definition);

    double dp() const { return dp_; }
    Vec3i count() const { return count_; }
    bool two_d() const { return count_.y == 1; }

    /// Coordinate of a plane, metres.
    double coordinate(int axis, int index) const { return start_[axis] + dp_ * index; }
    Vec3d node(const Vec3i& i) const { return {coordinate(0, i.x), coordinate(1, i.y), coordinate(2, i.z)}; }

    /// Coordinate in units of planes from index 0.
    double planes(int axis, double coordinate) const { return (coordinate - start_[axis]) / dp_; }
    /// Index of the plane nearest to a coordinate; may lie outside the lattice.
    int nearest(int axis, double coordinate) const;

    /// Planes nearest to the corners, clipped to the lattice.
    IndexBox nearest_box(const Vec3d& min, const Vec3d& max) const;
    IndexBox clip(IndexBox box) const;

private:
    double dp_;
    Vec3d start_; ///< node of index 0, m
    Vec3i count_;
};

} // namespace sluice
