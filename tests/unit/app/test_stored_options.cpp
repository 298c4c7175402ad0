// SPDX-License-Identifier: Apache-2.0
#include "app/stored_options.h"
#include "core/error.h"
#include "temporary_folder.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace sluice;

namespace {

/// Everything that is stored has a value of its own, other than the default.
RunOptions distinct(const std::filesystem::path& folder) {
    RunOptions o;
    o.case_file = folder / "some.xml";
    o.out = folder;
    o.started = "2026-01-02T03:04:05Z";
    o.max_steps = 11;
    o.pictures = 12;
    o.compression = 5;
    o.checkpoint_seconds = 13;
    o.checkpoint_dt = 0.25;
    o.stop_on_exclusion = true;
    o.max_excluded = 14;
    o.fields = {};
    o.fields.add(Field::vorticity);
    o.keep_every = 15;
    o.probes = {{1, 2, 3}, {4, 5, 6}};
    o.probes_dt = 0.125;
    o.probes_follow = 3;
    BackendOptions& b = o.backend;
    b.kind = BackendKind::cuda;
    b.threads = 3;
    b.ranks = 5;
    b.split = cpu::Split{cpu::Split::Kind::table, 0, {1, 1}, {{1, 0}, 2, {3, 1, 0, 4}}, "file:map.txt"};
    b.cpu_mode = CpuMode::slices;
    b.cells = CellSize::h;
    b.slice_axis = SliceAxis::y;
    b.simd = "v3";
    b.device = 2;
    b.gpus = 4;
    b.gpu_mode = GpuMode::slow_half;
    b.gpu_mode_before = GpuMode::short_list;
    b.gpu_memory = 7e9;
    b.neighbour_list = true;
    return o;
}

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

} // namespace

TEST(StoredOptions, AreReadAsTheyWereStored) {
    const TemporaryFolder folder;
    store_options(folder.path(), distinct(folder.path()));
    const RunOptions o = load_options(folder.path());
    EXPECT_EQ(o.case_file, folder.path() / "some.xml");
    EXPECT_EQ(o.out, folder.path());
    EXPECT_EQ(o.started, "2026-01-02T03:04:05Z");
    EXPECT_EQ(o.max_steps, 11);
    EXPECT_EQ(o.pictures, 12);
    EXPECT_EQ(o.compression, 5);
    EXPECT_EQ(o.checkpoint_seconds, 13);
    EXPECT_EQ(o.checkpoint_dt, 0.25);
    EXPECT_TRUE(o.stop_on_exclusion);
    EXPECT_EQ(o.max_excluded, 14);
    EXPECT_TRUE(o.fields.has(Field::vorticity));
    EXPECT_FALSE(o.fields.has(Field::pressure));
    EXPECT_EQ(o.keep_every, 15u);
    EXPECT_EQ(o.probes, (std::vector<Vec3d>{{1, 2, 3}, {4, 5, 6}}));
    EXPECT_EQ(o.probes_dt, 0.125);
    EXPECT_EQ(o.probes_follow, 3);
    const BackendOptions& b = o.backend;
    EXPECT_EQ(b.kind, BackendKind::cuda);
    EXPECT_EQ(b.threads, 3);
    EXPECT_EQ(b.ranks, 5);
    ASSERT_TRUE(b.split.has_value());
    EXPECT_EQ(b.split->kind, cpu::Split::Kind::table);
    EXPECT_EQ(b.split->text, "file:map.txt");
    EXPECT_EQ(b.split->table.axes, (std::array<int, 2>{1, 0}));
    EXPECT_EQ(b.split->table.columns, 2u);
    EXPECT_EQ(b.split->table.ranks, (std::vector<cpu::RankNumber>{3, 1, 0, 4}));
    EXPECT_EQ(b.cpu_mode, CpuMode::slices);
    EXPECT_EQ(b.cells, CellSize::h);
    EXPECT_EQ(b.slice_axis, SliceAxis::y);
    EXPECT_EQ(b.simd, "v3");
    EXPECT_EQ(b.device, 2);
    EXPECT_EQ(b.gpus, 4);
    EXPECT_EQ(b.gpu_mode, GpuMode::slow_half);
    EXPECT_EQ(b.gpu_mode_before, GpuMode::short_list);
    EXPECT_EQ(b.gpu_memory, 7e9);
    EXPECT_EQ(b.neighbour_list, true);
}

TEST(StoredOptions, WhatWasLeftToTheProgramStaysSo) {
    const TemporaryFolder folder;
    RunOptions plain;
    plain.case_file = folder.path() / "some.xml";
    store_options(folder.path(), plain);
    const RunOptions o = load_options(folder.path());
    EXPECT_EQ(o.backend.kind, BackendKind::automatic);
    EXPECT_FALSE(o.checkpoint_dt || o.probes_dt || o.probes_follow || o.backend.ranks || o.backend.split ||
                 o.backend.cpu_mode || o.backend.cells || o.backend.slice_axis || o.backend.simd || o.backend.gpus ||
                 o.backend.gpu_mode || o.backend.gpu_mode_before || o.backend.gpu_memory || o.backend.neighbour_list);
}

TEST(StoredOptions, AsManyGpusAsPayStaysSo) {
    const TemporaryFolder folder;
    RunOptions options = distinct(folder.path());
    options.backend.gpus = as_many_gpus_as_pay;
    store_options(folder.path(), options);
    EXPECT_EQ(load_options(folder.path()).backend.gpus, as_many_gpus_as_pay);
}

// What may change between the parts of a run is not of its essence; everything else is.
TEST(StoredOptions, TheEssenceIsWhatChangesNumbersAndTables) {
    const TemporaryFolder folder;
    const auto essence_with = [&](auto&& change) {
        RunOptions o = distinct(folder.path());
        change(o);
        store_options(folder.path(), o);
        return essence_of_options(folder.path());
    };
    const std::string before = essence_with([](RunOptions&) {});
    EXPECT_EQ(before, essence_with([](RunOptions& o) {
                  o.case_file = "/elsewhere.xml";
                  o.started = "later";
                  o.max_steps = o.pictures = 99;
                  o.checkpoint_seconds = 98;
                  o.checkpoint_dt = 97;
                  o.backend.gpu_mode_before.reset();
                  o.backend.ranks = o.backend.gpus = 1;
                  o.backend.split.reset();
              }));
    EXPECT_NE(before, essence_with([](RunOptions& o) { o.stop_on_exclusion = false; }));
    EXPECT_NE(before, essence_with([](RunOptions& o) { o.max_excluded = 1; }));
    EXPECT_NE(before, essence_with([](RunOptions& o) { o.fields.add(Field::pressure); }));
    EXPECT_NE(before, essence_with([](RunOptions& o) { o.keep_every = 1; }));
    EXPECT_NE(before, essence_with([](RunOptions& o) { o.probes.pop_back(); }));
    EXPECT_NE(before, essence_with([](RunOptions& o) { o.probes_dt = 1; }));
    EXPECT_NE(before, essence_with([](RunOptions& o) { o.probes_follow.reset(); }));
    EXPECT_NE(before, essence_with([](RunOptions& o) { o.compression = 1; }));
    EXPECT_NE(before, essence_with([](RunOptions& o) { o.backend.simd = "v4"; }));
}

TEST(StoredOptions, ValuesThatNoOptionAllowsAreRefused) {
    const TemporaryFolder folder;
    const auto load_with = [&](const std::string& old, const std::string& now) {
        store_options(folder.path(), distinct(folder.path()));
        std::string text = text_of(folder.path() / "options.json");
        const auto at = text.find(old);
        EXPECT_NE(at, text.npos) << old;
        std::ofstream(folder.path() / "options.json") << text.replace(at, old.size(), now);
        return load_options(folder.path());
    };
    EXPECT_EQ(load_with("\"keep_every\": 15", "\"keep_every\": 1").keep_every, 1u);
    EXPECT_EQ(load_with("\"compression\": 5", "\"compression\": 9").compression, 9);
    EXPECT_EQ(load_with("\"compression\": 5", "\"compression\": 0").compression, 0);
    EXPECT_EQ(load_with("\"threads\": 3", "\"threads\": 0").backend.threads, 0);
    EXPECT_EQ(load_with("\"ranks\": 5", "\"ranks\": 1").backend.ranks, 1);
    EXPECT_EQ(load_with("\"checkpoint_seconds\": 13.0", "\"checkpoint_seconds\": 0").checkpoint_seconds, 0);
    for (const auto& [old, now] : std::vector<std::pair<std::string, std::string>>{
             {"\"keep_every\": 15", "\"keep_every\": 0"},
             {"\"compression\": 5", "\"compression\": 10"},
             {"\"compression\": 5", "\"compression\": -1"},
             {"\"threads\": 3", "\"threads\": -1"},
             {"\"threads\": 3", "\"threads\": 1025"},
             {"\"ranks\": 5", "\"ranks\": 0"},
             {"\"ranks\": 5", "\"ranks\": 5000"},
             {"\"columns\": 2", "\"columns\": 0"},
             {"\"columns\": 2", "\"columns\": 3"},
             {"\"columns\": 2", "\"lines\": 2"},
             {"\"gpus\": 4", "\"gpus\": 0"},
             {"\"checkpoint_seconds\": 13.0", "\"checkpoint_seconds\": -1"},
             {"\"checkpoint_dt\": 0.25", "\"checkpoint_dt\": 0"},
             {"\"probes_dt\": 0.125", "\"probes_dt\": 0"},
             {"\"vorticity\"", "\"vorticities\""},
             {"\"steps\"", "\"stops\""},
             {"{", "["}})
        EXPECT_THROW(load_with(old, now), InputError) << now;
    std::filesystem::remove(folder.path() / "options.json");
    EXPECT_THROW(load_options(folder.path()), InputError);
}
