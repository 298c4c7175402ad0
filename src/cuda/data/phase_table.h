// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/phase_bits.h"
#include "model/run_setup.h"
#include "physics/sph/pair_rates.h"

namespace sluice::cuda {

/// The properties of several fluids that their interaction reads, by phase. The constants of pairs point to this table
/// (PairConstants::phases).
struct PhaseTable : sph::PhasePairs<float> {
    float density_ratio[phases]; ///< density over relative density (model/fluids.h)
    float weight[phases];        ///< what turns forces over the mass of the constants into accelerations
    float sound_speed;           ///< the greatest of all fluids, m/s

    /// `pairs`: the constants of pairs (`pair_constants_at`).
    PhaseTable(const sph::Constants& pairs, const Fluids& fluids)
        : sph::PhasePairs<float>(pairs, fluids, sph::metre), sound_speed(float(fastest_constants(pairs, fluids).c0)) {
        for (std::size_t k = 0; k < phases; ++k) {
            const double ratio = k > 0 && k <= fluids.size() ? sluice::density_ratio(pairs, fluids[k - 1]) : 1;
            density_ratio[k] = float(ratio);
            weight[k] = float(1 / ratio);
        }
    }
};

/// The table that the constants of pairs point to; null: there is one fluid.
SLUICE_INLINE const PhaseTable* phase_table(const sph::PairConstants<float>& pairs) {
    return static_cast<const PhaseTable*>(pairs.phases);
}

} // namespace sluice::cuda
