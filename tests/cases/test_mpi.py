# SPDX-License-Identifier: Apache-2.0
"""Ranks that are processes, started by mpirun on this machine: the bytes of a run of one, and what happens when one fails."""
import json
import os
import pathlib
import resource
import signal
import subprocess
import unittest

from rank_runs import MPIEXEC, ONE, SHORT_RUNS, MpiTest, process_of_rank, with_frames
from sluice_process import CASES, DATA, GAUGES, SLUICE

OVERFLOW = pathlib.Path(__file__).parent.parent / "faults/plain.xml"
DAM = DATA / "dam-break-2d.xml"
LONG = ("--dp", 0.03, "--tmax", 0.4, "--tout", 0.05)  # long enough to be stopped on the way
STOPPED = (DAM, *ONE, *LONG, "--checkpoint-dt", 0.01)


class Mpi(MpiTest):
    def test_gauges_frames_and_tables_are_those_of_one(self):
        case = self.case_with_gauges(DAM, GAUGES)
        options = ("--dp", 0.025, "--tmax", 0.2, "--tout", 0.05, "--fields", "+vorticity,position_divergence")
        self.run_case(case, "one", *options)
        for ranks in (2, 4):
            self.mpirun(ranks, "run", case, "-o", f"many{ranks}", *ONE, *options)
            self.assert_same("one", f"many{ranks}")
            self.assertEqual(self.run_of(f"many{ranks}")["ranks"], ranks)

    def test_so_are_those_of_cases_with_what_moves_sides_that_are_periodic_forcing_and_open_boundaries(self):
        for name, options in (SHORT_RUNS[0], SHORT_RUNS[3], SHORT_RUNS[4], SHORT_RUNS[6]):  # the others go the same way: test_ranks.py
            with self.subTest(name):
                self.run_case(CASES / name, "one", *with_frames(options), "--overwrite")
                self.mpirun(2, "run", CASES / name, "-o", "many", *ONE, *with_frames(options), "--overwrite")
                self.assert_same("one", "many")

    def test_what_one_number_began_another_ends_with_or_without_a_launcher(self):
        options = ("--dp", 0.02, "--tmax", 0.3, "--tout", 0.05)
        self.run_case(DAM, "one", *options)
        self.mpirun(2, "run", DAM, "-o", "cut", *ONE, *options, "--steps", 100)
        self.mpirun(3, "run", "--resume", "cut", "--steps", 200, "--quiet")
        self.assertEqual(self.run_of("cut")["ranks"], 3)
        self.sluice("run", "--resume", "cut", "--steps", 300, "--quiet")
        self.assertEqual(self.run_of("cut")["ranks"], 1)
        self.mpirun(2, "run", "--resume", "cut", "--steps", 10 ** 9, "--quiet")
        self.assert_same("one", "cut")

    def test_a_signal_to_the_launcher_or_to_one_rank_stops_them_all(self):
        self.run_case(DAM, "one", *LONG)
        for to_rank, number in ((None, signal.SIGUSR1), (1, signal.SIGTERM)):
            with self.subTest(to_rank=to_rank):
                folder = f"cut{to_rank}"
                process = self.started(2, folder, *STOPPED)
                os.kill(process.pid if to_rank is None else process_of_rank(to_rank, self.dir), number)
                code, text = self.ended(process)
                self.assertEqual(code, 3, text)
                self.assertEqual(self.run_of(folder)["outcome"], "interrupted")
                self.mpirun(2, "run", "--resume", folder, "--quiet")
                self.assert_same("one", folder)

    def test_after_a_kill_of_any_rank_all_end_and_the_last_checkpoint_goes_on(self):
        self.run_case(DAM, "one", *LONG)
        for rank in (0, 1):
            with self.subTest(rank=rank):
                folder = f"cut{rank}"
                process = self.started(2, folder, *STOPPED)
                os.kill(process_of_rank(rank, self.dir), signal.SIGKILL)
                self.assertNotEqual(self.ended(process)[0], 0)
                self.mpirun(3, "run", "--resume", folder, "--quiet")
                self.assert_same("one", folder)

    def test_they_end_where_the_launcher_does_not_see_to_it(self):
        keeps_on = ("--enable-recovery",)
        for rank in (0, 1):
            with self.subTest(rank=rank):
                folder = f"cut{rank}"
                process = self.started(3, folder, *STOPPED, launcher=keeps_on)
                os.kill(process_of_rank(rank, self.dir), signal.SIGKILL)
                self.assert_one_message(self.ended(process)[1], f"rank {rank} on ")
                if rank == 1:
                    self.assertEqual(self.run_of(folder)["outcome"], "failed")
                    self.assertIn("rank 1 on ", self.run_of(folder)["message"])

    def test_a_full_disk_ends_them_all_with_its_code(self):
        process = self.started(2, "cut", *STOPPED)
        limit = max(path.stat().st_size for path in self.dir.glob("cut/**/*") if path.is_file()) // 2
        resource.prlimit(process_of_rank(0, self.dir), resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        code, text = self.ended(process)
        self.assertEqual(code, 8, text)
        self.assert_one_message(text, "")

    def test_a_run_that_blows_up_does_so_on_all_at_once(self):
        result = self.mpirun(2, "run", OVERFLOW, "-o", "run", *ONE, "--set", "cflnumber=0.45", code=6)
        self.assert_one_message(result.stdout + result.stderr, "")
        self.assertEqual(self.run_of("run")["outcome"], "blown_up")

    def test_bad_input_is_told_once_and_nothing_is_written(self):
        for arguments, message in (
                (("run", "nowhere.xml", "-o", "run"), "nowhere.xml"),
                (("run", DAM, "-o", "run", "--set", "Visco"), "--set"),
                (("run", DAM, "-o", "run", "--ranks", 3), "run: --ranks 3, and each of the 2 processes that were started is a rank"),
                (("run", DAM, "-o", "run", "--cpu-mode", "symmetric"), "ranks compute in mode asymmetric"),
                (("run", DAM, "-o", "run", "--cpu-mode", "asymmetric", "--gpus", 1), "are for the CPU and this run asks for a GPU"),
                (("check", DAM), "check: mpirun has started 2 processes (OMPI_COMM_WORLD_SIZE=2), and only sluice run shares")):
            with self.subTest(message):
                result = self.mpirun(2, *arguments, code=2)
                self.assert_one_message(result.stdout + result.stderr, message)
                self.assertFalse((self.dir / "run").exists())

    def test_processes_with_other_words_are_not_ranks_of_one_run(self):
        command = [MPIEXEC, "-n", "1", SLUICE, "run", str(DAM), "-o", "run", ":", "-n", "1", SLUICE, "run", str(OVERFLOW)]
        result = subprocess.run(command, cwd=self.dir, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assert_one_message(result.stdout + result.stderr, "the command line of rank 1 is not that of rank 0")
        self.assertFalse((self.dir / "run").exists())

    def test_each_is_a_run_of_its_own_where_mpi_is_switched_off(self):
        result = subprocess.run([MPIEXEC, "-n", "2", "sh", "-c", f'exec "{SLUICE}" run "{OVERFLOW}" -o run$OMPI_COMM_WORLD_RANK --steps 3 --pictures 0'],
                                cwd=self.dir, capture_output=True, text=True, timeout=60, env={**os.environ, "SLUICE_MPI": "off"})
        self.assertEqual(result.returncode, 0, result.stderr)
        for folder in ("run0", "run1"):
            self.assertEqual((self.run_of(folder)["ranks"], self.run_of(folder)["steps"]), (1, 3))

    def test_the_log_and_info_say_what_the_ranks_are_and_why(self):
        result = self.mpirun(2, "run", DAM, "-o", "run", "--dp", 0.03, "--tmax", 0.01, "--threads", 1, "--pictures", 0)
        said = r"ranks are processes that mpirun has started \(OMPI_COMM_WORLD_SIZE=2\), 2 on 1 host, which talk by .+ through host memory"
        self.assertRegex(result.stderr, said)
        self.assertRegex((self.dir / "run/run.log").read_text(), said)
        self.assertEqual(result.stderr.count("results in"), 1)
        ranks = json.loads(self.mpirun(2, "info", "--json").stdout)["ranks"]
        self.assertEqual((ranks["transport"], ranks["processes"]), ("mpi", 2))
        self.assertEqual(ranks["why"], "mpirun has started 2 processes (OMPI_COMM_WORLD_SIZE=2)")
        self.assertTrue(ranks["mpi"])

    def test_without_a_launcher_nothing_of_mpi_is_loaded(self):
        result = self.sluice("run", OVERFLOW, "-o", "run", "--steps", 3, "--ranks", 2, "--pictures", 0, environment={"LD_DEBUG": "files"})
        self.assertIn("libmuparser", result.stderr)
        self.assertNotIn("mpi.so", result.stderr)
        ranks = json.loads(self.sluice("info", "--json").stdout)["ranks"]
        self.assertEqual((ranks["transport"], ranks["processes"]), ("threads", 1))

    def test_one_process_is_a_run_as_without_a_launcher(self):
        self.mpirun(1, "run", OVERFLOW, "-o", "run", "--steps", 3, "--pictures", 0, "--cpu-mode", "symmetric")
        self.assertEqual(self.run_of("run")["mode"], "symmetric")
        self.mpirun(1, "check", OVERFLOW)


if __name__ == "__main__":
    unittest.main()
