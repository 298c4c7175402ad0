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
