// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/fields.h"
#include "model/particle_state.h"
#include "model/run_setup.h"
#include "scheme/exclusion.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sluice {

/// A fluid particle that left the run, with its last state.
struct ExcludedParticle {
    std::uint32_t id = 0;
    sph::ExclusionCause cause = sph::ExclusionCause::none;
    std::int64_t step = 0;
    double time = 0;   ///< s
    Vec3d position;    ///< absolute, m
    Vec3f velocity;    ///< m/s
    float density = 0; ///< kg/m³
};

/// A fluid particle that open boundaries have created or taken away, with its first or last state.
struct ZonePassage {
    std::uint32_t id = 0;
    bool entered = false; ///< else it left
    std::int64_t step = 0;
    double time = 0;   ///< s
    Vec3d position;    ///< absolute, m
    Vec3f velocity;    ///< m/s
    float density = 0; ///< kg/m³
};

/// Wall time of the phases of the stepping loop, in seconds (Domínguez, Crespo & Gómez-Gesteira 2013, Fig. 1: NL, PI,
/// SU).
struct PhaseSeconds {
    double cell_list = 0;   ///< NL
    double interaction = 0; ///< PI
    double update = 0;      ///< SU: time step, integration, exclusion
    double transfer = 0;    ///< host–device copies inside the loop
};

/// How far `Backend::advance` may go. It stops after the first step that reaches `time`, or after `steps` steps, or
/// at the first opportunity after `wall_seconds`, whichever comes first. Where it stops never changes the numbers.
struct AdvanceLimits {
    double time = 0;        ///< simulated, s
    std::int64_t steps = 0; ///< at most so many from here
    double wall_seconds = 0.2;
};

/// Where a run is after `advance`.
struct AdvanceReport {
    std::int64_t step = 0;        ///< steps done since the start of the run
    double time = 0;              ///< s
    double dt = 0;                ///< of the last step, s
    std::int64_t dt_min_hits = 0; ///< steps, since the start, in which dt_min was larger than A.8
    std::uint32_t particles = 0;  ///< still in the run
};

/// One of several GPUs that share a run.
struct GpuShare {
    int device = 0; ///< its number
    std::string name;
    std::uint32_t first_row = 0, last_row = 0; ///< rows of cells along x, y + ny·z: those of its fluid
    std::uint32_t fluid_particles = 0;         ///< that it steps now
    double waiting = 0;     ///< part of the time of its steps in which it waited for others and had nothing to do
    std::size_t memory = 0; ///< bytes that it holds for the run
    int process = 0;        ///< that drives it
};

/// One of several ranks that share a run on processors.
struct RankShare {
    std::uint32_t particles = 0; ///< that it steps now
    double interaction = 0;      ///< wall time of its interactions since the start of the run, s
    double exchange = 0;         ///< … in messages to the others and from them, and on waiting for those, s
    std::size_t memory = 0;      ///< bytes that it holds for the run
};

/// How a backend describes itself in logs and run.json.
struct BackendInfo {
    std::string backend;                ///< "cpu" or "cuda"
    std::string mode;                   ///< "asymmetric", "FastCells(h/2)", …
    std::string cells;                  ///< "2h" or "h": side of a cell
    std::string simd;                   ///< instruction set, or GPU architecture
    std::string device;                 ///< processor or GPU
    int threads = 0;                    ///< host threads, of each rank
    std::string memory_plan;            ///< GPU: lines that explain how its memory led to the mode
    int ranks = 1;                      ///< that share the run
    std::string split;                  ///< how they share the space; empty: there is one
    std::vector<RankShare> rank_shares; ///< if there are several, once they have a state
    std::vector<GpuShare> gpus;         ///< if there are several
};

/// The particles of one time on their way to the samplers, while the backend may step on.
class PendingFrame {
public:
    virtual ~PendingFrame() = default;
    /// Waits until the particles are here and returns them. To be called once, from any thread. Throws RunError.
    virtual Frame get() = 0;
};

/// Runs steps of the simulation. One object owns all particles of a run; `docs/architecture.md` shows its place.
/// Errors during a run (device lost, the time step no longer finite) are RunError.
class Backend {
public:
    virtual ~Backend() = default;
    virtual BackendInfo info() const = 0;

    /// Takes over a state: the initial one, or one that `state()` returned.
    virtual void set_state(const ParticleState& state) = 0;
    /// Steps until a limit is reached.
    virtual AdvanceReport advance(const AdvanceLimits& limits) = 0;
    /// The time step that the next step would take at most (A.8), s: one interaction, nothing moves, no later number
    /// changes.
    virtual double next_time_step() = 0;
    /// The complete state, in the backend's own order. Taking it changes nothing.
    virtual ParticleState state() = 0;
    /// The particles of the present time as samplers see them. Where the device can copy while it steps on, the call
    /// returns at once; such a backend lends two buffers, and a third call waits until one of the frames has been got.
    /// Taking it changes nothing. Frames must be got before the backend goes. The frame has the state's fields and
    /// those of `wanted`; RunError if the backend cannot deliver one of them.
    virtual std::unique_ptr<PendingFrame> snapshot(const FieldSelection& wanted) = 0;
    /// dv/dt and dρ/dt of the present state, in the order of `state()`; for tests and for the oracle's comparison.
    /// Where all boundary particles take their density from ghost nodes, a backend may leave out their rates: they are
    /// 0.
    virtual void rates(std::vector<Vec3f>& acceleration, std::vector<float>& density_rate) = 0;
    /// The floating bodies at the present time, in the order of `RunSetup::bodies`.
    virtual std::vector<BodyReport> bodies() const = 0;
    /// Particles excluded since the last call, in the order in which they left (ties by id).
    virtual std::vector<ExcludedParticle> take_excluded() = 0;
    /// What has come and gone through open boundaries since the last call, by step, then those that left before those
    /// that entered, by id.
    virtual std::vector<ZonePassage> take_passed() { return {}; }
    /// Since the start of the run.
    virtual PhaseSeconds phase_seconds() const = 0;
    /// Bytes held for the run now, host or device.
    virtual std::size_t memory_bytes() const = 0;
};

} // namespace sluice
