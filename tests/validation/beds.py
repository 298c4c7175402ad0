# SPDX-License-Identifier: Apache-2.0
"""Waves over beds that are not level: regular waves over a bar (Beji & Battjes 1993), a solitary wave that breaks and runs up a beach
(Synolakis 1987). scripts/validate.sh runs them."""
import math
import subprocess
import unittest
import plot
from validation_case import DATA, GRAVITY, SLUICE, ValidationCase, box, case_of, finer, interpolated, mean, rms, table
from waves import COEFH, SETTINGS, constants, piston, prism


def bed_flume(depth, rows, bed, end, maker, gauges, wall=False, damped=0.0, frames=0.1, sample=0.02, coefh=None):
    """The text of a flume `rows` of particles deep, whose piston, mkbound 10, moved by `maker`, has its face at x = 0; the `bed` goes straight
    between its corners (x, z), the first at x = 0, and ends above the water or, with `wall`, at a wall, before which the last `damped` m are
    damped. The bed's particles lie in rows along it, off the lattice, so that thin sheets of water find no steps."""
    dp = depth / rows
    w, layers = dp / 2, math.ceil(2 * COEFH * math.sqrt(2) - 0.5)
    length, top = bed[-1][0], round(max(1.8 * depth, max(z for _, z in bed) + 4 * dp) / dp) * dp
    beyond = round(0.6 * depth / dp) * dp # of the floor, behind the piston on its way
    corners = [(-beyond, bed[0][1])] + bed[1:-1] + [(length + (layers * dp if wall else 0.0), bed[-1][1])]
    bottom = min(z for _, z in bed) - (layers + 2) * dp
    voids = ""
    for (x0, z0), (x1, z1) in zip(corners, corners[1:]):
        voids += prism([(x0, bottom), (x0, z0 - dp), (x1, z1 - dp), (x1, bottom)])
    points = "".join(f'<point x="{x!r}" y="-1" z="{z!r}"/>' for x, z in corners)
    line = lambda more: f'<drawextrude closed="false">{points}<extrude x="0" y="2" z="0"/>{more}</drawextrude>'
    behind = ",".join(str(-0.5 - i) for i in range(layers))
    face = lambda mk, x, px, nx: (f'<setmkbound mk="{mk}"/>' + box(x, w, (layers - 1) * dp, top),
                                  f'<norplane mkbound="{mk}"><point x="{px!r}" y="0" z="0"/><normal x="{nx}" y="0" z="0"/><maxdisth v="0"/></norplane>')
    left, left_normals = face(10, (0.5 - layers) * dp, 0.0, 1)
    right, right_normals = face(11, round(length / dp) * dp + w, round(length / dp) * dp, -1) if wall else ("", "")
    damping = (f'<damping><dampingzone><limitmin x="{length - damped!r}" y="0" z="0"/><limitmax x="{length!r}" y="0" z="0"/>'
               '<overlimit value="1"/><redumax value="10"/></dampingzone></damping>') if damped else ""
    measured = "".join(f'<swl name="{name}"><point0 x="{x!r}" y="0" z="{z!r}"/><point2 x="{x!r}" y="0" z="{top!r}"/><pointdp coefdp="0.1"/></swl>'
                       for name, (x, z) in gauges.items())
    return case_of(
        constants(coefh, None),
        f'<definition dp="{dp!r}"><pointref x="{w!r}" y="0" z="{w!r}"/><pointmin x="{-beyond - layers * dp!r}" y="0" z="{-(layers + 2) * dp!r}"/>'
        f'<pointmax x="{length + (layers + 3) * dp!r}" y="0" z="{top + dp!r}"/></definition>',
        f'<setactive drawpoints="0" drawshapes="1"/><setshapemode>actual | bound</setshapemode><setmkbound mk="0"/>{line("")}<shapeout file="hdp"/><resetdraw/>'
        '<setdrawmode mode="full"/><setmkfluid mk="0"/>' + box(w, w, round(length / dp) * dp - dp, depth - dp) +
        '<setmkvoid/>' + voids + left + right + f'<setfrdrawmode auto="true"/><setmkbound mk="0"/>{line(f"<layers vdp={chr(34)}{behind}{chr(34)}/>")}',
        f'<normals><geometryfile file="[CaseName]_hdp_Actual.vtk"/><distanceh value="0"/>{left_normals}{right_normals}</normals>'
        '<motion><objreal ref="10"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>',
        f'<wavepaddles>{maker}</wavepaddles>{damping}<gauges><default><computedt value="{sample}"/></default>{measured}</gauges>',
        SETTINGS | {"TimeMax": end, "TimeOut": frames})


class Bar:
    """Waves of 0.02 m and 2.02 s in 0.4 m of water over a bar 0.3 m high: x of the experiment less `PISTON`, z from the floor."""
    DEPTH, HEIGHT, PERIOD, PISTON, END = 0.4, 0.02, 2.02, 2.0, 32.0
    BED = [(2.0, 0.0), (6.0, 0.0), (12.0, 0.3), (14.0, 0.3), (17.0, 0.0), (27.0, 0.0)]
    GAUGES = {4: 10.5, 5: 12.5, 6: 13.5, 7: 14.5, 8: 15.7, 9: 17.3, 10: 19.0, 11: 21.0}

    @staticmethod
    def text(rows):
        b = Bar
        bed = [(x - b.PISTON, z) for x, z in b.BED]
        at = lambda x: interpolated([p[0] for p in b.BED], [p[1] for p in b.BED], x)
        return bed_flume(b.DEPTH, rows, bed, b.END, piston(10, b.DEPTH, b.HEIGHT, b.PERIOD),
                         {f"gauge_{n}": (x - b.PISTON, at(x) + 0.3 * (b.DEPTH - at(x))) for n, x in b.GAUGES.items()}, True, 4.5, b.END / 4)


class Beach:
    """A solitary wave of 0.3 of the depth on a slope of 1:19.85. Lengths in depths, times in √(d/g), x of the laboratory from the shore
    against the waves; its time begins where the crest is half the wave's length before the toe. With the 1.8 that is recommended where there is
    a piston, COEFH, thin sheets of water clump."""
    COEFH = 1.4
    DEPTH, HEIGHT, COT, TOE, RISE, END = 0.3, 0.3, 19.85, 12.0, 0.75, 68.0 # TOE from the piston

    @staticmethod
    def start():
        """x of the crest at the laboratory's time 0, from the piston."""
        return Beach.TOE - math.acosh(math.sqrt(20)) / math.sqrt(0.75 * Beach.HEIGHT)

    @staticmethod
    def text(rows):
        b = Beach
        d, second = b.DEPTH, math.sqrt(b.DEPTH / GRAVITY)
        bed = [(0.0, 0.0), (b.TOE * d, 0.0), ((b.TOE + b.COT * (1 + b.RISE)) * d, (1 + b.RISE) * d)]
        maker = (f'<piston_solitary><mkbound value="10"/><theory value="1"/><depth value="{d!r}"/><waveheight value="{b.HEIGHT * d!r}"/>'
                 '<pistondir x="1" y="0" z="0"/></piston_solitary>')
        return bed_flume(d, rows, bed, b.END * second, maker, {"start": (b.start() * d, 0.3 * d)}, frames=0.25 * second, sample=0.05 * second, coefh=b.COEFH)


class Beds(ValidationCase):
    def test_bar(self):
        """Waves over a bar, and the higher harmonics that they let go behind it; one shift in time, which suits the first gauge best."""
        b = Bar
        rows = finer(100)
        out = self.run_text("bar", b.text(rows))
        measured = table(DATA / "beji_battjes_luth_1994_bar.csv")
        lab, sim = {}, {}
        for n in b.GAUGES:
            points = sorted((t, 0.01 * e) for g, t, e in zip(measured["gauge"], measured["t"], measured["eta"]) if g == n)
            level = mean([e for _, e in points])
            lab[n] = [(t, e - level) for t, e in points]
            series = table(out / "gauges" / f"gauge_{n}.csv")
            late = [(t, z) for t, z in zip(series["time"], series["z"]) if t >= b.END - 3 * b.PERIOD]
            still = mean([z for _, z in late])
            sim[n] = [t for t, _ in late], [z - still for _, z in late]
        def at(n, t, shift): # the simulation's waves are periodic in its last three periods
            times, values = sim[n]
            return interpolated(times, values, times[0] + (t + shift - times[0]) % (3 * b.PERIOD))
        difference = lambda n, shift: rms([at(n, t, shift) - e for t, e in lab[n]])
        shift = min((0.01 * i for i in range(round(b.PERIOD / 0.01))), key=lambda s: difference(4, s))
        errors = {n: difference(n, shift) / b.HEIGHT for n in b.GAUGES}
        heights = {n: (max(sim[n][1]) - min(sim[n][1])) / (max(e for _, e in lab[n]) - min(e for _, e in lab[n])) for n in b.GAUGES}
        print(f"bar, {rows} particles deep: " + ", ".join(
            f"gauge {n} RMS {100 * errors[n]:.0f} % of the wave, range {heights[n]:.2f} of measured" for n in b.GAUGES))
        panels = [plot.Panel(f"Gauge {n}, x = {b.GAUGES[n]:g} m", "time (s)", "elevation (mm)", y_range=(-20, 32))
                  .points([t - lab[n][0][0] for t, _ in lab[n]], [1000 * e for _, e in lab[n]], "measured")
                  .line([t - lab[n][0][0] for t, _ in lab[n]], [1000 * at(n, t, shift) for t, _ in lab[n]], f"Sluice, {rows} particles deep")
                  for n in (4, 6, 8, 9)]
        plot.save(self.dir / "bar.svg", *panels)
        self.assertLess(max(errors[n] for n in range(4, 10)), 0.15)

    def test_run_up(self):
        """How far up a beach a solitary wave runs that breaks on it, and its shape on the way."""
        b = Beach
        rows = finer(40)
        d, second = b.DEPTH, math.sqrt(b.DEPTH / GRAVITY)
        out = self.run_text("run-up", b.text(rows))
        gauge = table(out / "gauges" / "start.csv")
        crest = max(range(len(gauge["z"])), key=gauge["z"].__getitem__)
        still = gauge["z"][0] # d and a part of a spacing
        begin, height = gauge["time"][crest], (gauge["z"][crest] - still) / d
        flow = table(out / "flow.csv")
        shore = (b.TOE + b.COT) * d
        run_up = (max(flow["x_front"]) - shore) / b.COT / d
        runs = table(DATA / "synolakis_1987_run_up.csv")
        near = [(h, r) for h, r in zip(runs["H_over_d"], runs["R_over_d"]) if 0.28 <= h <= 0.33]
        law = mean([r / h ** 0.582 for h, r in near]) * b.HEIGHT ** 0.582 # the experiments near by, at this height
        profiles = table(DATA / "synolakis_1987_profiles.csv")
        count = 400
        low, high = (b.TOE + 0.1) * d, (b.TOE + b.COT * (1 + b.RISE) - 0.1) * d
        errors, panels = {}, []
        for star in (15, 20, 25, 30):
            now = begin + star * second
            subprocess.run([SLUICE, "measure", out, "--line", str(low), "0", "0", str(high), "0", "0", str(count), "--elevation", "--from", str(now),
                            "--to", str(now), "-o", out / f"profile-{star}.csv", "--overwrite", "--quiet"], check=True)
            surface = table(out / f"profile-{star}.csv")
            wet = [((shore - x) / d, (z - still) / d) for x, z in zip(surface["x"], surface["elevation"]) if not math.isnan(z)]
            wet.sort()
            xs, zs = [x for x, _ in wet], [z for _, z in wet]
            lab = [(x, e) for t, x, e in zip(profiles["t_star"], profiles["x_over_d"], profiles["eta_over_d"]) if t == star and xs[0] <= x <= xs[-1]]
            errors[star] = rms([interpolated(xs, zs, x) - e for x, e in lab]) / b.HEIGHT
            panels.append(plot.Panel(f"t √(g/d) = {star}", "x / d from the shore, offshore", "elevation / d", (-10, 20), (-0.1, 0.5))
                          .points([x for x, _ in lab], [e for _, e in lab], "Synolakis 1987", radius=2).line(xs, zs, f"Sluice, {rows} particles deep")
                          .line([-10, 0, 20], [10 / b.COT, 0, -20 / b.COT], "bed", plot.GREY))
        print(f"run-up, {rows} particles deep: wave of {height:.3f} d before the slope (0.300 wanted), run-up {run_up:.3f} d, experiments {law:.3f} d "
              f"({100 * (run_up / law - 1):+.1f} %), profiles " + ", ".join(f"{100 * e:.1f} % at {star}" for star, e in errors.items()) + " of the height RMS")
        plot.save(self.dir / "run-up.svg", *panels)
        self.assertLess(abs(run_up / law - 1), 0.1)
        self.assertLess(max(errors.values()), 0.1)


if __name__ == "__main__":
    unittest.main()
