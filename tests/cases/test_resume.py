# SPDX-License-Identifier: Apache-2.0
"""Going on after an interruption, a kill, a damaged checkpoint, a full disk."""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from sluice_process import CASES, DATA, GAUGES, SLUICE, SluiceTest

DAM_BREAK = DATA / "dam-break-2d.xml"


class GoingOn(SluiceTest):
    """A run that was interrupted and resumed leaves the same bytes as one that was not."""
    backend = ["--cpu-mode", "asymmetric", "--threads", 2]

    def setUp(self):
        super().setUp()
        case = self.case_with_gauges(DAM_BREAK, GAUGES)
        points = self.write("points.txt", "POINTSLIST\n0.1 0 0.1\n0.3 0 0\n4 1 1\n")
        self.options = ["run", case, "--dp", 0.025, "--tmax", 0.3, "--tout", 0.01, "--pictures", 0, *self.backend,
                        "--checkpoint-interval", 0.02, "--probes", points, "--probes-dt", 0.004]
        if "uninterrupted" not in type(self).__dict__:  # the same for all tests of the class
            folder = tempfile.TemporaryDirectory()
            self.addClassCleanup(folder.cleanup)
            type(self).uninterrupted = pathlib.Path(folder.name) / "whole"
            self.sluice(*self.options, "-o", type(self).uninterrupted)
        shutil.copytree(type(self).uninterrupted, self.dir / "whole")

    def stop(self, number, *command):
        """Starts a run and sends it a signal once it has a checkpoint and is some frames past it."""
        process = subprocess.Popen([SLUICE, *map(str, command)], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            frames = len(list((self.dir / "cut/frames").glob("frame*.h5"))) if (self.dir / "cut").exists() else 0
            deadline = time.time() + 60
            while process.poll() is None and time.time() < deadline:
                checkpoints = list((self.dir / "cut/checkpoints").glob("*.h5"))
                if len(checkpoints) == 2 and len(list((self.dir / "cut/frames").glob("frame*.h5"))) > frames + 4:
                    break
                time.sleep(0.002)
            self.assertIsNone(process.poll(), "the run was over before it could be stopped")
            os.kill(process.pid, number)
            process.wait(timeout=60)
        finally:
            process.kill()
            process.wait()

    def assert_same(self):
        def files(name):
            folder = self.dir / name
            kept = [folder / "flow.csv", folder / "excluded.csv", folder / "probes.csv"]
            kept += sorted((folder / "frames").iterdir()) + sorted((folder / "gauges").iterdir())
            return {str(path.relative_to(folder)): path.read_bytes() for path in kept}

        whole, cut = files("whole"), files("cut")
        self.assertEqual(sorted(whole), sorted(cut))
        self.assertGreater(len([name for name in whole if name.startswith("gauges")]), 5)
        for name, content in whole.items():
            self.assertTrue(content == cut[name], f"{name} differs")
        self.assertEqual(json.loads((self.dir / "cut/run.json").read_text())["status"], "finished")

    def test_after_an_interrupt(self):
        self.stop(signal.SIGINT, *self.options, "-o", "cut")
        self.sluice("run", "--resume", "cut")
        self.assert_same()

    def test_after_kills(self):
        self.stop(signal.SIGKILL, *self.options, "-o", "cut")
        self.stop(signal.SIGKILL, "run", "--resume", "cut")
        self.sluice("run", "--resume", "cut")
        self.assert_same()

    def test_a_damaged_checkpoint_is_named_and_the_one_before_is_used(self):
        self.stop(signal.SIGKILL, *self.options, "-o", "cut")
        newest = sorted((self.dir / "cut/checkpoints").glob("*.h5"))[-1]
        content = bytearray(newest.read_bytes())
        content[len(content) // 2] ^= 1
        newest.write_bytes(content)
        result = self.sluice("run", "--resume", "cut")
        self.assertIn(f"{newest.name}: damaged", result.stderr + result.stdout)
        self.assert_same()

    def test_after_a_full_disk(self):
        """Files that may not grow past a limit stand for the disk: the longest table hits it first."""
        every_step = '<velocity name="every_step"><computedt value="0"/><point x="0.5" y="0" z="0.3"/></velocity>'
        case = self.case_with_gauges(DAM_BREAK, GAUGES + every_step)
        options = ["run", case, "--dp", 0.05, "--tmax", 0.7, "--tout", 0.05, "--pictures", 0, *self.backend,
                   "--checkpoint-dt", 0.1, "--probes", self.dir / "points.txt"]
        self.sluice(*options, "-o", "whole", "--overwrite")
        bytes_of_table = (self.dir / "whole/gauges/every_step.csv").stat().st_size

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_of_table * 9 // 10, resource.RLIM_INFINITY))

        command = [SLUICE, *map(str, options), "-o", "cut"]
        result = subprocess.run(command, cwd=self.dir, preexec_fn=limit, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 8)
        self.assertIn("every_step.csv: cannot write: ", result.stderr + result.stdout)
        run = json.loads((self.dir / "cut/run.json").read_text())
        self.assertEqual((run["status"], run["outcome"]), ("failed", "output_failed"))
        self.assertGreater(run["steps"], 100)
        self.assertEqual(run["frames"], len(list((self.dir / "cut/frames").glob("frame*.h5"))))
        self.assertIn("cannot write", run["message"])
        self.sluice("run", "--resume", "cut")
        self.assert_same()

    def test_the_stored_case_counts_whatever_became_of_the_given_one(self):
        self.stop(signal.SIGKILL, *self.options, "-o", "cut")
        case = self.dir / "case.xml"
        case.write_text(case.read_text().replace('rhop0 value="1000"', 'rhop0 value="1025"'))
        (self.dir / "points.txt").unlink()
        (self.dir / "cut").rename(self.dir / "moved")
        (self.dir / "elsewhere").mkdir()
        (self.dir / "moved").rename(self.dir / "elsewhere/cut")
        self.sluice("run", "--resume", "elsewhere/cut")
        (self.dir / "elsewhere/cut").rename(self.dir / "cut")
        self.assert_same()

    def test_what_the_run_was_made_from_may_not_change(self):
        self.stop(signal.SIGKILL, *self.options, "-o", "cut")
        changes = (("effective-case.xml", 'key="RhopOutMin" value="700"', 'key="RhopOutMin" value="800"'),
                   ("effective-case.xml", 'key="TimeOut" value="0.01"', 'key="TimeOut" value="0.02"'),
                   ("effective-case.xml", 'x="0.5" y="0" z="0.3"', 'x="0.5" y="0" z="0.4"'),
                   ("options.json", '"keep_every": 1', '"keep_every": 2'))
        for name, before, after in changes:
            with self.subTest(after):
                path = self.dir / "cut" / name
                text = path.read_text()
                self.assertIn(before, text)
                path.write_text(text.replace(before, after))
                self.assertRegex(self.sluice("run", "--resume", "cut", code=2).stderr, f"another one: {name} \\(")
                path.write_text(text)
        self.assertIn("--dp", self.sluice("run", "--resume", "cut", "--dp", 0.1, code=2).stderr)
        self.sluice("run", "--resume", "cut")
        self.assert_same()

    def test_a_run_without_a_checkpoint_begins_again(self):
        self.stop(signal.SIGKILL, *self.options, "-o", "cut")
        for path in (self.dir / "cut/checkpoints").iterdir():
            path.unlink()
        self.assertIn("begins at its start", self.sluice("run", "--resume", "cut").stderr)
        self.assert_same()

    def test_lost_frames_are_told_and_computed_again_if_asked(self):
        self.stop(signal.SIGKILL, *self.options, "-o", "cut")
        frames = self.dir / "cut/frames"
        (frames / "frame_000001.h5").write_bytes((frames / "frame_000001.h5").read_bytes()[:500])
        (frames / "frame_000002.h5").unlink()
        (self.dir / "cut/checkpoints/checkpoint_000000000001.h5.7.tmp").write_text("half")
        (frames / "frame_000001.h5.7.tmp").write_text("half")
        with_gap = self.dir / "with_gap"
        subprocess.run(["cp", "-r", self.dir / "cut", with_gap], check=True)
        message = self.sluice("run", "--resume", "with_gap").stderr
        self.assertIn("missing or damaged (1, 2)", message)
        self.assertFalse((with_gap / "frames/frame_000002.h5").exists())
        self.assertTrue((with_gap / "frames/frame_000001.h5.damaged").exists())
        self.assertFalse(list(with_gap.rglob("*.tmp")))
        self.sluice("report", "with_gap")
        self.sluice("run", "--resume", "cut", "--redo-gap")
        for path in frames.glob("*.damaged"):
            path.unlink()
        self.assert_same()

    def test_the_limit_of_steps_outlives_a_resume(self):
        self.sluice(*self.options, "-o", "cut", "--steps", 100)
        for more, steps in (([], 100), (["--steps", 150], 150), ([], 150)):
            self.sluice("run", "--resume", "cut", *more)
            run = json.loads((self.dir / "cut/run.json").read_text())
            self.assertEqual((run["outcome"], run["steps"]), ("step_limit", steps))


class EffectiveCase(SluiceTest):
    def test_gives_the_same_run(self):
        options = ["--pictures", 0, "--threads", 1]
        self.sluice("run", DAM_BREAK, "-o", "run", "--dp", 0.05, "--tmax", 0.05, "--tout", 0.02, "--set", "Visco=0.03",
                    "--set", "gravity=0.5,0,-9", "--set", "speedsound=90", *options)
        effective = self.dir / "run/effective-case.xml"
        report = json.loads(self.sluice("check", effective, "--json").stdout)
        self.assertTrue(report["runnable"])
        self.sluice("run", effective, "-o", "again", *options)
        for path in sorted((self.dir / "run/frames").iterdir()) + [self.dir / "run/flow.csv"]:
            self.assertEqual(path.read_bytes(), (self.dir / "again" / path.relative_to(self.dir / "run")).read_bytes(), path)
        self.assertEqual((self.dir / "run/inputs" / DAM_BREAK.name).read_bytes(), DAM_BREAK.read_bytes())

    def test_the_cases_that_come_along_are_read_back(self):
        for case in sorted(CASES.glob("*.xml")):
            small = {"poiseuille.xml": [], "elastic-gate-2d.xml": ["--dp", 0.005]} # a millimetre and a decimetre wide
            dp = small.get(case.name, ["--dp", 0.1])
            with self.subTest(case.name):
                self.sluice("run", case, "-o", "run", *dp, "--steps", 0, "--pictures", 0, "--overwrite")
                text = self.sluice("check", self.dir / "run/effective-case.xml", "--json").stdout
                self.assertTrue(json.loads(text)["runnable"])

    def test_keeps_the_files_that_the_case_reads(self):
        (self.dir / "meshes").mkdir()
        triangle = "facet normal 0 1 0\nouter loop\n{}endloop\nendfacet\n"
        corners = ((0.5, -1, 0.1), (0.9, -1, 0.1), (0.9, 1, 0.1)), ((0.5, -1, 0.1), (0.9, 1, 0.1), (0.5, 1, 0.1))
        text = "".join(triangle.format("".join("vertex {} {} {}\n".format(*c) for c in t)) for t in corners)
        (self.dir / "meshes/shelf.stl").write_text(f"solid shelf\n{text}endsolid shelf\n")
        case = self.write("shelf.xml", DAM_BREAK.read_text().replace(
            "</mainlist>", '<setmkbound mk="3"/><drawfilestl file="meshes/shelf.stl"/></mainlist>'))
        self.sluice("run", case, "-o", "run", "--dp", 0.05, "--tmax", 0.02, "--tout", 0.01, "--pictures", 0, "--steps", 20)
        case.unlink()
        (self.dir / "meshes/shelf.stl").unlink()
        self.assertTrue((self.dir / "run/inputs/meshes/shelf.stl").exists())
        self.sluice("run", "--resume", "run", "--steps", 40)
        stored = self.dir / "run/inputs/meshes/shelf.stl"
        stored.write_text(stored.read_text().replace("0.1", "0.2", 1))
        self.assertIn("inputs/meshes/shelf.stl (", self.sluice("run", "--resume", "run", code=2).stderr)


class AfterItsLimitOfSteps(SluiceTest):
    """A run that has taken its steps, somewhere between two frames, goes on as if there had been no limit."""

    def setUp(self):
        super().setUp()
        self.case = self.case_that_loses_fluid()
        self.options = ["run", self.case, "--dp", 0.05, "--tmax", 0.4, "--tout", 0.05, "--pictures", 0, "--backend", "cpu",
                        "--cpu-mode", "asymmetric", "--set", "Visco=0.05"]

    def told(self, name):
        return json.loads((self.dir / name / "run.json").read_text())

    def test_the_results_are_those_of_the_whole_run(self):
        self.sluice(*self.options, "-o", "whole")
        whole = self.told("whole")
        self.assertGreater(whole["excluded"]["position"], 10)
        self.sluice(*self.options, "-o", "cut", "--steps", int(0.9 * whole["steps"]))
        cut = self.told("cut")
        self.assertEqual((cut["steps"], cut["outcome"]), (int(0.9 * whole["steps"]), "step_limit"))
        self.assertGreater(cut["excluded"]["position"], 0)
        self.assertEqual(cut["constants"]["alpha"], 0.05)
        end = self.sluice("run", "--resume", "cut", "--steps", 10**6).stderr
        self.assertIn(f"after {whole['steps']} steps in ", end)
        self.assertRegex(end, r"mode \w+ \(as the run began\)")
        self.assertIn(f", the last {whole['steps'] - cut['steps']} in ", end)
        for key in ("steps", "frames", "excluded", "simulated_seconds", "constants"):
            self.assertEqual(self.told("cut")[key], whole[key], key)
        for name in ("flow.csv", "excluded.csv", *(f"frames/{path.name}" for path in (self.dir / "whole/frames").iterdir())):
            self.assertEqual((self.dir / "cut" / name).read_bytes(), (self.dir / "whole" / name).read_bytes(), name)
        self.assertEqual(sorted(path.name for path in (self.dir / "cut/frames").iterdir()),
                         sorted(path.name for path in (self.dir / "whole/frames").iterdir()))

    def test_a_finished_run_has_nothing_left_to_do(self):
        self.sluice(*self.options, "-o", "whole")
        reached = self.told("whole")["simulated_seconds"]

        def state():
            return {path.relative_to(self.dir): (path.read_bytes(), path.stat().st_mtime_ns)
                    for path in (self.dir / "whole").rglob("*") if path.is_file()}

        before = state()
        self.assertIn("the run has finished", self.sluice("run", "--resume", "whole").stderr)
        self.assertIn("the run has finished", self.sluice("run", "--resume", "whole", "--threads", 1).stderr)
        refused = self.sluice("run", "--resume", "whole", "--tmax", reached / 2, code=2).stderr
        self.assertIn("give a later end", refused)
        self.assertEqual(state(), before)
        self.sluice("run", "--resume", "whole", "--tmax", 1.1 * reached)
        self.assertGreater(self.told("whole")["simulated_seconds"], reached)

    def test_it_takes_a_new_limit(self):
        self.sluice(*self.options, "-o", "cut", "--steps", 40)
        self.sluice("run", "--resume", "cut", "--steps", 70)
        self.assertEqual((self.told("cut")["steps"], self.told("cut")["outcome"]), (70, "step_limit"))

    def test_it_goes_on_with_as_many_threads_as_asked(self):
        self.sluice(*self.options, "-o", "whole", "--steps", 60, "--threads", 1)
        self.sluice(*self.options, "-o", "cut", "--steps", 30, "--threads", 1)
        self.sluice("run", "--resume", "cut", "--steps", 60, "--threads", 2)
        self.assertEqual((self.told("whole")["threads"], self.told("cut")["threads"]), (1, 2))
        self.assertEqual((self.dir / "cut/flow.csv").read_bytes(), (self.dir / "whole/flow.csv").read_bytes())

    def test_in_slices_it_keeps_the_threads_that_its_sums_depend_on(self):
        slices = [option if option != "asymmetric" else "slices" for option in self.options]
        self.sluice(*slices, "-o", "cut", "--steps", 5, "--threads", 2)
        self.assertIn("--threads 1: this run goes on with 2 threads",
                      self.sluice("run", "--resume", "cut", "--steps", 10, "--threads", 1, code=2).stderr)
        self.sluice("run", "--resume", "cut", "--steps", 10, "--threads", 2)

    def test_any_constant_that_has_changed_is_named(self):
        self.sluice(*self.options, "-o", "cut", "--steps", 2)
        case = self.dir / "cut/effective-case.xml"
        text = case.read_text()
        for old, new, told in (('cflnumber value="0.2"', 'cflnumber value="0.3"', "cfl (0.2, now 0.3)"),
                               ('key="RhopOutMin" value="700"', 'key="RhopOutMin" value="650"', "rho_out_min (700, now 650)")):
            self.assertIn(old, text)
            case.write_text(text.replace(old, new))
            self.assertIn(told, self.sluice("run", "--resume", "cut", code=2).stderr)
        case.write_text(text)
        self.sluice("run", "--resume", "cut", "--steps", 4)


if __name__ == "__main__":
    unittest.main()
