# SPDX-License-Identifier: Apache-2.0
"""Starts the executable under test in a folder of its own."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SLUICE = os.environ["SLUICE"]
CASES = pathlib.Path(os.environ["SLUICE_CASES"])


class SluiceTest(unittest.TestCase):
    """A test with a temporary working directory and `self.sluice(...)`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def sluice(self, *arguments, code=0):
        result = subprocess.run([SLUICE, *map(str, arguments)], cwd=self.dir, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, code, f"{arguments}\n{result.stdout}\n{result.stderr}")
        return result

    def files(self):
        return sorted(str(path.relative_to(self.dir)) for path in self.dir.rglob("*"))

    def write(self, name, text):
        path = self.dir / name
        path.write_text(text)
        return path
