# SPDX-License-Identifier: Apache-2.0
"""Shapes that a case draws, motions that it prescribes, gauges that it asks for: each is a piece of case XML.

Lengths are in metres, times in seconds, angles in degrees. A number may be a text that begins with #, an expression of
the case language: `"#Dp/2"`. In 2-D a case lies in the x-z plane; let bodies reach across y = 0.
"""

from __future__ import annotations

from pathlib import Path
from typing import Iterable, Optional, Sequence, Tuple, Union
from xml.sax.saxutils import escape, quoteattr

Number = Union[float, str]
Point = Tuple[Number, Number, Number]


class Piece(str):
    """A piece of case XML. Any text makes one: `Piece("<drawpoint x='0' y='0' z='0'/>")`."""


def number(value: object) -> str:
    """A number as the case language writes it: all digits of a float, 1 instead of 1.0; texts as they are."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, str):
        return value
    text = repr(float(value)) if not isinstance(value, int) else str(value)  # type: ignore[arg-type]
    return text[:-2] if text.endswith(".0") else text


def _attributes(**values: object) -> str:
    return "".join(f" {name}={quoteattr(number(value))}" for name, value in values.items() if value is not None)


def _point(name: str, at: Sequence[Number]) -> str:
    if len(at) != 3:
        raise ValueError(f"{name}: a place has three numbers x, y, z ({tuple(at)!r})")
    return f"<{name}{_attributes(x=at[0], y=at[1], z=at[2])}/>"


def _element(name: str, attributes: str, *children: str) -> Piece:
    inner = "\n".join("    " + line for child in children if child for line in child.splitlines())
    return Piece(f"<{name}{attributes}>\n{inner}\n</{name}>")


def _layers(layers: Optional[Iterable[Number]]) -> str:
    return "" if layers is None else f"<layers{_attributes(vdp=','.join(map(number, layers)))}/>"


FACES = ("bottom", "top", "left", "right", "front", "back")


def box(corner: Point, size: Point, fill: str = "solid", layers: Optional[Iterable[Number]] = None) -> Piece:
    """A box from its lower corner. `fill`: `solid`, `all` (its six faces), or faces joined by `|` (FACES), as in
    `bottom | left`. `layers`: distances of layers of particles from the faces, in spacings, outwards."""
    return _element(
        "drawbox",
        "",
        f"<boxfill>{escape(fill)}</boxfill>",
        _point("point", corner),
        _point("size", size),
        _layers(layers),
    )


def tank(corner: Point, size: Point, two_d: bool = False, layers: int = 4, top: bool = False) -> Piece:
    """Walls around the inside of a box, open above unless `top`: a floor and four sides, in 2-D two. They are `layers`
    particles thick, the innermost on the face."""
    if layers < 1:
        raise ValueError(f"tank: a wall has a layer of particles or more ({layers})")
    faces = ["bottom", "left", "right"] + ([] if two_d else ["front", "back"]) + (["top"] if top else [])
    return box(corner, size, " | ".join(faces), range(layers))


def cylinder(start: Point, end: Point, radius: Number, mask: Optional[str] = None) -> Piece:
    """A cylinder around the line between two points. `mask`: faces to leave out, `1 | 2` the ends, `3` the tube."""
    return _element("drawcylinder", _attributes(radius=radius, mask=mask), _point("point", start), _point("point", end))


def sphere(centre: Point, radius: Number) -> Piece:
    """A ball."""
    return _element("drawsphere", _attributes(radius=radius), _point("point", centre))


def prism(base: Sequence[Point], top: Sequence[Point], mask: Optional[str] = None) -> Piece:
    """A prism between two polygons of as many points. `mask`: faces to leave out, `1` and `2` the bases, `3`… the sides."""
    if len(base) != len(top) or len(base) < 3:
        raise ValueError(f"prism: both bases need as many points, three or more ({len(base)} and {len(top)})")
    return _element("drawprism", _attributes(mask=mask), *(_point("point", one) for one in [*base, *top]))


def beach(profile: Sequence[Tuple[Number, Number]], y: Number, mask: Optional[str] = None) -> Piece:
    """A bed below a profile of points (x, z), from `y` to y = 0 (`drawbeach`)."""
    if len(profile) < 2:
        raise ValueError(f"beach: a profile has two points or more ({len(profile)})")
    return _element("drawbeach", _attributes(mask=mask), *(_point("point", (x, y, z)) for x, z in profile))


def stl(
    file: Union[str, Path],
    move: Optional[Point] = None,
    rotate: Optional[Point] = None,
    scale: Optional[Point] = None,
    fill: bool = False,
) -> Piece:
    """A mesh from an STL file, which lies in the folder of the case or below; scaled, turned (degrees), moved, in this
    order. `fill`: the inside is filled, too."""
    turned = None if rotate is None else f"<drawrotate{_attributes(angx=rotate[0], angy=rotate[1], angz=rotate[2])}/>"
    children = [
        "" if scale is None else _point("drawscale", scale),
        turned or "",
        "" if move is None else _point("drawmove", move),
    ]
    filled = ' autofill="true"' if fill else ""
    start = f"drawfilestl file={quoteattr(Path(file).as_posix())}{filled}"
    if not any(children):
        return Piece(f"<{start}/>")
    return Piece(_element("drawfilestl", start[len("drawfilestl") :], *children))


def uniform(velocity: Point, duration: Number) -> Piece:
    """Moves at `velocity` [m/s] for `duration` [s], or for good with -1 (`mvrect`)."""
    return _element("mvrect", _attributes(id="{id}", duration=duration, next="{next}"), _point("vel", velocity))


def sinusoidal(amplitude: Point, frequency: Point, duration: Number, phase: Point = (0, 0, 0)) -> Piece:
    """Moves each axis by A sin(φ + 2πft) − A sin φ: A [m], f [1/s], φ [degrees] (`mvrectsinu`)."""
    return _element(
        "mvrectsinu",
        _attributes(id="{id}", duration=duration, next="{next}", anglesunits="degrees"),
        _point("freq", frequency),
        _point("ampl", amplitude),
        _point("phase", phase),
    )


def rotation(speed: Number, axis: Tuple[Point, Point], duration: Number) -> Piece:
    """Turns at `speed` [degrees/s] about the line through two points (`mvrot`)."""
    return _element(
        "mvrot",
        _attributes(id="{id}", duration=duration, next="{next}"),
        f"<vel{_attributes(ang=speed)}/>",
        _point("axisp1", axis[0]),
        _point("axisp2", axis[1]),
    )


def from_file(
    file: Union[str, Path], duration: Number, fields: int = 2, x: Optional[int] = 1, z: Optional[int] = None
) -> Piece:
    """Follows places [m] from a table of `fields` numbers a row, time first; `x`, `z`: their columns (`mvfile`)."""
    inner = _attributes(name=Path(file).as_posix(), fields=fields, fieldtime=0, fieldx=x, fieldz=z)
    return _element("mvfile", _attributes(id="{id}", duration=duration, next="{next}"), f"<file{inner}/>")


def motion(mkbound: int, steps: Sequence[Piece], start: Number = 0) -> Piece:
    """The `objreal` that moves an mkbound through steps, one after the other, from `start` [s] on."""
    if not steps:
        raise ValueError("motion: a motion needs a step or more")
    placed = []
    for count, step in enumerate(steps, 1):
        following = f' next="{count + 1}"' if count < len(steps) else ""
        placed.append(step.replace('"{id}"', f'"{count}"').replace(' next="{next}"', following))
    return _element("objreal", _attributes(ref=mkbound), f"<begin{_attributes(mov=1, start=start)}/>", *placed)


def gauge(kind: str, name: str, every: Optional[Number] = None, **values: object) -> Piece:
    """A gauge (docs/case-format.md): `gauge("swl", "head", every=0.01, point0=(1, 0, 0), point2=(1, 0, 2))`.

    `every`: seconds between samples. Of `values`, three numbers make a place, a dictionary the attributes of an element
    (`target={"mkbound": 0}`; `follow={"mkbound": 1}` for a gauge that rides on what moves), anything else `value`."""
    children = [] if every is None else [f"<computedt{_attributes(value=every)}/>"]
    for word, value in values.items():
        if isinstance(value, dict):
            children.append(f"<{word}{_attributes(**value)}/>")
        elif isinstance(value, (tuple, list)):
            children.append(_point(word, value))
        else:
            children.append(f"<{word}{_attributes(value=value)}/>")
    return _element(kind, _attributes(name=name), *children)
