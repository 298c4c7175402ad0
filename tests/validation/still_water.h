// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case_run.h"
#include <cmath>
#include <fmt/format.h>

namespace sluice::validation {

/// Runs the tank of still water and expects that, once settled (s), it stays still and its pressure is hydrostatic.
inline void expect_still_water(CaseRun& run, double settled) {
    const sph::Constants& c = run.setup.constants;
    const double g = 9.81, dp = c.dp;
    double level = 0, bottom_pressure = 0, speed = 0;
    double start_level = 0, mean_z_start = 0, mean_z = 0;
    int samples = 0;
    std::size_t count = 0;
    run.run(0.02, [&](const Frame& frame) {
        const FlowStatistics s = flow_statistics(frame, c, run.setup.groups, run.setup.normals);
        if (frame.time == 0) {
            start_level = s.highest;
            mean_z_start = s.centroid.z;
        }
        if (frame.time < settled) return;
        double bottom = 0;
        int bottom_count = 0;
        for (std::size_t i = run.setup.groups.fluid_begin(frame.id); i < frame.size(); ++i)
            if (frame.position[i].z < 1.5 * dp && frame.position[i].x > 0.2 && frame.position[i].x < 0.8) {
                // pressure carried down to the floor z = 0 by hydrostatics
                bottom += frame.pressure[i] + c.rho0 * g * frame.position[i].z;
                ++bottom_count;
            }
        bottom_pressure += bottom / bottom_count;
        level += s.highest;
        mean_z += s.centroid.z;
        speed = std::max(speed, s.speed_max);
        count = frame.size();
        ++samples;
    });
    ASSERT_GT(samples, 10);
    level /= samples;
    bottom_pressure /= samples;
    mean_z /= samples;
    const double depth = 0.5;
    std::printf("bottom pressure %.1f Pa (rho g H = %.1f), mean level moved %.2f dp, top %.2f dp, largest speed %.4f "
                "sqrt(gH)\n",
                bottom_pressure, c.rho0 * g * depth, 2 * (mean_z - mean_z_start) / dp, (level - start_level) / dp,
                speed / std::sqrt(g * depth));
    EXPECT_NEAR(bottom_pressure, c.rho0 * g * depth, 0.03 * c.rho0 * g * depth);
    EXPECT_LT(std::abs(2 * (mean_z - mean_z_start)), dp); // the centroid of a column moves by half of its level
    EXPECT_LT(speed, 0.05 * std::sqrt(g * depth));
    EXPECT_EQ(count, run.particles.size());
    EXPECT_TRUE(run.excluded.empty());
}

/// The field's mdbc/01_StillWedge, with either of its spacings: still water in a tank 2.2 m long, over a wedge 0.25 m
/// high with slopes of 45 degrees; symplectic, density diffusion 2. Where the wedge begins and ends, its surface, half
/// a spacing off the particles of the wall, and how many particles of water there are.
struct Wedge {
    double dp, left, right, surface_left, surface_top, surface_right;
    std::uint32_t particles;
};
inline constexpr Wedge coarse_wedge{0.02, 0.84, 1.35, 0.84, 0.27, 1.36, 2447},
    fine_wedge{0.01, 0.85, 1.35, 0.85, 0.255, 1.35, 10106};

/// Of the last tenth of a second: L2 of the error of all the water's pressure over ρgH, largest speed over √(gH), mean
/// of v²/2 (m²/s²), and height of the centroid, m.
struct WedgeFigures {
    double l2 = 0, speed = 0, energy = 0, centroid = 0;
};

/// `boundary`: 1 dynamic walls, 2 from ghost nodes; `end`: of the run, s.
inline WedgeFigures over_a_wedge(const Wedge& w, int boundary, double end) {
    constexpr double g = 9.81, height = 0.7;
    const double half = w.dp / 2, level = 0.5 - half, depth = level - half;
    const std::string text = fmt::format(
        R"(<case><casedef><constantsdef><gravity x="0" y="0" z="-9.81"/><rhop0 value="1000"/><rhopgradient value="2"/>
<hswl value="0" auto="true"/><coefsound value="20"/><hdp value="2"/><cflnumber value="0.2"/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/><geometry><definition dp="{dp}"><pointmin x="-1" y="0" z="-1"/><pointmax x="2.5" y="0" z="2"/>
</definition><commands><list name="surface"><setactive drawpoints="0" drawshapes="1"/><setshapemode>actual | bound</setshapemode>
<setmkbound mk="0"/><drawextrude closed="false"><point x="{half}" y="-0.1" z="{top}"/><point x="{half}" y="-0.1" z="{half}"/>
<point x="{surface_left}" y="-0.1" z="{half}"/><point x="1.1" y="-0.1" z="{surface_top}"/>
<point x="{surface_right}" y="-0.1" z="{half}"/><point x="{far}" y="-0.1" z="{half}"/><point x="{far}" y="-0.1" z="{top}"/>
<extrude x="0" y="0.2" z="0"/></drawextrude><shapeout file="hdp"/><resetdraw/></list>
<mainlist><runlist name="surface"/><setdrawmode mode="full"/><setmkbound mk="0"/><drawextrude closed="false"><point x="0" y="0" z="{height}"/>
<point x="0" y="0" z="0"/><point x="{left}" y="0" z="0"/><point x="1.1" y="0" z="0.25"/><point x="{right}" y="0" z="0"/>
<point x="2.2" y="0" z="0"/><point x="2.2" y="0" z="{height}"/><extrude x="0" y="0.1" z="0"/><layers vdp="0,-0.5,-1,-1.5,-2"/></drawextrude>
<setmkfluid mk="0"/><fillbox x="0.1" y="0" z="0.1"><modefill>void</modefill><point x="-0.1" y="-1" z="-0.1"/><size x="2.3" y="2" z="0.6"/>
</fillbox></mainlist></commands></geometry><normals><distanceh value="2"/><geometryfile file="[CaseName]_hdp_Actual.vtk"/></normals>
</casedef><execution><parameters><parameter key="Boundary" value="{boundary}"/><parameter key="StepAlgorithm" value="2"/>
<parameter key="Kernel" value="2"/><parameter key="ViscoTreatment" value="1"/><parameter key="Visco" value="0.01"/>
<parameter key="ViscoBoundFactor" value="0"/><parameter key="DensityDT" value="2"/><parameter key="DensityDTvalue" value="0.1"/>
<parameter key="TimeMax" value="{end}"/></parameters></execution></case>)",
        fmt::arg("dp", w.dp), fmt::arg("half", half), fmt::arg("top", height + half), fmt::arg("far", 2.2 - half),
        fmt::arg("left", w.left), fmt::arg("right", w.right), fmt::arg("surface_left", w.surface_left),
        fmt::arg("surface_top", w.surface_top), fmt::arg("surface_right", w.surface_right), fmt::arg("height", height),
        fmt::arg("boundary", boundary), fmt::arg("end", end));
    CaseRun run(read_case_text(text, testing::TempDir() + "still-wedge.xml"));
    EXPECT_EQ(run.setup.groups.fluid_count(), w.particles);
    WedgeFigures figures;
    double squares = 0;
    std::size_t samples = 0, looks = 0;
    run.run(0.02, [&](const Frame& frame) {
        if (frame.time < end - 0.1) return;
        const FlowStatistics s = flow_statistics(frame, run.setup.constants, run.setup.groups, run.setup.normals);
        figures.speed = std::max(figures.speed, s.speed_max / std::sqrt(g * depth));
        figures.centroid += s.centroid.z;
        figures.energy += s.kinetic_energy / (run.setup.constants.mass_fluid * w.particles);
        ++looks;
        for (std::size_t i = run.setup.groups.fluid_begin(frame.id); i < frame.size(); ++i) {
            const double error = frame.pressure[i] - run.setup.constants.rho0 * g * (level - frame.position[i].z);
            squares += error * error;
            ++samples;
        }
    });
    figures.l2 = std::sqrt(squares / double(samples)) / (run.setup.constants.rho0 * g * depth);
    figures.centroid /= double(looks);
    figures.energy /= double(looks);
    EXPECT_TRUE(run.excluded.empty());
    std::printf("still water over a wedge, dp %g m, Boundary %d, %g s: L2 of the pressure %.2f %% of rho g H, largest "
                "speed %.2e sqrt(gH), v^2/2 %.1e m2/s2, centroid %.5f m high\n",
                w.dp, boundary, end, 100 * figures.l2, figures.speed, figures.energy, figures.centroid);
    return figures;
}

} // namespace sluice::validation
