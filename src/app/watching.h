// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace sluice {

/// Adds the commands that look at a run while it runs: status and watch. Each does its work in its callback, while the
/// command line is parsed; `exit_code` becomes what the program returns for it.
void add_watching(CLI::App& app, int& exit_code);

} // namespace sluice
