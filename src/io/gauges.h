// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "io/csv.h"
#include "run/simulation.h"
#include "sph/constants.h"
#include <cstdint>
#include <filesystem>
#include <optional>

namespace sluice {

/// Where the free surface crosses the line of a gauge (m), going from point0 to point2:
///
///     φ(x) = Σ_b (m/ρ_b) W(|x − x_b|, h)    over the fluid particles: the fraction of the volume that is fluid
///
/// is evaluated at check points `point_spacing` apart. The surface is the first place at which φ falls below
/// `mass_limit` after having been above it, linear between two check points: the end of the body of water that the
/// line enters first, whatever spray flies behind it. A line that ends inside the fluid gives point2, one that never
/// enters it nothing. In two dimensions y does not count.
std::optional<Vec3d> find_surface(const SwlGauge& gauge, const Frame& frame, const RunSetup& setup);

/// Samples one `swl` gauge during a run into DIR/gauges/NAME.csv; nan where there is no surface.
class SwlGaugeSampler : public Sampler {
public:
    /// With `append`, the series of an interrupted run goes on. Throws RunError.
    SwlGaugeSampler(const std::filesystem::path& dir, const SwlGauge& gauge, const RunSetup& setup,
                    bool append = false);

    double next_time() const override { return clock_.next_time(); }
    void sample(const Frame& frame) override;
    void resume(double time) override { clock_.resume(time); }

private:
    SwlGauge gauge_;
    RunSetup setup_;
    SampleClock clock_;
    CsvWriter csv_;
};

} // namespace sluice
