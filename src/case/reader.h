// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "case/read_case.h"
#include "case/xml_element.h"
#include <initializer_list>
#include <set>

// What the functions that read a case share; private to src/case.

namespace sluice {

/// The case being read, the variables so far and the errors so far.
struct CaseReader {
    Case& out;
    const CaseOverrides& overrides;
    Variables variables;
    std::vector<std::string> errors;
    std::set<std::string> used_overrides; ///< keys of --set that were applied, in lower case

    /// Runs `read` and keeps its InputError, so that one run of the program reports more than one mistake.
    template <class F>
    void collect(F&& read) {
        try {
            read();
        } catch (const InputError& e) {
            if (errors.size() < 20) errors.emplace_back(e.what());
        }
    }

    void warn(const SourceLocation& where, std::string message) {
        out.diagnostics.push_back({Diagnostic::Level::warning, where, std::move(message)});
    }
    void inform(const SourceLocation& where, std::string message) {
        out.diagnostics.push_back({Diagnostic::Level::info, where, std::move(message)});
    }
    void unsupported(const SourceLocation& where, std::string name, std::string advice) {
        out.unsupported_in_run.push_back({where, std::move(name), std::move(advice)});
    }
    /// Warns of attributes that mean nothing here.
    void expect_attributes(const XmlElement& e, std::initializer_list<const char*> known);
    /// The value of `--set key=`, if given.
    std::optional<std::string> override_for(const std::string& key);
    void record(const char* section, const std::string& name, std::string value, bool given, SourceLocation where = {});
};

void read_constants(CaseReader& reader, const XmlElement& constantsdef);
void read_mk_config(CaseReader& reader, const XmlElement& mkconfig);
void read_definition(CaseReader& reader, const XmlElement& geometry);
void read_commands(CaseReader& reader, const XmlElement& geometry);
void read_parameters(CaseReader& reader, const XmlElement& parameters);
void read_simulation_domain(CaseReader& reader, const XmlElement& simulationdomain);
void read_special(CaseReader& reader, const XmlElement& special);

} // namespace sluice
