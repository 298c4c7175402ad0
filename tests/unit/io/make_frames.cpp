// SPDX-License-Identifier: Apache-2.0
#include "io/frames/frame_writer.h"
#include "io/measures/export.h"
#include "sample.h"

#include <cstdlib>
#include <cstring>

/// io_make_frames DIR COUNT [moving] [double] [few] [all]: writes the sample run, and all of it once more as DIR/vtp.
int main(int argc, char** argv) {
    if (argc < 3) return 2;
    bool moving = false;
    sluice::FrameOptions options;
    for (int k = 3; k < argc; ++k) {
        moving = moving || std::strcmp(argv[k], "moving") == 0;
        if (std::strcmp(argv[k], "few") == 0) options.fields = {sluice::Field::velocity};
        if (std::strcmp(argv[k], "all") == 0) {
            for (const auto& info : sluice::particle_fields) options.fields.add(info.field);
            options.setup = sluice::sample::setup();
        }
        options.positions_double = options.positions_double || std::strcmp(argv[k], "double") == 0;
    }
    {
        sluice::FrameWriter writer(argv[1], sluice::sample::particles(moving), options);
        for (int number = 0; number < std::atoi(argv[2]); ++number) writer.write(sluice::sample::frame(number, moving));
    }
    sluice::ExportJob job;
    job.dir = argv[1];
    job.out = job.dir / "vtp";
    job.boundary = true;
    sluice::export_frames(job);
    return 0;
}
