// SPDX-License-Identifier: Apache-2.0
#include "backends/colliding_bodies.h"
#include "cuda/bodies/collision_answer.h"
#include "model/rigid_motions.h"

#include <gtest/gtest.h>

// What the host answers where a device asks it for the bodies of a stage.

using namespace sluice;
using cuda::CollisionMail;
using cuda::StepOfStage;

namespace {

struct Mail {
    StepOfStage step{0.1, 2e-3, 7, true};
    std::vector<BodyState> from, to;
    std::vector<BodyLoads> load;

    explicit Mail(const RunSetup& setup) : from(initial_states(setup.bodies)), to(from.size()), load(from.size()) {
        for (BodyLoads& loads : load) loads.fluid.force = {0.1, -0.2, 0.3};
    }
    CollisionMail view() { return {&step, from.data(), load.data(), nullptr, to.data()}; }
};

RunSetup setup_of(sph::Integrator integrator) {
    return colliding::colliding_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator},
                                      {20, 9, 8})
        .setup;
}

} // namespace

TEST(CollisionMail, IsAnsweredWithWhatTheCpuComputesOfTheStage) {
    for (const Stage stage : {Stage::whole_step, Stage::predictor, Stage::corrector}) {
        const bool whole = stage == Stage::whole_step;
        const RunSetup setup = setup_of(whole ? sph::Integrator::verlet : sph::Integrator::symplectic);
        Mail mail(setup);
        CollidingBodies colliding(setup.collisions, setup.mechanisms, setup.bodies.size()),
            of_cpu(setup.collisions, setup.mechanisms, setup.bodies.size());
        answer(mail.view(), setup, colliding, stage);
        std::vector<BodyState> expected = mail.from;
        of_cpu.advance(whole ? BodyStage::verlet_leap : BodyStage::symplectic, mail.from.data(), mail.load.data(),
                       expected.data(), mechanism_drive(setup, nullptr), 0.1, stage == Stage::predictor ? 1e-3 : 2e-3);
        EXPECT_EQ(mail.to, expected) << int(stage);
        EXPECT_FALSE(colliding.reports().empty());
        EXPECT_NE(mail.to, mail.from);
    }
}

TEST(CollisionMail, OfAStepThatIsNotTakenHasNoAnswer) {
    const RunSetup setup = setup_of(sph::Integrator::verlet);
    Mail mail(setup);
    mail.step.taken = false;
    CollidingBodies colliding(setup.collisions, setup.mechanisms, setup.bodies.size());
    answer(mail.view(), setup, colliding, Stage::whole_step);
    EXPECT_EQ(mail.to, std::vector<BodyState>(setup.bodies.size()));
}
