# SPDX-License-Identifier: Apache-2.0
"""Wave makers, damping zones and accelerations, from case file to tables and frames; also stopped and resumed."""
import math
import unittest

from sluice_process import CASES, SluiceTest, numbers, rows

QUIET = ("--pictures", 0, "--backend", "cpu", "--cpu-mode", "asymmetric")
FLUME = CASES / "wave-flume-2d.xml"
COARSE = ("--dp", 0.05)


class Waves(SluiceTest):
    def positions(self, folder, frame, *which):
        self.sluice("export", folder, "-o", "csv", "--format", "csv", "--first", frame, "--last", frame, *which)
        return [float(row["x [m]"]) for row in rows(next((self.dir / "csv").glob("*.csv")))]

    def test_the_piston_moves_as_its_table_says(self):
        options = (*QUIET, *COARSE, "--tmax", 1.0, "--tout", 0.2)
        result = self.sluice("run", FLUME, "-o", "whole", *options)
        self.assertIn("piston of mkbound 10: regular waves of order 2, height 0.06 m, period 1.2 s, wave length 1.77042 m",
                      (self.dir / "whole/run.log").read_text())
        table = self.dir / "whole/waves/mkbound10_motion_1.csv"
        time, place = numbers(table, "time [s]"), numbers(table, "paddle [m]")
        self.assertEqual(len(time), 501)
        start = self.positions("whole", 0, "--mkbound", 10)
        frames = numbers(self.dir / "whole/flow.csv", "time [s]")
        for frame in (2, 5):
            k = int(frames[frame] / 0.02)
            between = place[k] + (place[k + 1] - place[k]) * (frames[frame] - time[k]) / 0.02
            moved = [a - b for a, b in zip(self.positions("whole", frame, "--mkbound", 10), start)]
            self.assertLess(max(moved) - min(moved), 1e-6, "it stays upright")
            self.assertAlmostEqual(moved[0], between, delta=2e-5)
            self.assertGreater(abs(moved[0]), 1e-3)
        self.assertGreater(max(numbers(self.dir / "whole/flow.csv", "kinetic_energy [J]")), 0.05)
        self.sluice("run", FLUME, "-o", "cut", *options, "--steps", 300)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        for name in ("flow.csv", "frames/frame_000005.h5", "gauges/x1_8.csv"):
            self.assertTrue((self.dir / "whole" / name).read_bytes() == (self.dir / "cut" / name).read_bytes(), name)

    def test_check_shows_what_paddles_make(self):
        text = FLUME.read_text().replace("<piston>", "<piston_spectrum>").replace("</piston>", "</piston_spectrum>")
        text = text.replace('<ramp value="1"/>', '<waves value="100"/><saveserie timemin="0" timemax="60" timedt="0.1" '
                            'xpos="0"/><saveseriewaves timemin="0" timemax="60" xpos="0"/>')
        result = self.sluice("check", self.write("case.xml", text), *COARSE, "--waves", "waves")
        self.assertIn("irregular waves of order 2: JONSWAP, peak coefficient 3.3, significant height 0.06 m", result.stdout)
        folder = self.dir / "waves"
        self.assertEqual(sorted(p.name for p in folder.iterdir()),
                         ["mkbound10.csv", "mkbound10_heights_1.csv", "mkbound10_motion_1.csv", "mkbound10_series_1.csv",
                          "mkbound10_spectrum.csv", "waves.html"])
        amplitude = numbers(folder / "mkbound10_spectrum.csv", "amplitude [m]")
        self.assertAlmostEqual(4 * math.sqrt(0.5 * sum(a * a for a in amplitude)), 0.06, delta=1e-9)
        heights = numbers(folder / "mkbound10_heights_1.csv", "height [m]")
        self.assertGreater(len(heights), 40)
        third = sorted(heights)[-(len(heights) // 3):]
        self.assertAlmostEqual(sum(third) / len(third), 0.06, delta=0.012)
        page = (folder / "waves.html").read_text()
        for what in ("spectrum", "displacement of the paddle", "expected elevation"):
            self.assertIn(what, page)

    def test_a_damping_zone_takes_energy(self):
        text = FLUME.read_text().replace('x="4.5"', 'x="-1"').replace('x="6.5" y="0" z="0"/>\n                    <over',
                                                                    'x="0" y="0" z="0"/>\n                    <over')
        zone = text.replace('<overlimit value="1"/>', '<overlimit value="9"/>')
        without = text.replace("<damping>", "<_damping>").replace("</damping>", "</_damping>")
        energy = {}
        for name, case in (("zone", zone), ("without", without)):
            self.sluice("run", self.write(name + ".xml", case), "-o", name, *QUIET, *COARSE, "--tmax", 1.0, "--tout", 0.1)
            energy[name] = numbers(self.dir / name / "flow.csv", "kinetic_energy [J]")[-1]
        self.assertLess(energy["zone"], 0.5 * energy["without"])

    def test_an_acceleration_moves_a_block_of_water(self):
        text = (CASES / "dam-break-2d.xml").read_text()
        begin, end = text.index("<special>"), text.index("</special>") + len("</special>")
        special = """<special><accinputs><accinput mkfluid="0"><time start="0" end="0.1"/><globalgravity value="0"/>
            <acctimesfile value="push.csv"/></accinput></accinputs></special>"""
        text = text[:begin] + special + text[end:]
        text = text.replace('<rhopgradient value="2"', '<rhopgradient value="1"')
        (self.dir / "push.csv").write_text("# time; linear; angular\n0;0;0;0;0;0;0\n0.2;0;0;4;0;0;0\n")
        self.sluice("run", self.write("case.xml", text), "-o", "run", *QUIET, "--dp", 0.05, "--tmax", 0.1, "--tout", 0.05)
        self.assertTrue((self.dir / "run/inputs/push.csv").exists())
        time, height = (numbers(self.dir / "run/flow.csv", c) for c in ("time [s]", "z_centroid [m]"))
        self.assertAlmostEqual(height[-1] - height[0], 20 * time[-1] ** 3 / 6, delta=5e-4)  # a = 20 t, upwards; the floor holds on a little


if __name__ == "__main__":
    unittest.main()
