// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/experiment.h"
#include <span>
#include <string>

// Numbers that the papers print, for the charts and tables that stand beside ours. Nothing here is read off a figure.

namespace sluice::bench {

struct PaperNumber {
    const char* experiment; ///< of ours, that it stands beside
    const char* source;     ///< "paper Table 4", "preprint section 5", …
    const char* quantity;   ///< "speed-up over the single core", with its unit
    const char* version;    ///< of their program, and the hardware
    double particles;       ///< 0: none given
    double value;
};

/// Where "paper" and "preprint" come from, for the page.
extern const char* const paper_citation;
extern const char* const preprint_citation;
extern const char* const rustico_citation;
extern const char* const murotani_citation;
extern const char* const alimirzazadeh_citation;
extern const char* const paper_hardware;

/// All of them, in the order of the experiments.
std::span<const PaperNumber> paper_numbers();

/// Those of an experiment, as a table.
ResultTable paper_table(const std::string& experiment);

/// One of them; NaN if there is none.
double paper_number(const std::string& experiment, const std::string& quantity, const std::string& version,
                    double particles);

} // namespace sluice::bench
