// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "case/read_case.h"
#include "case/xml_element.h"
#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>

// What the functions that read a case share; private to src/case.

namespace sluice {

/// A stop that no further command may follow (<abort>).
class CaseAborted : public InputError {
public:
    using InputError::InputError;
};

/// The scheme of a case, and what its choices depend on.
struct SchemeReading {
    SourceLocation where;
    SchemeSet asked_for = SchemeSet::flow; ///< what `recommended` is for this case
    SchemeTraits traits;                   ///< with the set that it takes; the dimensions once the definition is read
};

/// The case being read, the variables so far and the errors so far.
struct CaseReader {
    static constexpr std::size_t max_errors = 20;

    Case& out;
    const CaseOverrides& overrides;
    Variables variables;
    std::vector<std::string> errors;
    std::map<std::string, int> ignored; ///< words without effect here, with the first line of each
    std::set<std::string> set_outside; ///< variables that the command line sets: what the case says of them is left out
    std::set<std::string> used_overrides; ///< keys of --set that were applied, in lower case
    std::optional<SchemeReading> scheme;  ///< none: Scheme=none
    bool drawing_is_read = false;         ///< constants and geometry were read without an error

    /// Runs `read` and keeps its InputError, so that one run of the program reports more than one mistake.
    template <class F>
    void collect(F&& read) {
        try {
            read();
        } catch (const CaseAborted&) {
            throw;
        } catch (const InputError& e) {
            const bool fresh = std::find(errors.begin(), errors.end(), e.what()) == errors.end();
            if (fresh && errors.size() < max_errors) errors.emplace_back(e.what());
        }
    }

    void warn(const SourceLocation& where, std::string message) {
        if (out.diagnostics.size() < 10000)
            out.diagnostics.push_back({Diagnostic::Level::warning, where, std::move(message)});
    }
    void inform(const SourceLocation& where, std::string message) {
        out.diagnostics.push_back({Diagnostic::Level::info, where, std::move(message)});
    }
    void unsupported(const SourceLocation& where, std::string name, std::string advice) {
        // A loop over drawing commands must not fill the memory.
        if (out.unsupported_in_run.size() < 1000)
            out.unsupported_in_run.push_back({where, std::move(name), std::move(advice)});
    }
    /// A word that changes neither particles nor motion: left out, and all such are named together.
    void ignore(const XmlElement& e, const std::string& name) { ignored.try_emplace(name, e.line()); }
    /// A word that the language does not have: it may change the motion, so only `check` reads on.
    void unknown(const SourceLocation& where, std::string name, const std::string& suggestion) {
        unsupported(where, std::move(name),
                    "the word is not known" + suggestion + ", take it out or put '_' before its name");
    }
    /// Warns of attributes that mean nothing here.
    void expect_attributes(const XmlElement& e, std::initializer_list<const char*> known);
    /// The value of `--set key=`, if given.
    std::optional<std::string> override_for(const std::string& key);
    void record(const char* section, const std::string& name, std::string value, bool given, SourceLocation where = {});
};

/// The text of a case, or of a file that it names. InputError if it cannot be read or is too large.
std::string read_xml_file(const std::filesystem::path& file);
/// InputError for a text that is no well-formed XML.
void parse_xml(tinyxml2::XMLDocument& document, const std::string& text, const std::string& file);
/// What a case, or the command line in its place, says in a parameter that is needed before all others.
struct EarlyParameter {
    SourceLocation where;
    std::optional<std::string> text; ///< none: it is not given
};
EarlyParameter early_parameter(CaseReader& reader, const XmlElement& top, const char* key);
/// Method, before all that depends on it. InputError for a value that it does not have.
void read_method(CaseReader& reader, const XmlElement& top);
/// Once all is read: names what the case says and its method does not have.
void refuse_words_of_other_methods(CaseReader& reader, const XmlElement& top);
/// Scheme, before all that it may choose. InputError for a value that it does not have.
void read_scheme(CaseReader& reader, const XmlElement& top);
/// The smoothing length of the scheme, where the case gives none; after the definition, which gives the dimensions.
void take_recommended_smoothing_length(CaseReader& reader);
/// Writes down what the run uses of each choice of the scheme, once all is read.
void note_scheme(CaseReader& reader);
void read_constants(CaseReader& reader, const XmlElement& constantsdef);
void read_mk_config(CaseReader& reader, const XmlElement& mkconfig);
void read_predefinition(CaseReader& reader, const XmlElement& predefinition);
void read_definition(CaseReader& reader, const XmlElement& geometry);
/// What the drawing commands find defined: H, MassFluid, MassBound, Data2D, Data2DPosy, VResId and CaseName.
void define_given_variables(CaseReader& reader);
/// The name under which the field's generator writes files of this case.
std::string name_of_case(const Case& the_case);
/// Whole numbers below `limit`, such as "0,2-4".
std::vector<int> read_number_list(const XmlElement& e, const char* attribute, int limit);
std::vector<int> read_mk_list(CaseReader& reader, const XmlElement& e, const char* attribute);
void read_floatings(CaseReader& reader, const XmlElement& floatings);
void read_properties(CaseReader& reader, const XmlElement& properties);
void read_motion(CaseReader& reader, const XmlElement& motion);
/// The motion of `execution`, as the field's generator writes it: its numbers are those of `particles`, not mkbound.
void read_processed_motion(CaseReader& reader, const XmlElement& motion, const XmlElement& particles);
void read_initials(CaseReader& reader, const XmlElement& initials);
/// One element of initials, or fluidvelocity of special/initialize, which is the velocity of the former.
void read_initial(CaseReader& reader, const XmlElement& e);
/// casedef/normals, and the boundnormal_… of special/initialize, which come after it.
void read_normals(CaseReader& reader, const XmlElement& normals);
void read_initialize(CaseReader& reader, const XmlElement& initialize);
void read_commands(CaseReader& reader, const XmlElement& geometry);
void read_parameters(CaseReader& reader, const XmlElement& parameters);
void read_simulation_domain(CaseReader& reader, const XmlElement& simulationdomain);
void read_gauges(CaseReader& reader, const XmlElement& gauges);
void read_paddles(CaseReader& reader, const XmlElement& wavepaddles);
/// special/mlayerpistons, which needs the motion.
void read_layered_pistons(CaseReader& reader, const XmlElement& mlayerpistons);
void read_damping(CaseReader& reader, const XmlElement& damping);
void read_relaxation_zones(CaseReader& reader, const XmlElement& zones);
void read_acceleration_inputs(CaseReader& reader, const XmlElement& accinputs);
/// special/shifting, whose mode stands in the place of the parameters of that name.
void read_shifting(CaseReader& reader, const XmlElement& shifting);
void read_open_zones(CaseReader& reader, const XmlElement& inout);
/// special/chrono, which needs the parameters, the floating bodies and the motion.
void read_chrono(CaseReader& reader, const XmlElement& chrono);
/// special/moorings, which needs the parameters and the floating bodies.
void read_moorings(CaseReader& reader, const XmlElement& moorings);
/// special/flexstrucs, which needs the parameters, the floating bodies and the motion.
void read_flexible_structures(CaseReader& reader, const XmlElement& flexstrucs);
/// With FlowType 2: the fluids of casedef/properties, which has been read; walls give the constants of the run.
void read_fluids(CaseReader& reader);
/// Refuses by name what cannot be combined with fluids of different density.
void check_fluids(CaseReader& reader);
/// special/nnphases, whose fluids take the place of the viscosity of the parameters.
void read_rheologies(CaseReader& reader, const XmlElement& nnphases);
/// Refuses what goes with no non-Newtonian fluid, once all of special has been read.
void check_rheologies(CaseReader& reader);
/// special/outputparts, which needs the floating bodies.
void read_output_parts(CaseReader& reader, const XmlElement& outputparts);
void read_special(CaseReader& reader, const XmlElement& special);

} // namespace sluice
