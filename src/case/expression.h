// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/text.h"
#include <map>
#include <string>
#include <string_view>

namespace sluice {

/// Variables of a case and the arithmetic over them. Capitals count in names.
///
/// `x[i+1]` reads the variable whose name is `x` followed by the value of `i+1`. Errors are InputError without
/// a place; the caller knows the line.
class Variables {
public:
    /// Value of an arithmetic expression, always finite.
    double evaluate(const std::string& expression) const;

    /// Text with every `[expression]` and `$[expression]` replaced by its value, or by the text of that name.
    std::string substitute(const std::string& text) const;

    void set(const std::string& name, double value, bool constant = false);
    void set_text(const std::string& name, const std::string& value);
    bool has(const std::string& name) const;
    bool is_constant(const std::string& name) const;
    /// Removes the variables whose name matches (`*` and `?` are wildcards); constants stay.
    void erase(const std::string& pattern);

private:
    struct Number {
        double value = 0;
        bool constant = false;
    };
    std::string resolve_arrays(std::string_view expression) const;
    /// For a message: the name that differs in capitals alone, or nothing.
    std::string other_case_of(const std::string& name) const;

    std::map<std::string, Number> numbers_;
    std::map<std::string, std::string> texts_;
};

/// rand and randint begin again, so that a case gives the same particles each time.
void restart_random_numbers();

/// `text` as a finite number; InputError if anything else is in it.
double parse_number(std::string_view text);

/// A number as short as it can be written without loss.
std::string format_number(double value);

std::string to_lower(std::string_view text);

} // namespace sluice
