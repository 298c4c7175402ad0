# SPDX-License-Identifier: Apache-2.0
"""Runs with other methods than SPH on a GPU, from the case to the files: those of the processor, and the same bytes again."""
import json
import unittest

from gpu_process import NeedsGpu
from sluice_process import CASES, SluiceTest, numbers

RUN = ["run", CASES / "dam-break-2d.xml", "--dp", 0.1, "--tmax", 0.3, "--tout", 0.1, "--pictures", 0, "--set", "Scheme=none"]
METHODS = ("mps", "fvpm")


class MethodsOnGpus(NeedsGpu, SluiceTest):
    def run_on(self, backend, method, out, *options):
        self.sluice(*RUN, "--set", f"Method={method}", "--backend", backend, "-o", out, *options)

    def assert_same_bytes(self, a, b):
        names = ["flow.csv", *(f"{folder}/{path.name}" for folder in ("frames", "gauges") for path in sorted((self.dir / a / folder).iterdir()))]
        self.assertGreater(len(names), 5)
        for name in names:
            self.assertEqual((self.dir / a / name).read_bytes(), (self.dir / b / name).read_bytes(), name)

    def test_results_are_those_of_the_processor(self):
        for method in METHODS:
            with self.subTest(method):
                self.run_on("cuda", method, f"{method}-gpu")
                self.run_on("cpu", method, f"{method}-cpu")
                run = json.loads((self.dir / f"{method}-gpu/run.json").read_text())
                self.assertEqual([run[key] for key in ("method", "mode", "status", "backend")], [method, method, "finished", "cuda"])
                for column in ("x_front [m]", "kinetic_energy [J]", "potential_energy [J]"):
                    gpu, cpu = (numbers(self.dir / f"{method}-{where}/flow.csv", column) for where in ("gpu", "cpu"))
                    self.assertEqual(len(gpu), len(cpu))
                    for a, b in zip(gpu, cpu):
                        self.assertAlmostEqual(a, b, delta=1e-3 * max(1, abs(b)))
                self.assertEqual(sorted(p.name for p in (self.dir / f"{method}-gpu/frames").iterdir()),
                                 sorted(p.name for p in (self.dir / f"{method}-cpu/frames").iterdir()))

    def test_runs_and_resumed_runs_have_the_same_bytes(self):
        for method in METHODS:
            with self.subTest(method):
                self.run_on("cuda", method, f"{method}-whole")
                self.run_on("cuda", method, f"{method}-again")
                self.assert_same_bytes(f"{method}-whole", f"{method}-again")
                self.run_on("cuda", method, f"{method}-cut", "--steps", 100)
                self.sluice("run", "--resume", f"{method}-cut", "--steps", 1000000)
                self.assert_same_bytes(f"{method}-whole", f"{method}-cut")

    def test_automatic_runs_stay_on_the_processor(self):
        for method in METHODS:
            self.run_on("auto", method, method, "--steps", 2)
            self.assertEqual(json.loads((self.dir / method / "run.json").read_text())["backend"], "cpu")


if __name__ == "__main__":
    unittest.main()
