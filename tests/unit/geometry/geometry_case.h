// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../case/case_text.h"
#include "case/read_case.h"
#include "geometry/generate.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace sluice::test {

/// Particles of drawing commands on a lattice of `dp` between two corners ("x,y,z" as attributes).
inline ParticleSet generate(const std::string& commands, const std::string& definition,
                            std::vector<Diagnostic>* diagnostics = nullptr, const CaseText& base = {}) {
    CaseText t = base;
    t.commands = commands;
    t.definition = definition;
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    std::vector<Diagnostic> mine;
    return generate_particles(read_case_text(t.text(), "case.xml", overrides), diagnostics ? *diagnostics : mine);
}

inline const ParticleBlock& block(const ParticleSet& set, int mk) {
    for (const ParticleBlock& b : set.blocks)
        if (b.mk == mk) return b;
    throw std::runtime_error("no particles of mk " + std::to_string(mk));
}

inline std::uint32_t count(const ParticleSet& set, int mk) {
    for (const ParticleBlock& b : set.blocks)
        if (b.mk == mk) return b.count;
    return 0;
}

} // namespace sluice::test
