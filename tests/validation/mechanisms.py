# SPDX-License-Identifier: Apache-2.0
"""Bodies with joints and springs in water beside statics and experiments; scripts/validate.sh runs the long ones."""
import json
import math
import unittest
from validation_case import DATA, GRAVITY, ValidationCase, mean, table

# Period [s], wave height [m] asked of the flap; measured: amplitude of the incident wave [m], of sway and heave [m], of roll [deg]
# (Sundsdal, Greco, Hanssen & Lugni 2025, runs 3012_1, 3061_1, 3102_1, first harmonics in a steady window)
SHIP_RUNS = ((1.516, 0.040, 0.0195, 0.0177, 0.0226, 4.79), (1.158, 0.024, 0.0117, 0.0039, 0.0196, 7.03),
             (0.897, 0.040, 0.0199, 0.0077, 0.0060, 1.90))


def first_harmonic(times, values, period, begin, end):
    """Amplitude of the part of this period between two times, by least squares with a mean and a drift."""
    rows = [(1.0, t - begin, math.cos(2 * math.pi * t / period), math.sin(2 * math.pi * t / period), v)
            for t, v in zip(times, values) if begin <= t <= end]
    sums = [[sum(row[i] * row[j] for row in rows) for j in range(5)] for i in range(4)]
    for i in range(4):
        for k in range(4):
            if k == i: continue
            factor = sums[k][i] / sums[i][i]
            sums[k] = [a - factor * b for a, b in zip(sums[k], sums[i])]
    return math.hypot(sums[2][4] / sums[2][2], sums[3][4] / sums[3][3])


class Mechanisms(ValidationCase):
    def test_short_spring_gate(self):
        """A gate on a torsional spring leans as far as water and weight press it: k θ = ρ g d³/(6 cos²θ) + m g x."""
        stiffness, mass, centre, width = 300, 12, (0.015, 0.2), 0.49
        out = self.run_text("spring-gate", (DATA / "spring-gate.xml").read_text(encoding="utf-8"), "--tmax", 2)
        run = json.loads((out / "run.json").read_text(encoding="utf-8"))
        area = run["fluid_particles"] * run["dp"] ** 2 # of the water, in a tank whose one side leans
        angle = 0.0
        for _ in range(100):
            slope = math.tan(angle)
            depth = area / width if slope == 0 else (math.sqrt(width ** 2 + 2 * slope * area) - width) / slope
            moment = 1000 * GRAVITY * depth ** 3 / (6 * math.cos(angle) ** 2)
            moment += mass * GRAVITY * (centre[0] * math.cos(angle) + centre[1] * math.sin(angle))
            angle = (angle + moment / stiffness) / 2
        joint = table(out / "joints" / "hinge.csv")
        found = mean([a for t, a in zip(joint["time"], joint["angle"]) if t > 1])
        print(f"gate on a spring: leans by {found:.4f} rad, by statics {angle:.4f} rad ({100 * (found / angle - 1):+.1f} %)")
        self.assertAlmostEqual(found / angle, 1, delta=0.02)
        self.assertLess(max(joint["gap"]), 1e-12)

    def test_ship_section(self):
        """A ship section on springs in regular waves. The bounds are of the longest ones; docs/validation.md says what the others reach."""
        text = (DATA / "ship-section.xml").read_text(encoding="utf-8")
        for period, height, incident, *measured in SHIP_RUNS:
            changed = text.replace('<waveheight value="0.04"/>', f'<waveheight value="{height}"/>')
            changed = changed.replace('<waveperiod value="1.516"/>', f'<waveperiod value="{period}"/>')
            out = self.run_text(f"ship-section-{period}", changed, "--fields", "position", "--every-nth-particle", 20)
            # The last two periods before waves that the body has sent back come again by way of the flap; deep-water group speed.
            speed = GRAVITY * period / (4 * math.pi)
            end = min(12 / speed, 12)
            begin = end - 2 * period
            body = table(next((out / "bodies").glob("*.csv")))
            gauge = table(out / "gauges" / "incident.csv")
            wave = first_harmonic(gauge["time"], gauge["z"], period, 2 * period + 2 / speed, 6 / speed)
            print(f"ship section, T {period} s: incident wave {1000 * wave:.1f} mm, measured {1000 * incident:.1f} mm")
            for name, column, value in zip(("sway", "heave", "roll"), ("x", "z", "pitch"), measured):
                found = first_harmonic(body["time"], body[column], period, begin, end) / wave * incident
                print(f"  {name}: {found:.4g}, measured {value:.4g} ({100 * (found / value - 1):+.0f} %)")
                if period > 1.5: self.assertAlmostEqual(found / value, 1, delta=0.1, msg=name)


if __name__ == "__main__":
    unittest.main()
