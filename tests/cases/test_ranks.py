# SPDX-License-Identifier: Apache-2.0
"""Runs of several ranks: the bytes of a run of one, on the way, stopped and resumed; and what they refuse."""
import json
import re
import signal
import subprocess
import unittest

from rank_runs import ONE, SHORT_RUNS, RankTest, with_frames
from sluice_process import CASES, DATA, GAUGES, SLUICE


class Ranks(RankTest):
    def test_gauges_frames_and_tables_are_those_of_one(self):
        case = self.case_with_gauges(DATA / "dam-break-2d.xml", GAUGES)
        options = ("--dp", 0.025, "--tmax", 0.3, "--tout", 0.05, "--fields", "+vorticity,position_divergence")
        self.run_case(case, "one", *options)
        for ranks in (2, 7):
            self.run_case(case, f"many{ranks}", *options, "--ranks", ranks)
            self.assert_same("one", f"many{ranks}")
            self.assertEqual(self.run_of(f"many{ranks}")["ranks"], ranks)
        self.assertEqual(self.run_of("one")["ranks"], 1)

    def test_check_and_the_log_tell_the_memory_of_each(self):
        case = (CASES / "dam-break-3d.xml", "--dp", 0.01, "--ranks", 3)
        told = json.loads(self.sluice("check", *case, "--json").stdout)["ranks"]
        self.sluice("run", *case, "--steps", 2, "--pictures", 0, "-o", "out")
        log = re.findall(r"rank (\d): (\d+) particles, ([\d.]+) MB", (self.dir / "out/run.log").read_text())
        self.assertEqual([(int(rank), int(particles)) for rank, particles, _ in log],
                         [(rank, of_it["particles"]) for rank, of_it in enumerate(told)])
        for (_, _, megabytes), of_it in zip(log, told):
            self.assertLess(1e6 * float(megabytes), 1.05 * of_it["bytes"])  # before the first step nothing was exchanged yet
            self.assertGreater(1e6 * float(megabytes), 0.7 * of_it["bytes"])

    def test_so_are_those_of_cases_with_what_moves_sides_that_are_periodic_forcing_and_open_boundaries(self):
        for name, options in SHORT_RUNS:
            with self.subTest(name):
                self.run_case(CASES / name, "one", *with_frames(options), "--overwrite")
                self.run_case(CASES / name, "many", *with_frames(options), "--overwrite", "--ranks", 3)
                self.assert_same("one", "many")
                self.assertEqual(self.run_of("one")["ledger"], self.run_of("many")["ledger"])

    def test_what_one_number_began_another_ends(self):
        for name, dp, end in (("dam-break-2d.xml", 0.02, 0.3), ("open-channel-2d.xml", 0.04, 0.4)):
            with self.subTest(name):
                options = ("--dp", dp, "--tmax", end, "--tout", end / 6, "--overwrite")
                self.run_case(CASES / name, "one", *options)
                self.run_case(CASES / name, "cut", *options, "--ranks", 4, "--steps", 150)
                self.sluice("run", "--resume", "cut", "--ranks", 3, "--steps", 301, "--quiet")
                self.assertEqual(self.run_of("cut")["ranks"], 3)
                self.sluice("run", "--resume", "cut", "--steps", 403, "--quiet")
                self.assertEqual(self.run_of("cut")["ranks"], 3)
                self.sluice("run", "--resume", "cut", "--ranks", 1, "--steps", 10 ** 9, "--quiet")
                self.assert_same("one", "cut")
                self.assertEqual(self.run_of("one")["ledger"], self.run_of("cut")["ledger"])
                self.assertGreater(self.run_of("one")["steps"], 450) # each of the parts above takes some

    def test_how_they_share_the_space_changes_nothing_and_another_split_goes_on(self):
        drawn = self.dir / "map.txt"
        drawn.write_text("x z\n0 1 1 0\n2 2 0 4 # rank 3 has nothing\n")
        options = ("--dp", 0.05, "--tmax", 0.3, "--tout", 0.1)
        case = CASES / "dam-break-3d.xml"
        self.run_case(case, "one", *options)
        for split, ranks, told in (("x", 3, "slabs across x"), ("bisection", 6, "bisection across "), ("grid:3x2", 6, "3 x 2 parts across "),
                                   (f"file:{drawn}", 5, "file:")):
            with self.subTest(split):
                self.run_case(case, "many", *options, "--ranks", ranks, "--split", split, "--overwrite")
                self.assert_same("one", "many")
                self.assertTrue(self.run_of("many")["split"].startswith(told), self.run_of("many")["split"])
                self.assertIn("they share the space by " + told, (self.dir / "many/run.log").read_text())
        self.assertNotIn("split", self.run_of("one"))
        self.run_case(case, "cut", *options, "--ranks", 5, "--split", f"file:{drawn}", "--steps", 30)
        drawn.unlink()
        for steps, given, told in ((60, (), "file:"), (80, ("--split", "z"), "slabs across z"), (90, ("--split", "auto"), "bisection "),
                                   (100, ("--ranks", 2, "--split", "grid:2x1"), "2 x 1 "), (110, ("--ranks", 3), "slabs "),
                                   (10 ** 9, ("--ranks", 4, "--split", "grid:1x4"), "1 x 4 parts ")):
            self.sluice("run", "--resume", "cut", *given, "--steps", steps, "--quiet")
            self.assertTrue(self.run_of("cut")["split"].startswith(told), self.run_of("cut")["split"])
        self.assert_same("one", "cut")

    def test_a_signal_stops_them_all_at_one_step(self):
        options = ("--dp", 0.02, "--tmax", 0.6, "--tout", 0.05)
        process = subprocess.Popen([SLUICE, "run", DATA / "dam-break-2d.xml", "-o", "cut", *map(str, ONE + options), "--ranks", "3"],
                                   cwd=self.dir)
        try:
            while not list(self.dir.glob("cut/frames/*2.h5")) and process.poll() is None:
                pass
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=60), 3)
        finally:
            process.kill()
            process.wait()
        self.sluice("run", "--resume", "cut", "--ranks", 2, "--quiet")
        self.run_case(DATA / "dam-break-2d.xml", "one", *options)
        self.assert_same("one", "cut")

    def test_what_they_do_not_compute_is_refused_by_name(self):
        for case, options, message in (
                ("dam-break-2d.xml", ("--cpu-mode", "symmetric"), "--ranks: ranks compute in mode asymmetric, and mode symmetric is asked"),
                ("dam-break-2d.xml", ("--backend", "cuda"), "--ranks and --split are for the CPU"),
                ("dam-break-2d.xml", ("--split", "x"), "rows of cells, which ranks have whole, run along x: take z or y"),
                ("dam-break-2d.xml", ("--split", "grid:2x2"), "these are 4 parts, and the run has 2 ranks"),
                ("dam-break-2d.xml", ("--split", "blocks"), "--split: there is no 'blocks': take one of auto, x, y, z,"),
                ("dam-break-2d.xml", ("--split", "file:none.txt"), "--split file:none.txt: cannot be read"),
                ("dam-break-2d.xml", ("--gpus", 2, "--split", "z"), "and --split are for the CPU and this run asks for a GPU"),
                ("dam-break-2d.xml", ("--ranks", 0), "--ranks: a whole number is wanted, 1 to 1024 (0 is given)")):
            with self.subTest(message):
                given = () if "--ranks" in options else ("--ranks", 2)
                result = self.sluice("run", CASES / case, "-o", "run", "--dp", 0.02, "--pictures", 0, *given, *options, code=2)
                self.assertIn(message, " ".join((result.stdout + result.stderr).split()))
                self.assertFalse((self.dir / "run").exists())

    def test_the_log_says_how_many_there_are_and_why_the_mode(self):
        result = self.sluice("run", DATA / "dam-break-2d.xml", "-o", "run", "--dp", 0.03, "--tmax", 0.01, "--ranks", 2, "--threads", 1,
                             "--pictures", 0)
        self.assertIn("CPU: 2 ranks of 1 thread", result.stderr)
        self.assertIn("mode asymmetric (the mode in which the number of ranks changes no bit)", result.stderr)
        self.assertIn("ranks are threads of this process, which talk through its memory", (self.dir / "run/run.log").read_text())
        self.assertRegex(result.stderr, r"steps/s.*2 ranks of 1 thread\)")


if __name__ == "__main__":
    unittest.main()
