# SPDX-License-Identifier: Apache-2.0
"""Going on after an interruption, a kill, a damaged checkpoint, a full disk."""
import json
import os
import resource
import signal
import subprocess
import time
import unittest

from sluice_process import CASES, GAUGES, SLUICE, SluiceTest

DAM_BREAK = CASES / "dam-break-2d.xml"


class GoingOn(SluiceTest):
    """A run that was interrupted and resumed leaves the same bytes as one that was not."""
    backend = ["--cpu-mode", "asymmetric", "--threads", 2]

    def setUp(self):
        super().setUp()
        case = self.case_with_gauges(DAM_BREAK, GAUGES)
        points = self.write("points.txt", "POINTSLIST\n0.1 0 0.1\n0.3 0 0\n4 1 1\n")
        self.options = ["run", case, "--dp", 0.025, "--tmax", 0.3, "--tout", 0.01, "--pictures", 0, *self.backend,
                        "--checkpoint-interval", 0.02, "--probes", points, "--probes-dt", 0.004]
        self.sluice(*self.options, "-o", "whole")

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
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (250_000, resource.RLIM_INFINITY))

        every_step = '<velocity name="every_step"><computedt value="0"/><point x="0.5" y="0" z="0.3"/></velocity>'
        case = self.case_with_gauges(DAM_BREAK, GAUGES + every_step)
        options = ["run", case, "--dp", 0.05, "--tmax", 0.7, "--tout", 0.05, "--pictures", 0, *self.backend,
                   "--checkpoint-dt", 0.1, "--probes", self.dir / "points.txt"]
        self.sluice(*options, "-o", "whole", "--overwrite")
        command = [SLUICE, *map(str, options), "-o", "cut"]
        result = subprocess.run(command, cwd=self.dir, preexec_fn=limit, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 1)
        self.assertIn("every_step.csv: cannot write: ", result.stderr + result.stdout)
        run = json.loads((self.dir / "cut/run.json").read_text())
        self.assertEqual(run["status"], "failed")
        self.assertIn("cannot write", run["message"])
        self.sluice("run", "--resume", "cut")
        self.assert_same()

    def test_a_changed_case_is_refused(self):
        self.stop(signal.SIGKILL, *self.options, "-o", "cut")
        case = self.dir / "case.xml"
        case.write_text(case.read_text().replace('rhop0 value="1000"', 'rhop0 value="1025"'))
        self.assertIn("rho0 (1000, now 1025)", self.sluice("run", "--resume", "cut", code=2).stderr)


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
        self.assertEqual((cut["steps"], cut["message"]), (int(0.9 * whole["steps"]), "step_limit"))
        self.assertGreater(cut["excluded"]["position"], 0)
        self.assertEqual(cut["constants"]["alpha"], 0.05)
        self.sluice("run", "--resume", "cut")
        for key in ("steps", "frames", "excluded", "simulated_seconds", "constants"):
            self.assertEqual(self.told("cut")[key], whole[key], key)
        for name in ("flow.csv", "excluded.csv", *(f"frames/{path.name}" for path in (self.dir / "whole/frames").iterdir())):
            self.assertEqual((self.dir / "cut" / name).read_bytes(), (self.dir / "whole" / name).read_bytes(), name)
        self.assertEqual(sorted(path.name for path in (self.dir / "cut/frames").iterdir()),
                         sorted(path.name for path in (self.dir / "whole/frames").iterdir()))

    def test_it_takes_a_new_limit(self):
        self.sluice(*self.options, "-o", "cut", "--steps", 40)
        self.sluice("run", "--resume", "cut", "--steps", 70)
        self.assertEqual((self.told("cut")["steps"], self.told("cut")["message"]), (70, "step_limit"))

    def test_any_constant_that_has_changed_is_named(self):
        self.sluice(*self.options, "-o", "cut", "--steps", 2)
        text = self.case.read_text()
        for old, new, told in (('cflnumber value="0.2"', 'cflnumber value="0.3"', "cfl (0.2, now 0.3)"),
                               ('key="Visco"', 'key="RhopOutMin" value="650"/><parameter key="Visco"', "rho_out_min (700, now 650)")):
            self.assertIn(old, text)
            self.case.write_text(text.replace(old, new))
            self.assertIn(told, self.sluice("run", "--resume", "cut", code=2).stderr)
        self.case.write_text(text)
        self.sluice("run", "--resume", "cut", "--steps", 4)


if __name__ == "__main__":
    unittest.main()
