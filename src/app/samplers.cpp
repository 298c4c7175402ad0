// SPDX-License-Identifier: Apache-2.0
#include "app/samplers.h"

#include "io/files/file.h"
#include "scheme/absorption_step.h"
#include "scheme/body_motion.h"
#include <fmt/format.h>
#include <limits>

namespace sluice {

BodySampler::BodySampler(const std::filesystem::path& folder, const RunSetup& setup, const SampleClock& clock,
                         bool append)
    : Sampler(clock), bodies_(setup.bodies), series_(setup.body_series), gravity_(setup.constants.gravity) {
    if (bodies_.empty()) return;
    make_folder(folder / "bodies");
    for (const Body& body : bodies_)
        tables_.emplace_back(
            folder / "bodies" / fmt::format("mkbound_{}.csv", body.mk_bound),
            std::vector<std::string>{
                "time [s]",       "step",           "x [m]",        "y [m]",        "z [m]",        "vx [m/s]",
                "vy [m/s]",       "vz [m/s]",       "roll [deg]",   "pitch [deg]",  "yaw [deg]",    "wx [rad/s]",
                "wy [rad/s]",     "wz [rad/s]",     "fluid_fx [N]", "fluid_fy [N]", "fluid_fz [N]", "fluid_mx [N m]",
                "fluid_my [N m]", "fluid_mz [N m]", "force_x [N]",  "force_y [N]",  "force_z [N]"},
            std::vector<std::string>{
                fmt::format(
                    "Floating body of mkbound {}: {:.9g} kg; its centre of mass, turned about x, then y, then z",
                    body.mk_bound, body.mass),
                "(roll, pitch, yaw) since the start; what the fluid did to it in the last step, moments about the",
                "centre; force: with its weight, contacts, mooring lines and what the case adds. Per metre of width in "
                "2-D."},
            append);
}

void BodySampler::sample(const Frame& frame) {
    constexpr double degrees = 57.295779513082323;
    for (std::size_t b = 0; b < tables_.size(); ++b) {
        const auto& [state, loads] = frame.bodies.at(b);
        const bool free = is_released(bodies_[b], frame.time);
        const BodyLoad& fluid = loads.fluid;
        const BodyLoad outer = outer_load(bodies_[b], series_.data(), frame.time, frame.time);
        const Vec3d angle = degrees * turning_angles(state), force = fluid.force + loads.contact.force +
                                                                     loads.mooring.force + outer.force +
                                                                     bodies_[b].mass * gravity_;
        std::vector<CsvValue> row{frame.time, frame.step};
        for (const Vec3d& v : {state.centre, free ? state.velocity : Vec3d{}, angle,
                               free ? state.angular_velocity : Vec3d{}, fluid.force, fluid.moment, force})
            row.insert(row.end(), {v.x, v.y, v.z});
        tables_[b].write_row(row);
    }
}

AbsorptionSampler::AbsorptionSampler(const std::filesystem::path& folder, const RunSetup& setup, std::size_t index,
                                     SampleClock frames, bool append)
    : Sampler(setup.absorbers[index].save == 3 ? SampleClock(0) : std::move(frames)), index_(index),
      absorber_(setup.absorbers[index]), samples_(setup.motions.samples), floor_(setup.domain.min.z),
      table_(
          folder / fmt::format("mkbound_{}.csv", absorber_.mk_bound),
          {"time [s]", "step", "surface [m]", "elevation [m]", "expected [m]", "waves [m]", "paddle [m]", "waves [m/s]",
           "paddle [m/s]"},
          {fmt::format("Piston of mkbound {}, which absorbs waves from {:g} s on: z of the surface at its gauge, nan: "
                       "none;",
                       absorber_.mk_bound, absorber_.start),
           "elevation there, and that which belongs to its waves; its displacement and velocity for its waves alone,",
           "and as it moves."},
          append) {}

void AbsorptionSampler::sample(const Frame& frame) {
    const AbsorberState& state = frame.absorbers.at(index_);
    const motion::LawValue waves = wave_motion(absorber_, samples_.data(), frame.time);
    const bool found = state.surface >= 0;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<CsvValue> row{frame.time, frame.step};
    for (const double value :
         {found ? floor_ + state.surface : none, found ? state.surface - absorber_.still : none, state.expected,
          waves.value.x, waves.value.x + state.offset_at(frame.time), waves.rate.x, waves.rate.x + state.velocity})
        row.emplace_back(value);
    table_.write_row(row);
}

std::vector<std::unique_ptr<AbsorptionSampler>> make_absorption_samplers(const std::filesystem::path& folder,
                                                                         const RunSetup& setup,
                                                                         const SampleClock& frames, bool append) {
    std::vector<std::unique_ptr<AbsorptionSampler>> samplers;
    for (std::size_t index = 0; index < setup.absorbers.size(); ++index) {
        if (setup.absorbers[index].save == 0) continue;
        make_folder(folder / "absorption");
        samplers.push_back(std::make_unique<AbsorptionSampler>(folder / "absorption", setup, index, frames, append));
    }
    return samplers;
}

namespace {

/// Calls `visit(name with unit, value)` for every column of excluded.csv, in its order.
template <class Particle, class Visit>
void for_each_column(Particle& p, Visit&& visit) {
    visit("id", p.id);
    visit("cause", p.cause);
    visit("step", p.step);
    visit("time [s]", p.time);
    visit("x [m]", p.position.x);
    visit("y [m]", p.position.y);
    visit("z [m]", p.position.z);
    visit("vx [m/s]", p.velocity.x);
    visit("vy [m/s]", p.velocity.y);
    visit("vz [m/s]", p.velocity.z);
    visit("rho [kg/m3]", p.density);
}

std::vector<std::string> excluded_columns() {
    std::vector<std::string> names;
    const ExcludedParticle none;
    for_each_column(none, [&](const char* name, const auto&) { names.emplace_back(name); });
    return names;
}

CsvValue csv_value(sph::ExclusionCause cause) { return std::string(sph::exclusion_cause_name(cause)); }
CsvValue csv_value(std::uint32_t id) { return std::int64_t(id); }
CsvValue csv_value(auto number) { return number; }

void read_value(const std::string& cell, sph::ExclusionCause& cause) {
    for (int n = 1; n < sph::exclusion_cause_count; ++n)
        if (cell == sph::exclusion_cause_name(sph::ExclusionCause(n))) cause = sph::ExclusionCause(n);
}
void read_value(const std::string& cell, auto& number) {
    number = static_cast<std::remove_reference_t<decltype(number)>>(csv_number(cell));
}

} // namespace

std::vector<ExcludedParticle> read_excluded(const std::filesystem::path& folder) {
    std::vector<ExcludedParticle> particles;
    for (const auto& row : read_csv(folder / "excluded.csv").rows) {
        auto cell = row.begin();
        for_each_column(particles.emplace_back(), [&](const char*, auto& value) {
            if (cell != row.end()) read_value(*cell++, value);
        });
    }
    return particles;
}

ExclusionList::ExclusionList(const std::filesystem::path& folder, bool append)
    : csv_(folder / "excluded.csv", excluded_columns(),
           {"Fluid particles that left the run, with their last state. Causes: position (outside the domain),",
            "density (outside RhopOutMin..RhopOutMax), not_finite (the run has blown up)."},
           append) {}

void ExclusionList::add(const std::vector<ExcludedParticle>& particles) {
    for (const ExcludedParticle& p : particles) {
        ++counts_[static_cast<std::size_t>(p.cause)];
        std::vector<CsvValue> row;
        for_each_column(p, [&](const char*, const auto& value) { row.push_back(csv_value(value)); });
        csv_.write_row(row);
    }
}

std::int64_t ExclusionList::total() const {
    std::int64_t sum = 0;
    for (const std::int64_t n : counts_) sum += n;
    return sum;
}

} // namespace sluice
