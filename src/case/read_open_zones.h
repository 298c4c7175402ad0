// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/open_zones.h"
#include "case/reader.h"

namespace sluice {

/// <imposevelocity> of an inoutzone.
void read_zone_velocity(CaseReader& reader, const XmlElement& e, OpenZoneDef& zone);

} // namespace sluice
