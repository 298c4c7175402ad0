# SPDX-License-Identifier: Apache-2.0
"""Line charts as SVG for the validations; Python's own library only."""
import html
import math

BLUE, ORANGE, GREEN, RED, GREY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#777777"


def ticks(low, high, count=5):
    """Round numbers between two ends, about so many."""
    step = (high - low) / count
    power = 10 ** math.floor(math.log10(step))
    step = min((m * power for m in (1, 2, 5, 10)), key=lambda s: abs(s - step))
    return [step * i for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


class Panel:
    """One chart. Ranges follow the data where none are given."""

    def __init__(self, title, x_label, y_label, x_range=None, y_range=None, equal=False):
        """`equal`: a length is as long along both axes."""
        self.title, self.x_label, self.y_label, self.equal = title, x_label, y_label, equal
        self.ranges = [x_range, y_range]
        self.series = []

    def line(self, x, y, label="", colour=BLUE, dashed=False):
        self.series.append(("line", list(x), list(y), label, colour, dashed))
        return self

    def points(self, x, y, label="", colour=RED, radius=3.0):
        self.series.append(("points", list(x), list(y), label, colour, radius))
        return self

    def limits(self, axis):
        if self.ranges[axis]: return self.ranges[axis]
        values = [v for s in self.series for v in s[1 + axis] if math.isfinite(v)]
        low, high = min(values), max(values)
        margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
        return (low, high) if axis == 0 and not self.equal else (low - margin, high + margin)

    def svg(self, left, top, width, height):
        (x0, x1), (y0, y1) = self.limits(0), self.limits(1)
        if self.equal:
            scale = min(width / (x1 - x0), height / (y1 - y0))
            x0, x1 = ((x0 + x1) / 2 + s * width / scale / 2 for s in (-1, 1))
            y0, y1 = ((y0 + y1) / 2 + s * height / scale / 2 for s in (-1, 1))
        at_x = lambda x: left + (x - x0) / (x1 - x0) * width
        at_y = lambda y: top + height - (y - y0) / (y1 - y0) * height
        text = lambda x, y, words, anchor="middle", more="": (
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{html.escape(words)}</text>')
        clip = f"clip{left:.0f}"
        out = [f'<clipPath id="{clip}"><rect x="{left}" y="{top}" width="{width}" height="{height}"/></clipPath>',
               text(left + width / 2, top - 10, self.title, more=' font-weight="bold"'),
               text(left + width / 2, top + height + 38, self.x_label),
               text(left - 48, top + height / 2, self.y_label, more=f' transform="rotate(-90 {left - 48} {top + height / 2})"')]
        for x in ticks(x0, x1):
            out.append(f'<path d="M{at_x(x):.1f} {top + height}v5" stroke="#333"/>' + text(at_x(x), top + height + 19, f"{x:.6g}"))
        for y in ticks(y0, y1):
            out.append(f'<path d="M{left} {at_y(y):.1f}h{width}" stroke="#e4e4e4"/>' + text(left - 6, at_y(y) + 4, f"{y:.6g}", "end"))
        marks = []
        for kind, xs, ys, _, colour, style in self.series:
            places = [(at_x(x), at_y(y)) for x, y in zip(xs, ys) if math.isfinite(x) and math.isfinite(y)]
            if kind == "line":
                dash = ' stroke-dasharray="6 4"' if style else ""
                marks.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.6"{dash} points="' +
                             " ".join(f"{x:.1f},{y:.1f}" for x, y in places) + '"/>')
            else:
                marks += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{style}" fill="{colour}"/>' for x, y in places]
        out.append(f'<g clip-path="url(#{clip})">' + "".join(marks) + "</g>")
        out.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#333"/>')
        for i, (kind, _, _, label, colour, style) in enumerate(s for s in self.series if s[3]):
            y = top + 16 + 17 * i
            dash = ' stroke-dasharray="6 4"' if kind == "line" and style else ""
            out.append(f'<path d="M{left + 10} {y - 4}h22" stroke="{colour}" stroke-width="2"{dash}/>' if kind == "line" else
                       f'<circle cx="{left + 21}" cy="{y - 4}" r="3" fill="{colour}"/>')
            out.append(text(left + 38, y, label, "start"))
        return "".join(out)


def save(path, *panels, width=480, height=330):
    """Writes the panels, one beside the other."""
    left, top, right, bottom = 74, 34, 18, 52
    whole = (left + width + right) * len(panels), top + height + bottom
    body = "".join(p.svg(i * (left + width + right) + left, top, width, height) for i, p in enumerate(panels))
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole[0]} {whole[1]}" width="{whole[0]}" height="{whole[1]}" '
                    f'font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="white"/>{body}</svg>\n', encoding="utf-8")
