// SPDX-License-Identifier: Apache-2.0
#include "core/terminal.h"

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sluice {

namespace {

/// Breaks one line.
std::string wrapped_line(std::string_view line, std::size_t columns, std::size_t indent) {
    std::string out;
    const std::string margin(indent, ' ');
    for (std::size_t column = 0; columns_of(line) + column > columns;) {
        const std::size_t first_word = std::min(line.find_first_not_of(' '), line.size());
        std::size_t end = line.find(' ', first_word); // of what stays on this line: one word at least
        if (end == std::string_view::npos) break;
        for (std::size_t next = end; next != std::string_view::npos; next = line.find(' ', next + 1)) {
            if (columns_of(line.substr(0, next)) + column > columns) break;
            end = next;
        }
        const std::size_t rest = line.find_first_not_of(' ', end);
        if (rest == std::string_view::npos) break;
        end = line.find_last_not_of(' ', end) + 1;
        out += std::string(line.substr(0, end)) + "\n" + margin;
        line.remove_prefix(rest);
        column = indent;
    }
    return out + std::string(line);
}

/// Calls `line` for each line of a text, and joins what it gives.
template <class Line>
std::string each_line(std::string_view text, Line line) {
    std::string out;
    while (true) {
        const std::size_t end = text.find('\n');
        out += line(text.substr(0, end));
        if (end == std::string_view::npos) return out;
        out += '\n';
        text.remove_prefix(end + 1);
    }
}

} // namespace

std::size_t columns_behind(int descriptor) {
    winsize size{};
    return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
    return each_line(text, [&](std::string_view line) { return wrapped_line(line, columns, indent); });
}

std::string message_for(int descriptor, std::string_view text) {
    if (::isatty(descriptor) == 0) return std::string(text);
    constexpr std::size_t hang = 4;
    const std::size_t columns = columns_behind(descriptor);
    return each_line(text, [&](std::string_view line) {
        const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
        return wrapped_line(line, columns, begin + hang);
    });
}

} // namespace sluice
