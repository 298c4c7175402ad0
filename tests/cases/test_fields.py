# SPDX-License-Identifier: Apache-2.0
"""Fields that a run derives for its frames: asked for, stored, measured, exported and shown."""
import json
import unittest

from sluice_process import CASES, DATA, SluiceTest, rows

DAM_BREAK = DATA / "dam-break-2d.xml"


class DerivedFields(SluiceTest):
    def run_with(self, out, fields, *more):
        self.sluice("run", DAM_BREAK, "--dp", 0.05, "--tmax", 0.3, "--tout", 0.1, "--pictures", 0, "-o", out, "--fields", fields, *more)

    def test_reach_measure_export_report_and_run_json(self):
        self.run_with("run", "+vorticity,velocity_divergence,position_divergence", "--backend", "cpu")
        described = {field["name"]: field for field in json.loads((self.dir / "run/run.json").read_text())["fields"]}
        self.assertEqual(set(described), {"velocity", "pressure", "density", "vorticity", "velocity_divergence", "position_divergence",
                                          "wall_pressure"})
        documentation = (CASES.parent / "docs" / "output.md").read_text()
        for name in described:
            self.assertIn(f"| {name} |", documentation)
        self.assertEqual({name: described[name]["particles"] for name in ("density", "vorticity", "wall_pressure")},
                         {"density": "all", "vorticity": "fluid", "wall_pressure": "boundary"})
        self.assertEqual((described["vorticity"]["unit"], described["vorticity"]["components"]), ("1/s", 3))
        self.sluice("measure", "run", "--point", 0.5, 0, 0.6, "-o", "p.csv")
        start, *_, end = rows(self.dir / "p.csv")
        self.assertAlmostEqual(float(start["position_divergence"]), 2, delta=0.1)
        self.assertEqual(float(start["vorticity_y [1/s]"]), 0)
        self.assertLess(abs(float(end["velocity_divergence [1/s]"])), 2) # nearly incompressible
        self.sluice("export", "run", "-o", "csv", "--format", "csv")
        fluid = rows(self.dir / "csv/fluid_000003.csv")
        self.assertNotIn("wall_pressure [Pa]", fluid[0])
        self.assertTrue(any(float(row["vorticity_y [1/s]"]) != 0 for row in fluid))
        self.assertTrue(all(float(row["vorticity_x [1/s]"]) == 0 == float(row["vorticity_z [1/s]"]) for row in fluid), "flat")
        self.assertLess(min(float(row["position_divergence"]) for row in fluid), 1.6, "the surface")
        self.sluice("report", "run")
        self.assertIn("position_divergence", (self.dir / "run/report.html").read_text())

    def test_gradients_need_not_be_stored(self):
        self.run_with("without", "velocity,pressure,density")
        self.run_with("with", "+pressure_gradient,vx_gradient,vz_gradient")
        described = {field["name"]: field for field in json.loads((self.dir / "with/run.json").read_text())["fields"]}
        documentation = (CASES.parent / "docs" / "output.md").read_text()
        for name in ("pressure_gradient", "vx_gradient", "vz_gradient"):
            self.assertEqual((described[name]["particles"], described[name]["components"]), ("fluid", 3))
            self.assertIn(f"| {name} |", documentation)
        for run in ("with", "without"):
            self.sluice("measure", run, "--point", 0.5, 0, 0.6, "--field", "pressure_gradient,vx_gradient,vz_gradient", "-o", run + ".csv")
        for one, other in zip(rows(self.dir / "with.csv"), rows(self.dir / "without.csv")):
            for name in ("dp_dx [Pa/m]", "dp_dz [Pa/m]", "dvx_dx [1/s]", "dvz_dz [1/s]"): # places are rounded in frames
                self.assertAlmostEqual(float(one[name]), float(other[name]), delta=1e-3 * abs(float(one[name])) + 1e-2)
        self.assertAlmostEqual(float(rows(self.dir / "with.csv")[0]["dp_dz [Pa/m]"]), -9810, delta=100)
        self.sluice("report", "with")
        self.assertIn("vz_gradient", (self.dir / "with/report.html").read_text())
        error = self.sluice("measure", "without", "--point", 0, 0, 0, "--field", "vorticity", "-o", "v.csv", code=2).stderr
        self.assertIn("no vorticity", error)

    def test_change_nothing_else(self):
        self.run_with("with", "+vorticity", "--backend", "cpu", "--threads", 1)
        self.run_with("without", "velocity,pressure,density", "--backend", "cpu", "--threads", 1)
        self.assertEqual((self.dir / "with/flow.csv").read_bytes(), (self.dir / "without/flow.csv").read_bytes())

    def test_are_what_they_were_after_a_resume(self):
        options = "--backend", "cpu", "--threads", 1
        self.run_with("whole", "+vorticity", *options)
        self.run_with("parts", "+vorticity", *options, "--steps", 40)
        self.sluice("run", "--resume", "parts", "--steps", 100000)
        name = "frames/frame_000003.h5"
        self.assertEqual((self.dir / "whole" / name).read_bytes(), (self.dir / "parts" / name).read_bytes())

    def test_names_are_checked(self):
        error = self.sluice("run", DAM_BREAK, "--fields", "+vortcity", code=2).stderr
        self.assertIn("vorticity", error)
        self.assertEqual(self.files(), [])

    def test_alone_are_the_only_ones(self):
        self.run_with("run", "vorticity", "--backend", "cpu")
        self.assertEqual([field["name"] for field in json.loads((self.dir / "run/run.json").read_text())["fields"]], ["vorticity"])
        self.assertIn("no velocity", self.sluice("measure", "run", "--point", 0, 0, 0, "-o", "p.csv", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
