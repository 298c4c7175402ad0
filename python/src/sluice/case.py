# SPDX-License-Identifier: Apache-2.0
"""Case files: read, edited in place and written."""

from __future__ import annotations

import copy
import difflib
import os
import shutil
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Tuple, Union
from xml.sax.saxutils import quoteattr

from . import shapes
from ._markup import Element, Markup
from .program import words_of_the_language

_NEW = """<?xml version="1.0" encoding="UTF-8"?>
<case>
    <casedef>
        <constantsdef>
            <gravity x="0" y="0" z="-9.81"/>
        </constantsdef>
        <geometry>
            <definition dp={dp}>
                {pointmin}
                {pointmax}
            </definition>
            <commands>
                <mainlist>
                    <setdrawmode mode="full"/>
                </mainlist>
            </commands>
        </geometry>
    </casedef>
    <execution>
        <parameters>
            <parameter key="Scheme" value="recommended"/>
        </parameters>
    </execution>
</case>
"""
_DEFINITION = "casedef/geometry/definition"
_CONSTANTS = "casedef/constantsdef"
_PARAMETERS = "execution/parameters"
_OPTIONS = {"tmax": "TimeMax", "tout": "TimeOut"}  # the program's short options for two parameters

Value = Union[float, int, str, bool, Tuple[float, float, float]]


class CaseError(ValueError):
    """A case file cannot be read or has no such word: "where: what is wrong (value), what to do"."""


class Case:
    """A case file in memory. Edits change what they name; comments, blanks and order of the rest stay as they were.

    `Case("dam.xml").set(dp=0.01, TimeMax=2).write("fine.xml")`. Raises CaseError for text that is no case, OSError where
    the file cannot be read.
    """

    def __init__(self, file: Union[str, Path]) -> None:
        self.path: Optional[Path] = Path(file)
        self.name = self.path.stem
        self._load(self.path.read_bytes(), str(file))
        self._as_read = self._markup.text

    def _load(self, text: bytes, where: str) -> None:
        try:
            self._markup = Markup(text)
        except ValueError as error:
            raise CaseError(f"{where}:{error}, mend the XML") from None
        if self._markup.root.name != "case":
            raise CaseError(
                f"{where}:{self._markup.root.line}: <{self._markup.root.name}> is no case, it begins with <case>"
            )

    @classmethod
    def new(cls, dp: shapes.Number, pointmin: shapes.Point, pointmax: shapes.Point, name: str = "case") -> "Case":
        """An empty case: particle spacing `dp` [m], corners of the box in which it may draw. Of a 2-D case both have the
        same y. It takes the recommended scheme (docs/case-format.md) and gravity along z."""
        case = cls.__new__(cls)
        case.path, case.name, case._as_read = None, name, b""
        corners = {one: shapes._point(one, at) for one, at in (("pointmin", pointmin), ("pointmax", pointmax))}
        case._load(_NEW.format(dp=quoteattr(shapes.number(dp)), **corners).encode(), name)
        return case

    def copy(self) -> "Case":
        """A case of its own with the same text."""
        return copy.deepcopy(self)

    @property
    def text(self) -> bytes:
        """The file as it would be written."""
        return self._markup.text

    @property
    def changed(self) -> bool:
        """Whether it differs from the file that was read."""
        return self._as_read != self._markup.text

    # Words

    def set(self, **words: Value) -> "Case":
        """Sets parameters and constants, by the words of `--set`, `--dp`, `--tmax` and `--tout`; returns the case itself.

        `gravity` takes three numbers, a constant may be "auto". CaseError for an unknown word, with the nearest ones; all
        words are looked up before the first is set.
        """
        plan = [(*self._place_of(word), value) for word, value in words.items()]
        for section, word, value in plan:
            if section == "definition":
                self._markup.set_attribute(self._markup.ensure(_DEFINITION), "dp", shapes.number(value))
            elif section == "constantsdef":
                self._set_constant(word, value)
            else:
                self._set_parameter(word, _single(word, value))
        return self

    def get(self, word: str) -> Optional[str]:
        """What the case says for a word, as text (of gravity "x,y,z"); None if it leaves it to the default."""
        section, name = self._place_of(word)
        root = self._markup.root
        if section == "definition":
            element = root.find(_DEFINITION)
            return element.attributes.get("dp") if element else None
        if section == "parameters":
            found = next(self._parameters(name), None)
            return found.attributes.get("value") if found else None
        element = next(self._constants(name), None)
        if element is None:
            return None
        if name == "gravity":
            return ",".join(element.attributes.get(axis, "0") for axis in "xyz")
        automatic = element.attributes.get("auto", "").lower() in ("true", "1", "yes")
        return "auto" if automatic else element.attributes.get("value")

    def __getitem__(self, word: str) -> str:
        value = self.get(word)
        if value is None:
            raise KeyError(f"{self.name}: the case does not set {word}")
        return value

    def _constants(self, name: str) -> Iterator[Element]:
        parent = self._markup.root.find(_CONSTANTS)
        return (one for one in (parent.children if parent else ()) if one.active and one.name.lower() == name.lower())

    def _parameters(self, name: str) -> Iterator[Element]:
        parent = self._markup.root.find(_PARAMETERS)
        for one in parent.named("parameter") if parent else ():
            if one.attributes.get("key", "").lower() == name.lower():
                yield one

    def _place_of(self, word: str) -> Tuple[str, str]:
        """The section and the spelling of a word. The list of words is the program's own (`check --explain`); words that
        the case has already need no program."""
        if word.lower() == "dp":
            return "definition", "dp"
        word = _OPTIONS.get(word.lower(), word)
        for one in self._parameters(word):
            return "parameters", one.attributes["key"]
        for one in self._constants(word):
            return "constantsdef", one.name
        known = words_of_the_language()
        for section in ("parameters", "constantsdef"):
            for name in known[section]:
                if name.lower() == word.lower():
                    return section, name
        names = ["dp", *_OPTIONS, *known["parameters"], *known["constantsdef"]]
        by_lower = {name.lower(): name for name in names}
        near = [by_lower[one] for one in difflib.get_close_matches(word.lower(), by_lower, n=3, cutoff=0.5)]
        hint = f" (did you mean {' or '.join(near)}?)" if near else ""
        raise CaseError(f"{self.name}: {word}: there is no parameter or constant of that name{hint}")

    def _set_constant(self, word: str, value: Value) -> None:
        if next(self._constants(word), None) is None:
            self._markup.append(self._markup.ensure(_CONSTANTS), f"<{word}/>")

        def put(name: str, text: str) -> None:
            self._markup.set_attribute(next(self._constants(word)), name, text)

        if word == "gravity":
            numbers = value.split(",") if isinstance(value, str) else value
            if not isinstance(numbers, (tuple, list)) or len(numbers) != 3:
                raise CaseError(f"{self.name}: gravity needs three numbers x, y, z ({value!r})")
            for axis, one in zip("xyz", numbers):
                put(axis, shapes.number(one))
            return
        text = _single(word, value)
        if text.lower() == "auto":
            put("auto", "true")
            return
        put("value", text)
        if "auto" in next(self._constants(word)).attributes:
            put("auto", "false")

    def _set_parameter(self, word: str, text: str) -> None:
        found = next(self._parameters(word), None)
        if found is not None:
            self._markup.set_attribute(found, "value", text)
        else:
            self._markup.append(
                self._markup.ensure(_PARAMETERS), f"<parameter key={quoteattr(word)} value={quoteattr(text)}/>"
            )

    # What is drawn, moved and measured

    def draw(self, *pieces: str, mkfluid: Optional[int] = None, mkbound: Optional[int] = None) -> "Case":
        """Draws shapes (`sluice.shapes`) after all that the case draws already, as fluid or as boundary of an mk.

        Where shapes overlap, the later one counts. ValueError unless one of `mkfluid` and `mkbound` is given.
        """
        if (mkfluid is None) == (mkbound is None):
            raise ValueError("draw: give mkfluid or mkbound")
        mk = f'<setmkfluid mk="{mkfluid}"/>' if mkfluid is not None else f'<setmkbound mk="{mkbound}"/>'
        for piece in (mk, *pieces):
            self._markup.append(self._markup.ensure("casedef/geometry/commands/mainlist"), piece)
        return self

    def move(self, mkbound: int, *steps: shapes.Piece, start: shapes.Number = 0) -> "Case":
        """Prescribes the motion of an mkbound: steps of `sluice.shapes`, one after the other, from `start` [s] on."""
        self._markup.append(self._markup.ensure("casedef/motion"), shapes.motion(mkbound, steps, start))
        return self

    def float_body(self, mkbound: int, **attributes: shapes.Number) -> "Case":
        """Lets an mkbound float: `float_body(1, relativeweight=0.5)` or `massbody=` [kg]."""
        self._markup.append(
            self._markup.ensure("casedef/floatings"), f"<floating{shapes._attributes(mkbound=mkbound, **attributes)}/>"
        )
        return self

    def gauge(self, kind: str, name: str, every: Optional[shapes.Number] = None, **values: object) -> "Case":
        """Adds a gauge, see `sluice.shapes.gauge`. CaseError if the case has one of that name."""
        if name in self.gauges:
            raise CaseError(f"{self.name}: there is a gauge {name!r} already, give this one another name")
        self._markup.append(self._markup.ensure("execution/special/gauges"), shapes.gauge(kind, name, every, **values))
        return self

    @property
    def gauges(self) -> Dict[str, str]:
        """Kind of each gauge by its name."""
        parent = self._markup.root.find("execution/special/gauges")
        found = [one for one in (parent.children if parent else ()) if one.active and "name" in one.attributes]
        return {one.attributes["name"]: one.name for one in found}

    # Files

    def data_files(self) -> List[Path]:
        """Files below the case's folder that an attribute of the case names, relative to that folder."""
        if self.path is None:
            return []
        folder = self.path.parent / self._markup.root.attributes.get("files", "")
        found: List[Path] = []
        elements = [self._markup.root]
        while elements:
            element = elements.pop()
            elements += element.children
            for value in element.attributes.values():
                name = value.strip().replace("[CaseName]", self.name)
                if name and len(name) < 4096 and "\0" not in name and (folder / name).is_file():
                    found.append((folder / name).relative_to(self.path.parent))
        return sorted(set(found))

    def write(self, file: Union[str, Path]) -> Path:
        """Writes the case, in one go, and into another folder the data files that it names, too; returns the path.

        FileExistsError where another file of the name of a data file lies there.
        """
        file = Path(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        for name in self.data_files():
            assert self.path is not None
            source, target = self.path.parent / name, file.parent / name
            if target.exists():
                if not target.samefile(source) and target.read_bytes() != source.read_bytes():
                    raise FileExistsError(f"{target}: is another file than {source}, write the case to another folder")
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        temporary = file.with_name(file.name + ".tmp")
        temporary.write_bytes(self._markup.text)
        os.replace(temporary, file)
        return file

    def __repr__(self) -> str:
        return f"<Case {self.name}: dp = {self.get('dp')}{', changed' if self.changed else ''}>"


def _single(word: str, value: Value) -> str:
    if isinstance(value, (tuple, list)):
        raise CaseError(f"{word}: takes one value ({value!r})")
    return shapes.number(value)
