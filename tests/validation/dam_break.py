# SPDX-License-Identifier: Apache-2.0
"""The front of the dam break of tests/data/dam-break-2d.xml when a gate rises, beside the experiments of Martin & Moyce (1952) and Koshizuka & Oka
(1996). scripts/validate.sh runs it."""
import math
import pathlib
import unittest
import plot
from validation_case import DATA, GRAVITY, ValidationCase, finer, interpolated, rms, table

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


if __name__ == "__main__":
    unittest.main()
