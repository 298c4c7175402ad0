// SPDX-License-Identifier: Apache-2.0
#include "distinct_constants.h"
#include "io/records/run_fingerprint.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

using namespace sluice;

namespace {

RunSetup example_setup() {
    RunSetup setup;
    setup.constants = distinct_constants();
    setup.domain = {{1, 2, 3}, {4, 5, 6}};
    setup.set_groups(ParticleGroups::of(7, 3));
    setup.period.shift[1] = {0.5, 1.5, 0};
    return setup;
}

} // namespace

TEST(run_fingerprint, changes_with_every_constant) {
    const RunSetup setup = example_setup();
    const std::string fingerprint = run_fingerprint(setup);
    EXPECT_EQ(fingerprint, run_fingerprint(example_setup()));
    const sph::Constants defaults;
    sph::for_each_field(defaults, [&](const std::string& changed, const auto& value) {
        RunSetup other = setup;
        sph::for_each_field(other.constants, [&](const char* name, auto& field) {
            if constexpr (std::is_same_v<decltype(field), std::remove_cvref_t<decltype(value)>&>)
                if (name == changed) field = value;
        });
        EXPECT_NE(run_fingerprint(other), fingerprint) << changed;
        EXPECT_TRUE(fingerprint_difference(fingerprint, run_fingerprint(other)).starts_with(changed + " ("))
            << fingerprint_difference(fingerprint, run_fingerprint(other));
    });
}

TEST(run_fingerprint, changes_with_particles_and_domain) {
    const std::string fingerprint = run_fingerprint(example_setup());
    RunSetup other = example_setup();
    for (const ParticleGroups& groups : {ParticleGroups::of(7, 4), ParticleGroups::of(8, 2)}) {
        other.groups = groups;
        EXPECT_NE(run_fingerprint(other), fingerprint);
    }
    const std::pair<const char*, void (*)(RunSetup&)> changes[] = {
        {"moving_objects", [](RunSetup& s) { s.motions.objects.resize(1); }},
        {"absorbing_pistons", [](RunSetup& s) { s.absorbers.resize(1); }},
        {"floating_bodies", [](RunSetup& s) { s.bodies.resize(1); }},
        {"body_contact", [](RunSetup& s) { s.contact = BodyContact::none; }},
        {"damping_zones", [](RunSetup& s) { s.forcing.damping.resize(1); }},
        {"relaxation_zones", [](RunSetup& s) { s.forcing.relaxation.resize(1); }},
        {"acceleration_inputs", [](RunSetup& s) { s.forcing.inputs.resize(1); }},
        {"open_zones", [](RunSetup& s) { s.open.zones.resize(1); }},
        {"open_columns", [](RunSetup& s) { s.open.points.resize(1); }},
        {"viscosity_in_time", [](RunSetup& s) { s.viscosity.resize(1); }},
        {"shift_zones", [](RunSetup& s) { s.shift_zones.resize(1); }}};
    for (const auto& [what, change] : changes) {
        other = example_setup();
        change(other);
        EXPECT_TRUE(fingerprint_difference(fingerprint, run_fingerprint(other)).starts_with(std::string(what) + " ("))
            << what;
    }
    other = example_setup();
    other.rheologies.resize(1);
    const std::string with_fluid = run_fingerprint(other);
    EXPECT_NE(with_fluid, fingerprint);
    other.rheologies[0].yield = 0.01;
    EXPECT_TRUE(fingerprint_difference(with_fluid, run_fingerprint(other)).starts_with("fluids ("));
    for (int axis = 0; axis < 3; ++axis) {
        other = example_setup();
        other.domain.min[axis] -= 1e-12;
        EXPECT_NE(run_fingerprint(other), fingerprint);
        other = example_setup();
        other.domain.max[axis] += 1e-12;
        EXPECT_NE(run_fingerprint(other), fingerprint);
        other = example_setup();
        other.period.shift[axis].x += 1e-12;
        EXPECT_NE(run_fingerprint(other), fingerprint);
    }
}

TEST(run_fingerprint, differences_are_told_with_both_values) {
    EXPECT_EQ(fingerprint_difference("cfl 0.2\ndp 1\nh 2\n", "cfl 0.3\ndp 1\nh 3\n"),
              "cfl (0.2, now 0.3), h (2, now 3)");
    EXPECT_EQ(fingerprint_difference("cfl 0.2\n", "cfl 0.2\n"), "");
    EXPECT_NE(fingerprint_difference("particles 3 boundary 4", "cfl 0.2\n"), "") << "as older versions wrote it";
}
