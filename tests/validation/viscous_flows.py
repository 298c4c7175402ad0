# SPDX-License-Identifier: Apache-2.0
"""Laminar flows along modified dynamic boundaries without slip, beside theory: between plates (the series of Morris, Fox & Zhu
1997, eqs. 20 and 21), also of fluids that are not Newtonian, and round the cylinders of a lattice. scripts/validate.sh runs
them."""
import csv
import math
import subprocess
import unittest
from validation_case import SLUICE, ValidationCase, rms, table

NU = 0.1  # m²/s; the plates are 1 m apart, the largest velocity is 1 m/s


def poiseuille(z, t):
    """Velocity (m/s) of the flow that a body force of 8 ν starts from rest."""
    u = 4 * z * (1 - z)
    for n in range(60):
        k = 2 * n + 1
        u -= 32 / (math.pi * k) ** 3 * math.sin(math.pi * k * z) * math.exp(-(k * math.pi) ** 2 * NU * t)
    return u


def couette(z, t):
    """Velocity (m/s) of the flow that the upper plate drags along, at 1 m/s from the start."""
    return z + sum(2 / (n * math.pi) * (-1) ** n * math.sin(n * math.pi * z) * math.exp(-(n * math.pi) ** 2 * NU * t)
                   for n in range(1, 120))


FORCE = 0.1  # m/s², of the flows that are not Newtonian
FLUIDS = {  # children of <phase>, and the shear stress over the density (m²/s²) at a shear rate g (1/s)
    "thinning": ('<visco value="0.1"/><HBP_m value="100"/><HBP_n value="0.5"/>',
                 lambda g: g * 0.1 * max(g / 2, 0.01) ** -0.5),
    "thickening": ('<visco value="0.1"/><HBP_n value="1.5"/>', lambda g: g * 0.1 * (g / 2) ** 0.5),
    "Bingham": ('<visco value="0.05"/><tau_yield value="0.02"/><HBP_m value="100"/>',
                lambda g: 0.02 * (1 - math.exp(-50 * g)) + 0.05 * g),
    "bi-viscous": ('<visco value="0.05"/><tau_max value="0.02"/><Bi_multi value="50"/>',
                   lambda g: min(0.02, 2.5 * g) + 0.05 * g),
    "Carreau-Yasuda": ('<visco value="0.2"/><CY_visco_inf value="0.02"/><CY_lambda value="5"/><CY_n value="0.4"/><CY_a value="2"/>',
                       lambda g: g * (0.02 + 0.18 * (1 + 25 * g * g) ** -0.3)),
}


def shear_rate(stress_at, stress):
    """The shear rate (1/s) of a shear stress, by bisection."""
    low, high = 0, 1000
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if stress_at(middle) < stress else (low, middle)
    return low


def steady_profile(stress_at, parts=2000):
    """Velocities (m/s) at z = k/parts of the steady flow under FORCE: the stress is FORCE (½ − z)."""
    rates = [math.copysign(shear_rate(stress_at, abs(FORCE * (0.5 - (k + 0.5) / parts))), 0.5 - (k + 0.5) / parts)
             for k in range(parts)]
    u = [0.0]
    for rate in rates:
        u.append(u[-1] + rate / parts)
    return u


def between_plates(n, force, speed, phase=""):
    """A case with n particles from plate to plate, ten along the period; the plates' surfaces are at z = 0 and 1."""
    dp = 1 / n
    wall = f'<size x="{9 * dp}" y="2" z="{2 * dp}"/></drawbox>'
    motion = f'''<motion><objreal ref="1"><begin mov="1" start="0"/>
<mvrect id="1" duration="1000"><vel x="{speed}" y="0" z="0"/></mvrect></objreal></motion>''' if speed else ""
    parameters = {"StepAlgorithm": 2, "Kernel": 2, "ViscoTreatment": 3, "Visco": NU, "Boundary": 2, "SlipMode": 2,
                  "DensityDT": 0, "TimeMax": 4, "TimeOut": 1, "XPeriodicIncZ": 0}
    if phase:
        parameters |= {"TimeMax": 12, "TimeOut": 3, "DensityDT": 2, "Shifting": 1, "ShiftCoef": -10, "ShiftTFS": 0}
    return f'''<case><casedef><constantsdef><gravity x="{force}" y="0" z="0"/><rhop0 value="1000"/><rhopgradient value="1"/>
<speedsound value="20" auto="false"/><coefh value="1.2"/><cflnumber value="0.2"/></constantsdef>
<mkconfig boundcount="240" fluidcount="10"/><geometry><definition dp="{dp}">
<pointmin x="0" y="0" z="{-3.5 * dp}"/><pointmax x="{10 * dp}" y="0" z="{1 + 3.5 * dp}"/></definition><commands><mainlist>
<setdrawmode mode="full"/>
<setmkbound mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="{-2.5 * dp}"/>{wall}
<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="{1 + 0.5 * dp}"/>{wall}
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="{0.5 * dp}"/>
<size x="{9 * dp}" y="2" z="{1 - dp}"/></drawbox>
</mainlist></commands></geometry>
<normals><norplane mkbound="0"><point x="0" y="0" z="0"/><normal x="0" y="0" z="1"/></norplane>
<norplane mkbound="1"><point x="0" y="0" z="1"/><normal x="0" y="0" z="-1"/></norplane></normals>{motion}</casedef>
<execution><special>{phase and f'<nnphases><phase mkfluid="0">{phase}</phase></nnphases>'}</special>
<parameters>{"".join(f'<parameter key="{k}" value="{v}"/>' for k, v in parameters.items())}</parameters></execution></case>'''


RADIUS, SPEED = 0.225, 0.05  # of the cylinders over their distance, and the mean velocity (m/s) that theory gives


def lattice_drag():
    """Drag of a cylinder of a square lattice in creeping flow, over the viscosity and the mean velocity: Sangani & Acrivos
    (1982), whose table (24.83 and 51.53 at fractions of 0.1 and 0.2) the last term makes exact."""
    c = math.pi * RADIUS ** 2
    return 4 * math.pi / (-0.5 * math.log(c) - 0.738 + c - 0.887 * c ** 2 + 2.038 * c ** 3 - 2.27 * c ** 4)


def cylinder_lattice(n):
    """A cylinder in a periodic square 1 m wide with n particles a side, n/20 an odd number, under a force along x."""
    dp = 1 / n
    w, middle = dp / 2, 0.5 + dp / 2
    parameters = {"StepAlgorithm": 2, "Kernel": 2, "ViscoTreatment": 3, "Visco": NU, "Boundary": 2, "SlipMode": 2,
                  "DensityDT": 2, "Shifting": 1, "ShiftCoef": -10, "ShiftTFS": 0, "TimeMax": 6, "TimeOut": 0.5, "XZPeriodic": 1}
    return f'''<case><casedef><constantsdef><gravity x="{lattice_drag() * NU * SPEED}" y="0" z="0"/><rhop0 value="1000"/>
<rhopgradient value="1"/><speedsound value="3" auto="false"/><coefh value="1.2"/><cflnumber value="0.2"/></constantsdef>
<mkconfig boundcount="240" fluidcount="10"/><geometry><definition dp="{dp}"><pointref x="{w}" y="0" z="{w}"/>
<pointmin x="0" y="0" z="0"/><pointmax x="{1 + dp}" y="0" z="{1 + dp}"/></definition><commands><mainlist>
<setdrawmode mode="full"/><setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="{w}" y="-1" z="{w}"/><size x="{1 - dp}" y="2" z="{1 - dp}"/></drawbox>
<setmkbound mk="0"/><setdrawmode mode="solid"/>
<drawsphere radius="{RADIUS}"><point x="{middle}" y="0" z="{middle}"/></drawsphere>
</mainlist></commands></geometry>
<normals><norsphere mkbound="0"><center x="{middle}" y="0" z="{middle}"/><radius v="{RADIUS}"/><inside v="true"/>
<maxdisth v="0"/></norsphere></normals></casedef>
<execution><special><gauges><default><computedt value="0.05"/><output value="true"/></default>
<force name="force"><target mkbound="0"/></force></gauges></special>
<parameters>{"".join(f'<parameter key="{k}" value="{v}"/>' for k, v in parameters.items())}
<simulationdomain><posmin x="0" y="default" z="0"/><posmax x="1" y="default" z="1"/></simulationdomain></parameters></execution></case>'''


class ViscousFlows(ValidationCase):
    def errors(self, name, n, exact, force, speed, phase=""):
        """Root mean square (m/s) of the differences to the exact velocity in each second."""
        out = self.run_text(f"{name}-{n}", between_plates(n, force, speed, phase), "--threads", 1)
        subprocess.run([SLUICE, "export", out, "-o", out / "csv", "--format", "csv", "--from", "0.5", "--quiet"], check=True)
        errors = []
        for file in sorted((out / "csv").glob("fluid_*.csv")):
            with open(file, encoding="utf-8") as lines:
                time = float(next(lines).split("time ")[1].split()[0])
                rows = list(csv.DictReader(lines))
            self.assertEqual(len(rows), 10 * n)
            errors.append(rms([float(row["vx [m/s]"]) - exact(float(row["z [m]"]), time) for row in rows]))
        print(f"{name}, {n} particles: " + ", ".join(f"{100 * e:.2f} %" for e in errors))
        return errors

    def converges(self, name, exact, force, speed):
        coarse, middle, fine = (self.errors(name, n, exact, force, speed) for n in (10, 20, 40))
        self.assertLess(max(coarse), 0.02)
        self.assertLess(max(middle), 0.5 * max(coarse))
        self.assertLess(max(fine), 0.7 * max(middle))

    def test_poiseuille(self):
        self.converges("Poiseuille", poiseuille, 8 * NU, 0)

    def test_couette(self):
        self.converges("Couette", couette, 0, 1)

    def test_generalised_newtonian(self):
        for name, (phase, stress_at) in FLUIDS.items():
            u = steady_profile(stress_at)
            coarse, fine = (self.errors(name, n, lambda z, t: u[round(min(max(z, 0), 1) * (len(u) - 1))], FORCE, 0, phase)[-1] / max(u)
                            for n in (20, 40))
            print(f"{name}: largest velocity {max(u):.3f} m/s, differences {100 * coarse:.2f} and {100 * fine:.2f} % of it")
            self.assertLess(coarse, 0.04)
            self.assertLess(fine, 0.6 * coarse)
            self.assertLess(fine, 0.02)

    def test_cylinder_lattice(self):
        errors = []
        for n in (20, 60):
            out = self.run_text(f"lattice-{n}", cylinder_lattice(n), "--threads", 1)
            flow, force = table(out / "flow.csv"), table(out / "gauges" / "force.csv")
            settled = [i for i, t in enumerate(flow["time"]) if t > 3]
            speed = sum(flow["momentum_x"][i] / 1000 for i in settled) / len(settled)  # of the whole square, m/s
            late = [f for t, f in zip(force["time"], force["fx"]) if t > 3]
            weight = flow["mass"][0] * lattice_drag() * NU * SPEED
            gauge = sum(late) / len(late) / weight
            subprocess.run([SLUICE, "forces", out, "--mkbound", "0", "-o", out / "forces.csv", "--quiet"], check=True)
            stored = table(out / "forces.csv")
            for t, f in list(zip(stored["time"], stored["fx"]))[1:]:
                now = [g for at, g in zip(force["time"], force["fx"]) if abs(at - t) < 1e-9]
                self.assertTrue(now and abs(now[0] - f) < 1e-3 * weight, f"t = {t}: {now} and, from frames, {f}")
            errors.append(SPEED / speed - 1)
            print(f"cylinders in a lattice, {2 * RADIUS * n:g} particles a diameter: drag {100 * errors[-1]:+.2f} %, "
                  f"gauge over the weight of the water {gauge:.4f}")
            self.assertLess(abs(gauge - 1), 0.01)
        self.assertLess(abs(errors[0]), 0.03)
        self.assertLess(abs(errors[1]), 0.01)


if __name__ == "__main__":
    unittest.main()
