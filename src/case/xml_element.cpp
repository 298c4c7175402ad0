// SPDX-License-Identifier: Apache-2.0
#include "case/xml_element.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

bool is_comment(std::string_view name) {
    return name == "comment" || name == "units_comment" || name == "units" || name == "unit_comment" ||
           name == "active" || name == "cmt" || name == "printcall" || (!name.empty() && name[0] == '_');
}

/// Whether a word is another one with a letter too many; at its end that makes another word: point and point0.
bool has_a_letter_more(const std::string& word, const std::string& other) {
    if (word.size() != other.size() + 1) return false;
    for (std::size_t k = 0; k + 1 < word.size(); ++k)
        if (word.substr(0, k) + word.substr(k + 1) == other) return true;
    return false;
}

/// Whether `given` is `wanted` with letters in another order, or one too many or too few. Another letter in a place
/// makes another word: point0 and point2.
bool is_misspelt(const std::string& given, const std::string& wanted) {
    std::string a = to_lower(given), b = to_lower(wanted);
    if (has_a_letter_more(a, b) || has_a_letter_more(b, a)) return true;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
}

} // namespace

bool is_active(const tinyxml2::XMLElement& e) {
    if (e.Name()[0] == '_') return false;
    const char* active = e.Attribute("active");
    return !active || parse_boolean(active) != false;
}

std::optional<bool> parse_boolean(std::string_view text) {
    const std::string t = to_lower(trim(text));
    if (t == "true" || t == "1" || t == "yes") return true;
    if (t == "false" || t == "0" || t == "no") return false;
    return std::nullopt;
}

std::vector<XmlElement> XmlElement::children() const {
    source_->looked_through.insert(element_);
    std::vector<XmlElement> out;
    for (auto* c = element_->FirstChildElement(); c; c = c->NextSiblingElement())
        if (is_active(*c)) out.emplace_back(c, *source_);
    return out;
}

std::vector<XmlElement> XmlElement::children(const char* name) const {
    std::vector<XmlElement> out;
    for (auto* c = element_->FirstChildElement(name); c; c = c->NextSiblingElement(name)) {
        if (!is_active(*c)) continue;
        source_->asked_elements.insert(c);
        out.emplace_back(c, *source_);
    }
    return out;
}

std::optional<XmlElement> XmlElement::child(const char* name) const {
    const std::vector<XmlElement> all = children(name);
    if (all.empty()) return std::nullopt;
    if (all.size() > 1)
        all[1].fail(
            fmt::format("<{}> is given twice in <{}> (first on line {}), keep one", name, this->name(), all[0].line()));
    return all[0];
}

XmlElement XmlElement::required_child(const char* name) const {
    if (auto c = child(name)) return *c;
    for (auto* c = element_->FirstChildElement(); c; c = c->NextSiblingElement())
        if (is_misspelt(c->Name(), name))
            fail(fmt::format("<{}> has no <{}>, is <{}> of line {} meant? Write it so, or add one", this->name(), name,
                             c->Name(), c->GetLineNum()));
    fail(fmt::format("<{}> has no <{}>, add one", this->name(), name));
}

std::vector<std::string> XmlElement::attribute_names() const {
    std::vector<std::string> out;
    for (auto* a = element_->FirstAttribute(); a; a = a->Next()) {
        source_->asked.insert(a);
        if (!is_comment(a->Name())) out.emplace_back(a->Name());
    }
    return out;
}

bool XmlElement::is_read() const {
    if (source_->read.contains(element_) || source_->looked_through.contains(element_)) return true;
    for (auto* a = element_->FirstAttribute(); a; a = a->Next())
        if (source_->asked.contains(a)) return true;
    for (auto* c = element_->FirstChildElement(); c; c = c->NextSiblingElement())
        if (source_->asked_elements.contains(c)) return true;
    return false;
}

std::vector<std::string> XmlElement::attributes_not_asked_for() const {
    std::vector<std::string> out;
    if (!is_read()) return out;
    for (auto* a = element_->FirstAttribute(); a; a = a->Next())
        if (!source_->asked.contains(a) && !is_comment(a->Name())) out.emplace_back(a->Name());
    return out;
}

std::vector<XmlElement> XmlElement::elements_not_asked_for() const {
    std::vector<XmlElement> out;
    if (!is_read() || source_->looked_through.contains(element_)) return out;
    for (auto* c = element_->FirstChildElement(); c; c = c->NextSiblingElement())
        if (is_active(*c) && !source_->asked_elements.contains(c)) out.emplace_back(c, *source_);
    return out;
}

std::optional<std::string> XmlElement::attribute(const char* name) const {
    const tinyxml2::XMLAttribute* found = element_->FindAttribute(name);
    if (!found) return std::nullopt;
    source_->asked.insert(found);
    return std::string(found->Value());
}

std::string XmlElement::required_attribute(const char* name) const {
    if (auto value = attribute(name)) return *value;
    fail(fmt::format("<{}> has no attribute {}, add {}=\"…\"", this->name(), name, name));
}

std::string XmlElement::text() const {
    const char* t = element_->GetText();
    return t ? std::string(trim(t)) : std::string();
}

double XmlElement::evaluate(const std::string& text, const char* attribute) const {
    try {
        std::string t(trim(text));
        if (t.find("$[") != std::string::npos) t = source_->variables.substitute(t);
        return !t.empty() && t[0] == '#' ? source_->variables.evaluate(t.substr(1)) : parse_number(t);
    } catch (const InputError& e) {
        fail(fmt::format("<{}> {}: {}", name(), attribute, e.what()));
    }
}

double XmlElement::number(const char* name) const { return evaluate(required_attribute(name), name); }

double XmlElement::number(const char* name, double absent) const {
    const auto value = attribute(name);
    return value ? evaluate(*value, name) : absent;
}

int XmlElement::integer(const char* name) const {
    const double value = number(name);
    if (value != std::floor(value) || std::abs(value) > 1e9)
        fail(fmt::format("<{}> {} must be a whole number ({})", this->name(), name, format_number(value)));
    return static_cast<int>(value);
}

bool XmlElement::boolean(const char* name, bool absent) const {
    const auto value = attribute(name);
    if (!value) return absent;
    if (auto b = parse_boolean(*value)) return *b;
    return evaluate(*value, name) != 0;
}

Vec3d XmlElement::vector() const { return {number("x"), number("y"), number("z")}; }

Vec3d XmlElement::vector(Vec3d absent) const {
    return {number("x", absent.x), number("y", absent.y), number("z", absent.z)};
}

} // namespace sluice
