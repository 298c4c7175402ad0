# SPDX-License-Identifier: Apache-2.0
"""The job script of docs/clusters.md, run as Slurm would, with a srun and a scontrol that only pass on and take notes."""
import json
import os
import re
import subprocess
import time
import unittest

from sluice_process import CASES, DATA, SLUICE, SluiceTest


class JobScript(SluiceTest):
    def setUp(self):
        super().setUp()
        page = (CASES.parent / "docs/clusters.md").read_text()
        self.script = self.write("job.sh", re.search(r"```bash\n(.*?)```", page, re.S).group(1))
        for name, text in (("srun", '#!/bin/sh\nexec "$@"\n'), ("scontrol", f'#!/bin/sh\necho "$@" >> {self.dir}/notes\n')):
            self.program(name).write_text(text)
            self.program(name).chmod(0o755)
        self.program("sluice").symlink_to(SLUICE)
        (self.dir / "cases").mkdir()

    def program(self, name):
        (self.dir / "bin").mkdir(exist_ok=True)
        return self.dir / "bin" / name

    def write_case(self, end):
        text, count = re.subn(r'(key="TimeMax" value=)"[^"]*"', rf'\1"{end}"', (DATA / "dam-break-2d.xml").read_text())
        self.assertEqual(count, 1)
        text, count = re.subn(r'<definition dp="[^"]*"', '<definition dp="0.05"', text)
        self.assertEqual(count, 1)
        (self.dir / "cases/dam.xml").write_text(text)

    def job(self, seconds):
        """The exit code of a job that may last so long."""
        environment = {**os.environ, "HOME": str(self.dir), "SCRATCH": str(self.dir), "SLURM_JOB_ID": "17",
                       "SLURM_JOB_END_TIME": str(int(time.time()) + seconds), "PATH": f"{self.dir}/bin:{os.environ['PATH']}"}
        return subprocess.run(["bash", self.script], env=environment, cwd=self.dir, timeout=120, capture_output=True).returncode

    def notes(self):
        notes = self.dir / "notes"
        return notes.read_text().splitlines() if notes.exists() else []

    def run_json(self):
        return json.loads((self.dir / "dam/run.json").read_text())

    def test_goes_on_in_the_next_job_until_it_is_done(self):
        self.write_case(60)
        steps = 0
        for number in (1, 2):
            self.assertEqual(self.job(4), 0)
            self.assertEqual(self.notes(), ["requeue 17"] * number)
            self.assertEqual(self.run_json()["outcome"], "time_limit")
            self.assertGreater(self.run_json()["steps"], steps)
            steps = self.run_json()["steps"]

    def test_is_not_queued_again_when_it_is_done_or_cannot_run(self):
        self.assertEqual(self.job(300), 2, "no case")
        self.write_case(0.1)
        self.assertEqual(self.job(300), 0)
        self.assertEqual(self.run_json()["outcome"], "finished")
        self.assertEqual(self.job(300), 0)
        self.assertEqual(self.notes(), [])


if __name__ == "__main__":
    unittest.main()
