// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/lattice.h"
#include "geometry/particle_grid.h"

namespace sluice {

/// Carries out the drawing commands of a case on a lattice, one after the other: the last one wins.
class Painter {
public:
    Painter(const Case& the_case, std::vector<Diagnostic>& diagnostics);

    void draw();
    const Lattice& lattice() const { return lattice_; }
    const ParticleGrid& grid() const { return grid_; }

private:
    void apply(const SetMk& set);
    void apply(const SetDrawMode& set) { mode_ = set.mode; }
    void apply(const DrawBox& box);

    void fill(const IndexBox& box);
    void fill_edges(const IndexBox& box);

    const Case& case_;
    std::vector<Diagnostic>& diagnostics_;
    Lattice lattice_;
    ParticleGrid grid_;
    const GeometryCommand* current_ = nullptr;
    std::uint16_t mk_ = 0;
    bool mk_chosen_ = false;
    DrawMode mode_ = DrawMode::full;
    std::size_t drawn_ = 0; ///< nodes touched by the current command
};

} // namespace sluice
