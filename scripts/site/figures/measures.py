# SPDX-License-Identifier: Apache-2.0
"""Figures of constants, normals and gauges."""
import math

from svg import Figure, grid


def lengths():
    f = Figure("The lengths of a case: spacing, smoothing length, support, depth of still water", 640, 232)
    step = 24
    f.dots(grid(40, 40, 8, 7, step), "fluid", 4)
    x, y = 40 + 3 * step, 40 + 3 * step
    f.circle(x, y, 1.3 * math.sqrt(2) * step, "dash")
    f.circle(x, y, 2 * 1.3 * math.sqrt(2) * step, "violet")
    f.circle(x, y, 5, "point")
    reach = 1.3 * math.sqrt(2) * step
    f.line([(x, y), (x + reach * 0.707, y - reach * 0.707)], "red", True)
    f.text(x + 16, y - 28, "h")
    f.line([(x, y), (x + 2 * reach * math.cos(0.35), y + 2 * reach * math.sin(0.35))], "red", True)
    f.text(x + 58, y + 14, "2h")
    f.measure(40 + 5 * step, 206, 40 + 6 * step, 206)
    f.text(40 + 5.5 * step, 224, "`dp`", "middle")
    f.text(262, 40, "2-D: h = `coefh` √2 `dp`")
    f.text(262, 58, "3-D: h = `coefh` √3 `dp`")
    f.text(262, 76, "or h = `hdp` · `dp`")
    f.text(262, 100, "neighbours: nearer than 2h", style="s")
    f.polygon([(430, 190), (430, 80), (520, 80), (520, 130), (610, 130), (610, 190)], "water")
    f.line([(430, 80), (520, 80), (520, 130), (610, 130)], "surface")
    f.rect(422, 190, 196, 9, "wall")
    f.measure(446, 81, 446, 189)
    f.text(452, 140, "`hswl`")
    f.text(262, 150, "`hswl`: depth of the", style="s")
    f.text(262, 166, "still water; it gives", style="s")
    f.text(262, 182, "the speed of sound,", style="s")
    f.text(262, 198, "`coefsound` √(g `hswl`)", style="s")
    return f


def ghost_nodes():
    f = Figure("Normals of walls: from each wall particle to the surface, and as far again to its ghost node", 640, 300)
    step, x, y = 26, 60, 196
    f.rect(x + 2.5 * step, 50, 8.2 * step, y - 0.5 * step - 50, "water")
    f.dots([(x + (3 + i) * step, y - (1 + j) * step) for i in range(8) for j in range(5)], "fluid", 4)
    walls = [(i, j) for i in range(11) for j in range(-2, 6) if i < 3 or j < 1]
    f.dots([(x + i * step, y - j * step) for i, j in walls], "bound", 4)
    f.line([(x + 2.5 * step, 50), (x + 2.5 * step, y - 0.5 * step), (x + 10.7 * step, y - 0.5 * step)], "red")
    examples = (((6, 0), (6, 0.5)), ((8, -1), (8, 0.5)), ((2, 3), (2.5, 3)), ((1, -1), (2.5, 0.5)))
    for (i, j), (a, b) in examples:
        gx, gy = 2 * a - i, 2 * b - j
        f.line([(x + i * step, y - j * step), (x + a * step, y - b * step)], "brown", True)
        f.line([(x + a * step, y - b * step), (x + gx * step, y - gy * step)], "dash")
        f.circle(x + gx * step, y - gy * step, 5, "ghost")
    right = 372
    f.line([(right, 62), (right + 30, 62)], "red")
    f.text(right + 38, 66, "the surface: half a `dp` before", style="s")
    f.text(right + 38, 82, "the outermost wall particles,", style="s")
    f.text(right + 38, 98, "of `geometryfile` or a rule", style="s")
    f.line([(right, 122), (right + 30, 122)], "brown", True)
    f.text(right + 38, 126, "normal: to its nearest point", style="s")
    f.circle(right + 15, 150, 5, "ghost")
    f.text(right + 38, 154, "ghost node: as far again. The", style="s")
    f.text(right + 38, 170, "fluid around it gives the", style="s")
    f.text(right + 38, 186, "particle its density.", style="s")
    f.text(right + 38, 212, "In a concave corner the nearest", style="s")
    f.text(right + 38, 228, "point is the corner.", style="s")
    f.text(320, 286, "Beyond `distanceh` h there is no normal. A particle without one stays a dynamic boundary particle.", "middle", "s")
    return f


def normal_rules():
    f = Figure("Rules for normals: a plane, a sphere, a cylinder, a vector", 640, 220)
    # plane
    f.text(20, 26, "`norplane`")
    f.dots(grid(30, 130, 6, 3, 18), "bound", 3.6)
    f.line([(20, 121), (134, 121)], "red")
    f.line([(76, 121), (76, 82)], "violet", True)
    f.text(82, 90, "`normal`")
    f.text(20, 66, "fluid", style="s")
    f.text(20, 192, "`point`, or `auto`:", style="s")
    f.text(20, 208, "`limitdist` before them", style="s")
    # sphere
    for left, name, inside in ((180, "`norsphere`", True), (340, "`norcylinder`", False)):
        cx, cy, radius = left + 60, 104, 46 if inside else 34
        f.text(left, 26, name)
        if inside:
            places = [(cx + i * 16, cy + j * 16) for i in range(-2, 3) for j in range(-2, 3) if math.hypot(i, j) < 2.5]
        else:
            places = [(cx + i * 16, cy + j * 16) for i in range(-4, 5) for j in range(-4, 5) if 2.6 < math.hypot(i, j) < 4.2]
        f.dots(places, "bound", 3.6)
        f.circle(cx, cy, radius, "red")
        f.circle(cx, cy, 3, "point")
        f.line([(cx, cy), (cx + radius * 0.6, cy + radius * 0.8)], "line", True)
        start = 33 if inside else 62
        f.line([(cx - start * 0.707, cy - start * 0.707), (cx - radius * 0.707, cy - radius * 0.707)], "brown", True)
        f.text(left - 4, 192, "`radius`, `inside` " + ("true:" if inside else "false:"), style="s")
        f.text(left - 4, 208, "a ball in the fluid" if inside else "fluid in a pipe", style="s")
    f.text(510, 26, "`norset`")
    f.dots(grid(520, 130, 5, 2, 20), "bound", 3.6)
    for i in range(5):
        f.line([(520 + 20 * i, 126), (520 + 20 * i, 102)], "brown", True)
    f.text(510, 192, "the vector itself,", style="s")
    f.text(510, 208, "m, to the surface", style="s")
    return f


def gauges():
    f = Figure("Gauges: where each of them measures", 640, 316)
    top = [(30 + i, 130 - 16 * math.sin(i / 40)) for i in range(0, 581, 4)]
    f.polygon([(30, 250), *top, (610, 250)], "water")
    f.line(top, "surface")
    f.rect(20, 250, 600, 9, "wall")
    # velocity and pressure
    f.circle(74, 196, 4.5, "point")
    f.line([(74, 196), (106, 188)], "violet", True)
    f.text(74, 278, "`velocity`", "middle")
    f.text(74, 294, "`pressure`", "middle")
    f.text(74, 218, "`point`", "middle")
    # swl
    f.line([(176, 244), (176, 74)], "line", True)
    for k in range(15):
        f.circle(176, 240 - 11 * k, 2, "empty")
    f.circle(176, 138, 4.5, "point")
    f.text(184, 242, "`point0`")
    f.text(184, 80, "`point2`")
    f.measure(166, 207, 166, 218)
    f.text(160, 216, "`pointdp`", "end")
    f.text(176, 278, "`swl`", "middle")
    f.text(176, 294, "first surface", "middle", "s")
    # maxz
    f.rect(270, 60, 44, 184, "zone")
    f.line([(292, 244), (292, 60)], "line")
    f.circle(292, 128, 4.5, "point")
    f.measure(292, 50, 314, 50)
    f.text(320, 46, "`distlimit`")
    f.measure(258, 60, 258, 244)
    f.text(254, 176, "`height`", "end")
    f.text(292, 278, "`maxz`", "middle")
    f.text(292, 294, "highest fluid", "middle", "s")
    # force
    f.rect(366, 214, 40, 36, "body")
    f.line([(340, 230), (364, 230)], "violet", True)
    f.text(386, 278, "`force`", "middle")
    f.text(386, 294, "on `mkbound`", "middle", "s")
    # flow
    f.polygon([(450, 236), (450, 120), (478, 96), (478, 212)], "zone")
    f.circle(450, 236, 4, "point")
    f.line([(450, 236), (450, 120)], "violet", True)
    f.line([(450, 236), (478, 212)], "violet", True)
    f.line([(452, 176), (504, 176)], "surface", True)
    f.text(476, 278, "`flow`, `flowrate`", "middle")
    f.text(476, 294, "through", "middle", "s")
    # mesh
    for px, py in grid(536, 100, 4, 8, 19):
        f.circle(px, py, 2.5, "empty")
    f.circle(536, 233, 4, "point")
    f.line([(536, 233), (602, 233)], "violet", True)
    f.line([(536, 233), (536, 92)], "violet", True)
    f.text(566, 84, "`vec3`", "middle")
    f.text(590, 226, "`vec1`", "middle")
    f.text(572, 278, "`mesh`", "middle")
    f.text(576, 294, "values", "middle", "s")
    f.text(20, 28, "With `follow` a gauge rides on a wall or body that moves.", style="s")
    return f


FIGURES = {"lengths": lengths, "ghost-nodes": ghost_nodes, "normal-rules": normal_rules, "gauges": gauges}
