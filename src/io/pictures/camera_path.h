// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/pictures/picture.h"
#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice {

/// Where a film looks at over simulated time. In three dimensions from where and how near; in two, at which rectangle.
class CameraPath {
public:
    /// Rows of numbers "time azimuth elevation zoom" (s, degrees, times as large as the whole), in 3-D; with "x y z"
    /// (m) behind them, in all rows, that place is in the middle of the picture. In 2-D "time xmin zmin xmax zmax" (s,
    /// m). `file` names the text in messages. Throws InputError, with the line, for other rows, times that do not go
    /// up, a zoom that is not above zero, and an empty rectangle.
    CameraPath(std::string_view text, const std::string& file, bool two_d);

    /// The same from a file.
    static CameraPath read(const std::filesystem::path& file, bool two_d);

    /// Makes one page for all times, on which in 3-D the whole of `options.view` or `options.crop` fits at any of them
    /// with zoom 1. As high as `options.height_max` lets it be, or 9/16 of the width.
    void settle(const PictureOptions& options, const std::vector<double>& times);

    /// The options with the view at a time, s; after settle(). Between rows the values follow monotone cubics (Fritsch
    /// and Carlson, SIAM J. Numer. Anal. 17, 1980, 238–246): smooth, and never beyond those of the rows. Before the
    /// first row and after the last one the view rests.
    PictureOptions at(double time, PictureOptions options) const;

private:
    static constexpr int columns_in_plane = 4, columns_in_space = 3, columns_with_place = 6;

    std::vector<double> values_at(double time) const;
    std::vector<double> slopes_of(std::size_t column) const;

    bool two_d_;
    std::vector<double> times_;
    std::vector<std::vector<double>> values_; ///< of each row
    std::vector<std::vector<double>> slopes_; ///< of each column at the rows, a second
    FixedPage page_;                          ///< at zoom 1
    double width_ = 0;                        ///< of the scene, pixels
};

} // namespace sluice
