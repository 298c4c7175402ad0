# SPDX-License-Identifier: Apache-2.0
"""special/outputparts: which particles frames hold, and what commands say to such frames."""
import json
import unittest

from sluice_process import CASES, SluiceTest, rows

DAM_BREAK = CASES / "dam-break-2d.xml"
FLOATING_BOX = CASES / "floating-box-2d.xml"
NEAR = '<filterpos operation="add"><posmax x="0.5"/></filterpos>'


class OutputParts(SluiceTest):
    def with_parts(self, case, name, filters, preselection="none"):
        text, word = case.read_text(), f'<outputparts preselection="{preselection}">{filters}</outputparts>'
        if "<special>" in text:
            text = text.replace("<special>", "<special>" + word, 1)
        else:
            text = text.replace("<execution>", f"<execution><special>{word}</special>", 1)
        self.assertIn(word, text)
        return self.write(name, text)

    def run_with(self, filters, out="run", case=DAM_BREAK, preselection="none", more=()):
        self.with_parts(case, "case.xml", filters, preselection)
        self.sluice("run", "case.xml", "-o", out, "--dp", 0.05, "--tmax", 0.4, "--tout", 0.1, "--pictures", 0, *more)

    def particles(self, out, number, kind="fluid"):
        self.sluice("export", out, "-o", "csv", "--format", "csv", "--boundary", "--first", number, "--last", number, "--overwrite")
        return rows(self.dir / f"csv/{kind}_{number:06}.csv")

    def test_the_run_stays_the_same_and_frames_hold_less(self):
        self.run_with("", "all", preselection="all")
        self.run_with('<ignore nparts="2"/>' + NEAR)
        everything, run = (json.loads((self.dir / name / "run.json").read_text()) for name in ("all", "run"))
        self.assertIsNone(everything["output_parts"])
        self.assertEqual(run["output_parts"], {"whole_every": 2, "left_out": {"fluid": 0, "boundary": 0}})
        self.assertEqual((self.dir / "all/flow.csv").read_text(), (self.dir / "run/flow.csv").read_text())
        for kind in ("fluid", "boundary"):
            for number in (2, 3):
                wanted = [row for row in self.particles("all", number, kind) if number == 2 or float(row["x [m]"]) <= 0.5]
                self.assertEqual(self.particles("run", number, kind), wanted)
            self.assertGreater(len(wanted), 30)
        # what needs all particles says what it does not have
        for command in (("measure", "run", "--point", 0.2, 0, 0.1, "-o", "p.csv"), ("surface", "run", "-o", "s"),
                        ("volumes", "run", "--box", 0, -1, 0, 4, 1, 4, "-o", "v.csv"), ("scene", "run", "-o", "s.abc")):
            self.assertIn("2 of 5 frames lack fluid particles", self.sluice(*command).stderr)
            chosen = self.sluice(*command, "--first", 0, "--every", 2, *(["--overwrite"] if command[0] == "surface" else []))
            self.assertNotIn("lack", chosen.stderr)
        self.assertIn("lacks", self.sluice("forces", "run", "--mkbound", 0, "-o", "f.csv", code=2).stderr)
        self.assertIn("--first 0 --every 2", self.sluice("forces", "run", "--mkbound", 0, "-o", "f.csv", code=2).stderr)
        # what does not, shows what there is
        self.sluice("report", "run")
        self.assertIn("outputparts of the case selects", (self.dir / "run/report.html").read_text())
        for command in (("picture", "run", "--frame", 3, "-o", "p.png"), ("trace", "run", "--near", 0.2, 0, 0.2, "-o", "t.csv"),
                        ("walls", "run", "-o", "walls")):
            self.sluice(*command)

    def test_a_run_goes_on_as_if_nothing_were_left_out(self):
        filters = '<filtertype operation="add"><type v="fluid"/></filtertype>' + NEAR
        self.run_with(filters, "whole")
        self.run_with(filters, "parts", more=("--steps", 150))
        self.sluice("run", "--resume", "parts", "--steps", 100000)
        for number in range(5):
            name = f"frames/frame_{number:06}.h5"
            self.assertEqual((self.dir / "whole" / name).read_bytes(), (self.dir / "parts" / name).read_bytes(), name)

    def test_ranks_leave_out_the_same(self):
        self.run_with(NEAR, "one")
        self.run_with(NEAR, "three", more=("--ranks", 3))
        for number in range(5):
            self.assertEqual(self.particles("one", number), self.particles("three", number))

    def test_a_filter_follows_a_body(self):
        box = '<filtersphere operation="add"><ftfollow mkbound="1"/><radius v="0.4"/></filtersphere>'
        self.with_parts(FLOATING_BOX, "case.xml", box)
        self.sluice("run", "case.xml", "-o", "run", "--dp", 0.04, "--tmax", 0.3, "--tout", 0.15, "--pictures", 0)
        centres = {float(row["time [s]"]): row for row in rows(self.dir / "run/bodies/mkbound_1.csv")}
        for number, (time, row) in enumerate(sorted(centres.items())):
            x, z = (float(row[next(name for name in row if name.startswith(axis))]) for axis in "xz")
            held = [p for kind in ("fluid", "boundary") for p in self.particles("run", number, kind)]
            self.assertGreater(len(held), 20)
            for p in held:
                self.assertLess((float(p["x [m]"]) - x) ** 2 + (float(p["z [m]"]) - z) ** 2, 0.4001 ** 2)

    def test_check_tells_and_refuses(self):
        self.with_parts(DAM_BREAK, "case.xml", NEAR)
        found = json.loads(self.sluice("check", "case.xml", "--dp", 0.05, "--json").stdout)
        self.assertGreater(found["left_out"]["fluid"], 100)
        text = " ".join(self.sluice("check", "case.xml", "--dp", 0.05).stdout.split())
        self.assertIn(f"leave out {found['left_out']['fluid']} fluid and {found['left_out']['boundary']} boundary particles", text)
        self.with_parts(DAM_BREAK, "wrong.xml", '<filtermk operation="add"><mkbound v="77"/></filtermk>')
        self.assertRegex(self.sluice("run", "wrong.xml", "-o", "wrong", code=2).stderr, r"wrong.xml:\d+: <filtermk> mkbound 77")
        self.assertFalse((self.dir / "wrong").exists())
        self.assertIn("mkbound 77", self.sluice("check", "wrong.xml", code=2).stdout)


if __name__ == "__main__":
    unittest.main()
