// SPDX-License-Identifier: Apache-2.0
#include "case/box_parts.h"
#include "case/command_runner.h"
#include "case/language.h"
#include "case/read_shapes.h"

#include <fmt/format.h>
#include <set>

namespace sluice {

namespace {
// Far above any real case, far below what exhausts memory.
constexpr std::size_t max_executed = 500'000;
constexpr std::size_t max_commands = 500'000;
constexpr int max_depth = 50;
} // namespace

CommandRunner::CommandRunner(CaseReader& reader, const XmlElement& commands) : reader_(reader), commands_(commands) {}

void CommandRunner::run() {
    for (const XmlElement& e : commands_.children()) {
        if (e.name() == "list") {
            lists_.insert_or_assign(e.required_attribute("name"), e);
            static_cast<void>(e.children()); // each is judged where the list is run, if it is
        } else if (e.name() != "mainlist") {
            e.fail(fmt::format("<commands> has no <{}>, it knows <mainlist> and <list>", e.name()));
        }
    }
    const XmlElement main = commands_.required_child("mainlist");
    run_list(main);
    warn_of_lists_not_named(main);
}

/// Of lists that no <runlist> names, be it one whose condition does not hold.
void CommandRunner::warn_of_lists_not_named(const XmlElement& main) {
    std::set<std::string> named;
    const auto add = [&](const XmlElement& list) {
        for (const XmlElement& e : list.children("runlist")) named.insert(e.attribute("name").value_or(""));
    };
    add(main);
    for (const auto& [name, list] : lists_) add(list);
    for (const auto& [name, list] : lists_)
        if (!named.contains(name))
            reader_.warn(list.where(),
                         fmt::format("the list \"{}\" is never run, so nothing of it is drawn: run it with "
                                     "<runlist name=\"{}\"/>, or take it out",
                                     name, name));
}

void CommandRunner::run_list(const XmlElement& list) {
    for (const XmlElement& e : list.children()) {
        if (++executed_ > max_executed || reader_.out.commands.size() > max_commands)
            throw InputError(e.where(), fmt::format("the lists run more than {} commands, lower the times of <runlist>",
                                                    max_commands));
        if (e.name() == "runlist")
            command(e); // its limits must stop everything
        else
            reader_.collect([&] { command(e); });
        if (reader_.errors.size() >= CaseReader::max_errors) return;
    }
}

void CommandRunner::command(const XmlElement& e) {
    const LanguageEntry* word = find_word(Section::command, e.name());
    if (!word)
        e.fail(fmt::format("there is no drawing command <{}>{}, take it out or put '_' before its name", e.name(),
                           suggest_word(Section::command, e.name())));
    if (word->support == Support::ignored) return reader_.ignore(e, e.name());
    if (!condition_holds(e)) return;
    if (word->support == Support::refused)
        return reader_.unsupported(e.where(), fmt::format("the drawing command <{}>", e.name()), word->advice);
    e.mark_read();
    const auto handler = handlers().find(e.name());
    if (handler != handlers().end())
        (this->*handler->second)(e);
    else
        draw(e, word->name);
}

bool CommandRunner::condition_holds(const XmlElement& e) {
    const auto condition = e.attribute("if");
    if (!condition) return true;
    const std::string text(trim(*condition));
    if (e.evaluate(text.starts_with('#') ? text : fmt::format("#{}", text), "if") != 0) return true;
    static_cast<void>(e.attribute_names()); // they mean something, elsewhere or another time
    static_cast<void>(e.children());
    return false;
}

void CommandRunner::draw(const XmlElement& e, const char* element) {
    auto action = read_drawing(reader_, e);
    if (!action) action = read_mesh(reader_, e);
    if (!action) action = read_filling(reader_, e);
    if (!action) e.fail(fmt::format("<{}> is not supported, take it out or put '_' before its name", e.name()));
    const int used = state_.next_automatically ? mk_used_by(*action) : 0;
    reader_.out.commands.push_back({e.line(), element, std::move(*action)});
    if (!used) return;
    const int limit = state_.mk.kind == MkKind::fluid ? reader_.out.mk.fluid_count : reader_.out.mk.bound_count;
    if (state_.mk.mk + used > limit)
        e.fail(fmt::format("<{}> needs {} mk from {} after setmknextauto, and the last one is {}: raise the counts in "
                           "mkconfig",
                           e.name(), used, state_.mk.mk, limit - 1));
    state_.mk.mk += used;
    // After the last of several parts and after the command it goes on by one.
    if (used > 1) ++state_.mk.mk;
    emit(e, state_.mk);
}

int CommandRunner::mk_used_by(GeometryAction& action) const {
    if (state_.mk.kind == MkKind::none) return 0;
    auto* box = std::get_if<DrawBox>(&action);
    const CaseDefinition& d = reader_.out.definition;
    if (!box || !(box->fill & box_solid) || !box->layers.drawn.empty() || state_.free.free ||
        !state_.matrix.is_translation() || d.point_min.y == d.point_max.y)
        return 1;
    const int parts = box_parts(state_.mode.mode);
    if (parts > 1) box->fill |= box_mk_for_each_part;
    return parts;
}

void CommandRunner::emit(const XmlElement& e, GeometryAction action) {
    const LanguageEntry* word = find_word(Section::command, e.name());
    reader_.out.commands.push_back({e.line(), word ? word->name : "", std::move(action)});
}

const std::map<std::string, CommandRunner::Handler>& CommandRunner::handlers() {
    using C = CommandRunner;
    static const std::map<std::string, Handler> table = {
        {"setmkfluid", &C::set_mk},
        {"setmkbound", &C::set_mk},
        {"setmkvoid", &C::set_mk},
        {"setmknextfluid", &C::set_mk_next},
        {"setmknextbound", &C::set_mk_next},
        {"setmknextauto", &C::set_mk_next},
        {"mksave", &C::save_mk},
        {"mkload", &C::load_mk},
        {"setdrawmode", &C::set_draw_mode},
        {"setactive", &C::set_active},
        {"setnormalinvert", &C::set_normal_invert},
        {"setshapemode", &C::set_shape_mode},
        {"shapeout", &C::shape_out},
        {"setfrdrawmode", &C::set_free_draw},
        {"setboxlimitmode", &C::set_box_limit},
        {"setpattern", &C::set_pattern},
        {"setdpctes", &C::set_thickness},
        {"resetdraw", &C::reset_draw},
        {"statesave", &C::save_state},
        {"stateload", &C::load_state},
        {"move", &C::move},
        {"scale", &C::scale},
        {"rotate", &C::rotate},
        {"rotateline", &C::rotate_line},
        {"rotateadv", &C::rotate_advanced},
        {"matrixreset", &C::reset_matrix},
        {"matrixsave", &C::save_matrix},
        {"matrixload", &C::load_matrix},
        {"clipplane", &C::clip_plane},
        {"clipbox", &C::clip_box},
        {"clipdomain", &C::clip_domain},
        {"clipreset", &C::clip_reset},
        {"setlinebegin", &C::set_line_begin},
        {"drawlineto", &C::draw_line_to},
        {"newvar", &C::new_variables},
        {"newvarcte", &C::new_variables},
        {"setvar", &C::new_variables},
        {"newvarstr", &C::new_texts},
        {"newvarstrcte", &C::new_texts},
        {"setvarstr", &C::new_texts},
        {"delvar", &C::delete_variables},
        {"varssave", &C::save_variables},
        {"varsload", &C::load_variables},
        {"printf", &C::print},
        {"abort", &C::abort},
        {"runlist", &C::run_named_list},
    };
    return table;
}

void CommandRunner::run_named_list(const XmlElement& e) {
    reader_.expect_attributes(e, {"if", "name", "times"});
    const std::string name = e.required_attribute("name");
    const auto list = lists_.find(name);
    if (list == lists_.end()) e.fail(fmt::format("<runlist>: there is no <list name=\"{}\">", name));
    const int times = e.attribute("times") ? e.integer("times") : 1;
    if (times < 0) e.fail(fmt::format("<runlist> times must not be negative ({})", times));
    if (depth_ >= max_depth)
        e.fail(fmt::format("<runlist name=\"{}\">: lists call each other {} deep, a list must not call itself", name,
                           max_depth));
    ++depth_;
    for (int i = 0; i < times && reader_.errors.size() < CaseReader::max_errors; ++i) {
        // A list may be empty: its turns count too.
        if (++executed_ > max_executed)
            e.fail(fmt::format("the lists run more than {} commands, lower the times of <runlist>", max_commands));
        run_list(list->second);
    }
    --depth_;
}

void read_commands(CaseReader& reader, const XmlElement& geometry) {
    const XmlElement commands = geometry.required_child("commands");
    CommandRunner(reader, commands).run();
}

} // namespace sluice
