# SPDX-License-Identifier: Apache-2.0
"""The tests of test_resume.py on a GPU. Without one they are skipped, or fail where SLUICE_REQUIRE_GPU=1 promises one."""
import os
import subprocess
import unittest

import test_resume
from sluice_process import CASES, SLUICE


def why_no_gpu():
    """What the executable says of the GPU that it does not find; empty if there is one."""
    command = [SLUICE, "check", str(CASES / "dam-break-2d.xml"), "--dp", "0.1", "--backend", "cuda"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return "" if result.returncode == 0 else result.stderr.strip()


NO_GPU = why_no_gpu()


class OnTheGpu(test_resume.GoingOn):
    backend = ["--backend", "cuda", "--neighbour-list", "off"]

    def setUp(self):
        if NO_GPU:
            if os.environ.get("SLUICE_REQUIRE_GPU") == "1":
                self.fail(f"a GPU is required: {NO_GPU}")
            self.skipTest(NO_GPU)
        super().setUp()


class WithNeighbourLists(OnTheGpu):
    backend = ["--backend", "cuda", "--neighbour-list", "on"]


if __name__ == "__main__":
    unittest.main()
