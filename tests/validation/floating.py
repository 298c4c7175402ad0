# SPDX-License-Identifier: Apache-2.0
"""Floating bodies beside formulas and experiments; minutes each on a few cores, so scripts/validate.sh runs them."""
import json
import math
import shutil
import subprocess
import unittest
from validation_case import DATA, GRAVITY, SLUICE, ValidationCase, finer, interpolated, rms, series, table

FLAP = "hadzic_2005_flap_angle.csv"


class Floating(ValidationCase):
    def run_case(self, name, *options, changes=(), label=""):
        """Runs the case of data/ with pieces of its text changed; returns the folder of the run."""
        text = (DATA / f"{name}.xml").read_text(encoding="utf-8")
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        shutil.copy(DATA / FLAP, self.dir)
        return self.run_text(name + label, text, "--fields", "position", "--every-nth-particle", 20, *options)

    def body(self, out):
        return table(next((out / "bodies").glob("*.csv")))

    def water(self, out):
        """Area of the water of a 2-D run, m²: particles times dp²."""
        run = json.loads((out / "run.json").read_text(encoding="utf-8"))
        return run["fluid_particles"] * run["dp"] ** 2

    def test_archimedes(self):
        """A box comes to rest as deep as its weight asks, in a tank whose level it raises."""
        width, height, tank, floor, dp = 0.3, 0.2, 0.99, 0.005, 0.01
        worst = 0
        for weight in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95):
            draft = weight * height
            bottom = (round((0.405 - draft) / dp) + 2) * dp + dp / 2
            out = self.run_case("floating-box", label=f"-{weight}", changes=(
                ('bottom="0.33"', f'bottom="{bottom + dp / 2:.3f}"'), ('relativeweight="0.5"', f'relativeweight="{weight}"')))
            body = self.body(out)
            level = floor + (self.water(out) + draft * width) / tank
            late = [z for t, z in zip(body["time"], body["z"]) if t > body["time"][-1] - 1]
            found = level + height / 2 - sum(late) / len(late)
            print(f"weight {weight}: draft {found:.4f} m, Archimedes {draft:.4f} m: {(found - draft) / dp:+.2f} dp "
                  f"(moves by {(max(late) - min(late)) / dp:.2f} dp in the last second)")
            worst = max(worst, abs(found - draft) / dp)
        self.assertLess(worst, 1)

    def test_heave(self):
        """A cylinder let go above its place bobs as linear potential flow says, in the same tank."""
        floor, width, displaced = 0.005, 4.99, 293 * 0.01 ** 2 / 2
        out = self.run_case("heaving-cylinder")
        body = self.body(out)
        rest = floor + (self.water(out) + displaced) / width
        start = body["z"][0] - rest
        linear = table(DATA / "heaving_cylinder_linear.csv")
        differences = [(z - rest) / start - interpolated(linear["time"], linear["height"], t) for t, z in zip(body["time"], body["z"])]
        crossings = {}
        for name, times, heights in (("ours", body["time"], [z - rest for z in body["z"]]), ("linear", linear["time"], linear["height"])):
            crossings[name] = [times[i] - heights[i] * (times[i] - times[i - 1]) / (heights[i] - heights[i - 1])
                               for i in range(1, len(times)) if heights[i - 1] * heights[i] < 0]
        period, expected = (crossings[name][2] - crossings[name][0] for name in ("ours", "linear"))
        print(f"heave: period {period:.3f} s, linear theory {expected:.3f} s: {100 * (period / expected - 1):+.1f} %; "
              f"RMS difference {100 * rms(differences):.1f} %, largest {100 * max(map(abs, differences)):.1f} % of the first height")
        self.assertAlmostEqual(period / expected, 1, delta=0.05)

    def test_heaving_sphere(self):
        """A sphere let go above its place bobs as other codes say, in a tank whose sides take up the waves."""
        out = self.run_case("heaving-sphere", "--dp", 5 / finer(10))
        run = json.loads((out / "run.json").read_text(encoding="utf-8"))
        body = self.body(out)
        checked = subprocess.run([SLUICE, "check", DATA / "heaving-sphere.xml", "--json", "--dp", str(run["dp"])], check=True, capture_output=True)
        radius = (3 * json.loads(checked.stdout)["bodies"][0]["mass"] / (2 * math.pi * 1000)) ** (1 / 3) # that its particles displace
        displaced = 2 / 3 * math.pi * radius ** 3 # at rest; the level is that of all water in the basin
        dp, slower = run["dp"], (5 / radius) ** 0.5
        rest = (run["fluid_particles"] * dp ** 3 + displaced) / (50 + dp) ** 2 - 15 - dp / 2
        heights = [z - rest for z in body["z"]]
        start = heights[0]
        def extremes(times, values):
            return [(times[i], values[i]) for i in range(5, len(values) - 5) if times[i] > 1 and
                    abs(values[i]) == max(map(abs, values[i - 5:i + 6])) and abs(values[i]) > 0.05]
        times = [t * slower for t in body["time"]] # of the sphere of 5 m
        found = extremes(times, [z / start for z in heights])
        others = table(DATA / "heaving_sphere.csv")
        expected = extremes(others["time"], others["cfd"])
        print(f"heaving sphere of {radius:.3f} m, {run['particles']} particles, from {start:.3f} m above its place ({rest:+.3f} m): " + ", ".join(
            f"{t:.2f} s {z:+.3f} (CFD {time:.2f} s {height:+.3f})" for (t, z), (time, height) in zip(found, expected)))
        differences = [z / start - interpolated(others["time"], others["cfd"], t) for t, z in zip(times, heights) if 0 < t <= 14]
        print(f"  RMS difference {100 * rms(differences):.1f} % of the first height")
        period, asked = ((times[3][0] - times[1][0]) for times in (found, expected))
        self.assertAlmostEqual(period / asked, 1, delta=0.05)

    def sinking(self, *options, changes=(), label=""):
        out = self.run_case("sinking-cylinder", *options, changes=changes, label=label)
        body = self.body(out)
        scale = math.sqrt(GRAVITY)  # radius 1 m
        outside = {}
        for quantity, values in (("displacement", [z - body["z"][0] for z in body["z"]]), ("velocity", [v / scale for v in body["vz"]])):
            fekken, moyo = (series("sinking_cylinder_fekken_moyo.csv", who, quantity) for who in ("fekken2004", "moyo_greenhow2000"))
            last = min(fekken[0][-1], moyo[0][-1])
            size = max(abs(v) for v in fekken[1] + moyo[1])
            worst = 0
            for t, value in zip(body["time"], values):
                T = (t - 1) * scale
                if not 0 < T <= last: continue
                both = interpolated(*fekken, T), interpolated(*moyo, T)
                worst = max(worst, min(both) - value, value - max(both))
            outside[quantity] = worst / size
        print(f"sinking cylinder{label}: outside the two authors by at most {100 * outside['displacement']:.1f} % (place), "
              f"{100 * outside['velocity']:.1f} % (velocity) of their largest")
        return outside

    def test_sinking_cylinder(self):
        """Between Fekken and Moyo & Greenhow, who differ by 40 % at the end, or within 5 % of them."""
        outside = self.sinking()
        self.assertLess(outside["displacement"], 0.05)

    def test_box_in_waves(self):
        """Hadžić et al.: sway, heave and roll of a box in a group of waves. The bounds are what docs/validation.md says is reached."""
        out = self.run_case("box-in-waves")
        body = self.body(out)
        calm = [z for t, z in zip(body["time"], body["z"]) if 2 < t < 4]  # before the waves
        at_start = interpolated(body["time"], body["x"], 6.3)
        found = {"sway_m": [x - at_start for x in body["x"]], "heave_m": [z - sum(calm) / len(calm) for z in body["z"]],
                 "roll_deg": [-angle for angle in body["pitch"]]} # they count it the other way round
        errors = {}
        for name, values in found.items():
            times, measured = series("hadzic_2005_floating_box.csv", name)
            differences = [interpolated(body["time"], values, t) - m for t, m in zip(times, measured)]
            errors[name] = rms(differences)
            print(f"box in waves: {name} RMS error {errors[name]:.4g}, largest {max(map(abs, differences)):.4g}, "
                  f"measured from {min(measured):.4g} to {max(measured):.4g}")
        for gauge in ("wave1", "wave2"):
            name = {"wave1": "wave1_m_x1.16", "wave2": "wave2_m_x2.66"}[gauge]
            times, measured = series("hadzic_2005_floating_box.csv", name)
            level = table(out / "gauges" / f"{gauge}.csv")
            column = next(c for c in level if c.startswith("z"))
            still = sum(level[column][50:100]) / 50
            differences = [interpolated(level["time"], level[column], t) - still - m for t, m in zip(times, measured) if t < 8.2]
            print(f"box in waves: {gauge} RMS error {rms(differences):.4g} of RMS {rms(measured):.4g} m")
        self.assertLess(errors["sway_m"], 0.014)
        self.assertLess(errors["heave_m"], 0.010)
        self.assertLess(errors["roll_deg"], 4)


if __name__ == "__main__":
    unittest.main()
