# SPDX-License-Identifier: Apache-2.0
"""Bodies that collide or hang on mooring lines, in whole runs on a GPU. Without one they are skipped."""
import unittest

import test_collisions
from gpu_process import NeedsGpu
from sluice_process import CASES, SluiceTest


class CollisionsOnTheGpu(NeedsGpu, test_collisions.Collisions):
    backend = ("--backend", "cuda", "--neighbour-list", "off")

    def test_what_goes_on_has_the_same_bits_with_any_threads_and_ranks(self):
        whole = self.computed("whole")
        self.computed("cut", "--steps", 437)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        for table in ("bodies/mkbound_1.csv", "bodies/mkbound_2.csv", "contacts.csv"):
            self.assertEqual((whole / table).read_bytes(), (self.dir / "cut" / table).read_bytes(), table)


class CollisionsWithNeighbourLists(CollisionsOnTheGpu):
    backend = ("--backend", "cuda", "--neighbour-list", "on")


class MooringLinesOnTheGpu(NeedsGpu, SluiceTest):
    def computed(self, name, *options):
        self.sluice("run", CASES / "moored-box-2d.xml", "-o", name, "--dp", 0.04, "--tmax", 0.4, "--pictures", 0, "--quiet", *options)
        tables = sorted((self.dir / name / "moorings").glob("*.csv")) + sorted((self.dir / name / "bodies").glob("*.csv"))
        self.assertTrue(tables)
        return tables

    def test_what_goes_on_has_the_same_bits(self):
        for lists in ("off", "on"):
            options = ("--backend", "cuda", "--neighbour-list", lists, "--overwrite")
            whole = self.computed("whole", *options)
            self.computed("cut", *options, "--steps", 300)
            self.sluice("run", "--resume", "cut", "--steps", 10 ** 9, "--quiet")
            for table in whole:
                self.assertEqual(table.read_bytes(), (self.dir / "cut" / table.parent.name / table.name).read_bytes(), table)

    def test_lines_pull_as_on_the_cpu(self):
        on_gpu, on_cpu = self.computed("gpu", "--backend", "cuda"), self.computed("cpu", "--backend", "cpu")
        self.assertEqual([table.name for table in on_gpu], [table.name for table in on_cpu])
        for table, other in zip(on_gpu, on_cpu):
            if table.parent.name != "moorings":
                continue
            for row, expected in list(zip(test_collisions.rows(table), test_collisions.rows(other)))[:4]:
                for column in ("tension_first [N]", "tension_second [N]", "x_first [m]", "z_first [m]"):
                    self.assertAlmostEqual(float(row[column]), float(expected[column]), delta=0.01 * abs(float(expected[column])))


if __name__ == "__main__":
    unittest.main()
