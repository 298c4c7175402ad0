# SPDX-License-Identifier: Apache-2.0
"""What the site and its tests read from Markdown: headings, their anchors, links."""
import re

# [text](target) and ![text](target); a target has no blanks. Code is taken out before.
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^()\s]+)(\))", re.DOTALL)
HEADING = re.compile(r"^(#{1,6}) +(.*?) *#*$", re.MULTILINE)
CODE = re.compile(r"^(```|~~~).*?^\1 *$|^(?: {4}[^\n]*\n)+|`[^`\n]+`", re.DOTALL | re.MULTILINE)


def _blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def without_code(text):
    """The text with blanks in place of code, so that places stay what they are."""
    return CODE.sub(_blank, text)


def headings(text):
    """(level, title, place) of each heading outside of fenced code."""
    fences = re.sub(r"^(```|~~~).*?^\1 *$", _blank, text, flags=re.DOTALL | re.MULTILINE)
    return [(len(m.group(1)), m.group(2), m.start()) for m in HEADING.finditer(fences)]


def slug(title):
    """The anchor that GitHub and MyST give a heading."""
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
    return re.sub(r"[^\w\- ]", "", title).replace(" ", "-")


def anchors(text):
    """All anchors of a page; a repeated title gets -1, -2, …"""
    seen, out = {}, set()
    for _, title, _ in headings(text):
        name = slug(title)
        count = seen.get(name, 0)
        seen[name] = count + 1
        out.add(name if count == 0 else f"{name}-{count}")
    return out


def links(text):
    """Targets of all links and pictures outside of code."""
    return [m.group(2) for m in LINK.finditer(without_code(text))]


def replace_links(text, change):
    """The text with change(target) in place of each target."""
    out, last = [], 0
    for m in LINK.finditer(without_code(text)):
        out += [text[last:m.start(2)], change(m.group(2))]
        last = m.end(2)
    return "".join(out) + text[last:]


def is_outside(target):
    """Whether a link leaves the repository."""
    return re.match(r"[a-z]+:", target) is not None
