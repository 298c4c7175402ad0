// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"
#include "case/reader.h"
#include "case/wave_values.h"

#include <cmath>
#include <fmt/format.h>

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
        : values_(reader, e, known_children(word)) {
        paddle_.where = e.where();
        paddle_.name = e.name();
        paddle_.kind = word.kind;
        paddle_.flap = word.flap;
    }

    WavePaddle read() {
        WavePaddle& p = paddle_;
        require_attributes(values_.element(), {});
        p.mkbound = read_mk(values_.reader(), values_.value_of("mkbound"), "value", MkKind::bound);
        p.start = values_.at_least("start", 0, 0);
        p.duration = p.kind == WaveKind::solitary ? 0 : values_.at_least("duration", 0, 0);
        p.depth = values_.positive("depth");
        if (p.flap)
            read_flap();
        else
            read_piston();
        if (p.kind == WaveKind::solitary)
            read_solitary();
        else
            read_waves(values_, p);
        read_wave_tables(values_, p);
        if (const auto absorption = values_.element().child("awas_zsurf")) read_absorption(*absorption);
        expect_known();
        return p;
    }

private:
    static std::vector<std::string> known_children(const PaddleWord& word) {
        std::vector<std::string> known = word.children;
        known.insert(known.end(), {"mkbound", "start", "depth", "savemotion"});
        if (word.kind != WaveKind::solitary) known.emplace_back("duration");
        return known;
    }

    void read_piston() {
        WavePaddle& p = paddle_;
        if (const auto direction = values_.element().child("pistondir")) {
            require_attributes(*direction, {"x", "y", "z"});
            const Vec3d d = read_nonzero_vector(*direction);
            p.direction = normalized(d);
        }
        p.fixed_depth = values_.at_least("fixeddepth", 0, 0);
        if (p.fixed_depth >= p.depth)
            values_.element().fail(fmt::format("<{}> fixeddepth {} leaves nothing of the depth ({}) to the piston",
                                               values_.element().name(), p.fixed_depth, p.depth));
    }
    void read_flap() {
        WavePaddle& p = paddle_;
        p.draft = values_.number("variabledraft", 0);
        if (!(p.draft < p.depth))
            values_.element().fail(fmt::format("<{}> variabledraft {} is not below the surface (depth {})",
                                               values_.element().name(), p.draft, p.depth));
        for (const auto& [name, point] : {std::pair{"flapaxis0", &p.axis_begin}, std::pair{"flapaxis1", &p.axis_end}}) {
            const XmlElement v = values_.element().required_child(name);
            require_attributes(v, {"x", "y", "z"});
            *point = v.vector();
        }
        if (p.axis_begin == p.axis_end)
            values_.element().fail(fmt::format("<{}> flapaxis0 and flapaxis1 are the same", values_.element().name()));
    }

    void read_solitary() {
        WavePaddle& p = paddle_;
        p.theory = static_cast<SolitaryTheory>(values_.whole("theory", 2, 1, 3));
        SolitaryWave wave;
        wave.height = values_.positive("waveheight");
        wave.duration_coef = values_.positive("durationcoef", values_.number("durationcoef", 1));
        p.solitary.push_back(wave);
        const int count = values_.whole("waves", 1, 1, 1000);
        for (int n = 2; n <= count; ++n) {
            const auto next = [&](const char* name, double before) {
                const std::string word = fmt::format("{}{}", name, n);
                values_.add_known(word);
                return values_.positive(word.c_str(), values_.number(word.c_str(), before));
            };
            wave = {next("waveheight", wave.height), next("durationcoef", wave.duration_coef),
                    next("startcoef", wave.start_coef)};
            p.solitary.push_back(wave);
        }
    }

    void read_absorption(const XmlElement& e) {
        if (absorbs_waves(paddle_))
            paddle_.absorption = read_wave_absorption(values_.reader(), e, paddle_);
        else
            values_.reader().unsupported(
                e.where(), fmt::format("<awas_zsurf> of <{}>", paddle_.name),
                "put '_' before its name: pistons of regular and irregular waves absorb, which "
                "move along x");
    }

    void expect_known() {
        for (const XmlElement& child : values_.element().children()) {
            const std::string name = child.name();
            if (name == "usefiledata")
                values_.reader().unsupported(child.where(), "<usefiledata>", "give the motion by <mvrectfile>");
            else if (name == "calcserielength")
                values_.reader().ignore(child, name);
            else if (name != "awas_zsurf" && !values_.knows(name.c_str()))
                values_.fail_unknown(child);
        }
    }

    /// Whether what is there to absorb waves can: its gauge lies before it along x.
    static bool absorbs_waves(const WavePaddle& p) {
        return !p.flap && (p.kind == WaveKind::regular || p.kind == WaveKind::spectrum) &&
               p.direction == Vec3d{1, 0, 0};
    }

    ElementValues values_;
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
        step.law.axis = normalized(along);
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
        if (object.acts() || object.is_layered)
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
