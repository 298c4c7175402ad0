// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/compare.h"
#include "case/read_case.h"
#include "geometry/generate.h"
#include "physics/open_zones.h"
#include "setup/setup.h"
#include <map>
#include <random>
#include <string>

// Flows through open boundaries, for every backend.

namespace sluice::open_channels {

using clouds::Cloud;

inline Cloud cloud_of(const std::string& text) {
    Case definition = read_case_text(text, "case.xml", {});
    const ParticleSet particles = generate_particles(definition, definition.diagnostics);
    Cloud cloud;
    cloud.setup = make_run_setup(definition, particles);
    cloud.state = make_initial_state(definition, particles, cloud.setup);
    return cloud;
}

/// A zone on the left or the right side of what `case_text` draws.
inline std::string zone(bool is_left, const std::string& velocity, const std::string& more, int refilling, int input) {
    return "<inoutzone><refilling value=\"" + std::to_string(refilling) + "\"/><inputtreatment value=\"" +
           std::to_string(input) + "\"/><layers value=\"5\"/><zone2d><particles mkfluid=\"" + (is_left ? "1" : "2") +
           "\" direction=\"" + (is_left ? "right" : "left") + "\"/></zone2d>" + velocity + more + "</inoutzone>";
}

inline std::string uniform(double v) {
    return "<imposevelocity mode=\"0\"><velocity v=\"" + std::to_string(v) + "\"/></imposevelocity>";
}
inline const std::string extrapolated = "<imposevelocity mode=\"2\"/>";

/// Water of 13 × 10 particles, dp 0.1, in the plane; its left and right columns are mkfluid 1 and 2. `more`: geometry;
/// `height`: of the water instead of 0.9.
inline std::string case_text(const std::string& zones, const std::string& gravity, const std::string& parameters,
                             const std::string& more = "", double height = 0.9) {
    const auto column = [&](int mk, const char* side) {
        return "<setmkfluid mk=\"" + std::to_string(mk) + "\"/><drawbox><boxfill>" + side +
               "</boxfill><point x=\"0\" y=\"-1\" z=\"0\"/><size x=\"1.2\" y=\"2\" z=\"" + std::to_string(height) +
               "\"/></drawbox>";
    };
    return R"(<case><casedef><constantsdef><gravity x="0" y="0" z=")" + gravity +
           R"("/><rhopgradient value="2"/><coefh value="1.2"/><speedsystem value=")" + (gravity == "0" ? "0.5" : "2") +
           R"("/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/><geometry><definition dp="0.1"><pointmin x="-1" y="0" z="-1"/>
<pointmax x="3" y="0" z=")" +
           std::to_string(height + 1.1) + R"("/></definition><commands><mainlist><setdrawmode mode="full"/>)" +
           column(0, "solid") + column(1, "left") + column(2, "right") + more +
           "</mainlist></commands></geometry></casedef><execution><special><inout>" + zones +
           "</inout></special><parameters>" + parameters + "</parameters></execution></case>";
}

inline std::string parameter(const std::string& key, const std::string& value) {
    return "<parameter key=\"" + key + "\" value=\"" + value + "\"/>";
}

/// A plug of water that flows from left to right at 1 m/s, periodic in z.
inline Cloud plug(int algorithm, const std::string& outlet = uniform(-1)) {
    Cloud cloud =
        cloud_of(case_text(zone(true, uniform(1), "", 0, 2) + zone(false, outlet, "", 0, 1), "0",
                           parameter("StepAlgorithm", std::to_string(algorithm)) + parameter("ZPeriodicIncX", "0")));
    for (Vec3f& v : cloud.state.velocity) v = {1, 0, 0};
    cloud.state.velocity_previous = cloud.state.velocity;
    return cloud;
}

/// A sheared flow in z that turns twice.
inline const std::string turning_times =
    R"(<imposevelocity mode="1"><velocitytimes2><timevalue time="0" v="1" v2="2" z="0" z2="1"/>
<timevalue time="0.15" v="-1" v2="-2" z="0" z2="1"/><timevalue time="0.3" v="1" v2="2" z="0" z2="1"/></velocitytimes2></imposevelocity>)";

/// The same, sheared, with walls and a flow that turns; zones refill wherever they have room.
inline Cloud turning(int algorithm, bool extrapolates) {
    const std::string walls = R"(<setmkbound mk="0"/><drawbox><boxfill>bottom | top</boxfill>
<point x="-0.7" y="-1" z="-0.1"/><size x="2.6" y="2" z="1.1"/></drawbox>)";
    const std::string density = "<imposerhop mode=\"2\"/>";
    return cloud_of("" + case_text("<determlimit value=\"1e-3\"/>" + zone(true, turning_times, density, 2, 1) +
                                       zone(false, extrapolates ? extrapolated : uniform(-1), density, 2, 1),
                                   "0",
                                   parameter("StepAlgorithm", std::to_string(algorithm)) + parameter("DensityDT", "2") +
                                       (extrapolates ? parameter("Shifting", "3") : ""),
                                   walls));
}

/// With advanced shifting that densities follow.
inline Cloud following(Cloud cloud, double coefficient = -0.2) {
    cloud.setup.constants.shifting = sph::Shifting::along_surfaces;
    cloud.setup.constants.shift_follows = true;
    cloud.setup.constants.shift_coefficient = coefficient;
    return cloud;
}

/// Water that a wave of inflow raises, over a floor; the surface of the left zone begins at 0.55, that of the water is
/// at 0.95. `surface`: of the left zone.
inline Cloud rising(int algorithm, const std::string& surface) {
    const std::string floor = R"(<setmkbound mk="0"/><drawbox><boxfill>bottom</boxfill>
<point x="-0.7" y="-1" z="-0.1"/><size x="2.6" y="2" z="1.1"/></drawbox>)";
    return cloud_of(case_text(zone(true, uniform(1), "<imposerhop mode=\"1\"/>" + surface, 2, 1) +
                                  zone(false, extrapolated, "<imposerhop mode=\"2\"/>", 0, 1),
                              "-9.81", parameter("StepAlgorithm", std::to_string(algorithm)), floor));
}

/// Water, disturbed at random, that flows under its surface from left to right at 1 m/s, over a floor without friction.
inline Cloud stream(int algorithm) {
    const auto layer = [](int mk, double z) {
        return "<setmkbound mk=\"" + std::to_string(mk) +
               R"("/><drawbox><boxfill>bottom</boxfill><point x="-0.8" y="-1" z=")" + std::to_string(z) +
               R"("/><size x="2.8" y="2" z="1.1"/></drawbox>)";
    };
    const std::string still = R"(<imposerhop mode="1"/><imposezsurf mode="0"><zsurf value="0.95"/></imposezsurf>)";
    Cloud cloud = cloud_of(
        case_text(zone(true, uniform(1), still, 2, 2) + zone(false, extrapolated, still, 0, 1), "-9.81",
                  parameter("StepAlgorithm", std::to_string(algorithm)) + parameter("DensityDT", "3") +
                      parameter("Visco", "0.1") + parameter("ViscoBoundFactor", "0") +
                      R"(<simulationdomain><posmax x="default" y="default" z="default + 50%"/></simulationdomain>)",
                  layer(0, -0.1) + layer(1, -0.2)));
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (std::size_t i = 0; i < cloud.state.size(); ++i) {
        if (!cloud.setup.groups.is_fluid(cloud.state.id[i])) continue;
        cloud.state.position[i] = cloud.state.position[i] + 0.005 * Vec3d{unit(random), 0, unit(random)};
        cloud.state.velocity[i] = {1, 0, 0};
    }
    cloud.state.velocity_previous = cloud.state.velocity;
    return cloud;
}

inline const std::string found_surface = R"(<imposezsurf mode="2"><zsurf0 value="0.55"/></imposezsurf>)";

/// A flow that turns between zones that extrapolate, periodic in z, along which the domain is longest.
inline Cloud tall(int algorithm) {
    const std::string density = "<imposerhop mode=\"2\"/>";
    return cloud_of(case_text(zone(true, turning_times, density, 2, 1) + zone(false, extrapolated, density, 2, 1), "0",
                              parameter("StepAlgorithm", std::to_string(algorithm)) + parameter("ZPeriodicIncX", "0"),
                              "", 2.7));
}

/// A flow that turns twice in space: 5 × 4 particles across it and 15 along it, z, with zones at both of its ends.
inline Cloud duct(int algorithm) {
    const auto layer = [](int mk, const char* sides) {
        return "<setmkfluid mk=\"" + std::to_string(mk) + "\"/><drawbox><boxfill>" + sides +
               R"(</boxfill><point x="0" y="0" z="0"/><size x="0.4" y="0.3" z="1.4"/></drawbox>)";
    };
    const auto end = [](int mk, const std::string& direction, const std::string& velocity) {
        return R"(<inoutzone><refilling value="2"/><inputtreatment value="1"/><layers value="4"/><zone3d><particles mkfluid=")" +
               std::to_string(mk) + R"(" direction=")" + direction + R"("/></zone3d>)" + velocity +
               R"(<imposerhop mode="2"/></inoutzone>)";
    };
    const std::string times =
        R"(<imposevelocity mode="1"><velocitytimes><timevalue time="0" v="3"/><timevalue time="0.1" v="3"/>
<timevalue time="0.15" v="-3"/><timevalue time="0.25" v="-3"/><timevalue time="0.3" v="3"/></velocitytimes></imposevelocity>)";
    return cloud_of(
        R"(<case><casedef><constantsdef><gravity x="0" y="0" z="0"/><rhopgradient value="2"/><coefh value="0.9"/>
<speedsystem value="0.5"/></constantsdef><mkconfig boundcount="240" fluidcount="9"/><geometry><definition dp="0.1">
<pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="2" z="3"/></definition><commands><mainlist><setdrawmode mode="full"/>)" +
        layer(0, "solid") + layer(1, "bottom") + layer(2, "top") +
        R"(<setmkbound mk="0"/><drawbox><boxfill>left | right | front | back</boxfill><point x="-0.1" y="-0.1" z="-0.5"/>
<size x="0.6" y="0.5" z="2.4"/></drawbox></mainlist></commands></geometry></casedef><execution><special><inout>)" +
        end(1, "top", times) + end(2, "bottom", extrapolated) + "</inout></special><parameters>" +
        parameter("StepAlgorithm", std::to_string(algorithm)) + "</parameters></execution></case>");
}

/// A jet into the empty space between two walls: the zone makes all the fluid there is. `turned`: by 20 degrees, and
/// with the density of the fluid before it.
inline Cloud jet(int algorithm, bool turned = false) {
    const std::string lines =
        R"(<inoutzone><refilling value="0"/><inputtreatment value="1"/><layers value="4"/><zone2d><line>
<point x="0" z="0.1"/><point2 x="0" z="0.6"/><direction x="1" z="0"/>)" +
        std::string(turned ? R"(<rotate angle="-20"/>)" : "") + "</line></zone2d>" + uniform(1) +
        (turned ? R"(<imposerhop mode="2"/>)" : "") + "</inoutzone>";
    return cloud_of(
        R"(<case><casedef><constantsdef><gravity x="0" y="0" z="0"/><rhopgradient value="2"/><coefh value="1.2"/>
<speedsystem value="0.5"/></constantsdef><mkconfig boundcount="240" fluidcount="9"/><geometry><definition dp="0.1">
<pointmin x="-1" y="0" z="-1"/><pointmax x="3" y="0" z="2"/></definition><commands><mainlist><setdrawmode mode="full"/>
<setmkbound mk="0"/><drawbox><boxfill>bottom | top</boxfill><point x="-0.7" y="-1" z="-0.1"/><size x="2.6" y="2" z="1.1"/></drawbox>
</mainlist></commands></geometry></casedef><execution><special><inout>)" +
        lines + "</inout></special><parameters>" + parameter("StepAlgorithm", std::to_string(algorithm)) +
        "</parameters></execution></case>");
}

/// The flow that turns, with extrapolating zones, disturbed at random.
inline Cloud disturbed(int algorithm) {
    Cloud cloud = turning(algorithm, true);
    std::mt19937 random(3);
    std::uniform_real_distribution<float> unit(-1, 1);
    for (std::size_t i = 0; i < cloud.state.size(); ++i) {
        if (!cloud.setup.groups.is_fluid(cloud.state.id[i])) continue;
        cloud.state.velocity[i] = {1 + 0.3f * unit(random), 0, 0.3f * unit(random)};
        cloud.state.density[i] += 2 * unit(random);
    }
    cloud.state.velocity_previous = cloud.state.velocity;
    cloud.state.density_previous = cloud.state.density;
    return cloud;
}

/// Water, periodic in z, that flows out on the right, one particle after the other, and none comes in: neighbour lists
/// can be kept for many steps. `more`: parameters.
inline Cloud draining(int algorithm, const std::string& more = "") {
    Cloud cloud = cloud_of(
        case_text(zone(false, uniform(-1), "", 0, 1), "0",
                  parameter("StepAlgorithm", std::to_string(algorithm)) + parameter("ZPeriodicIncX", "0") + more));
    cloud.setup.constants.cfl = 0.2; // in longer steps the water would be gone too soon
    std::mt19937 random(4);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (std::size_t i = 0; i < cloud.state.size(); ++i) cloud.state.position[i].x += 0.03 * unit(random);
    for (Vec3f& v : cloud.state.velocity) v = {1, 0, 0};
    cloud.state.velocity_previous = cloud.state.velocity;
    return cloud;
}

/// The same with the stresses of the sub-particle-scale model and shifting.
inline Cloud draining_in_passes(int algorithm) {
    return draining(algorithm,
                    parameter("ViscoTreatment", "2") + parameter("Visco", "1e-3") + parameter("Shifting", "3"));
}

/// What a zone's particle flows with, from sums in double precision over all the fluid outside of the zones.
inline ZoneFlow oracle_flow(const RunSetup& setup, const ParticleState& state, std::size_t i) {
    const ZonesView open = view_of(setup.open);
    const Vec3d& p = state.position[i];
    const OpenZone& zone = setup.open.zones[static_cast<std::size_t>(place_in(open, p).zone)];
    const Vec3d ghost = ghost_place(zone, p);
    return sph::with_kernel(setup.constants.kernel, [&]<class K>(K) {
        using Node = sph::GhostNode<K, sph::GhostVelocity::linear>;
        const sph::GhostNodeConstants<double> constants(setup.constants, sph::metre);
        struct Fluid {
            double vx, vy, vz, rho;
        };
        double sums[Node::sum_count] = {};
        for (std::size_t j = 0; j < state.size(); ++j) {
            if (!setup.groups.is_fluid(state.id[j]) || place_in(open, state.position[j]).zone >= 0) continue;
            const Vec3d d = ghost - state.position[j];
            const Vec3f& v = state.velocity[j];
            if (dot(d, d) < constants.support2)
                Node::add(constants, d.x, d.y, d.z, dot(d, d), Fluid{v.x, v.y, v.z, state.density[j]}, sums);
        }
        return zone_flow(setup.constants, open, zone, p, state.time, sums, ZoneFlow{{}, 0});
    });
}

/// Zones impose what the oracle finds and nothing accelerates or shifts their particles: they move by Δt v.
template <class MakeBackend>
void expect_oracle_flow(const MakeBackend& make_backend) {
    for (const int n : {1, 2, 3, 4, 5, 6}) {
        const int algorithm = n % 3 + 1;
        const Cloud cloud = n > 3 ? following(disturbed(algorithm)) : disturbed(algorithm);
        const auto backend = make_backend(cloud);
        std::vector<Vec3f> acceleration;
        std::vector<float> density_rate;
        backend->rates(acceleration, density_rate);
        const ParticleState state = backend->state();
        take_steps(*backend, 1);
        const ParticleState next = backend->state();
        std::map<std::uint32_t, Vec3d> moved;
        for (std::size_t i = 0; i < next.size(); ++i) moved[next.id[i]] = next.position[i];
        int in_zones = 0;
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (!cloud.setup.groups.is_fluid(state.id[i])) continue;
            if (place_in(view_of(cloud.setup.open), state.position[i]).zone < 0) continue;
            ++in_zones;
            const ZoneFlow flow = oracle_flow(cloud.setup, state, i);
            EXPECT_NEAR(state.velocity[i].x, flow.velocity.x, 1e-4);
            EXPECT_NEAR(state.velocity[i].z, flow.velocity.z, 1e-4);
            EXPECT_NEAR(state.density[i], flow.density, 1e-2);
            EXPECT_EQ(acceleration[i], Vec3f{});
            EXPECT_EQ(density_rate[i], 0);
            if (algorithm != 2) {
                EXPECT_EQ(state.velocity_previous[i], state.velocity[i]);
                EXPECT_EQ(state.density_previous[i], state.density[i]);
            }
            if (!moved.contains(state.id[i])) continue; // it has left
            const ZonesView open = view_of(cloud.setup.open);
            const OpenZone& zone = open.zones[place_in(open, state.position[i]).zone];
            Vec3d mean = vec_cast<double>(state.velocity[i]);
            double tolerance = (algorithm == 3 ? 2e-6 : 1e-6) * cloud.setup.constants.dp; // rounded once a stage
            if (algorithm == 3 &&
                zone.imposes_velocity()) { // the second half of a staggered step has that of its middle
                const Vec3d half_way = state.position[i] + 0.5 * next.dt * mean;
                mean = 0.5 * (mean + zone_velocity(open, zone, half_way, state.time + 0.5 * next.dt));
            } else if (algorithm == 3) {
                tolerance = 0.01 * cloud.setup.constants.dp; // what ghost nodes find at its middle is not known here
            }
            const Vec3d way = moved[state.id[i]] - state.position[i] - next.dt * mean;
            EXPECT_LT(std::sqrt(dot(way, way)), tolerance);
        }
        EXPECT_EQ(in_zones, 100);
    }
}

/// The flow that turns, whose left zone has velocities of a grid, of which those along z move no particle.
inline Cloud gridded(int algorithm, float vertical) {
    Cloud cloud = turning(algorithm, false);
    OpenZones& open = cloud.setup.open;
    OpenZone& zone = open.zones[0];
    zone.profile = zone.velocity_count = 0;
    zone.table = 0;
    zone.holds_level = true;
    open.tables.numbers = {0, 1, 0};
    open.tables.tables = {{0, 2, 2, 1, zone.origin.z, 1, 2, true, 0}};
    open.tables.values = {1, vertical, 2, vertical, 3, vertical, 4, vertical}; // 1 + z + 2 t
    return cloud;
}

/// Particles of such a zone flow as the grid says, but stay level; what they flow with upwards acts on others.
template <class MakeBackend>
void expect_grid_flow(const MakeBackend& make_backend) {
    for (const int algorithm : {1, 2, 3}) {
        std::vector<Vec3f> acceleration[2];
        for (const int rises : {0, 1}) {
            const Cloud cloud = gridded(algorithm, rises ? 2.0f : 0.0f);
            const auto backend = make_backend(cloud);
            std::vector<float> density_rate;
            backend->rates(acceleration[rises], density_rate);
            take_steps(*backend, 3);
            const ParticleState state = backend->state();
            std::map<std::uint32_t, double> start;
            for (std::size_t i = 0; i < cloud.state.size(); ++i) start[cloud.state.id[i]] = cloud.state.position[i].z;
            const OpenZone& zone = cloud.setup.open.zones[0];
            int found = 0;
            for (std::size_t i = 0; i < state.size(); ++i) {
                if (!cloud.setup.groups.is_fluid(state.id[i])) continue;
                if (place_in(view_of(cloud.setup.open), state.position[i]).zone != 0 || !start.contains(state.id[i]))
                    continue;
                ++found;
                const double height = state.position[i].z - zone.origin.z;
                const double at_start = 1 + std::clamp(height, 0.0, 1.0); // and it grows by 2 m/s²
                EXPECT_GE(state.velocity[i].x, at_start - 1e-5);
                EXPECT_LE(state.velocity[i].x, at_start + 2 * state.time + 1e-5);
                EXPECT_EQ(state.velocity[i].z, 0);
                EXPECT_NEAR(state.position[i].z, start[state.id[i]], 1e-6);
            }
            EXPECT_GT(found, 20);
        }
        float difference = 0;
        ASSERT_EQ(acceleration[0].size(), acceleration[1].size());
        for (std::size_t i = 0; i < acceleration[0].size(); ++i)
            difference = std::max(difference, std::abs(acceleration[0][i].z - acceleration[1][i].z));
        EXPECT_GT(difference, 0.1f);
    }
}

inline void advance_to(Backend& backend, double time) {
    AdvanceLimits limits;
    limits.time = time;
    limits.steps = 1000000;
    limits.wall_seconds = 1e9;
    while (backend.advance(limits).time < time) {
    }
}

} // namespace sluice::open_channels
