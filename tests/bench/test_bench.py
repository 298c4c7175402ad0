# SPDX-License-Identifier: Apache-2.0
"""Runs `sluice bench` as a user would, with small sizes, and checks what it writes."""
import csv
import json
import os
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SLUICE = os.environ["SLUICE"]
EXPERIMENTS = ["cpu-optimizations", "cpu-modes", "cpu-threads", "gpu-optimizations", "gpu-stages", "gpu-occupancy",
               "cpu-vs-gpu", "gpu-memory", "versions", "scaling", "size", "mps-search", "mps-operators", "mps-efficiency", "fvpm-ladder",
               "fvpm-speedup"]
MEASURED_ON_CPU = ["cpu-optimizations", "cpu-modes", "cpu-threads", "versions", "scaling", "size"]
SIZES = [2000, 5000]


def bench(*arguments):
    return subprocess.run([SLUICE, "bench", *arguments], capture_output=True, text=True, timeout=500)


class QuickBench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = Path(cls.folder.name) / "results"
        cls.run_of_all = bench("all", "--budget", "30", "--sizes", ",".join(map(str, SIZES)), "--out", str(cls.out))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def result(self, name):
        return json.loads((self.out / f"{name}.json").read_text())

    def test_all_ends_well(self):
        self.assertEqual(self.run_of_all.returncode, 0, self.run_of_all.stderr)

    def test_every_experiment_has_its_files_and_says_what_it_is(self):
        for name in EXPERIMENTS:
            with self.subTest(name):
                result = self.result(name)
                self.assertEqual(result["experiment"], name)
                self.assertIn("--budget 30", result["command"])
                for key in ["processor", "hardware_threads", "memory_bytes", "system"]:
                    self.assertTrue(result["machine"][key])
                for key in ["version", "compiler", "build_type"]:
                    self.assertTrue(result["program"][key])
                self.assertTrue((self.out / f"{name}.csv").exists())

    def test_measurements_are_complete_and_consistent(self):
        for name in MEASURED_ON_CPU:
            with self.subTest(name):
                measurements = self.result(name)["measurements"]
                self.assertTrue(measurements)
                steps = {}
                for m in measurements:
                    self.assertTrue(any(abs(m["particles"] / size - 1) < 0.05 for size in SIZES), m["particles"])
                    self.assertGreaterEqual(len(m["samples"]), 2)
                    self.assertGreater(m["memory_bytes"], 50 * m["particles"])
                    self.assertAlmostEqual(m["steps_per_s"] * m["median_s_per_step"], 1)
                    self.assertAlmostEqual(m["particle_steps_per_s"] / (m["particles"] * m["steps_per_s"]), 1)
                    self.assertLessEqual(m["fastest_s_per_step"], m["median_s_per_step"])
                    self.assertLessEqual(m["median_s_per_step"], m["slowest_s_per_step"])
                    for sample in m["samples"]:
                        self.assertEqual(sample["steps"], steps.setdefault(m["particles"], sample["steps"]))

    def test_csv_holds_every_sample(self):
        for name in MEASURED_ON_CPU:
            with self.subTest(name):
                with open(self.out / f"{name}.csv", newline="") as file:
                    rows = list(csv.DictReader(file))
                self.assertEqual(len(rows), sum(len(m["samples"]) for m in self.result(name)["measurements"]))
                self.assertTrue(all(float(row["wall [s]"]) > 0 for row in rows))

    def test_charts_are_svg(self):
        for name in [*MEASURED_ON_CPU, "gpu-occupancy", "gpu-memory", "fvpm-speedup"]:
            with self.subTest(name):
                text = (self.out / f"{name}.svg").read_text()
                self.assertIsNone(re.search(r'[\s",MLVh-](nan|inf)[\s"LMV]', text))
                self.assertEqual(ElementTree.fromstring(text).tag, "{http://www.w3.org/2000/svg}svg")

    def test_volume_particles_have_steps_and_searches(self):
        steps, *_, searches, _ = self.result("fvpm-speedup")["tables"]
        self.assertEqual({row[0] for row in steps["rows"]} & {"CPU, all threads"}, {"CPU, all threads"})
        for row in steps["rows"]:
            self.assertGreater(float(row[2]), 0)
            self.assertAlmostEqual(sum(map(float, row[4:])), 100, delta=0.2)
        neighbours = {row[0]: set() for row in searches["rows"]}
        for row in searches["rows"]: neighbours[row[0]].add(row[4])
        self.assertEqual([len(found) for found in neighbours.values()], [1, 1])  # both searches find the same

    def test_page_shows_every_experiment(self):
        page = (self.out / "bench.html").read_text()
        for name in EXPERIMENTS:
            self.assertIn(f'<section id="{name}">', page)
        self.assertIn("Not measured.", page)
        self.assertNotIn("http://www.w3.org/1999", page)
        self.assertNotIn("src=", page)  # self-contained

    def test_without_a_gpu_an_experiment_for_one_says_so(self):
        result = self.result("gpu-stages")
        if not result["unavailable"]:
            self.skipTest("there is a GPU")
        self.assertIn("needs a GPU", result["unavailable"])
        alone = bench("gpu-stages", "--out", str(self.out / "alone"))
        self.assertEqual(alone.returncode, 1)
        self.assertIn("needs a GPU", alone.stderr)

    def test_mps_searches_find_the_same_pairs_among_fewer_candidates(self):
        tables = {table["caption"]: table for table in self.result("mps-search")["tables"]}
        counts = tables["Candidates and particles inside; each particle counts itself"]["rows"]
        for shape in ["sphere", "cube"]:
            rows = [row for row in counts if row[0].startswith(shape) and row[2] == "1" and row[1] == "all rows"]
            self.assertEqual(len(rows), 3 * len(SIZES))
            for size in {row[3] for row in rows}:
                of_size = [row for row in rows if row[3] == size]
                self.assertEqual(len({row[5] for row in of_size}), 1)  # pairs, for all widths of buckets
                candidates = [int(row[4]) for row in of_size]
                self.assertEqual(candidates, sorted(candidates, reverse=True))
                self.assertLess(candidates[2], candidates[0])

    def test_mps_operators_are_timed_beside_the_paper(self):
        for name in ["mps-operators", "mps-efficiency"]:
            with self.subTest(name):
                result = self.result(name)
                variants = {m["variant"] for m in result["measurements"]}
                for operator in ["gradient", "Laplacian", "LSMPS"]:
                    for version in ["CPU: linked list", "CPU: forward star", "CPU: n_div 3, cube"]:
                        self.assertIn(f"{version}; {operator}", variants)
                self.assertTrue(all(m["median_s_per_step"] > 0 for m in result["measurements"]))
                self.assertIn("lattice", result["case"])
        operations = {table["caption"]: table for table in self.result("mps-efficiency")["tables"]}[
            "Double-precision operations of LSMPS, n_div 3 and cube, 61³ particles"]["rows"]
        total, additions, multiplications, fused = (int(row[1]) for row in operations)
        self.assertEqual(total, additions + multiplications + 2 * fused)
        self.assertEqual([row[3] for row in operations], ["3318859727", "517552261", "1077775150", "861766158"])

    def test_scaling_measures_ranks_and_predicts_many_gpus(self):
        result = self.result("scaling")
        tables = {table["caption"]: table for table in result["tables"]}
        ranks = tables["Strong scaling of ranks: the same particles"]
        self.assertEqual({row[1] for row in ranks["rows"]}, {str(m["particles"]) for m in result["measurements"]
                                                            if m["backend"] == "cpu"})
        shared = [m for m in result["measurements"] if m["ranks"] > 1]
        for m in shared:
            for sample in m["samples"]:
                self.assertEqual(len(sample["ranks"]), m["ranks"])
                self.assertEqual(sum(rank["particles"] for rank in sample["ranks"]), m["particles"])
                for rank in sample["ranks"]:
                    self.assertLessEqual(rank["interaction_s"] + rank["exchange_s"], 1.01 * sample["wall_s"])
        strong = tables["Strong scaling: as many particles on more GPUs"]
        self.assertIn("4096", {row[1] for row in strong["rows"]})
        for row in strong["rows"]:
            efficiency, overlapped = float(row[6]), float(row[7])
            self.assertTrue(0 < efficiency <= overlapped <= 110, row)
        self.assertTrue(any("assumptions" in sentence for sentence in result["estimated"]))

    def test_capacity_grows_with_memory_and_thrift(self):
        table = self.result("gpu-memory")["tables"][0]
        number = {"k": 1e3, "M": 1e6, "G": 1e9}
        rows = {row[0]: [float(cell.split()[0]) * number[cell.split()[1]] for cell in row[1:]] for row in table["rows"]}
        for cells in rows.values():
            self.assertEqual(cells, sorted(cells))
        self.assertLess(rows["FastCells(h/2)"][0], rows["SlowCells(h)"][0])


class Command(unittest.TestCase):
    def test_list_names_all_and_what_they_stand_for(self):
        done = bench("list")
        self.assertEqual(done.returncode, 0)
        for name in EXPERIMENTS:
            self.assertIn(name, done.stdout)
        self.assertIn("Table 6", done.stdout)

    def test_bad_input_is_refused_before_anything_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            out = str(Path(folder) / "none")
            for arguments in (["nonsense"], ["scaling", "--sizes", "3"], ["scaling", "--budget", "-1"], ["scaling", "--sizes", "many"],
                              ["scaling", "--simulate", "abacus"], ["scaling", "--simulate", "nvlink-staged,gpus-a-node=0"],
                              ["size", "--simulate", "nvlink-staged"]):
                with self.subTest(arguments):
                    self.assertEqual(bench(*arguments, "--out", out).returncode, 2)
                    self.assertFalse(Path(out).exists())


if __name__ == "__main__":
    unittest.main()
