// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace sluice {

/// The frames of a run as the page's player wants them.
struct PlayerData {
    std::string json; ///< for a <script type="application/json">; empty without frames
    std::string note; ///< what was left out to keep the page small
};

/// Thins out the frames of a run to about `bytes`. Throws RunError.
PlayerData make_player_data(const std::filesystem::path& dir, double bytes);

} // namespace sluice
