# SPDX-License-Identifier: Apache-2.0
"""What a user hears whose NVIDIA driver is too old for the build. LD_LIBRARY_PATH leads to old_driver.cpp."""
import unittest

from sluice_process import DATA, SluiceTest

CASE = str(DATA / "dam-break-2d.xml")
COMPLAINT = r"the NVIDIA driver supports CUDA 11\.4, but this build needs CUDA \d+\.\d+: update the driver"


class OldDriver(SluiceTest):
    def test_is_named_with_what_to_do_and_nothing_is_written(self):
        result = self.sluice("run", CASE, "--backend", "cuda", "-o", "out", code=1)
        self.assertRegex(result.stderr, "error: .*" + COMPLAINT)
        self.assertEqual(self.files(), [])

    def test_a_version_of_the_gpu_is_not_replaced_by_the_cpu(self):
        for option in (["--gpu-mode", "list"], ["--neighbour-list", "off"]):
            result = self.sluice("run", CASE, *option, "-o", "out", code=1)
            self.assertRegex(result.stderr, "error: .*" + COMPLAINT)
            self.assertEqual(self.files(), [])
            self.sluice("check", CASE, "--dp", "0.1", *option, "--gpu-memory", "10G")

    def test_leaves_the_cpu_to_those_who_did_not_ask_for_a_gpu(self):
        result = self.sluice("run", CASE, "--dp", "0.1", "--steps", "2", "--pictures", "0", "-o", "out")
        self.assertRegex(result.stderr, r"GPU: none \(" + COMPLAINT)
        self.assertIn("cpu: ", result.stderr)

    def test_shows_in_the_list_of_gpus(self):
        self.assertRegex(self.sluice("info").stdout, COMPLAINT)


if __name__ == "__main__":
    unittest.main()
