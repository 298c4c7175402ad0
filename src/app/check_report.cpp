// SPDX-License-Identifier: Apache-2.0
#include "app/check_report.h"
#include "backend/gpu_memory_plan.h"

#include "case/language.h"
#include "core/numbers.h"
#include "core/terminal.h"
#include "geometry/normals.h"
#include "io/records/constants_json.h"
#include "io/records/scheme_json.h"
#include "run/progress.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ranges>
#include <sstream>
#include <string_view>
#include <unistd.h>

namespace sluice {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Vec3d& v) { return {v.x, v.y, v.z}; }

const char* level_name(Diagnostic::Level level) {
    switch (level) {
    case Diagnostic::Level::error: return "error";
    case Diagnostic::Level::warning: return "warning";
    case Diagnostic::Level::info: return "info";
    }
    return "";
}

Json to_json(const GpuMemoryPlan& plan) {
    Json json{{"available", std::uint64_t(plan.available)},
              {"gpus", plan.gpus},
              {"particles", plan.particles},
              {"mode", nullptr},
              {"why", plan.why}};
    if (plan.choice) json["mode"] = mode_info(gpu_modes, *plan.choice).name;
    for (const GpuModePlan& p : plan.modes)
        json["modes"].push_back({{"mode", mode_info(gpu_modes, p.mode).name},
                                 {"bytes", std::uint64_t(p.bytes)},
                                 {"cells", p.cells},
                                 {"fits", p.fits},
                                 {"finest_dp", p.finest_dp},
                                 {"most_particles", std::uint64_t(p.most_particles)},
                                 {"fewest_gpus", p.fewest_gpus}});
    return json;
}

Json to_json(const RankMemory& rank) {
    return {{"particles", rank.particles}, {"ghosts", rank.ghosts}, {"bytes", std::uint64_t(rank.bytes)}};
}

Json particles_json(const CheckReport& r) {
    Json blocks = Json::array();
    for (const ParticleBlock& b : r.particles.blocks) {
        if (b.count == 0) continue;
        blocks.push_back({{"mk", b.mk},
                          {b.is_fluid() ? "mkfluid" : "mkbound", b.mk_type},
                          {"type", particle_type_name(b.type)},
                          {"count", b.count},
                          {"min", to_json(b.min)},
                          {"max", to_json(b.max)},
                          {"mean", to_json(b.mean)},
                          {"std", to_json(b.deviation)}});
        if (!r.particles.normals.empty() && b.type != ParticleType::fluid)
            blocks.back()["normals"] = count_normals(r.particles, b);
    }
    Json json{{"total", r.count}, {"blocks", blocks}};
    if (r.created > 0 || r.taken > 0) json["open_boundaries"] = {{"created", r.created}, {"taken_away", r.taken}};
    return json;
}

/// Density of a body over that of the fluid, where each of its particles stands for a cube of the spacing (in 2-D a
/// square): the share of it that is under water when it floats.
double relative_density(const Body& body, const sph::Constants& c) {
    return body.mass / (body.particles * std::pow(c.dp, c.two_d ? 2 : 3) * c.rho0);
}

Json bodies_json(const CheckReport& r) {
    Json bodies = Json::array();
    for (const Body& body : r.setup.bodies)
        bodies.push_back({{"mkbound", body.mk_bound},
                          {"mass", body.mass},
                          {"relative_density", relative_density(body, r.setup.constants)},
                          {"centre", to_json(body.centre + r.setup.domain.min)},
                          {"inertia", {body.inertia[0].x, body.inertia[1].y, body.inertia[2].z}}});
    return bodies;
}

/// The fluid groups of a run of several fluids or of non-Newtonian ones, in their order.
std::vector<ParticleGroup> fluids_of(const CheckReport& r) {
    std::vector<ParticleGroup> groups;
    if (r.setup.fluids.empty() && r.setup.rheologies.empty()) return groups;
    std::ranges::copy_if(r.setup.groups.all(), std::back_inserter(groups), &ParticleGroup::is_fluid);
    return groups;
}

Json fluids_json(const CheckReport& r) {
    Json fluids = Json::array();
    for (const ParticleGroup& group : fluids_of(r)) {
        const std::size_t k = fluids.size();
        Json fluid{{"mkfluid", group.mk_type}, {"mass", group.mass * group.count}};
        if (!r.setup.fluids.empty()) {
            const FluidProperties& of = r.setup.fluids[k];
            fluid.update({{"rho0", of.rho0},
                          {"c0", of.c0},
                          {"gamma", of.gamma},
                          {"viscosity", of.viscosity},
                          {"cohesion", of.cohesion},
                          {"tension", of.tension}});
        }
        if (!r.setup.rheologies.empty()) {
            const Rheology& of = r.setup.rheologies[k];
            fluid["rheology"] = {{"consistency", of.consistency}, {"exponent", of.exponent}, {"yield", of.yield}};
        }
        fluids.push_back(std::move(fluid));
    }
    return fluids;
}

/// What is not known where no steps could be timed.
Json if_timed(const CheckReport& r, Json value) { return r.is_timed() ? std::move(value) : Json(); }

Json constants_json(const CheckReport& r) {
    Json json = constants_to_json(r.setup.constants);
    json["support_radius"] = 2 * r.setup.constants.h;
    json["dt_first"] = if_timed(r, r.timing.first_dt);
    return json;
}

/// A message "FILE:LINE: what" taken apart again.
Diagnostic located(const std::string& message, const std::string& file) {
    Diagnostic d{Diagnostic::Level::error, {file, 0}, message};
    if (!message.starts_with(file + ":")) return d;
    const char* first = message.data() + file.size() + 1;
    const char* last = message.data() + message.size();
    const auto [end, error] = std::from_chars(first, last, d.where.line);
    if (error == std::errc() && std::string_view(end, static_cast<std::size_t>(last - end)).starts_with(": "))
        d.message = std::string(end + 2, last);
    return d;
}

/// "12.3 s", or a range on a machine that other programs use, too.
std::string time_text(const CheckReport& r) {
    constexpr double steady = 1.3; // slowest step over the fastest
    if (r.timing.most_seconds <= steady * r.timing.fewest_seconds)
        return format_duration(r.wall_seconds(r.timing.seconds_per_step));
    return fmt::format("{} to {} (the machine is busy)", format_duration(r.wall_seconds(r.timing.fewest_seconds)),
                       format_duration(r.wall_seconds(r.timing.most_seconds)));
}

Json diagnostic_json(const Diagnostic& d) {
    return {{"level", level_name(d.level)}, {"file", d.where.file}, {"line", d.where.line}, {"message", d.message}};
}

/// Names come from files and need not be UTF-8.
std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

/// Coordinates have the digits that a thousandth of a spacing needs, and six at least.
std::string position_text(const Vec3d& p, double dp) {
    const auto text = [&](double x) {
        const double finest = std::abs(x) / (1e-3 * dp);
        return fmt::format("{:.{}g}", x, std::clamp(static_cast<int>(std::ceil(std::log10(finest + 1))), 6, 15));
    };
    return fmt::format("({}, {}, {})", text(p.x), text(p.y), text(p.z));
}

} // namespace

std::string refused_json(const std::string& case_file, const std::string& message) {
    std::istringstream lines(message);
    Json reasons = Json::array(), diagnostics = Json::array();
    for (std::string line; std::getline(lines, line);) {
        reasons.push_back(line);
        diagnostics.push_back(diagnostic_json(located(line, case_file)));
    }
    const Json root{{"case", case_file}, {"runnable", false}, {"reasons", reasons}, {"diagnostics", diagnostics}};
    return text_of(root);
}

std::string check_json(const CheckReport& r) {
    Json memory = Json::array();
    for (const MemoryEstimate& m : r.memory)
        memory.push_back({{"mode", m.model.mode},
                          {"bytes", std::uint64_t(m.bytes)},
                          {"bytes_per_particle", m.model.bytes_per_particle},
                          {"bytes_per_cell", m.model.bytes_per_cell}});
    Json diagnostics = Json::array();
    for (const Diagnostic& d : r.diagnostics) diagnostics.push_back(diagnostic_json(d));
    for (const std::string& reason : r.reasons) diagnostics.push_back(diagnostic_json(located(reason, r.case_file)));
    Json root{
        {"case", r.case_file}, {"runnable", r.runnable()}, {"reasons", r.reasons}, {"particles", particles_json(r)}};
    root["method"] = method_name(r.setup.method).word;
    root["scheme"] = scheme_to_json(r.scheme);
    if (r.has_constants) {
        root["constants"] = constants_json(r);
        root["domain"] = {{"min", to_json(r.setup.domain.min)}, {"max", to_json(r.setup.domain.max)}};
        root["bodies"] = bodies_json(r);
        if (!fluids_of(r).empty()) root["fluids"] = fluids_json(r);
        root["memory"] = memory;
        for (const RankMemory& rank : r.rank_memory) root["ranks"].push_back(to_json(rank));
        if (r.gpu_plan) root["gpu"] = to_json(*r.gpu_plan);
        root["estimate"] = {{"time_max", r.time_max},
                            {"steps", if_timed(r, std::uint64_t(std::min(r.estimated_steps, 1e18)))},
                            {"seconds_per_step", if_timed(r, r.timing.seconds_per_step)},
                            {"timed_steps", r.timing.steps},
                            {"measured_particles", r.measured_particles},
                            {"picture_seconds", r.picture_seconds},
                            {"wall_seconds", if_timed(r, r.wall_seconds(r.timing.seconds_per_step))},
                            {"wall_seconds_low", if_timed(r, r.wall_seconds(r.timing.fewest_seconds))},
                            {"wall_seconds_high", if_timed(r, r.wall_seconds(r.timing.most_seconds))},
                            {"frames", std::uint64_t(std::min(r.frames, 1e18))},
                            {"output_bytes", std::uint64_t(std::min(r.output_bytes(), 1e18))},
                            {"backend", r.backend.backend},
                            {"mode", r.backend.mode},
                            {"threads", r.backend.threads},
                            {"ranks", r.backend.ranks}};
    }
    if (r.left_out) root["left_out"] = {{"fluid", r.left_out->fluid}, {"boundary", r.left_out->boundary}};
    root["diagnostics"] = diagnostics;
    return text_of(root);
}

namespace {

/// Where the particles of each mk are: columns as wide as they need to be.
std::string places_text(const std::vector<ParticleBlock>& blocks, double dp) {
    std::vector<std::array<std::string, 3>> cells{{"min [m]", "max [m]", "mean [m]"}};
    for (const ParticleBlock& b : blocks)
        cells.push_back({position_text(b.min, dp), position_text(b.max, dp), position_text(b.mean, dp)});
    std::array<std::size_t, 2> width{};
    for (const auto& row : cells)
        for (std::size_t k = 0; k < width.size(); ++k) width[k] = std::max(width[k], row[k].size());
    std::string text;
    for (std::size_t k = 0; k < cells.size(); ++k)
        text += fmt::format("{:>5}  {:<{}}  {:<{}}  {}\n", k == 0 ? "mk" : std::to_string(blocks[k - 1].mk),
                            cells[k][0], width[0], cells[k][1], width[1], cells[k][2]);
    return text;
}

/// Mass, density and centre of floating bodies, of the first of them where there are many.
std::string bodies_text(const CheckReport& r) {
    constexpr std::size_t most = 10;
    const sph::Constants& c = r.setup.constants;
    std::string text = "\nfloating bodies:\n";
    for (const Body& body : r.setup.bodies | std::views::take(most))
        text += fmt::format("  {:<20} {:.6g} kg{}, {:.4g} of the fluid's density, centre of mass {} m\n",
                            fmt::format("mkbound {}", body.mk_bound), body.mass, c.two_d ? " per metre" : "",
                            relative_density(body, c), position_text(body.centre + r.setup.domain.min, c.dp));
    if (r.setup.bodies.size() > most) text += fmt::format("  and {} more\n", r.setup.bodies.size() - most);
    return text;
}

std::string fluids_text(const CheckReport& r) {
    const sph::Constants& c = r.setup.constants;
    std::string text = "\nfluids:\n";
    double fastest = 0;
    for (const FluidProperties& fluid : r.setup.fluids) fastest = std::max(fastest, fluid.c0);
    std::size_t k = 0;
    for (const ParticleGroup& group : fluids_of(r)) {
        text +=
            fmt::format("  {:<20} {:.6g} kg{}", group.name(), group.mass * group.count, c.two_d ? " per metre" : "");
        if (!r.setup.fluids.empty()) {
            const FluidProperties& of = r.setup.fluids[k];
            text += fmt::format(", {:g} kg/m3, c0 {:.4g} m/s{}, gamma {:g}", of.rho0, of.c0,
                                of.c0 == fastest ? ", which limits the time step" : "", of.gamma);
            if (r.setup.rheologies.empty()) text += fmt::format(", viscosity {:g}", of.viscosity);
            if (of.cohesion > 0) text += fmt::format(", a gas of cohesion {:.4g} Pa", of.cohesion);
            if (of.tension > 0) text += fmt::format(", surface tension {:g} N/m", of.tension);
        }
        if (!r.setup.rheologies.empty()) {
            const Rheology& of = r.setup.rheologies[k];
            const double rho0 = r.setup.fluids.empty() ? c.rho0 : r.setup.fluids[k].rho0;
            text += fmt::format(", viscosity {:g} m2/s, exponent {:g}, yield stress {:g} Pa", of.consistency,
                                of.exponent, of.yield * rho0);
        }
        text += "\n";
        ++k;
    }
    return text;
}

std::string particles_text(const CheckReport& r) {
    std::string text = fmt::format("{}: {} particles, dp = {:g} m{}\n\n", r.case_file, r.count, r.particles.dp,
                                   r.particles.two_d ? ", 2-D" : "");
    text += fmt::format("{:>5}  {:<12} {:<9} {:>10}\n", "mk", "in the case", "type", "particles");
    std::vector<ParticleBlock> drawn;
    std::ranges::copy_if(r.particles.blocks, std::back_inserter(drawn), [](const auto& b) { return b.count > 0; });
    for (const ParticleBlock& b : drawn)
        text += fmt::format("{:>5}  {:<12} {:<9} {:>10}\n", b.mk, b.name(), particle_type_name(b.type), b.count);
    if (r.created > 0)
        text += fmt::format("       layers of open boundaries, created {:>9}\n", fmt::format("+{}", r.created));
    if (r.taken > 0)
        text += fmt::format("       inside of open boundaries, taken away {:>6}\n", fmt::format("-{}", r.taken));
    text += fmt::format("\n{}", places_text(drawn, r.particles.dp));
    if (r.particles.normals.empty()) return text;
    text += "\nnormals to the surface of the wall:\n";
    for (const ParticleBlock& b : r.particles.blocks)
        if (b.type != ParticleType::fluid)
            text += fmt::format("  {:<20} {} of {} particles\n", fmt::format("mkbound {}", b.mk_type),
                                count_normals(r.particles, b), b.count);
    return text;
}

constexpr std::size_t values_column = 21; ///< where the values of the run begin

/// Time step and duration, as far as they are known.
std::string timing_text(const CheckReport& r) {
    const std::string end = fmt::format("{:<{}}", fmt::format("to TimeMax = {:g} s", r.time_max), values_column - 1);
    if (!r.is_timed()) return end + " not known, for the first steps fail\n";
    return fmt::format("first time step      {:.4g} s{}\n", r.timing.first_dt,
                       r.measured_particles < r.count
                           ? fmt::format(", from {} particles in the middle of the fluid", r.measured_particles)
                           : "") +
           fmt::format("{} about {:.0f} steps, {} with {} {}, {} on this machine\n", end, r.estimated_steps,
                       time_text(r), r.backend.backend, r.backend.mode,
                       threads_text(r.backend.ranks, r.backend.threads));
}

std::string run_text(const CheckReport& r) {
    const sph::Constants& c = r.setup.constants;
    const std::string figures =
        (r.setup.method == Method::sph ? "" : fmt::format("\nmethod               {}", method_text(r.setup.method))) +
        fmt::format("\nsmoothing length h   {:g} m (support radius {:g} m)\n", c.h, 2 * c.h) +
        fmt::format("mass                 {:g} kg fluid, {:g} kg boundary{}\n", c.mass_fluid, c.mass_bound,
                    c.two_d ? " per metre" : "") +
        fmt::format("speed of sound c0    {:g} m/s, B = {:g} Pa\n", c.c0, c.b) +
        fmt::format("cell size            {:g} m or {:g} m\n", 2 * c.h, c.h) +
        fmt::format("domain               {} … {} m\n", position_text(r.setup.domain.min, r.particles.dp),
                    position_text(r.setup.domain.max, r.particles.dp)) +
        timing_text(r) +
        fmt::format("output               {:.0f} frames, about {:.1f} MB{}\n", r.frames, r.output_bytes() * 1e-6,
                    r.left_out ? fmt::format("; at the start they leave out {} fluid and {} boundary particles "
                                             "(outputparts)",
                                             r.left_out->fluid, r.left_out->boundary)
                               : "");
    std::string text = wrapped(figures, columns_behind(STDOUT_FILENO), values_column) + "\nmemory by mode:\n";
    for (const MemoryEstimate& m : r.memory) {
        if (!r.gpu_plan && m.model.mode.starts_with("cuda")) continue; // of no use without a GPU; --json has them
        text += fmt::format("  {:<26} {:>10.1f} MB  ({:.0f} bytes/particle, {:.0f} bytes/cell)\n", m.model.mode,
                            m.bytes * 1e-6, m.model.bytes_per_particle, m.model.bytes_per_cell);
    }
    if (!r.rank_memory.empty()) text += "\nmemory by rank:\n";
    for (std::size_t n = 0; n < r.rank_memory.size(); ++n)
        text += fmt::format("  {:<26} {:>10.1f} MB  ({} particles, {} copies of those of others and images)\n",
                            fmt::format("rank {}", n), r.rank_memory[n].bytes * 1e-6, r.rank_memory[n].particles,
                            r.rank_memory[n].ghosts);
    if (r.gpu_plan) text += fmt::format("\n{}", message_for(STDOUT_FILENO, r.gpu_plan->text));
    return text;
}

} // namespace

std::string check_text(const CheckReport& r, bool findings_only) {
    std::string text;
    if (!findings_only) text += particles_text(r);
    if (!findings_only && !r.setup.bodies.empty()) text += bodies_text(r);
    if (!findings_only && !fluids_of(r).empty()) text += fluids_text(r);
    if (!findings_only && r.has_constants) text += run_text(r);
    if (!text.empty() && !r.diagnostics.empty()) text += "\n";
    for (const Diagnostic& d : r.diagnostics)
        if (!findings_only || d.level != Diagnostic::Level::info)
            text +=
                message_for(STDOUT_FILENO, fmt::format("{}: {}: {}\n", d.where.text(), level_name(d.level), d.message));
    if (!text.empty() && !r.runnable()) text += "\n";
    if (!r.runnable()) text += "`sluice run` would refuse this case:\n";
    for (const std::string& reason : r.reasons) text += message_for(STDOUT_FILENO, fmt::format("  {}\n", reason));
    return text;
}

std::string language_json() {
    Json words = Json::array();
    for (const LanguageEntry& e : language())
        words.push_back({{"section", section_name(e.section)},
                         {"word", e.name},
                         {"support", support_name(e.support)},
                         {"default", e.fallback},
                         {"range", e.range},
                         {"unit", e.unit},
                         {"meaning", e.meaning},
                         {"advice", e.advice}});
    return words.dump(2) + "\n";
}

} // namespace sluice
