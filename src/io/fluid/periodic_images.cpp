// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/periodic_images.h"

#include "model/fields.h"

namespace sluice {

void add_fluid_images(Frame& frame, const RunSetup& setup, double reach) {
    if (!setup.period.any()) return;
    const Vec3d &corner = setup.domain.min, size = setup.domain.max - corner, reaches{reach, reach, reach};
    std::vector<std::size_t> particles; // of the images
    const std::size_t end = frame.size();
    for (std::size_t i = setup.groups.fluid_begin(frame.id); i < end; ++i) {
        const Vec3d p = frame.position[i] - corner;
        setup.period.for_each_image(p, size, reaches, [&](const Vec3d& image) {
            particles.push_back(i);
            frame.position.push_back(corner + image);
        });
    }
    const auto append = [&](auto& values) {
        if (values.empty()) return; // a field that the frame does not have
        values.reserve(end + particles.size());
        for (const std::size_t i : particles) values.push_back(values[i]);
    };
    append(frame.id);
    for (const FieldInfo& info : particle_fields) with_values(frame, info, append);
}

} // namespace sluice
