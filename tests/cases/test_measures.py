# SPDX-License-Identifier: Apache-2.0
"""Commands that say where water is and goes: layers, run-up, volumes, paths, forces on parts, reflection."""
import math
import unittest

from sluice_process import DATA, SluiceTest, numbers, rows

DAM_BREAK = DATA / "dam-break-2d.xml"
SPACING = 0.04
WIDE = (-1, -1, -1, 9, 9, 9)  # a box around everything


class Water(SluiceTest):
    def setUp(self):
        super().setUp()
        self.sluice("run", DAM_BREAK, "-o", "run", "--dp", SPACING, "--tmax", 0.4, "--tout", 0.04, "--pictures", 0)

    def particles(self, frame):
        """Places of the fluid in a frame: id, x, z."""
        self.sluice("export", "run", "-o", "csv", "--format", "csv", "--first", frame, "--last", frame, "--overwrite")
        table = rows(self.dir / f"csv/fluid_{frame:06}.csv")
        return [(int(row["id"]), float(row["x [m]"]), float(row["z [m]"])) for row in table]

    def test_what_has_passed_a_plane_is_behind_it(self):
        said = self.sluice("overtopping", "run", "--x", 1.2, "-o", "passed.csv").stderr
        behind = sum(x > 1.2 for _, x, _ in self.particles(10)) * SPACING**2
        self.assertGreater(behind, 0.05)
        table = rows(self.dir / "passed.csv")
        self.assertEqual(list(table[0]), ["time [s]", "frame", "forward [m2]", "backward [m2]", "net [m2]", "flow [m2/s]"])
        self.assertAlmostEqual(float(table[-1]["net [m2]"]), behind, places=6)
        self.assertIn(f"{float(table[-1]['forward [m2]']):.6g} m3 a metre forward", said)
        flow, times = numbers(self.dir / "passed.csv", "flow [m2/s]"), numbers(self.dir / "passed.csv", "time [s]")
        self.assertAlmostEqual(sum(q * (b - a) for q, a, b in zip(flow[1:], times, times[1:])), behind, places=6)
        self.sluice("overtopping", "run", "--plane", 1.2, 0, 0, -1, 0, 0, "-o", "back.csv")
        self.assertAlmostEqual(numbers(self.dir / "back.csv", "backward [m2]")[-1], float(table[-1]["forward [m2]"]), places=6)
        self.sluice("overtopping", "run", "--x", 1.2, "--box", 1, 0, 0, 2, 1, 0.1, "-o", "low.csv")
        self.sluice("overtopping", "run", "--x", 1.2, "--box", 1, 0, 0.1, 2, 1, 9, "-o", "high.csv")
        low, high = (numbers(self.dir / f"{name}.csv", "net [m2]")[-1] for name in ("low", "high"))
        self.assertGreater(min(low, high), 0)
        self.assertAlmostEqual(low + high, behind, places=6)

    def test_volumes_change_by_what_comes_and_goes(self):
        self.write("boxes.txt", "# boxes\nright 1.2 -9 -9 9 9 9\nlow -9 -9 -9 9 9 0.5\n")
        self.sluice("volumes", "run", "--boxes", "boxes.txt", "--box", *WIDE, "--box", 3.9, 0, 2.9, 4, 1, 3, "-o", "v.csv")
        table = {name: [row for row in rows(self.dir / "v.csv") if row["box"] == name] for name in ("right", "low", "2", "3")}
        for name, series in table.items():
            self.assertEqual(len(series), 11, name)
            volume, entered, left = ([float(row[f"{column} [m2]"]) for row in series] for column in ("volume", "entered", "left"))
            for v, come, gone in zip(volume, entered, left):
                self.assertAlmostEqual(v - volume[0], come - gone, places=6)
        fluid = self.particles(10)
        self.assertAlmostEqual(float(table["low"][-1]["volume [m2]"]), sum(z <= 0.5 for _, _, z in fluid) * SPACING**2, places=6)
        self.assertAlmostEqual(float(table["2"][-1]["volume [m2]"]), len(fluid) * SPACING**2, places=5)
        self.assertIn("box 3 has no fluid", self.sluice("volumes", "run", "--boxes", "boxes.txt", "--box", *WIDE, "--box", 3.9, 0, 2.9, 4, 1, 3,
                                                        "-o", "v.csv").stderr)

    def test_depths_hold_all_the_water(self):
        line = ("--line", 0.01, 0, 0, 3.99, 0, 0, 200, "--first", 8, "--last", 8)
        self.sluice("measure", "run", *line, "--elevation", "-o", "old.csv")
        self.assertEqual(list(rows(self.dir / "old.csv")[0]), ["time [s]", "frame", "point", "x [m]", "y [m]", "elevation [m]"])
        self.sluice("measure", "run", *line, "--elevation", "--depth", "--layers", 1, "-o", "new.csv")
        new = rows(self.dir / "new.csv")
        self.assertEqual(list(new[0])[6:], ["depth [m]", "layers", "highest [m]", "lower_1 [m]", "upper_1 [m]"])
        for old, now in zip(rows(self.dir / "old.csv"), new):
            self.assertEqual(old["elevation [m]"], now["elevation [m]"])
        volume = sum(float(row["depth [m]"]) for row in new) * 0.02
        water = len(self.particles(8)) * SPACING**2
        self.assertAlmostEqual(volume, water, delta=0.03 * water)

    def test_the_front_runs_along_a_line(self):
        self.sluice("runup", "run", "--line", 0, 0, 0, 4, 0, 0, "--swl", -0.5, "-o", "front.csv")
        along = numbers(self.dir / "front.csv", "along [m]")
        foremost = max(x for _, x, z in self.particles(10) if z < 2 * SPACING)
        self.assertAlmostEqual(along[-1], foremost, delta=2 * SPACING)
        self.assertGreater(along[-1], along[0] + 0.1)
        self.assertEqual(numbers(self.dir / "front.csv", "runup [m]")[0], 0.5)
        said = self.sluice("runup", "run", "--box", *WIDE, "-o", "top.csv").stderr
        top = numbers(self.dir / "top.csv", "runup [m]")
        self.assertAlmostEqual(top[0], 2, delta=SPACING)
        self.assertIn(f"largest run-up {max(top):.6g} m", said)
        self.assertNotIn("warning", said)
        cut = self.sluice("runup", "run", "--box", -1, -1, -1, 5, 1, 1, "-o", "cut.csv").stderr  # half of the column
        self.assertIn("in 11 of 11 frames, the first at 0 s, the water is as far as the end of the box", cut)
        cut = self.sluice("runup", "run", "--line", 0, 0, 0, 1.02, 0, 0, "-o", "cut.csv").stderr
        self.assertRegex(cut, r"in \d+ of 11 frames, .* end of the line: it may be farther; take a longer one")

    def test_paths_are_those_of_the_particles(self):
        start = {particle: (x, z) for particle, x, z in self.particles(0)}
        end = {particle: (x, z) for particle, x, z in self.particles(10)}
        near = min(start, key=lambda k: math.dist(start[k], (0.9, 0.5)))
        self.sluice("trace", "run", "--near", 0.9, 55, 0.5, "--id", min(start), "-o", "paths.csv")
        table = [row for row in rows(self.dir / "paths.csv") if int(row["id"]) == near]
        self.assertEqual(len(table), 11)
        self.assertAlmostEqual(float(table[-1]["x [m]"]), end[near][0], places=6)
        self.assertNotEqual(table[0]["x [m]"], table[-1]["x [m]"])
        self.assertEqual(len(rows(self.dir / "paths.csv")), 22)
        said = self.sluice("trace", "run", "--box", *WIDE, "--limit", 7, "--every", 2, "-o", "paths.vtp").stderr
        self.assertIn("7 particles in paths.vtp", said)
        self.assertIn("--limit changes it", said)
        self.assertIn(b'NumberOfPoints="42" NumberOfLines="7"', (self.dir / "paths.vtp").read_bytes())

    def test_forces_on_parts_of_a_wall_add_up(self):
        def last(name, *options):
            self.sluice("forces", "run", "-o", name + ".csv", "--first", 10, *options)
            return {key: float(value) for key, value in rows(self.dir / (name + ".csv"))[0].items()}
        whole = last("whole", "--mkbound", 0, "--axis", 2, 0, 0, 0, 1, 0)
        left, right = last("left", "--box", -9, 0, -9, 2.01, 1, 9), last("right", "--mkbound", 0, "--box", 2.0101, 0, -9, 9, 1, 9)
        for column in ("fx [N/m]", "fz [N/m]", "my [N]"):
            self.assertAlmostEqual(left[column] + right[column], whole[column], delta=1e-3 + 1e-5 * abs(whole[column]))
        # M about (2, 0, 0) = M + (0 − (2, 0, 0)) × F
        self.assertAlmostEqual(whole["m_axis [N]"], whole["my [N]"] + 2 * whole["fz [N/m]"], delta=1e-5 * abs(whole["my [N]"]))
        self.assertEqual(last("some", "--id", "0-3,2")["frame"], 10)

    def test_bad_input_is_told_and_nothing_written(self):
        self.write("boxes.txt", "a 0 0 0 1 1 1\nb 0 0 1 1 1 0\n")
        for words, wanted in (
                (("overtopping",), "no plane is given"),
                (("overtopping", "--x", 1, "--first", 3, "--last", 3), "only one frame is chosen (frame 3)"),
                (("overtopping", "--plane", 0, 0, 0, 0, 1, 0), "normal of the plane has no length"),
                (("volumes",), "no boxes are given"),
                (("volumes", "--box", 0, 0, 0, 1, 1, -1), "the box ends at -1 before it begins at 0"),
                (("volumes", "--boxes", "boxes.txt"), "boxes.txt:2: the box ends at 0 before it begins at 1"),
                (("runup",), "no place is given"),
                (("runup", "--line", 1, 0, 1, 1, 3, 1), "the line has no length"),
                (("runup", "--box", *WIDE, "--fraction", 2), "a number from 0 to 1 is wanted"),
                (("trace",), "no particles are given"),
                (("trace", "--id", "7-3"), "ids of particles are wanted, as 12,40-80 (7-3 is given)"),
                (("trace", "--id", 99999999), "none of the frames has particle 99999999"),
                (("forces",), "no particles are given; use --mkbound, --box or --id"),
                (("forces", "--id", 99999999), "is no boundary particle"),
                (("forces", "--mkbound", 0, "--moves-with", 0), "this mkbound is fixed"),
                (("measure", "--point", 0.5, 0, 0, "--layers", 2), "--layers: add --elevation")):
            result = self.sluice(words[0], "run", *words[1:], "-o", "no.csv", code=2)
            self.assertIn(wanted, result.stderr)
            self.assertFalse((self.dir / "no.csv").exists(), words)


class Reflection(SluiceTest):
    def gauge(self, number, x):
        """A wave of 0.05 m amplitude and 0.6 Hz in 0.5 m of water, and 0.3 of it sent back, as a swl gauge sees them."""
        w, k = 2 * math.pi * 0.6, 1.0
        for _ in range(100):
            k = (k + w * w / (9.81 * math.tanh(0.5 * k))) / 2
        lines = [f"{t / 20},{x},0,{0.5 + 0.05 * math.cos(w * t / 20 - k * x) + 0.015 * math.cos(w * t / 20 + k * x + 1)}" for t in range(801)]
        return self.write(f"g{number}.csv", "time [s],x [m],y [m],z [m]\n" + "\n".join(lines) + "\n")

    def test_three_gauges_tell_what_is_sent_back(self):
        gauges = [self.gauge(n, x) for n, x in enumerate((10, 10.5, 11.2))]
        said = self.sluice("reflection", *gauges, "--depth", 0.5, "--from", 10, "--to", 30, "-o", "spectra.csv").stderr
        self.assertIn("3 series of 20 s, 0.3 to 1.8 Hz, peak at 0.6 Hz", said)
        self.assertRegex(said, r"coefficient Hr/Hi = 0\.(299|300|301|3)\b")
        self.assertRegex(said, r"Hi = 0\.141\d* m \(4 sqrt\(m0\)\); of a regular wave 0\.(0999|1)\d* m")
        table = rows(self.dir / "spectra.csv")
        self.assertEqual(list(table[0]), ["frequency [Hz]", "incident [m2 s]", "reflected [m2 s]", "coefficient", "certainty"])
        peak = max(table, key=lambda row: float(row["incident [m2 s]"]))
        self.assertAlmostEqual(float(peak["incident [m2 s]"]), 0.05**2 / 2 * 20, delta=0.02 * 0.025)
        self.assertIn("three or more series", self.sluice("reflection", *gauges[:2], "--depth", 0.5, code=2).stderr)
        self.assertIn("--depth", self.sluice("reflection", *gauges, code=2).stderr)


if __name__ == "__main__":
    unittest.main()
