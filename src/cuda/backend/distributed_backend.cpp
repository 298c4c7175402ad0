// SPDX-License-Identifier: Apache-2.0
#include "cuda/backend/cuda_backend.h"

#include "backend/calls.h"
#include "backend/message_parts.h"
#include "backend/state_message.h"
#include "cuda/backend/gpu_backend.h"
#include "cuda/backend/process_devices.h"

namespace sluice {

namespace cuda {

namespace {

/// Calls `visit` with all options that are the same for every process.
template <class Options, class Visit>
void for_each_option(Options& options, const Visit& visit) {
    auto& [device, devices, slots_to_spare, direct_copies, begins_inside, mode, mode_before, memory_limit,
           neighbour_list, skin, graphs] = options;
    visit(device, slots_to_spare, direct_copies, begins_inside, mode, mode_before, memory_limit, neighbour_list, skin,
          graphs);
}

bool is_of_all_processes(const std::exception& error) { return dynamic_cast<const FoundByAll*>(&error) != nullptr; }

/// A process and its part of the run.
class LocalProcess {
public:
    LocalProcess(const RunSetup& setup, std::uint32_t particles, CudaOptions options, Transport& processes,
                 const std::atomic<int>* stop)
        : stop_(stop) {
        options.devices = devices_of_process(processes, options.device, options.devices.size(), count_gpus());
        backend_ = std::make_unique<GpuBackend>(setup, particles, options, &processes);
    }

    GpuBackend& backend() { return *backend_; }
    /// The signal by which some process was asked to stop, or 0. All processes at once.
    int agreed_stop() const { return backend_->group().largest(stop_ ? stop_->load() : 0); }

    /// Makes the calls that process 0 broadcasts until that is `leave`.
    void serve(Transport& processes) {
        serve_calls(processes, is_of_all_processes, [this](Call call, MessageReader& in) { perform(call, in); });
    }

private:
    void perform(Call call, MessageReader& in) {
        std::vector<Vec3f> acceleration;
        std::vector<float> numbers;
        backend_->take_excluded(); // process 0 reports what has left
        backend_->take_passed();
        switch (call) {
        case Call::set_state: backend_->set_state(get_state(in)); break;
        case Call::advance:
            backend_->advance(in.get<AdvanceLimits>());
            agreed_stop();
            break;
        case Call::next_time_step: backend_->next_time_step(); break;
        case Call::state: backend_->state(); break;
        case Call::frame: backend_->state_and_gradients(in.get<bool>(), numbers); break;
        case Call::rates: backend_->rates(acceleration, numbers); break;
        case Call::take_excluded:
        case Call::take_passed:
        case Call::leave: break;
        }
    }

    const std::atomic<int>* stop_;
    std::unique_ptr<GpuBackend> backend_;
};

class DistributedBackend final : public Backend {
public:
    DistributedBackend(const RunSetup& setup, std::uint32_t particles, const CudaOptions& options, Transport& processes,
                       std::atomic<int>* stop)
        : stop_(stop), call_(processes, is_of_all_processes) {
        MessageWriter message;
        message.put(RunsOn::gpus);
        put_whole(message, setup);
        message.put(particles);
        for_each_option(options, [&](const auto&... option) { (message.put(option), ...); });
        message.put(options.devices.size());
        call_(message.take(),
              [&] { member_ = std::make_unique<LocalProcess>(setup, particles, options, processes, stop); });
    }
    BackendInfo info() const override { return mine().info(); }

    void set_state(const ParticleState& state) override {
        MessageWriter message = message_of(Call::set_state);
        put_state(message, state);
        call_(message.take(), [&] { mine().set_state(state); });
    }

    AdvanceReport advance(const AdvanceLimits& limits) override {
        MessageWriter message = message_of(Call::advance);
        message.put(limits);
        return call_(message.take(), [&] {
            const AdvanceReport report = mine().advance(limits);
            int none = 0;
            if (const int signal = member_->agreed_stop(); stop_ && signal != 0)
                stop_->compare_exchange_strong(none, signal);
            return report;
        });
    }

    double next_time_step() override {
        return call_(message_of(Call::next_time_step).take(), [&] { return mine().next_time_step(); });
    }

    ParticleState state() override {
        return call_(message_of(Call::state).take(), [&] { return mine().state(); });
    }

    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override {
        MessageWriter message = message_of(Call::frame);
        message.put(!wanted.from(FieldSource::neighbours).empty());
        return call_(message.take(), [&] { return mine().snapshot(wanted); });
    }

    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override {
        call_(message_of(Call::rates).take(), [&] { mine().rates(acceleration, density_rate); });
    }

    std::vector<BodyReport> bodies() const override { return mine().bodies(); }
    std::vector<ExcludedParticle> take_excluded() override { return mine().take_excluded(); }
    std::vector<ZonePassage> take_passed() override { return mine().take_passed(); }
    PhaseSeconds phase_seconds() const override { return mine().phase_seconds(); }
    std::size_t memory_bytes() const override { return mine().memory_bytes(); }

private:
    GpuBackend& mine() const { return member_->backend(); }

    std::atomic<int>* stop_;
    std::unique_ptr<LocalProcess> member_;
    Caller call_; ///< goes first: the others leave
};

} // namespace
} // namespace cuda

std::unique_ptr<Backend> make_cuda_backend(const RunSetup& setup, std::uint32_t particle_count,
                                           const CudaOptions& options, Transport& processes, std::atomic<int>* stop) {
    return std::make_unique<cuda::DistributedBackend>(setup, particle_count, options, processes, stop);
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
    cuda::LocalProcess(setup, particles, options, processes, &stop).serve(processes);
}

} // namespace sluice
