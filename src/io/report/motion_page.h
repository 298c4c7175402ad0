// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/particle_set.h"
#include "model/motion_data.h"
#include <filesystem>
#include <string>
#include <vector>

namespace sluice {

/// The file that is the page, and the heading by which one knows which case it is of.
inline constexpr const char* motion_page_name = "motion.html";
std::string motion_page_heading(const std::string& title);

/// Writes the prescribed motion from time 0 to `time_max`, s, of every block that moves: mkboundN.csv (time; place of
/// the block's centre; turning since the start as a vector along the axis, unwound beyond a turn; velocity of the
/// centre; angular velocity), and motion.html with plots of all. Makes the folder. Throws RunError.
void write_motion_page(const std::filesystem::path& folder, const std::string& title, const Motions& motions,
                       const std::vector<ParticleBlock>& blocks, double time_max);

/// The turning of a rotation matrix as a vector along its axis whose length is the angle, rad; of all such vectors, the
/// one nearest to `near`.
Vec3d rotation_vector(const Vec3d rotation[3], const Vec3d& near);

} // namespace sluice
