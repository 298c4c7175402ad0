# SPDX-License-Identifier: Apache-2.0
"""Small drawings as SVG, all in one manner: a card with a ground of its own, so that they are read on light and dark pages, water
blue, walls grey, bodies brown, zones violet; words of the case language in monospaced letters."""
import html
import math

# class: (properties on a light ground, those that differ on a dark one)
STYLES = {
    "card": ("fill:#ffffff;stroke:#d4d9df", "fill:#15181c;stroke:#3a414a"),
    "water": ("fill:#d3e6f8;stroke:none", "fill:#1d3f5e"),
    "wall": ("fill:#c3c8ce;stroke:#6a737d", "fill:#4a525b;stroke:#a5adb6"),
    "body": ("fill:#f2d7b4;stroke:#a55f17", "fill:#5b3d17;stroke:#e0a458"),
    "zone": ("fill:#e6ddf5;fill-opacity:.75;stroke:#6f4fae;stroke-dasharray:5 3", "fill:#38295a;stroke:#b79df0"),
    "surface": ("fill:none;stroke:#2a6fb0;stroke-width:2", "stroke:#6db3f2"),
    "line": ("fill:none;stroke:#3c4248", "stroke:#c9d1d9"),
    "bold": ("fill:none;stroke:#3c4248;stroke-width:2.5", "stroke:#c9d1d9"),
    "faint": ("fill:none;stroke:#9aa2ab", "stroke:#6b747e"),
    "dash": ("fill:none;stroke:#6a737d;stroke-dasharray:4 3", "stroke:#98a1ab"),
    "violet": ("fill:none;stroke:#6f4fae;stroke-width:1.5", "stroke:#b79df0"),
    "red": ("fill:none;stroke:#b3261e;stroke-width:1.8", "stroke:#ff8a80"),
    "brown": ("fill:none;stroke:#a55f17;stroke-width:1.8", "stroke:#e0a458"),
    "face": ("fill:#dfe7ee;fill-opacity:.8;stroke:#3c4248", "fill:#2d363f;stroke:#c9d1d9"),
    "side": ("fill:#c3ced8;fill-opacity:.8;stroke:#3c4248", "fill:#3b4651;stroke:#c9d1d9"),
    "fluid": ("fill:#2a6fb0", "fill:#6db3f2"),
    "bound": ("fill:#59616a", "fill:#b4bcc5"),
    "moving": ("fill:#a55f17", "fill:#e0a458"),
    "point": ("fill:#b3261e", "fill:#ff8a80"),
    "empty": ("fill:none;stroke:#b4bac1", "stroke:#59626c"),
    "ghost": ("fill:#ffffff;stroke:#b3261e;stroke-width:1.5", "fill:#15181c;stroke:#ff8a80"),
    "t": ("fill:#24292f;font:13px sans-serif", "fill:#e6edf3"),
    "s": ("fill:#57606a;font:11.5px sans-serif", "fill:#a9b3be"),
    "b": ("fill:#24292f;font:bold 13px sans-serif", "fill:#e6edf3"),
    "w": ("fill:#8a2b06;font:12.5px monospace", "fill:#ffb077"),
}
# Width of a letter (DejaVu, which is wide), by class.
LETTER = {"t": 7.2, "s": 6.2, "b": 8.2, "w": 7.55}
ARROWS = ("line", "red", "violet", "brown", "surface", "faint")


def _number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".") if abs(value) >= 0.05 else "0"


def _points(points):
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


class Figure:
    """A drawing of so many pixels, y downward. `words` collects the words of the case language that it names."""

    def __init__(self, title, width, height):
        self.title, self.width, self.height, self.parts, self.used, self.words = title, width, height, [], {"card"}, []

    def _add(self, text, style):
        self.used.add(style)
        self.parts.append(text)

    def rect(self, x, y, width, height, style):
        """A rectangle from its upper left corner."""
        self._add(f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}" class="{style}"/>', style)

    def polygon(self, points, style):
        self._add(f'<polygon points="{_points(points)}" class="{style}"/>', style)

    def line(self, points, style="line", arrow=False, both=False):
        """A line through points, with a tip at its end, or at both ends."""
        tips = ""
        if arrow or both:
            tips = f' marker-end="url(#{style}-tip)"' + (f' marker-start="url(#{style}-tip)"' if both else "")
            self.used.add(f"{style}-tip")
        self._add(f'<polyline points="{_points(points)}" class="{style}"{tips}/>', style)

    def curve(self, function, begin, end, style="line", steps=48, arrow=False):
        """The curve of function(t) = (x, y)."""
        self.line([function(begin + (end - begin) * i / steps) for i in range(steps + 1)], style, arrow)

    def arc(self, x, y, radius, begin, end, style="line", arrow=False):
        """A part of a circle; degrees, counter-clockwise from the right as one sees it."""
        self.curve(lambda t: (x + radius * math.cos(math.radians(t)), y - radius * math.sin(math.radians(t))), begin, end, style, 24, arrow)

    def circle(self, x, y, radius, style):
        self._add(f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" class="{style}"/>', style)

    def ellipse(self, x, y, rx, ry, style):
        self._add(f'<ellipse cx="{_number(x)}" cy="{_number(y)}" rx="{_number(rx)}" ry="{_number(ry)}" class="{style}"/>', style)

    def dots(self, points, style, radius=4):
        """Particles."""
        self.used.add(style)
        self.parts.append(f'<g class="{style}">' + "".join(f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{radius}"/>' for x, y in points) + "</g>")

    def text(self, x, y, text, anchor="start", style="t"):
        """Text; what stands between backticks is a word of the case language."""
        spans, length = [], 0
        for i, part in enumerate(text.split("`")):
            if not part:
                continue
            name = "w" if i % 2 else style
            self.used.add(name)
            length += LETTER[name] * len(part)
            if i % 2:
                self.words.append(part)
            spans.append(f'<tspan class="{name}">{html.escape(part)}</tspan>')
        left = x - {"start": 0, "middle": length / 2, "end": length}[anchor]
        if left < 4 or left + length > self.width - 4 or not 8 < y < self.height - 3:
            raise ValueError(f"{self.title}: \"{text}\" leaves the card ({left:.0f} to {left + length:.0f} of {self.width})")
        self.parts.append(f'<text x="{_number(x)}" y="{_number(y)}" text-anchor="{anchor}" xml:space="preserve">{"".join(spans)}</text>')

    def measure(self, x1, y1, x2, y2, text="", dx=0, dy=-6, anchor="middle", style="line"):
        """A length between two points, with its name beside the middle."""
        self.line([(x1, y1), (x2, y2)], style, both=True)
        if text:
            self.text((x1 + x2) / 2 + dx, (y1 + y2) / 2 + dy, text, anchor)

    def axes(self, x, y, right="x", up="z", length=30):
        self.line([(x, y), (x + length, y)], "line", True)
        self.line([(x, y), (x, y - length)], "line", True)
        self.text(x + length + 6, y + 4, right, style="s")
        self.text(x - 3, y - length - 6, up, style="s")

    def spring(self, x1, y1, x2, y2, turns=6, width=6, style="line"):
        length = math.hypot(x2 - x1, y2 - y1)
        ex, ey = (x2 - x1) / length, (y2 - y1) / length
        points = [(x1, y1)]
        for i in range(2 * turns + 1):
            s = length * (0.15 + 0.7 * i / (2 * turns))
            side = 0 if i in (0, 2 * turns) else width * (-1) ** i
            points.append((x1 + ex * s - ey * side, y1 + ey * s + ex * side))
        self.line([*points, (x2, y2)], style)

    def svg(self):
        """The text of the file."""
        rules, dark, tips = [], [], []
        for name, (light, other) in STYLES.items():
            if name in self.used:
                rules.append(f".{name}{{{light}}}")
                dark.append(f".{name}{{{other}}}")
        for name in ARROWS:
            if f"{name}-tip" in self.used:
                stroke = [dict(p.split(":") for p in part.split(";")).get("stroke") for part in STYLES[name]]
                rules.append(f".{name}-head{{fill:{stroke[0]}}}")
                dark.append(f".{name}-head{{fill:{stroke[1]}}}")
                tips.append(f'<marker id="{name}-tip" viewBox="0 0 8 8" refX="7.2" refY="4" markerWidth="8" markerHeight="8" '
                            f'markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0.8 8 4 0 7.2z" class="{name}-head"/></marker>')
        style = "".join(rules) + "@media (prefers-color-scheme:dark){" + "".join(dark) + "}"
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}" role="img">\n'
                f"<title>{html.escape(self.title)}</title>\n<style>{style}</style>\n")
        defs = "<defs>" + "".join(tips) + "</defs>\n" if tips else ""
        card = f'<rect x="0.5" y="0.5" width="{self.width - 1}" height="{self.height - 1}" rx="6" class="card"/>\n'
        return head + defs + card + "\n".join(self.parts) + "\n</svg>\n"


def grid(x, y, columns, rows, step):
    """Places of a lattice from the upper left one."""
    return [(x + i * step, y + j * step) for j in range(rows) for i in range(columns)]
