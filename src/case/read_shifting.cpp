// SPDX-License-Identifier: Apache-2.0
#include "case/element_values.h"
#include "case/read_turns.h"
#include "model/choices.h"

#include <cmath>

namespace sluice {

namespace {

/// 0 for sides that lie in a plane; in 2-D the side along y counts as if it were across.
bool is_flat(const ShiftZoneDef& zone, bool two_d) {
    const Vec3d &a = zone.side[0], &b = two_d ? Vec3d{0, 1, 0} : zone.side[1], &c = zone.side[2];
    const double volume = dot(a, cross(b, c));
    return !(std::abs(volume) > 1e-9 * std::sqrt(dot(a, a) * dot(b, b) * dot(c, c)));
}

void read_shift_zone(CaseReader& reader, const XmlElement& e) {
    require_attributes(e, {});
    expect_children(e, {"posref", "size", "vecx", "vecy", "vecz", "rotateaxis"});
    ShiftZoneDef zone;
    zone.corner = child_vector(e, "posref");
    const char* const vectors[] = {"vecx", "vecy", "vecz"};
    if (e.child("size")) {
        for (const char* name : vectors)
            if (const auto other = e.child(name))
                other->fail(fmt::format("<shiftingzone> has both <size> and <{}>, take one", name));
        const Vec3d size = child_vector(e, "size");
        for (int axis = 0; axis < 3; ++axis) zone.side[axis][axis] = size[axis];
    } else {
        for (int k = 0; k < 3; ++k) zone.side[k] = child_vector(e, vectors[k]);
    }
    if (const auto turn = e.child("rotateaxis")) {
        const Transform t = read_axis_turn(*turn);
        zone.corner = t(zone.corner);
        for (Vec3d& side : zone.side) side = t.turned(side);
    }
    if (is_flat(zone, reader.out.definition.two_d))
        e.fail("<shiftingzone> has no volume: its size needs three lengths, or its vectors three directions");
    reader.out.shift_zones.push_back(zone);
}

} // namespace

void read_shifting(CaseReader& reader, const XmlElement& shifting) {
    const ElementValues values(reader, shifting, {"mode", "coefficient", "fsthreshold", "shiftingzone"});
    require_attributes(shifting, {});
    values.expect_known();
    ExecutionParameters& p = reader.out.parameters;
    if (p.shifting != sph::Shifting::none)
        shifting.fail(fmt::format("<shifting> stands beside the parameter Shifting={}: take one of them out, both say "
                                  "whether particles are shifted",
                                  word_of(p.shifting)));
    p.shifting = find_choice<sph::Shifting>(std::to_string(values.whole("mode", 0, 0, 3)))->choice;
    p.shift_coefficient = values.number("coefficient", -2);
    if (!(p.shift_coefficient <= 0))
        shifting.fail(fmt::format("<shifting> coefficient is {}, it must be 0 at most", p.shift_coefficient));
    p.shift_threshold = values.at_least("fsthreshold", 0, 0);
    for (const XmlElement& e : shifting.children())
        if (e.name() == "shiftingzone") reader.collect([&] { read_shift_zone(reader, e); });
}

} // namespace sluice
