// SPDX-License-Identifier: Apache-2.0
#include "cuda/cuda_backend.h"

#include "core/error.h"
#include "core/log.h"
#include "cuda/frame_copies.h"
#include "cuda/gpu_devices.h"
#include "cuda/state_exchange.h"
#include "cuda/step_queue.h"
#include "scheme/time_loop.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
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
        for (cudaEvent_t& event : arrived_)
            check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
    }
    ~ControlMail() {
        for (cudaEvent_t event : arrived_) cudaEventDestroy(event);
        cudaFreeHost(slots_);
    }
    ControlMail(const ControlMail&) = delete;
    ControlMail& operator=(const ControlMail&) = delete;

    void request(int slot, const Control* control, cudaStream_t stream) {
        check(cudaMemcpyAsync(slots_ + slot, control, sizeof(Control), cudaMemcpyDeviceToHost, stream),
              "reading the step control");
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

GpuMemoryPlan make_plan(const RunSetup& setup, std::uint32_t particles, const CudaOptions& options) {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for free memory");
    GpuMemoryRequest request{setup, particles, double(free), options.mode, options.neighbour_list};
    if (options.memory_limit) request.available = std::min(request.available, double(*options.memory_limit));
    if (!options.mode && options.mode_before) {
        request.mode = options.mode_before;
        if (GpuMemoryPlan plan = plan_gpu_memory(request); plan.choice) return plan;
        spdlog::warn(
            "warning: version {}, which the run has had so far, does not fit into the memory any more: it goes on in "
            "another, the same to rounding",
            mode_info(gpu_modes, *options.mode_before).name);
        request.mode.reset();
    }
    GpuMemoryPlan plan = plan_gpu_memory(request);
    if (!plan.choice) throw RunError("GPU memory: " + plan.why);
    return plan;
}

/// Without lists, whose renewal is a branch of the graph, many particles need none: their kernels run for longer than
/// launching them takes.
bool graphs_are_wanted(const CudaOptions& options, GpuMode mode, std::uint32_t particles) {
    const char* value = std::getenv("SLUICE_CUDA_GRAPHS");
    const bool are_off = !options.graphs || (value && std::strcmp(value, "off") == 0);
    return !are_off && (has_neighbour_lists(mode) || particles < 10000000);
}

} // namespace

class CudaBackend final : public Backend {
public:
    CudaBackend(const RunSetup& setup, std::uint32_t particle_count, const CudaOptions& options)
        : device_(select_gpu(options.device)), setup_(setup), plan_(make_plan(setup, particle_count, options)),
          mode_(*plan_.choice), queue_(setup, particle_count, mode_, options, stream_),
          frames_(setup, queue_.grid(), options.device),
          uses_graphs_(graphs_are_wanted(options, mode_, particle_count)) {}

    BackendInfo info() const override;
    void set_state(const ParticleState& state) override;
    AdvanceReport advance(const AdvanceLimits& limits) override;
    double next_time_step() override;
    ParticleState state() override;
    std::unique_ptr<PendingFrame> snapshot() override;
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override;
    std::vector<ExcludedParticle> take_excluded() override;
    PhaseSeconds phase_seconds() const override;
    std::size_t memory_bytes() const override { return queue_.memory_bytes(); }

private:
    void enqueue_batch();
    void record_batch();
    bool is_over(const Control& control, const AdvanceLimits& limits, std::int64_t last_step) const;
    void settle();
    void interact_once();
    void collect_excluded();
    AdvanceReport report() const;

    GpuDevice device_;
    RunSetup setup_;
    GpuMemoryPlan plan_;
    GpuMode mode_;
    Stream stream_;
    StepQueue queue_;
    FrameCopies frames_;
    std::uint32_t ids_ = 0; ///< all ids are smaller
    bool uses_graphs_;
    ControlMail mail_;
    StepGraph graph_;
    ArrayPlaces graph_places_; ///< at its begin and end
    int steps_per_batch_ = 1;
    Control control_; ///< as last read from the device
    std::vector<ExcludedParticle> excluded_;
};

BackendInfo CudaBackend::info() const {
    BackendInfo info;
    info.backend = "cuda";
    info.mode = mode_info(gpu_modes, mode_).name;
    info.cells = gpu_cell_divisions(mode_) == 2 ? "h" : "2h";
    info.simd = "sm_" + std::to_string(device_.compute_major) + std::to_string(device_.compute_minor);
    info.device = device_.name;
    info.threads = 1;
    info.memory_plan = plan_.text;
    return info;
}

void CudaBackend::set_state(const ParticleState& state) {
    stream_.wait();
    upload_state(queue_, setup_, state);
    ids_ = state.id.empty() ? 0 : *std::max_element(state.id.begin(), state.id.end()) + 1;
    graph_.reset();
    settle();
}

void CudaBackend::settle() {
    stream_.wait();
    check(cudaMemcpy(&control_, queue_.control(), sizeof control_, cudaMemcpyDeviceToHost), "reading the step control");
}

void CudaBackend::enqueue_batch() {
    if (!uses_graphs_) return take_step(queue_, setup_.constants.integrator);
    if (graph_.empty() || graph_places_ != queue_.places()) record_batch();
    graph_.launch(stream_);
}

/// Records as many steps as keep the host out of the way, few enough to stop soon; at the end every array must be where
/// it was.
void CudaBackend::record_batch() {
    const std::uint32_t particles = queue_.capacity();
    const int wanted = particles < 1000000 ? 16 : particles < 10000000 ? 4 : 1;
    graph_places_ = queue_.places();
    graph_.reset();
    graph_.record(stream_, [&] {
        steps_per_batch_ = 0;
        do {
            take_step(queue_, setup_.constants.integrator);
            ++steps_per_batch_;
        } while (steps_per_batch_ < wanted || queue_.places() != graph_places_);
    });
}

bool CudaBackend::is_over(const Control& control, const AdvanceLimits& limits, std::int64_t last_step) const {
    return control.failed || control.step >= last_step || control.time >= limits.time || control.excluded > 0;
}

AdvanceReport CudaBackend::advance(const AdvanceLimits& limits) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(std::min(limits.wall_seconds, 1e8));
    const std::int64_t last_step = limits.steps > std::numeric_limits<std::int64_t>::max() - control_.step
                                       ? std::numeric_limits<std::int64_t>::max()
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
                 control_.step + std::int64_t(batches) * steps_per_batch_ < last_step && Clock::now() < end);
    }
    settle();
    if (control_.failed)
        throw RunError("the time step is no longer finite after step " + std::to_string(control_.step) +
                       " (t = " + std::to_string(control_.time) +
                       " s): the run has blown up, try a smaller CFLnumber or a larger coefsound");
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
    std::sort(records.begin(), records.end(),
              [](const auto& a, const auto& b) { return std::tie(a.step, a.id) < std::tie(b.step, b.id); });
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
    check(cudaMemcpy(&queue_.control()->excluded, &control_.excluded, sizeof control_.excluded, cudaMemcpyHostToDevice),
          "writing the step control");
}

std::vector<ExcludedParticle> CudaBackend::take_excluded() { return std::exchange(excluded_, {}); }

/// Cells and rates of the present state, as the next step finds them; the order of the particles becomes that of the
/// rates.
void CudaBackend::interact_once() {
    begin_advance(queue_.control(), std::numeric_limits<double>::infinity(), std::numeric_limits<long long>::max(),
                  stream_);
    queue_.build_cells();
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

ParticleState CudaBackend::state() {
    settle();
    return download_state(queue_, control_);
}

std::unique_ptr<PendingFrame> CudaBackend::snapshot() {
    FrameSource source;
    source.pack = {queue_.state(), queue_.cell(), queue_.count(), queue_.excluded_cell(), 0, ids_};
    source.scratch = queue_.rates();
    source.scratch_ids = queue_.capacity();
    source.step = control_.step;
    source.time = control_.time;
    return frames_.begin(source, plan_.frame_bytes > 0, queue_.memory(), stream_);
}

PhaseSeconds CudaBackend::phase_seconds() const {
    PhaseSeconds p;
    p.cell_list = 1e-9 * double(control_.phase_ns[int(Phase::cell_list)]);
    p.interaction = 1e-9 * double(control_.phase_ns[int(Phase::interaction)]);
    p.update = 1e-9 * double(control_.phase_ns[int(Phase::update)]);
    return p;
}

std::unique_ptr<Backend> make_cuda_backend(const RunSetup& setup, std::uint32_t particle_count,
                                           const CudaOptions& options) {
    if (setup.period.any())
        throw RunError("the GPU backend has no periodic sides yet: run the case with --backend cpu");
    if (setup.constants.viscosity == sph::ViscosityModel::laminar)
        throw RunError("the GPU backend has no laminar viscosity yet: run the case with --backend cpu");
    return std::make_unique<CudaBackend>(setup, particle_count, options);
}

} // namespace sluice
