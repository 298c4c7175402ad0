# SPDX-License-Identifier: Apache-2.0
"""Figures of prescribed motion and of wave makers."""
import math

from svg import Figure


def steps_of_motion():
    f = Figure("Steps of a motion that follow one another: velocity along x over time", 640, 250)
    x0, base, second, height = 60, 130, 62, 55
    f.line([(x0, 215), (x0, 40)], "line", True)
    f.line([(x0, base), (620, base)], "line", True)
    f.text(x0 - 6, 36, "`vel x`", "middle")
    f.text(612, base + 18, "t", style="s")
    path, t = [(0, 0), (0.5, 0)], 0.5
    for value, length in ((1, 2), (0, 1), (-1, 2), (1, 2), (0, 1)):
        path += [(t, value), (t + length, value)]
        t += length
    f.line([(x0 + t * second, base - v * height) for t, v in path], "brown")
    for t, label in ((0.5, "`start`"), (2.5, ""), (3.5, ""), (5.5, "")):
        f.line([(x0 + t * second, base - 62), (x0 + t * second, base + 62)], "dash")
        if label:
            f.text(x0 + t * second + 2, base + 80, label, "middle")
    for begin, length, text, up in ((0.5, 2, '`mvrect id`="1"', -1), (2.5, 1, "`wait`", -1), (3.5, 2, '`mvrect id`="3"', 1), (5.5, 2, '`mvrect id`="1"', -1)):
        lift = 24 if up > 0 else 14 if length == 2 else -35
        f.text(x0 + (begin + length / 2) * second, base + up * (height + lift), text, "middle", "s")
    f.measure(x0 + 0.5 * second, base + 24, x0 + 2.5 * second, base + 24, "`duration`", dy=16)
    for begin in (1.5, 3.0, 4.5):
        end = begin + 1.5
        f.curve(lambda s, b=begin, e=end: (x0 + (b + (e - b) * s) * second, 40 - 16 * math.sin(math.pi * s)), 0.08, 0.92, "violet", 16, True)
    f.text(x0 + 2.25 * second, 20, "`next`", "middle")
    f.text(x0 + 3.75 * second, 20, "`next`", "middle")
    f.text(x0 + 5.25 * second, 20, '`next`="1": again', "middle")
    f.text(320, 240, "`begin mov`: the step that sets out at `start`. After its `duration` a step ends, and `next` follows.", "middle", "s")
    return f


def kinds_of_motion():
    f = Figure("The kinds of motion: along a line, back and forth, turning, on a circle", 640, 224)
    # along a line
    f.rect(30, 70, 22, 80, "wall")
    f.rect(80, 70, 22, 80, "dash")
    f.line([(56, 110), (118, 110)], "brown", True)
    f.text(112, 100, "`vel`")
    f.text(80, 30, "`mvrect`", "middle")
    f.text(80, 48, "`mvrectace`: `ace`", "middle", "s")
    # sinusoid
    f.curve(lambda t: (180 + 17 * t, 112 - 32 * math.sin(t)), 0, 7.85, "brown")
    f.line([(180, 112), (316, 112)], "faint")
    f.measure(180 + 17 * 7.85, 112, 180 + 17 * 7.85, 80)
    f.text(180 + 17 * 7.85 + 5, 100, "`ampl`")
    f.measure(180 + 17 * 1.57, 70, 180 + 17 * 7.85, 70)
    f.text(260, 64, "1/`freq`", "middle")
    f.text(240, 30, "`mvrectsinu`", "middle")
    f.text(236, 170, "A sin(φ + 2πft) − A sin φ,", "middle", "s")
    f.text(236, 186, "φ: `phase`", "middle", "s")
    # turning
    cx, cy = 384, 120
    f.rect(cx - 4, cy - 6, 66, 12, "wall")
    f.polygon([(cx + 62 * math.cos(0.9) - s * 6 * math.sin(0.9), cy - 62 * math.sin(0.9) - s * 6 * math.cos(0.9)) for s in (1, -1)]
              + [(cx - 4 * math.cos(0.9) - s * 6 * math.sin(0.9), cy + 4 * math.sin(0.9) - s * 6 * math.cos(0.9)) for s in (-1, 1)], "dash")
    f.arc(cx, cy, 52, 8, 44, "brown", True)
    f.circle(cx, cy, 4, "point")
    f.text(cx + 54, cy - 28, "`vel ang`")
    f.text(cx + 24, 154, "`axisp1`, `axisp2`:", "middle", "s")
    f.text(cx + 24, 170, "here along +y, away", "middle", "s")
    f.text(cx + 24, 186, "from you; x to z is +", "middle", "s")
    f.text(cx + 20, 30, "`mvrot`", "middle")
    # circle
    cx, cy = 555, 108
    f.circle(cx, cy, 42, "dash")
    for angle in (0, 60):
        px, py = cx + 42 * math.cos(math.radians(angle)), cy - 42 * math.sin(math.radians(angle))
        f.rect(px - 11, py - 9, 22, 18, "wall" if angle == 0 else "dash")
    f.arc(cx, cy, 42, 14, 46, "brown", True)
    f.circle(cx, cy, 4, "point")
    f.circle(cx + 42, cy, 3.5, "point")
    f.text(cx + 46, cy + 24, "`ref`", "middle")
    f.text(cx - 8, cy + 22, "axis", "middle", "s")
    f.text(cx, 30, "`mvcir`", "middle")
    f.text(cx, 170, "the object itself", "middle", "s")
    f.text(cx, 186, "does not turn", "middle", "s")
    f.axes(24, 206, length=24)
    return f


def _waves(f, x, y, length, height, wave, bottom, phase=0.0, corner=None):
    """Water with waves to the right of x, still level y; its lower left corner, where it is not below x."""
    top = [(x + i, y - height * math.sin(2 * math.pi * (i / wave) + phase)) for i in range(0, length + 1, 4)]
    f.polygon([*(corner or [(x, bottom)]), *top, (x + length, bottom)], "water")
    f.line(top, "surface")
    f.line([(x, y), (x + length, y)], "dash")


def wave_makers():
    f = Figure("Piston and flap with the words of their measures", 640, 252)
    f.text(20, 26, "`piston`", style="b")
    _waves(f, 70, 110, 220, 20, 130, 190)
    f.rect(56, 60, 14, 106, "wall")
    f.rect(30, 168, 40, 22, "wall")
    f.rect(30, 190, 262, 10, "wall")
    f.line([(30, 74), (54, 74)], "brown", both=True)
    f.text(14, 66, "stroke", style="s")
    f.line([(92, 50), (140, 50)], "violet", True)
    f.text(146, 54, "`pistondir`")
    f.measure(250, 110, 250, 189)
    f.text(244, 152, "`depth`", "end")
    f.measure(82, 168, 82, 189)
    f.line([(70, 168), (88, 168)], "dash")
    f.text(90, 182, "`fixeddepth`")
    f.line([(102, 90), (172, 90)], "dash")
    f.measure(70 + 97.5, 90, 70 + 97.5, 130)
    f.text(120, 82, "`waveheight`")
    f.text(20, 222, "`fixeddepth`: a step below the piston.", "start", "s")
    f.text(20, 238, "Stroke: follows from the wave.", "start", "s")
    left = 330
    f.text(left, 26, "`flap`", style="b")
    _waves(f, left + 56, 110, 222, 20, 130, 190, 0.0, [(left + 40, 168), (left + 40, 190)][::-1])
    f.polygon([(left + 30, 168), (left + 40, 168), (left + 76, 60), (left + 66, 60)], "wall")
    f.rect(left + 10, 190, 276, 10, "wall")
    f.circle(left + 35, 168, 4.5, "point")
    f.measure(left + 16, 168, left + 16, 189)
    f.text(left + 12, 222, "`variabledraft`: hinge above the floor.", "start", "s")
    f.arc(left + 35, 168, 116, 90, 76, "brown", True)
    f.line([(left + 35, 168), (left + 62, 168)], "dash")
    f.text(left + 66, 172, "`flapaxis0`, `flapaxis1`", style="s")
    f.text(left + 12, 238, "Its axis along +y, away from you: waves to +x.", "start", "s")
    f.measure(left + 262, 110, left + 262, 189)
    f.text(left + 256, 148, "`depth`", "end")
    f.axes(270, 240, length=22)
    return f


def absorption():
    f = Figure("A piston that absorbs: its gauge compares the surface with what its own waves would make", 640, 230)
    _waves(f, 74, 110, 530, 18, 190, 180, 0.3)
    f.rect(60, 50, 14, 130, "wall")
    f.rect(20, 180, 590, 10, "wall")
    f.line([(24, 64), (56, 64)], "brown", both=True)
    f.line([(128, 48), (128, 176)], "red")
    f.circle(128, 93, 4, "point")
    f.measure(75, 160, 127, 160)
    f.text(101, 152, "`gaugex`", "middle")
    f.text(136, 58, "`gaugezmax`")
    f.text(136, 172, "`gaugezmin`")
    f.line([(300, 110), (300, 180)], "faint", True)
    f.text(306, 148, "z of still water: `swl`")
    f.line([(300, 60), (250, 60)], "violet", True)
    f.text(306, 64, "comes back")
    f.line([(430, 60), (480, 60)], "surface", True)
    f.text(486, 64, "is sent out")
    f.text(320, 214, "The gauge goes with the piston, whose velocity is corrected by what is not of its own waves.", "middle", "s")
    return f


def layers_of_pistons():
    f = Figure("A piston of layers: each height has the velocity of another model", 640, 210)
    f.polygon([(168, 180), (172, 130), *[(190 + 4 * i, 72 - 12 * math.sin(i / 16)) for i in range(37)], (334, 180)], "water")
    f.line([(190 + 4 * i, 72 - 12 * math.sin(i / 16)) for i in range(37)], "surface")
    for i in range(11):
        z = 172 - 12 * i
        reach = 6 + 30 * math.exp(-0.22 * (10 - i))
        for layer in range(3):
            f.dots([(148 + reach + 12 * layer, z)], "moving", 4)
        f.line([(60, z), (60 + 2.2 * reach, z)], "violet", True)
    f.line([(60, 180), (60, 40)], "line")
    f.rect(40, 180, 296, 8, "wall")
    f.text(66, 32, "velocities of `filevelx`")
    f.text(350, 60, "`mkbound`: some particles along x,")
    f.text(350, 78, "so that layers leave no gap.")
    f.text(350, 104, "`incz`: added to the heights of the file,")
    f.text(350, 122, "`timedataini`: to the time of the run.")
    f.text(350, 148, "`smooth`: the mean over so many")
    f.text(350, 166, "layers on either side.")
    f.text(350, 192, "`piston2d`: a file for each `posy`.")
    return f


FIGURES = {"steps-of-motion": steps_of_motion, "kinds-of-motion": kinds_of_motion, "wave-makers": wave_makers, "absorption": absorption,
           "layers-of-pistons": layers_of_pistons}
