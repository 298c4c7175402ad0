# SPDX-License-Identifier: Apache-2.0
"""What a run makes of the memory of the GPU, as its log tells."""
import json
import re
import unittest

from gpu_process import NeedsGpu
from sluice_process import CASES, SluiceTest

CASE = [str(CASES / "dam-break-3d.xml"), "--dp", "0.02"]


class MemoryPlan(NeedsGpu, SluiceTest):
    def plan(self, limit):
        return json.loads(self.sluice("check", *CASE, "--gpu-memory", limit, "--json").stdout)["gpu"]

    def run_with(self, limit, *options, code=0):
        return self.sluice("run", *CASE, "--gpu-memory", limit, "--steps", "3", "--pictures", "0", "--overwrite",
                           "-o", "out", *options, code=code)

    def test_limits_walk_through_the_versions_and_the_log_says_why(self):
        for version in self.plan("141G")["modes"]:
            limit = version["bytes"] + 1
            self.run_with(limit)
            self.assertEqual(json.loads((self.dir / "out/run.json").read_text())["mode"], version["mode"])
            log = (self.dir / "out/run.log").read_text()
            self.assertIn("for the run:", log)
            for other in self.plan(limit)["modes"]:
                is_it = other["mode"] == version["mode"]
                verdict = "  chosen" if is_it else "" if other["fits"] else "  too big"
                self.assertRegex(log, re.escape(other["mode"]) + rf" .*B +[\d.]+( [kMG])?{verdict}\n")
            self.assertIn(self.plan(limit)["why"], log)

    def test_too_little_memory_is_told_before_anything_is_written(self):
        least = self.plan("141G")["modes"][-1]
        error = self.run_with(int(0.9 * least["bytes"]), code=2).stderr
        self.assertRegex(error, re.escape(least["mode"]) + r" needs .* but only .* a dp of about 0\.02\d* would fit")
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    unittest.main()
