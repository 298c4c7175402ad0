# SPDX-License-Identifier: Apache-2.0
"""Runs by MPS, from the case to what is made of the frames."""
import json
import unittest

from sluice_process import DATA, SluiceTest, numbers, rows

CHANGES = {'<coefh value="1.0" comment="h = coefh sqrt(dim dp^2)"/>': "", 'key="Visco" value="0.02"': 'key="Visco" value="0"',
           'key="DensityDT" value="2"': 'key="DensityDT" value="0"', '<parameter key="Kernel" value="2"/>': '<parameter key="Method" value="mps"/>'}


class MpsRuns(SluiceTest):
    def case(self, changes=CHANGES):
        text = (DATA / "dam-break-2d.xml").read_text()
        for old, new in changes.items():
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.write("mps.xml", text)

    def run_to(self, out, time, *more):
        self.sluice("run", self.case(), "--dp", 0.05, "--tmax", time, "--tout", 0.1, "--pictures", 0, "-o", out, *more)

    def test_a_dam_breaks(self):
        self.run_to("run", 0.5, "--threads", 2, "--fields", "+pressure_gradient")
        record = json.loads((self.dir / "run/run.json").read_text())
        self.assertEqual((record["method"], record["mode"], record["outcome"]), ("mps", "mps", "finished"))
        self.assertAlmostEqual(record["constants"]["h"], 1.05 * 0.05)
        flow = rows(self.dir / "run/flow.csv")
        self.assertAlmostEqual(float(flow[-1]["x_front [m]"]), 2.9, delta=0.15) # Koshizuka & Oka's own, T = 2.2
        self.assertGreater(float(flow[-1]["kinetic_energy [J]"]), 5000)
        self.assertLess(numbers(self.dir / "run/gauges/height_at_wall.csv", "z [m]")[-1], 1.7)
        self.sluice("measure", "run", "--point", 0.5, 0, 0.3, "--field", "pressure,pressure_gradient,vx_gradient,vz_gradient", "-o", "p.csv")
        start, *_, end = rows(self.dir / "p.csv")
        self.assertAlmostEqual(float(start["dp_dz [Pa/m]"]), -9810, delta=200)
        self.assertAlmostEqual(float(start["pressure [Pa]"]), 9810 * 1.7, delta=50)
        self.assertEqual(float(end["dp_dy [Pa/m]"]), 0)
        self.assertGreater(float(end["dvx_dx [1/s]"]), 0.5) # the column spreads, and what spreads sinks
        self.assertAlmostEqual(float(end["dvx_dx [1/s]"]) + float(end["dvz_dz [1/s]"]), 0, delta=0.5)
        self.assertNotIn("density [kg/m3]", start)
        self.sluice("report", "run")
        self.assertIn("pressure_gradient", (self.dir / "run/report.html").read_text())

    def test_a_resumed_run_has_the_same_bits(self):
        self.run_to("whole", 0.2, "--threads", 1)
        self.run_to("parts", 0.2, "--threads", 2, "--steps", 300)
        self.sluice("run", "--resume", "parts", "--steps", 1000000)
        for name in ("frames/frame_000002.h5", "flow.csv"):
            self.assertEqual((self.dir / "whole" / name).read_bytes(), (self.dir / "parts" / name).read_bytes(), name)

    def test_what_it_does_not_have_is_refused(self):
        changes = {**CHANGES, 'key="DensityDT" value="2"': 'key="DensityDT" value="3"'}
        self.assertRegex(self.sluice("run", self.case(changes), code=2).stderr, r"mps.xml:\d+: .*DensityDT=3")
        for option, value in (("--fields", "+vorticity"), ("--cpu-mode", "slices"), ("--gpu-mode", "list")):
            self.assertIn(option, self.sluice("run", self.case(), "-o", "run", option, value, code=2).stderr)
        self.assertEqual(self.files(), ["mps.xml"])


if __name__ == "__main__":
    unittest.main()
