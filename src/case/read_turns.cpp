// SPDX-License-Identifier: Apache-2.0
#include "case/read_turns.h"
#include "case/read_shapes.h"

#include <fmt/format.h>

namespace sluice {

double read_angle(const XmlElement& e, const char* attribute) {
    const std::string units = to_lower(e.attribute("anglesunits").value_or("degrees"));
    if (units != "degrees" && units != "radians")
        e.fail(fmt::format("<{}> anglesunits=\"{}\" is neither degrees nor radians", e.name(), units));
    return e.number(attribute) * (units == "radians" ? 57.29577951308232 : 1);
}

Transform read_axis_turn(const XmlElement& e) {
    require_attributes(e, {"angle", "anglesunits"});
    expect_children(e, {"point1", "point2"});
    const auto point = [&](const char* name) {
        const XmlElement p = e.required_child(name);
        require_attributes(p, {"x", "y", "z"});
        return p.vector();
    };
    const Vec3d a = point("point1"), b = point("point2");
    if (a == b) e.fail("<rotateaxis> the two points are the same, the axis needs a length");
    return rotation(-read_angle(e), b - a, a);
}

Transform read_advanced_turn(const XmlElement& e, const std::string& angle) {
    const std::string axes = to_lower(trim(e.attribute("axes").value_or("xyz")));
    if (axes.size() != 3 || axes.find_first_not_of("xyz") != std::string::npos)
        e.fail(fmt::format("<rotateadv> axes \"{}\" are not three of X, Y, Z", axes));
    const bool intrinsic = e.boolean("intrinsic", true);
    Transform turn;
    for (int i = 0; i < 3; ++i) {
        const std::string name = angle + std::to_string(i + 1);
        Vec3d axis;
        axis[axes[static_cast<std::size_t>(i)] - 'x'] = 1;
        const Transform one = rotation(e.attribute(name.c_str()) ? read_angle(e, name.c_str()) : 0, axis);
        turn = intrinsic ? turn * one : one * turn;
    }
    const auto center = e.child("center");
    const Vec3d c = center ? center->vector() : Vec3d{};
    return translation(c) * turn * translation(-1.0 * c);
}

} // namespace sluice
