# SPDX-License-Identifier: Apache-2.0
"""Open boundaries in whole runs: what comes and goes is booked, stored, and the same after a resume; every word has its effect."""
import json
import re
import unittest

from sluice_process import CASES, SluiceTest, numbers, rows

CHANNEL = CASES / "open-channel-2d.xml"
ONE_THREAD = ["--backend", "cpu", "--cpu-mode", "asymmetric", "--threads", 1]
QUIET = ["--pictures", 0, "--quiet"]

# Water between two zones of four columns each, dp 0.1; the words of the left zone are those that rows replace.
CASE = """<case><casedef><constantsdef><gravity x="0" y="0" z="-9.81"/><rhopgradient value="2"/><coefh value="1.2"/><speedsystem value="1"/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/>
<geometry><definition dp="0.1"><pointmin x="-1" y="{y0}" z="-1"/><pointmax x="3" y="{y1}" z="2"/></definition>
<commands><mainlist><setdrawmode mode="full"/>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0.1"/><size x="0.8" y="0.3" z="0.5"/></drawbox>
<setmkfluid mk="1"/><drawbox><boxfill>left</boxfill><point x="0" y="0" z="0.1"/><size x="0.8" y="0.3" z="0.5"/></drawbox>
<setmkbound mk="0"/><drawbox><boxfill>bottom</boxfill><point x="-0.6" y="-0.1" z="0"/><size x="2" y="0.5" z="0"/></drawbox>
</mainlist></commands></geometry></casedef>
<execution><special><inout>{more}
<inoutzone>{zone}</inoutzone>
</inout>{special}</special>
<parameters><parameter key="TimeMax" value="0.15"/><parameter key="TimeOut" value="0.05"/><parameter key="StepAlgorithm" value="2"/>
</parameters></execution></case>"""

PLAIN = {"refilling": '<refilling value="0"/>', "inputtreatment": '<inputtreatment value="1"/>', "layers": '<layers value="4"/>',
         "zone": '<zone2d><particles mkfluid="1" direction="right"/></zone2d>',
         "imposevelocity": '<imposevelocity mode="0"><velocity v="1"/></imposevelocity>',
         "imposerhop": '<imposerhop mode="1"/>', "imposezsurf": '<imposezsurf mode="0"><zsurf value="0.61"/></imposezsurf>', "more": "", "special": ""}
RISES = '<imposezsurf mode="1"><zsurftimes><timevalue time="0" zsurf="0.41"/><timevalue time="0.1" zsurf="0.61"/></zsurftimes></imposezsurf>'
FOUND = '<imposezsurf mode="2">{}</imposezsurf>'
LOW = {"imposezsurf": '<imposezsurf mode="0"><zsurf value="0.41"/></imposezsurf>'}
OUT = {"imposevelocity": '<imposevelocity mode="0"><velocity v="-2"/></imposevelocity>'}
SLOPE = 'v="1" v2="2" z="0" z2="0.6"'
DRAWN = "<zone2d><line><point x='0' z='0.1'/><point2 x='0' z='0.6'/><direction x='1' z='0'/>{}</line></zone2d>"
IN_3D = {"zone": '<zone3d><particles mkfluid="1" direction="right"/></zone3d>'}
DISC = '<zone3d><circle><point x="0" y="0.1" z="0.3"/><radius v="0.2"/><direction x="1" y="0" z="0"/>{}</circle></zone3d>'


# The floor alone, and a jet of six columns over it.
EMPTY = re.sub("<setmkfluid.*\n", "", CASE).format(y0=0, y1=0, more="", special="", zone="".join({**PLAIN, "zone": DRAWN.format("")}.values()))


def times(name, *rows):
    return f'<imposevelocity mode="1"><{name}>' + "".join(f"<timevalue {row}/>" for row in rows) + f"</{name}></imposevelocity>"


GRID = '<imposevelocity mode="3"><gridveldata file="{}"/>{}</imposevelocity>'

# A word, its value, and what both runs have in place of the plain words.
EFFECTS = [
    ("layers", '<layers value="5"/>'), ("refilling", '<refilling value="1"/>', LOW), ("refilling", '<refilling value="2"/>', {"imposezsurf": RISES}),
    ("inputtreatment", '<inputtreatment value="2"/>', OUT),
    ("imposevelocity", '<imposevelocity mode="0"><velocity v="1.2"/></imposevelocity>'),
    ("imposevelocity", f'<imposevelocity mode="0"><velocity2 {SLOPE}/></imposevelocity>'),
    ("imposevelocity", '<imposevelocity mode="0"><velocity3 v="0" v2="1" v3="0" z="0" z2="0.3" z3="0.6"/></imposevelocity>'),
    ("imposevelocity", times("velocitytimes", 'time="0" v="1"', 'time="0.1" v="2"')),
    ("imposevelocity", times("velocitytimes2", 'time="0" ' + SLOPE)),
    ("imposevelocity", times("velocitytimes3", 'time="0" v="0" v2="1" v3="0" z="0" z2="0.3" z3="0.6"')),
    ("imposevelocity", '<imposevelocity mode="1"><velocityfile file="v1.csv"/></imposevelocity>'),
    ("imposevelocity", '<imposevelocity mode="1"><velocityfile2 file="v2.csv"/></imposevelocity>'),
    ("imposevelocity", '<imposevelocity mode="1"><velocityfile3 file="v3.csv"/></imposevelocity>'),
    ("imposevelocity", '<imposevelocity mode="2"/>'),
    ("imposerhop", '<imposerhop mode="0"/>'), ("imposerhop", '<imposerhop mode="2"/>'),
    ("imposezsurf", '<imposezsurf mode="0"><zsurf value="0.7"/></imposezsurf>'), ("imposezsurf", RISES),
    ("imposezsurf", '<imposezsurf mode="1"><zsurffile file="z.csv"/></imposezsurf>'),
    ("imposezsurf", FOUND.format("")), ("imposezsurf", FOUND.format('<zsurf0 value="0.41"/>'),
     {"imposezsurf": FOUND.format(""), "refilling": '<refilling value="1"/>'}),
    ("imposezsurf", FOUND.format('<zsurffit value="0.1"/>'), {"imposezsurf": FOUND.format("")}),
    ("imposezsurf", FOUND.format('<zsurf0 value="0.8"/><zsurfmin value="0.75"/>'), {"imposezsurf": FOUND.format('<zsurf0 value="0.8"/>')}),
    ("imposezsurf", '<imposezsurf mode="0"><zsurf value="0.61"/><zbottom value="0.25"/></imposezsurf>'),
    ("imposezsurf", '<imposezsurf mode="0"><zsurf value="0.41"/><remove value="true"/></imposezsurf>', LOW),
    ("more", '<determlimit value="1e-3"/>', {"imposerhop": '<imposerhop mode="2"/>', "imposevelocity": '<imposevelocity mode="2"/>'}),
    ("zone", '<zone2d><particles mkfluid="1" direction="left"/></zone2d>'),
    ("zone", '<zone2d><particles mkfluid="1" direction="custom"><direction x="-1" z="0"/></particles></zone2d>'),
    ("zone", DRAWN.format("")), ("zone", DRAWN.format('<rotate angle="-20"/>'), {"zone": DRAWN.format("")}),
    ("zone", '<zone3d><box><point x="0" y="0" z="0.1"/><size x="0" y="0.2" z="0.4"/><direction x="1" y="0" z="0"/></box></zone3d>', IN_3D),
    ("zone", DISC.format(""), IN_3D),
    ("zone", DISC.format('<rotateaxis angle="20"><point1 x="0" y="0" z="0.3"/><point2 x="0" y="1" z="0.3"/></rotateaxis>'),
     {"zone": DISC.format("")}),
    ("zone", DISC.format('<rotateadv angle2="20"><center x="0" y="0" z="0.3"/></rotateadv>'), {"zone": DISC.format("")}),
    ("imposevelocity", '<imposevelocity mode="0"><jetcircle v="1" distance="0.3" radius="0.4"/></imposevelocity>', {"zone": DISC.format("")}),
    ("imposevelocity", GRID.format("g1.csv", "")),
    ("imposevelocity", GRID.format("g2.csv", ""), {"imposevelocity": GRID.format("g1.csv", "")}),
    ("imposevelocity", GRID.format("g2.csv", '<gridresetvelz value="true"/>'), {"imposevelocity": GRID.format("g2.csv", "")}),
    ("imposevelocity", GRID.format("g1.csv", '<gridposzero x="0" z="0.2"/>'), {"imposevelocity": GRID.format("g1.csv", "")}),
    ("special", '<accinputs><accinput mkfluid="0"><acctimes><timevalue time="0" linx="5"/></acctimes></accinput></accinputs>'),
    ("imposevelocity", '<imposevelocity mode="0"><flowvelocity units="gal/s" ratio="0.5"/><velocity v="20"/></imposevelocity>', IN_3D)]


class Flows(SluiceTest):
    """On any backend (test_gpu_open.py)."""
    backend = ONE_THREAD

    def test_what_comes_and_goes_is_booked(self):
        self.sluice("run", CHANNEL, "-o", "run", *QUIET, *self.backend, "--dp", 0.04, "--tmax", 1, "--tout", 0.25)
        run = json.loads((self.dir / "run/run.json").read_text())
        mass = run["ledger"]["mass"]
        particle = 1000 * 0.04 ** 2
        self.assertEqual(run["outcome"], "finished")
        self.assertGreater(mass["inflow"], 0.3 * 0.36 * 1000)  # 0.5 m/s through 0.36 m in 1 s, but for what began in the zone
        self.assertAlmostEqual(mass["start"] + mass["inflow"] - mass["outflow"] - mass["excluded"], mass["end"], delta=0.01 * particle)
        self.assertAlmostEqual(mass["end"] / mass["start"], 1, delta=0.03)
        counts = numbers(self.dir / "run/flow.csv", "n_fluid")
        self.assertEqual(counts[-1] * particle, mass["end"])
        self.assertEqual(run["ledger"]["energy"]["dissipated_also_holds"], [])
        self.sluice("export", "run", "-o", "csv", "--format", "csv", "--first", 4)
        self.sluice("picture", "run", "-o", "end.png")
        self.sluice("report", "run")

    def test_the_energy_of_water_that_nothing_damps_is_what_came_in(self):
        for integrator in ("StepAlgorithm=2", "StepAlgorithm=1"):
            self.sluice("run", CHANNEL, "-o", "run", "--overwrite", *QUIET, *self.backend, "--dp", 0.04, "--tmax", 1,
                        "--tout", 0.5, "--set", integrator, "--set", "VerletSteps=200", "--set", "Visco=0",
                        "--set", "DensityDT=0", "--set", "cflnumber=0.1")
            energy = json.loads((self.dir / "run/run.json").read_text())["ledger"]["energy"]
            self.assertGreater(energy["inflow"], 300)
            self.assertLess(energy["open_boundaries_work"], -4)
            self.assertLess(abs(energy["dissipated"]), 0.001 * energy["moved"])

    def test_the_channel_of_the_tutorial_measures_what_flows_through_it(self):
        self.sluice("run", CHANNEL, "-o", "run", *QUIET, *self.backend, "--dp", 0.04, "--tmax", 2, "--tout", 2)
        flow = numbers(self.dir / "run/gauges/discharge.csv", "flow [m2/s]")
        self.assertAlmostEqual(sum(flow) / len(flow), 0.2, delta=0.02)
        before, behind = (numbers(self.dir / f"run/gauges/{name}.csv", "z [m]")[-25:] for name in ("upstream", "downstream"))
        self.assertGreater(sum(before), sum(behind), "the block dams the water up")
        self.assertGreater(min(numbers(self.dir / "run/gauges/above_block.csv", "vx [m/s]")[1:]), 0.5)

    def test_nobody_is_thrown_out_by_the_floor_behind_an_outlet(self):
        self.sluice("run", CHANNEL, "-o", "run", *QUIET, *self.backend, "--dp", 0.04, "--tmax", 3, "--tout", 3)
        self.assertEqual(rows(self.dir / "run/excluded.csv"), [])

    def test_a_resumed_run_is_the_same(self):
        options = [CHANNEL, *QUIET, *self.backend, "--dp", 0.05, "--tout", 0.05]
        self.sluice("run", *options, "-o", "whole", "--tmax", 0.6)
        self.sluice("run", *options, "-o", "cut", "--tmax", 0.6, "--steps", 333)
        self.sluice("run", "--resume", "cut", "--steps", 100000)
        for name in ["flow.csv", *(f"frames/frame_{n:06}.h5" for n in (6, 12))]:
            self.assertTrue((self.dir / "whole" / name).read_bytes() == (self.dir / "cut" / name).read_bytes(), name)

    def test_zones_may_make_all_the_fluid_there_is(self):
        case = self.write("case.xml", EMPTY)
        self.assertTrue(json.loads(self.sluice("check", case, "--json").stdout)["runnable"])
        self.sluice("run", case, "-o", "whole", *QUIET, *self.backend)
        counts = numbers(self.dir / "whole/flow.csv", "n_fluid")
        self.assertEqual(counts[0], 4 * 6)
        self.assertGreaterEqual(counts[-1], counts[0] + 6)
        self.assertEqual(json.loads((self.dir / "whole/run.json").read_text())["outcome"], "finished")
        self.sluice("run", case, "-o", "cut", *QUIET, *self.backend, "--steps", 50)
        self.sluice("run", "--resume", "cut", "--steps", 100000)
        self.assertTrue((self.dir / "whole/flow.csv").read_bytes() == (self.dir / "cut/flow.csv").read_bytes())
        self.sluice("export", "whole", "-o", "csv", "--format", "csv", "--mkfluid", 0)
        self.sluice("picture", "whole", "-o", "end.png")
        self.sluice("report", "whole")


class Words(SluiceTest):
    backend = ONE_THREAD

    def test_what_cannot_be_done_is_refused(self):
        text = CHANNEL.read_text()
        imposed = text[text.index("<imposevelocity"):text.index("</imposevelocity>") + len("</imposevelocity>")]
        for old, new, word in ((imposed, '<imposevelocity mode="3"><meshdata file="m.csv"/></imposevelocity>', "meshdata"),
                               ("<parameters>", '<parameters><parameter key="PartsOutMax" value="0.5"/>', "PartsOutMax")):
            case = self.write("case.xml", text.replace(old, new, 1))
            result = self.sluice("run", case, "-o", "refused", *QUIET, *self.backend, "--overwrite", "--steps", 1, code=2)
            self.assertIn(word, result.stderr)

    def run_with(self, words):
        three_d = "zone3d" in words["zone"]
        more = words["more"]
        zone = "".join(text for name, text in words.items() if name not in ("more", "special"))
        case = CASE.format(y0=-1 if three_d else 0, y1=1 if three_d else 0, more=more, zone=zone, special=words["special"])
        self.sluice("run", self.write("case.xml", case), "-o", "run", "--overwrite", *QUIET, *self.backend)
        return (self.dir / "run/flow.csv").read_bytes()

    def test_every_word_has_its_effect(self):
        self.write("v1.csv", "0;1\n0.1;2\n")
        self.write("v2.csv", "0;1;2;0;0.6\n")
        self.write("v3.csv", "0;0;1;0;0;0.3;0.6\n")
        self.write("z.csv", "0;0.41\n0.1;0.61\n")
        head = "fmtversion;grid_dpx;grid_dpz;grid_nx;grid_nz;vars\n1;1;0.6;1;2;"
        self.write("g1.csv", head + "velx\n\ntime;vx_x0_z0;vx_x0_z1\n0;1;1.5\n0.1;1;2\n")
        self.write("g2.csv", head + "velx velz\n\ntime;vx_x0_z0;vx_x0_z1;vz_x0_z0;vz_x0_z1\n0;1;1.5;0;0.5\n0.1;1;2;0;0.5\n")
        without = {}
        for word, value, *others in EFFECTS:
            words = {**PLAIN, **(others[0] if others else {})}
            key = json.dumps(words)
            with self.subTest(value):
                if key not in without:
                    without[key] = self.run_with(words)
                self.assertTrue(self.run_with({**words, word: value}) != without[key], f"{value} changes nothing")


if __name__ == "__main__":
    unittest.main()
