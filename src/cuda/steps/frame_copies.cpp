// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/frame_copies.h"

#include "backend/state_frame.h"
#include "core/error.h"
#include "core/log.h"
#include "cuda/data/placed_particles.h"
#include "physics/sph/equation_of_state.h"
#include "physics/sph/flow_gradients.h"
#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace sluice::cuda {

namespace {

constexpr std::size_t record_bytes = sizeof(FramePosition) + sizeof(Flow);
constexpr const char* copying = "copying a frame from the GPU";

/// Calls use(part, first, end) for the parts of 0 … count, several at once if there are many.
template <class Use>
void in_parts(std::uint32_t count, unsigned parts, Use&& use) {
    const auto bound = [&](unsigned part) { return static_cast<std::uint32_t>(std::uint64_t(count) * part / parts); };
    std::vector<std::jthread> others;
    for (unsigned part = 1; part < parts; ++part)
        others.emplace_back([&, part] { use(part, bound(part), bound(part + 1)); });
    use(0u, bound(0), bound(1));
}

unsigned parts_for(std::uint32_t count) {
    constexpr std::uint32_t worth_a_thread = 500000;
    return std::clamp(count / worth_a_thread, 1u, std::clamp(std::thread::hardware_concurrency() / 2, 1u, 8u));
}

} // namespace

FrameHostMemory::FrameHostMemory(std::size_t bytes, bool page_locked) : bytes_(bytes) {
    if (page_locked) locked_ = PageLockedBytes::if_possible(bytes);
    if (!locked_.data()) plain_ = std::make_unique_for_overwrite<std::byte[]>(bytes); // does as well, only slower
}

/// A frame in one of the slots, which it frees when it has been got or is given up.
class FrameCopies::Pending final : public PendingFrame {
public:
    Pending(FrameCopies& copies, Slot& slot) : copies_(copies), slot_(&slot) {}
    ~Pending() override {
        if (slot_) copies_.free_slot(*slot_);
    }
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;

    Frame get() override {
        if (!slot_) throw RunError("a frame was asked for twice");
        use_device(copies_.device_); // this thread may be a new one
        slot_->arrived.wait(copying);
        Frame frame = copies_.frame_of(*slot_);
        copies_.free_slot(*std::exchange(slot_, nullptr));
        return frame;
    }

private:
    FrameCopies& copies_;
    Slot* slot_;
};

FrameCopies::FrameCopies(const RunSetup& setup, const FixedGrid& grid, const GridPeriod& period, int device)
    : setup_(setup), grid_(grid), period_(period), device_(device) {}

FrameCopies::~FrameCopies() { finish_work({stream_}); }

FrameCopies::Slot& FrameCopies::take_slot() {
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [&] { return !slots_[0].busy || !slots_[1].busy; });
    Slot& slot = slots_[slots_[0].busy ? 1 : 0];
    slot.busy = true;
    return slot;
}

void FrameCopies::free_slot(Slot& slot) {
    {
        const std::lock_guard lock(mutex_);
        slot.busy = false;
    }
    freed_.notify_one();
}

bool FrameCopies::has_buffer(std::uint32_t ids, DeviceMemory& memory) {
    if (buffer_.size() >= ids * record_bytes) return true;
    if (no_room_) return false;
    wait_for(stream_, copying);
    try {
        buffer_ = DeviceArray<std::byte>();
        buffer_ = DeviceArray<std::byte>(memory, ids * record_bytes, "copies of frames");
    } catch (const RunError& error) { // others have taken what the plan counted on
        no_room_ = true;
        spdlog::warn("warning: {}; the steps wait while a frame is copied", error.what());
    }
    return !no_room_;
}

std::unique_ptr<PendingFrame> FrameCopies::begin(FrameSource source, bool buffered, DeviceMemory& memory,
                                                 cudaStream_t steps) {
    Slot& slot = take_slot();
    auto pending = std::make_unique<Pending>(*this, slot); // frees the slot if anything fails
    const std::size_t bytes = source.pack.ids * record_bytes;
    const bool beside = buffered && has_buffer(source.pack.ids, memory);
    if (slot.host.bytes() < bytes) {
        slot.host = FrameHostMemory();
        slot.host = FrameHostMemory(bytes, beside);
    }
    slot.ids = source.pack.ids;
    slot.step = source.step;
    slot.time = source.time;
    slot.wanted = source.wanted;
    slot.flow_gradients = std::move(source.flow_gradients);
    slot.bodies = std::move(source.bodies);
    slot.absorbers = std::move(source.absorbers);
    slot.moorings = std::move(source.moorings);
    slot.work = source.work;
    if (beside)
        copy_beside_steps(source, slot, steps);
    else
        copy_between_steps(source, slot, steps);
    return pending;
}

void FrameCopies::copy_beside_steps(const FrameSource& source, Slot& slot, cudaStream_t steps) {
    buffer_free_.let_wait(steps, copying); // the frame before may still be on its way
    auto* const position = reinterpret_cast<FramePosition*>(buffer_.data());
    pack_frame(source.pack, position, reinterpret_cast<Flow*>(position + source.pack.ids), steps);
    packed_.record(steps, copying);
    packed_.let_wait(stream_, copying);
    copy_to_host(slot.host.data(), buffer_.data(), source.pack.ids * record_bytes, stream_, copying);
    buffer_free_.record(stream_, copying);
    slot.arrived.record(stream_, copying);
}

void FrameCopies::copy_between_steps(const FrameSource& source, Slot& slot, cudaStream_t steps) {
    auto* const position = reinterpret_cast<FramePosition*>(slot.host.data());
    auto* const flow = reinterpret_cast<Flow*>(position + source.pack.ids);
    for (std::uint32_t first = 0; first < source.pack.ids; first += source.spare_ids) {
        FramePackArgs part = source.pack;
        part.first_id = first;
        part.ids = std::min(source.spare_ids, source.pack.ids - first);
        auto* const positions = source.spare.as<FramePosition>();
        pack_frame(part, positions, nullptr, steps);
        copy_to_host(position + first, positions, part.ids * sizeof(FramePosition), steps, copying);
        auto* const flows = source.spare.as<Flow>();
        pack_frame(part, nullptr, flows, steps);
        copy_to_host(flow + first, flows, part.ids * sizeof(Flow), steps, copying);
    }
    slot.arrived.record(steps, copying);
    slot.arrived.wait(copying);
}

Frame FrameCopies::frame_of(const Slot& slot) const {
    const auto* const position = reinterpret_cast<const FramePosition*>(slot.host.data());
    const auto* const flow = reinterpret_cast<const Flow*>(position + slot.ids);
    const unsigned parts = parts_for(slot.ids);
    std::vector<std::uint32_t> present(parts);
    in_parts(slot.ids, parts, [&](unsigned part, std::uint32_t first, std::uint32_t end) {
        present[part] = static_cast<std::uint32_t>(std::count_if(
            position + first, position + end, [](const FramePosition& p) { return p.cell != FramePosition::absent; }));
    });
    std::vector<std::uint32_t> begin(parts + 1, 0);
    for (unsigned part = 0; part < parts; ++part) begin[part + 1] = begin[part] + present[part];

    Frame frame;
    frame.step = slot.step;
    frame.time = slot.time;
    frame.id.resize(begin[parts]);
    frame.position.resize(begin[parts]);
    frame.velocity.resize(begin[parts]);
    frame.density.resize(begin[parts]);
    frame.pressure.resize(begin[parts]);
    const sph::EquationOfState<float> eos(setup_.constants);
    in_parts(slot.ids, parts, [&](unsigned part, std::uint32_t first, std::uint32_t end) {
        std::uint32_t k = begin[part];
        for (std::uint32_t id = first; id < end; ++id) {
            const FramePosition& p = position[id];
            if (p.cell == FramePosition::absent) continue;
            frame.id[k] = id;
            frame.position[k] = setup_.domain.min + metres(grid_, period_, {p.x, p.y, p.z, 0}, p.cell);
            frame.velocity[k] = {flow[id].vx, flow[id].vy, flow[id].vz};
            frame.density[k] = flow[id].rho;
            frame.pressure[k] = eos.pressure(flow[id].rho);
            ++k;
        }
    });
    set_densities_of_fluids(frame, setup_);
    add_flow_gradients(frame, slot.wanted, [&](std::size_t k) {
        const std::uint32_t id = frame.id[k];
        return setup_.groups.is_fluid(id) ? &slot.flow_gradients[std::size_t(id) * sph::flow_gradient_sums] : nullptr;
    });
    frame.bodies = bodies_of_frame(slot.bodies, setup_);
    frame.absorbers = slot.absorbers;
    frame.moorings = slot.moorings;
    frame.work = slot.work;
    return frame;
}

} // namespace sluice::cuda
