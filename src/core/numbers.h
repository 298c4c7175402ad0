// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sluice {

/// A number to be read at a glance: "0.5", "20", "300 k", "1.5 M", "1 G", "1 T"; three significant digits, "–" for one
/// that is not finite.
std::string short_number(double value);

/// Bytes, in decimal units: "355 MB", "2.49 GB".
std::string bytes_text(double bytes);

/// What is needed and what there is, as `bytes_text`; with all digits where three would say the same of both.
struct BytesTexts {
    std::string needed, available;
};
BytesTexts bytes_texts(double needed, double available);

/// "1 thread", "2 threads": a count and what is counted, in the singular.
std::string counted(int count, const std::string& what);

/// "2 threads"; "3 ranks of 1 thread", if a run has several.
std::string threads_text(int ranks, int threads);

} // namespace sluice
