# SPDX-License-Identifier: Apache-2.0
"""Options, messages and exit codes of the executable."""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import unittest

from sluice_process import CASES, DATA, SLUICE, SluiceTest

DAM_BREAK = DATA / "dam-break-2d.xml"


class Help(SluiceTest):
    def test_every_command_has_help_with_its_options(self):
        self.assertIn("run", self.sluice("--help").stdout)
        text = self.sluice("run", "--help").stdout
        for option in ("--out", "--threads", "--steps", "--tmax", "--tout", "--dp", "--set", "--cpu-mode", "--cells"):
            self.assertIn(option, text)
        self.assertIn("--json", self.sluice("check", "--help").stdout)
        self.sluice("info", "--help")

    def test_wrong_command_lines_are_bad_input(self):
        self.sluice(code=2)
        self.sluice("fly", code=2)
        self.sluice("run", code=2)
        self.sluice("run", DAM_BREAK, "--dp", "-1", code=2)
        self.sluice("run", DAM_BREAK, "--cpu-mode", "sideways", code=2)
        self.assertIn("KEY=VALUE", self.sluice("run", DAM_BREAK, "--set", "Visco", code=2).stderr)

    def test_messages_say_what_is_wanted_and_what_was_given(self):
        (self.dir / "folder").mkdir()
        self.sluice("run", DAM_BREAK, "-o", "run", "--steps", 1, "--dp", 0.1, "--pictures", 0)
        for words, wanted in (
                (("run", DAM_BREAK, "--backend", "gpu"), "there is no 'gpu' (did you mean cuda?)"),
                (("run", DAM_BREAK, "--set", "Viscosity=1"), "(did you mean Visco?)"),
                (("picture", "run", "-o", "p.png", "--time", 99), "--time 99: no frame is near to it; they go from 0 to"),
                (("run", DAM_BREAK, "--dp", "abc"), "--dp: a number above 0 is wanted (abc is given)"),
                (("run", DAM_BREAK, "--dp", "-1"), "--dp: a number above 0 is wanted (-1 is given)"),
                (("run", DAM_BREAK, "--dp", "inf"), "--dp: a number above 0 is wanted (inf is given)"),
                (("run", DAM_BREAK, "--threads", "0"), "--threads: a whole number is wanted, 1 to 1024 (0 is given)"),
                (("run", DAM_BREAK, "--compression", "10"), "--compression: a whole number is wanted, 0 to 9 (10 is given)"),
                (("run", DAM_BREAK, "--every-nth-particle", "1000001"), "a whole number is wanted, 1 to 1000000 (1000001 is given)"),
                (("run", DAM_BREAK, "--simd", "v9"), "take one of auto, off, v2, v3, v4"),
                (("run", DAM_BREAK, "--thread", "2"), "(did you mean --threads?)"),
                (("movie", "run", "-o", "a.mp4", "--fps", "0"), "--fps: a whole number is wanted, 1 or more (0 is given)"),
                (("export", "run", "-o", "x", "--format", "foo"), "there is no 'foo': take one of vtp, csv"),
                (("measure", "run", "-o", "x.csv", "--point", "0", "0"), "--point: needs X Y Z (2 numbers given)"),
                (("picture", "run", "-o", "x.png", "--frame", "999"), "(frame 999); there are frames 0 to 1"),
                (("picture", "run", "-o", "x.png", "--crop", "0", "0"), "--crop: XMIN YMIN ZMIN XMAX YMAX ZMAX are wanted; sluice"),
                (("picture", "run", "-o", "x.png", "--frame"), "--frame: N is wanted; sluice"),
                (("picture", "run", "-o", "x.png", "--colour", "vorticity"), "or run with --fields +vorticity"),
                (("export", "run", "-o", "x", "--mk", "0"), "no option --mk (did you mean --mkfluid or --mkbound?)"),
                (("measure", "run", "-o", "x.csv", "--line", 0, 0, 0, 1, 0, 1, 2.5), "is a whole number (2.5)"),
                (("run", DAM_BREAK, "one", "more"), "arguments were not expected: more one; sluice run --help"),
                (("reprot", "run"), "there is no command 'reprot' (did you mean report?); the commands are run, check"),
                (("dam.xml",), "sluice: dam.xml is no command but looks like a case: sluice run dam.xml"),
                (("folder",), "no command but a folder: sluice report folder shows a run in it"),
                ((), "Usage: sluice")):
            self.assertIn(wanted, self.sluice(*words, code=2).stderr, words)

    def test_a_stack_that_is_too_small_is_told(self):
        for command in (["check", DAM_BREAK], ["--version"]):
            result = subprocess.run(["sh", "-c", 'ulimit -s 64 && exec "$0" "$@"', SLUICE, *map(str, command)], cwd=self.dir,
                                    capture_output=True, text=True, timeout=300)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("the stack is limited to 64 KiB, and 256 are needed: raise the limit", result.stderr)

    def test_a_case_reads_nothing_outside_of_its_folder(self):
        (self.dir / "secret.txt").write_text("hunter2 0 0\n")
        (self.dir / "ball.stl").write_text("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n")
        case = self.dir / "case"
        case.mkdir()
        text = DAM_BREAK.read_text().replace("</mainlist>", '<drawfilestl file="mesh.stl"/></mainlist>')
        (case / "case.xml").write_text(text)
        for name in ("secret.txt", "ball.stl"):
            (case / "mesh.stl").unlink(missing_ok=True)
            (case / "mesh.stl").symlink_to(f"../{name}")
            result = self.sluice("run", "case/case.xml", "-o", "run", "--steps", 1, code=2)
            self.assertRegex(result.stderr, r"case\.xml:\d+: the file case/mesh\.stl lies, through a link, outside the folder of the case")
            self.assertNotIn("hunter2", result.stderr)
            self.assertFalse((self.dir / "run").exists())

    def test_what_selects_nothing_is_told(self):
        self.sluice("run", DAM_BREAK, "--tmax", 0.05, "--set", "TimeOut=0.01", "--dp", 0.1, "--pictures", 0, "-o", "run")
        for words, wanted in (
                (("picture", "nosuch", "-o", "a.png"), "error: nosuch: there is no such folder"),
                (("picture", "run", "-o", "a.png", "--azimuth", "abc"), "error: picture: --azimuth: a number is wanted (abc is given)"),
                (("picture", "run", "-o", "a.png", "--crop", 90, 0, 90, 91, 1, 91), "--crop: no particle lies in the box"),
                (("forces", "run", "-o", "f.csv", "--mk", 11), "no boundary of mkbound 11; it has mkbound 0"),
                (("export", "run", "-o", "e", "--mkfluid", 4), "no mkfluid 4; it has mkfluid 0")):
            self.assertIn(wanted, self.sluice(*words, code=2).stderr, words)
        self.assertFalse((self.dir / "a.png").exists())
        for words, wanted in ((("export", "run", "-o", "run"), "name another one"), (("export", "run", "-o", "run/gauges/../checkpoints"), "name another one"),
                              (("report", "run", "-o", "r.pdf"), ".html is wanted (r.pdf"), (("check", DAM_BREAK, "--vtp", "s.vtu"), ".vtp is wanted (s.vtu")):
            self.assertIn(wanted, self.sluice(*words, code=2).stderr, words)
        empty = self.sluice("export", "run", "-o", "e", "--box", 90, 0, 90, 91, 1, 91)
        self.assertIn("none of the chosen particles lies in --box", empty.stderr + empty.stdout)
        self.sluice("export", "run", "-o", "one", "--from", 0.0301, "--to", 0.0301, "--format", "csv")
        self.assertEqual([f.name for f in (self.dir / "one").iterdir()], ["fluid_000003.csv"])
        self.assertIn("1 frame in one", self.sluice("export", "run", "-o", "one", "--first", 0, "--last", 0, "--overwrite").stderr)
        self.sluice("picture", "run", "-o", "a.png", "--time", 0.02, "--width", 600)
        self.assertTrue((self.dir / "a.png").exists())

    def test_a_file_is_no_folder_to_go_on_in(self):
        self.assertIn(f"--resume wants the output folder of a run, and {DAM_BREAK} is a file",
                      self.sluice("run", "--resume", DAM_BREAK, code=2).stderr)

    def test_missing_and_damaged_frames_are_told(self):
        self.sluice("run", DAM_BREAK, "--tmax", 0.05, "--set", "TimeOut=0.01", "--dp", 0.1, "--pictures", 0, "-o", "run")
        frames = self.dir / "run/frames"
        self.assertNotIn("missing", self.sluice("export", "run", "-o", "whole").stderr)
        (frames / "frame_000002.h5").unlink()
        self.assertIn("run: a frame is missing from the series (2)", self.sluice("export", "run", "-o", "gap").stderr)
        (frames / "frame_000004.h5").write_text("no frame")
        self.sluice("picture", "run", "-o", "p.png", "--frame", 3)
        self.assertTrue((self.dir / "p.png").exists(), "frames are drawn though another one is damaged")
        self.assertIn("sluice run --resume run --redo-gap", self.sluice("export", "run", "-o", "e", code=1).stderr)

    def test_help_of_a_command_with_examples(self):
        for command in ("run", "check", "report", "export", "measure", "movie", "forces", "runup", "overtopping",
                        "volumes", "trace", "reflection", "surface", "slice", "walls", "scene", "picture", "info", "bench",
                        "completion", "manual"):
            text = self.sluice("help", command).stdout
            self.assertEqual(text, self.sluice(command, "--help").stdout)
            self.assertIn(f"Usage: sluice {command}", text)
            self.assertIn(f"Examples:\n  sluice {command} ", text)
        self.assertEqual(self.sluice("help").stdout, self.sluice("--help").stdout)
        self.assertIn("one of vtp, csv; default vtp", " ".join(self.sluice("help", "export").stdout.split()))
        self.assertIn("one of auto, off, v2, v3, v4; default auto", " ".join(self.sluice("help", "run").stdout.split()))
        self.assertIn("--box XMIN YMIN ZMIN XMAX YMAX ZMAX\n", self.sluice("help", "export").stdout)

    def test_help_fits_a_terminal(self):
        for command in ("", "run", "check", "report", "export", "measure", "movie", "forces", "runup", "overtopping",
                        "volumes", "trace", "reflection", "surface", "slice", "walls", "scene", "picture", "info", "bench",
                        "completion", "manual"):
            for line in self.sluice(*command.split(), "--help").stdout.splitlines():
                self.assertLess(len(line), 80, line)
                self.assertNotRegex(line, r"(FLOAT|U?INT)\b|:N")

    def test_quiet_leaves_the_log_alone(self):
        run = ("run", DAM_BREAK, "--steps", 2, "--dp", 0.1, "--pictures", 0, "--quiet")
        result = self.sluice(*run, "-o", "run")
        self.assertEqual(result.stdout + result.stderr, "")
        log = (self.dir / "run/run.log").read_text()
        self.assertIn("after 2 steps", log)
        self.assertRegex(log.splitlines()[0], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ")
        started = json.loads((self.dir / "run/run.json").read_text())["started"]
        self.assertEqual(log[:13], started[:13].replace(" ", "T"), "both in UTC")
        self.assertEqual(self.sluice("picture", "run", "-o", "a.png", "-q").stderr, "")
        self.assertIn("--overwrite", self.sluice(*run, "-o", "run", code=2).stderr, "errors are told")

    def test_a_quiet_check_tells_what_it_found_alone(self):
        self.assertEqual(self.sluice("check", DAM_BREAK, "--dp", 0.1, "-q").stdout, "")
        self.assertIn("Visco", self.sluice("check", DAM_BREAK, "--dp", 0.1, "-q", "--set", "Visco=5").stdout)
        refused = self.sluice("check", DAM_BREAK, "--dp", 0.1, "-q", "--set", "CoefDtMin=-1", code=2)
        self.assertIn("CoefDtMin", refused.stdout + refused.stderr)

    def test_a_case_that_is_wrong_elsewhere_shows_its_particles(self):
        wrong = ('<parameter key="ViscoTreatment" value="9"/>', '<parameter key="DensityDTvalue" value="abc"/>')
        case = self.write("case.xml", DAM_BREAK.read_text().replace("<parameters>", "<parameters>\n" + "\n".join(wrong)))
        result = self.sluice("check", case, "--picture", "start.png", code=2)
        self.assertRegex(result.stdout, r"mkfluid 0 +fluid +5000\n")
        self.assertTrue((self.dir / "start.png").exists())
        reasons = json.loads(self.sluice("check", case, "--json", code=2).stdout)["reasons"]
        for wanted in ("ViscoTreatment must be", '"abc" is not a number'):
            self.assertTrue(any(wanted in reason for reason in reasons), reasons)
        for reason in reasons:
            self.assertIn(reason, result.stdout)
            self.assertIn(reason, self.sluice("run", case, "-o", "run", code=2).stderr)

    def test_a_domain_that_leaves_walls_out_is_a_reason_beside_the_particles(self):
        domain = '<simulationdomain><posmin x="10" y="default" z="10"/><posmax x="11" y="default" z="11"/></simulationdomain>'
        text = re.sub(r"<simulationdomain>.*?</simulationdomain>", "", DAM_BREAK.read_text(), flags=re.DOTALL).replace("</parameters>", domain + "</parameters>")
        shown = self.sluice("check", self.write("case.xml", text), "--backend", "cpu", code=2).stdout
        self.assertRegex(shown, r"mkfluid 0 +fluid +5000\n")
        self.assertIn("boundary particles lie outside the domain", shown[shown.index("would refuse this case"):])

    def test_another_spacing_is_held_against_that_of_the_case(self):
        tank = CASES / "hydrostatic-tank.xml"
        check = lambda dp: self.sluice("check", tank, "--dp", dp, "-q").stdout
        for said in ("hydrostatic-tank.xml:20: warning: --dp 0.03 draws other sizes than the case's own spacing (0.01 m)",
                     "fluid 0.5202 m2 for 0.495 m2 (+5.1 %)", "its height 0.51 m for 0.5 m", "the right side of the fluid is open over 0.51 m more"):
            self.assertIn(said, " ".join(check(0.03).split()))
        faithful = re.search(r"--dp (\S+) is the nearest that keeps them", " ".join(check(0.03).split())).group(1)
        self.assertEqual(faithful, "0.0166667")
        self.assertNotIn("draws other sizes", check(faithful))
        self.assertIn("no spacing near it keeps them: write the sizes as multiples of Dp", " ".join(check(0.04).split()))

    def test_info_for_programs(self):
        info = json.loads(self.sluice("info", "--json").stdout)
        self.assertEqual([mode["option"] for mode in info["cpu_modes"]], ["asymmetric", "symmetric", "slices"])
        self.assertTrue(any(level["available"] for level in info["simd"]))
        self.assertGreaterEqual(info["threads"], 1)
        self.assertIsInstance(info["gpus"], list)

    def test_the_case_language_for_programs(self):
        words = json.loads(self.sluice("check", "--explain", "--json").stdout)
        self.assertIn({"section": "constantsdef", "word": "rhop0"}, [{k: w[k] for k in ("section", "word")} for w in words])
        text = " ".join(self.sluice("check", "--explain").stdout.split())  # in lines of 80 columns
        for word in words:
            self.assertIn(" ".join(word["meaning"].split()), text)

    def test_the_list_of_benches_fits_into_80_columns(self):
        lines = [line for line in self.sluice("bench", "list").stdout.splitlines() if not line.startswith("No GPU")]
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual({len(re.match(r"(\S+ )? +", line)[0]) for line in lines}, {19}, "two columns")

    def test_info_names_modes_and_instruction_sets(self):
        text = self.sluice("info").stdout
        for word in ("asymmetric", "symmetric", "slices", "processor", "--simd"):
            self.assertIn(word, text)


class Environment(SluiceTest):
    def test_openmp_says_how_many_threads(self):
        info = self.sluice("info", environment={"OMP_NUM_THREADS": "3"}).stdout
        self.assertRegex(info, r"processor: .*, 3 threads")
        run = self.sluice("run", DAM_BREAK, "--dp", 0.1, "--steps", 1, "--backend", "cpu", "-o", "run", "--pictures", 0,
                          environment={"OMP_NUM_THREADS": "3"})
        self.assertIn("CPU: 3 threads", run.stderr)

    @unittest.skipUnless(os.environ.get("SLUICE_STATIC_GOMP"), "GNU OpenMP is not linked statically")
    def test_waiting_threads_spin_shortly_unless_told_otherwise(self):
        def spin_counts(**variables):
            settings = {"OMP_WAIT_POLICY": None, "GOMP_SPINCOUNT": None, "OMP_DISPLAY_ENV": "verbose", **variables}
            return re.findall(r"GOMP_SPINCOUNT = '(\w+)'", self.sluice("info", environment=settings).stderr)

        self.assertIn("1000", spin_counts())  # a library may bring another OpenMP of its own
        self.assertEqual(set(spin_counts(GOMP_SPINCOUNT="7")), {"7"})
        self.assertEqual(set(spin_counts(OMP_WAIT_POLICY="passive")), {"0"})


class Terminal(SluiceTest):
    def on_a_terminal(self, columns, *words, code=0):
        """What a command writes to a terminal of so many columns."""
        try:
            master, slave = pty.openpty()
        except OSError as error:  # bare containers have no /dev/pts
            self.skipTest(f"no pseudo-terminal can be opened here: {error}")
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        with subprocess.Popen([SLUICE, *map(str, words)], cwd=self.dir, stdout=slave, stderr=slave) as process:
            os.close(slave)
            output = b""
            try:
                while part := os.read(master, 4096):
                    output += part
            except OSError:  # the other end is closed
                pass
            os.close(master)
        self.assertEqual(process.returncode, code)
        return output.decode().replace("\x1b[K", "").replace("\r\n", "\n")

    def test_the_progress_line_fits_into_the_width(self):
        for columns in (40, 80, 90, 200):
            output = self.on_a_terminal(columns, "run", DAM_BREAK, "-o", f"run{columns}", "--dp", 0.05, "--tmax", 0.1, "--pictures", 0)
            progress = [line for line in re.split(r"[\r\n]", output) if " %  t = " in line]
            self.assertTrue(progress)
            for line in progress:
                self.assertLess(len(line), columns)
        self.assertIn("particle-steps/s  dt", progress[0])

    def test_tables_and_messages_fit_into_the_width(self):
        self.write("case.xml", DAM_BREAK.read_text().replace("<parameters>", '<parameters><parameter key="Viscosity" value="1"/>'))
        self.write("good.xml", DAM_BREAK.read_text())
        for columns in (80, 100):
            for code, *words in ((0, "info"), (0, "check", "--explain"), (0, "check", "good.xml", "--dp", 0.05, "--gpu-memory", "1G"),
                                 (2, "check", "case.xml", "--dp", 0.05), (0, "run", "--help"), (2, "run", "case.xml")):
                for line in self.on_a_terminal(columns, *words, code=code).split("\n"):
                    self.assertLessEqual(len(line), columns, line)

    def test_without_a_terminal_tables_fit_and_messages_are_one_line_each(self):
        for words in (("info",), ("check", "--explain")):
            for line in self.sluice(*words).stdout.splitlines():
                self.assertLessEqual(len(line), 80, line)
        lines = self.sluice("check", DAM_BREAK, "--dp", 0.05, "--gpu-memory", "1G").stdout.splitlines()
        for line in lines[1:]:
            self.assertTrue(len(line) <= 80 or line.startswith(f"{DAM_BREAK}:"), line)
        told = [line for line in lines if line.startswith(f"{DAM_BREAK}:") and "info: walls" in line]
        self.assertEqual(len(told), 1)
        self.assertGreater(len(told[0]), 80)


class RecommendedScheme(SluiceTest):
    CASE = """<case><casedef><constantsdef><gravity x="0" y="0" z="-9.81"/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/><geometry><definition dp="0.05"><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/>
</definition><commands><mainlist><setdrawmode mode="full"/>
<setmkbound mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="-0.2"/><size x="1" y="2" z="0.2"/></drawbox>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.3" y="-1" z="0.05"/><size x="0.4" y="2" z="0.4"/></drawbox>
</mainlist></commands></geometry>{normals}</casedef>
<execution><parameters><parameter key="Scheme" value="{scheme}"/>{parameters}</parameters></execution></case>"""
    NORMALS = """<normals><norplane mkbound="0"><point x="0" y="0" z="0.025"/><normal x="0" y="0" z="1"/><maxdisth v="0"/></norplane></normals>"""

    def case(self, normals=NORMALS, parameters="", scheme="recommended"):
        return self.write("case.xml", self.CASE.format(normals=normals, parameters=parameters, scheme=scheme))

    def test_what_it_takes_is_told(self):
        case = self.case(parameters='<parameter key="DensityDT" value="2"/>')
        told = "; otherwise than it: DensityDT=2 (3 is recommended)"
        self.assertIn(told, self.sluice("check", case).stdout)
        self.sluice("run", case, "-o", "run", "--steps", 1, "--pictures", 0)
        self.assertIn(told, (self.dir / "run/run.log").read_text())
        run = json.loads((self.dir / "run/run.json").read_text())
        self.assertEqual(run["scheme"], json.loads(self.sluice("check", case, "--json").stdout)["scheme"])
        self.assertEqual(run["scheme"]["otherwise"], {"DensityDT": {"used": "2", "recommended": "3"}})
        self.assertEqual(run["scheme"]["taken"]["Boundary"], "2")
        constants = run["constants"]
        self.assertEqual((constants["boundary"], constants["density_diffusion"]), ("modified_dynamic", "fourtakas"))
        self.assertAlmostEqual(constants["h"], 1.3 * 2 ** 0.5 * 0.05)
        self.assertEqual(run["scheme"]["name"], "flow")
        # a run that goes on has it from effective-case.xml
        self.sluice("run", "--resume", "run", "--steps", 2)
        self.assertEqual(json.loads((self.dir / "run/run.json").read_text())["scheme"], run["scheme"])

    def test_without_normals_it_says_how_to_give_them(self):
        warning = "warning: the scheme takes dynamic boundary particles (Boundary=1), as the case has no normals of walls"
        self.assertIn(warning, self.sluice("check", self.case(normals="")).stdout)
        self.assertNotIn(warning, self.sluice("check", self.case()).stdout)
        self.sluice("run", self.case(normals=""), "-o", "run", "--steps", 1, "--pictures", 0)
        log = (self.dir / "run/run.log").read_text()
        self.assertIn("the scheme takes dynamic boundary particles", log)
        self.assertIn("norplane, norsphere, norcylinder or geometryfile", log)

    def test_another_value_is_one_message(self):
        for result, place in ((self.sluice("run", self.case(scheme="best"), "-o", "run", code=2), "case.xml:7"),
                              (self.sluice("run", self.case(), "--set", "Scheme=best", "-o", "run", code=2), "command line")):
            self.assertRegex(result.stderr, f"^error: .*{place}: parameter Scheme is recommended, flow, waves or none \\(best\\)\n$")
        self.assertFalse((self.dir / "run").exists())


class BadInput(SluiceTest):
    def refused(self, *arguments):
        result = self.sluice("run", *arguments, code=2)
        self.assertEqual(self.files(), self.before, "bad input must leave nothing behind")
        return result.stderr

    def setUp(self):
        super().setUp()
        self.before = []

    def test_missing_file(self):
        self.assertIn("nowhere.xml", self.refused("nowhere.xml"))

    def test_unknown_parameter_key(self):
        self.assertIn("Viscosity", self.refused(DAM_BREAK, "--set", "Viscosity=1"))

    def test_a_value_with_an_equals_sign(self):
        self.assertIn('FlowType: "a=b"', self.refused(DAM_BREAK, "--set", "FlowType=a=b"))

    def test_malformed_file_is_named_with_its_line(self):
        case = self.write("broken.xml", "<case>\n<casedef>\n</case>\n")
        self.before = self.files()
        self.assertRegex(self.refused(case), r"broken\.xml:\d+: ")

    def test_unsupported_element_is_named_with_its_line(self):
        text = DAM_BREAK.read_text().replace("<gauges>", "<magic/>\n            <gauges>")
        line = text[: text.index("<magic")].count("\n") + 1
        case = self.write("magic.xml", text)
        self.before = self.files()
        message = self.refused(case)
        self.assertIn(f"magic.xml:{line}:", message)
        self.assertIn("magic", message)

    def test_a_case_without_fluid(self):
        case = self.write("dry.xml", DAM_BREAK.read_text().replace("setmkfluid", "setmkbound"))
        self.before = self.files()
        self.assertRegex(self.refused(case), r"dry\.xml:\d+: .*no fluid")

    def test_options_of_the_other_device(self):
        self.assertIn("--cpu-mode", self.refused(DAM_BREAK, "--backend", "cuda", "--cpu-mode", "slices"))
        self.assertIn("--gpu-mode", self.refused(DAM_BREAK, "--backend", "cpu", "--gpu-mode", "list"))
        self.assertIn("--gpus are for GPUs", self.refused(DAM_BREAK, "--backend", "cpu", "--gpus", 2))
        self.assertIn("--gpus: a whole number is wanted, 1 to 32", self.refused(DAM_BREAK, "--gpus", 0))

    def test_a_finished_run_is_not_overwritten(self):
        self.sluice("run", DAM_BREAK, "-o", "run", "--steps", 2, "--dp", 0.1, "--pictures", 0)
        before = self.files()
        self.assertIn("--overwrite", self.sluice("run", DAM_BREAK, "-o", "run", "--steps", 2, "--dp", 0.1, code=2).stderr)
        self.assertEqual(self.files(), before)
        keep = self.write("run/notes.txt", "mine")
        self.sluice("run", DAM_BREAK, "-o", "run", "--steps", 3, "--dp", 0.1, "--pictures", 0, "--overwrite")
        self.assertTrue(keep.exists())
        self.assertEqual([path.name for path in (self.dir / "run/checkpoints").iterdir()], ["checkpoint_000000000003.h5"])
        self.assertEqual(json.loads((self.dir / "run/run.json").read_text())["steps"], 3)


class Check(SluiceTest):
    def test_json_has_the_documented_shape_and_writes_nothing(self):
        report = json.loads(self.sluice("check", DAM_BREAK, "--json", "--dp", 0.05).stdout)
        self.assertEqual(self.files(), [])
        particles = report["particles"]
        self.assertEqual(particles["total"], sum(b["count"] for b in particles["blocks"]))
        for block in particles["blocks"]:
            self.assertIn(block["type"], ("fixed", "moving", "floating", "fluid"))
            for key in ("min", "max", "mean", "std"):
                self.assertEqual(len(block[key]), 3)
        fluid = [b for b in particles["blocks"] if b["type"] == "fluid"]
        self.assertEqual([(b["mk"], b["count"]) for b in fluid], [(1, 20 * 40)])
        constants = report["constants"]
        self.assertAlmostEqual(constants["h"], 2**0.5 * 0.05)
        self.assertAlmostEqual(constants["mass_fluid"], 1000 * 0.05**2)
        self.assertAlmostEqual(constants["b"], constants["c0"] ** 2 * 1000 / 7, delta=1)
        for key in ("dp", "mass_bound", "c0"):
            self.assertGreater(constants[key], 0)
        for axis in range(3):
            self.assertLess(report["domain"]["min"][axis], report["domain"]["max"][axis])
        self.assertTrue(report["memory"])
        for entry in report["memory"]:
            self.assertGreater(entry["bytes"], 0)
        self.assertIsInstance(report["diagnostics"], list)

    def test_shows_the_memory_plan_of_a_gpu_that_is_not_here(self):
        def check(limit, *options):
            return self.sluice("check", CASES / "dam-break-3d.xml", "--dp", 0.04, "--gpu-memory", limit, *options).stdout

        def plan(limit, *options):
            return json.loads(check(limit, "--json", *options))["gpu"]

        large = plan("141G")["modes"]
        versions = [version["mode"] for version in large]
        for version in large:
            tight = plan(version["bytes"] + 1)
            self.assertEqual(tight["available"], version["bytes"] + 1)
            self.assertEqual(tight["mode"], version["mode"])
            self.assertEqual([v["mode"] for v in tight["modes"] if v["fits"]], versions[versions.index(version["mode"]):])
            self.assertIn(version["mode"], tight["why"])
        self.assertRegex(check(large[1]["bytes"] + 1), re.escape(versions[1]) + " .* chosen\n")
        nothing = plan("1M")
        self.assertIsNone(nothing["mode"])
        self.assertRegex(nothing["why"], "needs .* but only 1 MB are available: too little for any dp")
        self.assertIn(nothing["why"], check("1M"))
        self.assertEqual({version["finest_dp"] for version in nothing["modes"]}, {0})
        self.assertEqual(plan("141G", "--gpu-mode", "slow-h")["mode"], "SlowCells(h)")

    def test_shows_the_memory_plan_of_several_gpus_and_refuses_what_does_not_fit(self):
        def check(limit, gpus, code=0):
            return json.loads(self.sluice("check", CASES / "dam-break-3d.xml", "--dp", 0.02, "--json", "--gpu-memory", limit, "--gpus", gpus,
                                          code=code).stdout)

        alone, shared = check("1G", 1)["gpu"], check("1G", 3)["gpu"]
        self.assertEqual((alone["gpus"], shared["gpus"]), (1, 3))
        self.assertEqual(alone["modes"][0]["fewest_gpus"], 1)
        self.assertNotEqual(alone["particles"], shared["particles"])
        refused = check("6M", 2, code=2)
        self.assertIsNone(refused["gpu"]["mode"])
        self.assertRegex(refused["reasons"][0], "^GPU memory: .* on each of 2 GPUs for .* a dp of about")

    def test_a_case_with_the_dp_that_is_said_to_fit_does_fit(self):
        def plan(case, dp, limit):
            report = json.loads(self.sluice("check", case, "--dp", dp, "--gpu-memory", limit, "--json").stdout)
            return report["particles"]["total"], report["gpu"]

        for case, dp, limits in ((CASES / "dam-break-3d.xml", 0.006, ("6M", "15M", "40M")), (DATA / "dam-break-2d.xml", 0.005, ("6M", "12M"))):
            for limit in limits:
                why = plan(case, dp, limit)[1]["why"]
                told = float(re.search(r"a dp of about (\S+) would fit", why).group(1))
                total, fitting = plan(case, told, limit)
                self.assertIsNotNone(fitting["mode"], (case, limit, why))
                smallest = fitting["modes"][-1]
                self.assertAlmostEqual(smallest["finest_dp"] / told, 0.97, delta=0.03)
                self.assertAlmostEqual(smallest["most_particles"] / total, 1.1, delta=0.1)

    def test_the_estimate_is_of_the_steps_that_a_run_takes(self):
        estimate = json.loads(self.sluice("check", DAM_BREAK, "--json", "--dp", 0.05, "--tmax", 0.3).stdout)["estimate"]
        self.sluice("run", DAM_BREAK, "-o", "run", "--dp", 0.05, "--tmax", 0.3, "--pictures", 0)
        steps = json.loads((self.dir / "run/run.json").read_text())["steps"]
        self.assertAlmostEqual(estimate["steps"] / steps, 1, delta=0.12)
        self.assertGreater(estimate["timed_steps"], 10)
        self.assertLessEqual(estimate["wall_seconds_low"], estimate["wall_seconds"])
        self.assertLessEqual(estimate["wall_seconds"], estimate["wall_seconds_high"])
        self.assertGreater(estimate["picture_seconds"], 0)
        self.assertAlmostEqual(estimate["wall_seconds"],
                               estimate["steps"] * estimate["seconds_per_step"] + estimate["picture_seconds"])

    def test_a_large_case_is_estimated_from_a_part(self):
        def estimate(dp):
            report = json.loads(self.sluice("check", CASES / "dam-break-3d.xml", "--json", "--dp", dp, "--backend", "cpu").stdout)
            return report["particles"]["total"], report["constants"]["dt_first"], report["estimate"]

        small, dt_small, whole = estimate(0.02)
        self.assertEqual(whole["measured_particles"], small)
        total, dt, part = estimate(0.0032)
        self.assertGreater(total, 2_300_000)
        self.assertAlmostEqual(part["measured_particles"], 2_000_000, delta=100_000)
        self.assertAlmostEqual(dt / dt_small, 0.0032 / 0.02, delta=0.02)

    def test_cases_that_cannot_run_show_their_particles(self):
        text = DAM_BREAK.read_text()
        dry = self.dir / "dry.xml"
        dry.write_text(text.replace("setmkfluid", "setmkvoid"))
        still = self.dir / "still.xml"
        still.write_text(text.replace('z="-9.81"', 'z="0"'))
        for case, level, word in ((dry, "warning", "no fluid"), (still, "error", "speed of sound")):
            report = json.loads(self.sluice("check", case, "--json", "--dp", 0.05, "--vtp", f"{case}.vtp", code=2).stdout)
            self.assertFalse(report["runnable"])
            self.assertEqual([key for key in ("constants", "estimate") if key in report], [], case)
            self.assertTrue(any(word in reason for reason in report["reasons"]), case)
            self.assertGreater(report["particles"]["total"], 100)
            self.assertTrue(any(d["level"] == level and word in d["message"] for d in report["diagnostics"]), case)
            self.assertIn(word, self.sluice("check", case, "--dp", 0.05, code=2).stdout)

    def test_normals_of_walls_are_counted_and_shown(self):
        case = self.dir / "walls.xml"
        normals = """<normals><norplane mkbound="0"><point auto="true"/><normal x="0" y="0" z="1"/><maxdisth v="{}"/></norplane></normals>"""
        for reach, level in ((0, None), (0.1, "warning")):
            case.write_text(DAM_BREAK.read_text().replace("</casedef>", normals.format(reach) + "</casedef>"))
            shown = self.dir / "walls.vtp"
            check = ("check", case, "--dp", 0.05, "--vtp", shown)
            report = json.loads(self.sluice(*check, "--json").stdout)
            walls = report["particles"]["blocks"][0]
            missing = [d for d in report["diagnostics"] if "have no normal" in d["message"]]
            self.assertEqual([d["level"] for d in missing], [level] if level else [])
            self.assertEqual(walls["normals"] < walls["count"], bool(level))
            self.assertNotIn("normals", report["particles"]["blocks"][-1])
            self.assertIn(f"mkbound 0            {walls['normals']} of {walls['count']} particles", self.sluice(*check).stdout)
            self.assertIn(b'Name="normal"', shown.read_bytes())

    def test_motion_is_shown_as_tables_and_plots(self):
        case = self.dir / "moving.xml"
        motion = """<motion><objreal ref="0"><begin mov="1" start="0.1"/>
<mvfile id="1" duration="1"><file name="gate.csv" fields="2" fieldtime="0" fieldz="1"/></mvfile></objreal></motion>"""
        case.write_text(DAM_BREAK.read_text().replace("</casedef>", motion + "</casedef>"))
        moves = self.dir / "moves"
        check = ("check", case, "--dp", 0.05, "--motion", moves)
        self.assertIn("gate.csv cannot be read", self.sluice(*check, code=2).stdout)
        self.assertFalse(moves.exists())
        (self.dir / "gate.csv").write_text("#time;z\n0;0\n0.2;0.5\n")
        self.sluice(*check)
        rows = (moves / "mkbound0.csv").read_text().splitlines()
        self.assertEqual(len(rows), 2002)
        columns = rows[0].split(",")
        first, last = ([float(cell) for cell in row.split(",")] for row in (rows[1], rows[-1]))
        z = columns.index("z [m]")
        self.assertAlmostEqual(last[z] - first[z], 0.5, places=12)
        self.assertIn("<svg", (moves / "motion.html").read_text())
        self.assertIn("has no <motion>", self.sluice("check", DAM_BREAK, "--motion", moves, code=2).stderr)

    def test_text_shows_particles_constants_and_estimates(self):
        text = self.sluice("check", DAM_BREAK, "--dp", 0.05).stdout
        for word in ("fluid", "fixed", "smoothing length", "speed of sound", "first time step", "memory by mode", "steps"):
            self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main()
