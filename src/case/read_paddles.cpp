// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"
#include "case/reader.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace sluice {

namespace {

/// An element of wavepaddles, and which elements it may hold besides those of every paddle.
struct PaddleWord {
    const char* name;
    WaveKind kind;
    bool flap;
    std::vector<std::string> children;
};

const PaddleWord* find_paddle_word(const std::string& name) {
    static const std::vector<std::string> of_regular{"waveorder", "waveheight", "waveperiod",
                                                     "phase",     "ramp",       "gainstroke"};
    static const std::vector<std::string> of_spectrum{"waveorder",      "waveheight", "waveperiod", "spectrum",
                                                      "discretization", "peakcoef",   "waves",      "randomseed",
                                                      "ramptime",       "gainstroke"};
    const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    static const std::vector<std::string> series{"serieini", "saveserie", "saveseriewaves"};
    static const PaddleWord words[] = {
        {"piston", WaveKind::regular, false, with(of_regular, {"pistondir", "fixeddepth"})},
        {"flap", WaveKind::regular, true, with(of_regular, {"variabledraft", "flapaxis0", "flapaxis1"})},
        {"piston_spectrum", WaveKind::spectrum, false, with(with(of_spectrum, series), {"pistondir", "fixeddepth"})},
        {"flap_spectrum", WaveKind::spectrum, true,
         with(with(of_spectrum, series), {"variabledraft", "flapaxis0", "flapaxis1"})},
        {"piston_focused", WaveKind::focused, false,
         with(of_spectrum, {"pistondir", "xf", "fphase", "maxwaveh", "fpretime", "fmovtime", "fmovramp"})},
        {"piston_solitary", WaveKind::solitary, false, {"pistondir", "theory", "waveheight", "waves", "durationcoef"}},
    };
    for (const PaddleWord& word : words)
        if (name == word.name) return &word;
    return nullptr;
}

/// The values of one paddle.
class PaddleReader {
public:
    PaddleReader(CaseReader& reader, const XmlElement& e, const PaddleWord& word)
        : reader_(reader), e_(e), known_(word.children) {
        known_.insert(known_.end(), {"mkbound", "start", "depth", "savemotion"});
        if (word.kind != WaveKind::solitary) known_.emplace_back("duration");
        paddle_.where = e.where();
        paddle_.name = e.name();
        paddle_.kind = word.kind;
        paddle_.flap = word.flap;
    }

    WavePaddle read() {
        WavePaddle& p = paddle_;
        require_attributes(e_, {});
        p.mkbound = read_mk(reader_, value_of("mkbound"), "value", MkKind::bound);
        p.start = at_least("start", 0, 0);
        p.duration = p.kind == WaveKind::solitary ? 0 : at_least("duration", 0, 0);
        p.depth = positive("depth");
        if (p.flap)
            read_flap();
        else
            read_piston();
        if (p.kind == WaveKind::solitary)
            read_solitary();
        else
            read_waves();
        read_tables();
        expect_known();
        return p;
    }

private:
    bool knows(const char* name) const { return std::find(known_.begin(), known_.end(), name) != known_.end(); }

    XmlElement value_of(const char* name) {
        const XmlElement v = e_.required_child(name);
        require_attributes(v, {"value"});
        return v;
    }
    double number(const char* name, double absent) {
        return knows(name) && e_.child(name) ? value_of(name).number("value") : absent;
    }
    double positive(const char* name) { return positive(name, value_of(name).number("value")); }
    double positive(const char* name, double v) {
        if (!(v > 0)) e_.fail(fmt::format("<{}> {} is {}, it must be above 0", e_.name(), name, v));
        return v;
    }
    double at_least(const char* name, double absent, double least) {
        const double v = number(name, absent);
        if (!(v >= least)) e_.fail(fmt::format("<{}> {} is {}, it must be {} at least", e_.name(), name, v, least));
        return v;
    }
    int whole(const char* name, int absent, int least, int most) {
        const double v = number(name, absent);
        if (v != std::floor(v) || v < least || v > most)
            e_.fail(
                fmt::format("<{}> {} is {}, it must be a whole number from {} to {}", e_.name(), name, v, least, most));
        return static_cast<int>(v);
    }
    /// Which of some words the value of an element is.
    template <class Choice>
    Choice one_of(const char* name, Choice absent, std::initializer_list<std::pair<const char*, Choice>> choices) {
        if (!e_.child(name)) return absent;
        const XmlElement v = value_of(name);
        const std::string given = to_lower(v.required_attribute("value"));
        std::string all;
        for (const auto& [word, choice] : choices) {
            if (given == word) return choice;
            all += (all.empty() ? "" : ", ") + std::string(word);
        }
        v.fail(fmt::format("<{}> \"{}\" is none of {}", name, given, all));
    }

    void read_piston() {
        WavePaddle& p = paddle_;
        if (const auto direction = e_.child("pistondir")) {
            require_attributes(*direction, {"x", "y", "z"});
            const Vec3d d = read_nonzero_vector(*direction);
            p.direction = (1 / std::sqrt(dot(d, d))) * d;
        }
        p.fixed_depth = at_least("fixeddepth", 0, 0);
        if (p.fixed_depth >= p.depth)
            e_.fail(fmt::format("<{}> fixeddepth {} leaves nothing of the depth ({}) to the piston", e_.name(),
                                p.fixed_depth, p.depth));
    }
    void read_flap() {
        WavePaddle& p = paddle_;
        p.draft = number("variabledraft", 0);
        if (!(p.draft < p.depth))
            e_.fail(
                fmt::format("<{}> variabledraft {} is not below the surface (depth {})", e_.name(), p.draft, p.depth));
        for (const auto& [name, point] : {std::pair{"flapaxis0", &p.axis_begin}, std::pair{"flapaxis1", &p.axis_end}}) {
            const XmlElement v = e_.required_child(name);
            require_attributes(v, {"x", "y", "z"});
            *point = v.vector();
        }
        if (p.axis_begin == p.axis_end) e_.fail(fmt::format("<{}> flapaxis0 and flapaxis1 are the same", e_.name()));
    }

    void read_waves() {
        WavePaddle& p = paddle_;
        p.order = whole("waveorder", 1, 1, 2);
        if (p.order == 2 && (p.flap || p.fixed_depth > 0))
            reader_.unsupported(e_.child("waveorder")->where(),
                                fmt::format("<{}> waveorder 2 {}", e_.name(), p.flap ? "of a flap" : "with fixeddepth"),
                                "take waveorder 1");
        p.height = positive("waveheight");
        p.period = positive("waveperiod");
        p.gain_stroke = number("gainstroke", 1);
        if (p.kind == WaveKind::regular) {
            p.phase = std::numbers::pi * number("phase", 0);
            p.ramp = at_least("ramp", 0, 0) * p.period;
            return;
        }
        p.ramp = at_least("ramptime", 0, 0);
        read_spectrum();
        if (p.kind == WaveKind::focused) read_focus();
        if (const auto begin = knows("serieini") ? e_.child("serieini") : std::nullopt) {
            require_attributes(*begin, {"value", "autofit"});
            p.series_start = begin->number("value");
            p.autofit = begin->boolean("autofit", false);
        }
    }
    void read_spectrum() {
        WavePaddle& p = paddle_;
        p.spectrum =
            one_of("spectrum", WaveSpectrum::jonswap,
                   {{"jonswap", WaveSpectrum::jonswap}, {"pierson-moskowitz", WaveSpectrum::pierson_moskowitz}});
        using D = WaveDiscretization;
        p.discretization = one_of("discretization", p.kind == WaveKind::focused ? D::regular : D::stretched,
                                  {{"regular", D::regular},
                                   {"random", D::random},
                                   {"stretched", D::stretched},
                                   {"cosstretched", D::cosine_stretched}});
        p.peak_coef = at_least("peakcoef", 3.3, 1);
        if (p.peak_coef > 100) e_.fail(fmt::format("<{}> peakcoef {} is above 100", e_.name(), p.peak_coef));
        p.components = whole("waves", p.kind == WaveKind::focused ? 128 : 50, 4, 2048);
        p.seed = static_cast<std::uint64_t>(whole("randomseed", 0, 0, 2'000'000'000));
    }
    void read_focus() {
        WavePaddle& p = paddle_;
        p.focus_x = positive("xf");
        p.focus_phase = number("fphase", 0) * std::numbers::pi / 180;
        p.focus_pre_time = at_least("fpretime", 5, 0);
        p.motion_end = at_least("fmovtime", 0, 0);
        p.motion_end_ramp = at_least("fmovramp", 0, 0);
        if (p.motion_end > 0 && p.ramp + p.motion_end_ramp > p.motion_end)
            e_.fail(fmt::format("<{}> ramptime and fmovramp ({} s together) are longer than fmovtime ({} s)", e_.name(),
                                p.ramp + p.motion_end_ramp, p.motion_end));
        if (const auto highest = e_.child("maxwaveh")) {
            require_attributes(*highest, {"nwaves", "time"});
            if (highest->attribute("nwaves"))
                p.highest_of = highest->number("nwaves");
            else if (const double time = highest->number("time"); time > 0)
                p.highest_of = time / (p.period / 1.1); // the mean period is near a tenth below that of the peak
        }
        if (!(p.highest_of > 1)) e_.fail(fmt::format("<{}> maxwaveh: {} waves are too few", e_.name(), p.highest_of));
    }

    void read_solitary() {
        WavePaddle& p = paddle_;
        p.theory = static_cast<SolitaryTheory>(whole("theory", 2, 1, 3));
        SolitaryWave wave;
        wave.height = positive("waveheight");
        wave.duration_coef = positive("durationcoef", number("durationcoef", 1));
        p.solitary.push_back(wave);
        const int count = whole("waves", 1, 1, 1000);
        for (int n = 2; n <= count; ++n) {
            const auto next = [&](const char* name, double before) {
                const std::string word = fmt::format("{}{}", name, n);
                known_.push_back(word);
                return positive(word.c_str(), number(word.c_str(), before));
            };
            wave = {next("waveheight", wave.height), next("durationcoef", wave.duration_coef),
                    next("startcoef", wave.start_coef)};
            p.solitary.push_back(wave);
        }
    }

    void read_tables() {
        for (const XmlElement& t : e_.children()) {
            if (!knows(t.name().c_str())) continue;
            WaveTable table;
            if (t.name() == "savemotion") {
                require_attributes(t, {"periods", "periodsteps", "time", "timedt", "xpos", "zpos"});
                const double period = paddle_.period;
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
                table.step = heights ? paddle_.period / 50 : t.number("timedt");
                if (!(table.end > table.begin)) t.fail(fmt::format("<{}> ends before it begins", t.name()));
            } else
                continue;
            table.x = t.number("xpos", 0);
            if (t.attribute("timedt") || t.attribute("periodsteps") || table.content != WaveTable::Content::motion)
                if (!(table.step > 0) || (table.end - table.begin) / table.step > 1e6)
                    t.fail(fmt::format("<{}> has a step of {} s: at most 1e6 rows", t.name(), table.step));
            paddle_.tables.push_back(table);
        }
    }

    void expect_known() {
        for (const XmlElement& child : e_.children()) {
            const std::string name = child.name();
            if (name == "awas_zsurf")
                reader_.unsupported(child.where(), "<awas_zsurf>",
                                    "put '_' before its name: the paddle then absorbs "
                                    "no waves");
            else if (name == "usefiledata")
                reader_.unsupported(child.where(), "<usefiledata>", "give the motion by <mvrectfile>");
            else if (name == "calcserielength")
                reader_.ignore(child, name);
            else if (!knows(name.c_str()))
                child.fail(fmt::format("<{}> has no <{}>, take it out or put '_' before its name", e_.name(), name));
        }
    }

    CaseReader& reader_;
    const XmlElement& e_;
    std::vector<std::string> known_;
    WavePaddle paddle_;
};

/// The step of a motion that does what the paddle does.
MotionStep step_of(const WavePaddle& paddle) {
    MotionStep step;
    step.where = paddle.where;
    step.name = paddle.name;
    step.id = 1;
    step.duration = paddle.duration > 0 ? paddle.duration : 1e30; // for ever
    step.law.law = MotionLaw::smooth;
    if (paddle.flap) {
        const Vec3d along = paddle.axis_end - paddle.axis_begin;
        step.law.kind = MotionKind::rotation;
        step.law.axis_point = paddle.axis_begin;
        step.law.axis = (1 / std::sqrt(dot(along, along))) * along;
    }
    step.paddle = paddle;
    return step;
}

void read_paddle(CaseReader& reader, const XmlElement& e) {
    const PaddleWord* word = find_paddle_word(e.name());
    if (!word) e.fail(fmt::format("<wavepaddles> has no <{}>, take it out or put '_' before its name", e.name()));
    const WavePaddle paddle = PaddleReader(reader, e, *word).read();
    for (MotionObject& object : reader.out.motion) {
        if (object.mkbound != paddle.mkbound) continue;
        if (object.acts())
            e.fail(fmt::format("<{}> mkbound {} is moved by the <objreal> in line {} or by another paddle: keep one",
                               e.name(), paddle.mkbound, object.where.line));
        object.begins = {{paddle.where, 1, paddle.start, std::nullopt}};
        object.steps = {step_of(paddle)};
        return;
    }
    e.fail(fmt::format("<{}> mkbound {} is not named in <motion>: add <objreal ref=\"{}\"> with a <begin> and an "
                       "<mvnull>",
                       e.name(), paddle.mkbound, paddle.mkbound));
}

} // namespace

void read_paddles(CaseReader& reader, const XmlElement& wavepaddles) {
    for (const XmlElement& e : wavepaddles.children()) reader.collect([&] { read_paddle(reader, e); });
}

} // namespace sluice
