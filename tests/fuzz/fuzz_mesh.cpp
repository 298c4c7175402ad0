// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "geometry/mesh_file.h"
#include <cstdint>

// libFuzzer target: whatever the bytes, each mesh reader either makes a mesh or throws InputError. The first byte
// chooses the reader.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string content(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        switch (data[0] % 5) {
        case 0: sluice::mesh_format::parse_stl(content); break;
        case 1: sluice::mesh_format::parse_ply(content); break;
        case 2: sluice::mesh_format::parse_vtk(content); break;
        case 3: sluice::mesh_format::parse_height_table(content); break;
        case 4: sluice::mesh_format::parse_multiblock(content); break;
        }
    } catch (const sluice::InputError&) {
    }
    return 0;
}
