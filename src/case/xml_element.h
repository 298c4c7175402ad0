// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/expression.h"
#include "core/error.h"
#include "core/vec.h"
#include <optional>
#include <set>
#include <string>
#include <tinyxml2.h>
#include <vector>

namespace sluice {

/// What the elements of a document share: its file, the variables of its expressions, which of its attributes and
/// elements have been asked for by name so far, of which elements a reader has read all content, and for which elements
/// mark_read() was called.
struct XmlSource {
    std::string file;
    const Variables& variables;
    std::set<const tinyxml2::XMLAttribute*> asked = {};
    std::set<const tinyxml2::XMLElement*> asked_elements = {}, looked_through = {}, read = {};
};

/// An XML element with the file it is in. Its reading functions evaluate expressions and know their line.
class XmlElement {
public:
    XmlElement(const tinyxml2::XMLElement* element, XmlSource& source) : element_(element), source_(&source) {}

    std::string name() const { return element_->Name(); }
    int line() const { return element_->GetLineNum(); }
    SourceLocation where() const { return {source_->file, line()}; }

    /// Child elements that are switched on: neither `_name` nor active="false". The caller reads or refuses all of
    /// them.
    std::vector<XmlElement> children() const;
    /// Those of a name; the caller does not judge the others.
    std::vector<XmlElement> children(const char* name) const;
    /// The only child of that name that is switched on; InputError with both lines if there are more.
    std::optional<XmlElement> child(const char* name) const;
    /// The only child of that name; an error names both.
    XmlElement required_child(const char* name) const;

    /// Names of the attributes, without comments and those that start with '_'; the caller reads or refuses all of
    /// them.
    std::vector<std::string> attribute_names() const;
    /// Says that the element means something as it stands, even if nothing in it is asked for.
    void mark_read() const { source_->read.insert(element_); }
    /// Attributes that no reader has asked for, of an element that has been read: they have no meaning there.
    std::vector<std::string> attributes_not_asked_for() const;
    /// Likewise elements that are switched on.
    std::vector<XmlElement> elements_not_asked_for() const;
    std::optional<std::string> attribute(const char* name) const;
    std::string required_attribute(const char* name) const;
    /// The element's own text, trimmed.
    std::string text() const;

    double number(const char* attribute) const;
    double number(const char* attribute, double absent) const;
    int integer(const char* attribute) const;
    bool boolean(const char* attribute, bool absent) const;
    /// Attributes x, y, z.
    Vec3d vector() const;
    Vec3d vector(Vec3d absent) const;

    /// A value as the user wrote it: a number, or an expression after '#'.
    double evaluate(const std::string& text, const char* attribute) const;

    [[noreturn]] void fail(const std::string& what) const { throw InputError(where(), what); }

private:
    /// Whether a reader has asked for something in it, or has called mark_read().
    bool is_read() const;

    const tinyxml2::XMLElement* element_;
    XmlSource* source_;
};

/// Neither `_name` nor active="false".
bool is_active(const tinyxml2::XMLElement& e);

/// Whether "true", "1", "yes" or "false", "0", "no" was meant; empty if neither.
std::optional<bool> parse_boolean(std::string_view text);

} // namespace sluice
