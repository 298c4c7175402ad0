// SPDX-License-Identifier: Apache-2.0
#include "io/frames/frame_reader.h"
#include "io/frames/frame_writer.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/resource.h>

// io_bench_frames RUN NUMBER PARTICLES LEVEL THREADS COUNT OUT: how long frames take to write. The fluid of a stored
// frame, repeated side by side until there are so many particles, is written COUNT times into the folder OUT.

namespace {

using namespace sluice;

/// The fluid of a stored frame, as often as it takes; ids from 0.
Frame repeated(const Frame& stored, const ParticleGroups& groups, std::size_t particles) {
    const std::size_t begin = groups.fluid_begin(stored.id), period = stored.size() - begin;
    Frame frame;
    for (std::size_t k = 0; k < particles; ++k) {
        const std::size_t i = begin + k % period;
        frame.id.push_back(static_cast<std::uint32_t>(k));
        frame.position.push_back(stored.position[i] + Vec3d{0, 1.7 * double(k / period), 0});
        frame.velocity.push_back(stored.velocity[i]);
        frame.density.push_back(stored.density[i]);
        frame.pressure.push_back(stored.pressure[i]);
    }
    return frame;
}

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_maxrss) * 1024e-6;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 8) {
        std::fprintf(stderr, "io_bench_frames RUN NUMBER PARTICLES LEVEL THREADS COUNT OUT\n");
        return 2;
    }
    const std::filesystem::path run = argv[1], out = argv[7];
    const auto particles = static_cast<std::size_t>(std::stod(argv[3]));
    const int level = std::atoi(argv[4]), threads = std::atoi(argv[5]), count = std::atoi(argv[6]);
    const ParticleLayout layout = read_layout(run);
    Frame frame = repeated(read_frame(run, std::atoi(argv[2])), layout.groups, particles);
    ParticleSet set;
    set.dp = layout.dp;
    set.position = frame.position;
    set.velocity = frame.velocity;
    set.blocks = {{{1, 0, ParticleType::fluid, 0, set.size()}, {}, {}, {}, {}}};
    FrameWriter writer(out, set, {.compression = level, .threads = threads});
    set = {};
    const double memory_before = peak_megabytes(), begin = seconds_now();
    for (int k = 0; k < count; ++k) {
        frame.time = k;
        writer.write(frame);
    }
    const double seconds = (seconds_now() - begin) / count;
    std::printf("%zu particles, level %d, %d threads: %.1f ms a frame, %.2f MB (%.1f bytes a particle), %.0f MB of "
                "memory for it\n",
                particles, level, threads, 1e3 * seconds, double(writer.bytes_written()) / count * 1e-6,
                double(writer.bytes_written()) / count / double(particles), peak_megabytes() - memory_before);
    return 0;
}
