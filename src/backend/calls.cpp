// SPDX-License-Identifier: Apache-2.0
#include "backend/calls.h"

namespace sluice {

MessageWriter message_of(Call call) {
    MessageWriter message;
    message.put(call);
    return message;
}

Caller::~Caller() {
    try {
        all_gather(transport_, message_of(Call::leave).take());
    } catch (const RankLost&) { // they have left
    }
}

void serve_calls(Transport& transport, IsOfAllRanks is_of_all,
                 const std::function<void(Call, MessageReader&)>& perform) {
    while (true) {
        const Message message = all_gather(transport, Message())[0];
        MessageReader in(message);
        const auto call = in.get<Call>();
        if (call == Call::leave) return;
        try {
            perform(call, in);
        } catch (const std::exception& error) {
            if (!is_of_all(error)) throw; // else rank 0 reports it
        }
    }
}

} // namespace sluice
