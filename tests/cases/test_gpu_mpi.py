# SPDX-License-Identifier: Apache-2.0
"""Runs of several processes on GPUs, started by mpirun on this machine, which may share one GPU: the bytes of a run of one."""
import os
import signal
import unittest

from gpu_process import NeedsGpu
from rank_runs import SHORT_RUNS, MpiTest, process_of_rank, with_frames
from sluice_process import CASES, DATA

CUDA = ("--backend", "cuda", "--pictures", 0, "--quiet")


class GpusOfProcesses(NeedsGpu, MpiTest):
    def test_cases_have_the_bytes_of_one_gpu(self):
        for name, options in SHORT_RUNS:
            with self.subTest(name):
                self.sluice("run", CASES / name, "-o", "one", *CUDA, *with_frames(options), "--overwrite")
                self.mpirun(2, "run", CASES / name, "-o", "many", *CUDA, *with_frames(options), "--overwrite")
                self.assert_same("one", "many")
                self.assertEqual(self.run_of("one")["ledger"], self.run_of("many")["ledger"])
        self.assertEqual([gpu["process"] for gpu in self.run_of("many")["gpus"]], [0, 1])

    def test_what_processes_began_one_ends_and_the_other_way_round(self):
        case = (CASES / "dam-break-3d.xml", "--dp", 0.04, "--tmax", 0.2, "--tout", 0.05)
        self.sluice("run", *case, "-o", "one", *CUDA)
        self.mpirun(3, "run", *case, "-o", "cut", *CUDA, "--gpus", 2, "--steps", 60)
        self.sluice("run", "--resume", "cut", "--gpus", 1, "--steps", 110, "--quiet")
        self.mpirun(2, "run", "--resume", "cut", "--steps", 10 ** 9, "--quiet")
        self.assert_same("one", "cut")

    def test_after_a_kill_of_any_process_all_end_with_one_message_and_the_last_checkpoint_goes_on(self):
        case = (CASES / "dam-break-3d.xml", "--dp", 0.02, "--tmax", 0.6, "--tout", 0.02, "--checkpoint-dt", 0.02, *CUDA)
        self.sluice("run", *case, "-o", "one")
        for rank in (0, 1):
            with self.subTest(rank=rank):
                folder = f"cut{rank}"
                process = self.started(2, folder, *case, launcher=("--enable-recovery",))
                os.kill(process_of_rank(rank, self.dir), signal.SIGKILL)
                self.assert_one_message(self.ended(process)[1], f"rank {rank} on ")
                self.sluice("run", "--resume", folder, "--quiet")
                self.assert_same("one", folder)

    def test_how_many_gpus_pay_is_not_asked_of_processes(self):
        result = self.mpirun(2, "run", DATA / "dam-break-2d.xml", "-o", "run", "--gpus", "auto", code=2)
        self.assertIn("with several processes say how many each has", result.stderr)


if __name__ == "__main__":
    unittest.main()
