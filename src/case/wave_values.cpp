// SPDX-License-Identifier: Apache-2.0
#include "case/wave_values.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace sluice {

namespace {

void read_spectrum(const ElementValues& v, WavePaddle& p) {
    p.spectrum = v.one_of("spectrum", WaveSpectrum::jonswap,
                          {{"jonswap", WaveSpectrum::jonswap}, {"pierson-moskowitz", WaveSpectrum::pierson_moskowitz}});
    using D = WaveDiscretization;
    p.discretization = v.one_of("discretization", p.kind == WaveKind::focused ? D::regular : D::stretched,
                                {{"regular", D::regular},
                                 {"random", D::random},
                                 {"stretched", D::stretched},
                                 {"cosstretched", D::cosine_stretched}});
    p.peak_coef = v.at_least("peakcoef", 3.3, 1);
    if (p.peak_coef > 100)
        v.element().fail(fmt::format("<{}> peakcoef {} is above 100", v.element().name(), p.peak_coef));
    p.components = v.whole("waves", p.kind == WaveKind::focused ? 128 : 50, 4, 2048);
    p.seed = static_cast<std::uint64_t>(v.whole("randomseed", 0, 0, 2'000'000'000));
}

void read_focus(const ElementValues& v, WavePaddle& p) {
    p.focus_x = v.positive("xf");
    p.focus_phase = v.number("fphase", 0) * std::numbers::pi / 180;
    p.focus_pre_time = v.at_least("fpretime", 5, 0);
    p.motion_end = v.at_least("fmovtime", 0, 0);
    p.motion_end_ramp = v.at_least("fmovramp", 0, 0);
    if (p.motion_end > 0 && p.ramp + p.motion_end_ramp > p.motion_end)
        v.element().fail(fmt::format("<{}> ramptime and fmovramp ({} s together) are longer than fmovtime ({} s)",
                                     v.element().name(), p.ramp + p.motion_end_ramp, p.motion_end));
    if (const auto highest = v.element().child("maxwaveh")) {
        require_attributes(*highest, {"nwaves", "time"});
        if (highest->attribute("nwaves"))
            p.highest_of = highest->number("nwaves");
        else if (const double time = highest->number("time"); time > 0)
            p.highest_of = time / (p.period / 1.1); // the mean period is near a tenth below that of the peak
    }
    if (!(p.highest_of > 1))
        v.element().fail(fmt::format("<{}> maxwaveh: {} waves are too few", v.element().name(), p.highest_of));
}

} // namespace

void read_waves(const ElementValues& v, WavePaddle& p) {
    p.order = v.whole("waveorder", 1, 1, 2);
    const bool has_bound_waves_of_flap = p.flap && p.kind != WaveKind::regular;
    if (p.order == 2 && (has_bound_waves_of_flap || p.fixed_depth > 0))
        v.reader().unsupported(v.element().child("waveorder")->where(),
                               fmt::format("<{}> waveorder 2{}", v.element().name(), p.flap ? "" : " with fixeddepth"),
                               "take waveorder 1");
    p.height = v.positive("waveheight");
    p.period = v.positive("waveperiod");
    p.gain_stroke = v.number("gainstroke", 1);
    if (p.kind == WaveKind::regular) {
        p.phase = std::numbers::pi * v.number("phase", 0);
        p.ramp = v.at_least("ramp", 0, 0) * p.period;
        return;
    }
    p.ramp = v.at_least("ramptime", 0, 0);
    read_spectrum(v, p);
    if (p.kind == WaveKind::focused) read_focus(v, p);
    if (const auto begin = v.knows("serieini") ? v.element().child("serieini") : std::nullopt) {
        require_attributes(*begin, {"value", "autofit"});
        p.series_start = begin->number("value");
        p.autofit = begin->boolean("autofit", false);
    }
}

void read_wave_tables(const ElementValues& v, WavePaddle& p) {
    for (const XmlElement& t : v.element().children()) {
        if (!v.knows(t.name().c_str())) continue;
        WaveTable table;
        if (t.name() == "savemotion") {
            require_attributes(t, {"periods", "periodsteps", "time", "timedt", "xpos", "zpos"});
            const double period = p.period;
            if (t.attribute("time")) table.end = t.number("time");
            if (t.attribute("timedt")) table.step = t.number("timedt");
            if (t.attribute("periods")) table.end = t.number("periods") * period;
            if (t.attribute("periodsteps")) table.step = period / t.number("periodsteps");
            table.z = t.number("zpos", 0);
        } else if (t.name() == "saveserie" || t.name() == "saveseriewaves") {
            const bool heights = t.name() == "saveseriewaves";
            table.content = heights ? WaveTable::Content::heights : WaveTable::Content::series;
            if (heights)
                require_attributes(t, {"timemin", "timemax", "xpos"});
            else
                require_attributes(t, {"timemin", "timemax", "timedt", "xpos"});
            table.begin = t.number("timemin", 0);
            table.end = t.number("timemax");
            table.step = heights ? p.period / 50 : t.number("timedt");
            if (!(table.end > table.begin)) t.fail(fmt::format("<{}> ends before it begins", t.name()));
        } else
            continue;
        table.x = t.number("xpos", 0);
        if (t.attribute("timedt") || t.attribute("periodsteps") || table.content != WaveTable::Content::motion)
            if (!(table.step > 0) || std::isinf(table.step) || (table.end - table.begin) / table.step > 1e6)
                t.fail(fmt::format("<{}> has a step of {} s: at most 1e6 rows", t.name(), table.step));
        p.tables.push_back(table);
    }
}

} // namespace sluice
