# SPDX-License-Identifier: Apache-2.0
"""Short runs of shipped cases: what they leave behind, and what signals do to them."""
import json
import os
import signal
import subprocess
import time
import unittest

from sluice_process import CASES, DATA, SLUICE, SluiceTest, numbers, rows

DAM_BREAK = DATA / "dam-break-2d.xml"


class WholeRun(SluiceTest):
    def test_leaves_everything_that_is_documented(self):
        self.sluice("run", DAM_BREAK, "-o", "run", "--dp", 0.05, "--tmax", 0.1, "--tout", 0.025, "--pictures", 2)
        out = self.dir / "run"
        run = json.loads((out / "run.json").read_text())
        self.assertEqual(run["status"], "finished")
        self.assertGreaterEqual(run["simulated_seconds"], 0.1)
        self.assertGreater(run["particle_steps_per_second"], 0)
        self.assertAlmostEqual(run["particle_steps_per_second"], run["steps_per_second"] * run["particles"], delta=0.01 * run["particle_steps_per_second"])
        for key in ("cell_list", "interaction", "update"):
            self.assertGreaterEqual(run["phases"][key], 0)
        self.assertLess(sum(run["phases"].values()), run["wall_seconds"])
        for key in ("backend", "mode", "cells", "threads", "version", "memory"):
            self.assertTrue(run[key], key)
        self.assertEqual(set(run["excluded"]), {"position", "density", "not_finite"})
        self.assertEqual(run["frames"], 5)
        self.assertEqual(len(list((out / "pictures").glob("*.png"))), 2)
        for name in ("fluid.vtkhdf", "boundary.vtkhdf", "fluid.xdmf", "boundary.xdmf", "view.py", "run.log", "effective-case.xml", "excluded.csv"):
            self.assertTrue((out / name).exists(), name)
        flow = rows(out / "flow.csv")
        self.assertEqual(len(flow), 5)
        self.assertGreater(float(flow[-1]["x_front [m]"]), float(flow[0]["x_front [m]"]))
        self.assertGreater(float(flow[-1]["kinetic_energy [J]"]), 0)
        heights = rows(out / "gauges" / "height_at_wall.csv")
        self.assertEqual(len(heights), 11)
        log = (out / "run.log").read_text()
        self.assertIn("particle-steps/s", log)

    def test_the_books_of_energy_balance(self):
        self.sluice("run", DAM_BREAK, "-o", "run", "--dp", 0.02, "--tmax", 0.8, "--tout", 0.1, "--pictures", 0)
        table = rows(self.dir / "run/flow.csv")
        flow = [{name: float(value) for name, value in row.items()} for row in table]
        mass = 1000 * 0.02 ** 2 * flow[0]["n_fluid"]
        self.assertAlmostEqual(flow[0]["mass [kg]"], mass, delta=1e-9 * mass)
        for row in flow:
            self.assertAlmostEqual(row["potential_energy [J]"], 9.81 * row["mass [kg]"] * row["z_centroid [m]"], delta=1e-6 * 9.81 * mass)
            total = sum(row[f"{kind}_energy [J]"] for kind in ("kinetic", "potential", "internal", "wall", "dissipated", "excluded"))
            start = sum(flow[0][f"{kind}_energy [J]"] for kind in ("kinetic", "potential", "internal", "wall"))
            self.assertAlmostEqual(total, start, delta=1e-9 * start)
            self.assertAlmostEqual(row["volume [m3]"], mass / 1000, delta=0.01 * mass / 1000)
            self.assertEqual((row["gravity_work [J]"], row["body_energy [J]"]), (0, 0))
        released = flow[0]["potential_energy [J]"] - flow[-1]["potential_energy [J]"]
        self.assertGreater(flow[-1]["kinetic_energy [J]"], 0.5 * released)
        self.assertGreater(flow[-1]["dissipated_energy [J]"], 0)
        self.assertLess(flow[-1]["dissipated_energy [J]"], 0.3 * released)
        self.assertGreater(flow[-1]["momentum_x [kg m/s]"], 0.5 * mass)
        ledger = json.loads((self.dir / "run/run.json").read_text())["ledger"]
        self.assertEqual((ledger["step"], ledger["time"]), (flow[-1]["step"], flow[-1]["time [s]"]))
        self.assertEqual(ledger["mass"], {"start": flow[0]["mass [kg]"], "end": flow[-1]["mass [kg]"], "excluded": 0,
                                          "inflow": 0, "outflow": 0})
        self.assertEqual(ledger["energy"]["internal"], {"start": flow[0]["internal_energy [J]"], "end": flow[-1]["internal_energy [J]"]})
        self.assertEqual(ledger["energy"]["dissipated"], flow[-1]["dissipated_energy [J]"])
        self.assertEqual(ledger["energy"]["dissipated_also_holds"], [])
        log = (self.dir / "run/run.log").read_text()
        self.assertIn("dissipated", log)
        self.assertNotIn("came from nowhere", log)
        self.assertNotIn(", the last ", log)  # of a run in one part

    def test_energy_from_nowhere_is_told(self):
        end = self.sluice("run", DAM_BREAK, "-o", "run", "--dp", 0.05, "--tmax", 0.5, "--pictures", 0, "--set", "cflnumber=0.4", code=6)
        self.assertIn("J of energy came from nowhere", end.stderr)

    def test_what_leaves_is_booked_also_across_a_resume(self):
        run = ("run", self.case_that_loses_fluid(), "--dp", 0.05, "--tmax", 0.6, "--tout", 0.05, "--pictures", 0, "--backend", "cpu",
               "--cpu-mode", "asymmetric")
        self.sluice(*run, "-o", "whole")
        self.sluice(*run, "-o", "cut", "--steps", 700)
        self.assertGreater(len(rows(self.dir / "cut/excluded.csv")), 0)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        self.assertEqual((self.dir / "cut/flow.csv").read_bytes(), (self.dir / "whole/flow.csv").read_bytes())
        books = [json.loads((self.dir / name / "run.json").read_text())["ledger"] for name in ("whole", "cut")]
        self.assertEqual(*books)
        flow = self.dir / "whole/flow.csv"
        mass, excluded = numbers(flow, "mass [kg]"), numbers(flow, "excluded_mass [kg]")
        self.assertGreater(excluded[-1], 0.1 * mass[0])
        for left, gone in zip(mass, excluded):
            self.assertAlmostEqual(left + gone, mass[0], delta=1e-9 * mass[0])
        energy = books[0]["energy"]
        lost = sum(energy[kind]["start"] - energy[kind]["end"] for kind in ("kinetic", "potential", "internal", "walls"))
        self.assertAlmostEqual(lost, energy["excluded"] + energy["dissipated"], delta=1e-9 * abs(lost))

    def test_overrides_reach_the_run_and_the_effective_case(self):
        self.sluice("run", DAM_BREAK, "-o", "run", "--dp", 0.1, "--steps", 5, "--set", "Visco=0.3", "--set", "Kernel=1", "--pictures", 0)
        effective = (self.dir / "run" / "effective-case.xml").read_text()
        self.assertRegex(effective, r'Visco"[^>]*"0\.3"')
        self.assertEqual(json.loads((self.dir / "run" / "run.json").read_text())["steps"], 5)

    def test_the_number_of_threads_changes_nothing_even_where_it_changes_during_the_run(self):
        for mode in ("asymmetric", "symmetric"):
            run = ("run", DAM_BREAK, "--dp", 0.04, "--tmax", 0.2, "--tout", 0.1, "--pictures", 0, "--backend", "cpu", "--cpu-mode", mode)
            self.sluice(*run, "-o", f"{mode}-as-pays", environment={"OMP_NUM_THREADS": None})
            self.sluice(*run, "-o", f"{mode}-one", "--threads", 1)
            for frame in ("frame_000001.h5", "frame_000002.h5"):
                as_pays, one = (self.dir / f"{mode}-{which}/frames/{frame}" for which in ("as-pays", "one"))
                self.assertEqual(as_pays.read_bytes(), one.read_bytes())

    def test_the_default_folder_is_named_after_the_case(self):
        self.sluice("run", DAM_BREAK, "--dp", 0.1, "--steps", 1, "--pictures", 0)
        self.assertTrue((self.dir / "dam-break-2d_out" / "run.json").exists())


class ShippedCases(SluiceTest):
    def run_coarse(self, name, dp, tmax):
        self.sluice("run", CASES / f"{name}.xml", "-o", name, "--dp", dp, "--tmax", tmax, "--tout", tmax / 4, "--pictures", 0)
        run = json.loads((self.dir / name / "run.json").read_text())
        self.assertEqual(run["status"], "finished")
        self.assertEqual(sum(run["excluded"].values()), 0)
        return {path.stem: rows(path) for path in (self.dir / name / "gauges").glob("*.csv")}

    def test_check_finds_nothing_wrong_with_them(self):
        for name in ("weir-2d", "boulder-stl", "pillars-3d"):
            report = json.loads(self.sluice("check", CASES / f"{name}.xml", "--json").stdout)
            self.assertTrue(report["runnable"])
            self.assertEqual([d for d in report["diagnostics"] if d["level"] != "info"], [], name)

    def test_the_weir_has_gauges_of_every_kind(self):
        gauges = self.run_coarse("weir-2d", 0.04, 0.8)
        self.assertEqual(set(gauges), {"level_basin", "level_crest", "speed_crest", "pressure_floor", "splash", "overflow", "force_weir"})
        last = {name: table[-1] for name, table in gauges.items()}
        self.assertLess(float(last["level_basin"]["z [m]"]), float(gauges["level_basin"][0]["z [m]"]))
        self.assertGreater(float(last["speed_crest"]["vx [m/s]"]), 0.5)
        self.assertGreater(float(last["overflow"]["flow [m2/s]"]), 0.05)
        # what has gone over the crest is what the gauge has counted
        flow = [float(row["flow [m2/s]"]) for row in gauges["overflow"]]
        self.sluice("export", "weir-2d", "-o", "csv", "--format", "csv", "--first", 4)
        beyond = sum(float(row["x [m]"]) > 2.04 for row in rows(self.dir / "csv/fluid_000004.csv")) * 0.04**2
        self.assertAlmostEqual(sum(flow) * 0.01, beyond, delta=0.15 * beyond)
        # the water that stands before the weir pushes it with about rho g H^2 / 2 for its 0.58 m
        self.assertAlmostEqual(float(gauges["force_weir"][20]["fx [N/m]"]) / 2800, 1, delta=0.6)

    def test_the_wave_pushes_the_boulder(self):
        push = [float(row["fx [N]"]) for row in self.run_coarse("boulder-stl", 0.04, 0.6)["force_boulder"]]
        self.assertEqual(push[0], 0)
        self.assertGreater(max(push), 5)

    def test_the_wave_pushes_all_three_pillars_the_first_one_first(self):
        gauges = self.run_coarse("pillars-3d", 0.05, 0.6)
        reached = {}
        for name in ("front", "left", "right"):
            push = [float(row["fx [N]"]) for row in gauges[f"force_{name}"]]
            self.assertGreater(max(push), 5, name)
            reached[name] = next(k for k, f in enumerate(push) if f > 0.1 * max(push))
        self.assertLess(reached["front"], reached["left"])
        self.assertAlmostEqual(reached["left"], reached["right"], delta=5)


class LostFluid(SluiceTest):
    def run_that(self, *options, code=0):
        self.sluice("run", self.case_that_loses_fluid(), "-o", "run", "--overwrite", "--dp", 0.05, "--tmax", 0.5, "--tout", 0.01,
                    "--pictures", 0, "--backend", "cpu", *options, code=code)
        run = json.loads((self.dir / "run/run.json").read_text())
        lost = sum(run["excluded"].values())
        self.assertEqual(len(rows(self.dir / "run/excluded.csv")), lost)
        return run, lost, run["fluid_particles"]

    def test_ends_a_run_where_it_is_told_to(self):
        whole, most, fluid = self.run_that()
        self.assertEqual(whole["message"], "")
        self.assertGreater(most, 0.08 * fluid)
        for options, least in ((("--max-excluded", 8), 9), (("--max-excluded", 0), 1), (("--on-exclude", "stop"), 1),
                               (("--set", "PartsOutMax=0.03"), int(0.03 * fluid) + 1),
                               (("--set", "MinFluidStop=0.97"), int(0.03 * fluid) + 1)):
            with self.subTest(options):
                run, lost, _ = self.run_that(*options, code=5)
                self.assertEqual(run["outcome"], "stopped")
                self.assertLess(run["simulated_seconds"], 0.5)
                self.assertGreaterEqual(lost, least)
                self.assertLess(lost, 0.8 * most)
        for options in (("--max-excluded", most), ("--set", "PartsOutMax=1"), ("--on-exclude", "continue")):
            with self.subTest(options):
                self.assertEqual(self.run_that(*options)[0]["message"], "")


class Signals(SluiceTest):
    def interrupted(self, number):
        process = subprocess.Popen([SLUICE, "run", DAM_BREAK, "-o", "run", "--dp", "0.02", "--tmax", "60", "--tout", "0.001"],
                                   cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.time() + 60
            while not (self.dir / "run" / "fluid.vtkhdf").exists() and time.time() < deadline:
                time.sleep(0.05)
            time.sleep(0.5)
            os.kill(process.pid, number)
            return process.wait(timeout=60)
        finally:
            process.kill()

    def test_interrupt_and_terminate_keep_what_was_computed(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGUSR1, signal.SIGUSR2,
                       signal.SIGQUIT, signal.SIGALRM):
            with self.subTest(number):
                self.assertEqual(self.interrupted(number), 3)
                run = json.loads((self.dir / "run" / "run.json").read_text())
                self.assertEqual(run["status"], "interrupted")
                self.assertEqual((run["outcome"], run["exit_code"]), ("interrupted", 3))
                self.assertGreater(run["steps"], 0)
                self.assertTrue(list((self.dir / "run/checkpoints").glob("*.h5")))
                self.assertEqual(len(rows(self.dir / "run" / "flow.csv")), run["frames"])
                for path in (self.dir / "run").iterdir():
                    self.assertFalse(path.name.endswith(".tmp"))
                subprocess.run(["rm", "-r", str(self.dir / "run")], check=True)

    def test_a_killed_run_keeps_its_frames(self):
        self.assertEqual(self.interrupted(signal.SIGKILL), -signal.SIGKILL)
        self.assertEqual(json.loads((self.dir / "run" / "run.json").read_text())["status"], "running")
        self.assertGreaterEqual(len(rows(self.dir / "run" / "flow.csv")), 1)


if __name__ == "__main__":
    unittest.main()
