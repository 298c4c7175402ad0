// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/bodies/mechanism_mail.h"
#include "scheme/collisions/mechanism_motion.h"
#include "scheme/integrators.h"
#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace sluice::cuda {

/// Answers a mail.
inline void answer(const MechanismMail& mail, const RunSetup& setup, MechanismMotion& motion) {
    const StepOfStage& step = *mail.step;
    std::copy_n(mail.from, setup.bodies.size(), mail.to);
    motion.advance(body_stage(step.stage, sph::is_euler_step(step.step, setup.constants.verlet_steps)), mail.from,
                   mail.load, mail.to, mechanism_drive(setup, mail.absorber), step.time,
                   part_of_step(step.stage) * step.dt);
}

/// A thread that waits for questions of a device and answers each at once. It looks for the next one all the time while
/// a run steps, since a device waits for the answer meanwhile, and now and then where none has come for a while.
class AnsweringThread {
public:
    /// `answer` is called for each question. The tickets must outlive the thread.
    AnsweringThread(MailTickets& tickets, std::function<void()> answer);
    /// No question may be open.
    ~AnsweringThread();
    AnsweringThread(const AnsweringThread&) = delete;
    AnsweringThread& operator=(const AnsweringThread&) = delete;

    /// After the last question was answered: throws what an answer has thrown; all after it were empty.
    void require_success() const;

private:
    void run();
    void wait_a_little(int looks) const;

    MailTickets& tickets_;
    std::function<void()> answer_;
    std::exception_ptr failure_;
    std::atomic<bool> stops_ = false;
    std::thread thread_;
};

} // namespace sluice::cuda
