# SPDX-License-Identifier: Apache-2.0
"""Gauges and probes that ride on walls and bodies: where they are, what they measure there, and on several ranks."""
import math
import unittest

from rank_runs import RankTest
from sluice_process import CASES, numbers, rows

TANK = """<case><casedef>
<constantsdef><gravity x="0" y="0" z="-9.81"/><rhop0 value="1000"/><rhopgradient value="2"/><coefh value="1.2"/><speedsound value="20"/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/>
<geometry><definition dp="{dp}"><pointmin x="-1" y="{y0}" z="-0.5"/><pointmax x="2" y="{y1}" z="1"/></definition><commands><mainlist>
<setdrawmode mode="full"/>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="{left}" z="0"/><size x="0.4" y="{width}" z="0.3"/></drawbox>
<setmkbound mk="5"/><drawbox><boxfill>bottom | left | right | front | back</boxfill><point x="0" y="{left}" z="0"/><size x="0.4" y="{width}" z="0.4"/>
<layers vdp="0,1,2"/></drawbox>
<setmkbound mk="6"/><drawbox><boxfill>solid</boxfill><point x="1.5" y="{left}" z="0"/><size x="0.1" y="{width}" z="0.1"/></drawbox>
</mainlist></commands></geometry>
<initials><velocity mkfluid="0" x="{speed}" y="0" z="0"/></initials>
<motion><objreal ref="5"><begin mov="1" start="0"/>{motion}</objreal></motion>
</casedef><execution><special><gauges><default><computedt value="0.01"/></default>
<pressure name="floor">{follow}<point x="0.2" y="{middle}" z="0.1"/></pressure>
<velocity name="speed">{follow}<point x="0.2" y="{middle}" z="0.15"/></velocity>
<swl name="level">{follow}<point0 x="0.2" y="{middle}" z="0"/><point2 x="0.2" y="{middle}" z="0.39"/></swl>
</gauges></special><parameters><parameter key="StepAlgorithm" value="2"/><parameter key="DensityDT" value="2"/><parameter key="Visco" value="0.3"/>
<parameter key="DtFixed" value="{dt}"/><parameter key="TimeMax" value="{end}"/><parameter key="TimeOut" value="0.1"/></parameters></execution></case>"""
SLIDE = '<mvrect id="1" duration="100"><vel x="0.5" y="0" z="0"/></mvrect>'
ROLL = ('<mvrotsinu id="1" duration="100" anglesunits="degrees"><axisp1 x="0.2" y="-1" z="0"/><axisp2 x="0.2" y="1" z="0"/>'
        '<freq v="0.5"/><ampl v="3"/><phase v="90"/></mvrotsinu>')
USUAL = {"dp": 0.02, "y0": 0, "y1": 0, "left": -1, "width": 2, "middle": 0, "motion": SLIDE, "end": 0.4, "dt": 2e-4, "speed": 0.5,
         "follow": '<follow mkbound="5"/>'}
BROAD = {"dp": 0.04, "y0": -0.3, "y1": 0.5, "left": 0, "width": 0.2, "middle": 0.1}
ONE = ("--threads", 1, "--backend", "cpu", "--cpu-mode", "asymmetric", "--pictures", 0, "--quiet")


class Riding(RankTest):
    def tank(self, **words):
        return self.write("case.xml", TANK.format(**{**USUAL, **words}))

    def assert_near(self, found, expected, delta):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, delta=delta)

    def test_in_a_tank_that_moves_at_one_speed_the_pressure_is_that_of_still_water(self):
        for words in ({}, {**BROAD, "end": 0.3}):
            self.run_case(self.tank(**words), "out", "--overwrite")
            self.run_case(self.tank(**words, speed=0, motion=SLIDE.replace("0.5", "0")), "still", "--overwrite")
            floor, speed, level = (self.dir / f"out/gauges/{name}.csv" for name in ("floor", "speed", "level"))
            times, pressure = numbers(floor, "time [s]"), numbers(floor, "pressure [Pa]")
            self.assertGreater(times[-1], 0.27)
            self.assert_near(numbers(floor, "x [m]"), [0.2 + 0.5 * t for t in times], 1e-9)
            self.assert_near(numbers(floor, "z [m]"), [0.1] * len(times), 1e-9)
            self.assert_near(numbers(floor, "y [m]"), [words.get("middle", 0)] * len(times), 1e-9)
            self.assert_near(pressure, numbers(self.dir / "still/gauges/floor.csv", "pressure [Pa]"), 20)
            surface = 0.3 + words.get("dp", 0.02) / 2
            settled = [p for t, p in zip(times, pressure) if t > 0.1]
            self.assertAlmostEqual(sum(settled) / len(settled), 9810 * (surface - 0.1), delta=200)
            self.assert_near(numbers(speed, "vx [m/s]"), [0.5] * len(times), 0.04)
            self.assert_near(numbers(level, "along [m]"), [surface] * len(times), 0.5 * words.get("dp", 0.02))
            self.assert_near(numbers(level, "x [m]"), numbers(level, "x0 [m]"), 1e-9)

    def test_in_a_tank_that_rolls_slowly_places_turn_and_pressure_is_the_depth(self):
        self.run_case(self.tank(motion=ROLL, speed=0, end=0.6), "out")
        gauges = self.dir / "out/gauges"
        found, depths = [], []
        for row, line in zip(rows(gauges / "floor.csv"), rows(gauges / "level.csv")):
            angle = math.radians(3) * (math.cos(math.pi * float(row["time [s]"])) - 1)  # from rest
            x, z = 0.2 - 0.1 * math.sin(angle), 0.1 * math.cos(angle)
            self.assertAlmostEqual(float(row["x [m]"]), x, delta=1e-8)
            self.assertAlmostEqual(float(row["z [m]"]), z, delta=1e-8)
            self.assertAlmostEqual(float(line["x [m]"]), 0.2 - float(line["along [m]"]) * math.sin(angle), delta=1e-8)
            self.assertAlmostEqual(float(line["z [m]"]), float(line["along [m]"]) * math.cos(angle), delta=1e-8)
            found.append(float(row["pressure [Pa]"]))
            depths.append(float(line["z [m]"]) - z)
        self.assertGreater(len(found), 55)
        self.assertAlmostEqual(sum(found[10:]) / sum(depths[10:]), 9810, delta=800)
        self.assertGreater(max(numbers(gauges / "floor.csv", "x [m]")), 0.2 + 0.1 * math.sin(math.radians(3.8)))

    def test_on_a_floating_body_they_go_with_it(self):
        gauges = ('<pressure name="keel"><follow mkbound="1"/><point x="0.7" y="0" z="0.5"/></pressure>'
                  '<maxz name="bow"><follow mkbound="1"/><point0 x="0.94" y="0" z="0.4"/><height value="0.5"/></maxz>')
        text = (CASES / "floating-box-2d.xml").read_text()
        case = self.write("case.xml", text.replace("<parameters>", f"<special><gauges>{gauges}</gauges></special><parameters>")
                          .replace("<floating mkbound=\"1\" relativeweight=\"0.5\"/>",
                                   '<floating mkbound="1" relativeweight="0.5"><angularvelini x="0" y="1" z="0"/></floating>'))
        self.run_case(case, "one", "--dp", 0.025, "--tmax", 0.3, "--tout", 0.02)
        body, keel = rows(self.dir / "one/bodies/mkbound_1.csv"), rows(self.dir / "one/gauges/keel.csv")
        self.assertEqual([row["time [s]"] for row in body], [row["time [s]"] for row in keel])
        arm = (0.7 - float(body[0]["x [m]"]), 0.5 - float(body[0]["z [m]"]))
        for at, row in zip(body, keel):
            turn = math.radians(float(at["pitch [deg]"]))
            x = float(at["x [m]"]) + math.cos(turn) * arm[0] + math.sin(turn) * arm[1]
            z = float(at["z [m]"]) - math.sin(turn) * arm[0] + math.cos(turn) * arm[1]
            self.assertAlmostEqual(float(row["x [m]"]), x, delta=2e-8)
            self.assertAlmostEqual(float(row["z [m]"]), z, delta=2e-8)
        self.assertGreater(abs(float(body[-1]["pitch [deg]"])), 1)
        self.run_case(case, "many", "--dp", 0.025, "--tmax", 0.3, "--tout", 0.02, "--ranks", 3)
        self.assert_same("one", "many")

    def test_probes_ride_too_and_a_run_that_was_stopped_goes_on_with_the_same_bytes_on_ranks(self):
        case, points = self.tank(motion=ROLL, end=0.3), self.write("points.txt", "0.2 0 0.1\n0.02 0 0.2\n")
        options = ("--probes", points, "--probes-follow", 5, "--probes-dt", 0.01)
        self.run_case(case, "one", *options)
        self.run_case(case, "many", *options, "--ranks", 3)
        self.assert_same("one", "many")
        self.run_case(case, "cut", *options, "--steps", 150)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9, "--quiet")
        self.assert_same("one", "cut")
        floor, probes = rows(self.dir / "one/gauges/floor.csv"), rows(self.dir / "one/probes.csv")
        self.assertEqual(len(probes), 2 * len(floor))
        for gauge, probe in zip(floor, probes[::2]):
            for column in ("time [s]", "x [m]", "z [m]", "pressure [Pa]", "fraction"):
                self.assertEqual(gauge[column], probe[column])
        self.assertNotEqual(probes[1]["x [m]"], probes[-1]["x [m]"])

    def test_check_says_on_what_and_names_what_does_not_move(self):
        self.assertIn('the gauge "floor" rides on the moving wall of mkbound 5', self.sluice("check", self.tank()).stdout)
        for follow, said in (('<follow mkbound="6"/>', "mkbound 6 does not move; what moves is mkbound 5; take <follow> out"),
                             ('<follow mkbound="7"/>', "the case has no boundary particles of mkbound 7; what moves is mkbound 5")):
            case = self.tank(follow=follow)
            self.assertIn(said, self.sluice("check", case, code=2).stdout)
            self.assertIn(f'gauge "floor": {said}', self.sluice("run", case, "-o", "out", code=2).stderr)
        for follow, said in (("<follow/>", "mkbound"), ('<follow mkbound="five"/>', "five")):
            self.assertIn(said, self.sluice("run", self.tank(follow=follow), "-o", "out", code=2).stderr)
        case, points = self.tank(follow=""), self.write("points.txt", "0.2 0 0.1\n")
        self.assertIn("mkbound 6 does not move", self.sluice("run", case, "-o", "out", "--probes", points, "--probes-follow", 6, code=2).stderr)
        self.assertIn("give --probes FILE", self.sluice("run", case, "-o", "out", "--probes-follow", 5, code=2).stderr)
        self.assertFalse((self.dir / "out").exists())
        force = self.write("force.xml", case.read_text().replace(
            "</gauges>", '<force name="f"><target mkbound="5"/><follow mkbound="5"/></force></gauges>'))
        self.assertIn("<force> has no <follow>", self.sluice("run", force, "-o", "out", code=2).stderr)

    def test_on_a_flexible_body_they_follow_its_material(self):
        text = self.tank(follow="", motion=SLIDE).read_text()
        plate = ('<setmkbound mk="8"/><drawbox><boxfill>solid</boxfill><point x="0.6" y="-1" z="0.2"/><size x="0.3" y="2" z="0.06"/></drawbox>'
                 '<setmkbound mk="9"/><drawbox><boxfill>solid</boxfill><point x="0.5" y="-1" z="0.2"/><size x="0.081" y="2" z="0.06"/></drawbox></mainlist>')
        solid = ('</gauges><flexstrucs><flexstrucbody mkbound="8" mkclamp="9"><density value="1000"/><youngmod value="1e6"/>'
                 '<poissratio value="0.4"/><hgfactor value="0.1"/></flexstrucbody></flexstrucs>')
        gauge = '<velocity name="tip"><follow mkbound="8"/><point x="0.9" y="0" z="0.22"/></velocity>'
        for old, new in (("</mainlist>", plate), ("</motion>", '<objreal ref="8"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>'),
                         ("</gauges>", gauge + solid), ("<objreal ref=\"5\">" + '<begin mov="1" start="0"/>' + SLIDE + "</objreal>", "")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        case = self.write("plate.xml", text)
        self.assertIn("rides on the flexible body of mkbound 8", self.sluice("check", case).stdout)
        self.run_case(case, "out", "--tmax", 0.1, "--tout", 0.02)
        self.sluice("export", "out", "-o", "csv", "--format", "csv", "--mkbound", 8)
        tip = {row["time [s]"]: row for row in rows(self.dir / "out/gauges/tip.csv")}
        fallen = 0.0
        for path, time in zip(sorted((self.dir / "csv").glob("*.csv")), [row["time [s]"] for row in rows(self.dir / "out/flow.csv")]):
            frame = rows(path)
            if not fallen:
                first = min(frame, key=lambda row: math.hypot(float(row["x [m]"]) - 0.9, float(row["z [m]"]) - 0.22))
            particle = next(row for row in frame if row["id"] == first["id"])
            if time not in tip:
                continue
            for axis in ("x [m]", "z [m]"):
                self.assertAlmostEqual(float(tip[time][axis]), float(particle[axis]), delta=2e-7)
            fallen = 0.22 - float(tip[time]["z [m]"])
        self.assertGreater(fallen, 0.002)


if __name__ == "__main__":
    unittest.main()
