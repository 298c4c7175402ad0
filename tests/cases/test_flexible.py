# SPDX-License-Identifier: Apache-2.0
"""Flexible bodies: what frames, gauges and the ledger say of them, the same on ranks and after a stop."""
import json
import math
import unittest

from rank_runs import RankTest
from sluice_process import CASES, numbers, rows

DP = 0.02
# An upright plate, 4 layers thick, on a block that may move, and water that runs against it.
PLATE = """<case><casedef>
<constantsdef><gravity x="0" y="0" z="-9.81"/><rhop0 value="1000"/><coefh value="1"/><speedsound value="30"/><hswl value="0.3"/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/>
<geometry><definition dp="0.02"><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/></definition><commands><mainlist>
<setdrawmode mode="full"/>
{fluid}
<setmkbound mk="0"/><drawbox><boxfill>bottom | left | right</boxfill><point x="-0.4" y="-1" z="-0.3"/><size x="1.6" y="2" z="1"/><layers vdp="0,1,2"/></drawbox>
<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="0.4" y="-1" z="-0.1"/><size x="0.3" y="2" z="0.0801"/></drawbox>
<setmkbound mk="2"/><drawbox><boxfill>solid</boxfill><point x="0.5" y="-1" z="0"/><size x="0.0601" y="2" z="0.3001"/></drawbox>
</mainlist></commands></geometry>
<initials><velocity mkfluid="0" x="1.5" y="0" z="0"/></initials>
<motion><objreal ref="2"><begin mov="1" start="0"/><mvnull id="1"/></objreal><objreal ref="1"><begin mov="1" start="0"/>{motion}</objreal></motion>
</casedef><execution><special><gauges><default><computedt value="0.005"/></default>{gauges}</gauges>
<flexstrucs><flexstrucbody mkbound="2"{clamp}><density value="1100"/><youngmod value="1e6"/><poissratio value="0.4"/>
<hgfactor value="{hourglass}"/><damping value="{damping}"/></flexstrucbody></flexstrucs></special>
<parameters><parameter key="StepAlgorithm" value="2"/><parameter key="DensityDT" value="0"/><parameter key="Visco" value="0.05"/>
<parameter key="TimeMax" value="0.15"/><parameter key="TimeOut" value="0.03"/></parameters></execution></case>"""
FLUID = ('<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.2" y="-1" z="0.06"/>'
         '<size x="0.2601" y="2" z="0.2001"/></drawbox>')
# Water on a plate, three layers thick, that closes a tank from below, and that nothing damps.
TANK = """<case><casedef>
<constantsdef><gravity x="0" y="0" z="-9.81"/><rhop0 value="1000"/><rhopgradient value="2"/><coefh value="1.2"/><coefsound value="20"/><cflnumber value="0.1"/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/>
<geometry><definition dp="0.02"><pointref x="0" y="0" z="0"/><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/></definition><commands><mainlist>
<setdrawmode mode="full"/>
<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="-0.06" y="-1" z="-0.04"/><size x="0.0601" y="2" z="0.4001"/></drawbox>
<drawbox><boxfill>solid</boxfill><point x="0.4" y="-1" z="-0.04"/><size x="0.0601" y="2" z="0.4001"/></drawbox>
<setmkbound mk="2"/><drawbox><boxfill>solid</boxfill><point x="0.02" y="-1" z="-0.04"/><size x="0.3601" y="2" z="0.0401"/></drawbox>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.02" y="-1" z="0.02"/><size x="0.3601" y="2" z="0.1801"/></drawbox>
</mainlist></commands></geometry>
<motion><objreal ref="2"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>
</casedef><execution><special><gauges><default><computedt value="0.002"/></default>
<place name="middle"><point x="0.2" y="0" z="-0.02"/><follow mkbound="2"/></place></gauges>
<flexstrucs><flexstrucbody mkbound="2" mkclamp="1"><density value="1100"/><youngmod value="1e7"/><poissratio value="0.4"/></flexstrucbody></flexstrucs></special>
<parameters><parameter key="StepAlgorithm" value="2"/><parameter key="DensityDT" value="0"/><parameter key="Visco" value="0"/>
<parameter key="TimeMax" value="1"/><parameter key="TimeOut" value="0.01"/>
<simulationdomain><posmin x="default" y="default" z="default - 10%"/><posmax x="default" y="default" z="default"/></simulationdomain></parameters></execution></case>"""
TIP = '<place name="tip"><point x="0.56" y="0" z="0.3"/><follow mkbound="2"/></place>'
SLIDE = '<mvrectsinu id="1" duration="10"><freq x="5" y="0" z="0"/><ampl x="0.01" y="0" z="0"/><phase x="90" y="0" z="0"/></mvrectsinu>'
LIFT = '<mvrectsinu id="1" duration="10"><freq x="0" y="0" z="10"/><ampl x="0" y="0" z="0.01"/><phase x="0" y="0" z="0"/></mvrectsinu>'
USUAL = {"clamp": ' mkclamp="1"', "fluid": FLUID, "motion": '<mvnull id="1"/>', "gauges": TIP, "hourglass": 0.1, "damping": 0}
FIELDS = ("--fields", "+displacement,von_mises,principal_stress,strain_energy")


class Flexible(RankTest):
    def plate(self, **words):
        return self.write("case.xml", PLATE.format(**{**USUAL, **words}))

    def exported(self, folder):
        """The plate's particles by id in each frame."""
        self.sluice("export", folder, "-o", "csv", "--format", "csv", "--mkbound", 2)
        return [{row["id"]: {name: float(value) for name, value in row.items()} for row in rows(path)}
                for path in sorted((self.dir / "csv").glob("*.csv"))]

    def test_frames_have_displacements_stresses_and_energies(self):
        self.run_case(self.plate(), "out", *FIELDS)
        frames = self.exported("out")
        self.assertEqual(len(frames[0]), 4 * 16)
        for frame in frames:
            for key, now in frame.items():
                start = frames[0][key]
                for axis in "xz":
                    self.assertAlmostEqual(now[f"u{axis} [m]"], now[f"{axis} [m]"] - start[f"{axis} [m]"], delta=2e-7)
                s1, s2, s3 = (now[f"stress_{k} [Pa]"] for k in (1, 2, 3))
                self.assertGreaterEqual(s1, s2)
                self.assertGreaterEqual(s2, s3)
                of_them = math.sqrt(0.5 * ((s1 - s2) ** 2 + (s2 - s3) ** 2 + (s3 - s1) ** 2))
                self.assertAlmostEqual(now["von_mises [Pa]"], of_them, delta=1e-4 * of_them + 1)
        last = frames[-1]
        self.assertGreater(max(row["ux [m]"] for row in last.values()), 0.003)
        feet = [row for row in last.values() if abs(row["z [m]"]) < 0.03]
        self.assertGreater(max(row["stress_1 [Pa]"] for row in feet), 1e4)  # where the water comes from it is stretched
        self.assertLess(min(row["stress_3 [Pa]"] for row in feet), -1e4)
        elastic = numbers(self.dir / "out/flow.csv", "structure_elastic_energy [J]")[-1]
        weights = {0: 3 / 8, 1: 9 / 8, 2: 9 / 8, 3: 3 / 8}  # across the plate: Simpson's rule for four layers
        of_plate = sum(row["strain_energy [J/m3]"] * weights[round((frames[0][key]["x [m]"] - 0.5) / DP)]
                       for key, row in last.items()) * DP ** 2
        self.assertLess(of_plate, elastic)  # the particles of the clamp have some of it
        self.assertGreater(of_plate, 0.5 * elastic)

    def test_a_gauge_follows_a_point_and_the_report_shows_its_way(self):
        self.run_case(self.plate(), "out", *FIELDS)
        tip, frames = rows(self.dir / "out/gauges/tip.csv"), self.exported("out")
        at = next(key for key, row in frames[0].items() if row["x [m]"] > 0.55 and row["z [m]"] > 0.29)
        times = numbers(self.dir / "out/flow.csv", "time [s]")
        for time, frame in zip(times, frames):
            row = next(row for row in tip if float(row["time [s]"]) == time)
            for axis in "xz":
                self.assertAlmostEqual(float(row[f"u{axis} [m]"]), frame[at][f"u{axis} [m]"], delta=2e-7)
                self.assertAlmostEqual(float(row[f"{axis} [m]"]), frame[at][f"{axis} [m]"], delta=2e-7)
                self.assertAlmostEqual(float(row[f"v{axis} [m/s]"]), frame[at][f"v{axis} [m/s]"], delta=1e-6)
        self.assertGreater(max(float(row["ux [m]"]) for row in tip), 0.003)
        self.sluice("report", "out")
        self.assertIn("Gauge tip", (self.dir / "out/report.html").read_text())

    def test_ranks_and_a_stop_at_any_step_leave_the_same_bytes(self):
        case = self.plate(motion=SLIDE, damping=2)
        self.run_case(case, "one", *FIELDS)
        self.run_case(case, "many", *FIELDS, "--ranks", 3)
        self.assert_same("one", "many")
        steps = self.run_of("one")["steps"]
        for cut in (1, steps // 3, steps - 1):
            self.run_case(case, "cut", *FIELDS, "--steps", cut, "--overwrite")
            self.sluice("run", "--resume", "cut", "--steps", 10 ** 9, "--ranks", 2, "--quiet")
            self.assert_same("one", "cut")

    def test_the_ledger_balances_a_structure_without_fluid(self):
        for words in ({}, {"motion": SLIDE}, {"damping": 5}, {"hourglass": 0}, {"motion": SLIDE, "damping": 5}):
            case = self.plate(**{"fluid": "", "hourglass": 0.1, **words})
            self.run_case(case, "out", "--overwrite")
            flow = {name: numbers(self.dir / "out/flow.csv", f"{name} [J]") for name in (
                "structure_kinetic_energy", "structure_elastic_energy", "structure_potential_energy", "dissipated_energy",
                "moved_energy", "clamps_work", "structure_damping_work", "hourglass_work")}
            self.assertGreater(flow["moved_energy"][-1], 0)
            self.assertLess(max(map(abs, flow["dissipated_energy"])), 2e-4 * flow["moved_energy"][-1], words)
            self.assertEqual(any(flow["clamps_work"]), "motion" in words)
            self.assertEqual(any(flow["structure_damping_work"]), "damping" in words)
            self.assertEqual(any(flow["hourglass_work"]), words.get("hourglass") != 0)
            if "motion" in words:
                self.assertGreater(max(flow["clamps_work"]), 0.1 * flow["moved_energy"][-1])
            if "damping" in words:
                self.assertLess(flow["structure_damping_work"][-1], 0)

    def test_the_ledger_has_walls_that_push_and_what_contacts_hold(self):
        """A plate that nothing clamps stands on a block, which throws it up and catches it."""
        case = self.plate(clamp="", fluid="", motion=LIFT)
        self.run_case(case, "out", "--tout", 0.002)
        flow = {name: numbers(self.dir / "out/flow.csv", f"{name} [J]") for name in (
            "structure_kinetic_energy", "dissipated_energy", "moved_energy", "clamps_work")}
        self.assertGreater(max(flow["structure_kinetic_energy"]), 1)
        self.assertGreater(max(flow["clamps_work"]), 0.2 * flow["moved_energy"][-1])
        self.assertLess(max(map(abs, flow["dissipated_energy"])), 0.02 * flow["moved_energy"][-1])
        self.run_case(case, "many", "--tout", 0.002, "--ranks", 2)
        self.assertEqual(numbers(self.dir / "many/flow.csv", "clamps_work [J]"), flow["clamps_work"])

    def test_energy_of_water_and_plate_over_ten_periods(self):
        """The water presses the plate down at once, and it swings with it. What is left is the error of the fluid's steps."""
        self.run_case(self.write("tank.xml", TANK), "out")
        way = numbers(self.dir / "out/gauges/middle.csv", "uz [m]")
        middle = sum(way) / len(way)
        passes = sum(1 for a, b in zip(way, way[1:]) if (a < middle) != (b < middle))
        self.assertGreaterEqual(passes, 20)
        self.assertLess(min(way), -0.005)
        flow = {name: numbers(self.dir / "out/flow.csv", f"{name} [J]") for name in (
            "structure_elastic_energy", "dissipated_energy", "moved_energy")}
        self.assertGreater(max(flow["structure_elastic_energy"]), 1)
        self.assertLess(max(map(abs, flow["dissipated_energy"])), 0.01 * flow["moved_energy"][-1])

    def test_what_the_fluid_gives_the_structure_gets(self):
        self.run_case(self.plate(), "out")
        flow = {name: numbers(self.dir / "out/flow.csv", f"{name} [J]") for name in (
            "structure_kinetic_energy", "structure_elastic_energy", "dissipated_energy", "kinetic_energy", "moved_energy")}
        given = max(a + b for a, b in zip(flow["structure_kinetic_energy"], flow["structure_elastic_energy"]))
        self.assertGreater(given, 0.02 * flow["kinetic_energy"][0])
        for energy in flow["dissipated_energy"]:  # viscosity takes some, and nothing comes from nowhere
            self.assertGreater(energy, -0.01 * flow["moved_energy"][-1])
        ledger = json.loads((self.dir / "out/run.json").read_text())["ledger"]["energy"]
        self.assertEqual(ledger["dissipated_also_holds"], [])
        self.assertGreater(ledger["flexible_elastic"]["end"], 0)

    def test_the_gate_of_the_tutorial_opens(self):
        told = self.sluice("check", CASES / "elastic-gate-2d.xml", "--dp", 0.0025).stdout
        self.assertIn("the flexible body of mkbound 2: 96 particles, 3 layers across (condition 2.19), waves of 152.9 m/s", told)
        self.assertNotIn("no normal", told)
        self.run_case(CASES / "elastic-gate-2d.xml", "out", "--dp", 0.0025, "--tmax", 0.042)
        end = next(row for row in rows(self.dir / "out/gauges/free_end.csv") if float(row["time [s]"]) >= 0.04)
        self.assertAlmostEqual(float(end["ux [m]"]), 0.0142, delta=0.001)  # 0.0125 in the experiment, at 0.040 s
        self.assertGreater(float(end["uz [m]"]), 0.001)

    def test_what_cannot_be_is_said_before_anything_is_written(self):
        stderr = self.sluice("run", CASES / "dam-break-2d.xml", "-o", "out", "--fields", "+von_mises", code=2).stderr
        self.assertIn("--fields von_mises: flexible bodies have it, and the case has none", stderr)
        no_follow = self.plate(gauges='<place name="tip"><point x="0.56" y="0" z="0.3"/></place>')
        self.assertIn("follow", self.sluice("run", no_follow, "-o", "out", code=2).stderr)
        self.assertFalse((self.dir / "out").exists())


if __name__ == "__main__":
    unittest.main()
