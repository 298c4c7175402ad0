// SPDX-License-Identifier: Apache-2.0
#include "case_run.h"
#include <cmath>
#include <fmt/format.h>

using namespace sluice;
using namespace sluice::validation;

namespace {

CaseOverrides until(double time_max, std::optional<double> dp = {}) {
    CaseOverrides overrides;
    overrides.time_max = time_max;
    overrides.dp = dp;
    return overrides;
}

/// Differences of the front (in column widths, L = 1 m) to tabulated T = t sqrt(2g/L), Z = x/L, on 0.8 ≤ T ≤ 3.3 inside
/// the tank. `shift` is the time (in T) by which the experiment lags: its gate needs time to open, the simulation's
/// column is free at once.
double front_rmse(const std::vector<FlowStatistics>& series, const std::string& table, double shift) {
    double sum = 0;
    int count = 0;
    for (const auto& row : read_table(table)) {
        const double T = row[0], Z = row[1];
        if (T < 0.8 || T > 3.3 || Z > 4) continue;
        const double d = at_time(series, (T - shift) / std::sqrt(2 * 9.81), front) - Z;
        sum += d * d;
        ++count;
    }
    EXPECT_GT(count, 5);
    return std::sqrt(sum / count);
}

/// The shift (in T) with the smallest RMSE.
double best_shift(const std::vector<FlowStatistics>& series, const std::string& table) {
    double best = 0;
    for (double shift = 0; shift <= 0.5; shift += 0.01)
        if (front_rmse(series, table, shift) < front_rmse(series, table, best)) best = shift;
    return best;
}

void expect_follows_experiment(const std::vector<FlowStatistics>& series, const std::string& table) {
    const double shift = best_shift(series, table);
    std::printf("%s: RMSE of the front %.3f L as it is, %.3f L with a gate delay of T = 0.1, best %.3f L at T = %.2f\n",
                table.c_str(), front_rmse(series, table, 0), front_rmse(series, table, 0.1),
                front_rmse(series, table, shift), shift);
    EXPECT_LE(front_rmse(series, table, 0.1), 0.25);
    EXPECT_LE(shift, 0.3); // gates take 0.1 to 0.2
    EXPECT_LE(front_rmse(series, table, shift), 0.08);
}

/// A small 3-D dam break whose every coordinate is moved, as a user would have it who works in map coordinates.
Case moved_dam_break(const Vec3d& by) {
    const auto point = [&](const char* tag, double x, double y, double z) {
        return fmt::format("<{} x=\"{:.6f}\" y=\"{:.6f}\" z=\"{:.6f}\"/>", tag, x + by.x, y + by.y, z + by.z);
    };
    const auto box = [&](const char* faces, double lx, double ly, double lz) {
        return fmt::format("<drawbox><boxfill>{}</boxfill>{}<size x=\"{}\" y=\"{}\" z=\"{}\"/></drawbox>", faces,
                           point("point", 0, 0, 0), lx, ly, lz);
    };
    const std::string text = fmt::format(
        R"(<case><casedef><constantsdef><gravity x="0" y="0" z="-9.81"/><rhop0 value="1000"/><coefsound value="20"/>)"
        R"(<coefh value="1"/><cflnumber value="0.2"/></constantsdef><mkconfig boundcount="240" fluidcount="9"/>)"
        R"(<geometry><definition dp="0.02">{}{}</definition><commands><mainlist><setdrawmode mode="full"/>)"
        R"(<setmkfluid mk="0"/>{}<setmkbound mk="0"/>{}</mainlist></commands></geometry></casedef><execution><parameters>)"
        R"(<parameter key="Kernel" value="1"/><parameter key="Visco" value="0.1"/><parameter key="DensityDT" value="2"/>)"
        R"(<parameter key="TimeMax" value="0.3"/><parameter key="TimeOut" value="0.02"/>)"
        R"(<simulationdomain><posmax x="default" y="default" z="default+50%"/></simulationdomain></parameters></execution></case>)",
        point("pointmin", -0.1, -0.1, -0.1), point("pointmax", 1, 0.5, 1), box("solid", 0.3, 0.2, 0.3),
        box("bottom | left | right | front | back", 0.8, 0.2, 0.4));
    return read_case_text(text, "moved.xml");
}

} // namespace

TEST(DamBreak2D, FrontFollowsTheExperiments) {
    CaseRun run("../tests/data/dam-break-2d.xml", until(0.75));
    const auto series = run.run_statistics(0.005);
    expect_follows_experiment(series, "martin_moyce_1952_n2_2_front.csv");
    expect_follows_experiment(series, "koshizuka_oka_1996_front.csv");
    const auto T = [&](double x) { return x / std::sqrt(2 * 9.81); };
    const double slope = (at_time(series, T(2.9), front) - at_time(series, T(2.2), front)) / 0.7; // before the far wall
    std::printf("late slope dZ/dT %.3f (experiment 1.37)\n", slope);
    EXPECT_NEAR(slope, 1.37, 0.1 * 1.37);
    EXPECT_TRUE(run.excluded.empty());
    // no faster than the dry-bed front of shallow water (Ritter 1892)
    for (const FlowStatistics& s : series) EXPECT_LE(s.front, 1 + 2 * std::sqrt(9.81 * 2) * s.time + 0.02);
}

TEST(DamBreak2D, FollowsTheReferenceSolverAtFirst) {
    CaseRun run("../tests/data/dam-break-2d.xml", until(0.155, 0.01));
    expect_follows_reference(run.run_statistics(0.005), "dam_break_2d_reference_solver.csv", 0.15, 0.02);
    EXPECT_TRUE(run.excluded.empty());
}

TEST(DamBreak3D, IsTheSameFarFromTheOrigin) {
    CaseRun here(moved_dam_break({})), there(moved_dam_break({1e5, -3e4, 7e3}));
    ASSERT_EQ(here.particles.size(), there.particles.size());
    const auto a = here.run_statistics(0.02), b = there.run_statistics(0.02);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_NEAR(a[i].front, b[i].front - 1e5, 1e-4 * a[i].front);
        EXPECT_NEAR(a[i].centroid.x, b[i].centroid.x - 1e5, 1e-4 * a[i].centroid.x);
        EXPECT_NEAR(a[i].centroid.z, b[i].centroid.z - 7e3, 1e-4 * a[i].centroid.z);
        EXPECT_NEAR(a[i].kinetic_energy, b[i].kinetic_energy, 1e-4 * a[i].kinetic_energy);
    }
    EXPECT_GT(a.back().kinetic_energy, 0.1);
}
