# SPDX-License-Identifier: Apache-2.0
"""Cases that Python edits and builds are what the program reads."""
import difflib
import os
import unittest
from unittest import mock

from package_test import CASES, DAM, PackageTest

import sluice
from sluice import shapes


def changed_lines(before, after):
    lines = difflib.ndiff(before.decode().splitlines(), after.decode().splitlines())
    return [line[0] + line[2:].strip() for line in lines if line[0] in "+-"]


class Edits(PackageTest):
    def case(self, text):
        path = self.dir / "case.xml"
        path.write_bytes(text.encode())
        return sluice.Case(path)

    def test_every_case_that_comes_with_sluice_keeps_its_bytes(self):
        for path in sorted(CASES.glob("*.xml")):
            case = sluice.Case(path)
            self.assertFalse(case.changed)
            dp = case["dp"]
            case.set(dp=0.5).set(dp=dp)
            self.assertEqual(case.text, path.read_bytes(), path)

    def test_only_what_is_named_changes(self):
        case = sluice.Case(DAM).set(dp=0.1, tmax=2, coefsound=12)
        self.assertEqual(changed_lines(DAM.read_bytes(), case.text), [
            '+<coefsound value="12"/>',
            '-<definition dp="0.02" units_comment="m">', '+<definition dp="0.1" units_comment="m">',
            '-<parameter key="TimeMax" value="1"/>', '+<parameter key="TimeMax" value="2"/>'])
        self.assertTrue(case.changed)

    def test_unknown_words_name_near_ones_and_change_nothing(self):
        case = sluice.Case(DAM)
        with self.assertRaisesRegex(sluice.CaseError, r"Visc: .*did you mean Visco"):
            case.set(dp=0.1, Visc=1)
        self.assertFalse(case.changed)
        with self.assertRaisesRegex(sluice.CaseError, "no parameter or constant of that name$"):
            case.get("Qwertyuiop")

    def test_words_that_the_case_has_need_no_program(self):
        with mock.patch.dict(os.environ, {"SLUICE": "/no/such/program"}):
            self.assertEqual(sluice.Case(DAM).set(timemax=3)["TimeMax"], "3")
            with self.assertRaisesRegex(sluice.ProgramNotFound, "/no/such/program"):
                sluice.Case(DAM).set(Visco=1)

    def test_words_that_are_switched_off_are_not_taken_for_those_that_count(self):
        case = self.case("""<case><casedef><constantsdef><_h value="1"/><h value="7" active="false"/><h value="0" auto="true"/></constantsdef></casedef>
<execution><parameters>
    <!-- <parameter key="TimeMax" value="7"/> -->
    <parameter key="TimeMax" value="8" active="false"/>
    <parameter key='TimeMax' comment='value="9" &gt; 3'  value='1'/>
</parameters></execution></case>""")
        case.set(TimeMax=2, h=0.5)
        self.assertIn(b"""comment='value="9" &gt; 3'  value="2"/>""", case.text)
        self.assertIn(b'value="7"', case.text)
        self.assertIn(b'value="8" active="false"', case.text)
        self.assertIn(b'<_h value="1"/><h value="7" active="false"/><h value="0.5" auto="false"/>', case.text)
        self.assertEqual(case.set(h="auto").get("h"), "auto")

    def test_what_is_no_case_is_refused_with_its_line(self):
        with self.assertRaisesRegex(sluice.CaseError, r"case\.xml:line 2: mismatched tag"):
            self.case("<case>\n<a></b></case>")
        with self.assertRaisesRegex(sluice.CaseError, "<other> is no case"):
            self.case("<other/>")

    def test_edits_give_the_run_that_options_give(self):
        """The words of `set` mean what those of the command line mean."""
        edited = sluice.check(sluice.Case(DAM).set(dp=0.1, Visco=1e-3, coefh=1.2, gravity=(0, 0, -5), tmax=0.1))
        asked = sluice.check(DAM, dp=0.1, tmax=0.1, set={"Visco": 1e-3, "coefh": 1.2, "gravity": "0,0,-5"})
        for key in ("constants", "particles", "domain"):
            self.assertEqual(edited[key], asked[key])
        self.assertAlmostEqual(edited["constants"]["h"], 1.2 * 2**0.5 * 0.1)
        self.assertEqual(edited["constants"]["gravity"], [0, 0, -5])

    def test_data_files_go_along(self):
        case = sluice.Case(CASES / "boulder-stl.xml")
        self.assertEqual([str(one) for one in case.data_files()], ["boulder.stl"])
        case.set(dp=0.05).write(self.dir / "other" / "boulder.xml")
        self.assertTrue((self.dir / "other" / "boulder.stl").is_file())
        (self.dir / "other" / "boulder.stl").write_text("another")
        with self.assertRaisesRegex(FileExistsError, "is another file than"):
            case.write(self.dir / "other" / "boulder.xml")
        self.assertTrue(sluice.check(case)["runnable"])


class Built(PackageTest):
    def particles(self, case):
        found = sluice.check(case)
        self.assertTrue(found["runnable"], found["reasons"] + found["diagnostics"])
        return {(one["type"], one.get("mkbound", one.get("mkfluid"))): one for one in found["particles"]["blocks"]}

    def test_shapes_stand_where_they_are_asked_for(self):
        case = sluice.Case.new(0.1, (-1, -1, -1), (4, 3, 3))
        case.draw(shapes.box((0, 0, 0), (1, 2, 0.5)), mkfluid=0)
        case.draw(shapes.tank((0, 0, 0), (3, 2, 2), layers=2), mkbound=0)
        case.draw(shapes.cylinder((2, 1, 0.5), (2, 1, 1.5), 0.3), mkbound=1)
        case.draw(shapes.sphere((2, 1, 1.8), 0.2), mkbound=2)
        case.draw(shapes.prism([(1.3, 0.5, 0.5), (1.6, 0.5, 0.5), (1.3, 0.5, 1)], [(1.3, 1.5, 0.5), (1.6, 1.5, 0.5), (1.3, 1.5, 1)]), mkbound=3)
        case.draw(shapes.beach([(2.4, 0.1), (3, 0.1), (3, 0.6)], 2), mkbound=4)
        found = self.particles(case)
        for mk, low, high in ((1, (1.7, 0.7, 0.5), (2.3, 1.3, 1.5)), (2, (1.8, 0.8, 1.6), (2.2, 1.2, 2.0)), (3, (1.3, 0.5, 0.5), (1.6, 1.5, 1.0))):
            block = found["fixed", mk]
            for axis in range(3):
                self.assertAlmostEqual(block["min"][axis], low[axis], delta=0.051)
                self.assertAlmostEqual(block["max"][axis], high[axis], delta=0.051)
        self.assertIn(("fixed", 4), found)
        wall = found["fixed", 0]
        self.assertAlmostEqual(wall["min"][2], -0.1, places=6)  # two layers: on the face, and outside of it
        self.assertAlmostEqual(wall["max"][0], 3.1, places=6)
        self.assertGreater(found["fluid", 0]["count"], 500)

    def test_stl_motion_floating_and_gauges_are_understood(self):
        case = sluice.Case(CASES / "boulder-stl.xml")
        case.draw(shapes.stl("boulder.stl", move=(0.6, 0.4, 0.1), rotate=(0, 0, 90), scale=(0.5, 0.5, 0.5), fill=True), mkbound=7)
        case.move(7, shapes.uniform((0.1, 0, 0), 1), shapes.sinusoidal((0.1, 0, 0), (1, 0, 0), 2), start=0.5)
        case.gauge("force", "load", every=0.01, target={"mkbound": 7}).gauge("velocity", "here", point=(0.2, 0.4, 0.1))
        case.gauge("pressure", "aboard", point=(0.6, 0.4, 0.2), follow={"mkbound": 7})
        found = self.particles(case.set(dp=0.04))
        self.assertGreater(found["moving", 7]["count"], 8)
        self.assertEqual(case.gauges["load"], "force")
        with self.assertRaisesRegex(sluice.CaseError, "a gauge 'load' already"):
            case.gauge("force", "load", target={"mkbound": 7})
        box = sluice.Case.new(0.1, (-1, 0, -1), (2, 0, 2)).draw(shapes.box((0, -1, 0), (1, 2, 0.4)), mkfluid=0)
        box.draw(shapes.box((0.4, -1, 0.6), (0.2, 2, 0.2)), mkbound=1).float_body(1, relativeweight=0.5)
        self.assertIn(("floating", 1), self.particles(box))

    def test_motion_is_what_is_asked_for(self):
        case = sluice.Case.new(0.1, (-1, 0, -1), (3, 0, 2)).set(TimeMax=1, Kernel=2)
        case.draw(shapes.box((0, -1, 0), (0.5, 2, 0.5)), mkfluid=0).draw(shapes.box((1, -1, 0), (0.2, 2, 0.4)), mkbound=3)
        case.move(3, shapes.uniform((0.5, 0, 0), 0.4), shapes.rotation(90, ((0, -1, 0), (0, 1, 0)), 0.2), start=0.2)
        self.assertIn(b'<mvrect id="1" duration="0.4" next="2">', case.text)
        self.assertIn(b'<mvrot id="2" duration="0.2">', case.text)
        sluice.check(case, motion=self.dir / "moves")
        table = sluice.read_table(next((self.dir / "moves").glob("*.csv")))
        at = dict(zip(table["time"].round(6), table["x"] if "x" in table else table[list(table)[1]]))
        self.assertAlmostEqual(at[max(one for one in at if one <= 0.2)] + 0.2, at[max(one for one in at if one <= 0.6)], delta=0.02)

    def test_what_cannot_be_drawn_is_refused(self):
        for wrong in (lambda: shapes.prism([(0, 0, 0)] * 3, [(0, 0, 1)] * 4), lambda: shapes.box((0, 0), (1, 1, 1)),
                      lambda: shapes.beach([(0, 0)], 1), lambda: shapes.tank((0, 0, 0), (1, 1, 1), layers=0),
                      lambda: shapes.motion(1, []), lambda: sluice.Case(DAM).draw(shapes.sphere((0, 0, 0), 1))):
            with self.assertRaises(ValueError):
                wrong()


if __name__ == "__main__":
    unittest.main()
