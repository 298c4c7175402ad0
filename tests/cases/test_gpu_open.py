# SPDX-License-Identifier: Apache-2.0
"""The flows of test_open.py on a GPU. Without one they are skipped, or fail where SLUICE_REQUIRE_GPU=1 promises one."""
import unittest

import test_open
from gpu_process import NeedsGpu


class OnTheGpu(NeedsGpu, test_open.Flows):
    backend = ["--backend", "cuda", "--neighbour-list", "off"]


class WithNeighbourLists(OnTheGpu):
    backend = ["--backend", "cuda", "--neighbour-list", "on"]


if __name__ == "__main__":
    unittest.main()
