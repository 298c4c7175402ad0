# SPDX-License-Identifier: Apache-2.0
"""Flexible structures under water beside beam theory; the structures alone are in test_elastic_beams.cpp and turek_hron_structure.cpp."""
import math
import unittest
from validation_case import GRAVITY, ValidationCase, box, case_of, finer, mean, table

# The plate of Fourey, Hermange, Le Touzé & Oger (2017, Comput. Phys. Commun. 217, 66): aluminium, clamped at both ends, below a
# column of water as wide as it is long.
LENGTH, THICKNESS, DEPTH = 1.0, 0.05, 2.0 # m
DENSITY, YOUNG, POISSON = 2700.0, 67.5e9, 0.34
SOUND = 20 * math.sqrt(GRAVITY * DEPTH) # of the water, m/s


def deflection():
    """In the middle under water and its own weight, m: by bending alone, and with shear (Timoshenko's 5/6)."""
    load = 1000 * GRAVITY * DEPTH + DENSITY * GRAVITY * THICKNESS
    stiffness = YOUNG * THICKNESS ** 3 / (12 * (1 - POISSON ** 2))
    bending = load * LENGTH ** 4 / (384 * stiffness)
    return bending, bending + load * LENGTH ** 2 / (8 * 5 / 6 * YOUNG / (2 * (1 + POISSON)) * THICKNESS)


class Structures(ValidationCase):
    def plate(self, name, boundary, density, depth, duration, over):
        """The deflection of the middle of the plate below so much water, the mean `over` the last seconds of the run, m."""
        dp, layers = THICKNESS / finer(2, 2), 4
        spare = dp / 10
        wall = layers * dp + spare
        water = '<setmkfluid mk="0"/>' + box(dp, dp, LENGTH - 2 * dp + spare, depth - dp + spare) if depth > 0 else ""
        commands = "".join((
            '<setdrawmode mode="full"/><setmkbound mk="0"/>', box(-layers * dp, -THICKNESS, wall, 1.05 * DEPTH + THICKNESS),
            box(LENGTH, -THICKNESS, wall, 1.05 * DEPTH + THICKNESS),
            '<setmkbound mk="1"/>', box(dp, -THICKNESS, LENGTH - 2 * dp + spare, THICKNESS + spare), water))
        normals = f'''<normals><norplane mkbound="0"><onlypos><posmax x="0.5"/></onlypos><point x="{dp / 2!r}" y="0" z="1"/><normal x="1" y="0" z="0"/></norplane>
<norplane mkbound="0"><onlypos><posmin x="0.5"/></onlypos><point x="{LENGTH - dp / 2!r}" y="0" z="1"/><normal x="-1" y="0" z="0"/></norplane></normals>'''
        out = self.run_text(f"plate-{name}", case_of(
            f'<gravity x="0" y="0" z="{-GRAVITY}"/><rhop0 value="1000"/><rhopgradient value="2"/><coefh value="1.2"/><hswl value="{DEPTH}" auto="false"/><speedsound value="{SOUND!r}" auto="false"/>',
            f'<definition dp="{dp!r}"><pointref x="0" y="0" z="0"/><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="3"/></definition>',
            commands, (normals if boundary == 2 else "") + '<motion><objreal ref="1"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>',
            f'''<flexstrucs><flexstrucbody mkbound="1" mkclamp="0"><density value="{density!r}"/><youngmod value="{YOUNG}"/><poissratio value="{POISSON}"/>
<damping value="500"/></flexstrucbody></flexstrucs><gauges><default><computedt value="0.0005"/></default>
<place name="middle"><point x="0.5" y="0" z="{-THICKNESS / 2}"/><follow mkbound="1"/></place></gauges>''',
            {"Scheme": "recommended", "StepAlgorithm": 2, "Boundary": boundary, "TimeMax": duration, "TimeOut": duration}))
        way = table(out / "gauges" / "middle.csv")
        return -mean([u for t, u in zip(way["time"], way["uz"]) if t > way["time"][-1] - over])

    def test_short_plate_under_water(self):
        """A plate that closes a column of water from below bends as far as under a dead load of the same weight, and as theory says;
        also where the other walls have ghost nodes."""
        bending, with_shear = deflection()
        self.assertAlmostEqual(1e5 * bending, 6.860, delta=0.001) # what the papers compare with
        dead = self.plate("alone", 1, DENSITY + 1000 * DEPTH / THICKNESS, 0, 0.05, 0.005)
        print(f"plate: deflection in theory {1e6 * bending:.2f} um, with shear {1e6 * with_shear:.2f} um; under a dead load {1e6 * dead:.2f} um")
        self.assertAlmostEqual(dead / with_shear, 1, delta=0.035)
        for boundary in (1, 2):
            found = self.plate(f"under-water-{boundary}", boundary, DENSITY, DEPTH, 0.25, 2 * 4 * DEPTH / SOUND) # two periods of the sound in the column
            print(f"plate under water, Boundary {boundary}: {1e6 * found:.2f} um ({100 * (found / dead - 1):+.2f} % off the dead load, "
                  f"{100 * (found / with_shear - 1):+.1f} % off theory)")
            self.assertAlmostEqual(found / dead, 1, delta=0.015)


if __name__ == "__main__":
    unittest.main()
