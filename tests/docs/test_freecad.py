# SPDX-License-Identifier: Apache-2.0
"""The macro for FreeCAD of docs/coming-from-dualsphysics.md, run by freecadcmd on a document that lies as DesignSPHysics saves it: in a
folder with the case NAME_Def.xml. Skipped where there is no freecadcmd."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def macro():
    return re.search(r"^```python\n(import os\n.*?)^```$", (ROOT / "docs" / "coming-from-dualsphysics.md").read_text(encoding="utf-8"),
                     re.DOTALL | re.MULTILINE).group(1)


class Macro(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name, "tank")
        self.folder.mkdir()
        self.script = self.folder.parent / "session.py"

    def tearDown(self):
        self.temporary.cleanup()

    def start(self):
        """What a FreeCAD says in which the document is saved and the macro started."""
        self.script.write_text("import FreeCAD\nFreeCAD.newDocument('DSPH_Case')\n"
                               f"FreeCAD.ActiveDocument.saveAs({str(self.folder / 'DSPH_Case.FCStd')!r})\n{macro()}", encoding="utf-8")
        path = f"{pathlib.Path(os.environ['SLUICE']).parent}:{os.environ['PATH']}"
        done = subprocess.run(["freecadcmd", self.script], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
                              env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", "HOME": self.temporary.name})
        return done.stdout + done.stderr

    def test_it_runs_the_case(self):
        text = (ROOT / "tests" / "data" / "dam-break-2d.xml").read_text(encoding="utf-8")
        text, changes = re.subn(r'(key="TimeMax" value=)"[^"]*"', r'\1"0.01"', text)
        self.assertEqual(changes, 1)
        (self.folder / "tank_Def.xml").write_text(text, encoding="utf-8")
        self.assertIn("Sluice: results in", self.start())
        for _ in range(600):
            said = (self.folder / "tank_sluice.txt").read_text(encoding="utf-8")
            if "finished" in said:
                break
            time.sleep(0.1)
        self.assertIn("finished", said)
        self.assertTrue((self.folder / "tank_sluice" / "fluid.vtkhdf").exists())

    def test_it_tells_what_is_wrong_with_a_case(self):
        (self.folder / "tank_Def.xml").write_text("<case><casedef/></case>", encoding="utf-8")
        said = self.start()
        self.assertIn("tank_Def.xml:1: ", said)
        self.assertNotIn("results in", said)
        self.assertFalse((self.folder / "tank_sluice").exists())

    def test_it_asks_for_a_saved_case(self):
        self.assertIn("press Save case first", self.start())


if __name__ == "__main__":
    if not shutil.which("freecadcmd"):
        print("skipped: no freecadcmd")
        sys.exit(SKIPPED)
    unittest.main()
