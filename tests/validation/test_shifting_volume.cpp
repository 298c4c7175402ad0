// SPDX-License-Identifier: Apache-2.0
#include "case_run.h"
#include <fmt/format.h>

using namespace sluice;
using namespace sluice::validation;

namespace {

/// A step of water, 0.6 m and 0.4 m high, that comes to rest in a periodic tank 1 m long, ten particles deep.
std::string step_of_water(const std::string& parameters) {
    const auto box = [](double x, double z, double size_x, double size_z) {
        return fmt::format(
            R"(<drawbox><boxfill>solid</boxfill><point x="{}" y="-1" z="{}"/><size x="{}" y="2" z="{}"/></drawbox>)", x,
            z, size_x, size_z);
    };
    return R"(<case><casedef><constantsdef><gravity x="0" y="0" z="-9.81"/><rhop0 value="1000"/><rhopgradient value="2"/>
<hswl value="0.5" auto="false"/><coefsound value="10"/><coefh value="1.2"/><cflnumber value="0.2"/></constantsdef>
<mkconfig boundcount="240" fluidcount="10"/><geometry><definition dp="0.05"><pointref x="0.025" y="0" z="0.025"/>
<pointmin x="0" y="0" z="-0.25"/><pointmax x="1.05" y="0" z="1"/></definition><commands><mainlist><setdrawmode mode="full"/>
<setmkfluid mk="0"/>)" +
           box(0.025, 0.025, 0.45, 0.55) + box(0.525, 0.025, 0.45, 0.35) + R"(<setmkbound mk="0"/>)" +
           box(0.025, -0.175, 0.95, 0.15) +
           R"(</mainlist></commands></geometry><normals><norplane mkbound="0"><point x="0" y="0" z="0"/>
<normal x="0" y="0" z="1"/><maxdisth v="0"/></norplane></normals></casedef><execution><parameters>
<parameter key="Scheme" value="recommended"/><parameter key="TimeMax" value="6"/><parameter key="XPeriodicIncZ" value="0"/>)" +
           parameters +
           R"(<simulationdomain><posmin x="0" y="default" z="-0.225"/><posmax x="1" y="default" z="1.2"/>
</simulationdomain></parameters></execution></case>)";
}

/// Mean height of the centroid over the sixth second, m.
double height_at_rest(const std::string& parameters) {
    CaseRun run(read_case_text(step_of_water(parameters), "step-of-water.xml"));
    EXPECT_EQ(run.setup.groups.fluid_count(), 200u);
    double sum = 0;
    int samples = 0;
    for (const FlowStatistics& s : run.run_statistics(0.05))
        if (s.time > 5) sum += s.centroid.z, ++samples;
    EXPECT_TRUE(run.excluded.empty());
    return sum / samples;
}

} // namespace

TEST(AdvancedShifting, KeepsTheVolumeOfWaterWithASurface) {
    const double without = height_at_rest("");
    for (const char* coefficient : {"-0.01", "-0.1"}) {
        const double with = height_at_rest(fmt::format(
            R"(<parameter key="Shifting" value="4"/><parameter key="ShiftAdvALE" value="1"/><parameter key="ShiftAdvCoef" value="{}"/>)",
            coefficient));
        std::printf("ShiftAdvCoef %s: the centroid is %+.2f mm above that without shifting\n", coefficient,
                    1000 * (with - without));
        EXPECT_LT(std::abs(with - without), 1e-3); // 5 mm and 12 mm if the densities do not follow the shifts
    }
}
