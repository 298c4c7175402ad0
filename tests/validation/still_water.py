# SPDX-License-Identifier: Apache-2.0
"""Still water for a minute, beside hydrostatics. scripts/validate.sh runs it."""
import math
import unittest
import plot
from validation_case import GRAVITY, ValidationCase, box, case_of, finer, mean, rms, table

WATER = f'<gravity x="0" y="0" z="-{GRAVITY}"/><rhop0 value="1000"/><rhopgradient value="2"/>'


def slope(times, values):
    """Of the straight line that fits best."""
    t, v = mean(times), mean(values)
    return sum((a - t) * (b - v) for a, b in zip(times, values)) / sum((a - t) ** 2 for a in times)


def still_tank(n, width, depth, end, initials="", settings=None):
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
        '<normals><geometryfile file="[CaseName]_hdp_Actual.vtk"/><distanceh value="0"/></normals>' + initials, "",
        {"Scheme": "recommended", "TimeMax": end, "TimeOut": 0.25} | (settings or {}))


def swaying(n, width, depth, height):
    """The velocities of a wave of half a length in the tank, as its surface passes the still level, for `initials`. Airy."""
    dp, k = depth / n, math.pi / width
    speed = height * math.sqrt(GRAVITY * k * math.tanh(k * depth)) / math.sinh(k * depth)
    places = [(i + 0.5) * dp for i in range(n)]
    only = lambda x, z: f'<onlypos><posmin x="{x - dp / 4!r}" z="{z - dp / 4!r}"/><posmax x="{x + dp / 4!r}" z="{z + dp / 4!r}"/></onlypos>'
    return "<initials>" + "".join(
        f'<velocity mkfluid="0" x="{speed * math.cosh(k * z) * math.sin(k * x)!r}" y="0" z="{-speed * math.sinh(k * z) * math.cos(k * x)!r}">{only(x, z)}</velocity>'
        for x in places for z in places) + "</initials>"


class StillWater(ValidationCase):
    def test_short_level(self):
        """Twelve particles deep, still water keeps its level."""
        n, depth = 12, 0.5
        flow = table(self.run_text("still", still_tank(n, 1.0, depth, 8)) / "flow.csv")
        late = [i for i, t in enumerate(flow["time"]) if t >= 2]
        drift = 1000 * slope([flow["time"][i] for i in late], [flow["z_centroid"][i] for i in late])
        gained = max(flow["dissipated_energy"]) - flow["dissipated_energy"][-1]
        print(f"still water, {n} particles deep, 8 s: the centroid goes by {drift:+.4f} mm/s, energy from nowhere {gained:.3f} J")
        self.assertLess(abs(drift), 0.05)
        self.assertLess(gained, 1)
        self.assertEqual(flow["n_fluid"][0], flow["n_fluid"][-1])

    def standing_wave(self, n, amplitude, scheme, end):
        """A wave whose surface goes up to `amplitude` in a tank of 1 m by 1 m, of a period of 1.13 s: once the water has settled it loses energy, and
        in no 2.5 s it gains any."""
        text = still_tank(n, 1.0, 1.0, end, swaying(n, 1.0, 1.0, amplitude), {"Scheme": scheme})
        flow = table(self.run_text(f"standing-{scheme}-{amplitude}", text) / "flow.csv")
        windows = [[i for i, t in enumerate(flow["time"]) if 2.5 * k <= t < 2.5 * (k + 1)] for k in range(1, round(end / 2.5))]
        lost = [mean([flow["dissipated_energy"][i] for i in window]) for window in windows]
        moving = [max(flow["kinetic_energy"][i] for i in window) for window in windows]
        gained = max(max(lost[:k + 1]) - lost[k] for k in range(len(lost)))
        print(f"standing wave, {amplitude} m in 1 m, {n} particles deep, {scheme}: {moving[0]:.3f} J at most move in the first 2.5 s after the first, {moving[-1]:.3f} J in "
              f"the last before {end} s; {lost[-1] - lost[0]:.3f} J are lost between, {gained:.3f} J come back from nowhere")
        self.assertEqual(flow["n_fluid"][0], flow["n_fluid"][-1])
        self.assertGreater(lost[-1], lost[0])
        self.assertLess(moving[-1], moving[0])
        self.assertLess(gained, 1e-5 * 0.5 * 1000 * GRAVITY) # of ρgH²/2

    def test_short_standing_wave(self):
        self.standing_wave(16, 0.04, "flow", 10)

    def test_standing_waves(self):
        for scheme in ("flow", "waves"):
            for amplitude in (0.01, 0.04): self.standing_wave(finer(32), amplitude, scheme, 20)

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


if __name__ == "__main__":
    unittest.main()
