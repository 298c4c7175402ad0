// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice {

extern const char* const page_css;  ///< src/io/report/page.css
extern const char* const player_js; ///< src/io/report/player.js
extern const char* const plots_js;  ///< src/io/report/plots.js
extern const char* const watch_js;  ///< src/io/report/watch.js

} // namespace sluice
