// SPDX-License-Identifier: Apache-2.0
#include "ranks/failure_message.h"

#include "core/error.h"

#include <fmt/format.h>
#include <new>

namespace sluice {

Message packed_failure(const RankFailure& failure, const std::string& name) {
    Outcome outcome = Outcome::failed;
    std::string text = "an unknown error";
    try {
        std::rethrow_exception(failure.why);
    } catch (const std::bad_alloc&) {
        outcome = Outcome::out_of_memory;
        text = "out of memory";
    } catch (const std::exception& error) {
        outcome = outcome_of(error);
        text = error.what();
    } catch (...) { // is sent as it is
    }
    MessageWriter message;
    message.put(failure.is_gone);
    message.put(outcome);
    message.put_all(outcome == Outcome::bad_input ? text : fmt::format("{}: {}", name, text));
    return message.take();
}

RankFailure unpacked_failure(const Message& message) {
    MessageReader in(message);
    const bool is_gone = in.get<bool>();
    const auto outcome = in.get<Outcome>();
    const std::string text = in.get_text();
    if (outcome == Outcome::bad_input) return {std::make_exception_ptr(InputError(text)), is_gone};
    return {std::make_exception_ptr(RunError(text, outcome)), is_gone};
}

} // namespace sluice
