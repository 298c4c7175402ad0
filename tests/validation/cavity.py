# SPDX-License-Identifier: Apache-2.0
"""The flow in a square cavity whose lid slides, at Reynolds numbers of 100, 400 and 1000, beside the solutions of Ghia, Ghia & Shin (1982)
and, at 1000, the spectral one of Botella & Peyret (1998). scripts/validate.sh runs them."""
import math
import unittest
import plot
from validation_case import DATA, ValidationCase, box, case_of, finer, fitted, rms, table

# What keeps the particles evenly spread in vortices without a surface: the shifting of the Taylor-Green vortices.
SETTINGS = {"StepAlgorithm": 2, "Kernel": 2, "ViscoTreatment": 3, "Boundary": 2, "SlipMode": 1, "DensityDT": 3, "Shifting": 3,
            "ShiftCoef": -20, "ShiftTFS": 0}
COEFH, SOUND = 1.2, 10 # speed of sound over that of the lid


def cavity(n, reynolds, end, frames, settings=None):
    """A square of 1 m, with n × n particles in it, under a lid that drags at 1 m/s along x and stays where it is: it goes a tenth of a spacing
    with that velocity and is set back at once, over and over. Its velocity is that of the motion, whatever the time step; the corners beside
    it rest. Where the fluid comes to rest at walls of `SlipMode` 1 is their first layer, which is the side of the square."""
    dp = 1 / (n + 1)
    layers = math.ceil(2 * COEFH * math.sqrt(2) - 0.5) # that the kernel reaches
    way = max(0.1 * dp, 1.1e-5 * end) # a motion may have 200,000 pieces
    square = lambda low, count: box(low * dp, low * dp, (count - 1) * dp, (count - 1) * dp)
    slide = lambda step, after, speed, seconds: f'<mvrect id="{step}" duration="{seconds!r}" next="{after}"><vel x="{speed}" y="0" z="0"/></mvrect>'
    return case_of(
        f'<gravity x="0" y="0" z="0"/><rhop0 value="1000"/><rhopgradient value="1"/><speedsound value="{SOUND}" auto="false"/>'
        f'<coefh value="{COEFH}"/><cflnumber value="0.2"/>',
        f'<definition dp="{dp!r}"><pointref x="0" y="0" z="0"/><pointmin x="{-(layers + 1) * dp!r}" y="0" z="{-(layers + 1) * dp!r}"/>'
        f'<pointmax x="{1 + (layers + 2) * dp!r}" y="0" z="{1 + (layers + 2) * dp!r}"/></definition>',
        '<setactive drawpoints="0" drawshapes="1"/><setshapemode>actual | bound</setshapemode><setnormalinvert invert="true"/><setmkbound mk="0"/>'
        f'<drawbox><boxfill>all</boxfill><point x="{dp / 2!r}" y="-1" z="{dp / 2!r}"/><size x="{1 - dp!r}" y="2" z="{1 - dp!r}"/></drawbox>'
        '<shapeout file="hdp"/><resetdraw/><setdrawmode mode="full"/><setmkbound mk="0"/>' + square(1 - layers, n + 2 * layers) +
        '<setmkbound mk="1"/>' + box(dp, 1.0, (n - 1) * dp, (layers - 1) * dp) + '<setmkvoid/>' + square(1, n) + '<setmkfluid mk="0"/>' + square(1, n),
        '<normals><geometryfile file="[CaseName]_hdp_Actual.vtk"/><distanceh value="0"/><norplane mkbound="1">'
        f'<point x="0" y="0" z="{1 - dp / 2!r}"/><normal x="0" y="0" z="-1"/><maxdisth v="0"/></norplane></normals>'
        f'<initials><move mkbound="1" x="{-way / 2!r}" y="0" z="0"/></initials>'
        f'<motion><objreal ref="1"><begin mov="1" start="0"/>{slide(1, 2, 1, way)}{slide(2, 1, -1, -way)}</objreal></motion>',
        "", SETTINGS | {"Visco": 1 / reynolds, "TimeMax": end, "TimeOut": end / frames} | (settings or {})
    ).replace('z="default + 50%"', 'z="default"')


def references(reynolds):
    """((z, u), (x, v)): velocities over that of the lid on the vertical and the horizontal line through the middle."""
    if reynolds == 1000:
        exact = table(DATA / "botella_1998_cavity_re1000.csv")
        return (exact["z"], exact["u"]), (exact["x"], exact["w"])
    ghia = table(DATA / "ghia_1982_cavity.csv")
    return (ghia["z"], ghia[f"u_re{reynolds}"]), (ghia["x"], ghia[f"w_re{reynolds}"])


class Cavity(ValidationCase):
    def errors(self, n, reynolds, end):
        """Largest differences of both velocities to the reference, over the speed of the lid; means of frames of the last tenth."""
        out = self.run_text(f"cavity-{reynolds}", cavity(n, reynolds, end, 100))
        places, u, w = [], [], []
        for _, frame in self.frames(out, "--from", 0.9 * end):
            places += zip(frame["x"], frame["z"])
            u += frame["vx"]
            w += frame["vz"]
        radius = 2.0 / n
        near = lambda axis: [i for i, p in enumerate(places) if abs(p[axis] - 0.5) < radius]
        found, differences, drawn = [], [], [0.005 + 0.011 * i for i in range(91)]
        for axis, values, (at, expected) in zip((0, 1), (u, w), references(reynolds)):
            chosen = near(axis)
            near_places, near_values = [places[i] for i in chosen], [values[i] for i in chosen]
            profile = lambda along: [fitted(near_places, near_values, (0.5, z) if axis == 0 else (z, 0.5), radius) for z in along]
            found.append(profile(drawn))
            differences.append([a - b for a, b, z in zip(profile(at), expected, at) if not math.isnan(b) and 0 < z < 1])
        for name, d in zip("uw", differences):
            print(f"cavity, Re {reynolds}, {n} x {n} particles, {end:g} s: {name} differs by {100 * max(map(abs, d)):.1f} % of the lid's speed "
                  f"at most, {100 * rms(d):.1f} % RMS")
        energy = table(out / "flow.csv")
        half = energy["kinetic_energy"][len(energy["kinetic_energy"]) * 9 // 10]
        print(f"cavity, Re {reynolds}: kinetic energy changes by {100 * (energy['kinetic_energy'][-1] / half - 1):+.2f} % in the last tenth; "
              f"{energy['n_fluid'][0] - energy['n_fluid'][-1]:.0f} particles lost")
        panels = []
        for name, (at, expected), profile in zip(("u on the vertical line", "w on the horizontal line"), references(reynolds), found):
            panels.append(plot.Panel(f"Re {reynolds}: {name}", "place / L", "velocity / that of the lid", (0, 1)).line(drawn, profile, f"Sluice, {n} x {n}")
                          .points(at, expected, "Botella & Peyret 1998" if reynolds == 1000 else "Ghia et al. 1982"))
        plot.save(self.dir / f"cavity-{reynolds}.svg", *panels)
        self.assertEqual(energy["n_fluid"][0], energy["n_fluid"][-1])
        return max(max(map(abs, d)) for d in differences)

    def test_cavity_re100(self):
        self.assertLess(self.errors(finer(100), 100, 20), 0.03)

    def test_cavity_re400(self):
        self.assertLess(self.errors(finer(200), 400, 40), 0.03)

    def test_cavity_re1000(self):
        self.assertLess(self.errors(finer(200), 1000, 80), 0.03)


if __name__ == "__main__":
    unittest.main()
