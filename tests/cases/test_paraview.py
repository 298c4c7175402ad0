# SPDX-License-Identifier: Apache-2.0
"""What ParaView and PyVista show of whole runs. ParaView is the pvpython and pvbatch on the PATH; what is not installed is skipped."""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import unittest
import zlib

from sluice_process import CASES, SluiceTest, rows

HERE = pathlib.Path(__file__).resolve().parent
PVPYTHON, PVBATCH = shutil.which("pvpython"), shutil.which("pvbatch")
DISPLAY = [] if os.environ.get("DISPLAY") else [shutil.which("xvfb-run"), "-a"]
PYTHON = os.environ.get("SLUICE_TEST_PYTHON") or sys.executable
XDMF_READERS = ["XDMFReader", "Xdmf3ReaderS", "Xdmf3ReaderT"]
QUIET = ["--pictures", 0, "--quiet"]

CODE = """
import json, sys, pyvista
reader = pyvista.get_reader(sys.argv[1])
for time in reader.time_values:
    reader.set_active_time_value(time)
    mesh = reader.read()
    print(json.dumps({"time": time, "points": mesh.n_points, "cells": mesh.n_cells, "exact": float(mesh.field_data["exact_time"][0]),
                      "ids": int(mesh["id"].sum()), "pressure": float(mesh["pressure"].sum(dtype=float))}))
"""


def has_module(name):
    return subprocess.run([PYTHON, "-c", f"import {name}"], capture_output=True, check=False).returncode == 0


class ParaViewTest(SluiceTest):
    def from_program(self, *command):
        """Standard output, of a program that must not fail, line by line."""
        result = subprocess.run([*map(str, command)], cwd="/", capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}\n{result.stderr}")
        return [line for line in result.stdout.splitlines() if line.strip()]

    def in_paraview(self, file, readers):
        lines = self.from_program(PVPYTHON, HERE / "read_in_paraview.py", self.dir / file, *readers)
        return [json.loads(line) for line in lines if line.startswith("{")]

    def exported(self, folder, part):
        """Rows of every frame, and what the head of its table says: step and time."""
        self.sluice("export", folder, "-o", "csv", "--format", "csv", "--boundary", "--overwrite", "--quiet")
        frames = []
        for file in sorted((self.dir / "csv").glob(f"{part}_*.csv")):
            head = re.match(r"# frame \d+, step (\d+), time (\S+) s", file.read_text().splitlines()[0])
            frames.append((int(head[1]), float(head[2]), rows(file)))
        return frames

    def check_part(self, folder, part, kinds, readers, absent=()):
        frames = [frame for frame in self.exported(folder, part) if frame[2]]
        seen = self.in_paraview(f"{folder}/{part}.xdmf", readers)
        found = sorted({frame["reader"] for frame in seen})
        self.assertTrue(found)
        for reader in found:
            own = [frame for frame in seen if frame["reader"] == reader]
            self.assertEqual(len(own), len(frames) + 2, reader)
            for frame, (step, time, particles) in zip(own, [*frames, frames[0], frames[-1]]):
                where = f"{reader} {part} {frame['time']}"
                self.assertEqual((frame["points"], frame["cells"]), (len(particles), len(particles)), where)
                self.assertEqual(frame["figures"], {"exact_time": [time], "step": [step]}, where)
                self.assertLessEqual(frame["time"], time)
                self.assertLess(time - frame["time"], 0.003, where)
                self.assertEqual(set(frame["shapes"]) & set(absent), set(), where)
                for axis, column in enumerate(("x [m]", "y [m]", "z [m]")):
                    self.assertAlmostEqual(frame["places"][axis], sum(float(row[column]) for row in particles), delta=1e-3)
                for array, column in kinds.items():
                    total = sum(float(row[column]) for row in particles)
                    self.assertAlmostEqual(frame["sums"][array], total, delta=1e-5 * abs(total), msg=f"{where} {array}")
        return frames, seen

    STATE = {"id": "id", "mk": "mk", "type": "type", "density": "density [kg/m3]", "pressure": "pressure [Pa]"}


@unittest.skipUnless(PVPYTHON, "no pvpython on the PATH")
class ParaViewReads(ParaViewTest):
    def test_fluid_and_walls_at_rest_of_a_run(self):
        self.sluice("run", CASES / "dam-break-2d.xml", "-o", "before", "--dp", 0.05, "--tmax", 0.22, "--tout", 0.05, *QUIET)
        (self.dir / "before").rename(self.dir / "elsewhere")
        frames, seen = self.check_part("elsewhere", "fluid", self.STATE, XDMF_READERS)
        self.assertEqual([frame["time"] for frame in seen[:len(frames)]], [0, 0.05, 0.1, 0.15, 0.2, frames[-1][1]], "the last state is not due")
        self.assertNotEqual(frames[1][1], 0.05)
        self.assertEqual(seen[0]["shapes"]["velocity"], [len(frames[0][2]), 3])
        self.check_part("elsewhere", "boundary", {**self.STATE, "wall_pressure": "wall_pressure [Pa]"}, XDMF_READERS, ["velocity"])

    def test_a_body_that_moves(self):
        self.sluice("run", CASES / "floating-box-2d.xml", "-o", "run", "--dp", 0.03, "--tmax", 0.1, "--tout", 0.04, *QUIET)
        frames, _ = self.check_part("run", "boundary", self.STATE, XDMF_READERS)
        heights = [sum(float(row["z [m]"]) for row in particles if row["type"] == "2") for _, _, particles in frames]
        self.assertGreater(heights[0] - heights[-1], 0.1, "it falls")

    def test_fluid_that_comes_and_goes_and_a_resumed_run(self):
        case = CASES / "open-channel-2d.xml"
        self.sluice("run", case, "-o", "run", "--dp", 0.05, "--tmax", 0.5, "--tout", 0.1, *QUIET)
        self.sluice("run", "--resume", "run", "--tmax", 1, "--quiet")
        frames, seen = self.check_part("run", "fluid", self.STATE, XDMF_READERS)
        self.assertEqual([frame["time"] for frame in seen[:len(frames)]], [round(0.1 * n, 1) for n in range(11)])
        self.assertNotEqual({row["id"] for row in frames[0][2]}, {row["id"] for row in frames[-1][2]}, "some came")

    def test_fluid_that_leaves(self):
        self.sluice("run", self.case_that_loses_fluid(), "-o", "run", "--dp", 0.05, "--tmax", 0.9, "--tout", 0.3, *QUIET)
        frames, _ = self.check_part("run", "fluid", self.STATE, XDMF_READERS)
        self.assertGreater(len(frames[0][2]), len(frames[-1][2]))

    def test_few_values_of_few_particles(self):
        self.sluice("run", CASES / "dam-break-2d.xml", "-o", "run", "--dp", 0.05, "--tmax", 0.1, "--tout", 0.05, "--fields", "velocity",
                    "--every-nth-particle", 3, *QUIET)
        kinds = {"id": "id", "mk": "mk", "type": "type"}
        self.check_part("run", "fluid", kinds, XDMF_READERS, ["density", "pressure"])
        self.check_part("run", "boundary", kinds, XDMF_READERS, ["density", "pressure", "velocity"])


@unittest.skipUnless(PVBATCH and all(DISPLAY), "no pvbatch on the PATH, or neither a display nor xvfb-run")
class ViewScript(ParaViewTest):
    def pixels(self, picture):
        """(width, height) and the bytes R, G, B of a PNG."""
        data, at, parts = picture.read_bytes(), 8, []
        width, height, depth, colours = struct.unpack(">IIBB", data[16:26])
        self.assertEqual(depth, 8)
        channels = {2: 3, 6: 4}[colours]
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            if kind == b"IDAT":
                parts.append(data[at + 8:at + 8 + length])
            at += 12 + length
        return unfiltered(zlib.decompress(b"".join(parts)), width, height, channels)

    def test_shows_fluid_walls_bodies_and_gauges(self):
        gauges = ('<special><gauges><default><computedt value="0.05"/></default><swl name="depth"><point0 x="0.3" y="0" z="0"/>'
                  '<point2 x="0.3" y="0" z="0.8"/></swl><pressure name="floor"><point x="1.2" y="0" z="0.1"/></pressure></gauges></special>')
        text = (CASES / "floating-box-2d.xml").read_text().replace("<parameters>", gauges + "<parameters>")
        self.write("case.xml", text)
        self.sluice("run", "case.xml", "-o", "run", "--dp", 0.03, "--tmax", 0.4, "--tout", 0.1, *QUIET)
        (self.dir / "run").rename(self.dir / "moved")
        picture = self.dir / "picture.png"
        self.from_program(*DISPLAY, PVBATCH, self.dir / "moved/view.py", picture, 0.2)
        pixels = self.pixels(picture)
        count = lambda wanted: sum(wanted(*pixel) for pixel in pixels)
        self.assertGreater(count(lambda r, g, b: r > 200 and 90 < g < 140 and b < 70), 2000, "the box is orange")
        self.assertGreater(count(lambda r, g, b: r > 180 and g < 40 and b < 60), 200, "gauges are red")
        self.assertGreater(count(lambda r, g, b: abs(r - g) < 3 and abs(g - b) < 3 and 120 < r < 200), 2000, "walls are grey")
        self.assertGreater(count(lambda r, g, b: b > r + 25 and b > 60 and g < 150), 20000, "fluid is violet to blue at low speed")


@unittest.skipUnless(has_module("pyvista"), f"no pyvista for {PYTHON}")
class PyVistaSteps(ParaViewTest):
    def test_through_the_times_of_a_run(self):
        self.sluice("run", CASES / "dam-break-2d.xml", "-o", "run", "--dp", 0.05, "--tmax", 0.22, "--tout", 0.05, *QUIET)
        for part in ("fluid", "boundary"):
            frames = self.exported("run", part)
            seen = [json.loads(line) for line in self.from_program(PYTHON, "-c", CODE, self.dir / "run" / f"{part}.xdmf")]
            self.assertEqual([frame["time"] for frame in seen], [0, 0.05, 0.1, 0.15, 0.2, frames[-1][1]])
            for frame, (_, time, particles) in zip(seen, frames):
                self.assertEqual((frame["points"], frame["cells"], frame["exact"]), (len(particles), len(particles), time))
                self.assertEqual(frame["ids"], sum(int(row["id"]) for row in particles))
                total = sum(float(row["pressure [Pa]"]) for row in particles)
                self.assertAlmostEqual(frame["pressure"], total, delta=1e-5 * abs(total))


def unfiltered(data, width, height, channels):
    """The pixels (R, G, B) of a PNG whose rows are filtered (PNG specification, section 9)."""
    stride, rows_before, pixels = width * channels, bytearray(width * channels), []
    for y in range(height):
        kind, row = data[y * (stride + 1)], bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for k in range(stride):
            left = row[k - channels] if k >= channels else 0
            up, corner = rows_before[k], rows_before[k - channels] if k >= channels else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            row[k] = (row[k] + (0, left, up, (left + up) // 2, nearest)[kind]) & 255
        rows_before = row
        pixels.extend(tuple(row[k:k + 3]) for k in range(0, stride, channels))
    return pixels


if __name__ == "__main__":
    unittest.main()
