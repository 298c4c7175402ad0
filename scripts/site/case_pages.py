# SPDX-License-Identifier: Apache-2.0
"""Cuts docs/case-format.md into a page for each group of words, with the words of the group as a table: what is done with
each, its default, its range, its meaning."""
import re

import md
from word_groups import EVERY_WORD, GROUPS

ROW = re.compile(r"^\| `([^`]+)` \| (\w+) \| (.*?) \| (.*) \|$", re.MULTILINE)
RANGE = re.compile(r"^\| `([^`]+)` \| (.*) \|$", re.MULTILINE)


def sections_of(text):
    """The text before the first heading of the second level, and (title, text) of each such section."""
    places = [(title, place) for level, title, place in md.headings(text) if level == 2]
    ends = [place for _, place in places[1:]] + [len(text)]
    return text[:places[0][1]], [(title, text[place:end]) for (title, place), end in zip(places, ends)]


def words_of(text):
    """By section of the language: its words, as (name, what is done, default, meaning)."""
    out = {}
    for title, part in ((t, text[p:]) for level, t, p in md.headings(text) if level == 3):
        nearest = part.find("\n### ")
        out[title] = ROW.findall(part if nearest < 0 else part[:nearest])
    return out


def words_of_group(group, words):
    """(section, word) of a group. Named words go to the group that names them, all others to the one with None."""
    named = {(section, name) for g in GROUPS for section, names in g.words.items() for name in names or ()}
    out = []
    for section, names in group.words.items():
        rows = words.get(section, [])
        unknown = set(names or ()) - {row[0] for row in rows}
        if unknown:
            raise SystemExit(f"scripts/site/word_groups.py: {section} has no {', '.join(sorted(unknown))}")
        out += [(section, row) for row in rows if (row[0] in names if names else (section, row[0]) not in named)]
    return out


def table_of(group, words, ranges):
    rows = words_of_group(group, words)
    if not rows:
        return ""
    lines = ["## The words of this page", "", "| word | in | | default | range | meaning |", "|---|---|---|---|---|---|"]
    lines += [f"| `{name}` | {section} | {support} | {fallback} | {ranges.get(name, '')} | {meaning} |"
              for section, (name, support, fallback, meaning) in rows]
    return "\n".join(lines) + "\n"


def raised(text):
    """The text with its headings a level higher."""
    for _, _, place in reversed(md.headings(text)):
        text = text[:place] + text[place + 1:]
    return text


def case_pages(text, ranges_text):
    """{name of the page: its text}; and {anchor of case-format.md: name of the page}. Each section and word must have its page."""
    intro, sections = sections_of(text)
    parts = dict(sections)
    words = words_of(parts[EVERY_WORD])
    ranges = dict(RANGE.findall(ranges_text))
    pages, places = {"index": intro.rstrip() + "\n"}, {md.slug("The case format"): "index"}
    placed = {EVERY_WORD}
    for group in GROUPS:
        body = []
        for title in group.sections:
            if title not in parts:
                raise SystemExit(f"scripts/site/word_groups.py: docs/case-format.md has no section \"{title}\"")
            part = parts[title]
            placed.add(title)
            for _, heading, _ in md.headings(part):
                places[md.slug(heading)] = group.name
            # a page of one section does not say its title twice
            body.append(raised(part.split("\n", 1)[1].lstrip("\n")) if title == group.title else part)
        pages[group.name] = f"# {group.title}\n\n" + "\n".join(body).rstrip() + "\n\n" + table_of(group, words, ranges)
    pages["words"] = "# Every word\n" + raised(parts[EVERY_WORD].split("\n", 1)[1])
    for _, heading, _ in md.headings(parts[EVERY_WORD]):
        places[md.slug(heading)] = "words"
    left = [title for title in parts if title not in placed]
    if left:
        raise SystemExit(f"scripts/site/word_groups.py: no page for the sections {left} of docs/case-format.md")
    shown = {(section, row[0]) for group in GROUPS for section, row in words_of_group(group, words)}
    lost = [row[0] for section, rows in words.items() for row in rows if (section, row[0]) not in shown]
    if lost:
        raise SystemExit(f"scripts/site/word_groups.py: no page for the words {lost}")
    return pages, places
