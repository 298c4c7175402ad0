# SPDX-License-Identifier: Apache-2.0
"""Walls that move and bodies that float, from case file to tables, frames and report; also stopped and resumed."""
import json
import math
import re
import shutil
import unittest

from sluice_process import CASES, SluiceTest, numbers, rows

QUIET = ("--pictures", 0, "--backend", "cpu", "--cpu-mode", "asymmetric")


class Moving(SluiceTest):
    def run_case(self, case, folder, *options):
        self.sluice("run", case, "-o", folder, *QUIET, *options)

    def same_bytes(self, a, b, *names):
        for name in names:
            self.assertTrue((self.dir / a / name).read_bytes() == (self.dir / b / name).read_bytes(), f"{name} differs")

    def corner(self, folder, frame):
        """Where the particle of the tank's lower left corner is, from an export of the boundary."""
        shutil.rmtree(self.dir / "csv", ignore_errors=True)
        self.sluice("export", folder, "-o", "csv", "--format", "csv", "--first", frame, "--last", frame, "--mkbound", 0)
        table = rows(next((self.dir / "csv").glob("*.csv")))
        first = min(table, key=lambda row: int(row["id"]))
        return float(first["x [m]"]), float(first["z [m]"])


class Sloshing(Moving):
    def test_the_tank_rolls_as_the_case_says(self):
        case = CASES / "sloshing-2d.xml"
        self.run_case(case, "whole", "--dp", 0.02, "--tmax", 0.4, "--tout", 0.1)
        x0, z0 = self.corner("whole", 0)
        times = numbers(self.dir / "whole/flow.csv", "time [s]")
        for frame in (1, 2, 3, 4):
            x, z = self.corner("whole", frame)
            angle = math.radians(4) * math.sin(2 * math.pi * 0.65 * times[frame])
            turned = (x0 * math.cos(angle) - z0 * math.sin(angle), z0 * math.cos(angle) + x0 * math.sin(angle))
            self.assertAlmostEqual(x, turned[0], delta=2e-7)
            self.assertAlmostEqual(z, turned[1], delta=2e-7)
        self.assertGreater(max(numbers(self.dir / "whole/flow.csv", "kinetic_energy [J]")), 0.05)
        energy = json.loads((self.dir / "whole/run.json").read_text())["ledger"]["energy"]
        self.assertEqual(energy["dissipated_also_holds"], [])
        self.assertGreater(max(numbers(self.dir / "whole/flow.csv", "moving_walls_work [J]")), 0.1)
        # stopped between two frames
        self.run_case(case, "cut", "--dp", 0.02, "--tmax", 0.4, "--tout", 0.1, "--steps", 300)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        self.same_bytes("whole", "cut", "flow.csv", "frames/frame_000003.h5", "frames/frame_000004.h5")

    def test_what_the_tank_gives_water_that_nothing_damps_is_what_it_has(self):
        for integrator in (["StepAlgorithm=2"], ["StepAlgorithm=1", "--set", "VerletSteps=200"]):
            self.run_case(CASES / "sloshing-2d.xml", "run", "--overwrite", "--dp", 0.02, "--tmax", 0.6, "--tout", 0.2,
                          "--set", *integrator, "--set", "Visco=0", "--set", "DensityDT=0", "--set", "cflnumber=0.1")
            energy = json.loads((self.dir / "run/run.json").read_text())["ledger"]["energy"]
            self.assertGreater(energy["moving_walls_work"], 1.4)
            self.assertLess(abs(energy["dissipated"]), 0.01 * energy["moved"])

    def test_a_tank_that_leaves_the_domain_ends_the_run(self):
        text = (CASES / "sloshing-2d.xml").read_text()
        self.assertIn("default - 15%", text)  # sides that follow the motion; these stand where they are given
        text = text.replace("default - 15%", "-0.51").replace("default + 15%", "0.56")
        result = self.sluice("run", self.write("case.xml", text), "-o", "run", *QUIET, "--dp", 0.02, "--tmax", 0.4, code=10)
        self.assertIn("the moving wall of mkbound 0 leaves the domain", result.stdout + result.stderr)
        check = self.sluice("check", "case.xml", "--dp", 0.02, "--backend", "cpu")
        warned = re.search(r"moving wall of mkbound 0 leaves the domain at ([0-9.e-]+) s", check.stdout + check.stderr)
        ended = float(numbers(self.dir / "run/flow.csv", "time [s]")[-1])
        self.assertLess(abs(float(warned.group(1)) - ended), 0.05)
        whole = self.sluice("check", CASES / "sloshing-2d.xml", "--dp", 0.02, "--backend", "cpu")
        self.assertNotIn("leaves the domain", whole.stdout + whole.stderr)

    def test_rows_of_a_motion_file_that_go_back_in_time_are_told(self):
        motion = """<motion><objreal ref="0"><begin mov="1" start="0"/><mvrectfile id="1" duration="9">
            <file name="m.csv" fields="2" fieldtime="0" fieldx="1"/></mvrectfile></objreal></motion>"""
        self.write("m.csv", "Time[s];x\n0;0\n1;0.01\n0.5;0\n")
        case = self.write("case.xml", re.sub("<motion>.*</motion>", motion, (CASES / "sloshing-2d.xml").read_text(), flags=re.S))
        for result in (self.sluice("check", case, "--dp", 0.02, "--backend", "cpu"),
                       self.sluice("run", case, "-o", "run", *QUIET, "--dp", 0.02, "--tmax", 0.01)):
            self.assertRegex(result.stdout + result.stderr, r"m\.csv:4: (warning: )?the time 0\.5 comes before that of an earlier row \(1\)")


class Floating(Moving):
    def test_a_box_falls_freely_and_is_then_carried(self):
        self.box_falls_and_is_carried(700)

    def test_a_box_falls_freely_and_is_then_carried_in_staggered_steps(self):
        self.box_falls_and_is_carried(170, "--set", "StepAlgorithm=3", "--set", "cflnumber=0.8")

    def box_falls_and_is_carried(self, steps, *options):
        text = (CASES / "floating-box-2d.xml").read_text()
        self.assertIn('z="0.56"', text)
        case = self.write("case.xml", text.replace('z="0.56"', 'z="0.66"'))  # out of the water's reach
        options = ("--dp", 0.02, "--tmax", 0.5, "--tout", 0.02, *options)
        self.run_case(case, "whole", *options)
        table = self.dir / "whole/bodies/mkbound_1.csv"
        time, z, vz, fz, force = (numbers(table, column) for column in
                                  ("time [s]", "z [m]", "vz [m/s]", "fluid_fz [N]", "force_z [N]"))
        for k in (1, 2):  # nothing but air yet
            self.assertAlmostEqual(z[k], z[0] - 0.5 * 9.81 * time[k] ** 2, delta=1e-6)
            self.assertEqual(fz[k], 0)
        energy = numbers(self.dir / "whole/flow.csv", "body_energy [J]")
        mass = float(table.read_text().split(": ")[1].split(" kg")[0])
        self.assertAlmostEqual(energy[0], mass * 9.81 * z[0], delta=1e-6 * energy[0])
        for k in (1, 2):
            self.assertAlmostEqual(energy[k], energy[0], delta=1e-5 * energy[0], msg="what falls keeps its energy")
        self.assertLess(energy[-1], energy[0] - 0.5 * mass * max(abs(v) for v in vz) ** 2 / 2, "the water took the rest")
        self.assertLess(min(vz), -0.5)
        self.assertGreater(vz[-1], min(vz) + 0.3, "the water slows it down")
        for k in range(len(time)):
            self.assertAlmostEqual(force[k], fz[k] - 9.81 * mass, delta=1e-6 * 9.81 * mass)
        self.run_case(case, "cut", *options, "--steps", steps)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        self.same_bytes("whole", "cut", "flow.csv", "bodies/mkbound_1.csv", "frames/frame_000025.h5")
        self.sluice("report", "whole")
        report = (self.dir / "whole/report.html").read_text()
        self.assertIn("mkbound_1: centre", report)
        self.assertEqual(report.count('"solids":'), len(time), "the player has the box in every frame")
        self.assertGreater(len(set(re.findall(r'"solids":"([^"]*)"', report))), 1, "and the box moves")


    def test_a_body_does_what_the_case_imposes_once_it_is_let_go(self):
        self.body_does_what_the_case_imposes(250, 1e-5)

    def test_a_body_does_what_the_case_imposes_in_staggered_steps(self):
        half_a_step = 0.4 * 0.034 / 24  # at most, s: 0.4 h/c0; it may be let go so much before a step begins
        self.body_does_what_the_case_imposes(60, 9.81 * half_a_step, "--set", "StepAlgorithm=3", "--set", "cflnumber=0.8")

    def body_does_what_the_case_imposes(self, steps, delta, *options):
        text = (CASES / "floating-box-2d.xml").read_text()
        floating = """<floating mkbound="1" relativeweight="0.5"><linearvelini x="0" y="0" z="-1"/>
<linearvel file="way.csv"/><angularforce><force time="0" x="0" y="40" z="0"/></angularforce></floating>"""
        text = text.replace('<floating mkbound="1" relativeweight="0.5"/>', floating).replace('z="0.56"', 'z="0.66"')
        self.write("way.csv", "# time; x; y; z\n0; 0; 0; none\n0.1; 0.4; 0; none\n")
        case = self.write("case.xml", text.replace("</parameters>", '<parameter key="FtPause" value="0.04"/></parameters>'))
        options = ("--dp", 0.02, "--tmax", 0.16, "--tout", 0.02, *options)
        self.run_case(case, "whole", *options)
        table = self.dir / "whole/bodies/mkbound_1.csv"
        time, x, vx, z, vz, wy = (numbers(table, column) for column in
                                  ("time [s]", "x [m]", "vx [m/s]", "z [m]", "vz [m/s]", "wy [rad/s]"))
        way = lambda t: 2 * t * t if t < 0.1 else 0.02 + 0.4 * (t - 0.1)  # the integral of what the file says
        first = next(k for k, t in enumerate(time) if t > 0.04)
        for k, t in enumerate(time):
            if t < 0.04:
                self.assertEqual((vx[k], vz[k], x[k] - x[0], z[k] - z[0]), (0, 0, 0, 0))
            elif k > first:
                self.assertAlmostEqual(vx[k], min(4 * t, 0.4), delta=1e-6)
                self.assertAlmostEqual(x[k] - x[first], way(t) - way(time[first]), delta=1e-6)
        self.assertAlmostEqual(vz[first + 1] - vz[first], -9.81 * (time[first + 1] - time[first]), delta=delta)
        self.assertGreater(wy[first + 1], wy[first], "the moment turns it")
        self.run_case(case, "cut", *options, "--steps", steps)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        self.same_bytes("whole", "cut", "flow.csv", "bodies/mkbound_1.csv")


# Two blocks that fall on a floor of steel, one on the other, without fluid.
BLOCKS = """<case><casedef><constantsdef><gravity x="0" y="0" z="-9.81"/><coefh value="1"/><speedsound value="30"/></constantsdef>
<geometry><definition dp="0.02"><pointmin x="-0.5" y="0" z="-0.5"/><pointmax x="1" y="0" z="1"/></definition><commands><mainlist>
<setdrawmode mode="full"/><setmkbound mk="0"/><drawbox><boxfill>solid</boxfill><point x="-0.3" y="-1" z="-0.04"/><size x="1" y="2" z="0.04"/></drawbox>
<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0.04"/><size x="0.2" y="2" z="0.1"/></drawbox>
<setmkbound mk="2"/><drawbox><boxfill>solid</boxfill><point x="0.06" y="-1" z="0.2"/><size x="0.2" y="2" z="0.1"/></drawbox>
</mainlist></commands></geometry>
<floatings><floating mkbound="1-2" relativeweight="2" property="wood"/></floatings>
<properties><propertyfile file="stuff.xml" path="materials"/>
<property name="wood" Young_Modulus="7e7" PoissonRatio="0.1" Restitution_Coefficient="0.5" Kfric="0.7"/>
<links><link mkbound="0" property="steel"/></links></properties></casedef>
<execution><parameters><parameter key="RigidAlgorithm" value="2"/><parameter key="StepAlgorithm" value="{}"/><parameter key="TimeMax" value="0.3"/>
<parameter key="TimeOut" value="0.05"/></parameters></execution></case>"""
STUFF = """<materials><property name="steel"><Young_Modulus value="2.1e11"/><PoissonRatio value="0.3"/>
<Restitution_Coefficient value="0.8"/><Kfric value="0.45"/></property></materials>"""


class Contacts(Moving):
    def test_blocks_come_to_lie_on_one_another(self):
        self.write("stuff.xml", STUFF)
        for algorithm in (1, 2, 3):
            case, whole, cut = self.write("case.xml", BLOCKS.format(algorithm)), f"whole{algorithm}", f"cut{algorithm}"
            self.run_case(case, whole)
            for mk, lowest, height in ((1, 0.02, 0.05), (2, 0.14, 0.05)):  # no block sinks into what it lies on
                z = numbers(self.dir / whole / f"bodies/mkbound_{mk}.csv", "z [m]")
                speed = numbers(self.dir / whole / f"bodies/mkbound_{mk}.csv", "vz [m/s]")
                self.assertLess(z[-1], z[0] - 0.01)
                self.assertGreater(z[-1], lowest + height - 0.008)
                self.assertLess(abs(speed[-1]), 0.4)
            self.run_case(case, cut, "--steps", 500)
            self.sluice("run", "--resume", cut, "--steps", 10 ** 9)
            self.same_bytes(whole, cut, "bodies/mkbound_1.csv", "bodies/mkbound_2.csv")
        self.assertTrue((self.dir / "whole1/inputs/stuff.xml").exists(), "the run keeps the file of properties")


class Joined(Moving):
    STEPS = ("--tout", 0.1, "--set", "DtFixed=0.001")

    def test_a_double_pendulum_without_fluid_swings_as_it_does_elsewhere(self):
        self.run_case(CASES / "double-pendulum.xml", "whole", "--tmax", 1, *self.STEPS)
        time, x, z = (numbers(self.dir / "whole/bodies/mkbound_1.csv", column) for column in ("time [s]", "x [m]", "z [m]"))
        self.assertAlmostEqual(time[-1], 1, delta=1e-9)
        self.assertAlmostEqual(math.atan2(-z[-1], x[-1]), 2.7751204060, delta=1e-7)
        energy = numbers(self.dir / "whole/flow.csv", "body_energy [J]")
        self.assertLess(max(abs(e - energy[0]) for e in energy), 1e-7)
        upper, lower = (self.dir / "whole/joints" / f"Link_{name}.csv" for name in ("upper", "lower_upper"))
        self.assertLess(max(numbers(upper, "gap [m]") + numbers(lower, "gap [m]")), 1e-12)
        self.assertIn("Hinge between lower and upper", lower.read_text())
        self.assertNotIn("dp along y", (self.dir / "whole/run.log").read_text())

    def test_a_mechanism_goes_on_as_if_it_had_not_stopped(self):
        case = CASES / "double-pendulum.xml"
        self.run_case(case, "whole", "--tmax", 0.5, *self.STEPS)
        self.run_case(case, "cut", "--tmax", 0.5, *self.STEPS, "--steps", 237)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        self.same_bytes("whole", "cut", "bodies/mkbound_1.csv", "bodies/mkbound_2.csv", "joints/Link_lower_upper.csv")

    def test_a_joint_of_a_body_that_is_not_there_has_a_line(self):
        text = (CASES / "double-pendulum.xml").read_text()
        case = self.write("case.xml", text.replace('idbody2="upper"', 'idbody2="uper"'))
        told = self.sluice("run", case, "-o", "run", *QUIET, code=2)
        self.assertRegex(told.stdout + told.stderr, r'case.xml:\d+: <link_hinge> idbody2 "uper" is no body of <chrono> \(did you mean upper')


class Moored(Moving):
    CASE = CASES / "moored-box-2d.xml"
    COARSE = ("--dp", 0.04, "--tout", 0.1)

    def test_chains_keep_a_box_in_waves(self):
        self.run_case(self.CASE, "whole", "--tmax", 2.5, *self.COARSE)
        first, second = (self.dir / "whole/moorings" / f"line_{k}.csv" for k in (0, 1))
        tension = numbers(first, "tension_first [N]")
        self.assertGreaterEqual(len(tension), 26)
        self.assertAlmostEqual(tension[0], numbers(second, "tension_first [N]")[0], delta=1e-5)
        self.assertAlmostEqual(tension[0], 4.92, delta=0.05)  # a catenary of 6.1 N/m over 0.8 m and up 0.36 m
        self.assertGreater(max(tension), 1.1 * tension[0], "waves pull at it")
        body = self.dir / "whole/bodies/mkbound_1.csv"
        x, z = numbers(body, "x [m]"), numbers(body, "z [m]")
        self.assertLess(max(abs(place - x[0]) for place in x), 0.1)
        self.assertGreater(max(z) - min(z), 0.005)
        self.assertAlmostEqual(numbers(first, "x_0 [m]")[-1], numbers(first, "x_first [m]")[-1], delta=1e-9)
        self.assertAlmostEqual(numbers(first, "z_15 [m]")[-1], 0, delta=1e-9)
        self.assertIn("from mkbound 1 (first) to an anchor (second)", first.read_text())

    def test_lines_go_on_as_if_they_had_not_stopped(self):
        self.run_case(self.CASE, "whole", "--tmax", 0.6, *self.COARSE)
        self.run_case(self.CASE, "cut", "--tmax", 0.6, *self.COARSE, "--steps", 417)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        self.same_bytes("whole", "cut", "bodies/mkbound_1.csv", "moorings/line_0.csv", "moorings/line_1.csv", "flow.csv")

    def test_check_tells_of_taut_lines_and_a_wrong_body_has_a_line(self):
        text = self.CASE.read_text()
        case = self.write("taut.xml", text.replace('<length value="0.93"', '<length value="0.8"', 1))
        told = self.sluice("check", case, "--dp", 0.04)
        self.assertRegex(told.stdout + told.stderr, r"taut.xml:\d+: .*mooring line 0 is taut at the start")
        case = self.write("wrong.xml", text.replace('bodyref="1" x="2.8"', 'bodyref="2" x="2.8"'))
        told = self.sluice("check", case, code=2)
        self.assertRegex(told.stdout + told.stderr, r"wrong.xml:\d+: <vesselconnection> bodyref 2 is no body of <bodies>")


if __name__ == "__main__":
    unittest.main()
