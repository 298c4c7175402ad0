// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/view_script.h"

#include "io/files/file.h"
#include "io/pictures/gauge_marks.h"
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace sluice {

namespace {

/// What the script has to know of the run; lengths in m. Valid in a Python string r"""…""", since JSON escapes quotes.
std::string described(const ParticleSet& particles, const FieldSelection& fields, const std::vector<Gauge>& gauges) {
    std::set<int> types;
    for (const ParticleBlock& block : particles.blocks) types.insert(static_cast<int>(block.type));
    nlohmann::json run{{"dp", particles.dp},
                       {"two_d", particles.two_d},
                       {"y", particles.position.empty() ? 0 : particles.position.front().y},
                       {"fields", nlohmann::json::array()},
                       {"types", types},
                       {"gauges", nlohmann::json::array()}};
    for_each_selected(fields, [&](const FieldInfo& info) { run["fields"].push_back(info.name); });
    for (const PictureMark& mark : gauge_marks(gauges)) {
        nlohmann::json points = nlohmann::json::array();
        for (const Vec3d& p : mark.points) points.push_back({p.x, p.y, p.z});
        run["gauges"].push_back({{"name", mark.name}, {"closed", mark.is_closed}, {"points", points}});
    }
    return run.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

void write_view_script(const std::filesystem::path& dir, const ParticleSet& particles, const FieldSelection& fields,
                       const std::vector<Gauge>& gauges) {
    std::string script = view_py;
    const std::string_view place = "@RUN@";
    script.replace(script.find(place), place.size(), described(particles, fields, gauges));
    write_file_atomically(dir / "view.py", script);
}

} // namespace sluice
