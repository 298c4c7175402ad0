// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/pictures/picture.h"
#include <filesystem>

namespace CLI {
class App;
}

namespace sluice {

/// Adds what `picture` and `movie` let one choose: value and range of the colours, view, crop, size, title, time.
void add_picture_options(CLI::App& app, PictureOptions& options);

/// The options as they are for the run in a folder, with its name for a title where none was given. Throws InputError
/// for a value that its frames do not hold and for a range or a box that is empty, RunError.
PictureOptions picture_of_run(const std::filesystem::path& dir, PictureOptions options);

} // namespace sluice
