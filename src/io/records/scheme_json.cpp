// SPDX-License-Identifier: Apache-2.0
#include "io/records/scheme_json.h"

#include <nlohmann/json.hpp>

namespace sluice {

nlohmann::ordered_json scheme_to_json(const std::vector<SchemeChoice>& choices) {
    using Json = nlohmann::ordered_json;
    if (choices.empty()) return nullptr;
    Json taken = Json::object(), otherwise = Json::object();
    for (const SchemeChoice& choice : choices) {
        if (choice.is_followed())
            taken[choice.name] = choice.used;
        else
            otherwise[choice.name] = {{"used", choice.used}, {"recommended", choice.recommended}};
    }
    return {{"name", choices.front().used}, {"taken", taken}, {"otherwise", otherwise}};
}

} // namespace sluice
