// SPDX-License-Identifier: Apache-2.0
#include "backends/colliding_bodies.h"
#include "cuda/bodies/answering_thread.h"
#include "model/rigid_motions.h"

#include <gtest/gtest.h>

// What the host answers where a device asks it for the bodies of a stage.

using namespace sluice;
using cuda::AnsweringThread;
using cuda::MailTickets;
using cuda::MechanismMail;
using cuda::StepOfStage;

namespace {

struct Mail {
    StepOfStage step{0.1, 2e-3, 7, Stage::whole_step};
    std::vector<BodyState> from, to;
    std::vector<BodyLoads> load;

    explicit Mail(const RunSetup& setup) : from(initial_states(setup.bodies)), to(from.size()), load(from.size()) {
        for (BodyLoads& loads : load) loads.fluid.force = {0.1, -0.2, 0.3};
    }
    MechanismMail view() { return {&step, from.data(), load.data(), nullptr, to.data(), nullptr}; }
};

RunSetup setup_of(sph::Integrator integrator) {
    return colliding::colliding_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator},
                                      {20, 9, 8})
        .setup;
}

} // namespace

TEST(MechanismMail, IsAnsweredWithWhatTheCpuComputesOfTheStage) {
    for (const Stage stage : {Stage::whole_step, Stage::predictor, Stage::corrector}) {
        const bool whole = stage == Stage::whole_step;
        const RunSetup setup = setup_of(whole ? sph::Integrator::verlet : sph::Integrator::symplectic);
        Mail mail(setup);
        mail.step.stage = stage;
        MechanismMotion motion(setup);
        CollidingBodies of_cpu(setup.collisions, setup.mechanisms, setup.bodies.size());
        answer(mail.view(), setup, motion);
        std::vector<BodyState> expected = mail.from;
        of_cpu.advance(whole ? BodyStage::verlet_leap : BodyStage::symplectic, mail.from.data(), mail.load.data(),
                       expected.data(), mechanism_drive(setup, nullptr), 0.1, stage == Stage::predictor ? 1e-3 : 2e-3);
        EXPECT_EQ(mail.to, expected) << int(stage);
        EXPECT_NE(mail.to, mail.from);
    }
}

TEST(MechanismMail, MechanismsMoveAloneWhereNothingCollides) {
    RunSetup setup = setup_of(sph::Integrator::symplectic);
    setup.collisions = {};
    Mail mail(setup);
    mail.step.stage = Stage::corrector;
    MechanismMotion motion(setup);
    answer(mail.view(), setup, motion);
    std::vector<BodyState> expected = mail.from;
    MechanismArrays arrays(setup.mechanisms);
    for (int m = 0; m < static_cast<int>(setup.mechanisms.all.size()); ++m)
        advance_mechanism(setup.mechanisms.view(), m, BodyStage::symplectic, mail.from.data(), mail.load.data(),
                          expected.data(), mechanism_drive(setup, nullptr), arrays.numbers(), 0.1, 2e-3);
    EXPECT_EQ(mail.to, expected);
    EXPECT_NE(mail.to, mail.from);
}

namespace {

/// Asks as a kernel does, and waits for the answer.
void ask(MailTickets& tickets) {
    const auto question = tickets.asked + 1;
    std::atomic_ref(tickets.asked).store(question, std::memory_order_release);
    while (std::atomic_ref(tickets.answered).load(std::memory_order_acquire) != question) std::this_thread::yield();
}

} // namespace

TEST(AnsweringThread, AnswersEachQuestionOnce) {
    MailTickets tickets;
    int asked_of = 0, answered = 0;
    {
        const AnsweringThread thread(tickets, [&] { answered += asked_of; });
        for (asked_of = 1; asked_of <= 100; ++asked_of) ask(tickets);
        std::this_thread::sleep_for(std::chrono::milliseconds(100)); // until it only looks now and then
        asked_of = 1000;
        ask(tickets);
        thread.require_success();
    }
    EXPECT_EQ(answered, 100 * 101 / 2 + 1000);
    EXPECT_EQ(tickets.answered, 101u);
}

TEST(AnsweringThread, TellsWhatAnAnswerHasThrownAndGoesOnWithoutAnswers) {
    MailTickets tickets;
    int answers = 0;
    const AnsweringThread thread(tickets, [&] {
        if (++answers == 2) throw std::runtime_error("no answer");
    });
    ask(tickets);
    thread.require_success();
    ask(tickets);
    EXPECT_THROW(thread.require_success(), std::runtime_error);
    ask(tickets);
    EXPECT_THROW(thread.require_success(), std::runtime_error);
    EXPECT_EQ(answers, 2);
}
