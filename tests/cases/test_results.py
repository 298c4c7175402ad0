# SPDX-License-Identifier: Apache-2.0
"""Results of runs: probes and gauges, and the commands that work on stored frames."""
import base64
import json
import math
import re
import shutil
import struct
import subprocess
import unittest

from sluice_process import CASES, DATA, GAUGES, SLUICE, SluiceTest, numbers, rows

DAM_BREAK = DATA / "dam-break-2d.xml"
DAM_BREAK_3D = CASES / "dam-break-3d.xml"
TANK = CASES / "hydrostatic-tank.xml"


class Walls(SluiceTest):
    def test_the_pressure_at_the_floor_of_a_still_tank_is_that_of_the_water(self):
        self.sluice("run", TANK, "-o", "run", "--dp", 0.02, "--tmax", 0.5, "--tout", 0.1, "--pictures", 0)
        self.sluice("export", "run", "-o", "floor", "--format", "csv", "--mkbound", 0, "--box", 0.2, -1, -0.011, 0.8, 1, 0.001)
        means = {"pressure [Pa]": [], "wall_pressure [Pa]": []} # of the floor, over that of the water
        for number in range(6):
            floor = rows(self.dir / f"floor/boundary_{number:06}.csv")
            self.assertGreater(len(floor), 25)
            for column, ratios in means.items():
                ratio = [float(row[column]) / (9810 * (0.51 - float(row["z [m]"]))) for row in floor]
                ratios.append(sum(ratio) / len(ratio))
        self.assertAlmostEqual(means["wall_pressure [Pa]"][0], 1, delta=0.01)
        # the tank sways up and down a little until it is still
        self.assertAlmostEqual(sum(means["wall_pressure [Pa]"][1:]) / 5, 1, delta=0.05)
        self.assertGreater(sum(means["pressure [Pa]"][1:]) / 5, 1.4)


class Gauges(SluiceTest):
    def test_tables_have_units_and_values(self):
        case = self.case_with_gauges(DAM_BREAK, GAUGES)
        points = self.write("points.txt", "0.5 0 0.5\n3.5 0 2.5\n")
        self.sluice("run", case, "-o", "run", "--dp", 0.04, "--tmax", 0.3, "--pictures", 0, "--probes", points, "--probes-dt", 0.1)
        gauges = self.dir / "run/gauges"
        self.assertEqual(len(rows(gauges / "speed.csv")), 61)
        for name in ("depth", "crest", "tank", "outflow"):
            self.assertEqual(len(rows(gauges / f"{name}.csv")), 31, name)
        text = (gauges / "depth.csv").read_text()
        self.assertRegex(text, r"^# gauge depth: pressure .* at \(0\.1, 0, 0\.1\) m\n# .*W.*\ntime \[s\],pressure \[Pa\]")
        self.assertAlmostEqual(numbers(gauges / "depth.csv", "pressure [Pa]")[0], 1000 * 9.81 * 1.9, delta=700)
        self.assertAlmostEqual(numbers(gauges / "crest.csv", "zmax [m]")[0], 2, delta=0.05)
        self.assertEqual(numbers(gauges / "outflow.csv", "flow [m2/s]")[0], 0)
        self.assertIn("for a metre of width; positive with the fluid going along n = (1, 0, 0)", (gauges / "outflow.csv").read_text())
        # All that is right of the rectangle has come through it.
        flow = numbers(gauges / "outflow.csv", "flow [m2/s]")
        self.sluice("export", "run", "-o", "csv", "--format", "csv", "--first", 15)
        beyond = sum(x > 1.2 for x in numbers(self.dir / "csv/fluid_000015.csv", "x [m]")) * 0.04**2
        self.assertAlmostEqual(sum(flow) * 0.01 - flow[-1] * 0.005, beyond, delta=0.1 * beyond)
        through = numbers(gauges / "through.csv", "flow [m2/s]")
        self.assertAlmostEqual(sum(through) * 0.01 - through[-1] * 0.005, beyond, delta=0.1 * beyond)
        self.assertEqual(len(rows(gauges / "field.csv")), 7 * 3 * 13)
        surface = rows(gauges / "field-zsurf.csv")
        self.assertEqual(len(surface), 7 * 3)
        for row in surface[:3]:
            self.assertAlmostEqual(float(row["z [m]"]), 2.02, delta=0.05)
        probes = rows(self.dir / "run/probes.csv")
        self.assertEqual([row["probe"] for row in probes], ["0", "1"] * 4)
        self.assertEqual(probes[1]["vx [m/s]"], "nan")
        self.assertAlmostEqual(float(probes[0]["pressure [Pa]"]), 1000 * 9.81 * 1.5, delta=700)
        self.sluice("report", "run")
        page = (self.dir / "run/report.html").read_text()
        for title in ("Gauge speed", "Gauge tank", "Gauge through", "Probes", "probe 1"):
            self.assertIn(title, page)
        self.assertNotIn("Gauge field", page) # a plot over the time cannot show a mesh

    def test_measured_points_outside_the_domain_are_told(self):
        self.sluice("run", DAM_BREAK, "--dp", 0.1, "--steps", 1, "--pictures", 0, "-o", "run")
        inside = ("--point", 0.5, 7, 0.2) # in two dimensions y does not count
        told = lambda *points: self.sluice("measure", "run", "-o", "m.csv", *points).stderr
        self.assertNotIn("outside", told(*inside))
        self.assertIn("1 of 2 points are outside the domain of the run", told(*inside, "--point", 500, 0, 200))
        self.assertIn("the first of them is point 1: (500, 0, 200)", told(*inside, "--point", 500, 0, 200))
        self.assertNotIn("outside", told("--elevation", "--point", 0.5, 0, 99)) # nor does z of an elevation

    def test_gauges_outside_the_domain_get_a_warning(self):
        outside = '<velocity name="far"><point x="99" y="0" z="0.1"/></velocity>'
        case = self.case_with_gauges(DAM_BREAK, '<velocity name="near"><point x="0.5" y="7" z="0.1"/></velocity>' + outside)
        line = case.read_text()[: case.read_text().index(outside)].count("\n") + 1
        for result in (self.sluice("check", case, "--dp", 0.1), self.sluice("run", case, "--dp", 0.1, "--steps", 1, "--pictures", 0, "-o", "run")):
            text = result.stdout + result.stderr
            self.assertIn(f'case.xml:{line}: ', text)
            self.assertIn('the gauge "far" lies outside the domain on x (from 99 to 99 m', text)
            self.assertNotIn('"near"', text) # in two dimensions y does not count

    def test_meshes_in_other_units_get_a_warning(self):
        shutil.copy(CASES / "boulder.stl", self.dir)
        draw = '<drawfilestl file="boulder.stl" autofill="true">'
        text = (CASES / "boulder-stl.xml").read_text()
        self.assertIn(draw, text)
        for scale, wanted in ((1000, "is it in millimetres? Then scale it with <drawscale x=\"0.001\""), (0.001, "other units than metres?"), (1, None)):
            case = self.write("case.xml", text.replace(draw, f'{draw}<drawscale x="{scale}" y="{scale}" z="{scale}"/>'))
            shown = subprocess.run([SLUICE, "check", case, "--dp", "0.1"], capture_output=True, text=True).stdout
            if wanted:
                self.assertIn(wanted, shown)
            else:
                self.assertNotIn("wide as drawn", shown)

    def test_a_lattice_that_moves_the_walls_is_noted(self):
        text = (DATA / "dam-break-2d.xml").read_text()
        note = "the lattice of particles does not go through 0 on z"
        self.assertNotIn(note, self.sluice("check", DATA / "dam-break-2d.xml", "--dp", 0.1).stdout)
        case = self.write("case.xml", text.replace('<pointmin x="-0.2" y="0" z="-0.2"/>', '<pointmin x="-0.2" y="0" z="-0.21"/>'))
        shown = self.sluice("check", case, "--dp", 0.1).stdout
        self.assertIn(note, shown)
        self.assertIn("stands at -0.01 m", shown)
        self.assertIn("mkbound 0", shown)

    def test_wrong_gauges_are_named_with_their_line(self):
        for gauge, complaint in (('<velocty name="a"/>', "velocity"), ('<velocity name="a"/>', "point"),
                                 ('<force name="a"><target mkbound="7"/></force>', "mkbound 7"),
                                 ('<pressure name="a"><point x="0" y="0" z="0"/></pressure><swl name="a"/>', "another name")):
            with self.subTest(gauge):
                case = self.case_with_gauges(DAM_BREAK, gauge)
                text = case.read_text()
                line = text[: text.index(gauge)].count("\n") + 1
                message = self.sluice("run", case, "--dp", 0.1, "-o", "run", code=2).stderr
                self.assertIn(f"case.xml:{line}: ", message)
                self.assertIn(complaint, message)
                self.assertFalse((self.dir / "run").exists())


class Guide(SluiceTest):
    def test_its_case_runs_as_printed(self):
        guide = (CASES.parent / "docs/guide.md").read_text()
        case = self.write("tank.xml", guide.split("```xml\n")[1].split("```")[0])
        self.assertNotIn("warning", self.sluice("run", case, "-o", "out", "--pictures", 0).stderr)
        pressure = numbers(self.dir / "out/gauges/floor.csv", "pressure [Pa]")
        settled = pressure[len(pressure) // 2:]
        self.assertAlmostEqual(sum(settled) / len(settled), 1000 * 9.81 * 0.47, delta=300)
        self.assertFalse(rows(self.dir / "out/excluded.csv"))


class StoredFrames(SluiceTest):
    def test_the_tank_carries_the_weight_of_still_water(self):
        case = self.case_with_gauges(TANK, '<force name="tank"><target mkbound="0"/></force>')
        self.sluice("run", case, "-o", "run", "--dp", 0.02, "--tmax", 1, "--tout", 0.25, "--pictures", 0,
                    "--set", "SavePosDouble=1")
        run = json.loads((self.dir / "run/run.json").read_text())
        weight = run["fluid_particles"] * 1000 * 0.02**2 * 9.81
        settled = [float(row["fz [N/m]"]) for row in rows(self.dir / "run/gauges/tank.csv") if float(row["time [s]"]) > 0.5]
        self.assertAlmostEqual(-sum(settled) / len(settled), weight, delta=0.04 * weight)
        self.sluice("forces", "run", "--mkbound", 0, "-o", "forces.csv")
        gauge = {row["time [s]"]: float(row["fz [N/m]"]) for row in rows(self.dir / "run/gauges/tank.csv")}
        stored = rows(self.dir / "forces.csv")
        self.assertEqual(len(stored), 5)
        for row in stored: # of positions as the run has them: the very formula of the gauge
            self.assertAlmostEqual(float(row["fz [N/m]"]), gauge[row["time [s]"]], delta=1e-6 * weight)
        self.assertIn("mkbound 5", self.sluice("forces", "run", "--mk", 5, "-o", "no.csv", code=2).stderr)

    def test_the_surface_is_closed_and_holds_the_fluid(self):
        self.sluice("run", DAM_BREAK_3D, "-o", "run", "--dp", 0.03, "--tmax", 0.05, "--tout", 0.05, "--pictures", 0)
        volume = json.loads((self.dir / "run/run.json").read_text())["fluid_particles"] * 0.03**3
        self.sluice("surface", "run", "-o", "vtp", "--spacing", 0.02)
        self.assertEqual(sorted(path.name for path in (self.dir / "vtp").iterdir()),
                         ["surface.pvd", "surface_000000.vtp", "surface_000001.vtp"])
        self.sluice("surface", "run", "-o", "stl", "--format", "stl", "--spacing", 0.02)
        data = (self.dir / "stl/surface_000000.stl").read_bytes()
        count = struct.unpack_from("<I", data, 80)[0]
        self.assertEqual(len(data), 84 + 50 * count)
        enclosed, sides = 0.0, {}
        for k in range(count):
            corners = struct.unpack_from("<9f", data, 84 + 50 * k + 12)
            a, b, c = (corners[i: i + 3] for i in (0, 3, 6))
            cross = (b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0])
            enclosed += sum(p * q for p, q in zip(a, cross)) / 6
            for side in ((a, b), (b, c), (c, a)):
                sides[side] = sides.get(side, 0) + 1
        self.assertTrue(all(sides.get((b, a)) == n for (a, b), n in sides.items()), "holes in the surface")
        self.assertAlmostEqual(enclosed, volume, delta=0.05 * volume)
        self.sluice("surface", "run", "-o", "low", "--format", "stl", "--spacing", 0.02, "--level", 0.1)
        self.assertNotEqual((self.dir / "low/surface_000000.stl").read_bytes(), data)
        self.assertIn("--level: a number from 0.01 to 0.99 is wanted (1 is given)",
                      self.sluice("surface", "run", "-o", "no", "--level", 1, code=2).stderr)

    def test_the_surface_of_a_flat_run_is_a_line(self):
        self.sluice("run", DAM_BREAK, "-o", "run", "--dp", 0.1, "--steps", 1, "--pictures", 0, "--fields", "density")
        self.sluice("surface", "run", "-o", "s")
        text = (self.dir / "s/surface_000000.vtp").read_bytes().split(b"<AppendedData")[0].decode()
        self.assertIn("<Lines>", text)
        self.assertNotIn("velocity", text) # which the frames do not hold
        self.assertIn("two-dimensional", self.sluice("surface", "run", "-o", "t", "--format", "stl", code=2).stderr)

    def test_chosen_values_and_particles_make_smaller_frames(self):
        options = ["run", DAM_BREAK, "--dp", 0.05, "--tmax", 0.1, "--pictures", 1]
        self.sluice(*options, "-o", "all")
        self.sluice(*options, "-o", "few", "--fields", "velocity", "--every-nth-particle", 4)
        size = {name: sum(path.stat().st_size for path in (self.dir / name / "frames").glob("frame*")) for name in ("all", "few")}
        self.assertLess(size["few"], 0.5 * size["all"])
        self.assertEqual((self.dir / "all/flow.csv").read_bytes(), (self.dir / "few/flow.csv").read_bytes())
        self.sluice("export", "few", "-o", "csv", "--format", "csv", "--last", 0)
        exported = rows(self.dir / "csv/fluid_000000.csv")
        self.assertEqual(len(exported), 200)
        self.assertTrue(math.isnan(float(exported[0]["density [kg/m3]"])))
        self.assertIn("one of 4", self.sluice("forces", "few", "--mk", 0, "-o", "f.csv", code=2).stderr)
        self.sluice("report", "few")

    def test_a_report_is_one_page(self):
        self.sluice("run", DAM_BREAK, "-o", "run", "--dp", 0.05, "--tmax", 0.1, "--pictures", 0)
        self.sluice("report", "run")
        page = (self.dir / "run/report.html").read_text()
        self.assertIn("dam-break-2d", page)
        self.assertNotIn("http://", page.replace("http://www.w3.org/", ""))
        self.assertIn("height_at_wall", page)

    def test_a_report_leaves_out_frames_that_are_damaged(self):
        self.sluice("run", DAM_BREAK, "-o", "run", "--dp", 0.05, "--tmax", 0.1, "--tout", 0.02, "--pictures", 0)
        frames = self.dir / "run/frames"
        with open(frames / "frame_000002.h5", "r+b") as file:
            file.truncate(1000)
        with open(frames / "frame_000004.h5", "r+b") as file:  # inside
            size = (frames / "frame_000004.h5").stat().st_size
            file.seek(size // 3)
            file.write(bytes(size // 2))
        result = self.sluice("report", "run", code=1)
        self.assertIn("is written, but without 2 frames", result.stderr)
        told = [line for line in result.stderr.splitlines() if "leaves this frame out" in line]
        self.assertEqual([name in line for line, name in zip(told, ("frame_000002.h5", "frame_000004.h5"))], [True, True], result.stderr)
        page = (self.dir / "run/report.html").read_text()
        self.assertEqual(re.search(r"shows (\d+) of (\d+) frames", page).groups(), ("4", "6"))
        self.assertEqual(re.findall(r"Left out: run/frames/(\w+)", page), ["frame_000002", "frame_000004"])
        self.assertIn("frame_000002.h5", self.sluice("export", "run", "-o", "vtp", code=1).stderr)  # others need them all

    def test_the_player_of_a_report_has_bodies_walls_and_their_pressure(self):
        self.sluice("run", CASES / "pillars-3d.xml", "-o", "run", "--dp", 0.05, "--tmax", 0.1, "--tout", 0.05, "--pictures", 0)
        self.sluice("report", "run")
        page = (self.dir / "run/report.html").read_text()
        data = json.loads(page.split('id="player-data">')[1].split("</script>")[0].replace("<\\/", "</"))
        walls = {side: count for side, _, count in data["boundary_ranges"]}
        self.assertGreater(walls[0], 10, "the pillars")
        self.assertGreater(walls[1 << 4], 100, "the floor")
        self.assertEqual(data["solid_ranges"], [])
        names = [field["name"] for field in data["fields"]]
        self.assertEqual((names[-1], data["fields"][-1]["of_walls"]), ("wall_pressure", True))
        self.assertIsNone(data["fields"][-1]["levels"][0])
        self.assertEqual(len(base64.b64decode(data["frames"][1]["wall"])), sum(walls.values()))
        self.assertGreater(max(base64.b64decode(data["frames"][1]["wall"])), 0)
        self.assertEqual(min(base64.b64decode(data["frames"][1]["wall"])), 0, "no value where no fluid is near")
        self.assertEqual(data["fluid_stride"], 1)

    def test_a_report_shows_joints_and_mooring_lines(self):
        self.sluice("run", CASES / "double-pendulum.xml", "-o", "swing", "--tmax", 0.5, "--pictures", 0)
        self.sluice("report", "swing")
        page = (self.dir / "swing/report.html").read_text()
        for table in sorted(path.stem for path in (self.dir / "swing/joints").iterdir()):
            self.assertIn(f"Joint {table}: force", page)
            self.assertIn(f"Joint {table}: angle", page)
        self.sluice("run", CASES / "moored-box-2d.xml", "-o", "moored", "--dp", 0.05, "--tmax", 0.2, "--tout", 0.05, "--pictures", 0)
        self.sluice("report", "moored")
        page = (self.dir / "moored/report.html").read_text()
        for line in (0, 1):
            self.assertIn(f"Mooring line {line}: tension", page)
        data = json.loads(page.split('id="player-data">')[1].split("</script>")[0].replace("<\\/", "</"))
        for frame in data["frames"]:
            self.assertEqual(frame["link_ranges"], [[0, 16, 0], [16, 16, 0]])
            self.assertEqual(len(base64.b64decode(frame["links"])), 32 * 2 * 2, "two numbers of 16 bits a node")

    def test_the_player_cuts_a_spring_off_that_is_fixed_far_away(self):
        spring = """<link_linearspring idbody1="lower"><point_fb1 x="1.5" y="0" z="0"/><point_fb2 x="101.5" y="0" z="100"/>
            <stiffness value="0"/><damping value="0"/><rest_length value="100"/></link_linearspring></chrono>"""
        case = self.write("case.xml", (CASES / "double-pendulum.xml").read_text().replace("</chrono>", spring))
        self.sluice("run", case, "-o", "run", "--tmax", 0.1, "--tout", 0.1, "--pictures", 0)
        self.sluice("report", "run")
        page = (self.dir / "run/report.html").read_text()
        data = json.loads(page.split('id="player-data">')[1].split("</script>")[0].replace("<\\/", "</"))
        low, high = data["box"]
        self.assertLess(high[0], 3, "the box is that of the bodies")
        frame = data["frames"][0]
        first, count, is_joint = frame["link_ranges"][2]
        self.assertEqual((count, is_joint), (2, 1))
        parts = struct.unpack_from("<6H", base64.b64decode(frame["links"]), 6 * first)
        start, end = ([low[k] + part / 65535 * (high[k] - low[k]) for k, part in enumerate(parts[p: p + 3])] for p in (0, 3))
        self.assertAlmostEqual(start[0], 1.5, delta=1e-3)
        self.assertAlmostEqual(end[2], high[2], delta=1e-3)
        self.assertAlmostEqual(end[0] - start[0], end[2] - start[2], delta=1e-3)  # up at 45 degrees, as the spring

    def test_what_cannot_be_seen_is_told(self):
        self.sluice("run", DAM_BREAK, "-o", "run", "--dp", 0.05, "--tmax", 0.05, "--pictures", 0)
        dry = self.sluice("measure", "run", "--point", 0.5, 0, 0.5, "--point", 50, 0, 0, "--point", 3, 0, 2, "-o", "m.csv").stderr
        self.assertIn("warning: no fluid was at 2 of 3 points", dry)
        self.assertIn("(the first of them is point 1)", dry)
        self.assertNotIn("warning", self.sluice("measure", "run", "--point", 0.5, 0, 0.5, "-o", "m.csv").stderr)
        self.assertIn("no fluid was at 1 of 1 point", self.sluice("measure", "run", "--point", 50, 0, 0, "--elevation", "-o", "e.csv").stderr)
        self.assertIn("two dimensions", self.sluice("picture", "run", "-o", "p.png", "--azimuth", 30).stderr)
        self.assertNotIn("warning", self.sluice("picture", "run", "-o", "p.png", "--time", 0.05).stderr)

    def test_measured_values_have_the_digits_that_mean_something(self):
        self.sluice("run", DAM_BREAK, "-o", "run", "--dp", 0.05, "--tmax", 0.05, "--pictures", 0)
        self.sluice("measure", "run", "--line", 0.3, 0, 0.1, 0.9, 0, 0.1, 7, "-o", "m.csv")
        for row in rows(self.dir / "m.csv"):
            self.assertLessEqual(len(row["x [m]"]), 3)
            for name in ("fraction", "vx [m/s]", "pressure [Pa]", "density [kg/m3]"):
                self.assertLessEqual(len(row[name].split("e")[0].strip("-").replace(".", "").lstrip("0")), 9, row[name])
        times = [row["time [s]"] for row in rows(self.dir / "run/flow.csv")]
        self.assertEqual([row["time [s]"] for row in rows(self.dir / "m.csv")[::7]], times, "times keep all their digits")


if __name__ == "__main__":
    unittest.main()
