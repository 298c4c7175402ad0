# SPDX-License-Identifier: Apache-2.0
"""Impacts of dam breaks on walls against experiments. scripts/validate.sh runs them."""
import csv
import unittest
from validation_case import DATA, GRAVITY, ValidationCase, interpolated, table


def box(low, high):
    return (f'<drawbox><boxfill>solid</boxfill><point x="{low[0]!r}" y="-1" z="{low[1]!r}"/>'
            f'<endpoint x="{high[0]!r}" y="1" z="{high[1]!r}"/></drawbox>')


class DamBreak:
    """The tank of Lobovsky et al. (2014) in two dimensions: 1.61 m long, water 0.6 m long and H = 0.3 m deep, released at once. A
    patch of the end wall, 10 mm high around the height of sensor 2, 15 mm, is the sensor: the force on it over its area."""
    LENGTH, DEPTH, PATCH, SENSOR, END = 1.61, 0.3, 0.01, 0.015, 1.1

    @staticmethod
    def text(n, parameters):
        """`n`: particles over the depth of the water."""
        d, dp = DamBreak, DamBreak.DEPTH / n
        half, end, top = dp / 2, round(DamBreak.LENGTH / dp) * dp, 0.6
        low = round((d.SENSOR - d.PATCH / 2) / dp) * dp
        parameters = {"StepAlgorithm": 2, "Kernel": 2, "ViscoTreatment": 1, "Visco": 0.005, "Boundary": 2, "DensityDT": 3,
                      "TimeMax": d.END, "TimeOut": d.END} | parameters
        return f'''<case><casedef><constantsdef><gravity x="0" y="0" z="{-GRAVITY}"/><rhop0 value="1000"/><rhopgradient value="2"/>
<hswl value="0" auto="true"/><speedsystem value="0" auto="true"/><coefsound value="20"/><speedsound value="0" auto="true"/>
<coefh value="1.2"/><cflnumber value="0.2"/></constantsdef><mkconfig boundcount="240" fluidcount="10"/><geometry>
<definition dp="{dp!r}"><pointref x="{half!r}" y="0" z="{half!r}"/><pointmin x="{-6 * dp!r}" y="0" z="{-6 * dp!r}"/>
<pointmax x="{end + 6 * dp!r}" y="0" z="{top + 3 * dp!r}"/></definition><commands>
<list name="surface"><setactive drawpoints="0" drawshapes="1"/><setshapemode>actual | bound</setshapemode><setnormalinvert invert="true"/>
<setmkbound mk="0"/><drawbox><boxfill>all ^ top</boxfill><point x="0" y="-1" z="0"/><size x="{end!r}" y="2" z="{top + 5 * dp!r}"/></drawbox>
<shapeout file="hdp"/><resetdraw/></list>
<mainlist><runlist name="surface"/><setdrawmode mode="full"/>
<setmkbound mk="0"/>{box((-2.5 * dp, -2.5 * dp), (end + 2.5 * dp, top - half))}<setmkvoid/>{box((half, half), (end - half, top + half))}
<setmkbound mk="1"/>{box((end + half, low + half), (end + 2.5 * dp, low + d.PATCH - half))}
<setmkfluid mk="0"/>{box((half, half), (round(0.6 / dp) * dp - half, d.DEPTH - half))}
</mainlist></commands></geometry><normals><geometryfile file="[CaseName]_hdp_Actual.vtk"/><distanceh value="2"/>
<norplane mkbound="1"><point x="{end!r}" y="0" z="0"/><normal x="-1" y="0" z="0"/><clear v="true"/></norplane></normals></casedef>
<execution><special><gauges><default><computedt value="0.001"/></default><force name="sensor"><target mkbound="1"/></force></gauges></special>
<parameters>{"".join(f'<parameter key="{k}" value="{v}"/>' for k, v in parameters.items())}
<simulationdomain><posmin x="default" y="default" z="default"/><posmax x="default" y="default" z="default + 100%"/></simulationdomain>
</parameters></execution></case>'''


def smoothed(values, width):
    """Means over `width` samples around each."""
    half = width // 2
    return [sum(part) / len(part) for part in (values[max(0, i - half):i + half + 1] for i in range(len(values)))]


class Impacts(ValidationCase):
    def figures(self, name, n, **parameters):
        """Of the sensor, means over 5 ms: share of the time inside of the experiments' band, arrival, peak, mean over the median's."""
        force = table(self.run_text(name, DamBreak.text(n, parameters)) / "gauges" / "sensor.csv")
        experiment = table(DATA / "lobovsky_2014_sensor2.csv")
        times = [t * (GRAVITY / DamBreak.DEPTH) ** 0.5 for t in force["time"]]
        scale = 1000 * GRAVITY * DamBreak.DEPTH * DamBreak.PATCH
        pressures = smoothed([f / scale for f in force["fx"]], 5)
        after = [i for i, t in enumerate(times) if t > 2.4]
        band = {key: [interpolated(experiment["T"], experiment[key], times[i]) for i in after] for key in ("lowest", "median", "highest")}
        values = [pressures[i] for i in after]
        inside = sum(low <= p <= high for low, p, high in zip(band["lowest"], values, band["highest"])) / len(values)
        arrival = next(t for t, p in zip(times, pressures) if p > 0.2)
        mean = sum(values) / sum(band["median"])
        with open(self.dir / name / "excluded.csv", encoding="utf-8") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            lost = sum(1 for row in rows if float(row["z [m]"]) < 0.6) # above, the tank is open
        print(f"Lobovsky, {name}: {100 * inside:.0f} % of the time in the band, arrival T = {arrival:.3f}, peak {max(values):.2f}, mean {mean:.2f} "
              f"of the median's; {lost} particles went through walls")
        return inside, arrival, max(values), mean, lost

    def test_lobovsky(self):
        inside, arrival, peak, mean, lost = self.figures("fine", 120)
        self.assertGreater(inside, 0.75)
        self.assertTrue(2.43 < arrival < 2.49) # 2.434 to 2.488 in the experiments
        self.assertLess(abs(peak / 1.87 - 1), 0.15)
        self.assertLess(abs(mean - 1), 0.1)
        self.assertEqual(lost, 0)
        # beside it, the figures in docs/validation.md
        self.figures("coarse", 60)
        self.figures("dynamic walls", 120, Boundary=1)
        self.figures("no friction at walls", 60, ViscoBoundFactor=0)


if __name__ == "__main__":
    unittest.main()
