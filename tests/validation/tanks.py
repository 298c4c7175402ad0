# SPDX-License-Identifier: Apache-2.0
"""Tanks whose water comes to rest, beside hydrostatics: still water for a minute, and water in a drum that turns. scripts/validate.sh runs
them."""
import math
import unittest
import plot
from validation_case import GRAVITY, ValidationCase, box, case_of, finer, mean, rms, table

WATER = f'<gravity x="0" y="0" z="-{GRAVITY}"/><rhop0 value="1000"/><rhopgradient value="2"/>'


def slope(times, values):
    """Of the straight line that fits best."""
    t, v = mean(times), mean(values)
    return sum((a - t) * (b - v) for a, b in zip(times, values)) / sum((a - t) ** 2 for a in times)


def still_tank(n, width, depth, end):
    """An open tank of water `n` particles deep, recommended scheme, walls of six layers whose surfaces lie halfway between particles."""
    dp = depth / n
    w, thick, top, columns = dp / 2, 6, math.ceil(1.6 * n), round(width / dp)
    return case_of(
        WATER, f'<definition dp="{dp!r}"><pointref x="{w!r}" y="0" z="{w!r}"/><pointmin x="{-(thick + 1) * dp!r}" y="0" z="{-(thick + 1) * dp!r}"/>'
        f'<pointmax x="{(columns + thick + 2) * dp!r}" y="0" z="{(top + 2) * dp!r}"/></definition>',
        '<setactive drawpoints="0" drawshapes="1"/><setshapemode>actual | bound</setshapemode><setnormalinvert invert="true"/><setmkbound mk="0"/>'
        f'<drawbox><boxfill>all ^ top</boxfill><point x="0" y="-1" z="0"/><size x="{columns * dp!r}" y="2" z="{(top + thick) * dp!r}"/></drawbox>'
        '<shapeout file="hdp"/><resetdraw/><setdrawmode mode="full"/><setmkbound mk="0"/>' +
        box((0.5 - thick) * dp, (0.5 - thick) * dp, (columns + 2 * thick - 1) * dp, (top + thick - 1) * dp) +
        '<setmkvoid/>' + box(w, w, (columns - 1) * dp, (top + 1) * dp) + '<setmkfluid mk="0"/>' + box(w, w, (columns - 1) * dp, depth - dp),
        '<normals><geometryfile file="[CaseName]_hdp_Actual.vtk"/><distanceh value="0"/></normals>', "",
        {"Scheme": "recommended", "TimeMax": end, "TimeOut": 0.25})


class Drum:
    """A drum of 0.1 m radius about the z axis with 0.1 m of water, which turns with 10 rad/s after a second: in the frame that turns with it, where
    an acceleration input of 10 rad/s² turns the water against the drum, or as walls that turn. Friction (0.002 m²/s) brings the water
    to rest in it."""
    RADIUS, DEPTH, SPIN, BEGIN, END = 0.1, 0.1, 10, 3.0, 3.5

    @staticmethod
    def surface(n):
        """Radius of the wall's surface where `n` spacings are 0.1 m: between the particles that a cylinder takes on the lattice, up to 0.6
        spacings outside of it, and those beyond."""
        return Drum.RADIUS * (1 - 0.4 / n)

    @staticmethod
    def text(n, in_its_frame):
        d, dp = Drum, Drum.RADIUS / n
        thick, top = 3, round(1.7 * n)
        radius, outside = (n - 1) * dp, (n + thick) * dp
        cylinder = lambda r, low, high: (f'<drawcylinder radius="{r!r}"><point x="0" y="0" z="{low!r}"/><point x="0" y="0" z="{high!r}"/></drawcylinder>')
        high = lambda rows: (rows - 0.5) * dp
        plane = f'<norplane mkbound="0"><onlypos><posmax z="0"/></onlypos><point x="0" y="0" z="0"/><normal x="0" y="0" z="1"/><maxdisth v="0"/></norplane>'
        tube = (f'<norcylinder mkbound="0"><onlypos><posmin z="0"/></onlypos><center1 x="0" y="0" z="0"/><center2 x="0" y="0" z="{1.0}"/>'
                f'<radius v="{d.surface(n)!r}"/><inside v="false"/><limit1 v="false"/><limit2 v="false"/><maxdisth v="0"/></norcylinder>')
        gauges = "".join(f'<swl name="{name}_{i}"><point0 x="{x * r!r}" y="{y * r!r}" z="{2 * dp!r}"/><point2 x="{x * r!r}" y="{y * r!r}" z="{top * dp!r}"/>'
                         '<pointdp coefdp="0.1"/></swl>' for name, x, y in (("east", 1, 0), ("north", 0, 1), ("west", -1, 0), ("south", 0, -1))
                         for i, r in enumerate(Drum.radii()))
        frame = ('<accinputs><accinput mkfluid="0"><time start="0" end="100"/><acccentre x="0" y="0" z="0"/><globalgravity value="1"/><acctimes>'
                 f'<timevalue time="0"/><timevalue time="0.1"/><timevalue time="0.1001" angz="{d.SPIN}"/><timevalue time="1.1" angz="{d.SPIN}"/>'
                 '<timevalue time="1.1001"/><timevalue time="100"/></acctimes></accinput></accinputs>') if in_its_frame else ""
        axis = '<axisp1 x="0" y="0" z="0"/><axisp2 x="0" y="0" z="1"/>'
        turned = "" if in_its_frame else (
            f'<motion><objreal ref="0"><begin mov="1" start="0.1"/><mvrotace id="1" duration="1" next="2" anglesunits="radians"><ace ang="{d.SPIN}"/>'
            f'<velini ang="0"/>{axis}</mvrotace><mvrot id="2" duration="100" anglesunits="radians"><vel ang="{d.SPIN}"/>{axis}</mvrot></objreal></motion>')
        return case_of(
            WATER, f'<definition dp="{dp!r}"><pointref x="0" y="0" z="{dp / 2!r}"/>'
            f'<pointmin x="{-outside - 2 * dp!r}" y="{-outside - 2 * dp!r}" z="{-(thick + 1) * dp!r}"/>'
            f'<pointmax x="{outside + 2 * dp!r}" y="{outside + 2 * dp!r}" z="{(top + 2) * dp!r}"/></definition>',
            f'<setdrawmode mode="full"/><setmkbound mk="0"/>{cylinder(outside, high(1 - thick), high(top))}'
            f'<setmkvoid/>{cylinder(radius, high(1), high(top + 1))}<setmkfluid mk="0"/>{cylinder(radius, high(1), high(round(d.DEPTH / dp)))}',
            f'<normals>{tube}{plane}</normals>{turned}', frame +
            f'<gauges><default><computedt value="0.02"/></default>{gauges}</gauges>',
            {"Scheme": "recommended", "Visco": 0.002, "ViscoTreatment": "MonaghanGingold", "TimeMax": d.END, "TimeOut": 0.25}
        ).replace('<posmax x="default" y="default"', '<posmin x="default - 30%" y="default - 30%" z="default"/><posmax x="default + 30%" y="default + 30%"')

    @staticmethod
    def radii():
        return [Drum.RADIUS * f for f in (0.0, 0.2, 0.4, 0.6, 0.8)]


class Tanks(ValidationCase):
    def test_still_water_minute(self):
        """Water at rest for 60 s keeps its level, its pressure and its energy."""
        n, depth, end = finer(50), 0.5, 60
        out = self.run_text("still-minute", still_tank(n, 1.0, depth, end))
        flow = table(out / "flow.csv")
        late = [i for i, t in enumerate(flow["time"]) if t >= 2]
        drift = 1000 * slope([flow["time"][i] for i in late], [flow["z_centroid"][i] for i in late])
        gained = max(flow["dissipated_energy"]) - flow["dissipated_energy"][-1]
        speed = max(flow["speed_max"][i] for i in late if flow["time"][i] > end - 5) / math.sqrt(GRAVITY * depth)
        times, errors = [], []
        for t, frame in self.frames(out, "--from", 2, "--every", 8):
            times.append(t)
            errors.append(100 * rms([p - 1000 * GRAVITY * (depth - z) for p, z in zip(frame["pressure"], frame["z"])]) / (1000 * GRAVITY * depth))
        first, last = (mean([e for t, e in zip(times, errors) if a <= t <= b]) for a, b in ((2, 12), (end - 10, end)))
        print(f"still water, {n} particles deep, {end} s: the centroid goes by {drift:+.4f} mm/s (asked 0.02), pressure L2 {first:.2f} % of 2 to 12 s, "
              f"{last:.2f} % of the last 10 s (asked 1.2), fastest particle {speed:.4f} sqrt(gH), energy from nowhere {gained:.2f} J (asked 1 in 20 s), "
              f"{flow['n_fluid'][0] - flow['n_fluid'][-1]:.0f} particles lost")
        plot.save(self.dir / "still-minute.svg",
                  plot.Panel("Height of the centroid", "time (s)", "above that of 2 s (mm)")
                  .line([flow["time"][i] for i in late], [1000 * (flow["z_centroid"][i] - flow["z_centroid"][late[0]]) for i in late], f"{n} particles deep"),
                  plot.Panel("Error of the pressure", "time (s)", "L2 over the bottom's (%)", y_range=(0, 1.2 * max(errors)))
                  .line(times, errors).line([2, end], [1.2, 1.2], "asked", plot.GREY, True))
        self.assertLess(abs(drift), 0.02)
        self.assertLess(last, 1.2)
        self.assertLess(last, 1.1 * first)
        self.assertLess(gained, end / 20)
        self.assertEqual(flow["n_fluid"][0], flow["n_fluid"][-1])

    def test_drum(self):
        """Water at rest in a drum that turns, z = z0 + ω²r²/2g, in the drum's frame and with the drum's walls turned."""
        n = finer(25)
        squares, per_square = [r * r for r in Drum.radii()], Drum.SPIN ** 2 / (2 * GRAVITY)
        exact = (per_square * Drum.surface(n) ** 2) ** 2 / (24 * Drum.DEPTH) # that the centroid rises by
        panel = plot.Panel("Surface in a drum that turns with 10 rad/s", "r (m)", "z above that of the middle (m)")
        panel.line([0.001 * i for i in range(101)], [per_square * (0.001 * i) ** 2 for i in range(101)], "ω²r²/2g", plot.GREY)
        rises = {}
        for name, in_its_frame, colour in (("walls that turn", False, plot.ORANGE), ("acceleration input", True, plot.BLUE)):
            out = self.run_text("drum-" + name.split()[0], Drum.text(n, in_its_frame))
            late = lambda level: mean([z for t, z in zip(level["time"], level["z"]) if t >= Drum.BEGIN])
            levels = [mean([late(table(out / "gauges" / f"{side}_{i}.csv")) for side in ("east", "north", "west", "south")])
                      for i in range(len(Drum.radii()))]
            rises[name] = slope(squares, levels) / per_square
            flow = table(out / "flow.csv")
            centroid = mean([z for t, z in zip(flow["time"], flow["z_centroid"]) if t >= Drum.BEGIN]) - flow["z_centroid"][0]
            print(f"drum, {n} spacings wide and deep, {name}: the surface rises by {rises[name]:.3f} of ω²r²/2g, the centroid by {1000 * centroid:.2f} mm of "
                  f"{1000 * exact:.2f} mm; {flow['n_fluid'][0] - flow['n_fluid'][-1]:.0f} particles lost")
            middle = mean(levels) - rises[name] * per_square * mean(squares)
            panel.points(Drum.radii(), [z - middle for z in levels], f"Sluice, {n} spacings, {name}", colour)
            self.assertEqual(flow["n_fluid"][0], flow["n_fluid"][-1])
        plot.save(self.dir / "drum.svg", panel)
        for rise in rises.values(): self.assertLess(abs(rise - 1), 0.02)


if __name__ == "__main__":
    unittest.main()
