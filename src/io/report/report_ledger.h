// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/files/csv.h"
#include <nlohmann/json.hpp>
#include <string>

namespace sluice {

/// The energies of flow.csv over the time, as an inline SVG element: what never changes and what the table does not
/// have is left out.
std::string energy_plot(const CsvTable& flow);
/// Plot of a viscosity that changes in time; nothing for one that stays.
std::string viscosity_plot(const CsvTable& flow);

/// The object "ledger" of run.json as an HTML table with a note; nothing if it is empty.
std::string ledger_table(const nlohmann::ordered_json& ledger);

} // namespace sluice
