// SPDX-License-Identifier: Apache-2.0
#include "cuda/passes/rigid_objects.h"

#include "cuda/bodies/host_mechanisms.h"
#include "cuda/device/host_copies.h"
#include "model/rigid_motions.h"
#include "scheme/absorption_step.h"

#include <algorithm>
#include <cmath>

namespace sluice::cuda {

namespace {

std::vector<double> radii_of(const RunSetup& setup) {
    std::vector<double> radii;
    for (const Body& body : setup.bodies) {
        double largest2 = 0;
        for (std::uint32_t k = 0; k < body.particles; ++k) {
            const Vec3d r = setup.rigid.start[body.first_id + k - setup.rigid.begin] - body.centre;
            largest2 = std::max(largest2, dot(r, r));
        }
        radii.push_back(std::sqrt(largest2));
    }
    return radii;
}

} // namespace

RigidObjects::RigidObjects(const RunSetup& setup, DeviceMemory& memory)
    : setup_(setup), lines_(setup.moorings, memory) {
    if (!setup.rigid.any()) return;
    for (const Body& body : setup.bodies) view_.body_particles += body.particles;
    constexpr const char* what = "rigid objects";
    const auto copied = [&](const auto& values, auto& array) {
        if (values.empty()) return;
        array = {memory, values.size(), what};
        upload(values, array.data());
    };
    copied(setup.motions.objects, objects_);
    copied(setup.motions.segments, segments_);
    copied(setup.motions.pieces, pieces_);
    copied(setup.motions.knots, knots_);
    copied(setup.motions.samples, samples_);
    copied(setup.bodies, bodies_);
    copied(setup.body_series, series_);
    copied(radii_of(setup), radius_);
    copied(setup.rigid.start, start_);
    copied(setup.rigid.object, object_);
    now_ = {memory, setup.motions.objects.size() + setup.bodies.size(), what};
    if (!setup.bodies.empty()) {
        body_ = {memory, setup.bodies.size(), what};
        body_start_ = {memory, setup.bodies.size(), what};
        load_ = {memory, setup.bodies.size(), what};
        acceleration_ = {memory, setup.rigid.start.size(), what};
        seeking_ = {memory, setup.groups.boundary_count(), what};
        met_counts_ = {memory, 2 + setup.bodies.size(), what};
        upload(std::vector<unsigned>(met_counts_.size()), met_counts_.data());
        if (setup.contact == BodyContact::elastic) {
            copied(setup.contact_parts.parts, parts_);
            copied(setup.contact_parts.of_id, part_of_id_);
            contact_ = {memory, setup.rigid.start.size(), what};
            touched_ = {memory, view_.body_particles, what};
        }
    }
    view_.motions = {objects_.data(), segments_.data(), pieces_.data(),
                     knots_.data(),   samples_.data(),  setup.motions.object_count()};
    view_.bodies = bodies_.data();
    view_.radius = radius_.data();
    view_.body_count = static_cast<int>(setup.bodies.size());
    view_.body = body_.data();
    view_.body_start = body_start_.data();
    view_.series = series_.data();
    view_.load = load_.data();
    view_.acceleration = acceleration_.data();
    view_.contact = contact_.data();
    view_.parts = parts_.data();
    view_.part_of_id = part_of_id_.data();
    view_.now = now_.data();
    view_.start = start_.data();
    view_.object = object_.data();
    view_.begin = setup.rigid.begin;
    view_.particles = static_cast<std::uint32_t>(setup.rigid.start.size());
    view_.lags = setup.constants.integrator == sph::Integrator::staggered;
    view_.in_contact = setup.contact == BodyContact::pair_formula;
    view_.seeking = seeking_.data();
    view_.touched = touched_.data();
    if (!setup.bodies.empty()) {
        view_.seeking_count = met_counts_.data();
        view_.touched_count = met_counts_.data() + 1;
        view_.has_company = met_counts_.data() + 2;
    }
    make_absorbers(memory);
    make_mechanisms(memory);
    lines_.set_bodies({bodies_.data(), body_.data(), body_start_.data(), load_.data()});
    set_state({}, {}, {});
}

RigidObjects::~RigidObjects() = default;

/// Behind make_absorbers().
void RigidObjects::make_mechanisms(DeviceMemory& memory) {
    const Mechanisms& all = setup_.mechanisms;
    if (!all.any()) return;
    mechanism_bodies_ = {memory, all.bodies.size(), "mechanisms"};
    upload(all.bodies, mechanism_bodies_.data());
    MovedBodies bodies;
    bodies.body = body_.data();
    bodies.body_start = body_start_.data();
    bodies.load = load_.data();
    bodies.absorber = absorber_.data();
    bodies.in_mechanisms = mechanism_bodies_.data();
    bodies.body_count = view_.body_count;
    bodies.absorber_count = view_.absorber_count;
    bodies.moved_count = static_cast<int>(mechanism_bodies_.size());
    mechanisms_ = std::make_unique<HostMechanisms>(setup_, bodies, memory);
}

void RigidObjects::make_absorbers(DeviceMemory& memory) {
    if (setup_.absorbers.empty()) return;
    constexpr const char* what = "absorption of waves";
    for (const WaveAbsorber& absorber : setup_.absorbers)
        view_.most_check_points = std::max(view_.most_check_points, sph::gauge_points(absorber).count());
    view_.absorber_count = static_cast<int>(setup_.absorbers.size());
    absorbers_ = {memory, setup_.absorbers.size(), what};
    absorber_ = {memory, setup_.absorbers.size(), what};
    fractions_ = {memory, setup_.absorbers.size() * static_cast<std::size_t>(view_.most_check_points), what};
    upload(setup_.absorbers, absorbers_.data());
    view_.absorbers = absorbers_.data();
    view_.absorber = absorber_.data();
    view_.motions.absorbers = absorber_.data();
    view_.fractions = fractions_.data();
}

void RigidObjects::move(const UpdateArgs& args, Stage stage, bool counts, cudaStream_t stream) const {
    lines_.advance(args.control, stage, stream);
    if (mechanisms_) mechanisms_->advance(args.control, stage, stream);
    move_objects(args, view_, stage, counts, stream);
    lines_.follow(args.control, stage, stream);
}

void RigidObjects::require_success() const {
    if (mechanisms_) mechanisms_->require_success();
}

void RigidObjects::set_state(const std::vector<BodyState>& bodies, const std::vector<AbsorberState>& absorbers,
                             const MooringState& moorings) {
    upload(bodies.empty() ? initial_states(setup_.bodies) : bodies, body_.data());
    upload(absorbers.empty() ? std::vector<AbsorberState>(setup_.absorbers.size()) : absorbers, absorber_.data());
    lines_.set_state(moorings);
}

std::vector<AbsorberState> RigidObjects::absorbers() const { return download(absorber_.data(), absorber_.size()); }

std::vector<BodyState> RigidObjects::bodies() const { return download(body_.data(), body_.size()); }

std::vector<BodyReport> RigidObjects::reports() const {
    const std::vector<BodyState> states = bodies();
    const std::vector<BodyLoads> loads = download(load_.data(), load_.size());
    std::vector<BodyReport> reports;
    for (std::size_t b = 0; b < states.size(); ++b) reports.push_back({states[b], loads[b]});
    return reports;
}

} // namespace sluice::cuda
