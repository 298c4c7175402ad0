// SPDX-License-Identifier: Apache-2.0
#include "io/files/alembic.h"
#include "sample.h"
#include "temporary_folder.h"
#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>

// What the file holds, tests/cases/test_scene.py reads back with a reader of its own, and with Blender where there is
// one.

using namespace sluice;

namespace {

const std::vector<Vec3d> corners{{0, 0, 0}, {1, 0, 0}, {0, 2, 3}};
const std::vector<Vec3i> triangle{{0, 1, 2}};
const std::vector<Vec3f> velocities{{1, 2, 3}, {0, 0, 0}, {0, 0, 0}};

/// How often a sequence of numbers stands in a file.
template <class T>
std::size_t count_of(const std::string& bytes, const std::vector<T>& numbers) {
    std::string part(numbers.size() * sizeof(T), '\0');
    std::memcpy(part.data(), numbers.data(), part.size());
    std::size_t count = 0;
    for (std::size_t at = bytes.find(part); at != std::string::npos; at = bytes.find(part, at + 1)) ++count;
    return count;
}

std::string scene(const std::vector<double>& times, UpAxis up) {
    const TemporaryFolder folder;
    AlembicWriter writer(folder.path() / "a.abc", times, up);
    const int mesh = writer.add_mesh("fluid", true);
    for (std::size_t k = 0; k < times.size(); ++k) writer.set(mesh, MeshSample{corners, triangle, velocities});
    writer.finish();
    return sample::content_of(folder.path() / "a.abc");
}

} // namespace

TEST(Alembic, AxesPointUpAsAskedFor) {
    const std::string y = scene({0, 1}, UpAxis::y), z = scene({0, 1}, UpAxis::z);
    EXPECT_EQ(y.substr(0, 8), std::string("Ogawa\xff\0\1", 8));
    EXPECT_EQ(count_of(y, std::vector<float>{0, 0, -0.f, 1, 0, -0.f, 0, 3, -2}), 1U); // equal samples are stored once
    EXPECT_EQ(count_of(y, std::vector<float>{1, 3, -2, 0, 0}), 1U);
    EXPECT_EQ(count_of(z, std::vector<float>{0, 0, 0, 1, 0, 0, 0, 2, 3}), 1U);
    EXPECT_EQ(count_of(z, std::vector<float>{1, 2, 3, 0, 0}), 1U);
    EXPECT_EQ(count_of(z, std::vector<std::int32_t>{2, 1, 0}), 1U); // clockwise
}

TEST(Alembic, TimesAreEvenOrOneByOne) {
    EXPECT_EQ(count_of(scene({0.5, 0.75, 1}, UpAxis::y), std::vector<double>{0.5}), 1U);
    EXPECT_EQ(count_of(scene({0.5, 0.75, 1}, UpAxis::y), std::vector<double>{0.75}), 0U);
    EXPECT_EQ(count_of(scene({0.5, 0.7, 1}, UpAxis::y), std::vector<double>{0.5, 0.7, 1}), 1U);
}

TEST(Alembic, IsThereWhenItIsComplete) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.abc";
    {
        AlembicWriter writer(path, {0, 1}, UpAxis::y);
        const int mesh = writer.add_mesh("wall", false);
        writer.set(mesh, MeshSample{corners, triangle, {}});
        EXPECT_THROW(writer.finish(), std::logic_error); // a sample lacks
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    AlembicWriter writer(path, {0}, UpAxis::y);
    const int mesh = writer.add_mesh("fluid", true);
    EXPECT_THROW(writer.set(mesh, MeshSample{corners, triangle, {}}), std::logic_error);
}
