# SPDX-License-Identifier: Apache-2.0
"""The commands and the Python of docs/, as they stand there.

As one of the short tests a run takes some steps only, and what the scripts print is not looked at. With
SLUICE_DOCS_WHOLE=1 runs go to their ends, which takes minutes, and the numbers that the pages give are compared."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

from sluice_process import CASES, SLUICE, SluiceTest, rows

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PYTHON = os.environ.get("SLUICE_TEST_PYTHON") or sys.executable
WHOLE = bool(os.environ.get("SLUICE_DOCS_WHOLE"))
SOME_STEPS = ("--steps", "40")


def fenced(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def indented(text):
    """The blocks that are indented by four blanks, outside of fences."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)]


def commands(text):
    """The lines that call the program with real names, not CASE.xml or DIR."""
    lines = [line.split("  #")[0] for block in indented(text) for line in block.splitlines()]
    return [line for line in lines if line.startswith("sluice ") and not re.search(r"[A-Z]{3}|\||…|\[", line)]


def scripts(text):
    return fenced(text, "python") + [block for block in indented(text) if block.startswith("import ")]


class Docs(SluiceTest):
    def setUp(self):
        super().setUp()
        (self.dir / "cases").symlink_to(CASES)

    def call(self, line):
        words = shlex.split(line)[1:]
        if words[0] == "run" and not WHOLE:
            words += SOME_STEPS
        return subprocess.run([SLUICE, *words], cwd=self.dir, capture_output=True, text=True, timeout=3000, check=False)

    def run_page(self, name, before=(), whole_only=r"$^"):
        """Runs all that is on a page; what its scripts print. `before`: commands that the page leaves to the reader.
        Commands and scripts in which `whole_only` is found need a run to its end, or take too long."""
        text = (DOCS / name).read_text()
        takes = lambda part: WHOLE or not re.search(whole_only, part)
        for line in filter(takes, (*before, *commands(text))):
            if line.startswith("sluice movie") and not shutil.which("ffmpeg"):
                continue
            with self.subTest(line):
                result = self.call(line)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        parts = list(filter(takes, scripts(text)))
        if not parts:
            return ""
        modules = {"numpy", "pandas", "matplotlib"} | set(re.findall(r"^(?:import|from) (\w+)", "\n".join(parts), re.MULTILINE))
        if "sluice" in modules:
            modules = modules - {"sluice"} | {"h5py"}
        if subprocess.run([PYTHON, "-c", f"import {', '.join(sorted(modules))}"], capture_output=True, check=False).returncode != 0:
            self.skipTest(f"{PYTHON} lacks one of {', '.join(sorted(modules))}: the scripts of the page are not run")
        # all of a page is one program, as a reader would type it
        script = self.write("page.py", "\n".join(parts))
        result = subprocess.run([PYTHON, script.name], cwd=self.dir, capture_output=True, text=True, timeout=1500, check=False,
                                env={**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(DOCS.parent / "python/src")})
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_guide(self):
        own = [block for block in fenced((DOCS / "guide.md").read_text(), "xml") if "<case>" in block]
        self.assertEqual(len(own), 1)
        self.write("tank.xml", own[0])
        self.run_page("guide.md", ["sluice check tank.xml", "sluice run tank.xml -o out"])
        log = (self.dir / "dam" / "run.log").read_text()
        told = re.search(r"^    (\d+ particles .*)$", (DOCS / "guide.md").read_text(), re.MULTILINE).group(1)
        self.assertIn(told, log)
        if WHOLE:
            self.assertEqual(rows(self.dir / "dam" / "excluded.csv"), [])

    def test_open_channel(self):
        printed = self.run_page("tutorials/open-channel.md")
        if WHOLE and printed:
            text = (DOCS / "tutorials" / "open-channel.md").read_text()
            told = re.search(r"that gives ([\d.]+) m before the block, ([\d.]+) m behind it, and ([\d.]+) m³/s", text).groups()
            for name, value in zip(("upstream", "downstream", "discharge"), told):
                found = float(re.search(rf"^{name} (\S+)$", printed, re.MULTILINE).group(1))
                self.assertAlmostEqual(found, float(value), delta=0.003, msg=name)

    def test_wave_flume(self):
        self.run_page("tutorials/wave-flume.md")

    def test_absorbing_paddle(self):
        self.run_page("tutorials/absorbing-paddle.md")

    def test_dam_break(self):
        self.run_page("tutorials/dam-break.md")

    def test_sloshing(self):
        self.run_page("tutorials/sloshing.md")

    def test_floating_box(self):
        printed = self.run_page("tutorials/floating-box.md")
        if WHOLE and printed:
            told = float(re.search(r"particles\), (\d+) N", (DOCS / "tutorials/floating-box.md").read_text()).group(1))
            found = float(re.search(r"in the end (\S+) N", printed).group(1))
            self.assertAlmostEqual(found, told, delta=0.05 * told)

    def test_wave_energy(self):
        printed = self.run_page("tutorials/wave-energy.md")
        if WHOLE and printed:
            text = (DOCS / "tutorials" / "wave-energy.md").read_text()
            told = float(re.search(r"takes ([\d.]+) W", text).group(1))
            found = float(re.search(r"power of the damper (\S+) W", printed).group(1))
            self.assertAlmostEqual(found, told, delta=0.05 * told)

    def test_moored_buoy(self):
        printed = self.run_page("tutorials/moored-buoy.md")
        if WHOLE and printed:
            text = (DOCS / "tutorials" / "moored-buoy.md").read_text()
            told = re.search(r"with ([\d.]+) N at rest.* tensions are ([\d.]+) and ([\d.]+) N", text).groups()
            rest = float(re.search(r"line 0: at rest (\S+) N", printed).group(1))
            self.assertAlmostEqual(rest, float(told[0]), delta=0.1)
            for line in (0, 1):
                found = float(re.search(rf"line {line}: .* largest (\S+) N", printed).group(1))
                self.assertAlmostEqual(found, float(told[1 + line]), delta=0.1 * found)

    def test_elastic_gate(self):
        printed = self.run_page("tutorials/elastic-gate.md")
        if WHOLE and printed:
            text = (DOCS / "tutorials" / "elastic-gate.md").read_text()
            told = float(re.search(r"deflects it by ([\d.]+) mm", text).group(1))
            found = float(re.search(r"largest deflection (\S+) mm", printed).group(1))
            self.assertAlmostEqual(found, told, delta=0.03 * told)

    def test_flume_body(self):
        """The case of the page as it stands there, and what the page says of it."""
        text = (DOCS / "tutorials/flume-body.md").read_text()
        (case,) = fenced(text, "xml")
        self.write("flume.xml", case)
        printed = self.run_page("tutorials/flume-body.md", whole_only="sluice reflection|sweep")
        for told in ("30 kg per metre, 0.5 of the fluid's density", re.search(r"^    (regular waves .*)$", text, re.MULTILINE).group(1)):
            self.assertIn(told, " ".join(self.sluice("check", "flume.xml").stdout.split()))
        for dp in (0.025, 0.0125):
            self.assertNotIn("warning", self.sluice("check", "-q", "flume.xml", "--dp", dp).stdout)
        piston = '<mkbound value="10"/> <depth value="0.3"/>'
        for given, wrong, said in (
                ('pointmax x="5.6"', 'pointmax x="1.9"', "the floating mkbound 1 has no particles"),
                (piston, piston.replace("0.3", "0.5"), "its depth is 0.5 m, and the water beside it is 0.3 m deep"),
                ('point0 x="3"', 'point0 x="30"', ""), ('point2 x="3"', 'point2 x="30"', "lies outside the domain on x"),
                ('limitmin x="3.2" y="0" z="0"/> <limitmax x="5"', 'limitmin x="32" y="0" z="0"/> <limitmax x="50"', "has no fluid in it at the start"),
                ('waveheight value', 'waveheigth value', "<piston> has no <waveheight>, is <waveheigth> of line")):
            self.assertIn(given, case)
            slipped = case.replace(given, wrong)
            if not said:
                case = slipped
                continue
            shown = subprocess.run([SLUICE, "check", "-q", self.write("slip.xml", slipped)], capture_output=True, text=True, check=False).stdout
            self.assertIn(said, " ".join(shown.split()))
        self.assertRegex(" ".join(self.sluice("check", "-q", "flume.xml", "--dp", 0.03).stdout.split()), r"floating mkbound 1 0\.0\d+ m2 for 0\.06 m2")
        if WHOLE and printed:
            for name, told in (("heave", 0.069), ("surge", 0.063)):
                self.assertAlmostEqual(float(re.search(rf"{name} (\S+) m", printed).group(1)), told, delta=0.002)
            order = float(re.search(r"rest Convergence\(order=([\d.]+)", printed).group(1))
            self.assertAlmostEqual(order, 1.9, delta=0.2)

    def test_stl(self):
        self.run_page("tutorials/stl.md")

    def test_paraview(self):
        self.run_page("tutorials/paraview.md")

    def test_sweep(self):
        """Its three runs are whole ones; that takes half a minute."""
        if WHOLE:
            self.run_page("tutorials/sweep.md")

    def test_cluster_restart(self):
        """The commands of the page, with less time."""
        shown = fenced((DOCS / "tutorials/cluster-restart.md").read_text(), "sh")
        first, second = (re.findall(r"^sluice .*$", block, re.MULTILINE)[0] for block in shown)
        self.sluice(*shlex.split(re.sub(r"--time-limit \d+", "--time-limit 3", first))[1:], code=4)
        done = json.loads((self.dir / "dam/run.json").read_text())["steps"]
        self.assertGreater(done, 0)
        self.sluice(*shlex.split(second)[1:], "--steps", done + 50)
        self.assertEqual(json.loads((self.dir / "dam/run.json").read_text())["steps"], done + 50)


if __name__ == "__main__":
    unittest.main()
