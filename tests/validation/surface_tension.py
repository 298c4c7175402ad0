# SPDX-License-Identifier: Apache-2.0
"""A drop in another fluid, 2-D: the pressure in it beside Laplace's law. The constants are those of the field's example
06_SurfaceTension: a radius of 0.1 m, 0.5 N/m, 1000 and 1020 kg/m³. scripts/validate.sh runs it."""
import math
from validation_case import ValidationCase, mean, rms

RADIUS, TENSION = 0.1, 0.5  # m, N/m


def drop(n, half_axes, densities=(1000, 1020), width=6, sound=3, alpha=0.02, alone=False, **more):
    """n particles a radius, in a periodic square so many radii wide, or in nothing; α of the artificial viscosity."""
    dp = RADIUS / n
    focus = math.sqrt(half_axes[0] ** 2 - half_axes[1] ** 2)
    begin, size = (0.5 - 0.5 * width * n) * dp, (width * n - 1) * dp
    fluid = lambda name, rho: (f'<property name="{name}"><rhop0 value="{rho}"/><gamma value="7"/><cs0 value="{sound}"/>'
                               f'<visco value="{alpha}"/><phasetype value="0"/><surfcoef value="{TENSION}"/></property>')
    around = "" if alone else (f'<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="{begin}" y="-1" z="{begin}"/>'
                               f'<size x="{size}" y="2" z="{size}"/></drawbox>')
    parameters = {"FlowType": 2, "StepAlgorithm": 2, "Kernel": 2, "ViscoTreatment": 1, "Visco": alpha, "DensityDT": 2,
                  "RhopOutMin": 0, "RhopOutMax": 5000} | ({} if alone else {"XPeriodicIncY": 0, "ZPeriodicIncX": 0}) | more
    room = '<simulationdomain><posmin x="-0.2" y="default" z="-0.2"/><posmax x="0.2" y="default" z="0.2"/></simulationdomain>' if alone else ""
    return f'''<case><casedef><constantsdef><gravity x="0" y="0" z="0"/><rhop0 value="1000"/><gamma value="7"/>
<speedsound value="{sound}"/><coefh value="1.2"/><cflnumber value="0.2"/></constantsdef>
<mkconfig boundcount="240" fluidcount="10"/><geometry><definition dp="{dp}"><pointref x="{begin}" y="0" z="{begin}"/>
<pointmin x="-1" y="0" z="-1"/><pointmax x="1" y="0" z="1"/></definition><commands><mainlist>
<setshapemode>dp</setshapemode><setdrawmode mode="full"/>{around}
<setmkfluid mk="1"/><drawellipsoid radius="{2 * half_axes[0]}"><point x="{-focus}" y="0" z="0"/><point x="{focus}" y="0" z="0"/></drawellipsoid>
</mainlist></commands></geometry>
<properties><links>{'' if alone else '<link mkfluid="0" property="around"/>'}<link mkfluid="1" property="drop"/></links>
{fluid("around", densities[0])}{fluid("drop", densities[1])}</properties></casedef><execution><parameters>
{"".join(f'<parameter key="{k}" value="{v}"/>' for k, v in parameters.items())}{room}</parameters></execution></case>'''


class SurfaceTension(ValidationCase):
    def laplace(self, n, densities, **more):
        """The pressure in the drop above that around, over σ/R, and the root mean square of the speed, m/s, at the end."""
        settings = dict(width=4, alpha=0.1, Shifting=4, TimeMax=1, TimeOut=0.02) | more
        out = self.run_text(f"drop-{n}-{densities[1]}", drop(n, (RADIUS, RADIUS), densities, **settings))
        jumps, speeds = [], []
        for time, f in self.frames(out, "--from", settings["TimeMax"] / 2):
            at = [math.hypot(x, z) for x, z in zip(f["x"], f["z"])]
            inside = mean([p for p, r in zip(f["pressure"], at) if r < 0.5 * RADIUS])
            around = [p for p, r in zip(f["pressure"], at) if r > 1.5 * RADIUS]
            jumps.append(inside - (mean(around) if around else 0))
            speeds.append(rms([math.hypot(x, z) for x, z in zip(f["vx"], f["vz"])]))
        jump, speed = mean(jumps) / (TENSION / RADIUS), mean(speeds[-10:])
        print(f"{n} particles a radius, {densities}: {jump:.4f} of Laplace's pressure, speed {1000 * speed:.2f} mm/s")
        return jump, speed

    def test_laplace(self):
        coarse, fine = (self.laplace(n, (1000, 1020), sound=sound) for n, sound in ((10, 6), (20, 8.5)))
        for jump, _ in (coarse, fine): self.assertLess(abs(jump - 1), 0.05)
        self.assertLess(fine[1], coarse[1])


if __name__ == "__main__":
    import unittest
    unittest.main()
