# SPDX-License-Identifier: Apache-2.0
"""Runs that Python starts, watches, stops, resumes and repeats; the notebooks."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest
from unittest import mock

from package_test import DAM, QUICK, ROOT, PackageTest, has

import sluice


def front(run):
    return sluice.read_table(run.path / "gauges" / "front.csv")["x"][-1]


class Runs(PackageTest):
    def dam(self, **words):
        return sluice.Case(DAM).set(**{"dp": 0.1, "TimeMax": 0.1, **words})

    def until(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def test_a_run_reports_its_progress_and_its_end(self):
        reports = []
        run = sluice.run(self.dam(), self.dir / "out", reports.append, **QUICK)
        self.assertEqual((run.status, run.info["case"], run.info["threads"]), ("finished", "dam-break-2d", 1))
        self.assertEqual(reports[-1].percent, 100)
        self.assertGreaterEqual(reports[-1].time, 0.1)
        self.assertFalse(run.is_running)

    def test_errors_are_exceptions_with_the_words_of_the_program(self):
        with self.assertRaisesRegex(sluice.InputError, r"nothere\.xml: cannot be read") as caught:
            sluice.run(self.dir / "nothere.xml", self.dir / "out")
        self.assertEqual(caught.exception.code, 2)
        sluice.run(self.dam(), self.dir / "out", **QUICK)
        with self.assertRaisesRegex(sluice.InputError, "overwrite"):
            sluice.run(self.dam(), self.dir / "out", **QUICK)
        with self.assertRaisesRegex(sluice.InputError, "Visc.*did you mean Visco"):
            sluice.run(DAM, self.dir / "out2", set={"Visc": 1})
        with self.assertRaises(sluice.InputError):
            sluice.check(DAM, no_such_option=1)
        text = DAM.read_text()
        self.assertIn("bottom | left | right", text)
        (self.dir / "open.xml").write_text(text.replace("bottom | left | right", "left")) # no floor
        with self.assertRaises(sluice.RunError) as failed:
            sluice.run(self.dir / "open.xml", self.dir / "lost", dp=0.1, tmax=20, **QUICK)
        self.assertEqual(failed.exception.code, failed.exception.run.info["exit_code"])
        self.assertEqual(failed.exception.run.info["outcome"], "lost_fluid")

    def test_a_case_that_cannot_run_is_checked_all_the_same(self):
        path = self.dir / "case.xml"
        path.write_text(DAM.read_text().replace("<normals>", "<vres/><normals>"))
        found = sluice.check(path)
        self.assertFalse(found["runnable"])
        self.assertTrue(any("vres" in reason for reason in found["reasons"]), found["reasons"])

    def test_a_run_that_goes_on_is_seen_stopped_and_resumed(self):
        with sluice.start(self.dam(dp=0.05, TimeMax=20), self.dir / "out", **QUICK) as job:
            self.until(lambda: (self.dir / "out" / "run.json").is_file() and len(job.run.frames) > 2)
            run = job.run
            self.assertTrue(run.is_running)
            watched = []
            for frame in run.watch(interval=0.02):
                self.assertEqual(frame.fluid.velocity.shape, (len(frame.fluid), 3))
                watched.append(frame.number)
                if len(watched) == 5:
                    job.stop()
            ended = job.wait(60)
        self.assertEqual((ended.status, ended.info["exit_code"]), ("interrupted", 3))
        self.assertEqual(watched, list(range(len(ended.frames))))
        (checkpoint, *_) = ended.checkpoints[-1:]
        self.assertEqual(checkpoint.step, ended.info["steps"])
        resumed = sluice.resume(self.dir / "out", tmax=checkpoint.time + 0.1)
        self.assertEqual(resumed.status, "finished")
        self.assertGreater(len(resumed.frames), len(ended.frames))

    def test_the_end_of_a_block_stops_the_run(self):
        with self.assertRaises(KeyError), mock.patch.object(subprocess.Popen, "send_signal", autospec=True,
                                                            side_effect=subprocess.Popen.send_signal) as signals:
            with sluice.start(self.dam(TimeMax=1000), self.dir / "out", **QUICK) as job:
                self.until(lambda: (self.dir / "out" / "frames" / "frame_000001.h5").is_file())
                job.stop()  # the end of the block does not signal a second time, which would end the run at once
                raise KeyError
        self.assertFalse(job.running)
        self.assertEqual(signals.call_count, 1)
        stopped = sluice.open(self.dir / "out")
        self.assertEqual(stopped.status, "interrupted")
        self.assertEqual(stopped.checkpoints[-1].step, stopped.info["steps"])

    def test_a_run_is_stopped_where_interrupts_are_ignored(self):
        """As in the background of a shell."""
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            with sluice.start(self.dam(TimeMax=1000), self.dir / "out", **QUICK) as job:
                self.until(lambda: (self.dir / "out" / "frames" / "frame_000001.h5").is_file())
                job.stop()
                self.assertEqual(job.wait(30).status, "interrupted")
        finally:
            signal.signal(signal.SIGINT, before)
            job.kill()

    def test_a_sweep_goes_on_where_it_was(self):
        rows = []

        def sweep(value=front, **words):
            return sluice.sweep(self.dam(), value, self.dir / "sweep", 2, QUICK, rows.append, **words)

        first = sweep(dp=[0.1, 0.05])
        self.assertEqual([row["dp"] for row in first.rows], [0.1, 0.05])
        self.assertEqual([row["status"] for row in first.rows], ["finished"] * 2)
        before = {folder: (folder / "run.json").stat().st_mtime_ns for folder in (self.dir / "sweep").iterdir() if folder.is_dir()}
        # One of them is killed on its way: it goes on, the other one stays as it is.
        broken = self.dir / "sweep" / "dp=0.05"
        shutil.rmtree(broken)
        job = sluice.start(self.dam(dp=0.05), broken, **QUICK)
        self.until(lambda: (broken / "frames" / "frame_000001.h5").is_file())
        job.kill()
        with self.assertRaisesRegex(sluice.RunError, "signal 9 .SIGKILL."):
            job.wait()
        again = sweep(dp=[0.1, 0.05, 0.04])
        self.assertEqual([row["value"] for row in again.rows[:2]], [row["value"] for row in first.rows])
        after = {folder: (folder / "run.json").stat().st_mtime_ns for folder in before}
        self.assertEqual([folder.name for folder in before if before[folder] != after[folder]], ["dp=0.05"])
        self.assertEqual(len(rows), 5)
        found = again.convergence()
        self.assertTrue(found.oscillating or found.order > 0)
        self.assertEqual(list(again.table["value"]), [row["value"] for row in again.rows])
        with self.assertRaisesRegex(ValueError, "a run of another case"):
            sluice.sweep(self.dam(TimeMax=0.2), front, self.dir / "sweep", 1, QUICK, dp=[0.1])

    def test_a_sweep_tells_of_runs_that_fail_and_of_values_that_cannot_be_had(self):
        found = sluice.sweep(self.dam(), lambda run: {"front": front(run), "steps": run.info["steps"]}, self.dir / "a", 1, QUICK,
                             Visco=[0.1, -1])
        self.assertEqual([row["status"] for row in found.rows], ["finished", "failed"])
        # the file that the user knows, and not the one with the words in it
        self.assertRegex(found.rows[1]["message"], rf"^{DAM}:\d+: .*Visco")
        self.assertRegex(str(found), rf"(?m)^{self.dir}/a/Visco=-1: failed: {DAM}")
        self.assertRegex(str(found), r"(?m)^0\.1    finished +1\.\d+ +\d+$")
        with self.assertRaisesRegex(ValueError, r"no run has a 'heave' \(there are: front, steps\)"):
            sluice.Sweep([{"dp": 0.1, **row} for row in found.rows]).convergence("heave")
        with self.assertRaisesRegex(ValueError, "the sweep has no cflnumber"):
            sluice.Sweep([{"dp": 0.1, **row} for row in found.rows]).convergence("front", cflnumber=1)
        self.assertGreater(found.rows[0]["steps"], 10)
        with self.assertRaises(ZeroDivisionError):
            sluice.sweep(self.dam(TimeMax=0.02), lambda run: 1 / 0, self.dir / "b", 1, QUICK, dp=[0.1])
        with self.assertRaisesRegex(sluice.CaseError, "did you mean Visco"):
            sluice.sweep(self.dam(), front, self.dir / "c", Visc=[1])
        with self.assertRaisesRegex(ValueError, "needs a list"):
            sluice.sweep(self.dam(), front, self.dir / "c", Visco=[])
        with self.assertRaisesRegex(ValueError, r"dp needs a list of values \(0.1\), as dp=\[…\]"):
            sluice.sweep(self.dam(), front, self.dir / "c", dp=0.1)
        self.assertFalse((self.dir / "c").exists())

    def test_a_sweep_warns_of_a_spacing_that_draws_other_sizes(self):
        """The water of the tank is 0.5 m deep, 16.67 times 0.03 m."""
        tank = sluice.Case(DAM.parent / "hydrostatic-tank.xml").set(TimeMax=0.05)

        def sweep():
            return sluice.sweep(tank, None, self.dir / "sweep", 2, QUICK, dp=[0.03, 0.0166667])

        with self.assertWarnsRegex(UserWarning, r"sweep/dp=0.03: .*hydrostatic-tank.xml:20: --dp 0.03 draws other sizes"):
            found = sweep()
        self.assertIn("its height 0.51 m for 0.5 m", found.rows[0]["warnings"])
        self.assertIn("sweep/dp=0.03: warning: ", str(found))
        self.assertNotIn("draws other sizes", found.rows[1]["warnings"])
        self.assertEqual(sweep().rows, found.rows)  # what is there is not checked again

    def test_order_of_convergence_of_known_series(self):
        for spacings in ([0.1, 0.05, 0.025], [0.1, 0.06, 0.025], [0.025, 0.1, 0.03]):
            for order in (0.7, 1, 2, 4):
                found = sluice.convergence(spacings, [2 - 3 * dp**order for dp in spacings])
                self.assertAlmostEqual(found.order, order, places=6)
                self.assertAlmostEqual(found.extrapolated, 2, places=9)
                self.assertFalse(found.oscillating)
        # By hand, ratio 2: 1.25 |f2 − f1|/f1/(2^1 − 1).
        self.assertAlmostEqual(sluice.convergence([4, 2, 1], [1.4, 1.2, 1.1]).gci, 1.25 * 0.1 / 1.1)
        self.assertTrue(sluice.convergence([4, 2, 1], [1.0, 1.2, 1.1]).oscillating)
        for wrong in (([1, 2], [1, 2]), ([1, 2, 2], [1, 2, 3]), ([1, 2, 3], [1, 1, 2]), ([1, 2, 4], [1, 2, 2.5]),
                      ([1, 2, 4], [1, float("nan"), 2]), ([1, 2, 4], [1, 2])):
            with self.assertRaises(ValueError):
                sluice.convergence(*wrong)
        with self.assertRaisesRegex(ValueError, "no order fits the values .1 at dp 1, 2 at dp 2, 2.5 at dp 4."):
            sluice.convergence([1, 2, 4], [1, 2, 2.5])

    def test_the_program_is_found_by_path_or_by_name(self):
        (self.dir / "bin").mkdir()
        (self.dir / "bin" / "sluice").symlink_to(os.environ["SLUICE"])
        with mock.patch.dict(os.environ, {"PATH": str(self.dir / "bin")}):
            os.environ.pop("SLUICE")
            self.assertEqual(sluice.program(), str(self.dir / "bin" / "sluice"))
            os.environ["PATH"] = ""
            with self.assertRaisesRegex(sluice.ProgramNotFound, "not on the PATH, set SLUICE"):
                sluice.program()


@unittest.skipUnless(has("pandas", "matplotlib"), "no pandas or matplotlib")
class Notebooks(PackageTest):
    def test_notebooks_run_from_top_to_bottom(self):
        notebooks = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))
        self.assertEqual(len(notebooks), 2)
        for path in notebooks:
            cells = json.loads(path.read_text("utf-8"))["cells"]
            names = {"__name__": "__main__"}
            with mock.patch.dict(os.environ, {"MPLBACKEND": "Agg", "SLUICE_CASES": str(DAM.parent)}):
                before = os.getcwd()
                os.chdir(self.dir)
                try:
                    for cell in cells:
                        if cell["cell_type"] == "code":
                            self.assertEqual(cell["outputs"], [], path)
                            exec(compile("".join(cell["source"]), str(path), "exec"), names)
                finally:
                    os.chdir(before)


if __name__ == "__main__":
    unittest.main()
