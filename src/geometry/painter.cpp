// SPDX-License-Identifier: Apache-2.0
#include "geometry/painter.h"

#include <fmt/format.h>
#include <string_view>

namespace sluice {

Painter::Painter(const Case& the_case, std::vector<Diagnostic>& diagnostics)
    : case_(the_case), diagnostics_(diagnostics), lattice_(the_case.definition), grid_(lattice_.count()) {}

void Painter::draw() {
    for (const GeometryCommand& command : case_.commands) {
        current_ = &command;
        drawn_ = 0;
        std::visit([&](const auto& action) { apply(action); }, command.action);
        const bool draws = std::string_view(command.element).starts_with("draw");
        if (draws && drawn_ == 0)
            diagnostics_.push_back({Diagnostic::Level::warning, case_.where(command),
                                    fmt::format("<{}> draws nothing: it lies outside the box of the definition or between its planes", command.element)});
        if (draws && !mk_chosen_)
            throw InputError(case_.where(command), fmt::format("<{}> draws before any mk is chosen, put setmkfluid or setmkbound before it", command.element));
    }
}

void Painter::apply(const SetMk& set) {
    mk_chosen_ = true;
    switch (set.kind) {
    case MkKind::none: mk_ = 0; break;
    case MkKind::fluid: mk_ = static_cast<std::uint16_t>(case_.mk.stored_fluid(set.mk)); break;
    case MkKind::bound: mk_ = static_cast<std::uint16_t>(case_.mk.stored_bound(set.mk)); break;
    }
}

void Painter::fill(const IndexBox& wanted) {
    const IndexBox box = lattice_.clip(wanted);
    if (box.empty()) return;
    for (int k = box.first.z; k <= box.last.z; ++k)
        for (int j = box.first.y; j <= box.last.y; ++j) grid_.fill_row(box.first.x, box.last.x, j, k, mk_);
    drawn_ += std::size_t(box.last.x - box.first.x + 1) * std::size_t(box.last.y - box.first.y + 1) *
              std::size_t(box.last.z - box.first.z + 1);
}

void Painter::fill_edges(const IndexBox& box) {
    for (int along = 0; along < 3; ++along) {
        const int a = (along + 1) % 3, b = (along + 2) % 3;
        for (int corner = 0; corner < 4; ++corner) {
            IndexBox edge = box;
            (corner & 1 ? edge.first[a] : edge.last[a]) = corner & 1 ? box.last[a] : box.first[a];
            (corner & 2 ? edge.first[b] : edge.last[b]) = corner & 2 ? box.last[b] : box.first[b];
            fill(edge);
        }
    }
}

void Painter::apply(const DrawBox& box) {
    IndexBox whole;
    for (int axis = 0; axis < 3; ++axis) {
        whole.first[axis] = lattice_.nearest(axis, box.min[axis]);
        whole.last[axis] = lattice_.nearest(axis, box.max[axis]);
    }
    if (mode_ == DrawMode::wire) return fill_edges(whole);
    if (box.fill & box_solid && mode_ != DrawMode::face) return fill(whole);
    const unsigned faces = box.fill & box_solid ? unsigned(box_all_faces) : box.fill;
    struct Face {
        unsigned bit;
        int axis;
        bool far;
    };
    for (const Face f : {Face{box_bottom, 2, false}, Face{box_top, 2, true}, Face{box_left, 0, false},
                         Face{box_right, 0, true}, Face{box_front, 1, false}, Face{box_back, 1, true}}) {
        if (!(faces & f.bit)) continue;
        IndexBox plane = whole;
        (f.far ? plane.first : plane.last)[f.axis] = (f.far ? whole.last : whole.first)[f.axis];
        fill(plane);
    }
}

} // namespace sluice
