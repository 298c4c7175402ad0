// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace sluice {

struct ReportOptions {
    std::filesystem::path dir;    ///< an output folder
    std::filesystem::path out;    ///< the page; empty: DIR/report.html
    double player_megabytes = 12; ///< the player's frames are thinned out to about this size
};

/// The page as text, and what is wrong with frames that could not be read.
struct ReportPage {
    std::string html;
    std::vector<std::string> damaged;
};

/// The page that write_report() writes, without writing it.
ReportPage report_page(const ReportOptions& options);

/// Writes one self-contained HTML page about a run: what was computed and how fast, a 3-D player of its frames, plots
/// of its series, and what left the run. The page needs no network. Parts whose files are missing are left out. Returns
/// the path of the page. Throws InputError if `dir` holds no run, RunError if something cannot be read or written; so
/// it does for damaged frames, after it has written the page without them.
std::filesystem::path write_report(const ReportOptions& options);

} // namespace sluice
