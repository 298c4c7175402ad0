// SPDX-License-Identifier: Apache-2.0
#include "core/input_file.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

template <class Function>
std::string refusal(const Function& function) {
    try {
        function();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST(InputFile, PipesDevicesAndFoldersAreRefusedAndNobodyWaits) {
    const TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe", link = folder.path() / "link";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", link);
    const auto opening = [](const fs::path& path) { return refusal([&] { open_input(path); }); };
    EXPECT_EQ(opening(pipe), pipe.string() + ": is a pipe, give the name of a file");
    EXPECT_EQ(opening(link), link.string() + ": is a device, give the name of a file");
    EXPECT_EQ(opening(folder.path()), folder.path().string() + ": is a folder, give the name of a file");
    EXPECT_FALSE(open_input(folder.path() / "missing"));
    std::ofstream(folder.path() / "there") << "word";
    std::string word;
    EXPECT_TRUE(open_input(folder.path() / "there") >> word);
    EXPECT_EQ(word, "word");
}

TEST(InputFile, JsonIsNestedAsDeeplyAsNeedBe) {
    const auto nested = [](int depth) {
        return std::string(std::size_t(depth), '[') + std::string(std::size_t(depth), ']');
    };
    EXPECT_FALSE(nests_too_deep(nested(100)));
    EXPECT_TRUE(nests_too_deep(nested(101)));
    std::string flat = "[";
    for (int n = 0; n < 300; ++n) flat += R"({"a": ["[[", "\\\"{"]},)";
    EXPECT_FALSE(nests_too_deep(flat));
    EXPECT_FALSE(nests_too_deep('"' + nested(101) + '"'));
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "run.json";
    EXPECT_FALSE(read_json_text(file));
    std::ofstream(file) << nested(100);
    EXPECT_EQ(read_json_text(file), nested(100));
    std::ofstream(file) << nested(40000);
    EXPECT_NE(refusal([&] { read_json_text(file); }).find("run.json: its values are nested so deeply"),
              std::string::npos);
}

TEST(InputFile, LinksMayStayInAFolderAndNotLeadOutOfIt) {
    const TemporaryFolder folder;
    const fs::path inside = folder.path() / "case";
    fs::create_directories(inside / "data");
    std::ofstream(inside / "data" / "mesh.stl") << "solid";
    std::ofstream(folder.path() / "secret") << "secret";
    fs::create_symlink("data/mesh.stl", inside / "good.stl");
    fs::create_symlink("../secret", inside / "bad.stl");
    fs::create_symlink("..", inside / "up");
    fs::create_symlink(inside, folder.path() / "same"); // the case itself may be reached through links
    const auto reading = [&](const fs::path& from, const char* name) {
        return refusal([&] { require_inside(from, from / name, {"case.xml", 7}); });
    };
    for (const fs::path& from : {inside, folder.path() / "same"}) {
        for (const char* name : {"data/mesh.stl", "good.stl", "missing.stl"})
            EXPECT_EQ(reading(from, name), "") << name;
        for (const char* name : {"bad.stl", "up/secret", "up/missing"})
            EXPECT_EQ(reading(from, name), "case.xml:7: the file " + (from / name).string() +
                                               " lies, through a link, outside the folder of the case: copy it there "
                                               "instead");
    }
    for (const char* here : {"", "."})
        EXPECT_EQ(reading(here, "missing.stl"), "") << "beside a case named without a folder";
}
