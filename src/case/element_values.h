// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/read_shapes.h"
#include "case/reader.h"

#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <optional>
#include <utility>

namespace sluice {

/// The numbers of an element that has each in a child of its own, <name value="…"/>; private to src/case. Throws
/// InputError at the element for those that cannot be.
class ElementValues {
public:
    /// `known`: the children that the element may have.
    ElementValues(CaseReader& reader, const XmlElement& e, std::vector<std::string> known)
        : reader_(reader), e_(e), known_(std::move(known)) {}

    bool knows(const char* name) const { return std::find(known_.begin(), known_.end(), name) != known_.end(); }

    XmlElement value_of(const char* name) const {
        const XmlElement v = e_.required_child(name);
        require_attributes(v, {"value"});
        return v;
    }
    double number(const char* name, double absent) const {
        return knows(name) && e_.child(name) ? value_of(name).number("value") : absent;
    }
    double positive(const char* name) const { return positive(name, value_of(name).number("value")); }
    double positive(const char* name, double v) const {
        if (!(v > 0)) e_.fail(fmt::format("<{}> {} is {}, it must be above 0", e_.name(), name, v));
        return v;
    }
    double at_least(const char* name, double absent, double least) const {
        const double v = number(name, absent);
        if (!(v >= least)) e_.fail(fmt::format("<{}> {} is {}, it must be {} at least", e_.name(), name, v, least));
        return v;
    }
    int whole(const char* name, int absent, int least, int most) const {
        const double v = number(name, absent);
        if (v != std::floor(v) || v < least || v > most)
            e_.fail(
                fmt::format("<{}> {} is {}, it must be a whole number from {} to {}", e_.name(), name, v, least, most));
        return static_cast<int>(v);
    }
    /// Which of some words the value of an element is.
    template <class Choice>
    Choice one_of(const char* name, Choice absent,
                  std::initializer_list<std::pair<const char*, Choice>> choices) const {
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

    CaseReader& reader() const { return reader_; }
    const XmlElement& element() const { return e_; }
    /// A further child that is known.
    void add_known(const std::string& name) { known_.push_back(name); }
    [[noreturn]] void fail_unknown(const XmlElement& child) const {
        child.fail(fmt::format("<{}> has no <{}>, take it out or put '_' before its name", e_.name(), child.name()));
    }
    void expect_known() const {
        for (const XmlElement& child : e_.children())
            if (!knows(child.name().c_str())) fail_unknown(child);
    }

private:
    CaseReader& reader_;
    const XmlElement& e_;
    std::vector<std::string> known_;
};

} // namespace sluice
