# SPDX-License-Identifier: Apache-2.0
"""What pages of docs/ say of the program, against the program: what is refused, the range of each parameter, options by name."""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts" / "site"), str(ROOT / "scripts" / "site" / "figures")]
import lattices  # noqa: E402
import md  # noqa: E402
import ranges  # noqa: E402

SLUICE = os.environ["SLUICE"]
COMING = ROOT / "docs" / "coming-from-dualsphysics.md"
PAGES = (COMING, ROOT / "docs" / "faq.md", ROOT / "docs" / "units.md", *sorted((ROOT / "docs" / "tutorials").glob("*.md")))

# Options of the tools, from their help texts of DualSPHysics 5.4 (2025), IsoSurface and FlowTool of 5.0.
TOOLS = {
    "GenCase": "h ver template clean evars dp threads save save3vtk debug createdirs",
    "DualSPHysics": "h ver info opt cpu ompthreads gpu stable saveposdouble svextraparts cellmode cellfixed dbc mdbc mdbc_noslip mdbc_freeslip "
                    "initnorpla initnorpart symplectic verlet wendland cubic viscoart viscolam viscolamsps viscoboundfactor ddt ddtvalue ddtramp "
                    "shifting name runname dirout dirdataout partbegin restartchrono tmax tout toutx cfl ftpause rhopout domain_fixed sv svnormals "
                    "svres svtimers svdomainvtk svpips createdirs csvsep nsteps svsteps nortimes vres vres_fast vres_order vres_threshold",
    "PartVTK": "h ver opt dirdata filedata filexml first last files continue move threads viscoart viscolam viscoauto gravity distinter_2h distinter "
               "savevtk saveascii savecsv savestatscsv saveenergy createdirs csvsep onlypos onlyposfile onlyvel onlymk onlyid onlytype onlyzone "
               "addbuffzone vars enpotzero symparts",
    "MeasureTool": "h ver opt dirdata filedata filexml first last files threads viscoart viscolam viscoauto gravity onlypos onlyposfile onlymk onlyid "
                   "onlytype onlyzone templates points pointsdef pointspos pointsgeo meshpoints trackmk kclimit kcdummy kcusedummy distinter_2h "
                   "distinter vars elevation flow tke elevationoutput hvars hsort savevtk savecsv savecsvpart savecsvnopos saveascii createdirs csvsep",
    "ComputeForces": "h ver opt dirdata filexml first last files threads viscoart viscolam viscoauto gravity balance momentaxis momentaxisin "
                     "momentaxisex momentin_xyz momentex_xyz onlypos onlyposfile onlymk onlyid onlyidfile onlyzone fixedfilter savecsv saveascii "
                     "savevtk createdirs csvsep",
    "FloatingInfo": "h ver opt dirdata dirdatax first last files savedata savemotion onlymk createdirs csvsep",
    "IsoSurface": "h ver opt dirin casein filexml first last files move threads onlypos onlyposfile onlymk onlytype vars viscoart viscolam gravity "
                  "distinter_2h distinter kclimit kcdummy kcusedummy iso_limits distnode_dp distnode saveiso isovar saveslice slicevec slice3pt "
                  "slicedata createdirs",
    "FlowTool": "h ver opt dirin filein fileboxes first last files boxestemplate savecsv savevtk createdirs csvsep threads",
    "TracerParts": "h ver opt threads dirdata filexml first last files savevtk createdirs onlymk onlyid onlypos onlytype nearpartsdef nearpartsdist "
                   "limit limitrnd tailsize maxdist drawpoints drawlines vars",
    "BoundaryVTK": "h ver opt info loadvtk onlymk onlyid changemk loadply loadstl filexml motiontime motiondatatime motiondata motiondata0 savevtk "
                   "saveply savestl savevtkdata savemotion saveposmotion onlytype filemove createdirs csvsep",
}


def section(text, title):
    places = [(t, place) for level, t, place in md.headings(text) if level == 2]
    at = [t for t, _ in places].index(title)
    return text[places[at][1]:places[at + 1][1] if at + 1 < len(places) else len(text)]


def sluice(*words):
    return subprocess.run([SLUICE, *words], capture_output=True, text=True, timeout=120, check=True).stdout


def refused_rows(words):
    """The table of refused words as the page must have it."""
    out = []
    for word in words:
        if word["support"] == "refused":
            out.append(f"| `{word['word']}` | {word['section']} | {word['meaning']}. | {word['advice']}. |")
    return out


class Program(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.words = json.loads(sluice("check", "--explain", "--json"))

    def test_what_is_refused_is_what_the_page_says(self):
        rows = [line for line in section(COMING.read_text(encoding="utf-8"), "What is refused").splitlines() if line.startswith("| `")]
        wanted = refused_rows(self.words)
        self.assertGreater(len(wanted), 5)
        self.assertEqual(rows, wanted, "\ndocs/coming-from-dualsphysics.md must have this table:\n" + "\n".join(wanted))

    def test_every_option_of_the_tools_has_a_row(self):
        text = COMING.read_text(encoding="utf-8")
        for tool, options in TOOLS.items():
            part = section(text, tool)
            named = set(re.findall(r"`-([a-z_0-9]+)`", "".join(line.split(" | ")[0] for line in part.splitlines() if line.startswith("| "))))
            self.assertEqual(named, set(options.split()), tool)

    def test_options_that_pages_name_exist(self):
        helps = {}
        for command in re.findall(r"^  ([a-z]+) ", sluice("--help").split("Subcommands:")[-1], re.MULTILINE):
            helps[command] = set(re.findall(r"(?<![\w-])--[a-z-]+", sluice(command, "--help")))
        found = 0
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            # in a section an option belongs to the commands that the section names; where it names none, to any
            parts = re.split(r"(?m)^## ", text)
            for part in parts:
                named = set(re.findall(r"sluice ([a-z]+)", part)) & set(helps) or set(helps)
                known = set().union({"--version"}, *(helps[command] for command in named))
                for code in re.findall(r"`([^`\n]+)`", part) + re.findall(r"^ {4}(sluice .*)$", part, re.MULTILINE):
                    call = re.match(r"sluice ([a-z]+) ", code + " ")
                    own = helps[call.group(1)] if call and call.group(1) in helps else known
                    for option in re.findall(r"(?<![\w-])--[a-z-]+", code):
                        found += 1
                        self.assertIn(option, own, f"{page.name}: {code}")
        self.assertGreater(found, 60)


class Ranges(unittest.TestCase):
    def test_the_table_is_what_the_program_takes(self):
        text = (ROOT / "docs" / "case-ranges.md").read_text(encoding="utf-8")
        wanted = ranges.table(SLUICE)
        self.assertIn(wanted, text, "\ndocs/case-ranges.md must have this table:\n" + wanted)


class Figures(unittest.TestCase):
    def test_particles_in_figures_are_those_that_the_program_draws(self):
        drawn, stored = lattices.ask(SLUICE), lattices.stored()
        self.assertEqual(set(drawn), set(stored))
        for name, particles in drawn.items():
            self.assertGreater(len(particles), 5, name)
            self.assertEqual(particles, stored[name], f"{name}: scripts/site/figures/lattices.py PROGRAM draws it anew")


if __name__ == "__main__":
    unittest.main()
