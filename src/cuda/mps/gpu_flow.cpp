// SPDX-License-Identifier: Apache-2.0
#include "cuda/mps/gpu_flow.h"

#include "cuda/device/host_copies.h"
#include "cuda/device/runtime.h"
#include "cuda/device/stream.h"
#include "cuda/mps/flow_passes.h"
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

namespace sluice::cuda {

namespace {

/// All that is on the device, for so many particles at most.
struct DeviceFlow {
    std::uint32_t count = 0, walls = 0;
    DeviceArray<double> x, y, z, vx, vy, vz, rho;
    DeviceArray<double2> xy, z_p, v_xy, v_z_rho;
    DeviceArray<std::uint32_t> order;
    DeviceArray<double> ax, ay, az, rho_rate, fullness, wall_p;
    BucketSort buckets;

    DeviceFlow(DeviceMemory& m, std::size_t n)
        : x(m, n, "coordinates"), y(m, n, "coordinates"), z(m, n, "coordinates"), vx(m, n, "velocities"),
          vy(m, n, "velocities"), vz(m, n, "velocities"), rho(m, n, "densities"), xy(m, n, "sorted particles"),
          z_p(m, n, "sorted particles"), v_xy(m, n, "sorted particles"), v_z_rho(m, n, "sorted particles"),
          order(m, n, "order of particles"), ax(m, n, "accelerations"), ay(m, n, "accelerations"),
          az(m, n, "accelerations"), rho_rate(m, n, "density rates"), fullness(m, n, "surfaces"),
          wall_p(m, n, "pressures of walls"), buckets(m, std::uint32_t(n)) {}

    FlowHome home() const {
        return {x.data(), y.data(), z.data(), vx.data(), vy.data(), vz.data(), rho.data(), count, walls};
    }
    SortedFlow sorted() const {
        return {xy.data(), z_p.data(), v_xy.data(),     v_z_rho.data(),  order.data(), ax.data(),
                ay.data(), az.data(),  rho_rate.data(), fullness.data(), wall_p.data()};
    }
};

/// The flow on a GPU. Particles stay by ascending id, as on the processor.
class GpuFlow final : public mps::Flow {
public:
    GpuFlow(const sph::Constants& constants, std::uint32_t walls, int device)
        : eos_(on_device(constants, device)), rho0_(constants.rho0), scale_(mps::flow_scale(constants)),
          radius_(2 * constants.h), wall_ids_(walls), bounds_(memory_), maxima_(memory_, 1, "maxima") {}

    void set_particles(mps::FlowParticles particles) override {
        stream_.wait();
        if (!run_ || run_->x.size() < particles.size()) {
            run_.reset(); // its memory is free before more is taken
            run_.emplace(memory_, particles.size());
        }
        run_->count = static_cast<std::uint32_t>(particles.size());
        run_->walls = static_cast<std::uint32_t>(mps::count_below(particles, wall_ids_));
        const FlowHome to = run_->home();
        upload(particles.x, to.x);
        upload(particles.y, to.y);
        upload(particles.z, to.z);
        upload(particles.vx, to.vx);
        upload(particles.vy, to.vy);
        upload(particles.vz, to.vz);
        upload(particles.rho, to.rho);
        id_ = std::move(particles.id);
    }
    mps::FlowParticles particles() override {
        stream_.wait();
        const FlowHome from = run_->home();
        const std::size_t n = run_->count;
        return {id_,
                download(from.x, n),
                download(from.y, n),
                download(from.z, n),
                download(from.vx, n),
                download(from.vy, n),
                download(from.vz, n),
                download(from.rho, n)};
    }
    std::size_t size() const override { return run_->count; }
    std::size_t walls() const override { return run_->walls; }
    std::vector<double> pressures() override {
        stream_.wait();
        const std::vector<double2> sorted = download(run_->z_p.data(), run_->count);
        const std::vector<std::uint32_t> order = download(run_->order.data(), run_->count);
        std::vector<double> pressures(sorted.size());
        for (std::size_t k = 0; k < sorted.size(); ++k) pressures[order[k]] = sorted[k].y;
        return pressures;
    }
    void rates(std::vector<Vec3d>& acceleration, std::vector<double>& density_rate) override {
        stream_.wait();
        const std::size_t n = run_->count;
        const std::vector<std::uint32_t> order = download(run_->order.data(), n);
        const std::vector<double> ax = download(run_->ax.data(), n), ay = download(run_->ay.data(), n),
                                  az = download(run_->az.data(), n), rate = download(run_->rho_rate.data(), n);
        acceleration.assign(n, {});
        density_rate.assign(n, 0);
        for (std::size_t k = 0; k < n; ++k) {
            if (order[k] < run_->walls) continue;
            acceleration[order[k]] = {ax[k], ay[k], az[k]};
            density_rate[order[k]] = rate[k];
        }
    }
    bool has_strays(const mps::FlowBounds& bounds) override {
        if (run_->count == run_->walls) return false;
        clear_maxima();
        mark_flow_strays(run_->home(), bounds, maxima_.data(), stream_);
        return read_maxima().strays != 0;
    }
    std::size_t bytes() const override { return memory_.held(); }

    mps::FlowLimits accelerate() override {
        clear_maxima();
        find_accelerations(passes(), maxima_.data(), stream_);
        const FlowMaxima found = read_maxima();
        return {std::bit_cast<double>(found.acceleration2), std::sqrt(std::bit_cast<double>(found.speed2)),
                found.not_finite == 0};
    }
    void move(double dt) override { move_flow(passes(), dt, stream_); }
    void find_neighbours() override {
        const FlowHome home = run_->home();
        run_->buckets.lay(mps::make_bucket_grid(bounds_of_flow(bounds_, home, stream_), {radius_, 1, 1}));
        sort_flow(run_->buckets, home, run_->sorted(), stream_);
    }
    void find_density_rates() override { cuda::find_density_rates(passes(), stream_); }
    void compress(double dt) override { compress_flow(passes(), rho0_, dt, stream_); }
    void find_pressures() override { cuda::find_pressures(passes(), eos_, stream_); }

private:
    /// The device must be the thread's before anything is on it.
    static const sph::Constants& on_device(const sph::Constants& constants, int device) {
        use_device(device);
        return constants;
    }
    FlowPasses passes() const {
        const BucketSort& buckets = run_->buckets;
        return {run_->home(), run_->sorted(), {buckets.grid(), buckets.begins(), nullptr, nullptr}, scale_};
    }
    void clear_maxima() { fill(maxima_.data(), 0, sizeof(FlowMaxima), stream_, "maxima"); }
    FlowMaxima read_maxima() {
        FlowMaxima found{};
        copy_to_host(&found, maxima_.data(), sizeof found, stream_, "maxima");
        wait_for(stream_, "maxima");
        return found;
    }

    sph::EquationOfState<double> eos_;
    double rho0_;
    mps::FlowScale scale_;
    double radius_; ///< of the interaction domain, m
    std::uint32_t wall_ids_;
    DeviceMemory memory_;
    Stream stream_;
    PlaceBounds bounds_;
    DeviceArray<FlowMaxima> maxima_;
    std::optional<DeviceFlow> run_;
    std::vector<std::uint32_t> id_; ///< ascending
};

} // namespace

std::unique_ptr<mps::Flow> make_mps_flow(const sph::Constants& constants, std::uint32_t walls, int device) {
    return std::make_unique<GpuFlow>(constants, walls, device);
}

} // namespace sluice::cuda
