# SPDX-License-Identifier: Apache-2.0
"""Runs of several fluids of different density, from the case to what is made of the frames."""
import json
import unittest

from sluice_process import SluiceTest, rows

LAYERS = """<?xml version="1.0"?>
<case><casedef>
<constantsdef><gravity x="0" y="0" z="-9.81"/><rhop0 value="1000"/><gamma value="7"/><coefsound value="20"/>
<speedsound value="{sound}"/><coefh value="1.0"/><cflnumber value="0.2"/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/>
<geometry><definition dp="0.02"><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/></definition>
<commands><mainlist><setshapemode>dp</setshapemode><setdrawmode mode="full"/>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.02" y="-1" z="0.02"/><size x="0.56" y="2" z="0.18"/></drawbox>
<setmkfluid mk="{upper}"/><drawbox><boxfill>solid</boxfill><point x="0.02" y="-1" z="0.22"/><size x="0.56" y="2" z="0.18"/></drawbox>
<setmkbound mk="0"/><drawbox><boxfill>left | right | top | bottom</boxfill><layers vdp="0,1,2"/><point x="0" y="-1" z="0"/><size x="0.6" y="2" z="0.42"/></drawbox>
</mainlist></commands></geometry>{properties}</casedef>
<execution><parameters>{parameters}
<parameter key="StepAlgorithm" value="2"/><parameter key="Kernel" value="2"/><parameter key="ViscoTreatment" value="1"/>
<parameter key="Visco" value="0.05"/><parameter key="DensityDT" value="3"/><parameter key="TimeMax" value="0.1"/><parameter key="TimeOut" value="0.02"/>
<parameter key="RhopOutMin" value="0"/><parameter key="RhopOutMax" value="2000"/></parameters></execution></case>
"""
PROPERTY = '<property name="{}"><rhop0 value="{}"/><gamma value="{}"/><cs0 value="{}"/><visco value="0.05"/><phasetype value="{}"/></property>'

DROP = """<?xml version="1.0"?>
<case><casedef>
<constantsdef><gravity x="0" y="0" z="0"/><rhop0 value="1000"/><gamma value="7"/><coefsound value="20"/>
<speedsound value="{sound}"/><coefh value="1.2"/><cflnumber value="0.2"/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/>
<geometry><definition dp="{dp}"><pointref x="{begin}" y="0" z="{begin}"/><pointmin x="-0.5" y="0" z="-0.5"/><pointmax x="0.5" y="0" z="0.5"/></definition>
<commands><mainlist><setshapemode>dp</setshapemode><setdrawmode mode="full"/>{outer}
<setmkfluid mk="1"/><drawellipsoid radius="{sum}"><point x="-{focus}" y="0" z="0"/><point x="{focus}" y="0" z="0"/></drawellipsoid>
</mainlist></commands></geometry>
<properties><links>{link}<link mkfluid="1" property="inner"/></links>
<property name="outer"><rhop0 value="1000"/><gamma value="7"/><cs0 value="{sound}"/><visco value="0.1"/><phasetype value="0"/><surfcoef value="0.5"/></property>
<property name="inner"><rhop0 value="{rho}"/><gamma value="7"/><cs0 value="{sound}"/><visco value="0.1"/><phasetype value="0"/><surfcoef value="0.5"/></property>
</properties></casedef>
<execution><parameters>{parameters}</parameters></execution></case>
"""
OUTER = '<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="{begin}" y="-1" z="{begin}"/><size x="{size}" y="2" z="{size}"/></drawbox>'


def properties(upper):
    return ('<properties><links><link mkbound="0" property="water"/><link mkfluid="0" property="water"/><link mkfluid="1" property="upper"/></links>'
            + PROPERTY.format("water", 1000, 7, 30, 0) + PROPERTY.format("upper", *upper) + "</properties>")


class FluidRuns(SluiceTest):
    backend = ("--backend", "cpu")

    def run_case(self, case, out, *more):
        self.sluice("run", case, *self.backend, "--pictures", 0, "-o", out, *more)
        return json.loads((self.dir / out / "run.json").read_text())


class Fluids(FluidRuns):
    def layers(self, upper=(1.2, 1.4, 200, 1)):
        return self.write("layers.xml", LAYERS.format(sound=30, upper=1, properties=properties(upper), parameters='<parameter key="FlowType" value="2"/>'))

    def test_air_on_water_stays_where_it_is(self):
        record = self.run_case(self.layers(), "run", "--threads", 2)
        self.assertEqual(record["outcome"], "finished")
        self.assertEqual([f["rho0"] for f in record["fluids"]], [1000, 1.2])
        flow = rows(self.dir / "run/flow.csv")
        weight = float(flow[0]["mass [kg]"]) * 9.81 * 0.2
        self.assertAlmostEqual(float(flow[0]["mass [kg]"]), (1000 + 1.2) * 29 * 10 * 0.02 ** 2, delta=1e-6)
        self.assertLess(float(flow[-1]["kinetic_energy [J]"]), 1e-4 * weight)
        self.assertLess(float(flow[-1]["speed_max [m/s]"]), 0.3)
        # the pressure of both layers, and the density of each, at the end
        self.sluice("measure", "run", "--point", 0.3, 0, 0.1, "--point", 0.3, 0, 0.3, "-o", "p.csv", "--first", 5)
        low, high = rows(self.dir / "p.csv")
        self.assertAlmostEqual(float(low["density [kg/m3]"]), 1001, delta=3)
        self.assertAlmostEqual(float(high["density [kg/m3]"]), 1.2, delta=0.01)
        self.assertAlmostEqual(float(low["pressure [Pa]"]), 9810 * 0.11, delta=150)

    def test_one_fluid_told_as_two_is_one(self):
        one = LAYERS.format(sound=30, upper=1, properties="", parameters='<parameter key="PressureForm" value="2"/>')
        self.run_case(self.write("one.xml", one), "one")
        self.run_case(self.layers(upper=(1000, 7, 30, 0)), "two")
        flow = (self.dir / "one/flow.csv").read_bytes()
        self.assertGreater(float(rows(self.dir / "one/flow.csv")[-1]["kinetic_energy [J]"]), 0)
        self.assertEqual(flow, (self.dir / "two/flow.csv").read_bytes())

    def test_ranks_threads_and_a_resumed_run_have_the_same_bits(self):
        case = self.layers()
        self.run_case(case, "one", "--threads", 1, "--cpu-mode", "asymmetric")
        self.run_case(case, "ranks", "--ranks", 3, "--cpu-mode", "asymmetric")
        flow = (self.dir / "one/flow.csv").read_bytes()
        self.assertEqual(flow, (self.dir / "ranks/flow.csv").read_bytes())
        self.run_case(case, "cut", "--threads", 2, "--cpu-mode", "asymmetric", "--tmax", 0.05)
        self.sluice("run", "--resume", "cut", "--tmax", 0.1)
        self.assertEqual(flow, (self.dir / "cut/flow.csv").read_bytes())

    def test_liquids_attract_gases(self):
        """What holds the gas sets it in motion; the energy of the interface is not in the ledger, so there is no verdict."""
        for name, more in (("free", ()), ("held", ("--set", "MPCoefficient=1"))):
            record = self.run_case(self.layers(), name, "--tmax", 0.05, *more)
            self.assertEqual("energy_of_interfaces" in json.dumps(record["ledger"]), name == "held")
            self.assertIn("energy_of_dynamic_walls", json.dumps(record["ledger"]))
        free, held = (float(rows(self.dir / name / "flow.csv")[-1]["kinetic_energy [J]"]) for name in ("free", "held"))
        self.assertGreater(held, 2 * free)

    def test_what_cannot_be_is_refused_by_name(self):
        for changed, message in (('<parameter key="Boundary" value="2"/>', "fluids of different density with Boundary 2"),
                                 ('<parameter key="DensityDT" value="4"/>', "fluids of different density with DensityDT 4"),
                                 ('<parameter key="Method" value="mps"/>', "FlowType")):
            case = self.write("no.xml", LAYERS.format(sound=30, upper=1, properties=properties((1.2, 1.4, 200, 1)),
                                                      parameters='<parameter key="FlowType" value="2"/>').replace('<parameter key="DensityDT" value="3"/>', "").replace("</parameters>", changed + "</parameters>"))
            self.assertIn(message, self.sluice("run", case, "-o", "no", code=2).stderr)
            self.assertFalse((self.dir / "no").exists())


class Tension(FluidRuns):
    """Surface tension, on the CPU alone."""

    def drop(self, name, dp=0.02, half=(0.1, 0.1), sound=5, alone=False, rho=1000, **more):
        """A drop of half axes `half` in the middle of a periodic square of fluid 0.4 m wide, or of nothing."""
        parameters = {"FlowType": 2, "StepAlgorithm": 2, "Kernel": 2, "ViscoTreatment": 1, "Visco": 0.1, "DensityDT": 2, "Shifting": 4, "TimeMax": 1, "TimeOut": 0.05,
                      "RhopOutMin": 0, "RhopOutMax": 2000, "XPeriodicIncY": 0, "ZPeriodicIncX": 0} | more
        return self.write(name, DROP.format(dp=dp, begin=0.5 * dp - 0.2, size=0.4 - dp, sum=2 * half[0], focus=(half[0] ** 2 - half[1] ** 2) ** 0.5, sound=sound, rho=rho,
                                            outer="" if alone else OUTER.format(begin=0.5 * dp - 0.2, size=0.4 - dp),
                                            link="" if alone else '<link mkfluid="0" property="outer"/>',
                                            parameters="".join(f'<parameter key="{k}" value="{v}"/>' for k, v in parameters.items())))

    def test_a_drop_has_the_pressure_of_laplace(self):
        record = self.run_case(self.drop("drop.xml"), "drop", "--threads", 2)
        self.assertEqual(record["outcome"], "finished")
        self.assertIn("energy_of_interfaces", json.dumps(record["ledger"]))
        self.sluice("measure", "drop", "--point", 0, 0, 0, "--point", 0.18, 0, 0.18, "-o", "p.csv", "--first", 10)
        pressure = [float(row["pressure [Pa]"]) for row in rows(self.dir / "p.csv")]
        jump = sum(pressure[0::2]) / len(pressure[0::2]) - sum(pressure[1::2]) / len(pressure[1::2])
        self.assertAlmostEqual(jump, 0.5 / 0.1, delta=0.5)  # of five particles in a radius
        momentum = [max(abs(float(row[f"momentum_{axis} [kg m/s]"])) for axis in "xz") for row in rows(self.dir / "drop/flow.csv")]
        self.assertLess(max(momentum), 1e-4 * 160 * 0.07)  # all the mass at the speed of capillary waves

    def test_tension_in_modes_ranks_and_a_resumed_run(self):
        case = self.drop("ellipse.xml", half=(0.12, 0.08), TimeMax=0.2, TimeOut=0.05)
        self.run_case(case, "one", "--threads", 1, "--cpu-mode", "asymmetric")
        flow = (self.dir / "one/flow.csv").read_bytes()
        self.run_case(case, "ranks", "--ranks", 3, "--cpu-mode", "asymmetric")
        self.assertEqual(flow, (self.dir / "ranks/flow.csv").read_bytes())
        self.run_case(case, "cut", "--threads", 2, "--cpu-mode", "asymmetric", "--tmax", 0.1)
        self.sluice("run", "--resume", "cut", "--tmax", 0.2)
        self.assertEqual(flow, (self.dir / "cut/flow.csv").read_bytes())
        energy = float(rows(self.dir / "one/flow.csv")[-1]["kinetic_energy [J]"])
        for mode in ("symmetric", "slices"):
            self.run_case(case, mode, "--threads", 2, "--cpu-mode", mode)
            self.assertAlmostEqual(float(rows(self.dir / mode / "flow.csv")[-1]["kinetic_energy [J]"]) / energy, 1, delta=0.02)

    def test_the_limit_of_surface_tension_is_told_where_it_binds(self):
        slow = self.drop("slow.xml", dp=0.01, sound=0.2, TimeMax=0.1)
        record = self.run_case(slow, "slow")
        self.assertAlmostEqual(record["steps"], 0.1 / 0.00988, delta=1.2)  # ¼ √(ρ h³/(2πσ)) with h 0.01697 m; by sound 0.0170 s
        self.assertIn("surface tension (surfcoef) limits the time step to", (self.dir / "slow/run.log").read_text())
        checked = self.sluice("check", slow).stdout
        self.assertIn("surface tension (surfcoef) limits", checked)
        self.assertIn("of a fluid beside nothing", self.sluice("check", self.drop("alone.xml", alone=True)).stdout)
        self.assertNotIn("of a fluid beside nothing", checked)
        self.assertIn("the surface clumps", checked)  # ρ c² h is 1.4 σ
        self.assertRegex(checked, r"mkfluid 1 .* kg per metre, 1000 kg/m3, c0 0.2 m/s, which limits the time step, gamma 7, viscosity 0.1, surface tension 0.5 N/m")
        told = json.loads(self.sluice("check", slow, "--json").stdout)["fluids"]
        self.assertEqual([(fluid["mkfluid"], fluid["tension"]) for fluid in told], [(0, 0.5), (1, 0.5)])
        self.assertAlmostEqual(told[1]["mass"] / (1000 * 3.14159 * 0.1 ** 2), 1, delta=0.1)
        self.run_case(self.drop("fast.xml", sound=30, TimeMax=0.001), "fast")
        self.assertNotIn("surface tension", (self.dir / "fast/run.log").read_text())

if __name__ == "__main__":
    unittest.main()
