# SPDX-License-Identifier: Apache-2.0
"""Starts the executable under test in a folder of its own, and reads its tables."""
import csv
import os
import pathlib
import subprocess
import tempfile
import unittest

SLUICE = os.environ["SLUICE"]
CASES = pathlib.Path(os.environ["SLUICE_CASES"])  # those that are shipped
DATA = pathlib.Path(__file__).resolve().parents[1] / "data"  # those of tests alone

# One gauge of every kind, for the 2-D dam break.
GAUGES = """
<velocity name="speed"><computedt value="0.005"/><point x="0.5" y="0" z="0.3"/></velocity>
<pressure name="depth"><point x="0.1" y="0" z="0.1"/></pressure>
<maxz name="crest"><point0 x="0.2" y="0" z="0"/><height value="3"/><distlimit coefh="2"/></maxz>
<force name="tank"><target mkbound="0"/></force>
<flowrate name="outflow"><point0 x="1.2" y="0" z="3"/><point1 x="1.2" y="0" z="0"/></flowrate>
<flow name="through"><point x="1.2" y="0" z="0"/><vec1 x="0" y="1" z="0"/><vec2 x="0" y="0" z="1"/>
<size1 length="1" distpt="1"/><size2 length="3" distpt="0.02"/><dirdat x="1" y="0" z="0"/></flow>
<mesh name="field"><computedt value="0.05"/><point x="0.2" y="0" z="0.1"/><vec1 x="1" y="0" z="0"/><size1 length="0.6" distpt="0.3"/>
<vec3 x="0" y="0" z="1"/><size3 length="2.4" distpt="0.2"/><outputdata value="vel,zsurf"/></mesh>"""


def rows(path):
    """Data rows of a CSV file as dictionaries."""
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def numbers(path, column):
    return [float(row[column]) for row in rows(path)]


class SluiceTest(unittest.TestCase):
    """A test with a temporary working directory and `self.sluice(...)`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def sluice(self, *arguments, code=0, environment=None):
        """Runs the executable; a value None in `environment` takes a variable away."""
        variables = {**os.environ, **(environment or {})}
        result = subprocess.run([SLUICE, *map(str, arguments)], cwd=self.dir, capture_output=True, text=True, timeout=300,
                                env={name: value for name, value in variables.items() if value is not None})
        self.assertEqual(result.returncode, code, f"{arguments}\n{result.stdout}\n{result.stderr}")
        return result

    def case_that_loses_fluid(self):
        """The 2-D dam break on a floor that ends in front of the water, without a wall there."""
        text = (DATA / "dam-break-2d.xml").read_text()
        for old, new in (("bottom | left | right", "bottom | left"), ('<size x="4" y="2" z="3"/>', '<size x="1.1" y="2" z="3"/>')):
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.write("case.xml", text)

    def files(self):
        return sorted(str(path.relative_to(self.dir)) for path in self.dir.rglob("*"))

    def write(self, name, text):
        path = self.dir / name
        path.write_text(text)
        return path

    def case_with_gauges(self, path, gauges):
        """The case file with more gauges, as case.xml."""
        return self.write("case.xml", path.read_text().replace("</default>", "</default>" + gauges))
