// SPDX-License-Identifier: Apache-2.0
#include "cuda/cuda_backend.h"

#include "core/error.h"
#include "cuda/gpu_devices.h"
#include "cuda/step_queue.h"
#include "run/state_frame.h"
#include "run/time_loop.h"
#include "sph/equation_of_state.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <tuple>

namespace sluice {

namespace {

using namespace cuda;

/// A recorded batch of steps.
class StepGraph {
public:
    StepGraph() = default;
    ~StepGraph() { reset(); }
    StepGraph(const StepGraph&) = delete;
    StepGraph& operator=(const StepGraph&) = delete;

    template <class Enqueue>
    void record(cudaStream_t stream, Enqueue&& enqueue) {
        cudaGraph_t graph = nullptr;
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording a step");
        enqueue();
        check(cudaStreamEndCapture(stream, &graph), "recording a step");
        const cudaError_t status = cudaGraphInstantiate(&exec_, graph, 0);
        cudaGraphDestroy(graph);
        check(status, "preparing a recorded step");
    }
    void launch(cudaStream_t stream) const { check(cudaGraphLaunch(exec_, stream), "launching a recorded step"); }
    bool empty() const { return exec_ == nullptr; }
    void reset() {
        if (exec_) cudaGraphExecDestroy(exec_);
        exec_ = nullptr;
    }

private:
    cudaGraphExec_t exec_ = nullptr;
};

/// Page-locked host memory for the scalars that come back while steps go on, and the events that say when.
class ControlMail {
public:
    ControlMail() {
        check(cudaMallocHost(reinterpret_cast<void**>(&slots_), 2 * sizeof(Control)), "page-locked memory");
        for (cudaEvent_t& event : arrived_) check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
    }
    ~ControlMail() {
        for (cudaEvent_t event : arrived_) cudaEventDestroy(event);
        cudaFreeHost(slots_);
    }
    ControlMail(const ControlMail&) = delete;
    ControlMail& operator=(const ControlMail&) = delete;

    void request(int slot, const Control* control, cudaStream_t stream) {
        check(cudaMemcpyAsync(slots_ + slot, control, sizeof(Control), cudaMemcpyDeviceToHost, stream), "reading the step control");
        check(cudaEventRecord(arrived_[slot], stream), "reading the step control");
    }
    const Control& wait(int slot) {
        check(cudaEventSynchronize(arrived_[slot]), "stepping");
        return slots_[slot];
    }

private:
    Control* slots_ = nullptr;
    cudaEvent_t arrived_[2] = {};
};

template <class T>
std::vector<T> download(const T* from, std::size_t count) {
    std::vector<T> values(count);
    check(cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "copying from the GPU");
    return values;
}

template <class T>
void upload(const std::vector<T>& values, T* to) {
    check(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "copying to the GPU");
}

cudaDeviceProp select_device(int index) {
    select_gpu(index);
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index), "reading the device's properties");
    return properties;
}

GpuMode choose_mode(const RunSetup& setup, std::uint32_t particles, const CudaOptions& options) {
    if (setup.constants.gamma != 7)
        throw InputError("gamma " + std::to_string(setup.constants.gamma) + ": the GPU backend is built for gamma 7 only, use --backend cpu");
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for free memory");
    GpuMemoryRequest request{setup, particles, double(free), options.mode, options.neighbour_list};
    if (options.memory_limit) request.available = std::min(request.available, double(*options.memory_limit));
    const GpuMemoryPlan plan = plan_gpu_memory(request);
    if (!plan.choice) throw RunError("GPU memory: " + plan.why);
    return *plan.choice;
}

} // namespace

class CudaBackend final : public Backend {
public:
    CudaBackend(const RunSetup& setup, std::uint32_t particle_count, const CudaOptions& options)
        : properties_(select_device(options.device)), setup_(setup), mode_(choose_mode(setup, particle_count, options)),
          queue_(setup, particle_count, mode_, options, stream_), steps_per_graph_(graph_length(particle_count)) {}

    BackendInfo info() const override;
    void set_state(const ParticleState& state) override;
    AdvanceReport advance(const AdvanceLimits& limits) override;
    double next_time_step() override;
    ParticleState state() override;
    std::unique_ptr<PendingFrame> snapshot() override { return std::make_unique<StateFrame>(state(), setup_); }
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override;
    std::vector<ExcludedParticle> take_excluded() override;
    PhaseSeconds phase_seconds() const override;
    std::size_t memory_bytes() const override { return queue_.memory_bytes(); }

private:
    /// Steps that one launch takes: as many as keep the host out of the way, few enough to stop soon.
    static int graph_length(std::uint32_t particles) { return particles < 1000000 ? 16 : particles < 10000000 ? 4 : 1; }

    void enqueue_batch();
    bool is_over(const Control& control, const AdvanceLimits& limits, std::int64_t last_step) const;
    void settle();
    void renew_lists();
    void interact_once();
    void collect_excluded();
    AdvanceReport report() const;

    cudaDeviceProp properties_;
    RunSetup setup_;
    GpuMode mode_;
    Stream stream_;
    StepQueue queue_;
    ControlMail mail_;
    StepGraph graph_;
    int steps_per_graph_;
    Control control_; ///< as last read from the device
    std::vector<ExcludedParticle> excluded_;
};

BackendInfo CudaBackend::info() const {
    BackendInfo info;
    info.backend = "cuda";
    info.mode = mode_info(gpu_modes, mode_).name;
    info.cells = gpu_cell_divisions(mode_) == 2 ? "h" : "2h";
    info.simd = "sm_" + std::to_string(properties_.major) + std::to_string(properties_.minor);
    info.device = properties_.name;
    info.threads = 1;
    return info;
}

void CudaBackend::set_state(const ParticleState& state) {
    const std::size_t n = state.size();
    if (n > queue_.capacity())
        throw RunError("GPU: a state of " + std::to_string(n) + " particles does not fit into a run of " + std::to_string(queue_.capacity()));
    stream_.wait();
    const FixedGrid& grid = queue_.grid();
    const double unit = grid.unit;
    // the order of the state is kept, but boundary particles come first
    std::vector<std::size_t> order;
    order.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
        if (state.id[i] < setup_.boundary_count) order.push_back(i);
    if (order.size() != setup_.boundary_count) throw RunError("GPU: the state holds " + std::to_string(order.size()) + " of " + std::to_string(setup_.boundary_count) + " boundary particles");
    for (std::size_t i = 0; i < n; ++i)
        if (state.id[i] >= setup_.boundary_count) order.push_back(i);

    std::vector<Position> position(n);
    std::vector<Flow> flow(n);
    std::vector<std::uint32_t> words(n);
    for (std::size_t k = 0; k < n; ++k) {
        const Vec3d& r = state.position[order[k]];
        const Units64 u{std::llround(r.x / unit), std::llround(r.y / unit), std::llround(r.z / unit)};
        position[k] = {std::int32_t(std::uint32_t(u.x)), std::int32_t(std::uint32_t(u.y)), std::int32_t(std::uint32_t(u.z)), 0};
        words[k] = cell_of(grid, u);
    }
    upload(position, queue_.state().position);
    if (queue_.state().start) upload(position, queue_.state().start);
    check(cudaMemcpy(queue_.cell(), words.data(), n * sizeof(std::uint32_t), cudaMemcpyHostToDevice), "copying to the GPU");
    for (std::size_t k = 0; k < n; ++k) words[k] = state.id[order[k]];
    upload(words, queue_.state().id);
    const auto upload_flow = [&](const std::vector<Vec3f>& v, const std::vector<float>& rho, Flow* to) {
        for (std::size_t k = 0; k < n; ++k) flow[k] = {v[order[k]].x, v[order[k]].y, v[order[k]].z, rho[order[k]]};
        upload(flow, to);
    };
    upload_flow(state.velocity, state.density, queue_.state().flow);
    upload_flow(state.velocity_previous, state.density_previous, queue_.state().previous);

    Control fresh;
    fresh.step = state.step;
    fresh.time = state.time;
    fresh.dt = state.dt;
    fresh.dt_limit = state.dt_limit;
    fresh.alive = static_cast<unsigned>(n);
    check(cudaMemcpy(queue_.control(), &fresh, sizeof fresh, cudaMemcpyHostToDevice), "copying to the GPU");
    queue_.set_count(static_cast<std::uint32_t>(n));
    graph_.reset();
    queue_.adopt_state();
    settle();
}

void CudaBackend::settle() {
    stream_.wait();
    check(cudaMemcpy(&control_, queue_.control(), sizeof control_, cudaMemcpyDeviceToHost), "reading the step control");
}

void CudaBackend::enqueue_batch() {
    const auto steps = [&] {
        for (int n = 0; n < steps_per_graph_; ++n) take_step(queue_, setup_.constants.integrator);
    };
    if (graph_.empty()) graph_.record(stream_, steps);
    graph_.launch(stream_);
}

bool CudaBackend::is_over(const Control& control, const AdvanceLimits& limits, std::int64_t last_step) const {
    return control.failed || control.step >= last_step || control.time >= limits.time || control.excluded > 0;
}

AdvanceReport CudaBackend::advance(const AdvanceLimits& limits) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(std::min(limits.wall_seconds, 1e8));
    const std::int64_t last_step = limits.steps > std::numeric_limits<std::int64_t>::max() - control_.step ? std::numeric_limits<std::int64_t>::max()
                                                                                                            : control_.step + limits.steps;
    begin_advance(queue_.control(), limits.time, last_step, stream_);
    int batches = 0;
    if (control_.step < last_step && control_.time < limits.time) {
        // one batch runs while the next one waits: the device never idles, and the host is never far ahead
        do {
            enqueue_batch();
            mail_.request(batches % 2, queue_.control(), stream_);
            ++batches;
        } while ((batches < 2 || !is_over(mail_.wait(batches % 2), limits, last_step)) &&
                 control_.step + std::int64_t(batches) * steps_per_graph_ < last_step && Clock::now() < end);
    }
    settle();
    if (control_.failed)
        throw RunError("the time step is no longer finite after step " + std::to_string(control_.step) + " (t = " +
                       std::to_string(control_.time) + " s): the run has blown up, try a smaller CFLnumber or a larger coefsound");
    collect_excluded();
    return report();
}

AdvanceReport CudaBackend::report() const {
    AdvanceReport report;
    report.step = control_.step;
    report.time = control_.time;
    report.dt = control_.dt;
    report.dt_min_hits = control_.dt_min_hits;
    report.particles = control_.alive;
    return report;
}

void CudaBackend::collect_excluded() {
    if (control_.excluded == 0) return;
    if (control_.excluded > queue_.excluded_capacity())
        throw RunError(std::to_string(control_.excluded) + " particles left the run within a few steps, up to step " +
                       std::to_string(control_.step) + ": the run has blown up");
    std::vector<ExcludedRecord> records = download(queue_.excluded(), control_.excluded);
    std::sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return std::tie(a.step, a.id) < std::tie(b.step, b.id); });
    const double unit = queue_.grid().unit;
    for (const ExcludedRecord& r : records) {
        ExcludedParticle p;
        p.id = r.id;
        p.cause = sph::ExclusionCause(r.cause);
        p.step = r.step;
        p.time = r.time;
        p.position = setup_.domain.min + unit * Vec3d{r.x, r.y, r.z};
        p.velocity = {r.vx, r.vy, r.vz};
        p.density = r.rho;
        excluded_.push_back(p);
    }
    control_.alive -= control_.excluded; // those of the last step are still in the arrays
    control_.alive = std::min<unsigned>(control_.alive, queue_.capacity());
    control_.excluded = 0;
    check(cudaMemcpy(&queue_.control()->excluded, &control_.excluded, sizeof control_.excluded, cudaMemcpyHostToDevice), "writing the step control");
}

std::vector<ExcludedParticle> CudaBackend::take_excluded() { return std::exchange(excluded_, {}); }

/// Cells and rates of the present state; the order of the particles becomes that of the rates.
void CudaBackend::interact_once() {
    begin_advance(queue_.control(), std::numeric_limits<double>::infinity(), std::numeric_limits<long long>::max(), stream_);
    queue_.rebuild_cells();
    queue_.interact();
}

double CudaBackend::next_time_step() {
    settle();
    const Control before = control_;
    interact_once();
    queue_.reduce_time_step();
    queue_.keep_sorted();
    settle();
    const double dt = control_.dt;
    const bool failed = control_.failed;
    Control restored = control_;
    restored.dt = before.dt;
    restored.dt_min_hits = before.dt_min_hits;
    restored.failed = before.failed;
    std::copy(std::begin(before.phase_ns), std::end(before.phase_ns), std::begin(restored.phase_ns));
    check(cudaMemcpy(queue_.control(), &restored, sizeof restored, cudaMemcpyHostToDevice), "writing the step control");
    control_ = restored;
    if (failed) throw RunError("the first time step is not finite: two particles may lie on one another");
    return dt;
}

void CudaBackend::rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) {
    interact_once();
    queue_.keep_sorted();
    settle();
    const std::vector<RateRecord> records = download(queue_.rates(), control_.alive);
    acceleration.clear();
    density_rate.clear();
    for (const RateRecord& r : records) {
        acceleration.push_back({r.ax, r.ay, r.az});
        density_rate.push_back(r.rho);
    }
}

/// A run that goes on from a saved state builds new lists there; so the run that saved it does the same, and both go
/// on bitwise alike.
void CudaBackend::renew_lists() {
    if (mode_ != GpuMode::neighbour_list) return;
    control_.rebuild = 1;
    control_.spread_rate = 0;
    control_.spread_bits = control_.travel_bits = 0;
    control_.steps_since_build = 0;
    check(cudaMemcpy(queue_.control(), &control_, sizeof control_, cudaMemcpyHostToDevice), "writing the step control");
}

ParticleState CudaBackend::state() {
    settle();
    const std::size_t n = queue_.count();
    renew_lists();
    ParticleState s;
    s.step = control_.step;
    s.time = control_.time;
    s.dt = control_.dt;
    s.dt_limit = control_.dt_limit;
    const std::vector<std::uint32_t> cell = download(queue_.cell(), n);
    std::vector<std::uint32_t> kept; // those still in the run
    for (std::uint32_t i = 0; i < n; ++i)
        if (cell[i] != queue_.excluded_cell()) kept.push_back(i);
    const auto take = [&](auto& values, auto&& value) {
        values.reserve(kept.size());
        for (const std::uint32_t i : kept) values.push_back(value(i));
    };
    take(s.id, [ids = download(queue_.state().id, n)](std::uint32_t i) { return ids[i]; });
    const FixedGrid& grid = queue_.grid();
    take(s.position, [&, position = download(queue_.state().position, n)](std::uint32_t i) {
        const Units64 u = unwrap(grid, position[i], cell[i]);
        return double(grid.unit) * Vec3d{double(u.x), double(u.y), double(u.z)};
    });
    const auto take_flow = [&](const Flow* from, std::vector<Vec3f>& velocity, std::vector<float>& density) {
        const std::vector<Flow> flow = download(from, n);
        take(velocity, [&](std::uint32_t i) { return Vec3f{flow[i].vx, flow[i].vy, flow[i].vz}; });
        take(density, [&](std::uint32_t i) { return flow[i].rho; });
    };
    take_flow(queue_.state().flow, s.velocity, s.density);
    take_flow(queue_.state().previous, s.velocity_previous, s.density_previous);
    return s;
}

PhaseSeconds CudaBackend::phase_seconds() const {
    PhaseSeconds p;
    p.cell_list = 1e-9 * double(control_.phase_ns[int(Phase::cell_list)]);
    p.interaction = 1e-9 * double(control_.phase_ns[int(Phase::interaction)]);
    p.update = 1e-9 * double(control_.phase_ns[int(Phase::update)]);
    return p;
}

std::unique_ptr<Backend> make_cuda_backend(const RunSetup& setup, std::uint32_t particle_count, const CudaOptions& options) {
    return std::make_unique<CudaBackend>(setup, particle_count, options);
}

} // namespace sluice
