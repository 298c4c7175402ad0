# SPDX-License-Identifier: Apache-2.0
"""Laminar flows with inlet and outlet: down an open channel, and round a cylinder between walls. scripts/validate.sh runs
them."""
import csv
import json
import math
import subprocess
import unittest
import plot
from validation_case import SLUICE, ValidationCase, box, case_of, finer, mean, rms, table


VISCOUS = {"StepAlgorithm": 2, "Kernel": 2, "ViscoTreatment": 3, "Boundary": 2, "SlipMode": 2, "DensityDT": 2,
           "Shifting": 3, "ShiftCoef": -10}


class OpenChannel:
    """Water 1 m deep on a slope, u = g sin(slope)/(2 ν) (2 z − z²), Re = 100 by depth and mean velocity; z from the floor."""
    NU, SLOPE_GRAVITY, LENGTH = 0.05, 0.75, 8

    @staticmethod
    def velocity(z):
        return OpenChannel.SLOPE_GRAVITY / (2 * OpenChannel.NU) * z * (2 - z)

    @staticmethod
    def text(n):
        dp, length = 1 / n, OpenChannel.LENGTH
        w, top = dp / 2, OpenChannel.velocity(1)
        profile = f'<velocity3 v="0" v2="{OpenChannel.velocity(0.5)}" v3="{top}" z="0" z2="0.5" z3="1"/>'
        zone = '<refilling value="{}"/><inputtreatment value="{}"/><layers value="4"/><zone2d><particles mkfluid="{}" direction="{}"/></zone2d>'
        return case_of(
            f'<gravity x="{OpenChannel.SLOPE_GRAVITY}" y="0" z="-9.78"/><rhop0 value="1000"/><rhopgradient value="2"/>'
            '<speedsound value="75" auto="false"/><coefh value="1"/><cflnumber value="0.2"/>',
            f'<definition dp="{dp!r}"><pointref x="0" y="0" z="{w!r}"/><pointmin x="{-8 * dp!r}" y="0" z="{-5 * dp!r}"/>'
            f'<pointmax x="{length + 8 * dp!r}" y="0" z="1.5"/></definition>',
            '<setdrawmode mode="full"/><setmkfluid mk="0"/>' + box(0.0, w, float(length), 1 - dp) +
            '<setmkfluid mk="1"/>' + box(0.0, w, 0.0, 1 - dp) + '<setmkfluid mk="2"/>' + box(float(length), w, 0.0, 1 - dp) +
            '<setmkbound mk="0"/>' + box(-5 * dp, -3.5 * dp, length + 10 * dp, 3 * dp),
            '<normals><norplane mkbound="0"><point x="0" y="0" z="0"/><normal x="0" y="0" z="1"/><maxdisth v="0"/></norplane></normals>',
            f'<initialize><fluidvelocity mkfluid="0"><direction x="1" y="0" z="0"/>{profile}</fluidvelocity></initialize>'
            f'<inout><inoutzone>{zone.format(1, 2, 1, "right")}<imposevelocity mode="0">{profile}</imposevelocity>'
            '<imposerhop mode="2"/><imposezsurf mode="0"><zsurf value="1"/></imposezsurf></inoutzone>'
            f'<inoutzone>{zone.format(2, 1, 2, "left")}<imposevelocity mode="2"/><imposerhop mode="1"/>'
            '<imposezsurf mode="2"/></inoutzone></inout>',
            VISCOUS | {"Visco": OpenChannel.NU, "ShiftTFS": 1.5, "TimeMax": 5, "TimeOut": 0.5})


class ConfinedCylinder:
    """The benchmark of Schäfer & Turek (1996): a cylinder of 0.1 m in a channel 0.41 m wide with a parabolic inflow of mean
    velocity 0.2 m/s. In the benchmark its middle is `LOW` above one wall, 5 mm below that of the channel, which makes vortices begin."""
    D, H, MEAN, LENGTH, LOW = 0.1, 0.41, 0.2, 1.5, 0.2

    @staticmethod
    def text(rows, reynolds, end, height=None):
        """`rows` of particles, an odd number, across the channel; `height` of the cylinder's middle, that of the channel if none."""
        c = ConfinedCylinder
        dp, middle = c.H / rows, c.H / 2
        height = height or middle
        columns, first = int(c.LENGTH / dp), 0.2 - math.floor(0.2 / dp) * dp
        last, w, top = first + columns * dp, dp / 2, 1.5 * c.MEAN
        profile = f'<velocity3 v="0" v2="{top!r}" v3="0" z="0" z2="{middle!r}" z3="{c.H}"/>'
        wall = lambda mk, z: f'<setmkbound mk="{mk}"/>' + box(first - 6 * dp, z, (columns + 12) * dp, 3 * dp)
        plane = lambda mk, z, up: (f'<norplane mkbound="{mk}"><point x="0" y="0" z="{z}"/><normal x="0" y="0" z="{up}"/>'
                                   '<maxdisth v="0"/></norplane>')
        zone = '<refilling value="0"/><inputtreatment value="{}"/><layers value="5"/><zone2d><particles mkfluid="{}" direction="{}"/></zone2d>'
        return case_of(
            '<gravity x="0" y="0" z="0"/><rhop0 value="1000"/><rhopgradient value="1"/>'
            f'<speedsound value="{10 * top!r}" auto="false"/><coefh value="1.2"/><cflnumber value="0.2"/>',
            f'<definition dp="{dp!r}"><pointref x="0.2" y="0" z="{middle!r}"/><pointmin x="{first - 9 * dp!r}" y="0" z="{-6 * dp!r}"/>'
            f'<pointmax x="{last + 9 * dp!r}" y="0" z="{c.H + 6 * dp!r}"/></definition>',
            '<setdrawmode mode="full"/><setmkfluid mk="0"/>' + box(first, w, columns * dp, c.H - dp) +
            '<setmkfluid mk="1"/>' + box(first, w, 0.0, c.H - dp) + '<setmkfluid mk="2"/>' + box(last, w, 0.0, c.H - dp) +
            wall(0, -3.5 * dp) + wall(2, c.H + w) +
            f'<setmkbound mk="1"/><setdrawmode mode="solid"/><drawsphere radius="{c.D / 2}"><point x="0.2" y="0" z="{height!r}"/></drawsphere>',
            f'<normals>{plane(0, 0, 1)}{plane(2, c.H, -1)}<norsphere mkbound="1"><center x="0.2" y="0" z="{height!r}"/>'
            f'<radius v="{c.D / 2}"/><inside v="true"/><maxdisth v="0"/></norsphere></normals>'
            f'<initials><velocity mkfluid="0" x="{c.MEAN}" y="0" z="0"/></initials>',
            f'<inout><inoutzone>{zone.format(2, 1, "right")}<imposevelocity mode="0">{profile}</imposevelocity><imposerhop mode="2"/></inoutzone>'
            f'<inoutzone>{zone.format(1, 2, "left")}<imposevelocity mode="2"/><imposerhop mode="0"/></inoutzone></inout>'
            '<gauges><default><computedt value="0.02"/><output value="true"/></default>'
            '<force name="force"><target mkbound="1"/></force></gauges>',
            VISCOUS | {"Visco": c.MEAN * c.D / reynolds, "ShiftTFS": 0, "TimeMax": end, "TimeOut": end / 4})


class StreamingCylinder:
    """A cylinder of 0.1 m in a stream of 0.2 m/s that enters evenly, in a row of such with `PITCH` diameters from one to the next
    (periodic sides), so that each is nearly alone. Half a diameter above the middle of what is simulated; the water starts with a
    third of its speed sideways, which makes vortices begin: a tenth left the wake still for 45 s at 38 particles a diameter."""
    D, MEAN, PITCH, BEFORE, BEHIND = 0.1, 0.2, 24, 8, 17

    @staticmethod
    def text(n, reynolds, end):
        """`n` particles a diameter."""
        c = StreamingCylinder
        dp = c.D / n
        rows, before, behind = c.PITCH * n, c.BEFORE * n * dp, c.BEHIND * n * dp
        bottom, top, middle = dp / 2, (rows - 0.4) * dp, (rows // 2 + n // 2 + 0.5) * dp
        column = lambda mk, x: f'<setmkfluid mk="{mk}"/>' + box(x, bottom, 0.0, top - bottom)
        zone = '<refilling value="0"/><inputtreatment value="{}"/><layers value="5"/><zone2d><particles mkfluid="{}" direction="{}"/></zone2d>'
        return case_of(
            '<gravity x="0" y="0" z="0"/><rhop0 value="1000"/><rhopgradient value="1"/>'
            f'<speedsound value="{15 * c.MEAN!r}" auto="false"/><coefh value="1.2"/><cflnumber value="0.2"/>',
            f'<definition dp="{dp!r}"><pointref x="0" y="0" z="{bottom!r}"/><pointmin x="{-before - 9 * dp!r}" y="0" z="{bottom!r}"/>'
            f'<pointmax x="{behind + 9 * dp!r}" y="0" z="{top + dp!r}"/></definition>',
            '<setdrawmode mode="full"/><setmkfluid mk="0"/>' + box(-before, bottom, before + behind, top - bottom) +
            column(1, -before) + column(2, behind) +
            f'<setmkbound mk="1"/><setdrawmode mode="solid"/><drawsphere radius="{c.D / 2}"><point x="0" y="0" z="{middle!r}"/></drawsphere>',
            f'<normals><norsphere mkbound="1"><center x="0" y="0" z="{middle!r}"/><radius v="{c.D / 2}"/><inside v="true"/>'
            f'<maxdisth v="0"/></norsphere></normals><initials><velocity mkfluid="0" x="{c.MEAN}" y="0" z="{c.MEAN / 3!r}"/></initials>',
            f'<inout><inoutzone>{zone.format(2, 1, "right")}<imposevelocity mode="0"><velocity v="{c.MEAN}"/></imposevelocity><imposerhop mode="2"/></inoutzone>'
            f'<inoutzone>{zone.format(1, 2, "left")}<imposevelocity mode="2"/><imposerhop mode="0"/></inoutzone></inout>'
            '<gauges><default><computedt value="0.02"/><output value="true"/></default>'
            '<force name="force"><target mkbound="1"/></force></gauges>',
            VISCOUS | {"Visco": c.MEAN * c.D / reynolds, "ShiftTFS": 0, "ZPeriodicIncX": 0, "TimeMax": end, "TimeOut": end / 8}
        ).replace('z="default + 50%"', 'z="default"')


class Weir:
    """Water of 0.1 m²/s flows from an inlet over a weir, 0.3 m high and 0.06 m thick, into a basin, with the scheme for flow. Heights are
    those of the nodes of the lattice, as drawn; surfaces of walls are half a spacing in front of them."""
    HEIGHT, FLOW, FLOOR, COLUMN = 0.3, 0.1, 0.06, (0.1, 0.15, 0.2, 0.25, 0.3) # m, m²/s; heights of gauges, m

    @staticmethod
    def discharge(head):
        """m²/s, of the formula of Rehbock (1929) for weirs with sharp crests."""
        return 2 / 3 * (0.602 + 0.083 * head / Weir.HEIGHT) * math.sqrt(2 * 9.81) * head ** 1.5

    @staticmethod
    def text(dp, end, parameters):
        d = lambda mk, x0, z0, x1, z1: (mk, f'<point x="{x0!r}" y="-1" z="{z0!r}"/><endpoint x="{x1!r}" y="1" z="{z1!r}"/>')
        walls = [d(0, -0.2, -4 * dp, 1.3, 0.0), d(0, -0.1, 0.2 + dp, 0.0, 0.8), d(1, 1.2, dp, 1.26, Weir.HEIGHT), d(2, 1.26, -0.6, 1.3, -5 * dp),
                 d(2, 1.26, -0.6 - 4 * dp, 2.8, -0.6), d(2, 2.8 - 4 * dp, -0.6, 2.8, 0.3)]
        boxes = lambda fill, more="": "".join(f'<setmkbound mk="{mk}"/><drawbox><boxfill>{fill}</boxfill>{corners}{more}</drawbox>' for mk, corners in walls)
        probe = lambda name, x, z: f'<pressure name="{name}"><point x="{x}" y="0" z="{z}"/></pressure>'
        return case_of(
            '<gravity x="0" y="0" z="-9.81"/>',
            f'<definition dp="{dp!r}"><pointref x="0" y="0" z="0"/><pointmin x="-0.3" y="0" z="-0.8"/><pointmax x="3" y="0" z="1"/></definition>',
            '<setactive drawpoints="0" drawshapes="1"/><setshapemode>actual | bound</setshapemode>' + boxes("all", '<layers vdp="0.5"/>') +
            '<shapeout file="hdp"/><resetdraw/><setdrawmode mode="full"/>' + boxes("solid") +
            '<setmkfluid mk="0"/><fillbox x="0.6" y="0" z="0.2"><modefill>void</modefill><point x="0" y="-1" z="0"/>'
            '<endpoint x="1.2" y="1" z="0.44"/></fillbox>',
            '<normals><geometryfile file="[CaseName]_hdp_Actual.vtk"/><distanceh value="2"/></normals>',
            '<inout><inoutzone><refilling value="0"/><inputtreatment value="1"/><layers value="6"/><zone2d><line>'
            f'<point x="0" z="{dp!r}"/><point2 x="0" z="0.2"/><direction x="1" z="0"/></line></zone2d>'
            f'<imposevelocity mode="0"><velocity v="{Weir.FLOW / 0.2!r}"/></imposevelocity><imposerhop mode="2"/></inoutzone></inout>'
            '<gauges><default><computedt value="0.02"/></default><swl name="head"><point0 x="0.5" y="0" z="0.05"/><point2 x="0.5" y="0" z="0.8"/></swl>'
            '<flowrate name="overflow"><point0 x="1.22" y="0" z="0.8"/><point1 x="1.22" y="0" z="0.3"/></flowrate>' +
            probe("floor", 0.6, Weir.FLOOR) + "".join(probe(f"column{k}", 0.5, z) for k, z in enumerate(Weir.COLUMN)) + '</gauges>',
            {"Scheme": "recommended", "TimeMax": end, "TimeOut": end} | parameters
        ).replace('z="default + 50%"', 'z="default"')


class PlanarJet:
    """A jet 0.03 m wide that falls on a plate at 20 m/s, without gravity: of an ideal fluid the pressure on the plate is
    known (Milne-Thomson, Theoretical Hydrodynamics)."""
    WIDTH, SPEED, HEIGHT, REACH = 0.03, 20, 0.09, 0.15

    @staticmethod
    def pressure(x):
        """Over the dynamic pressure, at x = [2 atan u + ln((1 + u)/(1 − u))]/π widths from the middle, 1 − u²."""
        low, high = 0, 1 - 1e-12
        for _ in range(60):
            u = (low + high) / 2
            if (2 * math.atan(u) + math.log((1 + u) / (1 - u))) / math.pi < abs(x): low = u
            else: high = u
        return 1 - low * low

    @staticmethod
    def text(n):
        """`n` particles across the jet, an odd number."""
        j = PlanarJet
        dp = j.WIDTH / n
        half, height, reach = j.WIDTH / 2 - dp / 2, (round(j.HEIGHT / dp) + 0.5) * dp, round(j.REACH / dp) * dp
        zone = '<refilling value="0"/><inputtreatment value="{}"/><layers value="4"/><zone2d><particles mkfluid="{}" direction="{}"/></zone2d>'
        outlet = '<inoutzone>' + zone + '<imposevelocity mode="2"/></inoutzone>'
        return case_of(
            '<gravity x="0" y="0" z="0"/><rhop0 value="1000"/><rhopgradient value="1"/>'
            f'<speedsound value="{10 * j.SPEED}" auto="false"/><coefh value="1.0"/><cflnumber value="0.2"/>',
            f'<definition dp="{dp!r}"><pointref x="0" y="0" z="{dp / 2!r}"/><pointmin x="{-reach - 6 * dp!r}" y="0" z="{-5 * dp!r}"/>'
            f'<pointmax x="{reach + 6 * dp!r}" y="0" z="{height + 6 * dp!r}"/></definition>',
            '<setdrawmode mode="full"/><setmkfluid mk="0"/>' + box(-half, height - 10 * dp, 2 * half, 10 * dp) +
            '<setmkfluid mk="1"/>' + box(-half, height, 2 * half, 0.0) +
            '<setmkfluid mk="2"/>' + box(-reach, dp / 2, 0.0, j.WIDTH) + '<setmkfluid mk="3"/>' + box(reach, dp / 2, 0.0, j.WIDTH) +
            '<setmkbound mk="0"/>' + box(-reach - 5 * dp, -2.5 * dp, 2 * reach + 10 * dp, 2 * dp),
            '<normals><norplane mkbound="0"><point x="0" y="0" z="0"/><normal x="0" y="0" z="1"/><maxdisth v="0"/></norplane></normals>'
            f'<initials><velocity mkfluid="0" x="0" y="0" z="{-j.SPEED}"/></initials>',
            f'<inout><inoutzone>{zone.format(2, 1, "bottom")}<imposevelocity mode="0"><velocity v="{j.SPEED}"/></imposevelocity>'
            f'<imposerhop mode="0"/></inoutzone>{outlet.format(1, 2, "right")}{outlet.format(1, 3, "left")}</inout>',
            {"StepAlgorithm": 2, "Kernel": 2, "ViscoTreatment": 1, "Visco": 0.01, "Boundary": 2, "DensityDT": 3,
             "TimeMax": 0.075, "TimeOut": 0.0005})


class JetOfAnyMethod(PlanarJet):
    """The same jet as a column of 12 widths that flies at the plate, since inlets belong to SPH alone; what it leaves on the plate flows off its ends."""
    LENGTH, END, BEGIN = 0.36, 0.0155, 0.006

    @staticmethod
    def text(n, method):
        j = JetOfAnyMethod
        dp = j.WIDTH / n
        half, reach = j.WIDTH / 2 - dp / 2, round(j.REACH / dp) * dp
        constants = f'<gravity x="0" y="0" z="0"/><rhop0 value="1000"/><rhopgradient value="1"/><speedsound value="{10 * j.SPEED}" auto="false"/>'
        parameters = {"TimeMax": j.END, "TimeOut": 0.00025, "ViscoTreatment": 1, "Visco": 0}
        normals = ""
        if method == "sph":
            constants += '<coefh value="1.0"/><cflnumber value="0.2"/>'
            normals = '<normals><norplane mkbound="0"><point x="0" y="0" z="0"/><normal x="0" y="0" z="1"/><maxdisth v="0"/></norplane></normals>'
            parameters |= {"StepAlgorithm": 2, "Kernel": 2, "Visco": 0.01, "Boundary": 2, "DensityDT": 3}
        else:
            parameters["Method"] = method
        return case_of(
            constants,
            f'<definition dp="{dp!r}"><pointref x="0" y="0" z="{dp / 2!r}"/><pointmin x="{-reach - 40 * dp!r}" y="0" z="{-30 * dp!r}"/>'
            f'<pointmax x="{reach + 40 * dp!r}" y="0" z="{j.LENGTH + 6 * dp!r}"/></definition>',
            '<setdrawmode mode="full"/><setmkfluid mk="0"/>' + box(-half, 2.5 * dp, 2 * half, j.LENGTH - 3 * dp) +
            '<setmkbound mk="0"/>' + box(-reach, -2.5 * dp, 2 * reach, 2 * dp),
            normals + f'<initials><velocity mkfluid="0" x="0" y="0" z="{-j.SPEED}"/></initials>', "", parameters)


class OpenFlows(ValidationCase):
    def test_channel(self):
        errors = {}
        for n in (12, 25):
            out = self.run_text(f"channel-{n}", OpenChannel.text(n))
            subprocess.run([SLUICE, "export", out, "-o", out / "csv", "--format", "csv", "--from", "4", "--quiet"], check=True)
            near = {1: [], 2: [], 4: [], 6: [], 7: []}
            for file in sorted((out / "csv").glob("fluid_*.csv")):
                with open(file, encoding="utf-8") as lines:
                    next(lines)
                    for row in csv.DictReader(lines):
                        for x, values in near.items():
                            if abs(float(row["x [m]"]) - x) < 0.25:
                                z = float(row["z [m]"])
                                values.append((float(row["vx [m/s]"]) - OpenChannel.velocity(z)) / OpenChannel.velocity(1))
            errors[n] = {x: rms(values) for x, values in near.items()}
            print(f"open channel, {n} particles deep: " + ", ".join(f"{100 * e:.2f} % at {x} m" for x, e in errors[n].items()))
        self.assertLess(max(errors[12].values()), 0.025)
        self.assertLess(max(errors[25].values()), 0.02)
        self.assertLess(errors[25][4], 0.8 * errors[12][4])

    def test_jet(self):
        n = 31
        out = self.run_text("jet", PlanarJet.text(n), "--fields", "+wall_pressure")
        subprocess.run([SLUICE, "export", out, "-o", out / "csv", "--format", "csv", "--mkbound", "0", "--from", "0.015", "--quiet"], check=True)
        top = -PlanarJet.WIDTH / n / 2 # z of the first layer of the plate
        pressures = {}
        for file in (out / "csv").glob("boundary_*.csv"):
            with open(file, encoding="utf-8") as lines:
                next(lines)
                for row in csv.DictReader(lines):
                    x = float(row["x [m]"]) / PlanarJet.WIDTH
                    if abs(float(row["z [m]"]) - top) < 1e-6 and abs(x) <= 2:
                        pressures.setdefault(round(x, 4), []).append(float(row["wall_pressure [Pa]"]) / (500 * PlanarJet.SPEED ** 2))
        errors = [mean(values) - PlanarJet.pressure(x) for x, values in pressures.items()]
        print(f"jet, {n} particles wide: pressure on the plate {rms(errors):.3f} off (root mean square within two widths), in the middle "
              f"{mean(pressures[0.0]):.3f}")
        self.assertLess(rms(errors), 0.015)

    def test_jet_methods(self):
        """By each method on the same particles; the pressure is sampled half a spacing above the plate."""
        j, n = JetOfAnyMethod, finer(21)
        panel = plot.Panel("Pressure beneath a plane jet", "x / b", "p / (½ ρ U²)", (0, 3), (-0.1, 1.2))
        places = [k * j.WIDTH / 8 for k in range(25)]
        panel.line([x / j.WIDTH for x in places], [j.pressure(x / j.WIDTH) for x in places], "exact", plot.GREY)
        for method, colour in zip(("sph", "mps", "fvpm"), (plot.BLUE, plot.GREEN, plot.ORANGE)):
            out = self.run_text(f"jet-{method}", j.text(n, method))
            points = [option for x in places for side in (-1, 1) for option in ("--point", repr(side * x), "0", repr(j.WIDTH / n / 2))]
            subprocess.run([SLUICE, "measure", out, *points, "-o", self.dir / "points.csv"], check=True, capture_output=True)
            values = {}
            rows = table(self.dir / "points.csv")
            for t, x, p in zip(rows["time"], rows["x"], rows["pressure"]):
                if t >= j.BEGIN and not math.isnan(p): values.setdefault(round(abs(x) / j.WIDTH, 4), []).append(p / (500 * j.SPEED ** 2))
            at = sorted(values)
            pressures = [mean(values[x]) for x in at]
            error = rms([p - j.pressure(x) for x, p in zip(at, pressures)])
            noise = rms([v - p for x, p in zip(at, pressures) if x < 0.5 for v in values[x]])
            force = sum((x2 - x1) * (p1 + p2) / 2 for x1, x2, p1, p2 in zip(at, at[1:], pressures, pressures[1:]))
            facts = json.loads((out / "run.json").read_text(encoding="utf-8"))
            panel.line(at, pressures, method, colour)
            print(f"jet, {n} particles wide, Method={method}: pressure on the plate {error:.3f} off (root mean square within three widths), in the middle "
                  f"{pressures[0]:.3f}; force {force:.3f} rho U2 b; samples about their mean {noise:.3f} of rho U2/2; {facts['steps']} steps")
            self.assertLess(error, {"sph": 0.03, "mps": 0.3, "fvpm": 0.05}[method])
        plot.save(self.dir / "jet-methods.svg", panel)

    def coefficients(self, name, text, cylinder, begin):
        """(times, drag coefficients, lift coefficients) from `begin` on of a cylinder in a stream, where `cylinder.D` and `cylinder.MEAN`
        are its diameter and the speed of the stream."""
        out = self.run_text(name, text)
        force = table(out / "gauges" / "force.csv")
        scale = 0.5 * 1000 * cylinder.MEAN ** 2 * cylinder.D
        late = [i for i, t in enumerate(force["time"]) if t > begin]
        return [force["time"][i] for i in late], [force["fx"][i] / scale for i in late], [force["fz"][i] / scale for i in late]

    @staticmethod
    def shedding(times, drags, lifts, half_period, cylinder):
        """(mean drag coefficient, Strouhal number, periods) of the whole periods of the lift, which is averaged over half of one."""
        width = round(half_period / (times[1] - times[0]) / 2)
        smooth = [mean(lifts[max(0, i - width):i + width + 1]) for i in range(len(lifts))]
        level = mean(lifts)
        rises = [t for t, before, after in zip(times, smooth, smooth[1:]) if before < level <= after]
        period = (rises[-1] - rises[0]) / (len(rises) - 1)
        drag = mean([d for t, d in zip(times, drags) if rises[0] <= t < rises[-1]])
        return drag, cylinder.D / (period * cylinder.MEAN), len(rises) - 1

    def weir(self, name, dp, begin, end, **parameters):
        """Means from `begin` to `end`: discharge over Rehbock's, pressure near the floor over the hydrostatic one, its gradient over ρg."""
        gauges = self.run_text(name, Weir.text(dp, end, parameters)) / "gauges"
        def average(gauge, column):
            series = table(gauges / f"{gauge}.csv")
            return mean([v for t, v in zip(series["time"], series[column]) if t >= begin])
        level, flow = average("head", "z"), average("overflow", "flow")
        floor = average("floor", "pressure") / (9810 * (level - Weir.FLOOR))
        pressures, middle = [average(f"column{k}", "pressure") for k in range(len(Weir.COLUMN))], mean(Weir.COLUMN)
        slope = -sum(p * (z - middle) for p, z in zip(pressures, Weir.COLUMN)) / sum((z - middle) ** 2 for z in Weir.COLUMN) / 9810
        discharge = flow / Weir.discharge(level - Weir.HEIGHT)
        print(f"weir, {name}: head {level - Weir.HEIGHT:.4f} m, discharge {flow:.4f} m2/s, {discharge:.3f} of Rehbock's; pressure near the floor "
              f"{floor:.3f} of the hydrostatic one, its gradient {slope:.3f}")
        return discharge, floor, slope

    def check_weir(self, discharge, floor, slope):
        self.assertTrue(0.95 < discharge < 1.05)
        self.assertGreater(floor, 0.95) # 0.96 is asked and 0.966 to 0.979 were measured, with scatter of 0.01 by rounding
        self.assertTrue(0.93 < slope < 1.07) # asked: 0.05; scatter of 0.02

    def test_short_weir(self):
        self.check_weir(*self.weir("coarse", 0.02, 2, 4))

    def test_weir(self):
        self.check_weir(*self.weir("fine", 0.01, 2, 4))
        self.assertGreater(self.weir("waves", 0.02, 2, 4, Scheme="waves")[0], 1.15) # what the other set is not for

    def test_cylinder_re20(self):
        exact = 5.579535 # steady drag coefficient (John & Matthies 2001; bounds of Schäfer & Turek 5.57 to 5.59)
        _, drags, lifts = self.coefficients("cylinder-20", ConfinedCylinder.text(63, 20, 14), ConfinedCylinder, 8)
        drag, lift = mean(drags), mean(lifts)
        print(f"cylinder, Re 20: drag coefficient {drag:.3f} ({100 * (drag / exact - 1):+.1f} %), lift {lift:.3f}")
        self.assertLess(abs(drag / exact - 1), 0.03)
        self.assertLess(abs(lift), 0.05)

    def test_cylinder_re100(self):
        flow = self.coefficients("cylinder-100", ConfinedCylinder.text(123, 100, 20, ConfinedCylinder.LOW), ConfinedCylinder, 10)
        drag, strouhal, periods = self.shedding(*flow, 0.8, ConfinedCylinder)
        print(f"cylinder, Re 100: mean drag coefficient {drag:.3f}, Strouhal number {strouhal:.4f} of {periods} periods")
        self.assertTrue(0.97 * 3.17 < drag < 1.03 * 3.23) # from the least to the most in a period
        self.assertTrue(0.97 * 0.295 < strouhal < 1.03 * 0.305)

    def test_cylinder_re200(self):
        # as wide streams have it: 1.31 and 0.192 (Liu, Zheng & Sung 1998), 1.34 and 0.197 (Linnick & Fasel 2005)
        flow = self.coefficients("cylinder-200", StreamingCylinder.text(34, 200, 60), StreamingCylinder, 35)
        drag, strouhal, periods = self.shedding(*flow, 1.25, StreamingCylinder)
        print(f"cylinder in a wide stream, Re 200: mean drag coefficient {drag:.3f}, Strouhal number {strouhal:.4f} of {periods} periods")
        self.assertTrue(0.97 * 1.31 < drag < 1.03 * 1.34)
        self.assertTrue(0.97 * 0.192 < strouhal < 1.03 * 0.197)


if __name__ == "__main__":
    unittest.main()
