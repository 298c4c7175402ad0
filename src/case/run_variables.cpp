// SPDX-License-Identifier: Apache-2.0
#include "case/command_runner.h"
#include "case/read_shapes.h"

#include <fmt/format.h>

// Variables, messages and conditions of the drawing lists.

namespace sluice {

namespace {
constexpr std::size_t max_saved = 1000;

std::string substituted(CaseReader& reader, const XmlElement& e, const std::string& text) {
    try {
        return reader.variables.substitute(text);
    } catch (const InputError& error) {
        e.fail(fmt::format("<{}>: {}", e.name(), error.what()));
    }
}

/// A text that the case shows, in one line: with its variables as far as they can be had, for it changes nothing.
std::string shown(const CaseReader& reader, std::string text) {
    try {
        text = reader.variables.substitute(text);
    } catch (const InputError&) { // it is shown as it is written
    }
    for (auto at = text.find("\\n"); at != std::string::npos; at = text.find("\\n", at)) text.replace(at, 2, 1, ' ');
    return text;
}

} // namespace

void define_variables(CaseReader& reader, const XmlElement& e, bool constant) {
    for (const std::string& name : e.attribute_names()) {
        if (name == "if" || reader.set_outside.contains(name)) continue;
        if (reader.variables.is_constant(name)) {
            // A list that runs again defines its constants again.
            const double again = e.evaluate(fmt::format("#{}", *e.attribute(name.c_str())), name.c_str());
            if (again != reader.variables.evaluate(name))
                e.fail(fmt::format("<{}>: {} is a constant, choose another name", e.name(), name));
            continue;
        }
        std::string text(trim(*e.attribute(name.c_str())));
        if (text.starts_with('#')) text.erase(0, 1);
        try {
            reader.variables.set(name, reader.variables.evaluate(text), constant);
        } catch (const InputError& error) {
            e.fail(fmt::format("<{}> {}: {}", e.name(), name, error.what()));
        }
    }
}

void CommandRunner::new_variables(const XmlElement& e) { define_variables(reader_, e, e.name() == "newvarcte"); }

void CommandRunner::new_texts(const XmlElement& e) {
    for (const std::string& name : e.attribute_names())
        if (name != "if") reader_.variables.set_text(name, substituted(reader_, e, *e.attribute(name.c_str())));
}

void CommandRunner::delete_variables(const XmlElement& e) {
    for (const std::string& pattern : split_parts(e.required_attribute("vars"), ",")) {
        if (pattern.size() > 100) e.fail("<delvar>: the pattern is too long");
        reader_.variables.erase(pattern);
    }
}

void CommandRunner::load_variables(const XmlElement& e) {
    if (saved_variables_.empty()) e.fail("<varsload> without a <varssave> before it");
    reader_.variables = saved_variables_.back();
    saved_variables_.pop_back();
}

void CommandRunner::print(const XmlElement& e) {
    if (reader_.out.diagnostics.size() < max_saved)
        reader_.inform(e.where(), shown(reader_, e.attribute("text").value_or("")));
}

void CommandRunner::abort(const XmlElement& e) {
    throw CaseAborted(e.where(), "the case stops itself: " + shown(reader_, e.attribute("text").value_or("<abort>")));
}

} // namespace sluice
