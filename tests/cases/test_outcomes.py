# SPDX-License-Identifier: Apache-2.0
"""How runs end: outcomes and exit codes, the lock of a folder, time limits, what is removed under a run."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from sluice_process import SLUICE, SluiceTest

# A small tank that overflows; without and with gauges.
PLAIN = pathlib.Path(__file__).parent.parent / "faults/plain.xml"
SPILL = PLAIN.with_name("spill.xml")


class Outcomes(SluiceTest):
    def ends(self, code, outcome, *options, case=PLAIN):
        result = self.sluice("run", case, "-o", "run", "--pictures", 0, "--overwrite", "--threads", 1, *options, code=code)
        run = json.loads((self.dir / "run/run.json").read_text())
        self.assertEqual((run["outcome"], run["exit_code"]), (outcome, code))
        log = (self.dir / "run/run.log").read_text()
        self.assertIn(f" {outcome}: ", log)
        if outcome != "finished":
            self.assertTrue(run["message"])
            self.assertIn(run["message"], log)
            self.assertIn(run["message"], result.stderr)
        self.assertEqual(run["frames"], len(list((self.dir / "run/frames").glob("frame*.h5"))))
        rows = (self.dir / "run/excluded.csv").read_text().splitlines()
        self.assertEqual(sum(run["excluded"].values()), len([row for row in rows if not row.startswith("#")]) - 1)
        self.sluice("report", "run")
        self.assertIn(outcome, (self.dir / "run/report.html").read_text())
        return run

    def test_an_end_that_was_asked_for(self):
        self.assertEqual(self.ends(0, "finished", "--tmax", 0.01)["status"], "finished")
        run = self.ends(0, "step_limit", "--steps", 20)
        self.assertEqual((run["status"], run["steps"]), ("stopped", 20))

    def test_rules_that_stop_a_run(self):
        options = ("--tmax", 0.3)
        for rule in (["--on-exclude", "stop"], ["--max-excluded", 5], ["--set", "PartsOutMax=0.001"],
                     ["--set", "MinFluidStop=0.999"]):
            with self.subTest(rule):
                run = self.ends(5, "stopped", *options, *rule)
                self.assertEqual(run["status"], "stopped")
                self.assertIn(str(rule[-1]).split("=")[0], run["message"])
                self.assertGreater(sum(run["excluded"].values()), 0)

    def test_a_run_that_blows_up(self):
        run = self.ends(6, "blown_up", "--set", "cflnumber=0.45")
        self.assertEqual(run["status"], "failed")
        self.assertGreater(run["excluded"]["density"], run["fluid_particles"] // 10)
        self.assertGreater(run["steps"], 0)

    def test_a_run_that_loses_its_fluid(self):
        text = PLAIN.read_text()
        case = self.write("no_floor.xml", text.replace("bottom | left | right", "right"))
        run = self.ends(7, "lost_fluid", "--tmax", 3, case=case)
        self.assertEqual((run["status"], sum(run["excluded"].values())), ("failed", run["fluid_particles"]))

    def test_a_time_limit_stops_in_time_and_the_run_goes_on(self):
        for number, extra in enumerate(([], ["--resume"])):
            command = ["run", "--resume", "run"] if extra else ["run", PLAIN, "-o", "run", "--tmax", 60, "--pictures", 0]
            self.sluice(*command, "--time-limit", "0:06", code=4)
            run = json.loads((self.dir / "run/run.json").read_text())
            self.assertEqual((run["status"], run["outcome"]), ("interrupted", "time_limit"))
            if number == 0:
                first = run
        self.assertGreater(run["steps"], first["steps"])
        self.assertEqual(run["started"], first["started"])
        self.assertEqual(run["part"]["steps"], run["steps"] - first["steps"])
        self.assertGreater(run["wall_seconds"], first["wall_seconds"] + 0.9 * run["part"]["wall_seconds"])
        result = self.sluice("run", "--resume", "run", code=4, environment={"SLURM_JOB_END_TIME": str(int(time.time()) + 3)})
        self.assertIn("time", result.stderr)
        for wrong in ("soon", "0", "1:2:3:4", "-5", "nan"):
            self.assertIn("--time-limit", self.sluice("run", PLAIN, "-o", "new", f"--time-limit={wrong}", code=2).stderr)
            self.assertFalse((self.dir / "new").exists())

    def test_periods_shorter_than_times_can_tell_apart_are_every_step(self):
        run = self.ends(0, "step_limit", "--tout", "1e-25", "--steps", 12)
        self.assertEqual(run["frames"], 13)
        text = SPILL.read_text().replace('<computedt value="0.003"/>', '<computedt value="1e-300"/>')
        self.ends(0, "step_limit", "--steps", 12, case=self.write("often.xml", text))
        self.assertEqual(len((self.dir / "run/gauges/height.csv").read_text().splitlines()), 13 + 3)


class Folder(SluiceTest):
    def start(self, *command):
        process = subprocess.Popen([SLUICE, *map(str, command)], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(process.kill)
        self.addCleanup(process.stderr.close)
        deadline = time.time() + 60
        while not (self.dir / "run/gauges/tank.csv").exists() and time.time() < deadline:
            time.sleep(0.02)
        time.sleep(0.3)
        return process

    RUN = ("run", SPILL, "-o", "run", "--tmax", 60, "--pictures", 0, "--threads", 1)

    def test_a_folder_belongs_to_one_run(self):
        first = self.start(*self.RUN)
        for second in ((*self.RUN, "--overwrite"), ("run", "--resume", "run")):
            message = self.sluice(*second, code=2).stderr
            self.assertIn(f"process {first.pid} on {os.uname().nodename}", message)
        self.assertIsNone(first.poll())
        first.send_signal(signal.SIGTERM)
        self.assertEqual(first.wait(timeout=60), 3)
        self.assertFalse((self.dir / "run/run.lock").exists())

    def test_the_lock_of_a_dead_run_is_taken_over(self):
        first = self.start(*self.RUN)
        first.kill()
        first.wait()
        self.assertTrue((self.dir / "run/run.lock").exists())
        message = self.sluice(*self.RUN, "--overwrite", "--steps", 3).stderr
        self.assertIn(f"is dead (process {first.pid} on", message)

    def test_the_lock_of_another_machine_counts_while_its_heart_beats(self):
        folder = self.dir / "run"
        folder.mkdir()
        lock = folder / "run.lock"
        lock.write_text('{"host": "elsewhere", "pid": 7, "process_space": "x", "process_start": "1", "since": "then"}')
        self.assertIn("process 7 on elsewhere", self.sluice(*self.RUN, "--steps", 3, code=2).stderr)
        os.utime(lock, (time.time() - 80, time.time() - 80))
        self.sluice(*self.RUN, "--steps", 3, code=2)
        os.utime(lock, (time.time() - 100, time.time() - 100))
        self.assertIn("elsewhere", self.sluice(*self.RUN, "--steps", 3).stderr)

    def test_what_is_removed_under_a_run_ends_it(self):
        for name in ("run/gauges", "run"):
            with self.subTest(name):
                process = self.start(*self.RUN, "--overwrite")
                shutil.move(self.dir / name, self.dir / "aside")
                self.assertEqual(process.wait(timeout=60), 1)
                self.assertRegex(process.stderr.read(), "was removed")
                shutil.rmtree(self.dir / "aside")

    def test_a_run_goes_on_without_its_reader(self):
        process = self.start("run", SPILL, "-o", "run", "--tmax", 0.05, "--pictures", 0, "--threads", 1)
        process.stderr.close()
        self.assertEqual(process.wait(timeout=120), 0)
        self.assertEqual(json.loads((self.dir / "run/run.json").read_text())["status"], "finished")


if __name__ == "__main__":
    unittest.main()
