// SPDX-License-Identifier: Apache-2.0
#include "case/element_values.h"

namespace sluice {

namespace {

LayerData read_data(CaseReader& reader, const ElementValues& values) {
    LayerData data;
    data.file = read_data_file(reader, values.value_of("filevelx"), "value");
    data.first_time = values.number("timedataini", 0);
    data.y = values.knows("posy") ? values.value_of("posy").number("value") : 0;
    return data;
}

/// The wall stands in <motion>, as that of a paddle does.
void claim_wall(CaseReader& reader, const XmlElement& e, int mkbound) {
    for (MotionObject& object : reader.out.motion) {
        if (object.mkbound != mkbound) continue;
        if (object.acts() || object.is_layered)
            e.fail(fmt::format("<{}> mkbound {} is moved by the <objreal> in line {} or by another piston: keep one",
                               e.name(), mkbound, object.where.line));
        object.is_layered = true;
        return;
    }
    e.fail(fmt::format("<{}> mkbound {} is not named in <motion>: add <objreal ref=\"{}\"> with a <begin> and an "
                       "<mvnull>",
                       e.name(), mkbound, mkbound));
}

void read_piston(CaseReader& reader, const XmlElement& e) {
    const bool flat = e.name() == "piston1d";
    if (!flat && e.name() != "piston2d")
        e.fail(fmt::format("<mlayerpistons> has no <{}>, it knows piston1d and piston2d", e.name()));
    require_attributes(e, {});
    const ElementValues values(reader, e,
                               flat ? std::vector<std::string>{"mkbound", "filevelx", "incz", "timedataini", "smooth"}
                                    : std::vector<std::string>{"mkbound", "incz", "smoothz", "smoothy", "veldata"});
    values.expect_known();
    LayeredPiston piston;
    piston.where = e.where();
    piston.mkbound = read_mk(reader, values.value_of("mkbound"), "value", MkKind::bound);
    piston.raised = values.number("incz", 0);
    piston.smooth_z = values.whole(flat ? "smooth" : "smoothz", 0, 0, 1000000);
    piston.smooth_y = flat ? 0 : values.whole("smoothy", 0, 0, 1000000);
    if (flat)
        piston.data = {read_data(reader, values)};
    else
        for (const XmlElement& child : e.children()) {
            if (child.name() != "veldata") continue;
            const ElementValues of_y(reader, child, {"filevelx", "posy", "timedataini"});
            of_y.expect_known();
            piston.data.push_back(read_data(reader, of_y));
            if (const auto n = piston.data.size(); n > 1 && !(piston.data[n - 1].y > piston.data[n - 2].y))
                child.fail(fmt::format("<veldata> posy {} does not lie beyond that of the one before ({})",
                                       piston.data[n - 1].y, piston.data[n - 2].y));
        }
    if (piston.data.empty()) e.fail("<piston2d> needs <veldata>");
    claim_wall(reader, e, piston.mkbound);
    reader.out.layered_pistons.push_back(std::move(piston));
}

} // namespace

void read_layered_pistons(CaseReader& reader, const XmlElement& mlayerpistons) {
    require_attributes(mlayerpistons, {});
    for (const XmlElement& e : mlayerpistons.children()) reader.collect([&] { read_piston(reader, e); });
}

} // namespace sluice
