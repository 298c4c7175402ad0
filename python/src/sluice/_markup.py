# SPDX-License-Identifier: Apache-2.0
"""XML text that is edited in place: what an edit does not touch keeps its comments, blanks and order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Optional
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

_TAG_END = re.compile(rb"""(?:[^>"']|"[^"]*"|'[^']*')*>""")


@dataclass
class Element:
    """An element and where it stands in the text, in bytes: [start, tag_end) is its start tag, [start, end) all of it."""

    name: str
    attributes: Dict[str, str]
    parent: Optional["Element"]
    start: int
    tag_end: int
    line: int
    end: int = 0
    inner_end: int = 0
    children: List["Element"] = field(default_factory=list)

    @property
    def active(self) -> bool:
        """False where the case language takes the element as absent: its name begins with _, or active="false"."""
        off = self.attributes.get("active", "true").strip().lower() in ("false", "0", "no")
        return not self.name.startswith("_") and not off

    def named(self, name: str) -> Iterator["Element"]:
        """The active children of that name."""
        return (child for child in self.children if child.name == name and child.active)

    def find(self, path: str) -> Optional["Element"]:
        """The first active element at `path`, names of children joined by /; None where there is none."""
        here: Optional[Element] = self
        for name in path.split("/"):
            here = next(here.named(name), None) if here is not None else None
        return here


class Markup:
    """The bytes of an XML file, with edits of single attributes and elements.

    Raises ValueError("line N: …") where the text is no well-formed XML, or is not in an encoding that extends ASCII.
    """

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.root = self._parse()

    def _parse(self) -> Element:
        text = self.text
        if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise ValueError("line 1: the file is in UTF-16, save it as UTF-8")
        parser = expat.ParserCreate()
        roots: List[Element] = []
        stack: List[Element] = []

        def begin(name: str, attributes: Dict[str, str]) -> None:
            start = parser.CurrentByteIndex
            match = _TAG_END.match(text, start)
            assert match is not None
            parent = stack[-1] if stack else None
            element = Element(name, attributes, parent, start, match.end(), parser.CurrentLineNumber)
            (parent.children if parent else roots).append(element)
            stack.append(element)

        def finish(_name: str) -> None:
            element = stack.pop()
            if text[element.tag_end - 2 : element.tag_end] == b"/>":
                element.inner_end = element.end = element.tag_end
            else:
                element.inner_end = parser.CurrentByteIndex
                element.end = text.index(b">", element.inner_end) + 1

        parser.StartElementHandler = begin
        parser.EndElementHandler = finish
        try:
            parser.Parse(text, True)
        except expat.ExpatError as error:
            raise ValueError(f"line {error.lineno}: {expat.ErrorString(error.code)}") from None
        return roots[0]

    def _replace(self, start: int, end: int, new: bytes) -> None:
        self.text = self.text[:start] + new + self.text[end:]
        self.root = self._parse()

    @property
    def newline(self) -> str:
        return "\r\n" if b"\r\n" in self.text else "\n"

    def set_attribute(self, element: Element, name: str, value: str) -> None:
        """Gives the attribute a value, in its place if it is there, else after the others. Elements held are stale then."""
        quoted = quoteattr(value).encode("ascii", "xmlcharrefreplace")
        tag = self.text[element.start : element.tag_end]
        position = 1 + len(element.name.encode())
        # Attribute after attribute, so that what stands inside the quotes of another one is not taken for it.
        for match in re.finditer(rb"""\s+([^\s=]+)\s*=\s*("[^"]*"|'[^']*')""", tag[position:]):
            if match.group(1) == name.encode():
                start = element.start + position
                self._replace(start + match.start(2), start + match.end(2), quoted)
                return
        end = element.tag_end - (2 if tag.endswith(b"/>") else 1)
        while self.text[end - 1 : end].isspace():
            end -= 1
        self._replace(end, end, b" " + name.encode() + b"=" + quoted)

    def indentation(self, element: Element) -> str:
        """The blanks before the element on its line; empty if something else stands there."""
        line = self.text[self.text.rfind(b"\n", 0, element.start) + 1 : element.start]
        return line.decode("ascii") if line.isascii() and not line.strip() else ""

    def append(self, parent: Element, xml: str) -> None:
        """Adds `xml` as the last child, line by line, indented as its siblings are. Elements held are stale then."""
        outer = self.indentation(parent)
        inner = self.indentation(parent.children[-1]) if parent.children else ""
        if len(inner) <= len(outer):
            inner = outer + "    "
        block = self.newline.join(inner + line for line in xml.splitlines())
        new = block.encode("ascii", "xmlcharrefreplace")
        close = (self.newline + outer).encode()
        element_end = parent.tag_end - 2
        if self.text[element_end : parent.tag_end] == b"/>":
            name = parent.name.encode()
            self._replace(element_end, parent.tag_end, b">" + self.newline.encode() + new + close + b"</" + name + b">")
            return
        at = parent.inner_end
        while self.text[at - 1 : at].isspace():
            at -= 1
        self._replace(at, parent.inner_end, self.newline.encode() + new + close)

    def ensure(self, path: str) -> Element:
        """The element at `path` below the root, made where it is missing."""
        names = path.split("/")
        for count in range(1, len(names) + 1):
            if self.root.find("/".join(names[:count])) is None:
                parent = self.root.find("/".join(names[: count - 1])) if count > 1 else self.root
                assert parent is not None
                self.append(parent, f"<{names[count - 1]}/>")
        element = self.root.find(path)
        assert element is not None
        return element
