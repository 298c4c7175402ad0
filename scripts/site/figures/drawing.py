# SPDX-License-Identifier: Apache-2.0
"""Figures of the lattice and of drawing."""
from svg import Figure, grid
import lattices


def _panel(f, name, x, y, step, title="", mark=()):
    """Particles of a case of lattices.json; x, y is where the node (0, 0) lies."""
    particles = lattices.stored()[name]
    f.dots([(x + i * step, y - k * step) for _, i, k in particles if _ >= 10], "bound", 3.6)
    f.dots([(x + i * step, y - k * step) for _, i, k in particles if _ < 10], "fluid", 3.6)
    for i, k in mark:
        f.circle(x + i * step, y - k * step, 6.5, "red")
    if title:
        f.text(x + 4 * step, y - 7 * step - 16, title, "middle")


def lattice():
    f = Figure("The lattice of a case, which planes a definition box holds, and where a corner goes", 640, 268)
    x, y, step = 70, 205, 28
    f.rect(x, y - 5.6 * step, 6.6 * step, 5.6 * step, "zone")
    f.dots(grid(x, y - 5 * step, 7, 6, step), "empty", 4)
    f.dots(grid(x, y - 4 * step, 6, 5, step), "bound", 4)
    f.measure(x + 2 * step, y + 20, x + 3 * step, y + 20)
    f.text(x + 2.5 * step, y + 38, "`dp`", "middle")
    f.circle(x, y, 6.5, "red")
    f.text(x - 6, y + 26, "`pointmin`", "middle")
    f.circle(x + 6.6 * step, y - 5.6 * step, 3.5, "point")
    f.text(x + 6.6 * step, y - 5.6 * step - 9, "`pointmax`", "middle")
    right = x + 6.6 * step + 34
    f.text(right, 62, "Nodes stand at r + i `dp` with r = `pointref`,")
    f.text(right, 80, "left out: `pointmin`. The box holds whole cells:")
    f.text(right, 98, "filled nodes are drawn on, hollow ones are not.")
    f.dots(grid(right + 10, 158, 6, 2, step), "empty", 4)
    f.circle(right + 10 + 1.57 * step, 169, 4, "point")
    f.line([(right + 10 + 1.57 * step, 169), (right + 10 + 2 * step - 4, 161)], "red", True)
    f.dots([(right + 10 + 2 * step, 158)], "bound", 4)
    f.text(right + 180, 156, "Corners, centres and ends", style="s")
    f.text(right + 180, 172, "go to their nearest nodes,", style="s")
    f.text(right + 180, 188, "and shapes are drawn", style="s")
    f.text(right + 180, 204, "between those.", style="s")
    return f


def draw_modes():
    f = Figure("A box and a ball in each draw mode, cut in the middle", 640, 310)
    for column, mode in enumerate(("full", "solid", "face", "wire")):
        x = 100 + 134 * column
        f.text(x + 64, 30, f"`{mode}`", "middle")
        _panel(f, f"box-{mode}", x, 156, 16)
        _panel(f, f"sphere-{mode}", x, 280, 16)
    f.text(14, 96, "`drawbox`")
    f.text(14, 220, "`drawsphere`")
    f.text(320, 298, "`setdrawmode mode`, in the plane y through the centre. Wires of a ball are those of its box.", "middle", "s")
    return f


def layers():
    f = Figure("Layers of a box whose left, right and bottom faces are drawn", 640, 216)
    for column, (name, vdp, note) in enumerate((("0", "0", "on the faces"), ("out", "0,1,2", "and two outside"), ("in", "0,-1", "and one inside"))):
        x = 14 + 208 * column
        f.rect(x + 4 * 13, 170 - 8 * 13, 8 * 13, 4 * 13, "dash")
        _panel(f, f"layers-{name}", x, 170, 13)
        f.text(x + 8 * 13, 26, f'`vdp`="{vdp}"', "middle")
        f.text(x + 8 * 13, 44, note, "middle", "s")
    f.text(320, 202, '`drawbox` with `boxfill` left | right | bottom and `layers`; dashed: the box as written', "middle", "s")
    return f


def fills():
    f = Figure("What fills reach: a tank with a wall in it, and the seed of the fill", 640, 262)
    for column, (name, title, limit, note) in enumerate((
            ("fillbox", "`fillbox` up to z = 6 dp", 6, "over the wall, below the limit"),
            ("fillbox-low", "`fillbox` up to z = 4 dp", 4, "the wall holds it back"),
            ("fillpoint", "`fillpoint`", 0, "no lid: it runs out (a warning)"))):
        x = 14 + 208 * column
        if limit:
            f.rect(x, 205 - limit * 12, 16 * 12, limit * 12, "zone")
        _panel(f, name, x, 205, 12, mark=[(5, 3)])
        f.text(x + 96, 34, title, "middle")
        f.text(x + 96, 52, note, "middle", "s")
    f.text(320, 236, "Red: the place `x`, `z` from which a fill spreads, over nodes of the kinds of `modefill` (here `void`).", "middle", "s")
    f.text(320, 252, "It stays strictly between the limits of its box (violet).", "middle", "s")
    return f


def off_the_lattice():
    f = Figure("A slanted line on the lattice and off it", 640, 190)
    for column, (name, title) in enumerate((("line-on", "on the nodes"), ("line-off", '`setfrdrawmode auto`="true"'))):
        x = 30 + 310 * column
        f.dots(grid(x, 170 - 7 * 18, 16, 8, 18), "empty", 2.5)
        f.line([(x + 1.3 * 18, 170 - 1.6 * 18), (x + 13.8 * 18, 170 - 7 * 18)], "red")
        _panel(f, name, x, 170, 18)
        f.text(x + 135, 26, title, "middle")
    return f


FIGURES = {"lattice": lattice, "draw-modes": draw_modes, "layers": layers, "fills": fills, "off-the-lattice": off_the_lattice}
