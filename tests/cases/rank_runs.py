# SPDX-License-Identifier: Apache-2.0
"""Runs of one and of several ranks, whose results must be the same bytes."""
import json
import os
import pathlib
import subprocess
import time
import unittest

from sluice_process import SLUICE, SluiceTest

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


def process_of_rank(rank, folder):
    """The process of a rank of the run that was started in a folder, once it is there."""
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.path.realpath(entry / "exe") == os.path.realpath(SLUICE) and \
                    os.readlink(entry / "cwd") == str(folder.resolve()) and \
                    f"\0OMPI_COMM_WORLD_RANK={rank}\0".encode() in (entry / "environ").read_bytes():
                return int(entry.name)
        except OSError:  # it has ended meanwhile
            pass
    return None


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

    def started(self, ranks, folder, case, *options, launcher=()):
        """A run, once it has written three frames and a checkpoint."""
        command = self.command(ranks, "run", case, "-o", folder, *options, launcher=launcher)
        process = subprocess.Popen(command, cwd=self.dir, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        def end():
            process.kill()
            process.communicate()
        self.addCleanup(end)
        until = time.monotonic() + 60
        while not (list(self.dir.glob(f"{folder}/frames/*2.h5")) and list(self.dir.glob(f"{folder}/checkpoints/*"))):
            self.assertIsNone(process.poll(), "the run has ended")
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)
        return process

    def ended(self, process):
        """Exit code and messages of a run, all of whose processes must end within a minute."""
        out, err = process.communicate(timeout=60)
        until = time.monotonic() + 60
        while any(process_of_rank(rank, self.dir) for rank in range(4)):
            self.assertLess(time.monotonic(), until, "a process is left")
            time.sleep(0.1)
        return process.returncode, out + err

    def assert_one_message(self, text, message):
        lines = [line for line in text.splitlines() if line.startswith("error:")]
        self.assertEqual(len(lines), 1, text)
        self.assertIn(message, lines[0])
