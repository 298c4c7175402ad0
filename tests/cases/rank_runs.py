# SPDX-License-Identifier: Apache-2.0
"""Runs of one and of several ranks, whose results must be the same bytes."""
import json
import os
import subprocess
import unittest

from sluice_process import CASES, SLUICE, SluiceTest

MPIEXEC = os.environ.get("SLUICE_MPIEXEC", "")
ONE = ("--backend", "cpu", "--cpu-mode", "asymmetric", "--threads", 1, "--pictures", 0, "--quiet")

# Shipped cases with what moves, periodic sides, forcing and open boundaries, each small.
SHORT_RUNS = (("floating-box-2d.xml", ("--dp", 0.04, "--tmax", 0.2)), ("sloshing-2d.xml", ("--dp", 0.03, "--tmax", 0.2)),
              ("wave-flume-2d.xml", ("--dp", 0.08, "--tmax", 0.4)), ("wave-dike-2d.xml", ("--dp", 0.08, "--tmax", 0.4)),
              ("poiseuille.xml", ("--tmax", 0.02)), ("pillars-3d.xml", ("--dp", 0.05, "--tmax", 0.06)),
              ("open-channel-2d.xml", ("--dp", 0.04, "--tmax", 0.4)))


def with_frames(options):
    """The options of a short run, with four frames."""
    return (*options, "--tout", float(options[-1]) / 4)


class RankTest(SluiceTest):
    def run_case(self, case, folder, *options, code=0):
        return self.sluice("run", case, "-o", folder, *ONE, *options, code=code)

    def assert_same(self, a, b):
        """Every frame, table and gauge of two runs, byte by byte."""
        def files(name):
            folder = self.dir / name
            kept = list(folder.glob("*.csv")) + [p for p in (folder / "frames").iterdir()] + list(folder.glob("gauges/*"))
            return {str(path.relative_to(folder)): path.read_bytes() for path in kept}

        one, many = files(a), files(b)
        self.assertEqual(sorted(one), sorted(many))
        self.assertGreater(len(one), 4)
        for name, content in one.items():
            self.assertTrue(content == many[name], f"{name} of {b} differs from that of {a}")

    def run_of(self, folder):
        return json.loads((self.dir / folder / "run.json").read_text())


@unittest.skipUnless(MPIEXEC, "this build has no MPI (-DSLUICE_MPI=ON, libopenmpi-dev, openmpi-bin)")
class MpiTest(RankTest):
    """Runs of several processes, which mpirun starts on this machine."""

    def command(self, ranks, *arguments, launcher=()):
        return [MPIEXEC, *map(str, launcher), "-n", str(ranks), SLUICE, *map(str, arguments)]

    def mpirun(self, ranks, *arguments, code=0, environment=None):
        result = subprocess.run(self.command(ranks, *arguments), cwd=self.dir, capture_output=True, text=True, timeout=120,
                                env={**os.environ, **(environment or {})})
        self.assertEqual(result.returncode, code, f"{arguments}\n{result.stdout}\n{result.stderr}")
        return result
