# SPDX-License-Identifier: Apache-2.0
"""What the validations in Python share. Python's own library only. With SLUICE_VALIDATION_OUT set, the runs stay there."""
import bisect
import csv
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

SLUICE = os.environ["SLUICE"]
DATA = pathlib.Path(__file__).resolve().parent / "data"
KEEP = os.environ.get("SLUICE_VALIDATION_OUT")
GRAVITY = 9.81


def table(path):
    """Columns of a CSV file as lists of numbers, by their names without units."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {name.split(" [")[0]: [float(row[name]) for row in rows] for name in rows[0]}


def series(name, *key):
    """(times, values) of the rows of a file in data/ that begin with `key`, in the order of time."""
    with open(DATA / name, encoding="utf-8") as file:
        rows = [row for row in csv.reader(line for line in file if not line.startswith("#")) if tuple(row[:len(key)]) == key]
    points = sorted((float(row[len(key)]), float(row[len(key) + 1])) for row in rows)
    return [t for t, _ in points], [v for _, v in points]


def interpolated(times, values, t):
    """Linear between the points; the first or last value beyond them."""
    i = bisect.bisect_left(times, t)
    if i == 0: return values[0]
    if i == len(times): return values[-1]
    w = (t - times[i - 1]) / (times[i] - times[i - 1])
    return (1 - w) * values[i - 1] + w * values[i]


def rms(values):
    return math.sqrt(sum(v * v for v in values) / len(values))


class ValidationCase(unittest.TestCase):
    def setUp(self):
        if KEEP:
            self.dir = pathlib.Path(KEEP)
            self.dir.mkdir(parents=True, exist_ok=True)
        else:
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            self.dir = pathlib.Path(folder.name)

    def run_text(self, name, text, *options):
        """Runs a case of this text; returns the folder of the run."""
        case = self.dir / f"{name}.xml"
        case.write_text(text, encoding="utf-8")
        out = self.dir / name
        subprocess.run([SLUICE, "run", case, "-o", out, "--overwrite", "--pictures", "0", "--quiet", *map(str, options)], check=True)
        return out
