// SPDX-License-Identifier: Apache-2.0
#include "cuda/cuda_backend.h"

#include "backend/left_domain.h"
#include "core/error.h"
#include "core/log.h"
#include "cuda/control_mail.h"
#include "cuda/counted_cells.h"
#include "cuda/flow_gradients.h"
#include "cuda/frame_copies.h"
#include "cuda/gpu_devices.h"
#include "cuda/host_copies.h"
#include "cuda/listed_neighbours.h"
#include "cuda/make_backend.h"
#include "cuda/state_exchange.h"
#include "cuda/step_batches.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

namespace sluice {

namespace {

using namespace cuda;

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

/// The search of a version.
MakeSearch search_of(const RunSetup& setup, GpuMode mode, const CudaOptions& options) {
    if (!has_neighbour_lists(mode)) return [](RunArrays& run) { return std::make_unique<CountedCells>(run); };
    const ListOptions lists{mode == GpuMode::short_list, options.skin.value_or(0)};
    return [constants = setup.constants, lists](RunArrays& run) {
        return std::make_unique<ListedNeighbours>(run, constants, lists);
    };
}

class CudaBackend final : public Backend {
public:
    CudaBackend(const RunSetup& setup, std::uint32_t particle_count, const CudaOptions& options,
                const MakeSearch& make_search)
        : device_(select_gpu(options.device)), setup_(setup), plan_(make_plan(setup, particle_count, options)),
          mode_(*plan_.choice),
          queue_(setup, particle_count, mode_, make_search ? make_search : search_of(setup, mode_, options), stream_),
          batches_(queue_, setup.constants.integrator, graphs_are_wanted(options, mode_, particle_count), stream_),
          frames_(setup, queue_.run().grid, queue_.run().period, options.device) {}

    BackendInfo info() const override;
    void set_state(const ParticleState& state) override;
    AdvanceReport advance(const AdvanceLimits& limits) override;
    double next_time_step() override;
    ParticleState state() override;
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override;
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override;
    std::vector<BodyReport> bodies() const override;
    std::vector<ExcludedParticle> take_excluded() override;
    PhaseSeconds phase_seconds() const override;
    std::size_t memory_bytes() const override { return queue_.run().memory.held(); }

private:
    bool is_over(const Control& control, const AdvanceLimits& limits, std::int64_t last_step) const;
    void settle();
    void interact_once();
    std::vector<float> flow_gradients();
    void collect_excluded();
    AdvanceReport report() const;

    GpuDevice device_;
    RunSetup setup_;
    GpuMemoryPlan plan_;
    GpuMode mode_;
    Stream stream_;
    StepQueue queue_;
    StepBatches batches_;
    FrameCopies frames_;
    std::uint32_t ids_ = 0; ///< all ids are smaller
    ControlMail mail_;
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
    upload_state(queue_, setup_.groups, state);
    ids_ = state.id.empty() ? 0 : *std::max_element(state.id.begin(), state.id.end()) + 1;
    batches_.forget();
    settle();
}

void CudaBackend::settle() {
    stream_.wait();
    check(cudaMemcpy(&control_, queue_.control(), sizeof control_, cudaMemcpyDeviceToHost), "reading the step control");
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
            batches_.enqueue();
            mail_.request(batches % 2, queue_.control(), stream_);
            ++batches;
        } while ((batches < 2 || !is_over(mail_.wait(batches % 2), limits, last_step)) &&
                 control_.step + std::int64_t(batches) * batches_.steps() < last_step && Clock::now() < end);
    }
    settle();
    if (control_.left_id != Control::nobody) throw left_domain(setup_, control_.left_id, control_.time);
    if (control_.failed)
        throw RunError("the time step is no longer finite after step " + std::to_string(control_.step) +
                           " (t = " + std::to_string(control_.time) +
                           " s): the run has blown up, try a smaller CFLnumber or a larger coefsound",
                       control_.alive == setup_.groups.boundary_count() ? Outcome::lost_fluid : Outcome::blown_up);
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
    if (control_.excluded > queue_.run().excluded_capacity())
        throw RunError(std::to_string(control_.excluded) + " particles left the run within a few steps, up to step " +
                           std::to_string(control_.step) + ": the run has blown up",
                       Outcome::blown_up);
    std::vector<ExcludedRecord> records = download(queue_.run().excluded.data(), control_.excluded);
    std::sort(records.begin(), records.end(),
              [](const auto& a, const auto& b) { return std::tie(a.step, a.id) < std::tie(b.step, b.id); });
    const double unit = queue_.run().grid.unit;
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
    control_.alive = std::min<unsigned>(control_.alive, queue_.run().capacity);
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
    const std::vector<RateRecord> records = download(queue_.places().spare.rates(), control_.alive);
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

/// Of the present state, which is sorted for it as the next step would sort it.
std::vector<float> CudaBackend::flow_gradients() {
    begin_advance(queue_.control(), std::numeric_limits<double>::infinity(), std::numeric_limits<long long>::max(),
                  stream_);
    queue_.search().build(stream_);
    queue_.keep_sorted();
    settle();
    const RunArrays& run = queue_.run();
    FlowGradientSource source;
    source.view = run.view();
    source.view.position = run.places.state.position; // what was sorted has become the state
    source.view.flow = run.places.state.flow;
    source.period = run.period;
    source.id = run.places.state.id;
    source.particles = run.count;
    source.excluded_cell = run.excluded_cell();
    source.ids = ids_;
    source.spare = run.places.spare;
    source.spare_count = run.capacity;
    return flow_gradients_by_id(source, setup_.constants, stream_);
}

std::unique_ptr<PendingFrame> CudaBackend::snapshot(const FieldSelection& wanted) {
    FrameSource source;
    source.wanted = wanted;
    if (!wanted.from(FieldSource::neighbours).empty()) source.flow_gradients = flow_gradients();
    RunArrays& run = queue_.run();
    source.pack = {run.places.state, run.places.cell, run.count, run.excluded_cell(), 0, ids_};
    source.spare = run.places.spare;
    source.spare_ids = run.capacity;
    source.step = control_.step;
    source.time = control_.time;
    source.bodies = bodies();
    source.absorbers = queue_.rigid().absorbers();
    return frames_.begin(std::move(source), plan_.frame_bytes > 0, run.memory, stream_);
}

std::vector<BodyReport> CudaBackend::bodies() const {
    const std::vector<BodyState> states = queue_.rigid().bodies();
    const std::vector<BodyLoads> loads = queue_.rigid().loads();
    std::vector<BodyReport> reports;
    for (std::size_t b = 0; b < states.size(); ++b) reports.push_back({states[b], loads[b]});
    return reports;
}

PhaseSeconds CudaBackend::phase_seconds() const {
    PhaseSeconds p;
    p.cell_list = 1e-9 * double(control_.phase_ns[int(Phase::cell_list)]);
    p.interaction = 1e-9 * double(control_.phase_ns[int(Phase::interaction)]);
    p.update = 1e-9 * double(control_.phase_ns[int(Phase::update)]);
    return p;
}

} // namespace

std::unique_ptr<Backend> make_cuda_backend(const RunSetup& setup, std::uint32_t particle_count,
                                           const CudaOptions& options) {
    return std::make_unique<CudaBackend>(setup, particle_count, options, nullptr);
}

std::unique_ptr<Backend> cuda::make_cuda_backend_with(const RunSetup& setup, std::uint32_t particle_count,
                                                      const CudaOptions& options, const MakeSearch& make_search) {
    return std::make_unique<CudaBackend>(setup, particle_count, options, make_search);
}

} // namespace sluice
