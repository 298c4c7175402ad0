// SPDX-License-Identifier: Apache-2.0
#include "case_run.h"
#include <cmath>

using namespace sluice;
using namespace sluice::validation;

namespace {

/// Velocity (m/s) of plane Poiseuille flow that a body force F (m/s²) starts from rest between plates at z = ±H/2, with
/// kinematic viscosity ν (Morris, Fox & Zhu 1997, eq. 21).
double poiseuille(double z, double t, double force, double height, double nu) {
    const double pi = 3.14159265358979323846, y = z + height / 2;
    double u = force * y * (height - y) / (2 * nu);
    for (int n = 0; n < 50; ++n) {
        const int k = 2 * n + 1;
        u -= 4 * force * height * height / (nu * std::pow(pi * k, 3)) * std::sin(pi * k * y / height) *
             std::exp(-k * k * pi * pi * nu * t / (height * height));
    }
    return u;
}

} // namespace

TEST(Poiseuille, StartsUpAndSettlesAsTheAnalyticProfile) {
    CaseOverrides overrides;
    overrides.time_max = 0.6;
    CpuOptions one_thread;
    one_thread.threads = 1;
    CaseRun run("poiseuille.xml", overrides, one_thread);
    const double force = 1e-4, height = 1e-3, nu = 1e-6, greatest = force * height * height / (8 * nu);
    double worst = 0, cross = 0;
    std::size_t count = 0;
    run.run(0.1, [&](const Frame& frame) {
        double squares = 0;
        const std::size_t begin = run.setup.groups.fluid_begin(frame.id);
        for (std::size_t i = begin; i < frame.size(); ++i) {
            const double d = frame.velocity[i].x - poiseuille(frame.position[i].z, frame.time, force, height, nu);
            squares += d * d;
            cross = std::max(cross, std::abs(double(frame.velocity[i].z)));
        }
        count = frame.size() - begin;
        const double error = std::sqrt(squares / double(count)) / greatest;
        std::printf("t = %.3f s: root mean square difference to the analytic profile %.4f of the largest velocity\n",
                    frame.time, error);
        worst = std::max(worst, error);
    });
    EXPECT_EQ(count, 2450u);
    EXPECT_LT(worst, 0.015);
    EXPECT_LT(cross, 0.02 * greatest);
}
