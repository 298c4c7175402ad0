# SPDX-License-Identifier: Apache-2.0
"""Surfaces for other programs: of values, in planes, of walls and bodies; films with a speed and a camera."""
import math
import re
import struct
import unittest

from sluice_process import CASES, SluiceTest, rows

FLOATING_BOX = CASES / "floating-box-2d.xml"

# A hollow box in front of water that turns about an axis along y by 90 degrees a second.
TURNING = """<?xml version="1.0"?>
<case><casedef>
<constantsdef><gravity x="0" y="0" z="-9.81"/><rhop0 value="1000"/><hswl value="0" auto="true"/><gamma value="7"/>
<speedsystem value="0" auto="true"/><coefsound value="20"/><speedsound value="0" auto="true"/><coefh value="1"/><cflnumber value="0.2"/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/>
<geometry><definition dp="0.05"><pointmin x="-2" y="-0.5" z="-1"/><pointmax x="2" y="1" z="2"/></definition>
<commands><mainlist><setdrawmode mode="full"/>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="1" y="0" z="0"/><size x="0.4" y="0.4" z="0.4"/></drawbox>
<setmkbound mk="0"/><drawbox><boxfill>bottom</boxfill><point x="-1" y="0" z="-0.1"/><size x="2.6" y="0.5" z="0.1"/></drawbox>
<setmkbound mk="3"/><drawbox><boxfill>all</boxfill><point x="-1" y="0" z="0.5"/><size x="0.8" y="0.3" z="0.4"/></drawbox>
</mainlist></commands></geometry>
<motion><objreal ref="3"><begin mov="1" start="0"/>
<mvrot id="1" duration="10" anglesunits="degrees"><vel ang="90"/><axisp1 x="-0.6" y="0" z="0.7"/><axisp2 x="-0.6" y="1" z="0.7"/></mvrot></objreal></motion>
</casedef><execution><parameters><parameter key="TimeMax" value="0.02"/><parameter key="TimeOut" value="0.01"/></parameters></execution></case>"""


def minus(a, b):
    return tuple(p - q for p, q in zip(a, b))


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def distance_to_segment(p, a, b):
    along = minus(b, a)
    part = min(max(dot(minus(p, a), along) / max(dot(along, along), 1e-300), 0), 1)
    return math.dist(p, tuple(q + part * d for q, d in zip(a, along)))


def distance_to_triangle(p, a, b, c):
    normal = cross(minus(b, a), minus(c, a))
    size = math.sqrt(dot(normal, normal))
    inside = all(dot(cross(minus(to, at), minus(p, at)), normal) >= 0 for at, to in ((a, b), (b, c), (c, a)))
    if inside and size > 0:
        return abs(dot(minus(p, a), normal)) / size
    return min(distance_to_segment(p, *edge) for edge in ((a, b), (b, c), (c, a)))


def triangles(path):
    data = path.read_bytes()
    count = struct.unpack_from("<I", data, 80)[0]
    corners = [struct.unpack_from("<9f", data, 84 + 50 * k + 12) for k in range(count)]
    return [(c[0:3], c[3:6], c[6:9]) for c in corners]


class Vtp:
    """Arrays and cells of a VTP file as the program writes them."""
    TYPES = {"Float32": "f", "Float64": "d", "Int64": "q", "UInt32": "I", "UInt16": "H", "UInt8": "B"}

    def __init__(self, path):
        head, data = path.read_bytes().split(b"<AppendedData encoding=\"raw\">\n_", 1)
        self.arrays = {}
        for kind, name, width, offset in re.findall(
                r'type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"', head.decode()):
            at, width = int(offset), int(width)
            size = struct.unpack_from("<Q", data, at)[0]
            values = struct.unpack_from(f"<{size // struct.calcsize(self.TYPES[kind])}{self.TYPES[kind]}", data, at + 8)
            self.arrays[name] = [values[k: k + width] for k in range(0, len(values), width)] if width > 1 else list(values)
        self.points = self.arrays["points"]
        index, self.cells, begin = self.arrays["connectivity"], [], 0
        for end in self.arrays["offsets"]:
            self.cells.append(index[begin:end])
            begin = end


class Walls(SluiceTest):
    def particles(self, number, mk):
        self.sluice("export", "run", "-o", f"csv{number}", "--format", "csv", "--mkbound", mk, "--first", number, "--last", number)
        table = rows(self.dir / f"csv{number}/boundary_{number:06}.csv")
        return [tuple(float(row[f"{axis} [m]"]) for axis in "xyz") for row in table]

    def test_the_surface_of_a_turning_box_goes_with_its_particles(self):
        self.write("case.xml", TURNING.replace('<vel ang="90"/>', '<vel ang="2000"/>')) # 20 degrees a frame
        self.sluice("run", "case.xml", "-o", "run", "--pictures", 0)
        self.sluice("walls", "run", "-o", "w", "--format", "stl", "--mkbound", "3")
        self.assertEqual([file.name for file in sorted((self.dir / "w").iterdir())],
                         [f"mkbound_3_{n:06}.stl" for n in range(3)])
        ends = []
        for number in (0, 2):
            surface, particles = triangles(self.dir / f"w/mkbound_3_{number:06}.stl"), self.particles(number, 3)
            self.assertEqual(len(surface), 12)
            self.assertGreater(len(particles), 300)
            farthest = max(min(distance_to_triangle(p, *t) for t in surface) for p in particles)
            self.assertLess(farthest, 0.05)
            ends.append(max(corner[2] for t in surface for corner in t))
        # the corner at (±0.4, 0.2) from the axis, after 40 degrees and the first step beyond them
        angle = math.radians(40) + math.atan2(0.2, 0.4)
        self.assertAlmostEqual(ends[0], 0.9, places=6)
        self.assertAlmostEqual(ends[1], 0.7 + math.hypot(0.2, 0.4) * math.sin(angle), delta=0.02)
        # As around the particles; and what stands still is one file.
        self.sluice("walls", "run", "-o", "p", "--shape", "particles", "--format", "ply")
        names = sorted(file.name for file in (self.dir / "p").iterdir())
        self.assertEqual(names, ["mkbound_0_000000.ply", *(f"mkbound_3_{n:06}.ply" for n in range(3))])
        self.sluice("walls", "run", "-o", "v")
        self.assertEqual((self.dir / "v/mkbound_3.pvd").read_text().count("<DataSet"), 3)
        self.assertEqual((self.dir / "v/mkbound_0.pvd").read_text().count("<DataSet"), 1)
        self.assertIn("mkbound 7", self.sluice("walls", "run", "-o", "x", "--mkbound", 7, code=2).stderr)

    def test_the_lines_of_a_floating_box_go_with_it(self):
        self.sluice("run", FLOATING_BOX, "-o", "run", "--dp", 0.02, "--tmax", 0.3, "--tout", 0.15, "--pictures", 0)
        self.sluice("walls", "run", "-o", "w", "--mkbound", 1)
        self.sluice("slice", "run", "-o", "s", "--point", 0, 0, 0.1, "--normal", 0, 0, 1)
        for series in ("w/mkbound_1.pvd", "s/slice.pvd"):  # ParaView shows all series at the times of sampling
            self.assertEqual(re.findall(r'timestep="([^"]*)"', (self.dir / series).read_text()), ["0", "0.15", "0.3"])
        last = Vtp(self.dir / "w/mkbound_1_000002.vtp")
        particles = self.particles(2, 1)
        self.assertLess(max(p[2] for p in particles), 0.74, "it has fallen")
        for p in particles: # rows of particles inside of it
            at = (p[0], last.points[0][1], p[2])
            ways = [distance_to_segment(at, last.points[a], last.points[b]) for a, b in last.cells]
            self.assertLess(min(ways), 0.11)
        for axis in (0, 2):
            for end in (min, max):
                self.assertAlmostEqual(end(p[axis] for p in particles), end(p[axis] for p in last.points), delta=0.02)
        self.assertIn("two-dimensional", self.sluice("walls", "run", "-o", "x", "--format", "ply", code=2).stderr)


class Values(SluiceTest):
    def setUp(self):
        super().setUp()
        self.sluice("run", CASES / "hydrostatic-tank.xml", "-o", "run", "--steps", 1, "--pictures", 0)

    def test_still_water_has_its_pressure_at_its_depth(self):
        self.sluice("surface", "run", "-o", "s", "--value", "pressure", 2000, "--fields", "pressure,density",
                    "--last", 0)
        line = Vtp(self.dir / "s/surface_000000.vtp")
        self.assertGreater(len(line.points), 20)
        self.assertEqual(set(line.arrays), {"points", "normal", "pressure", "density", "connectivity", "offsets"})
        heights = [p[2] for p in line.points]
        self.assertLess(max(heights) - min(heights), 0.03)
        for value in line.arrays["pressure"]:
            self.assertAlmostEqual(value, 2000, delta=60)
        self.assertIn("NAME LEVEL are wanted (low is given)",
                      self.sluice("surface", "run", "-o", "x", "--value", "pressure", "low", code=2).stderr)
        self.assertIn("there is no 'presure' (did you mean pressure?)",
                      self.sluice("surface", "run", "-o", "x", "--value", "presure", 1, code=2).stderr)
        self.assertIn("no vorticity", self.sluice("surface", "run", "-o", "x", "--value", "vorticity", 1, code=2).stderr)
        self.assertIn("did you mean pressure", self.sluice("surface", "run", "-o", "x", "--fields", "presure", code=2).stderr)

    def test_a_slice_of_it_has_the_pressures_on_the_way_down(self):
        self.sluice("slice", "run", "-o", "s", "--point", 0.5, 0, 0, "--normal", 1, 0, 0, "--last", 0)
        line = Vtp(self.dir / "s/slice_000000.vtp")
        self.assertTrue((self.dir / "s/slice.pvd").exists())
        top = max(p[2] for p in line.points)
        for p, pressure in zip(line.points, line.arrays["pressure"]):
            self.assertAlmostEqual(p[0], 0.5, places=9)
            if 0.1 < p[2] < top - 0.1:
                self.assertAlmostEqual(pressure, 9810 * (top - p[2]), delta=0.1 * 9810 * top)
        self.assertIn("which plane?", self.sluice("slice", "run", "-o", "x", "--point", 0, 0, 0, code=2).stderr)
        self.assertIn("on a line", self.sluice("slice", "run", "-o", "x", "--through", 0, 0, 0, 1, 1, 1, 2, 2, 2, code=2).stderr)


class Films(SluiceTest):
    def setUp(self):
        super().setUp()
        self.sluice("run", FLOATING_BOX, "-o", "run", "--dp", 0.04, "--tmax", 0.2, "--tout", 0.1, "--pictures", 0)
        self.write("ffmpeg", "#!/bin/sh\nfor last; do :; done\ncat > \"$last\"\n").chmod(0o755)
        self.path = {"PATH": f"{self.dir}:/usr/bin:/bin"}

    def film(self, *options, code=0):
        return self.sluice("movie", "run", "-o", "f.mp4", "--width", 600, "--height", 400, *options, code=code, environment=self.path)

    def test_a_slow_film_has_more_pictures(self):
        self.assertIn("3 frames", self.film().stderr)
        self.assertIn("11 frames", self.film("--fps", 10, "--speed", 0.2).stderr) # 0.2 s take 1 s
        repeated = (self.dir / "f.mp4").read_bytes()
        size = len(repeated) // 11
        pictures = [repeated[k * size: (k + 1) * size] for k in range(11)]
        self.assertEqual(len(set(pictures)), 3)
        self.film("--fps", 10, "--speed", 0.2, "--between", "interpolate")
        between = (self.dir / "f.mp4").read_bytes()
        self.assertEqual(len({between[k * size: (k + 1) * size] for k in range(11)}), 11)
        self.assertIn("--between", self.film("--between", "interpolate", code=2).stderr)

    def test_a_camera_and_a_surface_change_the_pictures(self):
        self.film()
        plain = (self.dir / "f.mp4").read_bytes()
        self.film("--fluid", "surface")
        self.assertNotEqual((self.dir / "f.mp4").read_bytes(), plain)
        self.write("path.txt", "# time xmin zmin xmax zmax\n0 0 0 1.5 0.9\n0.2 0.5 0.4 1.0 0.8\n")
        self.film("--camera", "path.txt")
        film = (self.dir / "f.mp4").read_bytes()
        size = len(film) // 3
        self.assertEqual(len(film), 3 * size)
        self.assertNotEqual(film[:size], film[2 * size:])
        self.write("path.txt", "0 0 0 1.5 0.9\n0.2 0.5 0.4 0.5 0.8\n")
        self.assertIn("path.txt:2: the rectangle", self.film("--camera", "path.txt", code=2).stderr)
        self.assertIn("--crop", self.film("--camera", "path.txt", "--crop", 0, 0, 0, 1, 1, 1, code=2).stderr)


class Links(SluiceTest):
    def test_lines_and_joints_are_written_where_frames_have_them(self):
        self.sluice("run", CASES / "moored-box-2d.xml", "-o", "moored", "--dp", 0.05, "--tmax", 0.2, "--tout", 0.1, "--pictures", 0)
        self.sluice("links", "moored", "-o", "links")
        self.assertEqual(re.findall(r'timestep="([^"]*)"', (self.dir / "links/links.pvd").read_text()), ["0", "0.1", "0.2"])
        last = Vtp(self.dir / "links/links_000002.vtp")
        table = rows(self.dir / "moored/moorings/line_1.csv")[-1]
        nodes = [[float(table[f"{axis}_{k} [m]"]) for axis in "xyz"] for k in range(16)]
        for found, node in zip(last.points[16:], nodes, strict=True):
            for a, b in zip(found, node):
                self.assertAlmostEqual(a, b, 9)
        self.assertAlmostEqual(last.arrays["load"][16], float(table["tension_first [N]"]), 3)
        self.assertAlmostEqual(last.arrays["load"][31], float(table["tension_second [N]"]), 3)
        self.assertEqual(last.arrays["index"], [0] * 16 + [1] * 16)
        self.assertEqual(last.cells, [list(range(16)), list(range(16, 32))])
        self.sluice("run", CASES / "double-pendulum.xml", "-o", "swing", "--tmax", 0.5, "--tout", 0.5, "--pictures", 0)
        self.sluice("links", "swing", "-o", "swings")
        last = Vtp(self.dir / "swings/links_000001.vtp")
        self.assertEqual(last.arrays["kind"], [1] * 4)
        where = {mk: rows(self.dir / f"swing/bodies/mkbound_{mk}.csv")[-1] for mk in (1, 2)}
        upper = [float(where[1][f"{axis} [m]"]) for axis in "xyz"]
        for k in range(3):  # the middles of both pieces of axes: the pivot, and the far end of the upper bar
            self.assertAlmostEqual((last.points[0][k] + last.points[1][k]) / 2, 0, 9)
            self.assertAlmostEqual((last.points[2][k] + last.points[3][k]) / 2, 2 * upper[k], 9)
        self.assertAlmostEqual(last.points[1][1] - last.points[0][1], 4 * 0.05, 9)
        joint = rows(sorted((self.dir / "swing/joints").iterdir())[0])[-1]
        force = sum(float(joint[f"f{axis} [N]"]) ** 2 for axis in "xyz") ** 0.5
        self.assertIn(round(force, 4), [round(load, 4) for load in last.arrays["load"]])
        self.sluice("run", FLOATING_BOX, "-o", "box", "--dp", 0.05, "--tmax", 0.01, "--pictures", 0)
        self.assertIn("no mooring lines and no joints", self.sluice("links", "box", "-o", "none", code=2).stderr)
        self.assertFalse((self.dir / "none").exists())


if __name__ == "__main__":
    unittest.main()
