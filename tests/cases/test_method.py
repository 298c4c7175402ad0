# SPDX-License-Identifier: Apache-2.0
"""Method: runs with finite volume particles as a user starts them, how they go on, and what is refused."""
import json
import unittest

from sluice_process import CASES, SluiceTest, numbers

CASE = CASES / "dam-break-2d.xml"
FVPM = ["--set", "Method=fvpm", "--set", "Scheme=none"]
RUN = ["run", CASE, "--dp", 0.1, "--threads", 2, "--pictures", 0, "--tout", 0.05, *FVPM]


class FiniteVolumes(SluiceTest):
    def test_a_dam_break_runs_to_its_end(self):
        self.sluice(*RUN, "--tmax", 0.7, "-o", "out")
        run = json.loads((self.dir / "out/run.json").read_text())
        self.assertEqual([run[key] for key in ("method", "mode", "status", "backend")], ["fvpm", "fvpm", "finished", "cpu"])
        self.assertEqual(run["h"], 0.1)
        self.assertEqual(run["constants"]["cfl"], 0.5)
        times, front = numbers(self.dir / "out/flow.csv", "time [s]"), numbers(self.dir / "out/flow.csv", "x_front [m]")
        self.assertEqual(front, sorted(front))  # it only advances
        # Martin & Moyce (1952), n² = 2: 2.80 L at T = 2.5 (t = 0.564 s); a spacing of L/10 is coarse
        at = min(range(len(times)), key=lambda k: abs(times[k] - 0.564))
        self.assertAlmostEqual(front[at], 2.8, delta=0.4)
        self.assertIn("finite volume particle method (Method=fvpm)", (self.dir / "out/run.log").read_text())
        dissipated = numbers(self.dir / "out/flow.csv", "dissipated_energy [J]")
        self.assertGreater(dissipated[-1], 0)

    def test_a_resumed_run_has_the_same_bytes(self):
        self.sluice(*RUN, "--tmax", 0.3, "-o", "whole")
        self.sluice(*RUN, "--tmax", 0.3, "--steps", 150, "-o", "cut")
        self.sluice("run", "--resume", "cut", "--steps", 1000000, "--threads", 1)
        for name in ("flow.csv", "gauges/front.csv"):
            self.assertEqual((self.dir / "whole" / name).read_bytes(), (self.dir / "cut" / name).read_bytes(), name)
        frames = sorted(path.name for path in (self.dir / "whole/frames").iterdir())
        self.assertGreater(len(frames), 5)
        for name in frames:
            self.assertEqual((self.dir / "whole/frames" / name).read_bytes(), (self.dir / "cut/frames" / name).read_bytes(), name)

    def test_what_it_lacks_is_refused_and_nothing_written(self):
        for options, words in ((["--set", "Method=fvpm"], "Scheme=recommended with Method=fvpm is not supported"),
                               ([*FVPM, "--set", "DensityDT=2"], "parameter DensityDT=2 with Method=fvpm is not supported"),
                               ([*FVPM, "--set", "coefh=1.2"], "coefh=1.2 with Method=fvpm is not supported; it is the smoothing length of SPH"),
                               ([*FVPM, "--ranks", 2], "--ranks: runs with Method=fvpm have no such option"),
                               ([*FVPM, "--cpu-mode", "symmetric"], "--cpu-mode: runs with Method=fvpm have no such option"),
                               ([*FVPM, "--fields", "velocity,vorticity"], "vorticity is not computed with Method=fvpm"),
                               (["--set", "Method=dem"], "parameter Method is sph, mps or fvpm (dem)")):
            result = self.sluice("run", CASE, "-o", "out", *options, code=2)
            self.assertIn(words, result.stdout + result.stderr)
            self.assertEqual(self.files(), [])

    def test_forces_are_of_sph(self):
        self.sluice(*RUN, "--steps", 2, "-o", "out")
        result = self.sluice("forces", "out", "--mk", 0, "-o", "forces.csv", code=2)
        self.assertIn("is a run with Method=fvpm", result.stdout + result.stderr)

    def test_check_and_info_name_it(self):
        report = json.loads(self.sluice("check", CASE, "--dp", 0.1, "--json", *FVPM).stdout)
        self.assertEqual((report["method"], report["estimate"]["mode"]), ("fvpm", "fvpm"))
        self.assertEqual([m["mode"] for m in report["memory"]], ["cpu fvpm", "cuda fvpm"])
        self.assertIn("finite volume particle method", self.sluice("check", CASE, "--dp", 0.1, *FVPM).stdout)
        words = {m["word"] for m in json.loads(self.sluice("info", "--json").stdout)["methods"]}
        self.assertEqual(words, {"sph", "mps", "fvpm"})


if __name__ == "__main__":
    unittest.main()
