# SPDX-License-Identifier: Apache-2.0
"""What the validations in Python share. Python's own library only. With SLUICE_VALIDATION_OUT set, runs and plots stay there; with
SLUICE_VALIDATION_FINER, those that ask for finer() have so many times as many particles along each axis; SLUICE_VALIDATION_OPTIONS
are more options of `sluice run` (--threads 1, --device 1, --set Scheme=…)."""
import bisect
import csv
import math
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

SLUICE = os.environ["SLUICE"]
DATA = pathlib.Path(__file__).resolve().parent / "data"
KEEP = os.environ.get("SLUICE_VALIDATION_OUT")
FINER = float(os.environ.get("SLUICE_VALIDATION_FINER", "1"))
OPTIONS = shlex.split(os.environ.get("SLUICE_VALIDATION_OPTIONS", ""))
GRAVITY = 9.81


def finer(count, multiple=1):
    """`count` particles times SLUICE_VALIDATION_FINER, as a multiple of a number."""
    return max(multiple, round(count * FINER / multiple) * multiple)


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


def fitted(places, values, at, radius):
    """The value at a point of the plane that is the best fit, exact for linear fields, to values at places within a radius (moving
    least squares); also where all of them are on one side, as next to a wall."""
    sums = [[0.0] * 4 for _ in range(3)]
    for (x, z), value in zip(places, values):
        dx, dz = x - at[0], z - at[1]
        r2 = (dx * dx + dz * dz) / (radius * radius)
        if r2 >= 1: continue
        weight, row = (1 - r2) ** 2, (1.0, dx / radius, dz / radius, value)
        for i in range(3):
            for j in range(4): sums[i][j] += weight * row[i] * row[j]
    for i in range(3): # Gauss; the matrix is positive definite
        for k in range(i + 1, 3):
            factor = sums[k][i] / sums[i][i]
            for j in range(i, 4): sums[k][j] -= factor * sums[i][j]
    found = [0.0] * 3
    for i in (2, 1, 0):
        found[i] = (sums[i][3] - sum(sums[i][j] * found[j] for j in range(i + 1, 3))) / sums[i][i]
    return found[0]


def interpolated(times, values, t):
    """Linear between the points; the first or last value beyond them."""
    i = bisect.bisect_left(times, t)
    if i == 0: return values[0]
    if i == len(times): return values[-1]
    w = (t - times[i - 1]) / (times[i] - times[i - 1])
    return (1 - w) * values[i - 1] + w * values[i]


def mean(values):
    return sum(values) / len(values)


def rms(values):
    return math.sqrt(sum(v * v for v in values) / len(values))


def case_of(constants, definition, commands, casedef, special, parameters):
    """The text of a case from what stands in its parts; `parameters` by their keys."""
    return f'''<case><casedef><constantsdef>{constants}</constantsdef>
<mkconfig boundcount="240" fluidcount="10"/><geometry>{definition}<commands><mainlist>{commands}</mainlist></commands></geometry>
{casedef}</casedef><execution><special>{special}</special><parameters>
{"".join(f'<parameter key="{k}" value="{v}"/>' for k, v in parameters.items())}
<simulationdomain><posmax x="default" y="default" z="default + 50%"/></simulationdomain></parameters></execution></case>'''


def box(x, z, size_x, size_z):
    """Draws a filled rectangle of a 2-D case."""
    return (f'<drawbox><boxfill>solid</boxfill><point x="{x!r}" y="-1" z="{z!r}"/>'
            f'<size x="{size_x!r}" y="2" z="{size_z!r}"/></drawbox>')


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
        subprocess.run([SLUICE, "run", case, "-o", out, "--overwrite", "--pictures", "0", "--quiet", *map(str, options), *OPTIONS], check=True)
        return out

    @staticmethod
    def frames(out, *options):
        """(time, columns) of the fluid of the stored frames that `sluice export` chooses by the options."""
        folder = out / "csv"
        subprocess.run([SLUICE, "export", out, "-o", folder, "--format", "csv", "--overwrite", "--quiet", *map(str, options)], check=True)
        times = table(out / "flow.csv")["time"]
        return [(times[int(file.stem.split("_")[-1])], table(file)) for file in sorted(folder.glob("fluid_*.csv"))]
