// SPDX-License-Identifier: Apache-2.0
#include "cuda/backend/cuda_backend.h"

#include "backend/left_domain.h"
#include "backend/state_frame.h"
#include "core/error.h"
#include "core/log.h"
#include "cuda/backend/make_backend.h"
#include "cuda/backend/shared_backend.h"
#include "cuda/data/control_mail.h"
#include "cuda/data/list_state.h"
#include "cuda/device/gpu_devices.h"
#include "cuda/device/host_copies.h"
#include "cuda/passes/flow_gradients.h"
#include "cuda/shares/state_exchange.h"
#include "cuda/steps/excluded_records.h"
#include "cuda/steps/frame_copies.h"
#include "cuda/steps/run_plan.h"
#include "cuda/steps/step_batches.h"
#include "physics/effective_gravity.h"
#include "physics/sph/flow_gradients.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace sluice {

namespace {

using namespace cuda;
using Clock = std::chrono::steady_clock;

/// Without lists, whose renewal is a branch of the graph, many particles need none: their kernels run for longer than
/// launching them takes. A graph has its constants recorded with it, and a viscosity or an effective gravity in time
/// change them.
bool graphs_are_wanted(const CudaOptions& options, const RunSetup& setup, GpuMode mode, std::uint32_t particles) {
    const char* value = std::getenv("SLUICE_CUDA_GRAPHS");
    const bool are_off = !options.graphs || has_pairs_in_time(setup) || (value && std::strcmp(value, "off") == 0);
    return !are_off && (has_neighbour_lists(mode) || particles < 10000000);
}

class CudaBackend final : public Backend {
public:
    CudaBackend(const RunSetup& setup, std::uint32_t particle_count, const CudaOptions& options,
                const MakeSearch& make_search)
        : device_(select_gpu(options.device)), options_(options), setup_(setup),
          plan_(plan_run(setup, particle_count, 1, available_memory(options, 0), options)), mode_(*plan_.choice),
          make_search_(make_search ? make_search : search_of(setup, mode_, options)) {
        make_queue(room_for(particle_count));
        frames_.emplace(setup, run().grid, run().period, options.device);
    }

    BackendInfo info() const override;
    void set_state(const ParticleState& state) override;
    AdvanceReport advance(const AdvanceLimits& limits) override;
    double next_time_step() override;
    ParticleState state() override;
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) override;
    void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) override;
    std::vector<BodyReport> bodies() const override { return queue_->rigid().reports(); }
    std::vector<ExcludedParticle> take_excluded() override;
    std::vector<ZonePassage> take_passed() override { return std::exchange(passed_, {}); }
    PhaseSeconds phase_seconds() const override { return phase_seconds_of(control_); }
    std::size_t memory_bytes() const override { return run().memory.held(); }

private:
    RunArrays& run() { return queue_->run(); }
    const RunArrays& run() const { return queue_->run(); }
    void make_queue(std::uint32_t room);
    std::uint32_t room_for(std::uint64_t particles) const {
        return static_cast<std::uint32_t>(gpu_room(setup_, particles));
    }
    /// Whether the arrays have capacity for them and for what two steps may create.
    bool has_room_for(std::uint64_t particles) const {
        return particles + 2 * std::uint64_t(queue_->open().most_created()) <= run().capacity;
    }
    /// Places of the particles of the run, and those of particles that left which lists still hold.
    std::uint64_t places_taken() const { return std::uint64_t(particles_) + control_.vacated; }
    void make_room(std::uint64_t particles);
    void move_to_larger_arrays();
    void settle_pairs(double time);
    void serve_steps();
    void enqueue_steps(const AdvanceLimits& limits, std::int64_t last_step, Clock::time_point end);
    void check_failures() const;
    void collect_passed();
    void write_control();
    bool is_over(const Control& control, const AdvanceLimits& limits, std::int64_t last_step) const;
    void settle();
    void interact_once();
    std::vector<float> flow_gradients(bool by_id);
    std::unique_ptr<PendingFrame> snapshot_of_open_run(const FieldSelection& wanted);
    void collect_excluded();
    AdvanceReport report() const;

    GpuDevice device_;
    CudaOptions options_;
    RunSetup setup_;
    GpuMemoryPlan plan_;
    GpuMode mode_;
    MakeSearch make_search_;
    Stream stream_;
    std::unique_ptr<StepQueue> queue_;
    std::unique_ptr<StepBatches> batches_;
    std::optional<FrameCopies> frames_;
    std::uint32_t ids_ = 0; ///< all ids are smaller, but for those of particles that open boundaries create
    ControlMail mail_;
    Control control_;             ///< as last read from the device
    std::uint32_t particles_ = 0; ///< in the run, where open boundaries change their number
    std::vector<ExcludedParticle> excluded_;
    std::vector<ZonePassage> passed_;
};

/// The arrays of the run, with room for so many particles, and what steps over them.
void CudaBackend::make_queue(std::uint32_t room) {
    batches_.reset();
    queue_.reset();
    queue_ = std::make_unique<StepQueue>(setup_, room, mode_, make_search_, stream_);
    batches_ = std::make_unique<StepBatches>(*queue_, setup_.constants.integrator,
                                             graphs_are_wanted(options_, setup_, mode_, room), stream_);
}

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
    if (queue_->open().any()) make_room(state.size() + lists_of(state.section).vacated.size());
    upload_state(*queue_, setup_.groups, state);
    ids_ = state.id.empty() ? 0 : *std::max_element(state.id.begin(), state.id.end()) + 1;
    particles_ = static_cast<std::uint32_t>(state.size());
    batches_->forget();
    settle();
}

void CudaBackend::settle() {
    stream_.wait();
    copy_from_device(queue_->control(), &control_, sizeof control_);
}

void CudaBackend::write_control() { copy_to_device(&control_, queue_->control(), sizeof control_); }

bool CudaBackend::is_over(const Control& control, const AdvanceLimits& limits, std::int64_t last_step) const {
    return control.failed || control.step >= last_step || control.time >= limits.time || control.excluded > 0 ||
           control.wants_host;
}

/// A step uses the viscosity and the effective gravity of its begin; where these change in time, the host must know the
/// time.
void CudaBackend::settle_pairs(double time) {
    if (has_pairs_in_time(setup_)) queue_->set_pairs(setup_.constants_at(time), pair_constants_at(setup_, time));
}

void CudaBackend::enqueue_steps(const AdvanceLimits& limits, std::int64_t last_step, Clock::time_point end) {
    begin_advance(queue_->control(), limits.time, last_step, stream_);
    int batches = 0;
    if (control_.step >= last_step || control_.time >= limits.time) return;
    // one batch runs while the next one waits: the device never idles, and the host is never far ahead
    do {
        if (has_pairs_in_time(setup_)) settle_pairs(batches == 0 ? control_.time : mail_.wait((batches - 1) % 2).time);
        batches_->enqueue();
        mail_.request(batches % 2, queue_->control(), stream_);
        ++batches;
    } while ((batches < 2 || !is_over(mail_.wait(batches % 2), limits, last_step)) &&
             control_.step + std::int64_t(batches) * batches_->steps() < last_step && Clock::now() < end);
}

AdvanceReport CudaBackend::advance(const AdvanceLimits& limits) {
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(std::min(limits.wall_seconds, 1e8)));
    const std::int64_t last_step = limits.steps > std::numeric_limits<std::int64_t>::max() - control_.step
                                       ? std::numeric_limits<std::int64_t>::max()
                                       : control_.step + limits.steps;
    bool goes_on = true;
    while (goes_on) {
        enqueue_steps(limits, last_step, end);
        settle();
        check_failures();
        goes_on = control_.wants_host && control_.excluded == 0 && Clock::now() < end;
        collect_excluded();
        collect_passed();
        if (control_.wants_host) serve_steps();
    }
    return report();
}

void CudaBackend::check_failures() const {
    if (control_.left_id != Control::nobody) throw left_domain(setup_, control_.left_id, control_.time);
    if (control_.failed) throw blown_up(control_.step, control_.time, control_.alive == setup_.groups.boundary_count());
}

AdvanceReport CudaBackend::report() const {
    AdvanceReport report;
    report.step = control_.step;
    report.time = control_.time;
    report.dt = control_.dt;
    report.dt_min_hits = control_.dt_min_hits;
    report.particles = queue_->open().any() ? particles_ : control_.alive;
    return report;
}

void CudaBackend::collect_excluded() {
    if (control_.excluded == 0) return;
    append_excluded(download_excluded(run(), control_), run().grid, setup_.domain.min, excluded_);
    particles_ -= control_.excluded;
    control_.alive -= control_.excluded; // those of the last step are still in the arrays
    control_.alive = std::min<unsigned>(control_.alive, run().capacity);
    control_.excluded = 0;
    copy_to_device(&control_.excluded, &queue_->control()->excluded, sizeof control_.excluded);
}

void CudaBackend::collect_passed() {
    if (control_.passed == 0) return;
    for (const ZonePassage& p : queue_->open().passed(control_, setup_.domain.min)) {
        p.entered ? ++particles_ : --particles_;
        passed_.push_back(p);
    }
    control_.passed = 0;
    copy_to_device(&control_.passed, &queue_->control()->passed, sizeof control_.passed);
}

/// Makes arrays with more room if there is none for so many particles. RunError if the device has not got the memory.
void CudaBackend::make_room(std::uint64_t particles) {
    if (has_room_for(particles)) return;
    const GpuMemoryPlan plan =
        plan_gpu_memory({setup_, particles, available_memory(options_, run().memory.held()), mode_, {}});
    if (!plan.choice) throw RunError("open boundaries: " + plan.why, Outcome::out_of_memory);
    make_queue(room_for(particles));
}

/// The state goes to larger arrays; where there is no memory for them it stays in those that it had, and the run can
/// only end: RunError.
void CudaBackend::move_to_larger_arrays() {
    const std::uint32_t room = run().capacity;
    const ParticleState now = state();
    try {
        make_room(places_taken());
        upload_state(*queue_, setup_.groups, now);
    } catch (const RunError& error) {
        if (!queue_) {
            make_queue(room);
            upload_state(*queue_, setup_.groups, now);
        }
        throw RunError(error.what(), Outcome::out_of_memory);
    }
}

/// Goes on where the steps have stopped because the next one might not find room for what open boundaries create.
void CudaBackend::serve_steps() {
    queue_->open().expect_ids(control_);
    const Control before = control_;
    if (!has_room_for(places_taken())) move_to_larger_arrays();
    settle();
    control_.dt_min_hits = before.dt_min_hits;
    std::copy(std::begin(before.phase_ns), std::end(before.phase_ns), std::begin(control_.phase_ns));
    control_.wants_host = 0;
    write_control();
}

std::vector<ExcludedParticle> CudaBackend::take_excluded() { return std::exchange(excluded_, {}); }

/// Cells and rates of the present state, as the next step finds them; the order of the particles becomes that of the
/// rates.
void CudaBackend::interact_once() {
    settle_pairs(control_.time);
    begin_advance(queue_->control(), std::numeric_limits<double>::infinity(), std::numeric_limits<long long>::max(),
                  stream_);
    queue_->build_cells();
    queue_->interact(sph::RatesPart::both, Absorbers::stay);
}

double CudaBackend::next_time_step() {
    settle();
    const Control before = control_;
    interact_once();
    queue_->reduce_time_step();
    queue_->keep_sorted();
    settle();
    const double dt = control_.dt;
    const bool failed = control_.failed;
    Control restored = control_;
    restored.dt = before.dt;
    restored.dt_min_hits = before.dt_min_hits;
    restored.failed = before.failed;
    std::copy(std::begin(before.phase_ns), std::end(before.phase_ns), std::begin(restored.phase_ns));
    control_ = restored;
    write_control();
    if (failed) throw RunError("the first time step is not finite: two particles may lie on one another");
    return dt;
}

void CudaBackend::rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) {
    interact_once();
    queue_->keep_sorted();
    settle();
    download_rates({GpuTeam(nullptr, 1), {{queue_.get(), {0, control_.alive}}}}, acceleration, density_rate);
}

ParticleState CudaBackend::state() {
    settle();
    return download_state(*queue_, control_);
}

/// The sums of the present state, which is first sorted as the next step would sort it: by id, or in the order of the
/// particles.
std::vector<float> CudaBackend::flow_gradients(bool by_id) {
    begin_advance(queue_->control(), std::numeric_limits<double>::infinity(), std::numeric_limits<long long>::max(),
                  stream_);
    queue_->search().build(stream_);
    queue_->keep_sorted();
    settle();
    FlowGradientSource source;
    source.view = run().view();
    source.view.position = run().places.state.position; // what was sorted has become the state
    source.view.flow = run().places.state.flow;
    source.period = run().period;
    source.id = by_id ? run().places.state.id : nullptr;
    source.particles = run().count;
    source.excluded_cell = run().excluded_cell();
    source.ids = by_id ? ids_ : run().count;
    source.spare = run().places.spare;
    source.spare_count = run().capacity;
    return flow_gradients_by_id(source, setup_.constants, stream_);
}

std::unique_ptr<PendingFrame> CudaBackend::snapshot(const FieldSelection& wanted) {
    if (queue_->open().any()) return snapshot_of_open_run(wanted);
    FrameSource source;
    source.wanted = wanted;
    if (!wanted.from(FieldSource::neighbours).empty()) source.flow_gradients = flow_gradients(true);
    source.pack = {run().places.state, run().places.cell, run().count, run().excluded_cell(), 0, ids_};
    source.spare = run().places.spare;
    source.spare_ids = run().capacity;
    source.step = control_.step;
    source.time = control_.time;
    source.work = control_.work;
    source.bodies = bodies();
    source.absorbers = queue_->rigid().absorbers();
    return frames_->begin(std::move(source), plan_.frame_bytes > 0, run().memory, stream_);
}

/// Where ids grow without bound, frames are made from states: an array as long as the ids would grow, too.
std::unique_ptr<PendingFrame> CudaBackend::snapshot_of_open_run(const FieldSelection& wanted) {
    std::vector<float> sums;
    if (!wanted.from(FieldSource::neighbours).empty()) {
        const std::vector<float> by_index = flow_gradients(false);
        for (const std::uint32_t i : particles_in_run(run(), download(run().places.cell, run().count)))
            if (i >= run().boundary_count)
                sums.insert(sums.end(), by_index.begin() + std::size_t(i) * sph::flow_gradient_sums,
                            by_index.begin() + std::size_t(i + 1) * sph::flow_gradient_sums);
    }
    settle();
    return std::make_unique<StateFrame>(download_state(*queue_, control_, false), setup_, std::move(sums), wanted,
                                        bodies());
}

} // namespace

std::unique_ptr<Backend> make_cuda_backend(const RunSetup& setup, std::uint32_t particle_count,
                                           const CudaOptions& options) {
    if (options.devices.size() > 1) return make_shared_backend(setup, particle_count, options);
    CudaOptions one = options;
    if (!one.devices.empty()) one.device = one.devices.front();
    return std::make_unique<CudaBackend>(setup, particle_count, one, nullptr);
}

std::unique_ptr<Backend> cuda::make_cuda_backend_with(const RunSetup& setup, std::uint32_t particle_count,
                                                      const CudaOptions& options, const MakeSearch& make_search) {
    if (setup.constants.integrator == sph::Integrator::staggered)
        throw InputError("the papers' versions find both rates at once: take Verlet or symplectic steps");
    return std::make_unique<CudaBackend>(setup, particle_count, options, make_search);
}

} // namespace sluice
