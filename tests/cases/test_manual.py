# SPDX-License-Identifier: Apache-2.0
"""Completion of shells and manual pages, which the program writes from its table of options."""
import re
import shutil
import subprocess
import unittest

from sluice_process import SluiceTest


def options_in_help(text):
    names = re.findall(r"^  ((?:-{1,2}[\w-]+,)*--[a-z-]+)", text, re.MULTILINE)
    return {name for line in names for name in line.split(",") if name.startswith("--")}


class Completion(SluiceTest):
    def complete(self, *words):
        """What bash offers for the last word."""
        script = self.write("sluice.bash", self.sluice("completion", "bash").stdout)
        line = " ".join(f"'{word}'" for word in ("sluice", *words))
        text = f"compopt() {{ :; }}; . {script.name}; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _sluice; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        done = subprocess.run(["bash", "-eu", "-c", text], cwd=self.dir, capture_output=True, text=True, check=True)
        return done.stdout.split()

    def test_bash_offers_commands_options_words_and_files(self):
        self.assertEqual(self.complete("rep"), ["report"])
        self.assertEqual(self.complete("help", "sur"), ["surface"])
        self.assertEqual(self.complete("run", "--back"), ["--backend"])
        self.assertEqual(set(self.complete("run", "--backend", "")), {"auto", "cpu", "cuda"})
        self.assertEqual(self.complete("export", "out", "--format", "c"), ["csv"])
        self.write("tank.xml", "")
        (self.dir / "tank_out").mkdir()
        self.assertEqual(set(self.complete("run", "tan")), {"tank.xml", "tank_out"})
        self.assertEqual(self.complete("report", "tan"), ["tank_out"])
        self.assertEqual(self.complete("run", "x.xml", "--tmax", ""), [])

    def test_bash_offers_each_option_of_each_command(self):
        for command in ("run", "check", "measure", "picture", "bench"):
            self.assertEqual({w for w in self.complete(command, "--")}, options_in_help(self.sluice(command, "--help").stdout), command)

    def test_zsh_and_fish_read_their_scripts(self):
        for shell, words in (("zsh", ("--backend[", "(auto cpu cuda)", "_files -/")), ("fish", ("-l backend", "auto cpu cuda"))):
            text = self.sluice("completion", shell).stdout
            for word in words:
                self.assertIn(word, text)
            if shutil.which(shell):
                script = self.write("script", text)
                done = subprocess.run([shell, "-n", script.name], cwd=self.dir, capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)

    def test_fish_completes(self):
        if not shutil.which("fish"):
            self.skipTest("no fish")
        self.write("sluice.fish", self.sluice("completion", "fish").stdout)
        done = subprocess.run(["fish", "--no-config", "-c", "source sluice.fish; complete -C 'sluice run --backend c'"], cwd=self.dir,
                              capture_output=True, text=True, check=True, env={"HOME": str(self.dir), "PATH": "/usr/bin:/bin"})
        self.assertEqual(sorted(line.split("\t")[0] for line in done.stdout.splitlines()), ["cpu", "cuda"])

    def test_another_shell_is_refused(self):
        self.assertIn("take one of bash, zsh, fish", self.sluice("completion", "csh", code=2).stderr)


class Manual(SluiceTest):
    def test_pages_have_every_option_and_format_without_a_warning(self):
        for command in ("", "run", "check", "measure", "bench"):
            words = [command] if command else []
            page = self.sluice("manual", *words).stdout
            named = set(re.findall(r"\\fB(--[a-z-]+)\\fR", page.replace("\\-", "-")))
            self.assertEqual(named, options_in_help(self.sluice(*words, "--help").stdout), command)
            if shutil.which("groff"):
                done = subprocess.run(["groff", "-man", "-ww", "-z", "-Kutf8"], input=page, capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""), command)

    def test_examples_and_exit_codes_stand_in_them(self):
        self.assertIn(".SH EXIT CODES\n", self.sluice("manual").stdout)
        run = self.sluice("manual", "run").stdout
        self.assertIn(".SH EXAMPLES\n", run)
        self.assertIn("sluice run \\-\\-resume out", run)

    def test_a_command_that_is_none_is_refused(self):
        self.assertIn("there is no command 'fly'", self.sluice("manual", "fly", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
