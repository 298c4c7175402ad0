// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/camera_path.h"

#include "core/error.h"
#include "core/input_file.h"
#include "core/table_rows.h"
#include "io/pictures/picture_scene.h"
#include "model/motion.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <sstream>

namespace sluice {

namespace {

constexpr const char* plane_row = "time xmin zmin xmax zmax";
constexpr const char* space_row = "time azimuth elevation zoom, or with x y z behind them";

void check_row(const NumberRow& row, bool two_d, std::size_t length, double before) {
    const auto& v = row.values;
    if (v.size() != length)
        throw InputError(row.where, fmt::format("the row has {} numbers: {} are wanted, as many in all rows", v.size(),
                                                two_d ? plane_row : space_row));
    if (!(v[0] > before))
        throw InputError(row.where,
                         fmt::format("the time {:g} s is not after that of the row before ({:g} s)", v[0], before));
    if (two_d && !(v[1] < v[3] && v[2] < v[4]))
        throw InputError(row.where, fmt::format("the rectangle from ({:g}, {:g}) to ({:g}, {:g}) m is empty: {} are "
                                                "wanted",
                                                v[1], v[2], v[3], v[4], plane_row));
    if (!two_d && !(v[3] > 0))
        throw InputError(row.where, fmt::format("the zoom {:g} is not above zero; 1 shows the whole", v[3]));
}

} // namespace

CameraPath::CameraPath(std::string_view text, const std::string& file, bool two_d) : two_d_(two_d) {
    RowForm form;
    form.least = 1 + (two_d ? columns_in_plane : columns_in_space);
    form.most = 1 + (two_d ? columns_in_plane : columns_with_place);
    double before = -std::numeric_limits<double>::infinity();
    std::size_t length = 0;
    for (const NumberRow& row : number_rows(text, file, form)) {
        if (length == 0)
            length =
                row.values.size() == std::size_t{1 + columns_with_place} ? row.values.size() : std::size_t(form.least);
        check_row(row, two_d, length, before);
        before = row.values[0];
        times_.push_back(before);
        values_.emplace_back(row.values.begin() + 1, row.values.end());
    }
    if (times_.empty())
        throw InputError(fmt::format("{}: has no rows; {} are wanted", file, two_d ? plane_row : space_row));
    for (std::size_t column = 0; column + 1 < length; ++column) slopes_.push_back(slopes_of(column));
}

CameraPath CameraPath::read(const std::filesystem::path& file, bool two_d) {
    std::ifstream in = open_input(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw InputError(fmt::format("{}: cannot be read", file.string()));
    return CameraPath(text.str(), file.string(), two_d);
}

std::vector<double> CameraPath::slopes_of(std::size_t column) const {
    const std::size_t rows = times_.size();
    std::vector<double> steep, slopes(rows, 0.0);
    for (std::size_t k = 0; k + 1 < rows; ++k)
        steep.push_back((values_[k + 1][column] - values_[k][column]) / (times_[k + 1] - times_[k]));
    // The ends begin and end at rest. Between intervals that go the same way: the harmonic mean of their slopes, which
    // is within Fritsch's and Carlson's bounds.
    for (std::size_t k = 1; k + 1 < rows; ++k)
        if (steep[k - 1] * steep[k] > 0) slopes[k] = 2 * steep[k - 1] * steep[k] / (steep[k - 1] + steep[k]);
    return slopes;
}

std::vector<double> CameraPath::values_at(double time) const {
    if (time <= times_.front()) return values_.front();
    if (time >= times_.back()) return values_.back();
    const auto after = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
    const std::size_t k = after - 1;
    const double step = times_[after] - times_[k], s = (time - times_[k]) / step;
    std::vector<double> values;
    for (std::size_t c = 0; c < slopes_.size(); ++c) {
        values.push_back(
            motion::hermite(s, values_[k][c], step * slopes_[c][k], values_[after][c], step * slopes_[c][after]));
    }
    return values;
}

void CameraPath::settle(const PictureOptions& options, const std::vector<double>& times) {
    const PageArea area = page_area(options);
    width_ = area.width;
    if (two_d_) {
        // As high as the tallest rectangle is for its width.
        page_.height = 0;
        for (const auto& v : values_) page_.height = std::max(page_.height, width_ * (v[3] - v[1]) / (v[2] - v[0]));
        page_.height = std::min(page_.height, area.height);
        return;
    }
    constexpr double usual_shape = 9.0 / 16;
    page_.height = std::round(options.height_max > 0 ? area.height : usual_shape * width_);
    page_.pixels_per_metre = std::numeric_limits<double>::infinity();
    const Box box = options.crop ? *options.crop : *options.view;
    for (const double time : times) {
        const std::vector<double> v = values_at(time);
        Projection projection = Projection::oblique(v[0], v[1]);
        projection.fit(box, 0, 0, width_, page_.height);
        page_.pixels_per_metre = std::min(page_.pixels_per_metre, projection.scale());
    }
}

PictureOptions CameraPath::at(double time, PictureOptions options) const {
    const std::vector<double> v = values_at(time);
    options.page = page_;
    if (two_d_) {
        const double scale = std::min(width_ / (v[2] - v[0]), page_.height / (v[3] - v[1]));
        const double x = (v[0] + v[2]) / 2, z = (v[1] + v[3]) / 2, half_x = width_ / scale / 2,
                     half_z = page_.height / scale / 2;
        options.page->pixels_per_metre = scale;
        options.crop = Box{{x - half_x, 0, z - half_z}, {x + half_x, 0, z + half_z}};
        return options;
    }
    options.azimuth = v[0];
    options.elevation = v[1];
    options.page->pixels_per_metre *= v[2];
    if (v.size() == columns_with_place) options.page->middle = Vec3d{v[3], v[4], v[5]};
    return options;
}

} // namespace sluice
