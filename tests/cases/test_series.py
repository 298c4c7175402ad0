# SPDX-License-Identifier: Apache-2.0
"""What files and zones of `special` change in time or space: viscosity, shifting, layers of pistons, waves of another model;
also stopped and resumed."""
import json
import shutil
import unittest

from sluice_process import CASES, DATA, SluiceTest, numbers, rows

QUIET = ("--pictures", 0, "--backend", "cpu", "--cpu-mode", "asymmetric", "--quiet")
FLUME = CASES / "wave-flume-2d.xml"


class Series(SluiceTest):
    def same_when_resumed(self, case, *options, steps=150, frames=()):
        """Runs a case whole and in two parts, in the folders whole and cut."""
        self.sluice("run", case, "-o", "whole", *QUIET, *options)
        self.sluice("run", case, "-o", "cut", *QUIET, *options, "--steps", steps)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        for name in ("flow.csv", *(f"frames/frame_{n:06}.h5" for n in frames)):
            self.assertTrue((self.dir / "whole" / name).read_bytes() == (self.dir / "cut" / name).read_bytes(), name)

    def flume(self, name, special):
        """The flume with other contents of <special> than its paddle."""
        text = FLUME.read_text()
        begin, end = text.index("<wavepaddles>"), text.index("<gauges>")
        return self.write(name, text[:begin] + special + text[end:])

    def test_the_viscosity_changes_in_time(self):
        text = (DATA / "dam-break-2d.xml").read_text()
        with_file = text.replace("</parameters>", '<parameter key="ViscoTime" value="visco.csv"/></parameters>')
        self.write("visco.csv", "#time;visco\n0.1;0.02\n0.3;0.4\n")
        options = ("--dp", 0.05, "--tmax", 0.5, "--tout", 0.1)
        self.same_when_resumed(self.write("case.xml", with_file), *options, frames=(2, 5))
        time, visco = (numbers(self.dir / "whole/flow.csv", name) for name in ("time [s]", "viscosity"))
        for t, v in zip(time, visco):
            self.assertAlmostEqual(v, 0.02 + 0.38 * min(max(t - 0.1, 0) / 0.2, 1), delta=1e-12)
        run = json.loads((self.dir / "whole/run.json").read_text())
        self.assertEqual(run["ledger"]["viscosity"], {"start": 0.02, "end": 0.4})
        self.assertEqual(run["viscosity_in_time"], [{"time": 0.1, "value": 0.02}, {"time": 0.3, "value": 0.4}])
        self.assertTrue((self.dir / "whole/inputs/visco.csv").exists())
        self.sluice("report", "whole")
        self.assertIn(">Viscosity<", (self.dir / "whole/report.html").read_text())
        # from rest to 0.1 s it is the run with that viscosity, bit by bit
        self.sluice("run", self.write("plain.xml", text), "-o", "plain", *QUIET, *options, "--set", "Visco=0.02")
        energy, plain = (numbers(self.dir / f"{run}/flow.csv", "kinetic_energy [J]") for run in ("whole", "plain"))
        self.assertEqual(energy[:2], plain[:2])
        self.assertLess(energy[-1], 0.97 * plain[-1])
        self.sluice("report", "plain")
        self.assertNotIn(">Viscosity<", (self.dir / "plain/report.html").read_text())
        forces = {}
        for name in ("whole", "cut"):
            self.sluice("forces", name, "-o", name + ".csv", "--mk", 0)
            forces[name] = numbers(self.dir / (name + ".csv"), "fx [N/m]")
        self.assertEqual(forces["whole"], forces["cut"])
        # other viscosities are another run
        self.write("cut/inputs/visco.csv", "0;0.5\n")
        self.sluice("run", "--resume", "cut", "--tmax", 0.6, code=2)

    def test_the_time_step_follows_the_viscosity(self):
        text = (DATA / "dam-break-2d.xml").read_text().replace(
            "</parameters>", '<parameter key="ViscoTime" value="visco.csv"/></parameters>')
        self.write("visco.csv", "0;0.001\n0.1;0.001\n0.1001;10\n")
        self.sluice("run", self.write("case.xml", text), "-o", "run", *QUIET, "--dp", 0.05, "--tmax", 0.12, "--tout", 0.01,
                    "--set", "ViscoTreatment=3", "--set", "StepAlgorithm=2")
        run = json.loads((self.dir / "run/run.json").read_text())
        time, step = (numbers(self.dir / "run/flow.csv", name) for name in ("time [s]", "step"))
        dt = (time[-1] - time[-2]) / (step[-1] - step[-2])
        self.assertAlmostEqual(dt, 0.125 * run["h"] ** 2 / 10, delta=1e-3 * dt)
        self.assertGreater((time[9] - time[0]) / (step[9] - step[0]), 2 * dt)

    def test_particles_are_shifted_in_zones_only(self):
        text = (DATA / "dam-break-2d.xml").read_text()
        special = text[text.index("<special>"):text.index("</special>") + len("</special>")]

        def run(name, shifting):
            case = self.write(name + ".xml", text.replace(special, "<special>" + shifting + "</special>"))
            self.sluice("run", case, "-o", name, *QUIET, "--dp", 0.05, "--tmax", 0.2, "--tout", 0.1)
            return (self.dir / name / "flow.csv").read_bytes()

        zone = '<shifting><mode value="3"/><shiftingzone><posref x="{}" y="0" z="0"/><size x="0.4" y="1" z="9"/></shiftingzone></shifting>'
        none, everywhere = run("none", ""), run("everywhere", '<shifting><mode value="3"/></shifting>')
        inside, outside = run("inside", zone.format(0.3)), run("outside", zone.format(-5))
        self.assertTrue(none == outside)
        self.assertEqual(len({none, everywhere, inside}), 3)
        self.assertTrue(everywhere != run("strong", '<shifting><mode value="3"/><coefficient value="-6"/></shifting>'))
        self.assertTrue(everywhere != run("surface", '<shifting><mode value="3"/><fsthreshold value="1.5"/></shifting>'))
        self.assertTrue(everywhere != run("walls", '<shifting><mode value="1"/></shifting>'))
        self.sluice("run", self.write("whole.xml", text), "-o", "parameter", *QUIET, "--dp", 0.05, "--tmax", 0.2, "--tout", 0.1,
                    "--set", "Shifting=3")
        self.assertTrue(everywhere == (self.dir / "parameter/flow.csv").read_bytes())

    def places(self, folder, frame, *which):
        shutil.rmtree(self.dir / "csv", ignore_errors=True)
        self.sluice("export", folder, "-o", "csv", "--format", "csv", "--first", frame, "--last", frame, *which)
        table = rows(next((self.dir / "csv").glob("*.csv")))
        return {int(row["id"]): (float(row["x [m]"]), float(row["z [m]"])) for row in table}

    def test_layers_of_a_piston_move_with_the_velocities_of_its_file(self):
        # u = 2 z t up to 0.4 s: x − x(0) = z t²
        lines = "".join(f"{t};0.5;0;{t};0\n" for t in (0, 0.1, 0.2, 0.3, 0.4))
        self.write("velx.csv", "px:;0;py:;0\ntime;pz_0;pz_1;vel_0;vel_1\n" + lines)
        case = self.flume("case.xml", '<mlayerpistons><piston1d><mkbound value="10"/><filevelx value="velx.csv"/></piston1d></mlayerpistons>')
        self.same_when_resumed(case, "--dp", 0.05, "--tmax", 0.3, "--tout", 0.1, frames=(1, 3))
        start, end = (self.places("whole", frame, "--mkbound", 10) for frame in (0, 3))
        time = numbers(self.dir / "whole/flow.csv", "time [s]")[3]
        self.assertGreater(len({z for _, z in start.values()}), 8)
        for number, (x, z) in start.items():
            self.assertAlmostEqual(end[number][0] - x, min(z, 0.5) * time ** 2, delta=2e-6)
            self.assertAlmostEqual(end[number][1], z, delta=2e-6)
        self.assertGreater(numbers(self.dir / "whole/flow.csv", "kinetic_energy [J]")[-1], 0.05)
        self.assertTrue((self.dir / "whole/inputs/velx.csv").exists())

    def test_a_zone_leads_the_water_to_another_models_waves(self):
        for k in (2, 3):
            lines = "".join(f"{t};0.3;0;{0.5 * t};{0.5 * t}\n" for t in (0, 0.1, 0.2, 0.3, 0.4))
            self.write(f"far_velx_x0{k}_y00.csv", f"px:;{k};py:;0\ntime;pz_0;pz_1;vel_0;vel_1\n" + lines)

        def zone(more=""):
            return f"""<relaxationzones><rzwaves_external_1d><depth value="0.3"/><swl value="0.3"/><filesvel value="far"/>
                <filesvelx initial="2" count="2"/><center x="3" y="0" z="0"/><width value="1"/>{more}</rzwaves_external_1d></relaxationzones>"""

        options = ("--dp", 0.05, "--tmax", 0.3, "--tout", 0.1)
        self.same_when_resumed(self.flume("case.xml", zone()), *options, frames=(3,))
        momentum = {"zone": numbers(self.dir / "whole/flow.csv", "momentum_x [kg m/s]")[-1]}
        for name, special in (("none", ""), ("corrected", zone('<driftcorrection value="1"/>'))):
            self.sluice("run", self.flume(name + ".xml", special), "-o", name, *QUIET, *options)
            momentum[name] = numbers(self.dir / name / "flow.csv", "momentum_x [kg m/s]")[-1]
        self.assertGreater(momentum["zone"] - momentum["none"], 5)
        self.assertLess(momentum["corrected"], 0.8 * momentum["zone"])


if __name__ == "__main__":
    unittest.main()
