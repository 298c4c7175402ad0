# SPDX-License-Identifier: Apache-2.0
"""The drawing commands as pictures: what the points of each are, in their order."""
import math

from svg import Figure

CELL, HIGH = 158, 142


def _place(x, y, z):
    """From space (x right, y into the page, z up) to the page, within a cell."""
    return 24 + 78 * x + 34 * y, 100 - 66 * z - 21 * y


def _numbers(f, ox, oy, places, shifts=None):
    for i, place in enumerate(places):
        px, py = _place(*place)
        dx, dy = (shifts or {}).get(i, (-4, -7))
        f.circle(ox + px, oy + py, 3, "point")
        f.text(ox + px + dx, oy + py + dy, str(i + 1), "middle", "s")


def _face(f, ox, oy, places, style="face"):
    f.polygon([(ox + px, oy + py) for px, py in (_place(*p) for p in places)], style)


def _edge(f, ox, oy, places, style="line", arrow=False):
    f.line([(ox + px, oy + py) for px, py in (_place(*p) for p in places)], style, arrow)


def _drawline(f, x, y):
    points = [(0.1, 0, 0.1), (1.2, 0.4, 0.9)]
    _edge(f, x, y, points, "bold")
    _numbers(f, x, y, points)


def _drawlines(f, x, y):
    points = [(0, 0, 0), (0.9, 0, 0), (1.1, 0.8, 0), (1.1, 0.8, 0.7)]
    _edge(f, x, y, points, "bold")
    _numbers(f, x, y, points, {1: (8, 12), 2: (10, 4)})


def _drawquadri(f, x, y):
    points = [(0, 0, 0.2), (1, 0, 0.2), (1.1, 1, 0.2), (0.1, 1, 0.6)]
    _face(f, x, y, points)
    _numbers(f, x, y, points, {1: (8, 12)})


def _drawtrianglesstrip(f, x, y):
    points = [(0, 0.8, 0.1), (0.1, 0, 0.1), (0.6, 0.8, 0.1), (0.7, 0, 0.1), (1.2, 0.8, 0.1), (1.3, 0, 0.1)]
    for i in range(4):
        _face(f, x, y, points[i:i + 3], "side" if i % 2 else "face")
    _numbers(f, x, y, points, {1: (-4, 14), 3: (0, 14), 5: (0, 14)})


def _drawtrianglesfan(f, x, y):
    points = [(0, 0, 0.1), (1.2, 0, 0.1), (1.25, 0.7, 0.1), (0.7, 1, 0.1), (0, 1, 0.1)]
    for i in range(3):
        _face(f, x, y, [points[0], *points[i + 1:i + 3]], "side" if i % 2 else "face")
    _numbers(f, x, y, points, {0: (-4, 14), 1: (0, 14), 2: (10, 2)})


def _cube(f, x, y, a, b):
    (x0, y0, z0), (x1, y1, z1) = a, b
    _face(f, x, y, [(x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)], "face")
    _face(f, x, y, [(x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)], "side")
    _face(f, x, y, [(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)], "face")


def _drawbox(f, x, y):
    _cube(f, x, y, (0.1, 0, 0), (1.1, 0.9, 0.8))
    for place in ((0.1, 0, 0), (1.1, 0.9, 0.8)):
        px, py = _place(*place)
        f.circle(x + px, y + py, 3, "point")
    px, py = _place(0.1, 0, 0)
    f.text(x + px - 6, y + py + 16, "`point`")
    px, py = _place(1.1, 0.9, 0.8)
    f.text(x + px + 8, y + py - 7, "`endpoint`", "end")


def _drawsphere(f, x, y):
    px, py = _place(0.6, 0.5, 0.4)
    f.circle(x + px, y + py, 38, "face")
    f.ellipse(x + px, y + py, 38, 11, "dash")
    f.line([(x + px, y + py), (x + px + 27, y + py - 27)], "red", True)
    f.circle(x + px, y + py, 3, "point")
    f.text(x + px + 34, y + py - 32, "`radius`")


def _drawcylinder(f, x, y):
    cx, top, bottom = x + 74, y + 38, y + 104
    f.polygon([(cx - 34, top), (cx - 34, bottom), *[(cx - 34 * math.cos(t * math.pi / 12), bottom + 10 * math.sin(t * math.pi / 12)) for t in range(13)],
               (cx + 34, top)], "side")
    f.ellipse(cx, top, 34, 10, "face")
    f.line([(cx, top), (cx, bottom)], "dash")
    f.line([(cx, top), (cx + 33, top)], "red", True)
    f.circle(cx, top, 3, "point")
    f.circle(cx, bottom, 3, "point")
    f.text(cx - 8, bottom + 4, "1", "end", "s")
    f.text(cx - 8, top + 4, "2", "end", "s")
    f.text(cx + 8, top - 14, "`radius`")


def _drawellipsoid(f, x, y):
    cx, cy = x + 79, y + 74
    f.ellipse(cx, cy, 58, 36, "face")
    focus = math.sqrt(58 ** 2 - 36 ** 2)
    px, py = cx + 58 * math.cos(0.9), cy - 36 * math.sin(0.9)
    f.line([(cx - focus, cy), (px, py), (cx + focus, cy)], "red")
    f.circle(cx - focus, cy, 3, "point")
    f.circle(cx + focus, cy, 3, "point")
    f.text(cx - focus, cy + 16, "1", "middle", "s")
    f.text(cx + focus - 4, cy + 16, "2", "middle", "s")
    f.text(cx + 2, cy + 54, "way 1–surface–2 = `radius`", "middle", "s")


def _drawprism(f, x, y):
    base = [(0, 0, 0), (1, 0, 0), (0.2, 0.9, 0)]
    top = [(px, py, 0.75) for px, py, _ in base]
    _face(f, x, y, [base[0], base[1], top[1], top[0]])
    _face(f, x, y, top, "side")
    _edge(f, x, y, [base[0], base[2], base[1]], "dash")
    _edge(f, x, y, [base[2], top[2]], "dash")
    _numbers(f, x, y, base + top, {0: (-4, 14), 1: (8, 12), 2: (10, 10), 3: (-9, -2), 4: (10, 2)})


def _drawpyramid(f, x, y):
    base = [(0, 0, 0), (1, 0, 0), (1, 0.9, 0), (0, 0.9, 0)]
    peak = (0.5, 0.45, 1)
    _face(f, x, y, [base[1], base[2], peak], "side")
    _face(f, x, y, [base[0], base[1], peak])
    _edge(f, x, y, [base[0], base[3], base[2]], "dash")
    _edge(f, x, y, [base[3], peak], "dash")
    _numbers(f, x, y, [peak, *base], {1: (-4, 14), 2: (8, 12), 3: (10, 4), 4: (-8, -2)})


def _drawbeach(f, x, y):
    line = [(0, 0.9, 0), (0.45, 0.9, 0), (1.15, 0.9, 0.2)]
    front = [(px, 0, pz) for px, _, pz in line]
    _face(f, x, y, [line[0], line[1], front[1], front[0]])
    _face(f, x, y, [line[1], line[2], front[2], front[1]], "side")
    _numbers(f, x, y, line, {2: (6, -7)})
    px, py = _place(*front[1])
    f.text(x + px - 4, y + py + 16, "y = 0", "middle", "s")


def _drawextrude(f, x, y):
    line = [(0, 0, 0.6), (0, 0, 0), (0.8, 0, 0)]
    for a, b in ((0, 1), (1, 2)):
        _face(f, x, y, [line[a], line[b], (line[b][0], 1, line[b][2]), (line[a][0], 1, line[a][2])], "face" if a else "side")
    _numbers(f, x, y, line, {0: (-8, 0), 1: (-4, 14), 2: (6, 14)})
    a, b = _place(0.9, 0, 0), _place(0.9, 1, 0)
    f.line([(x + a[0] + 6, y + a[1]), (x + b[0] + 6, y + b[1])], "red", True)
    f.text(x + b[0] + 12, y + b[1] - 8, "`extrude`", "end")


def _drawwave(f, x, y):
    f.polygon([(x + 16, y + 104), *[(x + 16 + i * 2.6, y + 68 - 28 / math.cosh((i - 24) / 6) ** 2) for i in range(49)], (x + 141, y + 104)], "water")
    f.curve(lambda t: (x + 16 + t * 2.6, y + 68 - 28 / math.cosh((t - 24) / 6) ** 2), 0, 48, "surface")
    f.measure(x + 108, y + 104, x + 108, y + 70)
    f.text(x + 113, y + 91, "`depth`")
    f.line([(x + 84, y + 40), (x + 118, y + 40)], "dash")
    f.measure(x + 112, y + 41, x + 112, y + 67)
    f.text(x + 112, y + 34, "`hmaxwave`", "middle")
    f.line([(x + 78, y + 104), (x + 78, y + 42)], "dash")
    f.text(x + 74, y + 90, "`x0`", "end")


PARTS = (("drawline", _drawline), ("drawlines", _drawlines), ("drawquadri", _drawquadri), ("drawtrianglesstrip", _drawtrianglesstrip),
         ("drawtrianglesfan", _drawtrianglesfan), ("drawbox", _drawbox), ("drawsphere", _drawsphere), ("drawcylinder", _drawcylinder),
         ("drawellipsoid", _drawellipsoid), ("drawprism", _drawprism), ("drawpyramid", _drawpyramid), ("drawbeach", _drawbeach),
         ("drawextrude", _drawextrude), ("drawwave", _drawwave))


def drawing_commands():
    f = Figure("Drawing commands and the order of their points", 8 + 4 * CELL, 4 * HIGH + 24)
    for i, (name, draw) in enumerate(PARTS):
        x, y = 4 + CELL * (i % 4), 8 + HIGH * (i // 4)
        f.text(x + 10, y + 18, f"`{name}`")
        draw(f, x, y + 10)
    x, y = 4 + 2 * CELL, 8 + HIGH * 3
    f.axes(x + 40, y + 100)
    f.line([(x + 40, y + 100), (x + 62, y + 86)], "line", True)
    f.text(x + 66, y + 84, "y", style="s")
    f.text(x + 110, y + 66, "Numbers: the order of `point`s.", style="s")
    f.text(x + 110, y + 84, "A `size` may stand in the place", style="s")
    f.text(x + 110, y + 102, "of `endpoint`.", style="s")
    return f


FIGURES = {"drawing-commands": drawing_commands}
