// SPDX-License-Identifier: Apache-2.0
#include "cuda/passes/wave_absorption.h"
#include "cuda/shares/shared_steps.h"

#include <algorithm>
#include <tuple>
#include <utility>

// The passes of a step that end with an exchange between the devices of a run, and that exchange.

namespace sluice::cuda {

namespace {

/// An array of a device that it sends to others.
template <class T>
struct Offered {
    const T* array;
    std::size_t count;

    std::size_t bytes() const { return array ? (count * sizeof(T) + 15) / 16 * 16 : 0; } ///< with what fills it up
};

} // namespace

ShareCopies SharedSteps::no_copies(ShareCopies::StreamOf stream) {
    return {devices_, group_, ways_.all_connected, remote_, stream};
}

/// Adds copies of the boundary particles `seen` by `to` that others step. All levels are for those that `to`
/// will step itself.
void SharedSteps::add_walls(ShareCopies& copies, std::size_t to, const Range& seen, Levels levels) {
    for (std::size_t from = 0; from < devices_.size(); ++from) {
        if (from == to) continue;
        const Range walls = common_part(own_walls_[from], seen);
        const auto add = [&](auto&& array_of) {
            const auto of = [&](std::size_t d) {
                return devices_[d] ? array_of(devices_[d]->queue()) + walls.begin : nullptr;
            };
            copies.add(from, of(from), to, of(to), size_of(walls));
        };
        add([](StepQueue& q) { return q.state().position; });
        if (levels != Levels::interacting) add([](StepQueue& q) { return q.state().flow; });
        if (levels == Levels::all) add([](StepQueue& q) { return q.state().previous; });
        if (levels == Levels::interacting) add([](StepQueue& q) { return q.interacting(q.state()); });
    }
}

/// Every stream waits until all streams have reached this point.
void SharedSteps::wait_for_all() {
    for_each([](DeviceShare& d) { d.mark(); });
    for_each([this](DeviceShare& device) {
        for (auto& other : devices_)
            if (other) device.wait_for(*other);
    });
}

/// Calls `take(receiver, its number, the number of the sender, arrays…)` for every two devices, the receiver being the
/// current one, with the arrays that `offer(sender)` names, a tuple of Offered, as the receiver's stream can read them:
/// in place, or in a copy.
template <class Offer, class Take>
void SharedSteps::exchange_results(Offer&& offer, Take&& take) {
    for_each([](DeviceShare& d) { d.mark(); });
    const auto of_one = offer(first()); // as much of each
    const std::size_t bytes = std::apply([](const auto&... offered) { return (offered.bytes() + ... + 0); }, of_one);
    // room for what one device of this process has at a time, and for that of all others
    const auto others =
        static_cast<std::size_t>(std::ranges::count_if(devices_, [](const auto& device) { return device == nullptr; }));
    if (others > 0) for_each([&](DeviceShare& d) { d.room_for_copies(bytes * (1 + others)); });
    for (std::size_t to = 0; to < devices_.size(); ++to) {
        std::size_t place = bytes;
        for (std::size_t from = 0; from < devices_.size(); ++from) {
            if (from == to || (devices_[from] != nullptr) == (devices_[to] != nullptr)) continue;
            const auto send = [&](const auto& offered) {
                if (offered.bytes() > 0)
                    remote_.send(group_.process_of(to), *devices_[from], devices_[from]->stream(), offered.array,
                                 offered.count * sizeof *offered.array);
            };
            const auto receive = [&](const auto& offered) {
                if (offered.bytes() > 0)
                    remote_.receive(group_.process_of(from), *devices_[to], devices_[to]->stream(),
                                    devices_[to]->room_for_copies(0) + place, offered.count * sizeof *offered.array);
                place += offered.bytes();
            };
            if (devices_[from])
                std::apply([&](const auto&... offered) { (send(offered), ...); }, offer(*devices_[from]));
            else
                std::apply([&](const auto&... offered) { (receive(offered), ...); }, of_one);
        }
    }
    remote_.deliver();
    for (std::size_t to = 0; to < devices_.size(); ++to) {
        if (!devices_[to]) continue;
        DeviceShare& receiver = *devices_[to];
        receiver.select();
        std::byte* next = receiver.room_for_copies(0) + bytes;
        for (std::size_t from = 0; from < devices_.size(); ++from) {
            if (from == to) continue;
            const auto pass_on = [&](const auto&... arrays) { take(receiver, to, from, arrays...); };
            if (const auto& sender = devices_[from]) {
                receiver.wait_for(*sender);
                PeerReader reader(receiver, ways_.all_connected, bytes);
                std::apply(
                    [&](const auto&... offered) {
                        std::apply(pass_on, std::tuple{reader.read(*sender, offered.array, offered.count)...});
                    },
                    offer(*sender));
            } else
                std::apply(
                    [&](const auto&... offered) {
                        const auto come = [&](const auto& o) {
                            const auto array = o.array ? reinterpret_cast<decltype(o.array)>(next) : nullptr;
                            next += o.bytes();
                            return array;
                        };
                        std::apply(pass_on, std::tuple{come(offered)...});
                    },
                    of_one);
        }
    }
}

/// Adds copies of the fluid that `from` steps and `to` holds. `arrays`: the arrays of a device that are copied.
template <class Arrays>
void SharedSteps::add_fluid(ShareCopies& copies, std::size_t to, std::size_t from, Arrays&& arrays) {
    const Range &own = shares_[from].own, &held = shares_[to].held;
    const Range part = common_part(own, held);
    const auto add = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
        using Pointer = std::tuple_element_t<I, decltype(arrays(first()))>;
        Pointer source = nullptr, target = nullptr;
        if (const auto& d = devices_[from])
            source = std::get<I>(arrays(*d)) + d->run().own_first + (part.begin - own.begin);
        if (const auto& d = devices_[to])
            target = std::get<I>(arrays(*d)) + d->run().fluid_first + (part.begin - held.begin);
        copies.add(from, source, to, target, size_of(part));
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (add(std::integral_constant<std::size_t, I>()), ...); }
    (std::make_index_sequence<std::tuple_size_v<decltype(arrays(first()))>>());
}

/// Copies the fluid halos of all devices.
template <class Arrays>
void SharedSteps::copy_fluid(Arrays&& arrays) {
    wait_for_all();
    ShareCopies copies = no_copies(&DeviceShare::stream);
    for (std::size_t to = 0; to < devices_.size(); ++to)
        for (std::size_t from = 0; from < devices_.size(); ++from)
            if (from != to) add_fluid(copies, to, from, arrays);
    copies.enqueue();
}

/// Copies what all hold of the particles that others step, on streams that have come as far as those are. `levels`:
/// those that interact, or now, which staggered steps do not interact with.
void SharedSteps::copy_halos(ShareCopies::StreamOf stream, Levels levels) {
    ShareCopies copies = no_copies(stream);
    for (std::size_t to = 0; to < devices_.size(); ++to) {
        for (std::size_t from = 0; from < devices_.size(); ++from)
            if (from != to)
                add_fluid(copies, to, from, [levels](DeviceShare& d) {
                    const StepQueue& queue = d.queue();
                    const ParticleArrays& state = queue.state();
                    return std::pair(state.position, levels == Levels::now ? state.flow : queue.interacting(state));
                });
        add_walls(copies, to, walls_in(shares_[to].seen), levels);
    }
    copies.enqueue();
}

void SharedSteps::absorb_waves() {
    const RigidView& view = first().queue().rigid().view();
    if (view.absorber_count == 0) return;
    const std::size_t points = std::size_t(view.absorber_count) * std::size_t(view.most_check_points);
    for_each([](DeviceShare& d) { d.queue().look_at_gauges(); });
    exchange_results(
        [points](DeviceShare& from) {
            return std::tuple{Offered<double>{from.queue().rigid().view().fractions, points}};
        },
        [this](DeviceShare& to, std::size_t, std::size_t from, const double* fractions) {
            take_fractions(to.queue().interaction_args(), to.queue().rigid().view(), {shares_[from].rows, fractions},
                           to.stream());
        });
    for_each([](DeviceShare& d) { d.queue().move_absorbers(); });
}

void SharedSteps::impose_flow() {
    if (!first().queue().open().any()) return;
    const OpenView& view = first().queue().open().view();
    for_each([](DeviceShare& d) { d.queue().look_at_surfaces(); });
    const std::size_t points = std::size_t(view.finding_count) * std::size_t(view.most_check_points);
    if (points > 0)
        exchange_results(
            [points](DeviceShare& from) {
                return std::tuple{Offered<double>{from.queue().open().view().fractions, points}};
            },
            [this](DeviceShare& to, std::size_t, std::size_t from, const double* fractions) {
                take_surface_fractions(to.queue().interaction_args(), to.queue().open().view(),
                                       {shares_[from].rows, fractions}, to.stream());
            });
    for_each([](DeviceShare& d) { d.queue().impose_on_zones(); });
    copy_fluid([](DeviceShare& d) {
        const StepQueue& queue = d.queue();
        return std::pair(queue.places().sorted.position, queue.interacting(queue.places().sorted));
    });
    wait_for_all(); // what has been copied may change again
}

void SharedSteps::extrapolate_to_walls() {
    if (!first().queue().walls().any()) return;
    for_each([](DeviceShare& d) { d.queue().extrapolate_to_walls(); });
    const std::size_t walls = first().run().boundary_count;
    exchange_results(
        [walls](DeviceShare& from) {
            const StepQueue& queue = from.queue();
            return std::tuple{Offered<Flow>{queue.interacting(queue.places().sorted), walls}};
        },
        [this](DeviceShare& to, std::size_t receiver, std::size_t from, const Flow* flow) {
            to.queue().take_walls({walls_in(shares_[receiver].seen), shares_[from].rows, flow});
        });
}

void SharedSteps::find_stresses() {
    const bool has_stress = first().queue().stress().any(), has_viscosity = first().queue().viscosity().any();
    if (!has_stress && !has_viscosity) return;
    for_each([](DeviceShare& d) { d.queue().gather_stresses(); });
    if (has_viscosity)
        copy_fluid([](DeviceShare& d) { return std::tuple(d.queue().viscosity().data() - d.run().boundary_count); });
    if (!has_stress) return;
    copy_fluid([](DeviceShare& d) {
        const StressArrays arrays = d.queue().stress().arrays();
        const std::uint32_t walls = d.run().boundary_count;
        return std::pair(arrays.stress - walls, arrays.rest - walls);
    });
    for_each([](DeviceShare& d) { d.queue().add_traces_of_stresses(); });
}

void SharedSteps::diverge_stresses() {
    for_each([](DeviceShare& d) { d.queue().diverge_stresses(); });
}

void SharedSteps::interact_pairs(sph::RatesPart part) {
    if (from_inside_) return interact_from_inside();
    for_each([this, part](DeviceShare& d) {
        begin(d.work(), d.stream());
        d.queue().interact_pairs(part);
    });
}

void SharedSteps::add_contacts() {
    for_each([this](DeviceShare& d) {
        d.queue().add_contacts();
        d.queue().join_pairs();
        if (!from_inside_) end(d.work(), d.stream());
    });
    if (first().queue().rigid().view().body_count == 0 || first().queue().part() == sph::RatesPart::density) return;
    exchange_results(
        [](DeviceShare& from) {
            const RigidView& found = from.queue().rigid().view();
            return std::tuple{Offered<Vec3f>{found.acceleration, found.particles},
                              Offered<ContactForce>{found.contact, found.particles}};
        },
        [this](DeviceShare& to, std::size_t, std::size_t from, const Vec3f* acceleration, const ContactForce* contact) {
            take_reactions(to.queue().interaction_args(), to.queue().places().sorted.id, to.queue().rigid().view(),
                           {own_walls_[from], acceleration, contact}, to.stream());
        });
}

void SharedSteps::sum_loads() {
    for_each([](DeviceShare& d) { d.queue().sum_loads(); });
}

void SharedSteps::accelerate() {
    for_each([](DeviceShare& d) { d.queue().accelerate(); });
}

void SharedSteps::diffuse_densities() {
    if (!first().queue().diffusion().any()) return;
    for_each([](DeviceShare& d) { d.queue().find_density_gradients(); });
    copy_fluid([](DeviceShare& d) { return std::tuple(d.queue().diffusion().data() - d.run().boundary_count); });
    for_each([](DeviceShare& d) { d.queue().diffuse_by_gradients(); });
}

void SharedSteps::hold_flow(sph::RatesPart part) {
    for_each([part](DeviceShare& d) { d.queue().hold_flow(part); });
}

void SharedSteps::find_shifts() {
    if (!taken_) return;
    for_each([](DeviceShare& d) { d.queue().find_shifts(); });
    if (!first().queue().shifts().density_follows()) return;
    copy_fluid([](DeviceShare& d) { return std::tuple(d.queue().shifts().data() - d.run().boundary_count); });
}

void SharedSteps::follow_shifts() {
    if (taken_) for_each([](DeviceShare& d) { d.queue().follow_shifts(); });
}

void SharedSteps::finish_step() {
    if (!taken_) return;
    if (!first().queue().open().any()) return for_each([](DeviceShare& d) { d.queue().finish_step(); });
    const auto columns = static_cast<std::size_t>(first().queue().open().view().point_count);
    for_each([](DeviceShare& d) { d.queue().take_stock(); });
    exchange_results(
        [columns](DeviceShare& from) {
            const ColumnArrays& found = from.queue().open().view().columns;
            return std::tuple{Offered<unsigned long long>{found.deepest, columns},
                              Offered<std::uint32_t>{found.entered, columns}};
        },
        [](DeviceShare& to, std::size_t, std::size_t, const unsigned long long* deepest, const std::uint32_t* entered) {
            join_stock(to.control(), to.queue().open().view(), deepest, entered, to.stream());
        });
    for_each([](DeviceShare& d) { d.queue().find_ends(); });
    exchange_results(
        [columns](DeviceShare& from) {
            return std::tuple{Offered<ColumnEnd>{from.queue().open().view().columns.own_end, columns}};
        },
        [](DeviceShare& to, std::size_t, std::size_t, const ColumnEnd* ends) {
            join_ends(to.control(), to.queue().open().view(), ends, to.stream());
        });
    for_each([](DeviceShare& d) { d.queue().create_particles(); });
}

} // namespace sluice::cuda
