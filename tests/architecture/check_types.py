#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no two types of a source tree have the same full name: the linker would pick one's functions for both.

    check_types.py SOURCE_DIR

One instruction set's types may be named as another's.
Fails with one line a name."""
import collections
import pathlib
import re
import sys

QUOTES_AND_COMMENTS = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])'", re.S)
PIECE = re.compile(r"(?:inline\s+)?namespace\s*(?P<space>[\w:]*)\s*\{|[{}]|"
                   r"\b(?:class|struct|union)\s+(?:alignas\([^)]*\)\s*)?(?P<type>\w+)(?:\s+final)?\s*(?=:[^:]|\{)")


def types_of(text):
    """Full names of the types that a source defines outside of functions, other types and nameless namespaces."""
    around = []
    for piece in PIECE.finditer(QUOTES_AND_COMMENTS.sub("", text)):
        if piece["space"] is not None:
            around.append(piece["space"] or "nameless")
        elif piece.group() == "{":
            around.append("{")
        elif piece.group() == "}":
            if around: around.pop()
        elif "{" not in around and "nameless" not in around and "SLUICE_ISA" not in around:
            yield "::".join([*around, piece["type"]])


def main():
    tree = pathlib.Path(sys.argv[1])
    files = sorted(f for f in tree.rglob("*") if f.suffix in (".h", ".cuh", ".inl", ".cpp", ".cu"))
    where = collections.defaultdict(set)
    for file in files:
        for name in types_of(file.read_text()): where[name].add(file.relative_to(tree))
    offences = 0
    for name, places in sorted(where.items()):
        if len(places) == 1: continue
        print(f"{name} is a type of {' and of '.join(sorted(map(str, places)))}: rename one, or put it into a nameless namespace")
        offences += 1
    print(f"{len(where)} types of {len(files)} files, {offences} names twice")
    return 1 if offences or not where else 0


sys.exit(main())
