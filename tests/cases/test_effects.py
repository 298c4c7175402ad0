# SPDX-License-Identifier: Apache-2.0
"""Every parameter and constant that the language honours changes what a run computes.

That a word's value reaches its place is tested where cases are read; here a run with it is compared with one without. A word
that is honoured from now on needs a row."""
import json
import unittest

from sluice_process import SluiceTest

# A block of water, half on a floor and half over its edge, in a domain that it leaves on all sides but the top.
CASE = """<case><casedef>
<constantsdef>{constants}</constantsdef>
<mkconfig boundcount="240" fluidcount="9"/>
<geometry><definition dp="0.05"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="2" z="2"/></definition>
<commands><mainlist>
<setdrawmode mode="full"/>
<setmkbound mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0"/><size x="0.2" y="0.4" z="0"/></drawbox>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0.05"/><size x="0.4" y="0.4" z="0.4"/></drawbox>
{bodies}
</mainlist></commands></geometry>{floatings}
<normals><norset mkbound="0"><normal x="0" y="0" z="0.025"/></norset></normals></casedef>
<execution><parameters>{parameters}</parameters></execution></case>"""

CONSTANTS = {"gravity": 'x="0" y="0" z="-9.81"', "rhopgradient": 'value="2"', "coefh": 'value="1"'}
PARAMETERS = {"TimeMax": "0.04", "TimeOut": "0.02", "DensityDT": "2", "Visco": "0.02"}

UPWARDS, SIDEWAYS = {"gravity": 'x="0" y="0" z="9.81"'}, {"gravity": 'x="9" y="0" z="-9.81"'}
CUBIC = {"Kernel": "1"}
# Two bodies above the water that move towards one another.
BODIES = """<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="0.05" y="0.1" z="0.6"/><size x="0.05" y="0.05" z="0.05"/></drawbox>
<setmkbound mk="2"/><drawbox><boxfill>solid</boxfill><point x="0.2" y="0.1" z="0.6"/><size x="0.05" y="0.05" z="0.05"/></drawbox>"""
FLOATINGS = """<floatings><floating mkbound="1" rhopbody="500"><linearvelini x="1" y="0" z="0"/></floating>
<floating mkbound="2" rhopbody="500"/></floatings>
<properties><property name="soft" Young_Modulus="1e5" PoissonRatio="0.2" Restitution_Coefficient="0.5" Kfric="0.3"/>
<links><link mkbound="0-2" property="soft"/></links></properties>"""
AFLOAT = {"bodies": "yes"}
GHOSTS, SHIFTED = {"Boundary": "2"}, {"Shifting": "3"}
# A word, its value, and what both runs have in place of the case's own words; None takes one away.
PARAMETER_EFFECTS = [
    ("Scheme", "recommended"), ("SavePosDouble", "1"), ("StepAlgorithm", "2"), ("VerletSteps", "10"), ("Kernel", "1"),
    ("Boundary", "2"), ("BoundaryMethod", "2"), ("SlipMode", "2", GHOSTS), ("SlipMode", "3", GHOSTS), ("WallPressure", "2", GHOSTS),
    ("Shifting", "1"), ("Shifting", "3"), ("ShiftCoef", "-4", SHIFTED), ("ShiftTFS", "2.5", SHIFTED), ("Shifting", "4"), ("ShiftAdvCoef", "-0.5", {"Shifting": "4"}), ("ShiftAdvALE", "1", {"Shifting": "4", "ShiftAdvCoef": "-0.5"}),
    ("PressureForm", "2"), ("ViscoTreatment", "3"), ("ViscoTreatment", "MonaghanGingold", {"ViscoTreatment": "3"}), ("ViscoTreatment", "2", {"ViscoTreatment": "3"}), ("Smagorinsky", "0.2", {"ViscoTreatment": "2"}), ("Visco", "0.05"), ("ViscoTime", "visco.csv"), ("ViscoBoundFactor", "2"), ("AcousticDamping", "0.5", {"StepAlgorithm": "2"}), ("TensileSpacing", "0.6", CUBIC),
    ("DensityDT", "1"), ("DensityDT", "4"), ("DensityDTvalue", "0.05"), ("DeltaSPH", "0.1", {"DensityDT": None}),
    ("CoefDtMin", "0.25"), ("DtIni", "1e-6"), ("DtMin", "6e-4"), ("DtFixed", "3e-4"), ("DtAllParticles", "1"),
    ("TimeMax", "0.03"), ("TimeOut", "0.01"), ("RhopOutMin", "999"), ("RhopOutMax", "1002"),
    ("MinFluidStop", "0.999"), ("PartsOutMax", "0.001"), ("RigidAlgorithm", "0", AFLOAT), ("RigidAlgorithm", "2", AFLOAT), ("FtPause", "0.02", AFLOAT),
    ("XPeriodicIncY", "0.1"), ("XPeriodicIncZ", "0.1"), ("YPeriodicIncX", "0.1"), ("YPeriodicIncZ", "0.1"),
    ("ZPeriodicIncX", "0.1"), ("ZPeriodicIncY", "0.1"), ("XYPeriodic", "0"), ("XZPeriodic", "0"), ("YZPeriodic", "0"),
    ("IncZ", "0.5", UPWARDS), ("DomainFixed", "-1:-1:-1:1:1:1"),
    ("DomainFixedXmin", "-1"), ("DomainFixedXmax", "1", SIDEWAYS), ("DomainFixedYmin", "-1"), ("DomainFixedYmax", "1"),
    ("DomainFixedZmin", "-1"), ("DomainFixedZmax", "1", UPWARDS)]
CONSTANT_EFFECTS = [
    ("gravity", 'x="1" y="2" z="-8"'), ("rhop0", 'value="1010"'), ("rhopgradient", 'value="1"'), ("hswl", 'value="0.2"'),
    ("gamma", 'value="6"'), ("speedsystem", 'value="1.5"'), ("coefsound", 'value="15"'), ("speedsound", 'value="30"'),
    ("coefh", 'value="1.1"'), ("coefficient", 'value="1.1"'), ("hdp", 'value="1.8"'),
    ("h", 'value="0.08"'), ("b", 'value="2e5"'), ("massbound", 'value="0.13"'), ("massfluid", 'value="0.13"'),
    ("cflnumber", 'value="0.1"'), ("lattice", 'bound="2" fluid="1"')]
# cases.method and cases.mps: other methods have none of the modes that runs here ask for; cases.fluids
ELSEWHERE = {"Method", "FlowType", "MPCoefficient", "MultiphaseCoef"}
ENDS = {"MinFluidStop": 5, "PartsOutMax": 5, "RhopOutMin": 6, "RhopOutMax": 6}  # exit codes other than 0
INSTEAD = {"coefficient": "coefh", "hdp": "coefh"}  # words of which a case may have one only


class Effects(SluiceTest):
    def computed(self, constants, parameters, code=0):
        """What a run leaves, without what only repeats the case."""
        afloat = parameters.pop("bodies", None)
        text = CASE.format(bodies=BODIES if afloat else "", floatings=FLOATINGS if afloat else "",
                           constants="".join(f"<{name} {value}/>" for name, value in constants.items() if value is not None),
                           parameters="".join(f'<parameter key="{name}" value="{value}"/>'
                                              for name, value in parameters.items() if value is not None))
        self.write("case.xml", text)
        self.write("visco.csv", "0;0.02\n0.04;0.2\n")
        self.sluice("run", "case.xml", "-o", "run", "--overwrite", "--pictures", 0, "--threads", 1, "--cpu-mode", "asymmetric",
                    "--backend", "cpu", code=code)
        run = json.loads((self.dir / "run/run.json").read_text())
        files = {path.name: path.read_bytes() for path in (self.dir / "run/frames").iterdir()}
        return files, (self.dir / "run/flow.csv").read_bytes(), run["excluded"], run["outcome"], run["simulated_seconds"]

    def check(self, section, word, value, others=None):
        constants, parameters = dict(CONSTANTS), dict(PARAMETERS)
        for name, other in (others or {}).items():
            (constants if name in CONSTANTS else parameters)[name] = other
        key = json.dumps(others, sort_keys=True)
        if key not in self.without:
            self.without[key] = self.computed(constants, parameters)
        constants.pop(INSTEAD.get(word), None)
        (constants if section == "constantsdef" else parameters)[word] = value
        self.assertTrue(self.computed(constants, parameters, ENDS.get(word, 0)) != self.without[key], f"{word} changes nothing")

    def check_all(self, section, rows):
        self.without = {}
        words = json.loads(self.sluice("check", "--explain", "--json").stdout)
        honoured = {entry["word"] for entry in words if entry["section"] == section and entry["support"] == "honoured"}
        self.assertEqual(honoured - ELSEWHERE, {row[0] for row in rows})
        for row in rows:
            with self.subTest(row[0]):
                self.check(section, *row)

    def test_of_parameters(self):
        self.check_all("parameters", PARAMETER_EFFECTS)

    def test_of_constants(self):
        self.check_all("constantsdef", CONSTANT_EFFECTS)

    def test_of_output_times(self):
        text = CASE.format(bodies="", floatings="", constants="".join(f"<{n} {v}/>" for n, v in CONSTANTS.items()),
                           parameters="".join(f'<parameter key="{n}" value="{v}"/>' for n, v in PARAMETERS.items()))
        timeout = '<special><timeout><tout time="0.01" timeout="0.005"/><tout time="0.02" timeout="1"/></timeout></special>'
        self.write("case.xml", text.replace("<execution>", "<execution>" + timeout))
        self.sluice("run", "case.xml", "-o", "run", "--pictures", 0, "--threads", 1, "--backend", "cpu")
        flow = [line for line in (self.dir / "run/flow.csv").read_text().splitlines() if line[0].isdigit()]
        times = [float(line.split(",")[0]) for line in flow]
        for wanted, time in zip([0, 0.01, 0.015, 0.02], times):
            self.assertTrue(wanted <= time < wanted + 1e-3, times)
        self.assertLessEqual(len(times), 5)  # the end of the run may be one more


if __name__ == "__main__":
    unittest.main()
