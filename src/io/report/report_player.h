// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace sluice {

/// The frames of a run as the page's player wants them.
struct PlayerData {
    std::string json;                   ///< for a <script type="application/json">; empty without frames
    std::string note;                   ///< what was left out to keep the page small
    std::vector<std::string> damaged{}; ///< frames that cannot be read, and what is wrong with each
};

/// Thins out the frames of a run to about `bytes`. Leaves out damaged ones. Throws RunError (no layout of frames, …).
PlayerData make_player_data(const std::filesystem::path& dir, double bytes);

} // namespace sluice
