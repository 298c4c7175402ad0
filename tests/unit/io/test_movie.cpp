// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_writer.h"
#include "io/pictures/movie.h"
#include "sample.h"
#include "temporary_folder.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

/// Puts a program called ffmpeg first on the PATH that does what `script` says.
class FalseEncoder {
public:
    FalseEncoder(const fs::path& folder, const std::string& script) : before_(std::getenv("PATH")) {
        std::ofstream(folder / "ffmpeg") << "#!/bin/sh\n" << script;
        fs::permissions(folder / "ffmpeg", fs::perms::owner_all);
        setenv("PATH", (folder.string() + ":" + before_).c_str(), 1);
    }
    ~FalseEncoder() { setenv("PATH", before_.c_str(), 1); }

private:
    std::string before_;
};

MovieJob job_in(const fs::path& dir) {
    FrameWriter writer(dir, sample::particles());
    for (int n = 0; n < 3; ++n) writer.write(sample::frame(n));
    MovieJob job;
    job.dir = dir;
    job.out = dir / "film.mp4";
    job.picture.width = 300;
    return job;
}

} // namespace

TEST(movie, hands_the_pixels_of_every_picture_to_the_encoder) {
    const TemporaryFolder folder;
    const FalseEncoder encoder(folder.path(), "for last; do :; done; cat > \"$last\"\n");
    MovieJob job = job_in(folder.path());
    job.picture.range = ValueRange{0, 1};
    job.picture.view = Box{{-0.1, 0, 0.3}, {0.5, 0.5, 0.7}};
    EXPECT_EQ(write_movie(job), 3);
    const ParticleLayout layout = read_layout(folder.path());
    std::string pictures;
    for (int n = 0; n < 3; ++n) pictures += picture_pixels(read_frame(folder.path(), n), layout, job.picture).bgrx;
    EXPECT_TRUE(sample::content_of(job.out) == pictures);
    job.first = 1;
    job.every = 2;
    job.out = folder.path() / "new" / "film.mp4";
    EXPECT_EQ(write_movie(job), 1);
    EXPECT_TRUE(fs::exists(job.out)) << "its folder was not there";
}

TEST(movie, tells_the_encoder_size_rate_and_what_the_kind_of_film_wants) {
    const TemporaryFolder folder;
    const FalseEncoder encoder(folder.path(), "cat > /dev/null; for last; do :; done; echo \"$@\" > \"$last\"\n");
    MovieJob job = job_in(folder.path());
    job.frames_per_second = 12;
    job.every = 3;
    const PictureBytes picture = picture_pixels(read_frame(folder.path(), 0), read_layout(folder.path()), job.picture);
    const std::string pixels = fmt::format("-f rawvideo -pix_fmt bgr0 -s {}x{}", picture.width, picture.height);
    const auto words_for = [&](const char* name) {
        job.out = folder.path() / name;
        write_movie(job);
        const std::string words = sample::content_of(job.out);
        EXPECT_NE(words.find(pixels), std::string::npos) << words;
        EXPECT_NE(words.find("-framerate 12 -i - -vf pad="), std::string::npos) << words;
        return words;
    };
    // players of H.264 and VP8 want colours at half of the resolution; a GIF has a palette for each picture
    for (const char* name : {"film.mp4", "film.mov", "film.mkv"})
        EXPECT_NE(words_for(name).find(" -pix_fmt yuv420p -preset veryfast /"), std::string::npos) << name;
    EXPECT_NE(words_for("film.webm").find(" -pix_fmt yuv420p -deadline realtime"), std::string::npos);
    const std::string gif = words_for("film.gif");
    EXPECT_NE(gif.find("palettegen=stats_mode=single"), std::string::npos);
    EXPECT_EQ(gif.find("yuv420p"), std::string::npos);
}

TEST(movie, says_when_the_encoder_fails_or_is_missing) {
    const TemporaryFolder folder;
    const MovieJob job = job_in(folder.path());
    {
        const FalseEncoder encoder(folder.path(), "cat > /dev/null; exit 1\n");
        EXPECT_THROW(write_movie(job), RunError);
    }
    {
        const FalseEncoder encoder(folder.path(), "exit 1\n");
        EXPECT_THROW(write_movie(job), RunError);
    }
    // what it complains of stands in one line of the message, also where it ends as if all were well
    for (const char* end : {"exit 1\n", "for last; do :; done; echo film > \"$last\"\n"}) {
        const FalseEncoder encoder(folder.path(),
                                   std::string("cat > /dev/null; echo no >&2; echo such codec >&2; ") + end);
        try {
            write_movie(job);
            ADD_FAILURE() << end;
        } catch (const RunError& error) {
            EXPECT_EQ(error.what(), job.out.string() + ": ffmpeg could not make the film: no such codec ");
            EXPECT_EQ(outcome_of(error), Outcome::output_failed);
        }
        EXPECT_FALSE(fs::exists(job.out)) << end;
    }
    {
        const FalseEncoder encoder(folder.path(), "for last; do :; done; cat > \"$last\"\n");
        for (const char* name : {"film.xyz", "film", "film.MP4"}) {
            MovieJob other = job;
            other.out = folder.path() / name;
            EXPECT_THROW(write_movie(other), InputError) << name;
        }
    }
    const std::string before = std::getenv("PATH");
    setenv("PATH", "/nonexistent", 1);
    EXPECT_FALSE(can_make_movies());
    EXPECT_THROW(write_movie(job), InputError);
    setenv("PATH", before.c_str(), 1);
}
