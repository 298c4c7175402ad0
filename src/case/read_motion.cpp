// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"
#include "case/reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <numbers>

namespace sluice {

namespace {

using std::numbers::pi;

/// An element of a step, what it does, and which elements it holds besides the axis and the followed point.
struct StepWord {
    const char* name;
    MotionKind kind;
    MotionLaw law;
    std::initializer_list<const char*> children;
};

constexpr MotionKind along = MotionKind::translation, turn = MotionKind::rotation, circle = MotionKind::circling;
constexpr MotionLaw accelerated = MotionLaw::accelerated, sinusoid = MotionLaw::sinusoid, series = MotionLaw::series;

const StepWord* find_step_word(const std::string& name) {
    static const StepWord words[] = {
        {"mvrect", along, accelerated, {"vel"}},
        {"mvrectace", along, accelerated, {"velini", "ace"}},
        {"mvrectsinu", along, sinusoid, {"freq", "ampl", "phase"}},
        {"mvrectfile", along, series, {"file"}},
        {"mvfile", along, series, {"file"}},
        {"mvpredef", along, series, {"file"}},
        {"mvrot", turn, accelerated, {"vel"}},
        {"mvrotace", turn, accelerated, {"velini", "ace"}},
        {"mvrotsinu", turn, sinusoid, {"freq", "ampl", "phase"}},
        {"mvrotfile", turn, series, {"file"}},
        {"mvcir", circle, accelerated, {"vel"}},
        {"mvcirace", circle, accelerated, {"velini", "ace"}},
        {"mvcirsinu", circle, sinusoid, {"freq", "ampl", "phase"}},
    };
    const auto* found =
        std::find_if(std::begin(words), std::end(words), [&](const StepWord& w) { return name == w.name; });
    return found == std::end(words) ? nullptr : found;
}

/// One step being read: a number of it is a vector of a translation, or an angle, which goes to x.
class StepReader {
public:
    StepReader(CaseReader& reader, const XmlElement& e, const StepWord& word) : reader_(reader), e_(e), word_(word) {
        const std::string units = e.attribute("anglesunits").value_or("degrees");
        if (units != "degrees" && units != "radians")
            e.fail(fmt::format("<{}> anglesunits=\"{}\" is neither degrees nor radians", e.name(), units));
        radians_ = units == "radians" ? 1 : pi / 180;
    }

    void read(MotionStep& step) const {
        step.law.kind = word_.kind;
        step.law.law = word_.law;
        std::vector<std::string> known(word_.children.begin(), word_.children.end());
        if (word_.kind != along) {
            known.insert(known.end(), {"axisp1", "axisp2"});
            read_axis(step);
        }
        if (word_.kind == circle) {
            known.emplace_back("ref");
            step.followed = vector("ref");
        }
        expect_children(e_, known);
        if (word_.law == accelerated)
            read_acceleration(step);
        else if (word_.law == sinusoid)
            read_sinusoid(step);
        else
            step.file = read_file();
    }

private:
    /// Positive angles of the language turn against the right-handed sense about the axis.
    double angle_unit() const { return word_.kind == along ? 1 : -radians_; }

    Vec3d vector(const char* child) const {
        const XmlElement v = e_.required_child(child);
        require_attributes(v, {"x", "y", "z"});
        return v.vector();
    }
    Vec3d value(const char* child, const char* attribute) const {
        if (word_.kind == along) return vector(child);
        const XmlElement v = e_.required_child(child);
        require_attributes(v, {attribute});
        return {v.number(attribute), 0, 0};
    }

    void read_axis(MotionStep& step) const {
        const Vec3d a = vector("axisp1"), b = vector("axisp2"), along_axis = b - a;
        const double length = norm(along_axis);
        if (length == 0)
            e_.fail(fmt::format("<{}>: axisp1 and axisp2 are the same, the axis needs a direction", e_.name()));
        step.law.axis_point = a;
        step.law.axis = (1 / length) * along_axis;
    }
    void read_acceleration(MotionStep& step) const {
        if (*word_.children.begin() == std::string_view("vel")) {
            step.law.rate = angle_unit() * value("vel", "ang");
            return;
        }
        step.law.acceleration = angle_unit() * value("ace", "ang");
        step.continues = !e_.child("velini");
        if (!step.continues) step.law.rate = angle_unit() * value("velini", "ang");
    }
    void read_sinusoid(MotionStep& step) const {
        step.law.frequency = 2 * pi * value("freq", "v");
        step.law.amplitude = angle_unit() * value("ampl", "v");
        step.continues = !e_.child("phase");
        if (!step.continues) step.law.phase = radians_ * value("phase", "v");
    }
    SeriesFile read_file() const {
        const XmlElement f = e_.required_child("file");
        SeriesFile file;
        file.name = read_data_file(reader_, f, "name");
        file.unit = angle_unit();
        if (word_.kind != along) { // a time and an angle
            require_attributes(f, {"name", "fields", "fieldtime", "fieldang"});
            if (f.attribute("fields")) file.fields = f.integer("fields");
            if (file.fields < 2)
                f.fail(fmt::format("<file> fields is {}: a row has a time and an angle at least", file.fields));
            if (f.attribute("fieldtime")) file.time = position(f, "fieldtime", file.fields);
            if (f.attribute("fieldang")) file.value[0] = position(f, "fieldang", file.fields);
            return file;
        }
        require_attributes(f, {"name", "fields", "fieldtime", "fieldx", "fieldy", "fieldz"});
        file.fields = f.integer("fields");
        file.time = position(f, "fieldtime", file.fields);
        const char* const fields[] = {"fieldx", "fieldy", "fieldz"};
        for (std::size_t a = 0; a < 3; ++a)
            file.value[a] = f.attribute(fields[a]) ? position(f, fields[a], file.fields) : -1;
        if (*std::max_element(file.value.begin(), file.value.end()) < 0)
            f.fail("<file> has no fieldx, fieldy or fieldz: name at least one");
        return file;
    }
    static int position(const XmlElement& f, const char* attribute, int fields) {
        const int at = f.integer(attribute);
        if (at < 0 || at >= fields)
            f.fail(fmt::format("<file> {} {} is outside 0…{} (fields is {})", attribute, at, fields - 1, fields));
        return at;
    }

    CaseReader& reader_;
    const XmlElement& e_;
    const StepWord& word_;
    double radians_ = 1;
};

MotionStep read_step(CaseReader& reader, const XmlElement& e) {
    MotionStep step;
    step.where = e.where();
    step.name = e.name();
    const StepWord* word = find_step_word(step.name);
    const bool still = step.name == "mvnull";
    step.moves = word != nullptr;
    step.id = e.integer("id");
    if (step.id < 1) e.fail(fmt::format("<{}> id {} is not a positive number", step.name, step.id));
    if (step.name == "mvrotadvfile" || step.name == "mvpathfile") {
        reader.unsupported(e.where(), fmt::format("<{}>", step.name), "give the motion by mvrectfile and mvrotfile");
        return step;
    }
    if (!word && !still && step.name != "wait")
        e.fail(fmt::format("<motion> has no <{}>, take it out or put '_' before its name", step.name));
    if (word)
        require_attributes(e, {"id", "duration", "next", "anglesunits"});
    else if (still)
        require_attributes(e, {"id"});
    else
        require_attributes(e, {"id", "duration", "next"});
    step.duration = still ? 0 : e.number("duration");
    step.next = e.attribute("next") ? e.integer("next") : 0;
    if (word)
        StepReader(reader, e, *word).read(step);
    else {
        expect_children(e, {});
        if (step.duration < 0) e.fail(fmt::format("<wait> duration {} is negative", step.duration));
    }
    return step;
}

MotionObject::Begin read_begin(const XmlElement& e) {
    require_attributes(e, {"mov", "start", "finish"});
    MotionObject::Begin begin{e.where(), e.integer("mov"), e.number("start"), std::nullopt};
    if (begin.start < 0) e.fail(fmt::format("<begin> start {} is before the run, which begins at 0", begin.start));
    // A negative finish means none.
    if (e.attribute("finish"))
        if (const double finish = e.number("finish"); finish >= 0) begin.finish = finish;
    return begin;
}

void check_steps(CaseReader& reader, const MotionObject& object) {
    for (std::size_t i = 0; i < object.steps.size(); ++i) {
        const MotionStep& step = object.steps[i];
        for (std::size_t j = 0; j < i; ++j)
            if (object.steps[j].id == step.id)
                throw InputError(step.where, fmt::format("<{}> id {} is that of the step in line {} too", step.name,
                                                         step.id, object.steps[j].where.line));
        if (step.next != 0 && !object.step(step.next))
            throw InputError(step.where,
                             fmt::format("<{}> next {}: the object has no step of this id", step.name, step.next));
    }
    for (const MotionObject::Begin& begin : object.begins)
        if (!object.step(begin.step))
            throw InputError(begin.where, fmt::format("<begin> mov {}: the object has no step of this id", begin.step));
    if (object.begins.empty() && !object.steps.empty())
        reader.warn(object.where, "the object has no <begin>: none of its motion takes place");
}

/// The mkbound that a number of `ref` stands for.
using ReferenceReader = std::function<int(const XmlElement& objreal)>;

void read_object(CaseReader& reader, const XmlElement& e, std::optional<int> parent,
                 const ReferenceReader& mkbound_of) {
    MotionObject object;
    object.where = e.where();
    object.parent = parent;
    if (e.name() == "objreal") {
        require_attributes(e, {"ref"});
        object.mkbound = mkbound_of(e);
        for (const FloatingBody& body : reader.out.floatings)
            if (body.mkbound == object.mkbound)
                e.fail(fmt::format("<objreal> ref {} floats (line {}): a body is moved by the fluid or by <motion>, "
                                   "not by both",
                                   e.integer("ref"), body.where.line));
        for (const MotionObject& other : reader.out.motion)
            if (other.mkbound == object.mkbound)
                e.fail(fmt::format("<objreal> ref {} is moved by the one in line {} too: keep one, which may have more "
                                   "than one <begin>",
                                   e.integer("ref"), other.where.line));
    } else
        require_attributes(e, {});
    std::vector<XmlElement> carried;
    for (const XmlElement& child : e.children()) {
        if (child.name() == "begin")
            object.begins.push_back(read_begin(child));
        else if (child.name() == "obj" || child.name() == "objreal")
            carried.push_back(child);
        else
            object.steps.push_back(read_step(reader, child));
    }
    check_steps(reader, object);
    const int index = static_cast<int>(reader.out.motion.size());
    reader.out.motion.push_back(std::move(object));
    // Nesting is bounded by the depth that the XML parser allows.
    for (const XmlElement& child : carried) read_object(reader, child, index, mkbound_of);
}

void read_objects(CaseReader& reader, const XmlElement& motion, const ReferenceReader& mkbound_of) {
    for (const XmlElement& e : motion.children()) {
        reader.collect([&] {
            if (e.name() != "objreal" && e.name() != "obj")
                e.fail(fmt::format("<motion> has no <{}>, it knows <objreal> and <obj>", e.name()));
            read_object(reader, e, std::nullopt, mkbound_of);
        });
    }
}

} // namespace

void read_motion(CaseReader& reader, const XmlElement& motion) {
    read_objects(reader, motion, [&](const XmlElement& e) { return read_mk(reader, e, "ref", MkKind::bound); });
}

void read_processed_motion(CaseReader& reader, const XmlElement& motion, const XmlElement& particles) {
    std::map<int, int> mkbound;
    for (const XmlElement& block : particles.children())
        if (block.name() == "moving")
            mkbound[block.integer("refmotion")] = read_mk(reader, block, "mkbound", MkKind::bound);
    read_objects(reader, motion, [&](const XmlElement& e) {
        const auto found = mkbound.find(e.integer("ref"));
        if (found == mkbound.end())
            e.fail(fmt::format("<objreal> ref {}: no <moving> of <particles> has this refmotion", e.integer("ref")));
        return found->second;
    });
}

} // namespace sluice
