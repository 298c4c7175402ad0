# SPDX-License-Identifier: Apache-2.0
"""A square of an ideal fluid without gravity and walls, in two dimensions, that rotates (Le Touzé et al. 2013, Int. J. Numer. Meth. Fluids 73:660).
scripts/validate.sh runs it."""
import math
import re
import unittest
import plot
from validation_case import DATA, ValidationCase, box, case_of, finer, interpolated, mean, rms, table

ADVANCED = {"Shifting": 4, "ShiftAdvALE": 1}
CHOICES = (("recommended", {}, ()), ("coefh 1.3", {}, ("--set", "coefh=1.3")), ("shifting, coefh 1.3", ADVANCED, ("--set", "coefh=1.3")))
SOUND, REACH, END = 10, 2.3, 2.0 # speed of sound over ωL, half of the domain over L, end over 1/ω


def first_pressures(places):
    """Over ρω²L², of a square that turns as a solid (Colagrossi 2005): by rows of particles at `places`, from −½ to ½, along x and z."""
    modes = range(1, 40, 2)
    sines = {m: [math.sin(m * math.pi * (x + 0.5)) for x in places] for m in modes}
    factors = {(m, k): -32 / (m * k * math.pi ** 4 * (m * m + k * k)) for m in modes for k in modes}
    columns = {m: [sum(factors[m, k] * sines[k][j] for k in modes) for j in range(len(places))] for m in modes}
    return [[sum(sines[m][i] * columns[m][j] for m in modes) for j in range(len(places))] for i in range(len(places))]


def rotating_square(n, settings):
    """A square of 1 m of n × n particles whose sides are free and which turns at first as a solid at 1 rad/s, from z to x. Each particle has
    its own velocity in the case, and its own density, so that the flow begins without sound."""
    dp = 1 / n
    w, count = dp / 2, math.ceil(REACH / dp)
    places = [-0.5 + (i + 0.5) * dp for i in range(n)]
    pressures = first_pressures(places)
    limit = lambda name, x, z, by: f'<{name} x="{x + by!r}" z="{z + by!r}"/>'
    only = lambda x, z: f'<onlypos>{limit("posmin", x, z, -dp / 4)}{limit("posmax", x, z, dp / 4)}</onlypos>'
    states = "".join(f'<velocity mkfluid="0" x="{z!r}" y="0" z="{-x!r}">{only(x, z)}</velocity>'
                     f'<densityuniform mkfluid="0" rhop="{1000 * (1 + pressures[i][j] / SOUND ** 2)!r}">{only(x, z)}</densityuniform>'
                     for i, x in enumerate(places) for j, z in enumerate(places))
    return case_of(
        f'<gravity x="0" y="0" z="0"/><rhop0 value="1000"/><rhopgradient value="1"/><speedsound value="{SOUND}" auto="false"/>',
        f'<definition dp="{dp!r}"><pointref x="{w!r}" y="0" z="{w!r}"/><pointmin x="{-count * dp!r}" y="0" z="{-count * dp!r}"/>'
        f'<pointmax x="{count * dp!r}" y="0" z="{count * dp!r}"/></definition>',
        '<setdrawmode mode="full"/><setmkfluid mk="0"/>' + box(-0.5 + w, -0.5 + w, 1 - dp, 1 - dp), f"<initials>{states}</initials>",
        '<gauges><default><computedt value="0.005"/></default><pressure name="centre"><point x="0" y="0" z="0"/></pressure></gauges>',
        {"Scheme": "recommended", "TimeMax": END, "TimeOut": 0.1} | settings
    ).replace('<posmax x="default" y="default" z="default + 50%"/>',
              f'<posmin x="{-REACH}" y="default" z="{-REACH}"/><posmax x="{REACH}" y="default" z="{REACH}"/>')


def surface(frame):
    """Least distance of the surface from the middle: of the farthest particles in sectors of 5°, the nearest; the mean of the four quarters."""
    far = [0.0] * 72
    for x, z in zip(frame["x"], frame["z"]):
        sector = int((math.atan2(z, x) / (2 * math.pi) % 1) * 72) % 72
        far[sector] = max(far[sector], math.hypot(x, z))
    return mean([min(far[18 * quarter:18 * quarter + 18]) for quarter in range(4)])


class RotatingSquare(ValidationCase):
    def figures(self, n, name, settings, options):
        """Over time: tips over their exact distance, distance of the sides, pressure in the middle, kinetic energy and angular momentum over those
        of the start. The pressure has no gradient at a corner, so that its tip goes straight on."""
        out = self.run_text(name, rotating_square(n, settings), *options)
        flow, centre = table(out / "flow.csv"), table(out / "gauges" / "centre.csv")
        found = {"time": [], "tip": [], "side": [], "turning": [], "pressure": []}
        for t, frame in self.frames(out):
            places = list(zip(frame["x"], frame["z"]))
            corner = 0.5 - 0.5 / n # of the particles at first
            ways = [(corner * (sx + sz * t), corner * (sz - sx * t)) for sx in (-1, 1) for sz in (-1, 1)]
            found["time"].append(t)
            found["tip"].append(mean([max(x * a + z * b for x, z in places) / (a * a + b * b) for a, b in ways]))
            found["side"].append(surface(frame) + 0.5 / n)
            found["turning"].append(sum(z * u - x * v for (x, z), u, v in zip(places, frame["vx"], frame["vz"])))
            found["pressure"].append(mean([p for at, p in zip(centre["time"], centre["pressure"]) if abs(at - t) < 0.07]) / 1000)
        found["turning"] = [v / found["turning"][0] for v in found["turning"]]
        found["energy"] = [v / flow["kinetic_energy"][0] for v in flow["kinetic_energy"]]
        self.assertEqual(flow["n_fluid"][0], flow["n_fluid"][-1])
        return found

    def test_rotating_square(self):
        n = finer(100)
        exact = table(DATA / "rotating_square.csv")
        panels = [plot.Panel("Pressure in the middle", "ωt", "p / ρω²L²", (0, END)).line(exact["time"], exact["pressure"], "potential flow", plot.GREY),
                  plot.Panel("Tips of the arms", "ωt", "distance over the exact one", (0, END), (0.8, 1.02)).line([0, END], [1, 1], "exact", plot.GREY),
                  plot.Panel("Sides", "ωt", "least distance from the middle / L", (0, END)).line(exact["time"], exact["distance"], "potential flow", plot.GREY),
                  plot.Panel("Kinetic energy", "ωt", "over that of the start", (0, END), (0.9, 1.01)).line([0, END], [1, 1], "exact", plot.GREY)]
        results = {}
        for (name, settings, options), colour in zip(CHOICES, (plot.BLUE, plot.ORANGE, plot.GREEN)):
            f = results[name] = self.figures(n, "square-" + re.split("[ ,]", name)[0], settings, options)
            early = [i for i, t in enumerate(f["time"]) if 0.2 <= t <= 1.11]
            off = rms([f["pressure"][i] - interpolated(exact["time"], exact["pressure"], f["time"][i]) for i in early])
            side = max(abs(f["side"][i] - interpolated(exact["time"], exact["distance"], f["time"][i])) for i in early)
            f["off"], f["farthest"] = off, side
            at = lambda key, t: interpolated(f["time"], f[key], t)
            print(f"rotating square, {n} x {n} particles, {name}: pressure {100 * off / 0.14734:.1f} % of that of the start off (RMS, 0.2 to 1.1), sides "
                  f"{100 * side:.1f} % of L at most, tips {100 * (at('tip', 1) - 1):+.1f} % at 1, {100 * (at('tip', 2) - 1):+.1f} % at 2, energy "
                  f"{100 * (at('energy', 1) - 1):+.2f}, {100 * (at('energy', 2) - 1):+.2f} %, angular momentum {100 * (at('turning', 2) - 1):+.3f} %")
            for panel, key in zip(panels, ("pressure", "tip", "side", "energy")): panel.line(f["time"], f[key], name, colour)
        plot.save(self.dir / "rotating-square.svg", *panels, width=400)
        best = results["recommended"]
        self.assertLess(best["off"], 0.02 * 0.14734) # no void opens in the middle before 1.1
        self.assertLess(best["farthest"], 0.01)
        self.assertGreater(interpolated(best["time"], best["tip"], 1), 0.95)
        self.assertGreater(interpolated(best["time"], best["energy"], 1), 0.99)
        self.assertLess(max(abs(v - 1) for v in best["turning"]), 0.01)


if __name__ == "__main__":
    unittest.main()
