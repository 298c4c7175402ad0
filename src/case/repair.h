// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sluice {

/// Something in a file that XML does not allow and that was put right.
struct Repair {
    int line = 0;
    std::string what;
};

/// Case files in use are often not well-formed. Puts right what has only one meaning: a declaration that is not the
/// first thing in the file, `<` in attributes and text, missing blanks between attributes, `--` in comments.
/// Lines keep their numbers.
std::string repair_xml(const std::string& text, std::vector<Repair>& repairs);

} // namespace sluice
