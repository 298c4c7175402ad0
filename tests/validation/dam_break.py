# SPDX-License-Identifier: Apache-2.0
"""The front of the dam break of tests/data/dam-break-2d.xml when a gate rises, and by the particle methods, beside the experiments of Martin & Moyce
(1952) and Koshizuka & Oka (1996). scripts/validate.sh runs it."""
import math
import pathlib
import subprocess
import unittest
import plot
from validation_case import DATA, GRAVITY, SLUICE, ValidationCase, finer, interpolated, rms, table

CASE = pathlib.Path(__file__).resolve().parents[1] / "data" / "dam-break-2d.xml"
EXPERIMENTS = {"Martin & Moyce": "martin_moyce_1952_n2_2_front.csv", "Koshizuka & Oka": "koshizuka_oka_1996_front.csv"}
SECOND = math.sqrt(2 * GRAVITY) # T = t √(2g/L), L = 1 m


class DamBreak(ValidationCase):
    def front(self, dp, opening):
        """(T, Z) of the case with a gate, a layer of wall without friction before the column, that rises at a constant speed and has cleared the
        column's height, 2 L, at T = `opening`; no gate if 0."""
        text = CASE.read_text(encoding="utf-8")
        if opening:
            speed = 2 * SECOND / opening
            gate = (f'<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="{1 + dp!r}" y="-1" z="{dp!r}"/><size x="{dp / 4!r}" y="2" z="2.2"/>'
                    '</drawbox></mainlist>')
            motion = (f'<motion><objreal ref="1"><begin mov="1" start="0"/><mvrect id="1" duration="{3 / speed!r}"><vel x="0" y="0" z="{speed!r}"/></mvrect>'
                      '</objreal></motion></casedef>')
            text = text.replace("</mainlist>", gate).replace("</casedef>", motion).replace("default + 50%", "7")
        flow = table(self.run_text(f"gate-{opening}", text, "--dp", dp, "--tmax", 0.75, "--tout", 0.005, "--set", "ViscoBoundFactor=0") / "flow.csv")
        return [t * SECOND for t in flow["time"]], flow["x_front"]

    def test_dam_break_gate(self):
        dp = 1 / finer(50)
        panel = plot.Panel("Front of a column L wide and 2 L high", "T = t √(2g/L)", "x / L", (0, 3.3), (1, 4.2))
        errors = {}
        for opening, colour in ((0, plot.GREY), (0.6, plot.BLUE), (0.8, plot.GREEN)):
            times, places = self.front(dp, opening)
            panel.line(times, places, f"gate open at T = {opening}" if opening else "no gate", colour)
            for name, file in EXPERIMENTS.items():
                measured = table(DATA / file)
                errors[opening, name] = rms([interpolated(times, places, t) - z for t, z in zip(measured["T"], measured["Z"]) if 0.8 <= t <= 3.3 and z <= 4])
            print(f"dam break, dp {dp:g} m, gate open at T = {opening}: front off by " +
                  ", ".join(f"{errors[opening, name]:.3f} L ({name})" for name in EXPERIMENTS))
        for (name, file), colour in zip(EXPERIMENTS.items(), (plot.RED, plot.ORANGE)):
            measured = table(DATA / file)
            panel.points(measured["T"], measured["Z"], name, colour)
        plot.save(self.dir / "dam-break-gate.svg", panel)
        for name in EXPERIMENTS: self.assertLess(errors[0.6, name], 0.15)

    BARE = {'<coefh value="1.0" comment="h = coefh sqrt(dim dp^2)"/>': "", 'key="Visco" value="0.02"': 'key="Visco" value="0"',
            'key="DensityDT" value="2"': 'key="DensityDT" value="0"'}
    METHODS = {"sph": {}, "mps": BARE,
               "fvpm": BARE | {"<boxfill>bottom | left | right</boxfill>": '<boxfill>bottom | left | right</boxfill><layers vdp="0,1"/>'}}

    def test_dam_break_methods(self):
        """By each method on the same particles, without a gate; the pressure is sampled 0.1 L from floor and wall."""
        dp = 1 / finer(50)
        front = plot.Panel("Front of a column L wide and 2 L high", "T = t √(2g/L)", "x / L", (0, 3.3), (1, 4.2))
        pressure = plot.Panel("Pressure 0.1 L above the floor and from the wall", "T = t √(2g/L)", "p / (ρ g 2L)", (0, 3.3), (-0.1, 1.2))
        computed, off = table(DATA / "koshizuka_oka_1996_front_mps.csv"), {}
        for (method, changes), colour in zip(self.METHODS.items(), (plot.BLUE, plot.GREEN, plot.ORANGE)):
            text = CASE.read_text(encoding="utf-8")
            for old, new in changes.items():
                self.assertIn(old, text)
                text = text.replace(old, new)
            out = self.run_text(method, text, "--dp", dp, "--tmax", 0.75, "--tout", 0.005, "--set", f"Method={method}")
            flow = table(out / "flow.csv")
            times, places = [t * SECOND for t in flow["time"]], flow["x_front"]
            front.line(times, places, method, colour)
            def difference(other):
                return rms([interpolated(times, places, t) - z for t, z in zip(other["T"], other["Z"]) if 0.8 <= t <= 3.3 and z <= 4])
            off[method] = difference(computed)
            measured = self.measured(out, 0.1, 0.1)
            at, values = [t * SECOND for t in measured["time"]], [p / (1000 * GRAVITY * 2) for p in measured["pressure"]]
            pressure.line(at, values, method, colour)
            noise = rms([v - (a + b) / 2 for a, v, b in zip(values[1:], values[2:], values[3:])])
            print(f"dam break, dp {dp:g} m, Method={method}: front off by {off[method]:.3f} L (their MPS), " +
                  ", ".join(f"{difference(table(DATA / file)):.3f} L ({name})" for name, file in EXPERIMENTS.items()) +
                  f"; pressure off the mean of the samples 5 ms before and after by {noise:.4f} of rho g 2L")
        front.points(computed["T"], computed["Z"], "Koshizuka & Oka, MPS", plot.GREY)
        for (name, file), colour in zip(EXPERIMENTS.items(), (plot.RED, plot.ORANGE)):
            measured = table(DATA / file)
            front.points(measured["T"], measured["Z"], name, colour)
        plot.save(self.dir / "dam-break-methods.svg", front, pressure)
        self.assertLess(off["mps"], 0.1)

    def measured(self, out, x, z):
        """What `sluice measure` gives at a point of the stored frames."""
        subprocess.run([SLUICE, "measure", out, "--point", str(x), "0", str(z), "-o", self.dir / "point.csv"], check=True, capture_output=True)
        return table(self.dir / "point.csv")


if __name__ == "__main__":
    unittest.main()
