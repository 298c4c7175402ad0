// SPDX-License-Identifier: Apache-2.0
#include "case/wave_values.h"

namespace sluice {

namespace {

void read_gauge_place(const XmlElement& e, WaveAbsorption& absorption) {
    absorption.gauge = 5; // dp
    const auto place = e.child("gaugex");
    if (!place) return;
    require_attributes(*place, {"value", "valueh", "valuedp"});
    using Unit = WaveAbsorption::Unit;
    int given = 0;
    for (const auto& [name, unit] :
         {std::pair{"value", Unit::metre}, std::pair{"valueh", Unit::h}, std::pair{"valuedp", Unit::dp}}) {
        if (!place->attribute(name)) continue;
        absorption.gauge = place->number(name);
        absorption.gauge_unit = unit;
        ++given;
    }
    if (given != 1) place->fail("<gaugex> needs one of value (m), valueh (h) and valuedp (dp)");
    if (!(absorption.gauge > 0))
        place->fail(fmt::format("<gaugex> {} is not before the piston: it must be above 0", absorption.gauge));
}

void read_correction(const XmlElement& e, WaveAbsorption& absorption) {
    require_attributes(e, {"coefstroke", "coefperiod", "powerfunc"});
    const auto positive = [&](const char* name) {
        const double value = e.number(name);
        if (!(value > 0)) e.fail(fmt::format("<correction> {} is {}, it must be above 0", name, value));
        return value;
    };
    absorption.drift_strokes = positive("coefstroke");
    absorption.return_periods = positive("coefperiod");
    absorption.return_power = positive("powerfunc");
    const double least = absorption.response == AbsorptionResponse::tuned ? 2 : 1; // or that piston would jerk
    if (absorption.return_power < least || absorption.return_power > 20)
        e.fail(fmt::format("<correction> powerfunc {}: it must be from {} to 20", absorption.return_power, least));
}

std::optional<double> number_if_given(const ElementValues& values, const char* name) {
    return values.element().child(name) ? std::optional(values.number(name, 0)) : std::nullopt;
}

} // namespace

WaveAbsorption read_wave_absorption(CaseReader& reader, const XmlElement& e, const WavePaddle& paddle) {
    require_attributes(e, {});
    const ElementValues values(reader, e,
                               {"startawas", "swl", "elevation", "gaugex", "gaugey", "gaugezmin", "gaugezmax",
                                "gaugedp", "coefmasslimit", "savedata", "limitace", "correction", "response"});
    values.expect_known();
    WaveAbsorption absorption;
    absorption.where = e.where();
    using enum AbsorptionResponse;
    absorption.response = values.one_of("response", long_waves, {{"longwaves", long_waves}, {"tuned", tuned}});
    absorption.start = number_if_given(values, "startawas");
    absorption.swl = values.value_of("swl").number("value");
    absorption.order = values.whole("elevation", 2, 1, 2);
    read_gauge_place(e, absorption);
    absorption.gauge_y = values.number("gaugey", 0);
    absorption.z_min = number_if_given(values, "gaugezmin");
    absorption.z_max = number_if_given(values, "gaugezmax");
    if (absorption.z_min && absorption.z_max && !(*absorption.z_max > *absorption.z_min))
        e.fail(
            fmt::format("<awas_zsurf> gaugezmax {} is not above gaugezmin {}", *absorption.z_max, *absorption.z_min));
    absorption.spacing_dp = values.positive("gaugedp", values.number("gaugedp", 0.1));
    absorption.mass_limit = number_if_given(values, "coefmasslimit");
    if (absorption.mass_limit && !(*absorption.mass_limit > 0 && *absorption.mass_limit < 1))
        e.fail(fmt::format("<awas_zsurf> coefmasslimit {} is not between 0 and 1", *absorption.mass_limit));
    absorption.save = values.whole("savedata", 0, 0, 3);
    absorption.acceleration_factor = values.at_least("limitace", 2, 0);
    if (const auto correction = e.child("correction")) read_correction(*correction, absorption);
    if (absorption.start && *absorption.start < paddle.start)
        e.fail(fmt::format("<awas_zsurf> startawas {} lies before the start of the paddle, {}", *absorption.start,
                           paddle.start));
    return absorption;
}

} // namespace sluice
