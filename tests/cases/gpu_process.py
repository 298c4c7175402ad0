# SPDX-License-Identifier: Apache-2.0
"""Tests of the executable that need a GPU: skipped without one, or failed where SLUICE_REQUIRE_GPU=1 promises one."""
import os
import subprocess

from sluice_process import DATA, SLUICE


def why_no_gpu():
    """What the executable says of the GPU that it does not find; empty if there is one."""
    command = [SLUICE, "check", str(DATA / "dam-break-2d.xml"), "--dp", "0.1", "--backend", "cuda"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return "" if result.returncode == 0 else result.stderr.strip()


NO_GPU = why_no_gpu()


class NeedsGpu:
    """To be named before the test's other base."""

    def setUp(self):
        if NO_GPU:
            if os.environ.get("SLUICE_REQUIRE_GPU") == "1":
                self.fail(f"a GPU is required: {NO_GPU}")
            self.skipTest(NO_GPU)
        super().setUp()
