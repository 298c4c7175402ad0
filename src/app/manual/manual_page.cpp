// SPDX-License-Identifier: Apache-2.0
#include "app/manual/manual_page.h"

#include "app/manual/option_facts.h"
#include "app/version.h"
#include "core/error.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sluice {

namespace {

/// Text as roff prints it: no request at the begin of a line, hyphens that can be copied.
std::string roff(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins_line = i == 0 || text[i - 1] == '\n';
        if (begins_line && (text[i] == '.' || text[i] == '\'')) out += "\\&";
        out += text[i] == '\\' ? "\\e" : text[i] == '-' ? "\\-" : std::string(1, text[i]);
    }
    return out;
}

std::string option_entry(const OptionFacts& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.names) names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
    std::string out = fmt::format(".TP\n{}", fmt::join(names, ", "));
    if (!option.is_argument && !option.value.empty()) out += fmt::format(" \\fI{}\\fR", roff(option.value));
    out += "\n" + roff(option.meaning);
    if (!option.remarks.empty()) out += roff(fmt::format(" ({})", option.remarks));
    return out + "\n";
}

std::string synopsis(const CLI::App& command) {
    std::string out = fmt::format("\\fBsluice {}\\fR", roff(command.get_name()));
    for (const OptionFacts& option : options_of(command))
        if (option.is_argument) out += fmt::format(" \\fI{}\\fR", roff(option.names.front()));
    return out + " [\\fIoption\\fR]\\ ...\n";
}

std::string title(const std::string& name) {
    std::string upper = name;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
    return fmt::format(".TH {} 1 \"\" \"sluice {}\" \"Sluice\"\n", roff(upper), version);
}

/// The examples or exit codes that stand under the help: the first line is their heading.
std::string footer_section(const CLI::App& command) {
    const std::string text = command.get_footer();
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) return "";
    std::string heading = text.substr(0, text.find(':'));
    std::transform(heading.begin(), heading.end(), heading.begin(), [](unsigned char c) { return std::toupper(c); });
    return fmt::format(".SH {}\n.nf\n{}\n.fi\n", roff(heading), roff(text.substr(end + 1)));
}

std::string options_section(const CLI::App& command) {
    std::string arguments, options;
    for (const OptionFacts& option : options_of(command))
        (option.is_argument ? arguments : options) += option_entry(option);
    return (arguments.empty() ? "" : ".SH ARGUMENTS\n" + arguments) + ".SH OPTIONS\n" + options;
}

std::string page_of_program(const CLI::App& app) {
    std::string commands, pages;
    for (const CLI::App* command : commands_of(app)) {
        commands += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(command->get_name()), roff(command->get_description()));
        pages += fmt::format("{}.BR sluice\\-{} (1)", pages.empty() ? "" : ",\n", roff(command->get_name()));
    }
    return title("sluice") +
           ".SH NAME\nsluice \\- smoothed particle hydrodynamics for free\\-surface flow\n.SH SYNOPSIS\n" +
           "\\fBsluice\\fR \\fIcommand\\fR [\\fIoption\\fR]\\ ...\n.SH COMMANDS\n" + commands + options_section(app) +
           footer_section(app) + ".SH SEE ALSO\n" + pages + "\n";
}

} // namespace

std::string manual_page(const CLI::App& app, const std::string& command) {
    if (command.empty()) return page_of_program(app);
    for (const CLI::App* one : commands_of(app)) {
        if (one->get_name() != command) continue;
        return title("sluice-" + command) +
               fmt::format(".SH NAME\nsluice\\-{} \\- {}\n.SH SYNOPSIS\n{}", roff(command),
                           roff(one->get_description()), synopsis(*one)) +
               options_section(*one) + footer_section(*one) + ".SH SEE ALSO\n.BR sluice (1)\n";
    }
    throw InputError(fmt::format("manual: there is no command '{}'", command));
}

} // namespace sluice
