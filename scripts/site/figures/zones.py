# SPDX-License-Identifier: Apache-2.0
"""Figures of zones: relaxation, damping, open boundaries, shifting, the domain and its periodic sides."""
import math

from svg import Figure, grid


def relaxation_zone():
    f = Figure("A relaxation zone and its weight along x", 640, 262)
    f.text(20, 60, "C")
    f.line([(60, 96), (60, 22)], "line", True)
    f.line([(60, 96), (600, 96)], "line", True)
    middle, half = 230, 130
    f.curve(lambda s: (middle + half * s, 96 - 60 * (1 - (math.exp(abs(s) ** 3.5) - 1) / (math.e - 1))), -1, 1, "violet")
    f.line([(middle, 34), (middle, 214)], "dash")
    f.text(54, 40, "`psi`", "end")
    f.line([(56, 36), (middle, 36)], "dash")
    f.text(372, 36, "C = ψ (1 − (exp s^(7β/2) − 1)/(e − 1))", style="s")
    f.text(372, 54, "s: 0 in the middle, 1 at the edge", style="s")
    f.text(372, 72, "r = `coefdt`", style="s")
    top = [(60 + i, 156 - 11 * math.sin(i / 28)) for i in range(0, 541, 4)]
    f.polygon([(60, 214), *top, (600, 214)], "water")
    f.rect(middle - half, 130, 2 * half, 84, "zone")
    f.line(top, "surface")
    f.rect(50, 214, 560, 9, "wall")
    f.circle(middle, 172, 3.5, "point")
    f.text(middle + 7, 178, "`center`")
    f.measure(middle - half, 240, middle + half, 240)
    f.text(middle, 256, "`width`", "middle")
    f.line([(400, 156), (600, 156)], "dash")
    f.measure(470, 156, 470, 213)
    f.text(476, 190, "`depth`")
    f.text(594, 172, "z = `swl`", "end")
    f.line([(400, 132), (450, 132)], "surface", True)
    f.text(456, 130, "waves to +x")
    return f


def damping_zones():
    f = Figure("Damping: a zone between two limits, a box and a cylinder", 640, 384)
    top = [(40 + i, 66 - 10 * math.exp(-max(0, i - 230) / 60) * math.sin(i / 22)) for i in range(0, 541, 4)]
    f.polygon([(40, 122), *top, (580, 122)], "water")
    f.rect(270, 44, 260, 78, "zone")
    f.line(top, "surface")
    f.rect(40, 122, 550, 9, "wall")
    f.line([(410, 44), (410, 122)], "violet")
    f.text(270, 36, "`limitmin`", "middle")
    f.text(410, 36, "`limitmax`", "middle")
    f.text(20, 36, "`dampingzone`")
    f.measure(411, 98, 529, 98, "`overlimit`")
    f.line([(270, 190), (270, 146)], "line", True)
    f.line([(200, 190), (590, 190)], "line", True)
    f.line([(200, 190), (270, 190), (410, 156), (530, 156), (530, 190)], "violet")
    f.text(262, 158, "s = 1", "end")
    f.line([(266, 156), (410, 156)], "dash")
    f.text(40, 178, "dv/dt = −β s² v")
    f.text(40, 196, "β: `redumax`")
    # box
    f.text(20, 232, "`dampingbox`, seen from above")
    f.rect(40, 246, 250, 120, "zone")
    f.rect(90, 276, 130, 60, "face")
    f.text(155, 302, "inner box:", "middle", "s")
    f.text(155, 318, "`limitmin`", "middle")
    f.text(286, 262, "`limitmax`", "end")
    f.line([(222, 306), (288, 306)], "violet", True)
    f.text(255, 299, "right", "middle", "s")
    f.line([(88, 306), (42, 306)], "violet", True)
    f.text(65, 299, "left", "middle", "s")
    f.line([(155, 274), (155, 248)], "violet", True)
    f.text(160, 266, "back", style="s")
    f.line([(155, 338), (155, 364)], "violet", True)
    f.text(160, 356, "front", style="s")
    # cylinder
    f.text(330, 232, "`dampingcylinder`, seen along its axis")
    f.circle(420, 306, 66, "zone")
    f.circle(420, 306, 32, "face")
    f.circle(420, 306, 3.5, "point")
    f.line([(420, 306), (443, 284)], "line", True)
    f.line([(420, 306), (420 - 47, 306 + 46)], "line", True)
    f.text(500, 276, "`point1`, `point2`")
    f.text(500, 300, "`limitmin radius`")
    f.line([(496, 296), (448, 288)], "faint")
    f.text(500, 340, "`limitmax radius`")
    f.line([(496, 336), (382, 344)], "faint")
    return f


def open_boundary():
    f = Figure("An inlet and an outlet: points, layers, plane and heights", 640, 300)
    step, left, bottom = 14, 96, 214
    surface = bottom - 6.5 * step
    f.polygon([(left + 0.5 * step, bottom), (left + 0.5 * step, surface), (520, surface), (520, bottom)], "water")
    f.rect(left - 3.5 * step, 66, 4 * step, bottom - 66, "zone")
    f.rect(520, 66, 4 * step, bottom - 66, "zone")
    f.dots(grid(left - 3 * step, bottom - 6 * step, 4, 6, step), "fluid", 4)
    f.dots([(left, bottom - (1 + i) * step) for i in range(6)], "point", 4)
    f.dots([(left, bottom - (7 + i) * step) for i in range(4)], "empty", 4)
    f.dots(grid(520 + 0.5 * step, bottom - 6 * step, 4, 6, step), "fluid", 4)
    f.rect(20, bottom, 600, 10, "wall")
    f.line([(left + 0.5 * step, 52), (left + 0.5 * step, bottom)], "red")
    f.line([(520, 52), (520, bottom)], "red")
    f.text(left + 0.5 * step + 6, 62, "plane, half a spacing before the points")
    f.line([(left + 12, 190), (left + 70, 190)], "violet", True)
    f.text(left + 12, 182, "`direction`")
    f.line([(left + 12, 150), (left + 90, 150)], "surface", True)
    f.text(left + 96, 154, "`velocity v`")
    f.measure(left - 3.5 * step, 240, left + 0.5 * step, 240)
    f.text(left - 1.5 * step, 258, '`layers`="4"', "middle")
    f.line([(left + 0.5 * step, surface), (440, surface)], "dash")
    f.measure(290, surface, 290, bottom - 1)
    f.text(296, surface + 18, "`zsurf` to `zbottom`")
    f.text(320, 258, "Each particle that passes the plane is followed", "middle", "s")
    f.text(320, 274, "by a new one at the back of its column (`refilling`).", "middle", "s")
    f.circle(520 + 1.5 * step, bottom - 3 * step, 7, "red")
    f.circle(520 - 1.5 * step, bottom - 3 * step, 7, "red")
    f.line([(520 + 1.5 * step - 8, bottom - 3 * step), (520 - 1.5 * step + 8, bottom - 3 * step)], "red", True)
    f.text(520 - 1.5 * step - 12, bottom - 3 * step - 12, "mirror image:", "end", "s")
    f.text(520 - 1.5 * step - 12, bottom - 3 * step + 4, "mode 2 takes its values", "end", "s")
    f.line([(520 - 2, 110), (520 - 50, 110)], "violet", True)
    f.text(514, 102, "`direction`", "end")
    f.text(left - 1.5 * step, 290, "inlet", "middle", "s")
    f.text(520 + 2 * step, 240, "outlet: v < 0", "middle", "s")
    return f


def shifting_zones():
    f = Figure("Shifting: where it moves particles, and the zones that it may be kept to", 640, 230)
    places = [(0, 0), (20, -6), (38, 4), (58, -2), (82, 2), (104, -4), (-4, 24), (14, 18), (44, 30), (62, 22), (78, 26), (106, 20),
              (2, 44), (22, 52), (40, 50), (64, 46), (86, 54), (102, 44), (-2, 72), (24, 70), (40, 78), (60, 70), (84, 76), (104, 70)]
    places = [(40 + 1.1 * a, 84 + 1.1 * b) for a, b in places]
    f.dots(places, "fluid", 5)
    f.dots([places[7]], "point", 5)
    f.line([places[7], (places[7][0] + 18, places[7][1] + 7)], "red", True)
    f.circle(places[7][0], places[7][1], 40, "dash")
    f.text(100, 30, "towards fewer neighbours,", "middle")
    f.text(100, 48, "by `coefficient`", "middle")
    f.text(104, 200, "not at the surface: where ∇·r is", "middle", "s")
    f.text(100, 216, "below `fsthreshold`", "middle", "s")
    f.rect(220, 66, 400, 130, "water")
    f.line([(220, 66), (620, 66)], "surface")
    f.rect(220, 196, 400, 9, "wall")
    f.rect(250, 90, 120, 80, "zone")
    f.circle(250, 170, 4, "point")
    f.text(256, 186, "`posref`")
    f.measure(250, 82, 370, 82)
    f.text(310, 78, "`size x`", "middle")
    f.measure(378, 90, 378, 170)
    f.text(384, 134, "`size z`")
    turn, ox, oz = math.radians(35), 480, 180
    a, b = (90 * math.cos(turn), -90 * math.sin(turn)), (-55 * math.sin(turn), -55 * math.cos(turn))
    f.polygon([(ox, oz), (ox + a[0], oz + a[1]), (ox + a[0] + b[0], oz + a[1] + b[1]), (ox + b[0], oz + b[1])], "zone")
    f.line([(ox, oz), (ox + a[0], oz + a[1])], "violet", True)
    f.line([(ox, oz), (ox + b[0], oz + b[1])], "violet", True)
    f.circle(ox, oz, 4, "point")
    f.text(ox + 54, oz - 16, "`vecx`")
    f.text(ox - 20, oz - 16, "`vecz`", "end")
    f.text(ox + 10, oz + 8, "`posref`")
    f.text(420, 30, "`shiftingzone`: a box along the axes,", "middle")
    f.text(420, 48, "or along `vecx`, `vecy`, `vecz`, turned by `rotateaxis`", "middle")
    return f


def domain():
    f = Figure("The simulation domain: by default the extent of the particles, and how it is widened", 640, 246)
    f.rect(150, 40, 330, 160, "zone")
    f.rect(170, 100, 140, 80, "water")
    f.rect(160, 180, 290, 10, "wall")
    f.rect(160, 100, 10, 80, "wall")
    f.rect(450, 100, 10, 90, "wall")
    f.rect(160, 100, 300, 90, "dash")
    f.dots([(330, 78), (352, 70), (338, 60)], "fluid", 4)
    f.dots([(388, 24)], "point", 4)
    f.line([(360, 48), (384, 27)], "red", True)
    f.text(396, 28, "leaves the domain: it is excluded", style="s")
    f.measure(140, 100, 140, 190)
    f.text(134, 150, "extent", "end", "s")
    f.measure(290, 41, 290, 99)
    f.text(284, 74, "50% of it", "end", "s")
    f.circle(150, 200, 4, "point")
    f.circle(480, 40, 4, "point")
    f.text(146, 222, "`posmin`", "middle")
    f.text(488, 46, "`posmax`")
    f.text(488, 72, 'z="default + 50%":', style="s")
    f.text(488, 88, "of the extent in z", style="s")
    f.text(488, 124, 'x="default + 0.2": m', style="s")
    f.text(488, 160, '"default": the extent', style="s")
    f.text(488, 176, "of particles (dashed)", style="s")
    return f


def periodic_sides():
    f = Figure("Periodic sides: what leaves on one side comes in on the other, with a step if there is one", 640, 262)
    for left, rise, title in ((30, 0, '`XPeriodicIncZ`="0"'), (350, 24, "`XPeriodicIncZ` above 0")):
        width, cell, upper = 170, 17, 110 - rise / 2
        side = left + 40
        places = [(side + cell * (i + 0.5), upper + cell * (j + 0.5) + rise * (i + 0.5) / 10) for i in range(10) for j in range(4)]
        images = [(x - width, y - rise) for x, y in places if x > side + width - 2.2 * cell]
        images += [(x + width, y + rise) for x, y in places if x < side + 2.2 * cell]
        f.text(side + width / 2, 26, title, "middle")
        f.rect(side, 50, width, 156, "zone")
        f.line([(side - 40, upper + 70 - rise * 40 / width), (side + width + 40, upper + 70 + rise * (1 + 40 / width))], "bold")
        f.dots(places, "fluid", 4.5)
        for x, y in images:
            f.circle(x, y, 4.5, "empty")
        x, y = side + width + 4, upper + rise * 1.05
        f.curve(lambda t, a=x, b=y, r=rise: (a - (width - 6) * t, b - r * t - 38 * math.sin(math.pi * t)), 0.02, 0.97, "red", 24, True)
        if rise:
            f.line([(side, upper + 70), (side + width + 16, upper + 70)], "dash")
            f.measure(side + width + 10, upper + 70, side + width + 10, upper + 70 + rise)
            f.text(side + width + 18, upper + 86, "step", style="s")
    f.text(320, 230, "Hollow: images of the particles near the other side; they take part like particles.", "middle", "s")
    f.text(320, 248, "`XPeriodicIncY`, `YPeriodicIncX` … likewise; `XYPeriodic`, `XZPeriodic`, `YZPeriodic`: two axes.", "middle", "s")
    return f


FIGURES = {"relaxation-zone": relaxation_zone, "damping-zones": damping_zones, "open-boundary": open_boundary, "shifting-zones": shifting_zones,
           "domain": domain, "periodic-sides": periodic_sides}
