# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share. Without numpy and h5py they are skipped (exit code 77)."""
import importlib.util
import os
import pathlib
import sys
import tempfile
import unittest

if not all(importlib.util.find_spec(name) for name in ("numpy", "h5py")):
    print("skipped: numpy or h5py is missing")
    sys.exit(77)

CASES = pathlib.Path(os.environ["SLUICE_CASES"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
DAM = CASES / "dam-break-2d.xml"
QUICK = {"threads": 1, "pictures": 0}


def has(*names):
    return all(importlib.util.find_spec(name) for name in names)


class PackageTest(unittest.TestCase):
    """A test with a temporary folder `self.dir`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
