// SPDX-License-Identifier: Apache-2.0
#include "scheme/moorings/line_arrays.h"
#include "scheme/moorings/statics.h"

#include <gtest/gtest.h>
#include <numbers>

using namespace sluice;

namespace {

constexpr double g = 9.81;
constexpr double tau = 2 * std::numbers::pi;

/// Lines, connects and bodies that move without a run.
struct Lines {
    Moorings all;
    std::vector<Body> bodies;
    std::vector<BodyState> states;
    std::vector<BodyLoads> loads;
    MooringState now;
    double time = 0, drag = 1;
    MooringFault fault;

    Lines() {
        all.water.gravity = {0, 0, -g};
        all.water.surface = 0;
    }
    /// The chain of the moored box of Wu et al. (2019): 0.0607 kg/m, 3.656 mm.
    MooringLine& chain(double length, double stiffness, int segments, double bed = -1e3) {
        MooringLine line;
        line.length = length;
        line.stiffness = stiffness;
        line.diameter = 3.656e-3;
        line.mass = 0.0607;
        line.segments = segments;
        line.bed = bed;
        line.first_node = all.first_connect();
        all.lines.push_back(line);
        return all.lines.back();
    }
    static LineEnd at(const Vec3d& place) { return {LineHold::anchor, -1, place}; }
    static LineEnd on_body(int b, const Vec3d& place) { return {LineHold::body, b, place}; }
    LineEnd free(const Vec3d& place, double mass = 0, double volume = 0) {
        all.connects.push_back({mass, volume, place});
        return {LineHold::connect, static_cast<int>(all.connects.size()) - 1, place};
    }
    /// Lays all lines to rest, or straight between their ends.
    void assemble(bool rest = true, double longest = 1e300) {
        all.step = std::min(longest, line_step_limit(all).step);
        for (const MooringLine& line : all.lines) {
            bool settled = true;
            std::vector<Vec3d> places;
            if (rest)
                places = mooring::nodes_at_rest(line, all.water, line.end[0].place, line.end[1].place, settled);
            else
                for (int k = 0; k <= line.segments; ++k)
                    places.push_back(line.end[0].place +
                                     (double(k) / line.segments) * (line.end[1].place - line.end[0].place));
            EXPECT_TRUE(settled);
            for (const Vec3d& place : places) all.at_start.nodes.push_back({place, {}});
        }
        for (const MooringConnect& connect : all.connects) all.at_start.nodes.push_back({connect.place, {}});
        all.at_start.lines.resize(all.lines.size());
        now = all.at_start;
        for (const Body& body : bodies) states.push_back(initial_state(body));
        loads.resize(bodies.size());
    }
    /// Advances lines, then bodies, over `dt` (s).
    void step(double dt) {
        LineArrays work(all);
        const MooringDrive drive{bodies.data(), states.data(), nullptr, time, dt, drag};
        fault = advance_lines(all.view(), work.arrays(now), drive, loads.data());
        for (std::size_t b = 0; b < bodies.size(); ++b)
            states[b] =
                after_stage(BodyStage::symplectic, bodies[b], states[b], loads[b], {all.water.gravity}, time, dt);
        time += dt;
    }
    void run(double dt, int steps) {
        for (int n = 0; n < steps && !fault.any(); ++n) step(dt);
    }
    LineReport report(std::size_t l = 0) {
        LineArrays work(all);
        return work.report(all, l, now.nodes);
    }
    MooringNode& node(int k) { return now.nodes[std::size_t(k)]; }
    int connect_node(int c = 0) const { return all.first_connect() + c; }
};

Body box(const Vec3d& centre, double mass) {
    Body body;
    body.mass = mass;
    body.centre = centre;
    for (int axis = 0; axis < 3; ++axis) body.inertia[axis] = {}, body.inertia[axis][axis] = 0.01 * mass;
    body.moored = true;
    return body;
}

double chain_weight() {
    MooringLine line;
    line.diameter = 3.656e-3;
    return (0.0607 - 1000 * mooring::volume_per_length(line)) * g;
}

/// A line that hangs freely, or with a bottom, at its own exact statics: the forces of the nodes balance one after the
/// other from the lower end on. Returns where the chain ends when it begins with a pull.
Vec3d end_of_chain(const MooringLine& line, const MooringWater& water, double horizontal, double vertical) {
    const double rest = line.length / line.segments,
                 weight = (line.mass - water.density * mooring::volume_per_length(line)) * rest * g;
    Vec3d place = line.end[0].place;
    for (int k = 0; k < line.segments; ++k) {
        const double up = vertical + k * weight, tension = std::hypot(horizontal, up);
        place = place + (rest * (1 / tension + 1 / line.stiffness)) * Vec3d{horizontal, 0, up};
    }
    return place;
}

/// Horizontal and vertical pull in the first segment of such a chain by Newton's method.
std::pair<double, double> pull_of_chain(const MooringLine& line, const MooringWater& water, double h, double v) {
    for (int n = 0; n < 100; ++n) {
        const Vec3d miss = line.end[1].place - end_of_chain(line, water, h, v);
        constexpr double small = 1e-7;
        const Vec3d dh = (1 / small) * (end_of_chain(line, water, h + small, v) - end_of_chain(line, water, h, v));
        const Vec3d dv = (1 / small) * (end_of_chain(line, water, h, v + small) - end_of_chain(line, water, h, v));
        const double det = dh.x * dv.z - dv.x * dh.z;
        h += (miss.x * dv.z - miss.z * dv.x) / det;
        v += (miss.z * dh.x - miss.x * dh.z) / det;
    }
    return {h, v};
}

/// The first three ways in which a chain of N segments hung by one end swings a little: ω² and the shapes, of equal
/// masses with half a one at the free end. By inverse iteration.
struct Swing {
    double omega;
    std::vector<double> shape; // from the upper end to the free one
};

std::vector<Swing> swings(int n, double length) {
    const auto count = std::size_t(n);
    const double rest = length / n;
    std::vector<double> mass(count, rest), tension(count); // of 1 kg/m; tension of the segment above each node
    mass.back() = 0.5 * rest;
    double below = 0;
    for (std::size_t k = count; k-- > 0;) tension[k] = (below += mass[k] * g);
    const auto solve =
        [&](const std::vector<double>& force) { // K x = force: the shear of each segment is the sum below
            std::vector<double> x(count);
            double shear = 0;
            for (std::size_t k = count; k-- > 0;) x[k] = (shear += force[k]);
            double sum = 0;
            for (std::size_t k = 0; k < count; ++k) x[k] = (sum += x[k] * rest / tension[k]);
            return x;
        };
    std::vector<Swing> found;
    for (int mode = 0; mode < 3; ++mode) {
        std::vector<double> x(count);
        for (std::size_t k = 0; k < count; ++k) x[k] = std::sin((mode + 0.5) * 3.14 * double(k + 1) / n);
        double inverse = 0;
        for (int step = 0; step < 300; ++step) {
            for (const Swing& other : found) {
                double part = 0;
                for (std::size_t k = 0; k < count; ++k) part += mass[k] * x[k] * other.shape[k];
                for (std::size_t k = 0; k < count; ++k) x[k] -= part * other.shape[k];
            }
            double size = 0;
            for (std::size_t k = 0; k < count; ++k) size += mass[k] * x[k] * x[k];
            for (double& value : x) value /= std::sqrt(size);
            std::vector<double> force(count);
            for (std::size_t k = 0; k < count; ++k) force[k] = mass[k] * x[k];
            const std::vector<double> next = solve(force);
            inverse = 0;
            for (std::size_t k = 0; k < count; ++k) inverse += mass[k] * next[k] * x[k];
            x = next;
        }
        double size = 0;
        for (std::size_t k = 0; k < count; ++k) size += mass[k] * x[k] * x[k];
        for (double& value : x) value /= std::sqrt(size);
        found.push_back({std::sqrt(1 / inverse), x});
    }
    return found;
}

} // namespace

TEST(Moorings, CatenariesHaveTheForcesOfTheClosedForm) {
    const double w = chain_weight();
    EXPECT_NEAR(w, 0.4924826, 1e-7);
    struct Known {
        double across, up, length, stiffness, weight;
        bool bed;
        double horizontal, vertical, on_bed;
    };
    const double scale_weight = (16.86 - 1000 * 0.25 * std::numbers::pi * 0.05 * 0.05) * g;
    for (const Known& k : {Known{1.3249732, 0.4264, 1.455, 29, w, true, 0.3200428, 0.4187088, 0.6047998},
                           Known{0.2, 0.35, 0.45, 2900, w, true, 0.0289931, 0.1992569, 0.0454032},
                           Known{5.6568542, 7, 9.8, 15e3, scale_weight, true, 252.47114, 1201.07937, 1.5810124},
                           Known{1, 0.5, 1, 2900, w, false, 306.16132, 153.32692, 0},
                           Known{1, 0.5, 1.2, 2900, w, false, 0.33754446, 0.49317735, 0}}) {
        const auto c = mooring::Catenary::between(k.across, k.up, k.length, k.weight, k.stiffness, k.bed);
        ASSERT_TRUE(c);
        EXPECT_NEAR(c->horizontal, k.horizontal, 2e-7 * c->tension());
        EXPECT_NEAR(c->vertical, k.vertical, 2e-7 * c->tension());
        EXPECT_NEAR(c->on_bed, k.on_bed, 1e-6);
        EXPECT_NEAR(c->along(k.length), k.across, 1e-12 * k.length);
        EXPECT_NEAR(c->above(k.length), k.up, 1e-12 * k.length);
    }
    EXPECT_FALSE(mooring::Catenary::between(0, 0.5, 1, w, 2900, false)) << "it hangs down: no horizontal force";
}

TEST(Moorings, ALineOfNodesRestsAtItsOwnExactStatics) {
    const double continuum = std::hypot(0.33754446, 0.49317735);
    for (const auto& [segments, error] : {std::pair{10, -2.63e-3}, {20, -6.57e-4}, {40, -1.64e-4}, {80, -4.1e-5}}) {
        Lines lines;
        MooringLine& line = lines.chain(1.2, 2900, segments);
        line.end[0] = Lines::at({0, 0, -0.6});
        line.end[1] = Lines::at({1, 0, -0.1});
        const auto [h, v] = pull_of_chain(line, lines.all.water, 0.337, -0.09);
        lines.assemble();
        const mooring::Segment last =
            mooring::segment_between(line, lines.node(segments - 1).place, lines.node(segments).place, {});
        const double half = 0.5 * chain_weight() * line.length / segments; // of the node at the end
        const double exact = std::hypot(h, v + (2 * segments - 2) * half);
        EXPECT_NEAR(last.tension, exact, 1e-8 * exact) << segments;
        EXPECT_NEAR(lines.report().tension[1] / continuum - 1, error, 0.01 * std::abs(error)) << segments;
        lines.run(0.001, 200);
        EXPECT_NEAR(lines.report().tension[1], std::hypot(h, v + (2 * segments - 1) * half), 1e-8 * exact)
            << "and stays there";
    }
}

TEST(Moorings, OnABottomTheLineEndsWhereTheCatenaryDoes) {
    Lines lines;
    MooringLine& line = lines.chain(1.455, 29, 40, -0.5);
    line.end[0] = Lines::at({1.3249732, 0, -0.5});
    line.end[1] = Lines::at({0, 0, -0.0736});
    lines.assemble();
    const LineReport start = lines.report();
    EXPECT_NEAR(start.tension[1], 0.5270147, 2e-3 * 0.527);
    EXPECT_NEAR(-start.force[1].z, 0.4187088, 2e-3 * 0.527);
    EXPECT_NEAR(start.force[0].x, -0.3200428, 2e-3 * 0.527) << "nothing on the bottom takes it";
    lines.run(0.002, 100);
    EXPECT_NEAR(lines.report().tension[1], start.tension[1], 1e-6);
    EXPECT_NEAR(lines.node(10).place.z, -0.5, 1e-4) << "0.6 m lie on the bottom";
}

TEST(Moorings, ATautLineBeginsWithTheForcesOfItsStretch) {
    Lines lines;
    MooringLine& line = lines.chain(1, 2900, 20, -1.5);
    line.end[0] = Lines::at({-0.5, 0, -1.5});
    line.end[1] = Lines::at({0.5, 0, -1});
    lines.assemble();
    const LineReport r = lines.report();
    EXPECT_NEAR(r.force[1].x, -306.16132, 1e-4); // Case1Mooring1Box in DualSPHysics 5.4: 306.161315, 153.326922
    EXPECT_NEAR(r.force[1].z, -153.32692, 1e-4);
    EXPECT_NEAR(r.force[0].z, 152.83444, 1e-4);
    EXPECT_NEAR(r.strain, std::sqrt(1.25) - 1, 1e-3);
}

TEST(Moorings, BuoyantAndSlackLinesFindARest) {
    Lines lines;
    MooringLine& up = lines.chain(1.2, 2900, 20);
    up.mass = 0.002; // lighter than water
    up.end[0] = Lines::at({0, 0, -2});
    up.end[1] = Lines::at({1, 0, -2});
    lines.assemble();
    EXPECT_GT(lines.node(10).place.z, -1.8) << "it bows upwards";
    Lines slack;
    MooringLine& hanging = slack.chain(1, 2900, 20, -1);
    hanging.end[0] = Lines::at({0, 0, -1});
    hanging.end[1] = Lines::at({0, 0, -0.2});
    slack.all.step = line_step_limit(slack.all).step;
    bool settled = true;
    for (const Vec3d& place :
         mooring::nodes_at_rest(hanging, slack.all.water, hanging.end[0].place, hanging.end[1].place, settled))
        EXPECT_TRUE(std::isfinite(place.z) && place.z > -1.01);
}

TEST(Moorings, AHungChainSwingsAsItsNodesDo) {
    // continuum: j0k/2 sqrt(g/L)
    const double exact[3] = {3.7660674, 8.6446961, 13.5521358};
    struct Known {
        int segments;
        double first, third; // relative errors of the lumped chain
    };
    for (const Known& known : {Known{10, -0.30e-2, -10.2e-2}, {20, -0.074e-2, -3.7e-2}, {40, -0.018e-2, -0.97e-2}}) {
        const std::vector<Swing> modes = swings(known.segments, 1);
        EXPECT_NEAR(modes[0].omega / exact[0] - 1, known.first, 0.02e-2);
        EXPECT_NEAR(modes[2].omega / exact[2] - 1, known.third, 0.05e-1);
        if (known.segments > 20) continue; // the same shorter
        for (const int mode : {0, 2}) {
            Lines lines;
            lines.all.water.surface = -100; // dry
            MooringLine& line = lines.chain(1, 4e5, known.segments);
            line.mass = 1;
            line.damping = 100;
            line.normal_drag = line.tangential_drag = 0;
            line.end[0] = Lines::at({0, 0, 0});
            line.end[1] = lines.free({0, 0, -1});
            lines.assemble(false);
            const std::vector<double>& shape = modes[std::size_t(mode)].shape;
            const double size = 1e-4 / std::abs(shape.back());
            Vec3d place;
            for (int k = 1; k <= known.segments; ++k) {
                const double x = size * shape[std::size_t(k - 1)], dx = x - place.x;
                const double below = (1 - (k - 0.5) / known.segments) * g, rest = 1.0 / known.segments;
                const double longer = rest * (1 + below / line.stiffness);
                place = {x, 0, place.z - std::sqrt(longer * longer - dx * dx)};
                lines.node(k).place = place;
            }
            lines.node(lines.connect_node()).place = place;
            const double omega = modes[std::size_t(mode)].omega, dt = tau / omega / 400;
            double before = place.x, crossing = 0;
            for (int n = 0; n < 400 && crossing == 0; ++n) {
                lines.step(dt);
                const double x = lines.node(lines.connect_node()).place.x;
                if (n > 200 && before < 0 && x >= 0) crossing = lines.time - dt * x / (x - before);
                before = x;
            }
            EXPECT_NEAR(crossing, 0.75 * tau / omega, 2e-4 * tau / omega) << known.segments << " mode " << mode;
        }
    }
}

TEST(Moorings, AMassOnOneSegmentSwingsAndDecaysAsASpring) {
    for (const double zeta : {0.0, 0.05}) {
        Lines lines;
        lines.all.water.gravity = {};
        MooringLine& line = lines.chain(2, 1000, 1);
        line.normal_drag = line.tangential_drag = line.normal_added_mass = 0;
        line.end[0] = Lines::at({0, 0, -1});
        line.end[1] = lines.free({2.5, 0, -1}, 5); // stretched all the time
        const double mass = 5 + 0.5 * 2 * line.mass, k = line.stiffness / line.length;
        line.damping = 2 * zeta * std::sqrt(k * mass) * line.length;
        lines.assemble(false);
        lines.node(1).velocity = lines.node(2).velocity = {}; // at rest, 0.5 m from the balance: ends at 2 m
        const double omega = std::sqrt(k / mass), dt = tau / omega / 2000;
        // it swings on the stretched side alone for a quarter of a period
        int n = 0;
        while (lines.node(2).place.x > 2 && n < 2000) lines.step(dt), ++n;
        const double damped = omega * std::sqrt(1 - zeta * zeta),
                     quarter = (std::numbers::pi - std::acos(zeta)) / damped;
        EXPECT_NEAR(lines.time, quarter, 2 * dt) << zeta;
        const double speed = 0.5 * omega * std::exp(-zeta * omega * quarter);
        EXPECT_NEAR(-lines.node(2).velocity.x, speed, 2e-3 * speed) << zeta;
    }
}

TEST(Moorings, AFreeLineFallsAtItsTerminalSpeed) {
    Lines lines;
    MooringLine& line = lines.chain(0.5, 2900, 10);
    line.end[0] = lines.free({0, 0, -1});
    line.end[1] = lines.free({0.5, 0, -1});
    lines.assemble(false);
    lines.run(0.001, 800);
    const double exact = std::sqrt(2 * chain_weight() / (1000 * 1.6 * 3.656e-3));
    EXPECT_NEAR(exact, 0.4103, 1e-4);
    for (const int k : {0, 5, 10}) EXPECT_NEAR(-lines.node(k).velocity.z, exact, 1e-6);
}

TEST(Moorings, BetweenTwoBoxesALinePullsAtBothAlike) {
    Lines lines;
    lines.all.water.gravity = {};
    MooringLine& line = lines.chain(0.9, 50, 12);
    line.normal_drag = line.tangential_drag = line.normal_added_mass = 0;
    line.damping = 0.2;
    lines.bodies = {box({0, 0, -1}, 2), box({1.2, 0, -1}, 2)};
    line.end[0] = Lines::on_body(0, {0.1, 0, -1});
    line.end[1] = Lines::on_body(1, {1.1, 0, -1});
    lines.assemble();
    lines.step(1e-3);
    EXPECT_GT(lines.loads[0].mooring.force.x, 1);
    EXPECT_NEAR(lines.loads[0].mooring.force.x, -lines.loads[1].mooring.force.x, 1e-12);
    lines.bodies[1].mass = 5; // now unlike, and turning
    lines.states[0].angular_velocity = {1, 2, 3};
    const auto momentum = [&] {
        Vec3d sum;
        for (std::size_t b = 0; b < 2; ++b) sum = sum + lines.bodies[b].mass * lines.states[b].velocity;
        for (int k = 1; k < line.segments; ++k)
            sum = sum + (line.mass * line.length / line.segments) * lines.node(k).velocity;
        return sum;
    };
    const Vec3d before = momentum();
    lines.run(1e-3, 300);
    EXPECT_GT(std::abs(lines.states[0].velocity.y), 1e-4) << "it has turned the line out of its plane";
    EXPECT_NEAR(norm(momentum() - before), 0, 1e-13);
    const LineState& state = lines.now.lines[0];
    EXPECT_NEAR(state.impulse[0].x, 2 * lines.states[0].velocity.x, 1e-12) << "what the line has given in all";
}

TEST(Moorings, ALineBreaksInTheStepThatPullsTooMuchAndPullsNoMore) {
    Lines lines;
    lines.all.water.gravity = {};
    MooringLine& line = lines.chain(1, 100, 1);
    line.most_tension = 5; // at 5 % strain
    lines.bodies = {box({1, 0, -1}, 1e9)};
    lines.bodies[0].velocity = {1, 0, 0};
    line.end[0] = Lines::at({0, 0, -1});
    line.end[1] = Lines::on_body(0, {1, 0, -1});
    lines.assemble(false, 1e-4);
    lines.run(1e-3, 49);
    EXPECT_TRUE(lines.now.lines[0].holds());
    EXPECT_LT(lines.loads[0].mooring.force.x, -4.5);
    lines.run(1e-3, 2);
    const double h = 1e-3 / line_sub_steps(lines.all.view(), 1e-3);
    EXPECT_GT(lines.now.lines[0].broken_at, 0.05) << "the first sub-step beyond it";
    EXPECT_LT(lines.now.lines[0].broken_at, 0.05 + 1.01 * h);
    lines.run(1e-3, 1);
    EXPECT_EQ(norm(lines.loads[0].mooring.force), 0);
    const BodyState before = lines.states[0];
    const double impulse = lines.now.lines[0].impulse[1].x;
    lines.run(1e-3, 10);
    EXPECT_EQ(lines.states[0].velocity, before.velocity) << "nothing pulls at the body";
    EXPECT_EQ(lines.now.lines[0].impulse[1].x, impulse);
}

TEST(Moorings, ShorterSubStepsGiveTheSameTension) {
    double tension[2];
    for (int half = 0; half < 2; ++half) {
        Lines lines;
        MooringLine& line = lines.chain(0.45, 2900, 20, -0.45);
        line.damping = 0.8 * 0.45 / 20 * std::sqrt(2900 * line.mass);
        lines.bodies = {box({0, 0, -0.1}, 3)};
        lines.bodies[0].velocity = {0.6, 0, 0.2};
        line.end[0] = Lines::at({-0.2, 0, -0.45});
        line.end[1] = Lines::on_body(0, {0, 0, -0.1});
        lines.assemble();
        lines.all.water.gravity = {};
        if (half == 1) lines.all.step *= 0.5;
        lines.run(2e-4, 750);
        tension[half] = norm(lines.now.lines[0].impulse[1]);
        EXPECT_FALSE(lines.fault.any());
    }
    EXPECT_GT(tension[0], 0.05);
    EXPECT_NEAR(tension[1], tension[0], 1e-4 * tension[0]);
}

TEST(Moorings, FrictionHoldsALineOnTheBottomUntilItSlides) {
    const auto pulled = [](double coefficient) {
        Lines lines;
        lines.all.water.friction = coefficient;
        lines.all.water.friction_damping = 200;
        MooringLine& line = lines.chain(1, 100, 10, -0.5);
        line.damping = 1;
        line.end[0] = lines.free({0, 0, -0.5});
        line.end[1] = Lines::on_body(0, {1, 0, -0.5});
        lines.bodies = {box({1, 0, -0.5}, 1e9)};
        lines.bodies[0].translates = {1, 0, 0};
        lines.bodies[0].velocity = {0.05, 0, 0};
        lines.assemble(false);
        lines.run(1e-3, 3000);
        return lines;
    };
    Lines rough = pulled(0.5), smooth = pulled(0);
    const double drag = 0.5 * 0.05 * 1000 * std::numbers::pi * 3.656e-3 * 0.05 * 0.05; // of the surface
    const double lying = 0.95 * chain_weight(); // the last node does not press on the bottom
    EXPECT_NEAR(-rough.report().force[1].x - drag, 0.5 * lying, 0.005 * lying);
    EXPECT_NEAR(-smooth.report().force[1].x, drag, 0.005 * chain_weight());
    EXPECT_NEAR(rough.node(0).place.x, 0.145, 0.01) << "it slides along behind";
}

TEST(Moorings, AConnectHangsWhereItsWeightsBalance) {
    Lines lines; // two steep lines and a heavy node: the angle follows from the weights
    lines.all.water.surface = -100;
    const Vec3d middle{0.5, 0, -1};
    for (int side = 0; side < 2; ++side) {
        MooringLine& line = lines.chain(1.2, 1e4, 8);
        line.damping = 5;
        line.normal_drag = 0;
        line.end[0] = Lines::at({double(side), 0, 0});
        line.end[1] = side == 0 ? lines.free(middle, 2) : LineEnd{LineHold::connect, 0, middle};
    }
    lines.assemble(false);
    lines.drag = 1;
    lines.all.water.surface = 10;   // water damps it
    lines.all.water.density = 1e-3; // and does not carry it
    for (MooringLine& line : lines.all.lines) line.normal_drag = line.tangential_drag = 3e7;
    lines.run(0.002, 3900);
    const Vec3d given = lines.now.lines[0].impulse[0] + lines.now.lines[1].impulse[0];
    lines.run(0.002, 100);
    const MooringNode& hung = lines.node(lines.connect_node());
    EXPECT_NEAR(hung.place.x, 0.5, 1e-6);
    EXPECT_NEAR(norm(hung.velocity), 0, 1e-4);
    const double weight = (2 + 0.0607 * 2.4) * g;
    EXPECT_NEAR(-lines.report(0).force[0].z - lines.report(1).force[0].z, weight, 1e-3 * weight);
    const Vec3d impulse = lines.now.lines[0].impulse[0] + lines.now.lines[1].impulse[0] - given;
    EXPECT_NEAR(-impulse.z, 0.2 * weight, 1e-3 * weight) << "over 0.2 s";
}

TEST(Moorings, ForcesOnBodiesGrowWithTheSquareOfTheRamp) {
    Lines lines;
    MooringLine& line = lines.chain(1, 2900, 10, -1.5);
    line.end[0] = Lines::at({-0.5, 0, -1.5});
    line.end[1] = Lines::on_body(0, {0.5, 0, -1});
    lines.bodies = {box({0.5, 0, -1}, 1e9)};
    lines.bodies[0].released = 100;
    lines.all.start = 0.1;
    lines.all.ramp = 0.2;
    lines.assemble();
    lines.run(1e-3, 50);
    EXPECT_EQ(lines.loads[0].mooring.force.x, 0) << "not yet";
    lines.run(1e-3, 150);
    EXPECT_NEAR(lines.loads[0].mooring.force.x, -306.16132 * 0.4975 * 0.4975, 0.1) << "the middle of the step";
    lines.run(1e-3, 110);
    EXPECT_NEAR(lines.loads[0].mooring.force.x, -306.16132, 1e-2);
}

TEST(Moorings, ANodeThatLosesItsCourseIsNamed) {
    Lines lines;
    for (int l = 0; l < 2; ++l) {
        MooringLine& line = lines.chain(1, l == 0 ? 29 : 2900, 10);
        line.end[0] = Lines::at({-0.5, 0, -1.5});
        line.end[1] = Lines::at({0.5, 0, -1});
    }
    lines.assemble();
    lines.node(15).velocity = {0, 1, 0};
    lines.all.step = 10 * line_step_limit(lines.all).step; // 3/ω
    lines.run(1e-3, 2000);
    EXPECT_EQ(lines.fault.line, 1);
    EXPECT_GT(lines.fault.node, 0);
    EXPECT_GT(lines.fault.time, 0);
    for (const MooringNode& node : lines.now.nodes) EXPECT_TRUE(std::isfinite(node.place.x));
}

TEST(Moorings, SubStepsFollowTheFastestVibration) {
    Lines lines;
    MooringLine& line = lines.chain(0.45, 2900, 40);
    const double omega = 2 * 40 / 0.45 * std::sqrt(2900 / 0.0607);
    EXPECT_NEAR(2 / omega, 5.15e-5, 1e-7); // the waves case of Domínguez et al. (2019) in 2-D
    EXPECT_NEAR(line_step_limit(lines.all).step, 0.3 / omega, 1e-12);
    line.stiffness = 0.01; // now the bottom is stiffer
    lines.all.water.bed_damping = 0;
    EXPECT_NEAR(line_step_limit(lines.all).step, 0.3 / std::sqrt(3e6 * 3.656e-3 / 0.0607), 1e-9);
    lines.all.water.bed_damping = 3e5;
    EXPECT_NEAR(line_step_limit(lines.all).step, 0.0607 / (3e5 * 3.656e-3), 1e-9);
    lines.all.step = 1e-4;
    EXPECT_EQ(line_sub_steps(lines.all.view(), 2.5e-4), 3);
}
