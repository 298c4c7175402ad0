# SPDX-License-Identifier: Apache-2.0
"""Wave makers, damping zones and accelerations, from case file to tables and frames; also stopped and resumed."""
import math
import re
import shutil
import unittest

from sluice_process import CASES, DATA, SluiceTest, numbers, rows

QUIET = ("--pictures", 0, "--backend", "cpu", "--cpu-mode", "asymmetric")
FLUME = CASES / "wave-flume-2d.xml"
COARSE = ("--dp", 0.05)


class Waves(SluiceTest):
    def positions(self, folder, frame, *which):
        shutil.rmtree(self.dir / "csv", ignore_errors=True)
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
        for what in ("spectrum", "displacement of the paddle", "velocity of the paddle", "expected elevation"):
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
        text = (DATA / "dam-break-2d.xml").read_text()
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

    BLOCK = """<case><casedef><constantsdef><gravity x="0" y="0" z="0"/><rhop0 value="1000"/><rhopgradient value="1"/>
        <hswl value="1" auto="false"/><speedsystem value="1" auto="false"/><coefsound value="10"/><speedsound value="10" auto="false"/>
        <coefh value="1.2"/><cflnumber value="0.2"/></constantsdef><mkconfig boundcount="240" fluidcount="10"/><geometry>
        <definition dp="0.1"><pointref x="0.05" y="0" z="0.05"/><pointmin x="{low}" y="0" z="{low}"/><pointmax x="{high}" y="0" z="{high}"/></definition>
        <commands><mainlist><setdrawmode mode="full"/><setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.05" y="-1" z="0.05"/>
        <size x="1.901" y="2" z="1.901"/></drawbox></mainlist></commands></geometry></casedef><execution><special>{special}</special><parameters>
        <parameter key="StepAlgorithm" value="{step}"/><parameter key="Visco" value="0"/><parameter key="DensityDT" value="0"/>
        <parameter key="TimeOut" value="0.1"/>{more}</parameters></execution></case>"""

    def block_of_water(self, name, special, step, time, periodic=True):
        """A square of water without weight or viscosity, alone or in a space that repeats it; the columns of its flow.csv."""
        low, high, more = (0, 2.5, '<parameter key="XZPeriodic" value="1"/>') if periodic else (-3, 5, "")
        case = self.write(name + ".xml", self.BLOCK.format(low=low, high=high, special=special, step=step, more=more))
        self.sluice("run", case, "-o", name, *QUIET, "--threads", 1, "--tmax", time)
        table = rows(self.dir / name / "flow.csv")
        self.assertNotIn("nowhere", (self.dir / name / "run.log").read_text())
        return {column: [float(row[column]) for row in table] for column in table[0]}

    def assert_closed(self, flow, works):
        """What moved is what the works gave, to 1 %, and nothing is left over."""
        given = sum(flow[f"{work}_work [J]"][-1] for work in works)
        self.assertGreater(abs(given), 0)
        self.assertLess(abs(flow["dissipated_energy [J]"][-1]), 0.01 * flow["moved_energy [J]"][-1])

    def test_relaxation_acts_at_its_rate_and_is_on_the_books(self):
        zone = """<relaxationzones><rz_uniform><start value="0"/><duration value="0"/><domainbox><point x="-1000" y="-1" z="-1000"/>
            <size x="2000" y="2" z="2000"/><direction x="1" y="0" z="0"/></domainbox><velocity value="0.1"/><coefdt value="{}"/>
            <function psi="0.9" beta="1"/></rz_uniform></relaxationzones>"""
        for step in (1, 2):
            flow = self.block_of_water(f"slow{step}", zone.format(2), step, 1)
            left = [1 - p / (0.1 * m) for p, m in zip(flow["momentum_x [kg m/s]"], flow["mass [kg]"])]
            rate = -math.log(left[-1] / left[1]) / (flow["time [s]"][-1] - flow["time [s]"][1])
            self.assertAlmostEqual(rate, 1.8, delta=0.018, msg=f"StepAlgorithm {step}")
            self.assert_closed(flow, ("relaxation",))
            self.assertAlmostEqual(flow["relaxation_work [J]"][-1], flow["kinetic_energy [J]"][-1],
                                   delta=0.01 * flow["kinetic_energy [J]"][-1])
            flow = self.block_of_water(f"fast{step}", zone.format(1500), step, 0.004)  # a step is 0.0024 s: three times 1/r
            left = 1 - flow["momentum_x [kg m/s]"][-1] / (0.1 * flow["mass [kg]"][-1])
            self.assertAlmostEqual(-math.log(left) / flow["time [s]"][-1], 1350, delta=13.5, msg=f"StepAlgorithm {step}")

    def test_damping_is_on_the_books(self):
        damping = """<accinputs><accinput mkfluid="0"><acctimes><timevalue time="0" linx="1"/></acctimes></accinput></accinputs>
            <damping><dampingzone><limitmin x="-100" y="0" z="0"/><limitmax x="-90" y="0" z="0"/><overlimit value="1000"/><redumax value="3"/>
            </dampingzone></damping>"""
        for step in (1, 2):
            flow = self.block_of_water(f"damped{step}", damping, step, 1)
            end = flow["time [s]"][-1]
            self.assertAlmostEqual(flow["momentum_x [kg m/s]"][-1] / flow["mass [kg]"][-1], (1 - math.exp(-3 * end)) / 3,
                                   delta=0.004)  # the force acts before the zone: a τ/2, with leaps of 0.007 s
            self.assertLess(flow["damping_work [J]"][-1], -0.5 * flow["kinetic_energy [J]"][-1])
            self.assert_closed(flow, ("damping", "acceleration"))

    def test_work_does_not_depend_on_ranks_or_where_a_run_was_stopped(self):
        zones = """<accinputs><accinput mkfluid="0"><acctimes><timevalue time="0" linx="1"/></acctimes></accinput></accinputs>
            <damping><dampingzone><limitmin x="0.5" y="0" z="0"/><limitmax x="2" y="0" z="0"/><redumax value="3"/></dampingzone></damping>
            <relaxationzones><rz_uniform><start value="0"/><domainbox><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/>
            <direction x="0" y="0" z="1"/></domainbox><velocity value="0.1"/><coefdt value="20"/></rz_uniform></relaxationzones>"""
        shifting = '<parameter key="XZPeriodic" value="1"/><parameter key="Shifting" value="3"/>'
        case = self.write("case.xml", self.BLOCK.format(low=0, high=2.5, special=zones, step=1, more=shifting).replace(
            '<gravity x="0" y="0" z="0"/>', '<gravity x="-1" y="0" z="0"/>'))
        options = (*QUIET, "--threads", 1, "--tmax", 0.3)
        self.sluice("run", case, "-o", "one", *options)
        self.sluice("run", case, "-o", "two", *options, "--ranks", 2)
        self.sluice("run", case, "-o", "cut", *options, "--ranks", 2, "--steps", 37)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        one = (self.dir / "one/flow.csv").read_bytes()
        for name in ("two", "cut"): self.assertEqual(one, (self.dir / name / "flow.csv").read_bytes(), name)
        for work in ("damping", "relaxation", "acceleration"):
            self.assertNotEqual(numbers(self.dir / "one/flow.csv", f"{work}_work [J]")[-1], 0, work)

    def test_accelerations_with_rotation_are_on_the_books(self):
        turning = """<accinputs><accinput mkfluid="0"><acccentre x="0.7" y="0" z="1.4"/><rotation value="frame"/>
            <acctimes><timevalue time="0" linx="2"/><timevalue time="0.4" linx="2" angy="6"/></acctimes></accinput></accinputs>"""
        for step in (1, 2):
            flow = self.block_of_water(f"turning{step}", turning, step, 0.4, periodic=False)
            self.assertGreater(flow["kinetic_energy [J]"][-1], 1.5 * 0.5 * 0.8 ** 2 * flow["mass [kg]"][-1], "more than by linx alone")
            self.assert_closed(flow, ("acceleration",))

    def flume(self, name, special):
        """The flume with other contents of <special> beside its paddle."""
        text = FLUME.read_text()
        begin, end = text.index("<damping>"), text.index("<gauges>")
        return self.write(name, text[:begin] + special + text[end:])

    def test_a_piston_takes_up_what_comes_back(self):
        absorption = """<awas_zsurf><startawas value="0.2"/><swl value="0.3"/><elevation value="2"/><gaugex valuedp="3"/>
            <gaugezmin value="0.1"/><gaugezmax value="0.5"/><savedata value="3"/></awas_zsurf></piston>"""
        case = self.write("case.xml", FLUME.read_text().replace("</piston>", absorption))
        options = (*QUIET, *COARSE, "--tmax", 0.8, "--tout", 0.2)
        self.sluice("run", case, "-o", "whole", *options)
        table = self.dir / "whole/absorption/mkbound_10.csv"
        column = {name: numbers(table, name) for name in
                  ("time [s]", "step", "elevation [m]", "expected [m]", "waves [m]", "paddle [m]", "waves [m/s]", "paddle [m/s]")}
        self.assertEqual(column["step"], [float(k) for k in range(len(column["step"]))])
        before = [k for k, t in enumerate(column["time [s]"]) if t < 0.2]
        self.assertTrue(all(column["waves [m]"][k] == column["paddle [m]"][k] for k in before))
        off = [p - w for p, w in zip(column["paddle [m]"], column["waves [m]"])]
        self.assertGreater(max(map(abs, off)), 1e-3, "it moves otherwise than for its waves alone")
        start = self.positions("whole", 0, "--mkbound", 10)
        moved = [a - b for a, b in zip(self.positions("whole", 4, "--mkbound", 10), start)]
        self.assertAlmostEqual(moved[0], column["paddle [m]"][-1], delta=1e-5)
        self.assertLess(max(moved) - min(moved), 1e-6)
        self.sluice("run", case, "-o", "cut", *options, "--steps", 400)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        for name in ("flow.csv", "frames/frame_000004.h5", "absorption/mkbound_10.csv"):
            self.assertTrue((self.dir / "whole" / name).read_bytes() == (self.dir / "cut" / name).read_bytes(), name)

    def test_relaxation_zones_lead_the_water(self):
        zone = """<relaxationzones><rz_uniform><start value="0.1"/><domainbox><point x="2" y="-1" z="0"/><size x="1" y="2" z="0.5"/>
            <direction x="1" y="0" z="0"/></domainbox><velocity value="0.2"/><coefdt value="50"/></rz_uniform></relaxationzones>"""
        waves = """<relaxationzones><rzwaves_regular><waveheight value="0.1"/><waveperiod value="1.2"/><depth value="0.3"/>
            <swl value="0.3"/><center x="3" y="0" z="0"/><width value="1"/></rzwaves_regular></relaxationzones>"""
        energy = {}
        for name, special in (("none", ""), ("uniform", zone), ("waves", waves)):
            case = self.flume(name + ".xml", special)
            self.sluice("run", case, "-o", name, *QUIET, *COARSE, "--tmax", 0.3, "--tout", 0.05)
            energy[name] = numbers(self.dir / name / "flow.csv", "kinetic_energy [J]")
        self.assertEqual(energy["none"][:2], energy["uniform"][:2], "nothing before it starts")
        for name in ("uniform", "waves"):
            self.assertGreater(energy[name][-1], 2 * energy["none"][-1], name)

    def test_the_fluid_begins_with_a_velocity(self):
        special = """<initialize><fluidvelocity mkfluid="0"><direction x="2" y="0" z="0"/><velocity v="0.5"/>
            <onlypos><posmin x="3"/></onlypos></fluidvelocity></initialize>"""
        self.sluice("run", self.flume("case.xml", special), "-o", "run", *QUIET, *COARSE, "--tmax", 0.01, "--tout", 0.01)
        momentum, mass = (numbers(self.dir / "run/flow.csv", c)[0] for c in ("momentum_x [kg m/s]", "mass [kg]"))
        self.assertGreater(momentum, 0.5 * 0.45 * mass)
        self.assertLess(momentum, 0.5 * 0.6 * mass)

    def test_a_flume_with_a_dike_measures_waves_and_what_runs_over(self):
        self.sluice("run", CASES / "wave-dike-2d.xml", "-o", "run", *QUIET, "--dp", 0.04, "--tmax", 3, "--tout", 1)
        flow, basin = (numbers(self.dir / "run/gauges" / f"{name}.csv", column)
                       for name, column in (("overtopping", "flow [m2/s]"), ("basin", "z [m]")))
        self.assertGreater(len(flow), 148)
        self.assertEqual(flow[0], 0)
        self.assertTrue(math.isnan(basin[0]), "the basin begins dry")
        height = numbers(self.dir / "run/gauges/flume_1.csv", "z [m]")
        self.assertGreater(max(height) - min(height), 0.03)
        self.assertGreater(len(numbers(self.dir / "run/absorption/mkbound_10.csv", "paddle [m]")), 3)

    def test_before_a_wall_the_piston_that_absorbs_moves_otherwise_than_the_one_that_does_not(self):
        case = CASES / "wave-wall-2d.xml"
        (self.dir / "without.xml").write_text(re.sub(r"<awas_zsurf>.*?</awas_zsurf>", "", case.read_text(), flags=re.S))
        for name, file in (("with", case), ("without", self.dir / "without.xml")):
            self.sluice("run", file, "-o", name, *QUIET, "--dp", 0.04, "--tmax", 6, "--tout", 1)
        moved, own = (numbers(self.dir / "with/absorption/mkbound_10.csv", column) for column in ("paddle [m]", "waves [m]"))
        self.assertGreater(max(abs(a - b) for a, b in zip(moved, own)), 2e-3)
        self.assertFalse((self.dir / "without/absorption").exists())
        first, last = ([abs(a - b) for a, b in zip(*(numbers(self.dir / name / "gauges/flume_1.csv", "z [m]") for name in ("with", "without")))][part]
                       for part in (slice(0, 75), slice(-75, None)))
        self.assertLess(max(first), 1e-4, "until the ramp is over both are one")
        self.assertGreater(max(last), 2e-3)


if __name__ == "__main__":
    unittest.main()
