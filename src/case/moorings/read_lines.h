// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/reader.h"

namespace sluice {

/// moordyn or moordynplus: water, bodies, free nodes, lines and tables, from the case or from a file of their own.
/// Private to src/case.
void read_mooring_lines(CaseReader& reader, const XmlElement& lines, MooringsDef& out);

} // namespace sluice
