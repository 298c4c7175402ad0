# SPDX-License-Identifier: Apache-2.0
"""Water in tanks that turn, told by acceleration inputs: surfaces of solid-body rotation. scripts/validate.sh runs the longer one."""
import math
import unittest
from validation_case import GRAVITY, ValidationCase, case_of, mean, table

CONSTANTS = '''<gravity x="0" y="0" z="-9.81"/><rhop0 value="1000"/><rhopgradient value="2"/><hswl value="0" auto="true"/>
<speedsystem value="0" auto="true"/><coefsound value="20"/><speedsound value="0" auto="true"/><coefh value="1.2"/><cflnumber value="0.2"/>'''


def drum_that_turns():
    """A drum of 0.1 m radius, filled 0.1 m deep, that turns steadily at 12 rad/s with all water at rest in it; damping calms what sloshes
    as the surface takes its shape."""
    commands = '''<setshapemode>actual | dp | bound</setshapemode><setdrawmode mode="full"/><setmkbound mk="0"/>
<drawcylinder radius="0.1" mask="2"><point x="0" y="0" z="0"/><point x="0" y="0" z="0.25"/></drawcylinder><setmkfluid mk="0"/>
<fillbox x="0" y="0" z="0.05"><modefill>void</modefill><point x="-0.2" y="-0.2" z="0"/><size x="0.4" y="0.4" z="0.1"/></fillbox>'''
    special = '''<accinputs><accinput mkfluid="0"><acccentre x="0" y="0" z="0"/><rotation value="frame"/><acctimes>
<timevalue time="-1" angz="12"/><timevalue time="-1e-9" angz="12"/><timevalue time="0"/></acctimes></accinput></accinputs>
<damping><dampingzone><limitmin x="-9" y="0" z="0"/><limitmax x="-8" y="0" z="0"/><overlimit value="100"/><redumax value="8"/></dampingzone></damping>'''
    definition = '''<definition dp="0.01"><pointmin x="-0.15" y="-0.15" z="-0.05"/><pointmax x="0.15" y="0.15" z="0.35"/></definition>'''
    parameters = {"StepAlgorithm": 2, "Kernel": 2, "ViscoTreatment": 1, "Visco": 0.05, "DensityDT": 2, "DensityDTvalue": 0.1,
                  "TimeMax": 1.2, "TimeOut": 0.2}
    gauges = "".join(f'<swl name="r{k}"><point0 x="{x}" y="{y}" z="0.01"/><point2 x="{x}" y="{y}" z="0.24"/></swl>'
                     for k, x, y in DRUM_GAUGES)
    constants = CONSTANTS.replace('<coefsound value="20"/>', '<coefsound value="12"/>').replace('<cflnumber value="0.2"/>', '<cflnumber value="0.4"/>')
    return case_of(constants, definition, commands, "", special + f"<gauges><default><computedt value='0.02'/></default>{gauges}</gauges>",
                   parameters)


DRUM_GAUGES = [(f"{n}_{m}", 0.01 * n * math.cos(m * math.pi / 3), 0.01 * n * math.sin(m * math.pi / 3)) for n in (0, 2, 4, 6)  # two smoothing lengths off the wall at least
               for m in range(6 if n else 1)]

OMEGA, AXIS = 2.0, (-0.2, -0.1)  # rad/s; x and z of the axis about which the tank swings, m


def swung_tank(centre):
    """A tank in x and z, 1 m long and filled 0.3 m deep, that turns steadily about an axis outside of it. It is told by the turning
    about another point of the tank, and the acceleration of that point: what is felt there is ω² (centre − axis)."""
    lin = [OMEGA ** 2 * (c - a) for c, a in zip(centre, AXIS)]
    row = f'linx="{lin[0]!r}" linz="{lin[1]!r}"'
    special = f'''<accinputs><accinput mkfluid="0"><acccentre x="{centre[0]}" y="0" z="{centre[1]}"/><rotation value="frame"/><acctimes>
<timevalue time="-1" angy="{OMEGA}" {row}/><timevalue time="-1e-9" angy="{OMEGA}" {row}/><timevalue time="0" {row}/></acctimes></accinput></accinputs>
<damping><dampingzone><limitmin x="-9" y="0" z="0"/><limitmax x="-8" y="0" z="0"/><overlimit value="100"/><redumax value="3"/></dampingzone></damping>
<gauges><default><computedt value="0.05"/></default>
{"".join(f'<swl name="x{k}"><point0 x="{0.05 + 0.1 * k!r}" y="0" z="0.01"/><point2 x="{0.05 + 0.1 * k!r}" y="0" z="0.75"/></swl>' for k in range(10))}</gauges>'''
    commands = '''<setshapemode>actual | dp | bound</setshapemode><setdrawmode mode="full"/><setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill>
<point x="0" y="-1" z="0"/><size x="1" y="2" z="0.3"/></drawbox><setmkbound mk="0"/><drawbox><boxfill>bottom | left | right</boxfill>
<point x="0" y="-1" z="0"/><size x="1" y="2" z="0.8"/></drawbox>'''
    definition = '<definition dp="0.02"><pointmin x="-0.1" y="0" z="-0.1"/><pointmax x="1.1" y="0" z="0.9"/></definition>'
    parameters = {"StepAlgorithm": 2, "Kernel": 2, "ViscoTreatment": 1, "Visco": 0.05, "DensityDT": 2, "DensityDTvalue": 0.1,
                  "TimeMax": 4, "TimeOut": 0.5}
    return case_of(CONSTANTS, definition, commands, "", special, parameters)


def swung_surface(x, constant):
    """z where g z − ω² ((x − x_a)² + (z − z_a)²)/2 is constant."""
    b, c = GRAVITY / OMEGA ** 2 + AXIS[1], (x - AXIS[0]) ** 2 + AXIS[1] ** 2 + 2 * constant
    return b - math.sqrt(b * b - c)


class Rotating(ValidationCase):
    def surface(self, out, name, since):
        columns = table(out / "gauges" / f"{name}.csv")
        return mean([z for t, z in zip(columns["time"], columns["z"]) if t >= since])

    def assert_paraboloid(self, out, omega, since):
        """z = z0 + ω² r²/2g at the gauges, to 2 % of the rise from the axis to the wall."""
        found = {}
        for name, x, y in DRUM_GAUGES:
            found.setdefault(round(100 * math.hypot(x, y)) / 100, []).append(self.surface(out, f"r{name}", since))
        curve = {r: omega ** 2 * r ** 2 / (2 * GRAVITY) for r in found}
        whole = omega ** 2 * 0.1 ** 2 / (2 * GRAVITY)
        level = mean([mean(z) - curve[r] for r, z in found.items()])
        for r, z in sorted(found.items()):
            print(f"r = {r} m: z = {mean(z):.5f} m, off by {100 * (mean(z) - level - curve[r]) / whole:+.2f} % of the rise, {whole:.4f} m")
        for r, z in found.items(): self.assertAlmostEqual(mean(z), level + curve[r], delta=0.02 * whole, msg=f"r = {r} m")

    def test_short_drum(self):
        self.assert_paraboloid(self.run_text("drum_that_turns", drum_that_turns()), 12, 0.8)

    def test_swung_tanks(self):
        places = [0.05 + 0.1 * k for k in range(10)]
        low, high = -1.0, 0.5  # the constant that keeps the area of the water
        for _ in range(60):
            middle = 0.5 * (low + high)
            area = mean([swung_surface((k + 0.5) / 200, middle) for k in range(200)])
            low, high = (middle, high) if area < 0.3 else (low, middle)
        theory = [swung_surface(x, low) for x in places]
        rise = swung_surface(1, low) - swung_surface(0, low)
        for name, centre in (("axis", AXIS), ("off", (0.6, 0.2))):
            out = self.run_text(f"swung_{name}", swung_tank(centre))
            found = [self.surface(out, f"x{k}", 3) for k in range(10)]
            off = mean(found) - mean(theory)
            worst = max(abs(z - t - off) for z, t in zip(found, theory))
            print(f"centre {centre}: rise {rise:.4f} m, mean level off by {off:+.4f} m, the largest difference is {100 * worst / rise:.2f} % of the rise")
            self.assertLess(worst, 0.02 * rise)


if __name__ == "__main__":
    unittest.main()
