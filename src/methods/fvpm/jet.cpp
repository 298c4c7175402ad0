// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/jet.h"

#include "methods/fvpm/volumes.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace sluice::fvpm {

namespace {

constexpr int inlet_rows = 3; ///< of prescribed water above the inlet
constexpr int plate_layers = 2;

/// The lattice of a jet: places in a row across it, and the spacing that makes the union of the supports as wide as the
/// jet. Volumes are exact: of a place at the end of a stack of rows, and within it, where the density is ρ0.
struct JetLattice {
    std::vector<Vec3d> row; ///< z is 0
    std::vector<double> end_volumes, inner_volumes;
    double spacing;
};

JetLattice lattice_of(const JetSettings& s) {
    constexpr std::size_t rows = 7;
    JetLattice lattice;
    const double middle = (s.across - 1) / 2.0, most = s.across * s.across / 4.0;
    for (int y = 0; y < (s.dimensions == 3 ? s.across : 1); ++y)
        for (int x = 0; x < s.across; ++x) {
            const Vec3d at{x - middle, s.dimensions == 3 ? y - middle : 0, 0};
            if (s.dimensions == 2 || dot(at, at) < most) lattice.row.push_back(at);
        }
    Particles stack;
    for (std::size_t row = 0; row < rows; ++row)
        for (const Vec3d& at : lattice.row) stack.position.push_back(at + Vec3d{0, 0, double(row)});
    stack.radius.assign(stack.size(), s.radius);
    const std::vector<double> volumes = exact_volumes(stack, all_pairs(stack), s.dimensions);
    const auto begin_of = [&](std::size_t row) { return volumes.begin() + std::ptrdiff_t(row * lattice.row.size()); };
    lattice.end_volumes.assign(begin_of(0), begin_of(1));
    lattice.inner_volumes.assign(begin_of(rows / 2), begin_of(rows / 2 + 1));
    const double section =
        std::accumulate(lattice.inner_volumes.begin(), lattice.inner_volumes.end(), 0.0); // spacing 1
    lattice.spacing = s.dimensions == 2 ? s.width / section : std::sqrt(std::numbers::pi / 4 / section) * s.width;
    for (Vec3d& at : lattice.row) at = lattice.spacing * at;
    for (auto* values : {&lattice.end_volumes, &lattice.inner_volumes})
        for (double& volume : *values) volume *= std::pow(lattice.spacing, s.dimensions);
    return lattice;
}

/// The particles of the jet and its plate, between the steps. The plate has the first ids.
class JetParticles {
public:
    explicit JetParticles(const JetSettings& s) : s_(s), lattice_(lattice_of(s)), inlet_(s.height * s.width) {
        const double dp = lattice_.spacing;
        const int half = static_cast<int>(std::ceil(s.plate * s.width / dp));
        for (int layer = 0; layer < plate_layers; ++layer)
            for (int y = s.dimensions == 3 ? -half : 0; y <= (s.dimensions == 3 ? half : 0); ++y)
                for (int x = -half; x <= half; ++x) add({dp * x, dp * y, -dp * (layer + 0.5)}, {}, Kind::wall);
        plate_ = p_.size();
        for (int row = 0; row < inlet_rows; ++row) add_row(inlet_ + dp * (row + 0.5));
        for (std::size_t n = 0; n < lattice_.row.size(); ++n)
            p_.volume[plate_ + n] = lattice_.end_volumes[n]; // the lowest row
    }

    const Particles& particles() const { return p_; }
    double face() const { return std::pow(lattice_.spacing, s_.dimensions - 1); }
    std::size_t plate() const { return plate_; }
    /// How long a row takes to move by the spacing, s.
    double row_time() const { return lattice_.spacing / s_.speed; }

    /// Takes over what a solver made of the particles. Water that passed the inlet is free, what left the plate is
    /// removed, and a row follows.
    void feed(const Particles& now) {
        std::vector<std::uint32_t> places;
        const double dp = lattice_.spacing, edge = s_.plate * s_.width - dp, top = inlet_ + dp * (inlet_rows + 2);
        double highest = inlet_;
        for (std::size_t i = 0; i < now.size(); ++i) {
            const Vec3d x = now.position[i];
            const bool inside = std::abs(x.x) < edge && std::abs(x.y) < edge && x.z > -dp && x.z < top;
            if (now.id[i] < plate_ || inside) places.push_back(static_cast<std::uint32_t>(i));
        }
        p_ = reordered(now, places);
        p_.motion.clear(); // rows that are added have none
        for (std::size_t i = 0; i < p_.size(); ++i) {
            if (p_.id[i] < plate_ || p_.kind[i] == Kind::fluid) continue;
            highest = std::max(highest, p_.position[i].z);
            if (p_.position[i].z < inlet_) p_.kind[i] = Kind::fluid;
        }
        add_row(highest + dp);
    }

private:
    /// A row on top of the jet. The one that was there is the last of all particles but the new ones.
    void add_row(double z) {
        const std::size_t n = lattice_.row.size();
        for (std::size_t k = 0; k < p_.size(); ++k)
            if (p_.id[k] >= plate_ && p_.id[k] + n >= next_id_)
                p_.volume[k] = lattice_.inner_volumes[p_.id[k] + n - next_id_];
        for (const Vec3d& at : lattice_.row) add(at + Vec3d{0, 0, z}, {0, 0, -s_.speed}, Kind::inlet);
        for (std::size_t k = 0; k < n; ++k) {
            p_.volume[p_.size() - n + k] = lattice_.end_volumes[k];
            p_.mass[p_.size() - n + k] = 1000 * lattice_.inner_volumes[k];
        }
    }
    void add(Vec3d x, Vec3d velocity, Kind kind) {
        const double volume = std::pow(lattice_.spacing, s_.dimensions);
        p_.position.push_back(x);
        p_.velocity.push_back(velocity);
        p_.mass.push_back(1000 * volume);
        p_.volume.push_back(volume);
        p_.radius.push_back(s_.radius * lattice_.spacing);
        p_.id.push_back(next_id_++);
        p_.kind.push_back(kind);
    }

    JetSettings s_;
    JetLattice lattice_;
    double inlet_; ///< its height, m
    Particles p_;
    std::size_t plate_ = 0;
    std::uint32_t next_id_ = 0;
};

/// Sums over the samples of the plate.
class PlateMeans {
public:
    explicit PlateMeans(const JetParticles& jet)
        : face_(jet.face()), plate_(jet.plate()), sums_(jet.plate() / plate_layers), at_(sums_.size()) {
        for (std::size_t i = 0; i < at_.size(); ++i)
            at_[i] = jet.particles().position[i]; // the upper layer comes first
    }
    void take(const Particles& p, const std::vector<Vec3d>& forces) {
        for (std::size_t i = 0; i < p.size(); ++i) {
            if (p.id[i] >= plate_) continue;
            force_ -= forces[i].z;
            sums_[p.id[i] % sums_.size()] -= forces[i].z; // of all layers at this place
        }
        ++samples_;
    }
    JetResult result(const JetSettings& s) const {
        JetResult r;
        r.samples = samples_;
        r.force = force_ / double(samples_);
        const double area = s.dimensions == 3 ? std::numbers::pi / 4 * s.width * s.width : s.width;
        r.momentum = 1000 * area * s.speed * s.speed;
        for (std::size_t i = 0; i < at_.size(); ++i)
            r.pressures.push_back({std::hypot(at_[i].x, at_[i].y) / s.width,
                                   sums_[i] / double(samples_) / face_ / (500 * s.speed * s.speed)});
        return r;
    }

private:
    double face_; ///< of the plate at one place
    std::size_t plate_;
    std::vector<double> sums_;
    std::vector<Vec3d> at_;
    double force_ = 0;
    std::int64_t samples_ = 0;
};

} // namespace

JetResult run_jet(const JetSettings& s, const std::function<std::unique_ptr<Solver>(const FvpmConstants&)>& make,
                  const std::function<void(double, const Particles&)>& watch) {
    FvpmConstants c;
    c.dimensions = s.dimensions;
    c.sound_speed = s.speed / s.mach;
    c.gravity = {0, 0, -s.gravity};
    c.cfl = s.cfl;
    JetParticles jet(s);
    PlateMeans means(jet);
    const std::unique_ptr<Solver> solver = make(c);
    solver->set_particles(jet.particles());
    double next_row = jet.row_time();
    while (solver->time() < s.end) {
        const bool sampling = solver->time() >= s.average_from;
        const double stop =
            std::min({s.end, next_row, sampling ? solver->time() + s.interval : std::max(s.average_from, s.interval)});
        solver->advance(stop, std::numeric_limits<std::int64_t>::max());
        if (sampling) means.take(solver->particles(), solver->forces());
        if (watch) watch(solver->time(), solver->particles());
        if (solver->time() < next_row) continue;
        jet.feed(solver->particles());
        solver->set_particles(jet.particles());
        next_row += jet.row_time();
    }
    JetResult result = means.result(s);
    result.steps = solver->steps();
    result.particles = solver->particles().size();
    return result;
}

double plane_jet_pressure(double distance) {
    double low = 0, high = 1; // u
    for (int n = 0; n < 60; ++n) {
        const double u = (low + high) / 2;
        const double at = (2 * std::atan(u) + std::log((1 + u) / (1 - u))) / std::numbers::pi;
        (at < distance ? low : high) = u;
    }
    return 1 - low * low;
}

double mean_pressure(const JetResult& result, double from, double to) {
    double sum = 0;
    int count = 0;
    for (const PlatePressure& p : result.pressures)
        if (p.distance >= from && p.distance <= to) {
            sum += p.value;
            ++count;
        }
    return sum / count;
}

double plane_jet_error(const JetResult& result, double distance) {
    double sum = 0;
    int count = 0;
    for (const PlatePressure& p : result.pressures)
        if (p.distance <= distance) {
            sum += std::pow(p.value - plane_jet_pressure(p.distance), 2);
            ++count;
        }
    return std::sqrt(sum / count);
}

} // namespace sluice::fvpm
