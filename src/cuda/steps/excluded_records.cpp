// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/excluded_records.h"

#include "cuda/device/host_copies.h"
#include <algorithm>
#include <tuple>

namespace sluice::cuda {

std::vector<ExcludedRecord> download_excluded(const RunArrays& run, const Control& control) {
    if (control.excluded > run.excluded_capacity())
        throw RunError(std::to_string(control.excluded) + " particles left the run within a few steps, up to step " +
                           std::to_string(control.step) + ": the run has blown up",
                       Outcome::blown_up);
    return download(run.excluded.data(), control.excluded);
}

void append_excluded(std::vector<ExcludedRecord> records, const FixedGrid& grid, const RunSetup& setup,
                     std::vector<ExcludedParticle>& to) {
    std::sort(records.begin(), records.end(),
              [](const auto& a, const auto& b) { return std::tie(a.step, a.id) < std::tie(b.step, b.id); });
    const double unit = grid.unit;
    for (const ExcludedRecord& r : records) {
        ExcludedParticle p;
        p.id = r.id;
        p.cause = sph::ExclusionCause(r.cause);
        p.step = r.step;
        p.time = r.time;
        p.position = setup.domain.min + unit * Vec3d{r.x, r.y, r.z};
        p.velocity = {r.vx, r.vy, r.vz};
        p.density = r.rho * static_cast<float>(setup.density_ratio_of(r.id));
        to.push_back(p);
    }
}

RunError blown_up(long long step, double time, bool without_fluid) {
    return RunError("the time step is no longer finite after step " + std::to_string(step) +
                        " (t = " + std::to_string(time) +
                        " s): the run has blown up, try a smaller CFLnumber or a larger coefsound",
                    without_fluid ? Outcome::lost_fluid : Outcome::blown_up);
}

PhaseSeconds phase_seconds_of(const Control& control) {
    PhaseSeconds p;
    p.cell_list = 1e-9 * double(control.phase_ns[int(Phase::cell_list)]);
    p.interaction = 1e-9 * double(control.phase_ns[int(Phase::interaction)]);
    p.update = 1e-9 * double(control.phase_ns[int(Phase::update)]);
    return p;
}

} // namespace sluice::cuda
