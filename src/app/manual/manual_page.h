// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace CLI {
class App;
}

namespace sluice {

/// The manual page of a command, or of the program (`command` empty), in the language of man (roff), from the table of
/// options. Throws InputError if there is no such command.
std::string manual_page(const CLI::App& app, const std::string& command);

} // namespace sluice
