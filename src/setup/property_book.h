// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "model/particle_groups.h"
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// The properties that "a + b" names, and where a case asks for them.
class PropertyChoice {
public:
    PropertyChoice(std::vector<const MaterialProperty*> used, std::string names, SourceLocation where)
        : used_(std::move(used)), names_(std::move(names)), where_(std::move(where)) {}

    /// NAME_User stands above NAME. Empty: none of the properties has it. InputError where two give different values.
    std::optional<double> find(const std::string& name) const;
    /// The same of a value that must be there. `why`: what asks for it, as words of a message.
    double value(const std::string& name, const char* why) const;
    /// InputError unless the condition holds; `what`: is wrong otherwise.
    void require(bool holds, const char* what, double value) const;

private:
    std::vector<const MaterialProperty*> used_;
    std::string names_;
    SourceLocation where_;
};

/// All properties of a case by name.
class PropertyBook {
public:
    explicit PropertyBook(const Case& definition);

    /// Of "a + b", asked for at `where`. The book outlives the result.
    PropertyChoice choose(const std::string& names, const SourceLocation& where) const;

private:
    void add(const std::vector<MaterialProperty>& properties);

    std::vector<MaterialProperty> all_;
};

/// What a boundary is made of, and where the case says so.
struct NamedProperty {
    std::string property;
    SourceLocation where;
};

/// InputError where the case does not say, or says two things; `algorithm`: the RigidAlgorithm that asks.
NamedProperty property_of(const Case& definition, const ParticleGroup& group, int algorithm);

} // namespace sluice
