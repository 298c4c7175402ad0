# SPDX-License-Identifier: Apache-2.0
"""Looking at a run while it runs: status, watch, --progress json, and run.json on the way. A test in a browser is run where chromium is
installed."""
import json
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest
import urllib.error
import urllib.request

from sluice_process import SLUICE, SluiceTest

PLAIN = pathlib.Path(__file__).parent.parent / "faults/plain.xml"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")


class Watching(SluiceTest):
    def start(self, *arguments, **options):
        process = subprocess.Popen([SLUICE, *map(str, arguments)], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def long_run(self):
        """A run that goes on until it is stopped, and has said how far it is."""
        run = self.start("run", PLAIN, "-o", "run", "--pictures", 0, "--threads", 1, "--tmax", 1000, "--tout", 0.05)
        self.until(lambda: "progress" in self.run_json())
        return run

    def until(self, holds, seconds=60):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, "it did not come about")
            time.sleep(0.05)

    def run_json(self):
        path = self.dir / "run/run.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def test_run_json_tells_how_far_a_run_is(self):
        run = self.long_run()
        first = self.run_json()
        self.assertEqual((first["status"], first["outcome"]), ("running", None))
        self.assertEqual(first["progress"]["time_max"], 1000)
        self.assertAlmostEqual(first["progress"]["done"], first["simulated_seconds"] / 1000)
        self.assertGreater(first["progress"]["seconds_left"], 0)
        self.assertGreater(first["steps"], 0)
        self.until(lambda: self.run_json()["steps"] > first["steps"])
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(), 3)
        self.assertNotIn("progress", self.run_json())

    def test_status_of_a_run_that_is_alive_dead_and_done(self):
        run = self.long_run()
        alive = self.sluice("status", "run").stdout
        self.assertRegex(alive, rf"plain: running \(process {run.pid} on .*\): +[0-9.]+ %, t = [0-9.]+ of 1000 s, left .* frames?\n$")
        told = json.loads(self.sluice("status", "run", "--json").stdout)
        self.assertTrue(told["alive"])
        self.assertIn(str(run.pid), told["process"])
        self.assertEqual(told["frames"], len(list((self.dir / "run/frames").glob("frame*.h5"))))
        follower = self.start("status", "run", "--follow")
        run.kill() # without a word
        run.wait()
        self.assertEqual(follower.wait(), 3)
        self.assertIn("no process runs it any more", follower.stdout.read())
        dead = self.sluice("status", "run", code=3).stdout
        self.assertIn("sluice run --resume run goes on", dead)
        self.assertFalse(json.loads(self.sluice("status", "run", "--json", code=3).stdout)["alive"])

        self.sluice("run", PLAIN, "-o", "short", "--pictures", 0, "--steps", 20)
        self.assertRegex(self.sluice("status", "short").stdout, r"^plain: step_limit: t = [0-9.]+ s after 20 steps in .*; the 20 steps of --steps are done\n$")
        self.assertEqual(self.sluice("status", "short", "--follow").stdout, self.sluice("status", "short").stdout)
        self.sluice("run", PLAIN, "-o", "bad", "--pictures", 0, "--tmax", 0.3, "--max-excluded", 5, code=5)
        self.assertIn("stopped", self.sluice("status", "bad", code=5).stdout)

    def test_what_is_no_run(self):
        self.assertIn("there is no such folder", self.sluice("status", "nowhere", code=2).stderr)
        (self.dir / "empty").mkdir()
        for command in ("status", "watch"):
            self.assertIn("there is no run.json", self.sluice(command, "empty", code=2).stderr)
        (self.dir / "empty/run.json").write_text("{")
        self.assertIn("run.json is damaged", self.sluice("status", "empty", code=2).stderr)
        self.assertEqual(self.files(), ["empty", "empty/run.json"])

    def test_progress_for_programs(self):
        result = self.sluice("run", PLAIN, "-o", "run", "--pictures", 0, "--tmax", 0.1, "--progress", "json")
        *steps, end = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual((steps[-1]["done"], steps[-1]["seconds_left"]), (1, 0))
        self.assertEqual((end["outcome"], end["exit_code"], end["step"]), ("finished", 0, self.run_json()["steps"]))
        self.assertEqual([s["step"] for s in steps], sorted(s["step"] for s in steps))
        self.assertLessEqual(len(steps), 2 + self.run_json()["wall_seconds"])
        result = self.sluice("run", PLAIN, "-o", "run", "--overwrite", "--pictures", 0, "--tmax", 0.3, "--max-excluded", 5, "--progress", "json", code=5)
        self.assertEqual(json.loads(result.stdout.splitlines()[-1])["outcome"], "stopped")

    def served(self, *options):
        """`sluice watch run`, and the address that it tells."""
        process = subprocess.Popen([SLUICE, "watch", "run", *map(str, options)], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, re.search(r"http://localhost:[0-9]+", process.stdout.readline()).group()

    def test_the_report_is_served_and_renewed(self):
        run = self.long_run()
        self.until(lambda: len(list((self.dir / "run/frames").glob("frame*.h5"))) > 1)
        watch, address = self.served()
        page = urllib.request.urlopen(address, timeout=60).read().decode()
        self.assertIn('id="player-data"', page)
        version = re.search(r'data-version="([^"]*)"', page).group(1)
        state = lambda: json.load(urllib.request.urlopen(address + "/state", timeout=60))
        self.assertEqual(state()["state"], "running")
        self.until(lambda: state()["version"] != version)
        # a frame that came while the page was made is in it already, and the version another all the same
        frames = lambda text: text.count('"position":')
        self.until(lambda: frames(urllib.request.urlopen(address + "/?again", timeout=60).read().decode()) > frames(page))
        self.assertFalse((self.dir / "run/report.html").exists())
        run.send_signal(signal.SIGINT)
        run.wait()
        self.assertEqual(state()["state"], "interrupted")

        for code, request in ((404, urllib.request.Request(address + "/run.json")), (405, urllib.request.Request(address, data=b"x")),
                              (403, urllib.request.Request(address, headers={"Host": "example.org"}))):
            with self.subTest(code), self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=60)
            self.assertEqual(refused.exception.code, code)
            refused.exception.close()
        port = address.rsplit(":", 1)[1]
        self.assertIn("choose another with --port", self.sluice("watch", "run", "--port", port, code=2).stderr)
        watch.send_signal(signal.SIGINT)
        self.assertEqual(watch.wait(), 0)

    @unittest.skipUnless(BROWSER, "needs chromium")
    def test_a_browser_shows_the_newest_frame(self):
        run = self.long_run()
        self.until(lambda: len(list((self.dir / "run/frames").glob("frame*.h5"))) > 2)
        run.send_signal(signal.SIGINT)
        run.wait()
        _, address = self.served()
        shown = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--use-gl=swiftshader", "--enable-unsafe-swiftshader",
                                "--virtual-time-budget=20000", "--dump-dom", address], capture_output=True, text=True, timeout=120, check=True).stdout
        frames = len(list((self.dir / "run/frames").glob("frame*.h5")))
        self.assertIn(f'data-frame="{frames - 1}"', shown)
        self.assertRegex(shown, r'class="live" data-state="interrupted">plain: interrupted')


if __name__ == "__main__":
    unittest.main()
