// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace sluice {

struct LinkLinesJob {
    std::filesystem::path dir;     ///< an output folder
    std::filesystem::path out;     ///< folder to write to
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    int every = 1;                 ///< only each so many
    bool overwrite = false;        ///< files of an earlier call that this one does not write again are removed
};

/// Writes the mooring lines and joints of each frame as links_000000.vtp, …, with links.pvd: a line through the nodes
/// or ends of each, with the arrays load (N), kind (LinkKind) and index (in the order of the case). Returns the number
/// of frames. Throws InputError (no such frames, none with lines or joints) and RunError.
int write_link_lines(const LinkLinesJob& job);

} // namespace sluice
