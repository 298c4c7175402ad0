// SPDX-License-Identifier: Apache-2.0
#include "cuda/backend/cuda_backend.h"

#include "backend/message_parts.h"
#include "backend/state_message.h"
#include "cuda/backend/shared_backend.h"

namespace sluice {

namespace cuda {

namespace {

/// The calls that process 0 broadcasts to all processes.
enum class GpuOrder : std::uint8_t { set_state, advance, next_time_step, state, look, look_at_gradients, rates, leave };

/// Calls `visit` with all options that are the same for every process.
template <class Options, class Visit>
void for_each_option(Options& options, const Visit& visit) {
    auto& [device, devices, slots_to_spare, direct_copies, begins_inside, mode, mode_before, memory_limit,
           neighbour_list, skin, graphs] = options;
    visit(device, slots_to_spare, direct_copies, begins_inside, mode, mode_before, memory_limit, neighbour_list, skin,
          graphs);
}

MessageWriter order(GpuOrder what) {
    MessageWriter message;
    message.put(what);
    return message;
}

/// A process and its part of the run.
class TeamMember {
public:
    TeamMember(const RunSetup& setup, std::uint32_t particles, CudaOptions options, Transport& processes,
               const std::atomic<int>* stop)
        : stop_(stop) {
        options.devices = devices_of_process(processes, options.device, options.devices.size(), count_gpus());
        backend_ = std::make_unique<SharedBackend>(setup, particles, options, &processes);
    }

    SharedBackend& backend() { return *backend_; }
    /// The signal by which some process was asked to stop, or 0. All processes at once.
    int agreed_stop() const { return backend_->team().largest(stop_ ? stop_->load() : 0); }

    /// Makes the calls that process 0 broadcasts until that is `leave`.
    void serve(Transport& processes) {
        while (true) {
            const Message message = all_gather(processes, Message())[0];
            MessageReader in(message);
            const auto what = in.get<GpuOrder>();
            if (what == GpuOrder::leave) return;
            try {
                perform(what, in);
            } catch (const FoundByAll&) { // process 0 reports it
            }
            backend_->take_excluded();
            backend_->take_passed();
        }
    }

private:
    void perform(GpuOrder what, MessageReader& in) {
        std::vector<Vec3f> acceleration;
        std::vector<float> numbers;
        switch (what) {
        case GpuOrder::set_state: {
            ParticleState state;
            get_scalars(in, state);
            get_particles(in, state);
            state.section.owner = in.get_text();
            state.section.bytes = in.get_all<std::byte>();
            backend_->set_state(state);
            break;
        }
        case GpuOrder::advance:
            backend_->advance(in.get<AdvanceLimits>());
            agreed_stop();
            break;
        case GpuOrder::next_time_step: backend_->next_time_step(); break;
        case GpuOrder::state: backend_->state(); break;
        case GpuOrder::look: backend_->look(false, numbers); break;
        case GpuOrder::look_at_gradients: backend_->look(true, numbers); break;
        case GpuOrder::rates: backend_->rates(acceleration, numbers); break;
        case GpuOrder::leave: break;
        }
    }

    const std::atomic<int>* stop_;
    std::unique_ptr<SharedBackend> backend_;
};

class TeamBackend final : public Backend {
public:
    TeamBackend(const RunSetup& setup, std::uint32_t particles, const CudaOptions& options, Transport& processes,
                std::atomic<int>* stop)
        : processes_(processes), stop_(stop) {
        MessageWriter message;
        message.put(RunsOn::gpus);
        put_whole(message, setup);
        message.put(particles);
        for_each_option(options, [&](const auto&... option) { (message.put(option), ...); });
        message.put(options.devices.size());
        together(message.take(),
                 [&] { member_ = std::make_unique<TeamMember>(setup, particles, options, processes, stop); });
    }
    TeamBackend(const TeamBackend&) = delete;
    TeamBackend& operator=(const TeamBackend&) = delete;
    ~TeamBackend() override {
        try {
            all_gather(processes_, order(GpuOrder::leave).take());
        } catch (const RankLost&) { // they have left
        }
    }

    BackendInfo info() const override { return mine().info(); }

    void set_state(const ParticleState& state) override {
        MessageWriter message = order(GpuOrder::set_state);
        put_scalars(message, state);
        put_particles(message, state, 0, state.size());
        message.put_all(state.section.owner);
        message.put_all(state.section.bytes);
        together(message.take(), [&] { mine().set_state(state); });
    }

    AdvanceReport advance(const AdvanceLimits& limits) override {
        MessageWriter message = order(GpuOrder::advance);
        message.put(limits);
        AdvanceReport report;
        together(message.take(), [&] {
            report = mine().advance(limits);
            int none = 0;
            if (const int signal = member_->agreed_stop(); stop_ && signal != 0)
                stop_->compare_exchange_strong(none, signal);
        });
        return report;
    }

    double next_time_step() override {
        double dt = 0;
        together(order(GpuOrder::next_time_step).take(), [&] { dt = mine().next_time_step(); });
        return dt;
    }

    ParticleState state() override {
        ParticleState state;
        together(order(GpuOrder::state).take(), [&] { state = mine().state(); });
        return state;
    }

    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override {
        const bool gradients = !wanted.from(FieldSource::neighbours).empty();
        std::unique_ptr<PendingFrame> frame;
        together(order(gradients ? GpuOrder::look_at_gradients : GpuOrder::look).take(),
                 [&] { frame = mine().snapshot(wanted); });
        return frame;
    }

    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override {
        together(order(GpuOrder::rates).take(), [&] { mine().rates(acceleration, density_rate); });
    }

    std::vector<BodyReport> bodies() const override { return mine().bodies(); }
    std::vector<ExcludedParticle> take_excluded() override { return mine().take_excluded(); }
    std::vector<ZonePassage> take_passed() override { return mine().take_passed(); }
    PhaseSeconds phase_seconds() const override { return mine().phase_seconds(); }
    std::size_t memory_bytes() const override { return mine().memory_bytes(); }

private:
    SharedBackend& mine() const { return member_->backend(); }

    /// Broadcasts a call to the others, and makes it, too.
    template <class Work>
    void together(const Message& message, const Work& work) {
        try {
            all_gather(processes_, message);
            work();
        } catch (const RankLost&) {
            std::rethrow_exception(processes_.failure());
        } catch (const FoundByAll&) {
            throw;
        } catch (...) {
            processes_.abandon(std::current_exception());
            throw;
        }
    }

    Transport& processes_;
    std::atomic<int>* stop_;
    std::unique_ptr<TeamMember> member_;
};

} // namespace
} // namespace cuda

std::unique_ptr<Backend> make_cuda_backend(const RunSetup& setup, std::uint32_t particle_count,
                                           const CudaOptions& options, Transport& processes, std::atomic<int>* stop) {
    return std::make_unique<cuda::TeamBackend>(setup, particle_count, options, processes, stop);
}

void serve_gpu_run(const Message& begin, Transport& processes, const std::atomic<int>& stop) {
    MessageReader in(begin);
    in.get<RunsOn>();
    RunSetup setup;
    get_whole(in, setup);
    const auto particles = in.get<std::uint32_t>();
    CudaOptions options;
    cuda::for_each_option(
        options, [&](auto&... option) { ((option = in.get<std::remove_reference_t<decltype(option)>>()), ...); });
    options.devices.resize(in.get<std::size_t>());
    cuda::TeamMember(setup, particles, options, processes, &stop).serve(processes);
}

} // namespace sluice
