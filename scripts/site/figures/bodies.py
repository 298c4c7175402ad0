# SPDX-License-Identifier: Apache-2.0
"""Figures of bodies: floating ones, joints, mooring lines, flexible structures."""
import math

from svg import Figure, grid


def floating_body():
    f = Figure("A floating body: its mass, its centre, the directions in which it is free, and what acts on it", 640, 262)
    f.polygon([(20, 206), (20, 130), (380, 130), (380, 206)], "water")
    f.line([(20, 130), (380, 130)], "surface")
    f.rect(20, 206, 360, 9, "wall")
    f.rect(130, 80, 130, 90, "body")
    f.circle(195, 125, 4.5, "point")
    f.text(188, 121, "`center`", "end")
    f.measure(112, 80, 112, 170)
    f.text(106, 112, "height", "end", "s")
    f.measure(272, 131, 272, 170)
    f.text(278, 156, "draught", style="s")
    f.line([(195, 125), (195, 190)], "violet", True)
    f.text(201, 194, "`linearvelini`", style="s")
    f.arc(195, 125, 30, 60, -40, "brown", True)
    f.text(232, 120, "+", style="b")
    f.text(140, 70, "`rotationDOF y`=1: turns", style="s")
    f.text(140, 54, "`translationDOF x`=0: held", style="s")
    f.axes(40, 56, length=26)
    f.text(30, 76, "y: away from you", style="s")
    f.text(400, 40, "Mass: one of")
    f.text(412, 60, "`massbody`")
    f.text(510, 60, "kg", style="s")
    f.text(412, 78, "`masspart`")
    f.text(510, 78, "kg a particle", style="s")
    f.text(412, 96, "`rhopbody`")
    f.text(510, 96, "kg/m³", style="s")
    f.text(412, 114, "`relativeweight`")
    f.text(540, 114, "over `rhop0`", style="s")
    f.text(400, 144, "draught = `relativeweight` · height,", style="s")
    f.text(400, 160, "for an upright box", style="s")
    f.text(400, 188, "`linearforce`, `angularforce`:")
    f.text(412, 206, "added to what the water does", style="s")
    f.text(320, 238, "Velocities, moments and turns of bodies are right-handed: a positive one about y turns z to x.", "middle", "s")
    return f


def joints():
    f = Figure("The joints of special/chrono", 640, 400)
    cells = [(20 + 208 * (i % 3), 30 + 190 * (i // 3)) for i in range(6)]
    # hinge
    x, y = cells[0]
    f.text(x, y, "`link_hinge`")
    f.rect(x + 10, y + 108, 150, 10, "wall")
    f.polygon([(x + 78, y + 104), (x + 90, y + 104), (x + 128, y + 34), (x + 116, y + 28)], "body")
    f.arc(x + 84, y + 104, 72, 84, 64, "brown", True)
    f.circle(x + 84, y + 104, 5, "point")
    f.text(x + 78, y + 100, "`rotpoint`", "end")
    f.text(x + 10, y + 138, "turns about `rotvector` alone", style="s")
    f.text(x + 10, y + 154, "`stiffness` `damping` `friction`", style="s")
    # spheric
    x, y = cells[1]
    f.text(x, y, "`link_spheric`")
    f.polygon([(x + 10, y + 100), (x + 76, y + 64), (x + 82, y + 76), (x + 16, y + 112)], "body")
    f.polygon([(x + 84, y + 64), (x + 150, y + 88), (x + 146, y + 101), (x + 80, y + 76)], "body")
    f.circle(x + 81, y + 70, 7, "ghost")
    f.circle(x + 81, y + 70, 3, "point")
    f.text(x + 81, y + 54, "`rotpoint`", "middle")
    f.text(x + 10, y + 138, "keeps a point in common", style="s")
    f.text(x + 10, y + 154, "and turns about all axes", style="s")
    # pointline
    x, y = cells[2]
    f.text(x, y, "`link_pointline`")
    f.line([(x + 90, y + 16), (x + 90, y + 120)], "dash")
    f.rect(x + 60, y + 50, 60, 40, "body")
    f.line([(x + 90, y + 70), (x + 90, y + 28)], "violet", True)
    f.circle(x + 90, y + 70, 4.5, "point")
    f.text(x + 97, y + 40, "`slidingvector`")
    f.text(x + 55, y + 76, "`rotpoint`", "end")
    f.text(x - 8, y + 138, "`rotvector`: turns about it", style="s")
    f.text(x - 8, y + 154, "alone; `rotvector2`: not at all", style="s")
    # spring
    x, y = cells[3]
    f.text(x, y, "`link_linearspring`")
    f.rect(x + 10, y + 40, 14, 64, "wall")
    f.rect(x + 124, y + 52, 44, 40, "body")
    f.spring(x + 24, y + 72, x + 124, y + 72)
    f.circle(x + 24, y + 72, 4.5, "point")
    f.circle(x + 124, y + 72, 4.5, "point")
    f.text(x + 30, y + 56, "`point_fb1`")
    f.text(x + 120, y + 104, "`point_fb2`", "end")
    f.text(x + 4, y + 134, "k (length − `rest_length`)", style="s")
    f.text(x + 4, y + 150, "+ c d(length)/dt", style="s")
    f.text(x + 4, y + 166, "k `stiffness`, c `damping`", style="s")
    # coulomb
    x, y = cells[4]
    f.text(x, y, "`link_coulombdamping`")
    f.rect(x + 6, y + 54, 40, 36, "body")
    f.rect(x + 136, y + 54, 40, 36, "body")
    f.line([(x + 46, y + 72), (x + 84, y + 72)], "bold")
    f.line([(x + 84, y + 62), (x + 84, y + 82)], "bold")
    f.line([(x + 108, y + 60), (x + 76, y + 60), (x + 76, y + 84), (x + 108, y + 84)], "line")
    f.line([(x + 108, y + 72), (x + 136, y + 72)], "bold")
    f.line([(x + 108, y + 60), (x + 108, y + 84)], "line")
    f.circle(x + 46, y + 72, 4.5, "point")
    f.circle(x + 136, y + 72, 4.5, "point")
    f.text(x + 4, y + 134, "a force `damping` (N) against", style="s")
    f.text(x + 4, y + 150, "changes of the distance; it", style="s")
    f.text(x + 4, y + 166, "holds what is weaker", style="s")
    # pulley
    x, y = cells[5]
    f.text(x, y, "`link_pulley`")
    f.circle(x + 56, y + 76, 40, "body")
    f.circle(x + 150, y + 76, 16, "body")
    f.line([(x + 62, y + 36), (x + 153, y + 60)], "line")
    f.line([(x + 62, y + 116), (x + 153, y + 92)], "line")
    f.line([(x + 56, y + 76), (x + 56, y + 37)], "red", True)
    f.text(x + 60, y + 62, "`radius`")
    f.line([(x + 150, y + 76), (x + 150, y + 61)], "red", True)
    f.text(x + 132, y + 50, "`radius2`")
    f.circle(x + 56, y + 76, 4, "point")
    f.circle(x + 150, y + 76, 4, "point")
    f.text(x + 4, y + 150, "`radius` ω1 = `radius2` ω2", style="s")
    f.text(x + 4, y + 166, "about `rotvector`", style="s")
    return f


def mooring_lines():
    f = Figure("Mooring lines: ends, nodes and the depth of the water", 640, 280)
    f.polygon([(20, 236), (20, 80), (620, 80), (620, 236)], "water")
    f.line([(20, 80), (620, 80)], "surface")
    f.rect(20, 236, 600, 9, "wall")
    f.rect(220, 58, 110, 48, "body")

    def line(x1, y1, x2, y2, sag, nodes):
        places = [(x1 + (x2 - x1) * t, y1 + (y2 - y1) * t + sag * 4 * t * (1 - t)) for t in (i / nodes for i in range(nodes + 1))]
        places = [(x, min(y, 234)) for x, y in places]
        f.line(places, "brown")
        f.dots(places[1:-1], "moving", 3)

    line(228, 106, 60, 234, 40, 11)
    line(322, 106, 440, 150, 22, 7)
    line(440, 150, 400, 234, 0, 5)
    line(440, 150, 575, 234, 26, 8)
    for place in ((228, 106), (322, 106)):
        f.circle(*place, 4.5, "point")
    f.text(275, 46, "`vesselconnection bodyref`", "middle")
    for place in ((60, 234), (400, 234), (575, 234)):
        f.circle(*place, 4.5, "point")
    f.text(60, 262, "`fixconnection`", "middle")
    f.circle(440, 150, 7, "ghost")
    f.text(452, 148, "`connect`: a free node")
    f.text(452, 164, "with mass `M`, volume `V`", style="s")
    f.text(96, 158, "`length`, `segments`", "middle")
    f.text(150, 262, "the lower part may lie on the bottom", style="s")
    f.measure(600, 81, 600, 235)
    f.text(594, 120, "`waterDepth`", "end")
    f.text(612, 72, "z = `freesurface`", "end")
    f.text(275, 88, "`floating`", "middle")
    return f


def flexible_structure():
    f = Figure("A flexible plate: its particles, its clamp, and how its thickness counts", 640, 250)
    step, left, bottom = 13, 150, 196
    f.rect(left - 6 * step, bottom - 6.5, 25 * step, 4 * step, "face")
    f.dots(grid(left - 5 * step, bottom, 24, 4, step), "bound", 4.2)
    f.dots(grid(left, bottom - 11 * step, 4, 11, step), "moving", 4.2)
    f.measure(left, bottom - 11 * step - 14, left + 3 * step, bottom - 11 * step - 14)
    f.text(left + 1.5 * step, bottom - 11 * step - 22, "thickness", "middle", "s")
    f.circle(left + 3 * step, bottom - step, 2.6 * step, "red")
    f.line([(left + 3 * step, bottom - step), (left + 5.5 * step, bottom - step)], "red", True)
    f.text(left + 5.7 * step, bottom - step + 3, "2h", style="s")
    f.text(left - 12, bottom - 7 * step, "`mkbound`", "end")
    f.text(left - 12, bottom - 7 * step + 16, "elastic", "end", "s")
    f.text(left - 12, bottom - 12, "`mkclamp`", "end")
    bend = left + 158
    f.curve(lambda t: (bend + 40 * t * t, bottom - 7 - 10.5 * step * t), 0, 1, "bold")
    f.curve(lambda t: (bend + 3 * step + 40 * t * t, bottom - 7 - 10.5 * step * t + 9 * t * t), 0, 1, "bold")
    f.line([(bend + 40, bottom - 7 - 10.5 * step), (bend + 40 + 3 * step, bottom + 2 - 10.5 * step)], "bold")
    for i in range(5):
        f.line([(bend - 46, bottom - 26 - 22 * i), (bend - 8 + 1.8 * i * i, bottom - 26 - 22 * i)], "surface", True)
    f.text(bend - 26, bottom - 138, "the water pushes", "middle", "s")
    f.text(400, 60, "`density`, `youngmod`, `poissratio`")
    f.text(400, 78, "`constitmodel`, `hgfactor`, `damping`")
    f.text(400, 108, "Outer particles lie on the surfaces:", style="s")
    f.text(400, 124, "draw three layers across at least.", style="s")
    f.text(400, 150, "Held by all wall particles nearer", style="s")
    f.text(400, 166, "than 2h at time 0, and moved", style="s")
    f.text(400, 182, "with them.", style="s")
    return f


FIGURES = {"floating-body": floating_body, "joints": joints, "mooring-lines": mooring_lines, "flexible-structure": flexible_structure}
