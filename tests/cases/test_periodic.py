# SPDX-License-Identifier: Apache-2.0
"""A periodic run, and what looks at it: gauges, measure, surface and report see across the periodic faces."""
import json
import unittest

from sluice_process import CASES, SluiceTest, numbers, rows

GAUGES = """<special><gauges>
<default><output value="true"/><computedt value="0.001"/></default>
<velocity name="face"><point x="-0.000025" y="0" z="0"/></velocity>
<velocity name="middle"><point x="0.000475" y="0" z="0"/></velocity>
</gauges></special>
<parameters>"""


class PeriodicRun(SluiceTest):
    def setUp(self):
        super().setUp()
        text = (CASES / "poiseuille.xml").read_text().replace("<parameters>", GAUGES)
        self.case = self.write("case.xml", text)

    def test_looks_the_same_at_its_faces_as_in_its_middle(self):
        self.sluice("run", self.case, "-o", "run", "--dp", 0.00005, "--tmax", 0.002, "--tout", 0.001, "--pictures", 0, "--backend", "cpu",
                    "--fields", "+vorticity")
        domain = json.loads((self.dir / "run/run.json").read_text())["domain"]
        energy = json.loads((self.dir / "run/run.json").read_text())["ledger"]["energy"]
        self.assertGreater(energy["gravity_work"], 0)
        self.assertGreater(energy["dissipated"], 0)
        self.assertAlmostEqual(energy["kinetic"]["end"] + energy["dissipated"], energy["gravity_work"], delta=1e-9 * energy["gravity_work"])
        self.assertGreater(energy["kinetic"]["end"], 0.9 * energy["gravity_work"], "it has only begun to move")
        low, high = domain["min"][0], domain["max"][0]
        self.assertAlmostEqual(high - low, 0.001, delta=1e-8)
        self.assertEqual(set(domain["period"]), {"x"})
        self.assertAlmostEqual(domain["period"]["x"][0], high - low)
        face, middle = (numbers(self.dir / f"run/gauges/{name}.csv", "vx [m/s]")[-1] for name in ("face", "middle"))
        self.assertGreater(middle, 0)
        self.assertAlmostEqual(face / middle, 1, delta=0.01)
        self.sluice("measure", "run", "-o", "m.csv", "--point", low, 0, 0.0002, "--point", (low + high) / 2, 0, 0.0002, "--point", high, 0, 0.0002)
        at_low, at_middle, at_high = rows(self.dir / "m.csv")[-3:]
        for column in ("fraction", "vx [m/s]", "density [kg/m3]", "vorticity_y [1/s]"):
            for at_face in (at_low, at_high):
                self.assertAlmostEqual(float(at_face[column]) / float(at_middle[column]), 1, delta=0.02, msg=column)
        self.sluice("surface", "run", "-o", "s")
        head = (self.dir / "s/surface_000002.vtp").read_bytes().split(b"<AppendedData")[0].decode()
        count = {name: int(head.split(f'{name}="')[1].split('"')[0]) for name in ("NumberOfPoints", "NumberOfLines")}
        self.assertEqual(count["NumberOfPoints"], count["NumberOfLines"] + 2, "two open lines: nothing along the faces")
        self.sluice("report", "run")
        self.assertIn("periodic in x", (self.dir / "run/report.html").read_text())


if __name__ == "__main__":
    unittest.main()
