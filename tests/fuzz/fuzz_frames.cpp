// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "fuzz/input_file.h"
#include "geometry/particle_set.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_writer.h"

#include <cstdint>

// libFuzzer target: whatever the bytes, a stored frame, or what all frames share, is read or refused with RunError. The
// first byte chooses which of the two files the rest becomes; the other one is good.

namespace {

/// A run of two boundary and three fluid particles, with one frame.
void write_good_run(const std::filesystem::path& dir) {
    sluice::ParticleSet set;
    set.dp = 0.1;
    set.boundary_count = 2;
    for (int n = 0; n < 5; ++n) set.position.push_back({0.1 * n, 0, 0.1 * n});
    set.velocity.resize(5);
    set.blocks.resize(2);
    set.blocks[0].begin = 0;
    set.blocks[0].count = 2;
    set.blocks[0].mk = 11;
    set.blocks[1].begin = 2;
    set.blocks[1].count = 3;
    set.blocks[1].mk = 1;
    set.blocks[1].type = sluice::ParticleType::fluid;
    sluice::Frame frame;
    frame.id = {0, 1, 2, 3, 4};
    frame.position = set.position;
    frame.velocity = set.velocity;
    frame.density.assign(5, 1000);
    frame.pressure.assign(5, 0);
    sluice::FrameWriter(dir, set).write(frame);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static const sluice::fuzz::InputFile frame("frames/frame_000000.h5"), geometry("frames/geometry.h5");
    write_good_run(frame.folder());
    (data[0] % 2 == 0 ? frame : geometry).write({data + 1, size - 1});
    try {
        sluice::read_layout(frame.folder());
        sluice::read_frame(frame.folder(), 0);
    } catch (const sluice::RunError&) {
    }
    return 0;
}
