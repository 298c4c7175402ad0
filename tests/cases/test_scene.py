# SPDX-License-Identifier: Apache-2.0
"""`sluice scene`: what its Alembic files hold, by a reader of the format that shares nothing with the program, and by Blender where
SLUICE_TEST_PYTHON has it (the package bpy)."""
import json
import os
import re
import struct
import subprocess
import unittest

from sluice_process import CASES, SluiceTest, rows
from test_surfaces import TURNING

PILLARS = CASES / "pillars-3d.xml"
KINDS = {6: "i", 7: "Q", 10: "f", 11: "d"}


class Ogawa:
    """Groups and data of a file."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        assert self.bytes[:8] == b"Ogawa\xff\0\1", "complete, version 1"
        self.root = self.group(self.number("Q", 8))

    def number(self, kind, at):
        return struct.unpack_from("<" + kind, self.bytes, at)[0]

    def group(self, at):
        """The children of a group: bytes of data, or where a group is."""
        if at == 0:
            return []
        children = struct.unpack_from(f"<{self.number('Q', at)}Q", self.bytes, at + 8)
        return [self.data(child ^ 1 << 63) if child >> 63 else child for child in children]

    def data(self, at):
        return self.bytes[at + 8: at + 8 + self.number("Q", at)] if at else b""


class Property:
    def __init__(self, name, meta, kind, extent, samples):
        self.name, self.meta, self.samples = name, meta, samples
        self.kind, self.extent = kind, extent

    def values(self, k):
        """Sample k: numbers, or tuples of them."""
        data = self.samples[min(k, len(self.samples) - 1)][16:]  # behind its key
        numbers = struct.unpack(f"<{len(data) // struct.calcsize(self.kind)}{self.kind}", data)
        if self.extent == 1:
            return list(numbers)
        return [numbers[i: i + self.extent] for i in range(0, len(numbers), self.extent)]


class Archive:
    """Times and objects of an Alembic file; of each object its properties by name."""

    def __init__(self, path):
        self.file = Ogawa(path)
        version, self.library, top, self.about, times, metas = self.file.root
        assert version == b"\0\0\0\0"
        self.metas = [b""]
        while metas:
            self.metas.append(metas[1: 1 + metas[0]])
            metas = metas[1 + metas[0]:]
        self.samplings = []
        while times:
            count, cycle, stored = struct.unpack_from("<IdI", times)
            self.samplings.append((count, cycle, struct.unpack_from(f"<{stored}d", times, 16)))
            times = times[16 + 8 * stored:]
        children = self.file.group(top)
        headers, self.objects, self.meta = children[-1][:-32], {}, {}
        for child in children[1:-1]:
            size = struct.unpack_from("<I", headers)[0]
            name, index = headers[4: 4 + size].decode(), headers[4 + size]
            headers = headers[5 + size:]
            self.objects[name], self.meta[name] = self.properties(child), self.metas[index].decode()
        assert headers == b""

    def times(self):
        count, cycle, stored = self.samplings[1]
        return [stored[0] + k * cycle for k in range(count)] if len(stored) == 1 else list(stored)

    def properties(self, at):
        outer = self.file.group(self.file.group(at)[0])  # which has .geom alone
        header = outer[-1]
        assert header[8:] == b".geom"
        children = self.file.group(outer[0])
        headers, found = children[-1], {}
        for child in children[:-1]:
            info, count, sampling, size = struct.unpack_from("<4I", headers)
            name = headers[16: 16 + size].decode()
            headers = headers[16 + size:]
            assert sampling == 1 and info & 0x10C == 0x108
            samples = self.file.group(child)
            if info & 2:  # an array: each sample is followed by its extents, which its size tells
                assert samples[1::2] == [b""] * (len(samples) // 2)
                samples = samples[::2]
            assert len(samples) == (1 if info & 0x800 else count) and count == self.samplings[1][0]
            found[name] = Property(name, self.metas[info >> 20 & 0xFF].decode(), KINDS[info >> 4 & 15],
                                   info >> 12 & 0xFF, samples)
        assert headers == b""
        return found


def volume(points, corners):
    """Enclosed by triangles that are clockwise, seen from outside."""
    total = 0
    for a, b, c in zip(corners[::3], corners[1::3], corners[2::3]):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = points[c], points[b], points[a]
        total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return total / 6


class Scene(SluiceTest):
    def test_a_dam_break_with_all_parts(self):
        self.sluice("run", PILLARS, "-o", "run", "--dp", 0.05, "--tmax", 0.4, "--tout", 0.1, "--pictures", 0)
        self.sluice("scene", "run", "-o", "new/run.abc", "--parts", "surface,walls,points")
        scene = Archive(self.dir / "new/run.abc")
        self.assertEqual(set(scene.objects) - {"fluid", "points"}, {"mkbound_0", "mkbound_1", "mkbound_2", "mkbound_3"})
        for wrong, right in zip(scene.times(), (0, 0.1, 0.2, 0.3, 0.4)):
            self.assertAlmostEqual(wrong, right, places=12)
        self.assertEqual(len(scene.times()), 5)
        self.assertEqual(len(scene.samplings[1][2]), 1, "even times are a first one and a step")
        self.assertEqual(scene.meta["fluid"], "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1;"
                                              "schemaObjTitle=AbcGeom_PolyMesh_v1:.geom")
        self.sluice("surface", "run", "-o", "stl", "--format", "stl")
        self.sluice("export", "run", "-o", "csv", "--format", "csv")
        fluid, points = scene.objects["fluid"], scene.objects["points"]
        for k in range(5):
            places, corners = fluid["P"].values(k), fluid[".faceIndices"].values(k)
            self.assertEqual(len(fluid[".velocities"].values(k)), len(places))
            self.assertEqual(len(corners), 3 * len(fluid[".faceCounts"].values(k)))
            stl = (self.dir / f"stl/surface_{k:06}.stl").read_bytes()
            self.assertEqual(len(corners) // 3, struct.unpack_from("<I", stl, 80)[0])
            # a column of 0.6 m by 1 m by 0.5 m at the start, and no water is lost
            self.assertAlmostEqual(volume(places, corners), volume(fluid["P"].values(0), fluid[".faceIndices"].values(0)),
                                   delta=0.1 * abs(volume(places, corners)))
            self.assertTrue(0.25 < volume(places, corners) < 0.35)
            box = fluid[".selfBnds"].values(k)[0]
            self.assertAlmostEqual(box[4], max(p[1] for p in places), places=6)
            table = rows(self.dir / f"csv/fluid_{k:06}.csv")
            self.assertEqual(points[".pointIds"].values(k), [int(row["id"]) for row in table])
            for row, place, velocity in list(zip(table, points["P"].values(k), points[".velocities"].values(k)))[::97]:
                for name, values in (("{} [m]", place), ("v{} [m/s]", velocity)):
                    x, y, z = (float(row[name.format(axis)]) for axis in "xyz")
                    for one, other in zip(values, (x, z, -y)):
                        self.assertAlmostEqual(one, other, places=5)
        self.assertEqual(len(scene.objects["mkbound_1"]["P"].samples), 1, "what stands still is stored once")
        self.assertAlmostEqual(points[".widths"].values(0)[0], 0.05, places=7)
        # the surface's velocities are those of the water: at the first time none, later up to some metres a second
        fastest = [max(sum(c * c for c in v) ** 0.5 for v in fluid[".velocities"].values(k)) for k in (0, 4)]
        self.assertEqual(fastest[0], 0)
        self.assertTrue(1 < fastest[1] < 6, fastest)

    def test_a_turning_box_and_times_that_are_uneven(self):
        text = TURNING.replace('<vel ang="90"/>', '<vel ang="2000"/>').replace(
            "<execution>", '<execution><special><timeout><tout time="0" timeout="0.005"/><tout time="0.01" timeout="0.01"/></timeout></special>')
        self.write("case.xml", text)
        self.sluice("run", "case.xml", "-o", "run", "--pictures", 0)
        self.sluice("scene", "run", "-o", "s.abc", "--parts", "walls", "--mkbound", 3, "--up", "z")
        scene = Archive(self.dir / "s.abc")
        self.assertEqual(list(scene.objects), ["mkbound_3"])
        self.assertEqual(scene.times(), [0, 0.005, 0.01, 0.02])
        box = scene.objects["mkbound_3"]
        heights = [max(p[2] for p in box["P"].values(k)) for k in range(4)]
        self.assertAlmostEqual(heights[0], 0.9, places=6)
        self.assertGreater(heights[3], heights[1])
        self.assertEqual(len(box["P"].samples), 4)
        self.assertEqual(len(box[".faceIndices"].samples), 1, "a rigid body keeps its triangles")
        self.assertAlmostEqual(volume(box["P"].values(3), box[".faceIndices"].values(3)), 0.8 * 0.3 * 0.4, places=5)

    def test_two_dimensions_and_what_is_refused(self):
        self.sluice("run", CASES / "dam-break-2d.xml", "-o", "run", "--dp", 0.05, "--tmax", 0.1, "--tout", 0.1, "--pictures", 0)
        result = self.sluice("scene", "run", "-o", "s.abc")
        self.assertIn("lines, which are left out", result.stderr + result.stdout)
        scene = Archive(self.dir / "s.abc")
        self.assertEqual(list(scene.objects), ["fluid"])
        places = scene.objects["fluid"]["P"].values(0)
        self.assertLess(max(p[2] for p in places) - min(p[2] for p in places), 1e-6, "flat")
        self.assertIn("a scene is written as .abc", self.sluice("scene", "run", "-o", "s.obj", code=2).stderr)
        self.sluice("scene", "run", "-o", "t.abc", "--parts", "water", code=2)
        self.assertFalse((self.dir / "t.abc").exists())

    def test_blender_reads_it(self):
        python = os.environ.get("SLUICE_TEST_PYTHON")
        if not python or subprocess.run([python, "-c", "import bpy"], capture_output=True).returncode != 0:
            self.skipTest("SLUICE_TEST_PYTHON has no bpy")
        self.sluice("run", PILLARS, "-o", "run", "--dp", 0.05, "--tmax", 0.4, "--tout", 0.1, "--pictures", 0)
        self.sluice("scene", "run", "-o", "run.abc", "--parts", "surface,walls,points")
        self.write("read.py", """
import bpy, json
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 10
bpy.ops.wm.alembic_import(filepath="run.abc", set_frame_range=True, as_background_job=False)
found = {"range": [scene.frame_start, scene.frame_end]}
for frame in (0, 4):
    scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    for object in bpy.data.objects:
        data = object.evaluated_get(graph).data
        points = getattr(data, "vertices", None) or getattr(data, "points", [])
        places = [object.matrix_world @ p.co for p in points]
        speeds = data.attributes.get("velocity")
        found[f"{object.name} {frame}"] = {
            "count": len(places), "low": [min(p[k] for p in places) for k in range(3)],
            "high": [max(p[k] for p in places) for k in range(3)],
            "fastest": max(v.vector.length for v in speeds.data) if speeds else None}
print("FOUND", json.dumps(found))
""")
        output = subprocess.run([python, "read.py"], cwd=self.dir, capture_output=True, text=True, timeout=300).stdout
        found = json.loads(re.search(r"FOUND (.*)", output)[1])
        self.assertEqual(found["range"], [0, 4])
        scene = Archive(self.dir / "run.abc")
        for name, properties in scene.objects.items():
            for k in (0, 4):
                read, places = found[f"{name} {k}"], [(x, -z, y) for x, y, z in properties["P"].values(k)]
                self.assertEqual(read["count"], len(places), name)
                for axis in range(3):
                    self.assertAlmostEqual(read["low"][axis], min(p[axis] for p in places), places=5)
                    self.assertAlmostEqual(read["high"][axis], max(p[axis] for p in places), places=5)


if __name__ == "__main__":
    unittest.main()
