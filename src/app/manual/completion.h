// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace CLI {
class App;
}

namespace sluice {

/// The script by which a shell completes commands, options and the words that options take. `shell`: bash, zsh or fish.
/// Throws InputError for another one.
std::string completion_script(const CLI::App& app, const std::string& shell);

} // namespace sluice
