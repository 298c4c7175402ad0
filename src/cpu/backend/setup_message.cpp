// SPDX-License-Identifier: Apache-2.0
#include "cpu/backend/setup_message.h"

#include "backend/message_parts.h"

namespace sluice::cpu {

template <class Visit>
void for_each_part(Of<Choice> auto& whole, const Visit& visit) {
    auto& [mode, slice_axis, cells, simd, threads, threads_asked, ranks, threads_as_pay, split] = whole;
    visit(mode, slice_axis, cells, simd, threads, threads_asked, ranks, threads_as_pay, split);
}
template <class Visit>
void for_each_part(Of<Split> auto& whole, const Visit& visit) {
    auto& [kind, axis, parts, table, text] = whole;
    visit(kind, axis, parts, table, text);
}
template <class Visit>
void for_each_part(Of<RankTable> auto& whole, const Visit& visit) {
    auto& [axes, columns, ranks] = whole;
    visit(axes, columns, ranks);
}

void put_setup(MessageWriter& message, const RunSetup& setup, const Choice& choice) {
    message.put(RunsOn::cpu);
    put_whole(message, setup);
    put_whole(message, choice);
}

void get_setup(const Message& message, RunSetup& setup, Choice& choice) {
    MessageReader in(message);
    in.get<RunsOn>();
    get_whole(in, setup);
    get_whole(in, choice);
}

} // namespace sluice::cpu
