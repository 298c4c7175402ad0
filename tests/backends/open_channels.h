// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/compare.h"
#include "case/read_case.h"
#include "geometry/generate.h"
#include "setup/setup.h"
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

/// Water of 13 × 10 particles, dp 0.1, in the plane; its left and right columns are mkfluid 1 and 2. `more`: geometry.
inline std::string case_text(const std::string& zones, const std::string& gravity, const std::string& parameters,
                             const std::string& more = "") {
    const auto column = [](int mk, const char* side) {
        return "<setmkfluid mk=\"" + std::to_string(mk) + "\"/><drawbox><boxfill>" + side +
               "</boxfill><point x=\"0\" y=\"-1\" z=\"0\"/><size x=\"1.2\" y=\"2\" z=\"0.9\"/></drawbox>";
    };
    return R"(<case><casedef><constantsdef><gravity x="0" y="0" z=")" + gravity +
           R"("/><rhopgradient value="2"/><coefh value="1.2"/><speedsystem value=")" + (gravity == "0" ? "0.5" : "2") +
           R"("/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/><geometry><definition dp="0.1"><pointmin x="-1" y="0" z="-1"/>
<pointmax x="3" y="0" z="2"/></definition><commands><mainlist><setdrawmode mode="full"/>)" +
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

/// The same, sheared, with walls and a flow that turns; zones refill wherever they have room.
inline Cloud turning(int algorithm, bool extrapolates) {
    const std::string times =
        R"(<imposevelocity mode="1"><velocitytimes2><timevalue time="0" v="1" v2="2" z="0" z2="1"/>
<timevalue time="0.15" v="-1" v2="-2" z="0" z2="1"/><timevalue time="0.3" v="1" v2="2" z="0" z2="1"/></velocitytimes2></imposevelocity>)";
    const std::string walls = R"(<setmkbound mk="0"/><drawbox><boxfill>bottom | top</boxfill>
<point x="-0.7" y="-1" z="-0.1"/><size x="2.6" y="2" z="1.1"/></drawbox>)";
    const std::string density = "<imposerhop mode=\"2\"/>";
    return cloud_of("" + case_text("<determlimit value=\"1e-3\"/>" + zone(true, times, density, 2, 1) +
                                       zone(false, extrapolates ? extrapolated : uniform(-1), density, 2, 1),
                                   "0",
                                   parameter("StepAlgorithm", std::to_string(algorithm)) + parameter("DensityDT", "2") +
                                       (extrapolates ? parameter("Shifting", "3") : ""),
                                   walls));
}

inline void advance_to(Backend& backend, double time) {
    AdvanceLimits limits;
    limits.time = time;
    limits.steps = 1000000;
    limits.wall_seconds = 1e9;
    backend.advance(limits);
}

} // namespace sluice::open_channels
