// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"

#include "case/language.h"
#include "case/reader.h"
#include "case/repair.h"
#include "case/xml_limits.h"
#include "core/input_file.h"
#include "core/nearest_file.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>

namespace sluice {

namespace {

constexpr std::uintmax_t max_case_bytes = 64u << 20;

} // namespace

std::string read_xml_file(const std::filesystem::path& file) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
        throw InputError({file.string(), 0}, "is a folder, give the XML file of a case");
    const auto size = std::filesystem::file_size(file, error);
    if (error)
        throw InputError({file.string(), 0},
                         fmt::format("cannot be read ({}), check the path{}", error.message(), suggest_file(file)));
    if (size > max_case_bytes)
        throw InputError({file.string(), 0}, fmt::format("is too large for a case ({} bytes)", size));
    std::ifstream in = open_input(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw InputError({file.string(), 0}, "cannot be read, check its permissions");
    return text.str();
}

namespace {

const char* what_is_wrong(tinyxml2::XMLError error) {
    switch (error) {
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE: return "an attribute has no quotes or is given twice";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT: return "an element is closed by another name, or not at all";
    case tinyxml2::XML_ERROR_PARSING_COMMENT: return "a comment does not end";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT: return "a tag does not end";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED: return "the elements are nested too deeply";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT: return "it is empty";
    case tinyxml2::XML_ERROR_PARSING_TEXT: return "there is text where an element belongs (is the file UTF-8?)";
    default: return tinyxml2::XMLDocument::ErrorIDToName(error);
    }
}

/// "<a> of line 3 is closed by </b> in line 7": the first tags that do not fit; empty if all do.
std::string mismatched_tags(const std::string& text) {
    struct Tag {
        std::string name;
        int line;
    };
    std::vector<Tag> open;
    int line = 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\n') ++line;
        if (text[at] != '<') continue;
        const bool is_comment = text.compare(at, 4, "<!--") == 0;
        const std::size_t end = std::min(text.find(is_comment ? "-->" : ">", at), text.size() - 1);
        const std::string tag = text.substr(at + 1, end - at - 1);
        const std::string name = tag.substr(0, tag.find_first_of(" \t\r\n/", 1));
        if (name.starts_with('/')) {
            if (open.empty()) return fmt::format("<{}> in line {} closes nothing", name, line);
            if ("/" + open.back().name != name)
                return fmt::format("<{}> of line {} is closed by <{}> in line {}", open.back().name, open.back().line,
                                   name, line);
            open.pop_back();
        } else if (!is_comment && !name.starts_with('?') && !name.starts_with('!') && !tag.ends_with('/')) {
            open.push_back({name, line});
        }
        line += static_cast<int>(std::count(tag.begin(), tag.end(), '\n'));
        at = end;
    }
    return open.empty() ? "" : fmt::format("<{}> of line {} is never closed", open.back().name, open.back().line);
}

} // namespace

std::optional<int> line_of_too_many_attributes(std::string_view text) {
    constexpr int most = 1000;
    int line = 1, attributes = 0;
    bool in_tag = false;
    char quote = 0;
    const auto skip_to = [&](std::size_t& at, std::string_view end) { // what is in a comment or the like is no tag
        const std::size_t found = std::min(text.find(end, at), text.size());
        line +=
            static_cast<int>(std::count(text.begin() + std::ptrdiff_t(at), text.begin() + std::ptrdiff_t(found), '\n'));
        at = found;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\n') ++line;
        if (quote) {
            if (c == quote) quote = 0;
        } else if (!in_tag && text.substr(at).starts_with("<!--")) {
            skip_to(at, "-->");
        } else if (!in_tag && text.substr(at).starts_with("<![CDATA[")) {
            skip_to(at, "]]>");
        } else if (c == '<') {
            in_tag = true;
            attributes = 0;
        } else if (c == '>') {
            in_tag = false;
        } else if (in_tag && (c == '"' || c == '\'')) {
            quote = c;
            if (++attributes > most) return line;
        }
    }
    return std::nullopt;
}

void parse_xml(tinyxml2::XMLDocument& document, const std::string& text, const std::string& file) {
    // Entities can grow without bound; the case language has no use for declaring them.
    if (text.find("<!DOCTYPE") != std::string::npos || text.find("<!ENTITY") != std::string::npos)
        throw InputError({file, 0}, "has a DOCTYPE or ENTITY declaration, take it out");
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") || text.find('\0') != std::string::npos)
        throw InputError({file, 0}, "is not UTF-8 text (UTF-16, or no text at all), save it as UTF-8");
    if (const auto line = line_of_too_many_attributes(text))
        throw InputError({file, *line}, "an element has more than a thousand attributes, no element has so many");
    if (document.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS) return;
    const bool mismatched = document.ErrorID() == tinyxml2::XML_ERROR_MISMATCHED_ELEMENT;
    const std::string tags = mismatched ? mismatched_tags(text) : "";
    throw InputError({file, document.ErrorLineNum()},
                     fmt::format("is not well-formed XML: {}; check the tags around this line",
                                 tags.empty() ? what_is_wrong(document.ErrorID()) : tags));
}

namespace {

/// Text between elements means nothing; it is often a comment that lost its brackets.
void warn_stray_text(CaseReader& reader, const tinyxml2::XMLElement& e, const std::string& file) {
    const bool has_elements = e.FirstChildElement();
    for (const auto* child = e.FirstChild(); child; child = child->NextSibling()) {
        if (const auto* element = child->ToElement())
            warn_stray_text(reader, *element, file);
        else if (child->ToText() && has_elements)
            reader.warn({file, child->GetLineNum()},
                        fmt::format("the text \"{:.40}\" between elements is left out", trim(child->Value())));
    }
}

/// Units that a comment may name and that are not converted.
bool names_other_units(const std::string& units) {
    static const std::set<std::string> others = {"mm",   "cm", "km", "in", "inch",  "ft",    "mm/s",
                                                 "cm/s", "g",  "t",  "ms", "g/cm3", "g/cm^3"};
    return others.contains(to_lower(trim(units)));
}

/// Attributes and elements that are misspelt or misplaced, and comments about units that are not those of the language.
void warn_of_what_means_nothing(CaseReader& reader, const XmlElement& e) {
    for (const XmlElement& child : e.elements_not_asked_for())
        reader.warn(child.where(),
                    fmt::format("<{}> in <{}> means nothing here and is left out", child.name(), e.name()));
    for (const std::string& name : e.attributes_not_asked_for())
        reader.warn(e.where(),
                    fmt::format("<{}>: the attribute {} means nothing here and is left out", e.name(), name));
    for (const char* note : {"units", "units_comment"})
        if (const auto units = e.attribute(note); units && names_other_units(*units))
            reader.warn(e.where(), fmt::format("<{}> {}=\"{}\" is a comment and converts nothing: lengths are metres, "
                                               "masses kilograms, times seconds",
                                               e.name(), note, *units));
    for (const XmlElement& child : e.children()) warn_of_what_means_nothing(reader, child);
}

/// `files` of <case>: the folder of the data files, relative to the case and not outside its own folder.
std::filesystem::path read_data_folder(const XmlElement& top, const std::filesystem::path& folder) {
    const std::string files = top.attribute("files").value_or("");
    const std::filesystem::path path = std::filesystem::path(files).lexically_normal();
    if (path.is_absolute() || (!path.empty() && path.begin()->string() == "..") ||
        files.find('\0') != std::string::npos)
        top.fail(fmt::format("files=\"{}\" lies outside the folder of the case, name a folder below it", files));
    return folder / path;
}

void read_casedef(CaseReader& reader, const XmlElement& casedef) {
    const std::size_t before = reader.errors.size();
    for (const XmlElement& e : casedef.children()) {
        reader.collect([&] {
            const LanguageEntry* word = find_word(Section::casedef, e.name());
            if (!word)
                reader.unknown(e.where(), fmt::format("<{}> in <casedef>", e.name()),
                               suggest_word(Section::casedef, e.name()));
            else if (word->support == Support::refused)
                reader.unsupported(e.where(), fmt::format("<{}>", e.name()), word->advice);
            else if (word->support == Support::ignored)
                reader.ignore(e, e.name());
        });
    }
    if (auto mk = casedef.child("mkconfig")) reader.collect([&] { read_mk_config(reader, *mk); });
    reader.collect([&] { read_constants(reader, casedef.required_child("constantsdef")); });
    reader.collect([&] {
        const XmlElement geometry = casedef.required_child("geometry");
        for (const XmlElement& e : geometry.children())
            if (!find_word(Section::definition, e.name()))
                reader.unknown(e.where(), fmt::format("<{}> in <geometry>", e.name()),
                               suggest_word(Section::definition, e.name()));
        read_definition(reader, geometry);
        take_recommended_smoothing_length(reader);
        define_given_variables(reader);
        read_commands(reader, geometry);
    });
    reader.drawing_is_read = reader.errors.size() == before;
    if (auto e = casedef.child("floatings")) reader.collect([&] { read_floatings(reader, *e); });
    if (auto e = casedef.child("properties")) reader.collect([&] { read_properties(reader, *e); });
    if (auto e = casedef.child("motion")) reader.collect([&] { read_motion(reader, *e); });
    if (auto e = casedef.child("initials")) reader.collect([&] { read_initials(reader, *e); });
}

/// With the normals of `casedef`, whose meaning depends on the parameters, and which come before those of initialize.
void read_execution(CaseReader& reader, const XmlElement& execution, const XmlElement& casedef) {
    // What the field's generator adds to a case that it has processed; casedef says the same.
    const auto processed = [](const std::string& name) {
        return name == "constants" || name == "particles" || name == "uservars" || name == "motion" ||
               name == "floatings" || name == "properties" || name == "vtkout"; // names of files that it wrote
    };
    for (const XmlElement& e : execution.children()) {
        if (processed(e.name()) || e.name() == "output") // what to write, and how: it changes no motion
            reader.ignore(e, e.name() + " of execution");
        else if (e.name() != "special" && e.name() != "parameters")
            reader.unknown(e.where(), fmt::format("<{}> in <execution>", e.name()),
                           " (known are special and parameters)");
    }
    if (auto motion = execution.child("motion"); motion && reader.out.motion.empty() && !motion->children().empty())
        reader.collect([&] {
            if (const LanguageEntry* word = find_word(Section::casedef, "motion"); word->support == Support::refused)
                reader.unsupported(motion->where(), "<motion> of execution", word->advice);
            read_processed_motion(reader, *motion, execution.required_child("particles"));
        });
    reader.collect([&] { read_parameters(reader, execution.required_child("parameters")); });
    read_fluids(reader);
    if (auto e = casedef.child("normals")) read_normals(reader, *e);
    if (auto special = execution.child("special")) read_special(reader, *special);
    check_fluids(reader);
}

void check_overrides(CaseReader& reader) {
    for (const auto& [key, value] : reader.overrides.set) {
        if (reader.used_overrides.contains(to_lower(key))) continue;
        std::string near = suggest_word(Section::parameter, key);
        if (near.empty()) near = suggest_word(Section::constant, key);
        reader.errors.push_back(
            fmt::format("--set {}={}: there is no parameter or constant of that name{}", key, value, near));
    }
}

void name_ignored_words(CaseReader& reader) {
    if (reader.ignored.empty()) return;
    std::string words;
    int first = reader.ignored.begin()->second;
    for (const auto& [name, line] : reader.ignored) {
        words += fmt::format("{}{} (line {})", words.empty() ? "" : ", ", name, line);
        first = std::min(first, line);
    }
    reader.inform({reader.out.file.string(), first}, "left out, as they change neither particles nor motion: " + words);
}

void finish(CaseReader& reader) {
    name_ignored_words(reader);
    if (reader.errors.empty() && !reader.overrides.allow_unsupported)
        for (const UnsupportedFeature& f : reader.out.unsupported_in_run)
            reader.errors.push_back(InputError(f.where, f.message()).what());
    if (reader.errors.empty()) return;
    if (reader.overrides.keep_errors_beside_drawing && reader.drawing_is_read) {
        reader.out.errors_beside_drawing = std::move(reader.errors);
        return;
    }
    std::string all;
    for (const std::string& e : reader.errors) all += (all.empty() ? "" : "\n") + e;
    throw InputError(all);
}

} // namespace

Case read_case_text(const std::string& text, const std::filesystem::path& file, const CaseOverrides& overrides) {
    Case out;
    out.file = file;
    const std::string name = file.string();
    CaseReader reader{out, overrides, {}, {}, {}, {}, {}, {}};
    restart_random_numbers();
    std::vector<Repair> repairs;
    tinyxml2::XMLDocument document;
    parse_xml(document, repair_xml(text, repairs), name);
    for (const Repair& r : repairs) reader.warn({name, r.line}, "not well-formed, read as meant: " + r.what);
    const auto* root = document.RootElement();
    if (!root || std::string_view(root->Name()) != "case")
        throw InputError({name, root ? root->GetLineNum() : 0},
                         "the root element is not <case>, give the XML definition of a case");
    XmlSource source{name, reader.variables};
    const XmlElement top(root, source);
    out.source = text;
    out.data_folder = read_data_folder(top, file.parent_path());
    for (const char* stamp : {"app", "date"}) static_cast<void>(top.attribute(stamp)); // of the program that wrote it
    warn_stray_text(reader, *root, name);
    for (const XmlElement& e : top.children())
        if (e.name() != "casedef" && e.name() != "execution")
            reader.unknown(e.where(), fmt::format("<{}> in <case>", e.name()), " (known are casedef and execution)");
    reader.collect([&] { read_method(reader, top); });
    reader.collect([&] { read_scheme(reader, top); });
    // what follows would miss what the scheme says
    if (!reader.errors.empty() && !overrides.keep_errors_beside_drawing) finish(reader);
    reader.collect([&] { read_casedef(reader, top.required_child("casedef")); });
    if (!(out.definition.dp > 0)) finish(reader); // what follows is measured in dp: its errors would not be its own
    reader.collect([&] { read_execution(reader, top.required_child("execution"), top.required_child("casedef")); });
    check_overrides(reader);
    refuse_words_of_other_methods(reader, top);
    if (reader.errors.empty()) {
        note_scheme(reader);
        warn_of_what_means_nothing(reader, top);
    }
    finish(reader);
    return out;
}

Case read_case(const std::filesystem::path& file, const CaseOverrides& overrides) {
    return read_case_text(read_xml_file(file), file, overrides);
}

} // namespace sluice
