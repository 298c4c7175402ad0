// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

// Text in the width of a terminal.

namespace sluice {

/// Columns of the terminal behind a file descriptor; 80 where there is none, or where it does not say.
std::size_t columns_behind(int descriptor);

/// Columns that a text of one line takes: its characters (UTF-8).
std::size_t columns_of(std::string_view text);

/// The text with each line that is longer than `columns` broken at blanks and continued after `indent` blanks. A word
/// that is longer than a line stays whole.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

/// A message as a stream shows it: in the width of its terminal, continued a little further in than each line begins;
/// for files and pipes as it is, so that programs find it in one line.
std::string message_for(int descriptor, std::string_view text);

} // namespace sluice
