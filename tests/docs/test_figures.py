# SPDX-License-Identifier: Apache-2.0
"""The figures of the case language: each page of words has one or says that it needs none, all are what their source draws, they name
words of their page, and their text is read on a light and on a dark ground."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts" / "site"), str(ROOT / "scripts" / "site" / "figures")]
import draw_figures  # noqa: E402
import md  # noqa: E402
import svg  # noqa: E402
from case_pages import case_pages  # noqa: E402
from word_groups import GROUPS  # noqa: E402

FOLDER = "images/words/"
LEAST_CONTRAST = 4.5  # of text, WCAG 2.1, 1.4.3


def pages():
    """{name of the page: (its text, its figures)}"""
    docs = ROOT / "docs"
    texts, _ = case_pages((docs / "case-format.md").read_text(encoding="utf-8"), (docs / "case-ranges.md").read_text(encoding="utf-8"))
    return {name: (text, [t[len(FOLDER):] for t in md.links(text) if t.startswith(FOLDER)]) for name, text in texts.items()}


def colour(name, dark, what):
    """What the style of a class has for fill or stroke."""
    found = {}
    for part in svg.STYLES[name][:2 if dark else 1]:
        found.update(p.split(":", 1) for p in part.split(";"))
    return found[what]


def luminance(text):
    parts = [int(text[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return sum(w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for w, c in zip((0.2126, 0.7152, 0.0722), parts))


def contrast(a, b):
    bright, dim = sorted((luminance(a), luminance(b)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


class Figures(unittest.TestCase):
    def test_each_page_of_words_has_its_figure(self):
        shown = pages()
        for group in GROUPS:
            with self.subTest(group.name):
                self.assertEqual(bool(shown[group.name][1]), group.figure)

    def test_each_figure_is_shown_once(self):
        shown = [name for _, names in pages().values() for name in names]
        self.assertGreater(len(shown), 20)
        self.assertEqual(sorted(shown), sorted(file.name for file in (ROOT / "docs" / FOLDER).iterdir()))

    def test_figures_are_what_their_source_draws(self):
        drawn = {name: figure.svg() for name, figure in draw_figures.draw_all().items()}
        stored = {file.name: file.read_text(encoding="utf-8") for file in (ROOT / "docs" / FOLDER).iterdir()}
        self.assertEqual(sorted(drawn), sorted(stored))
        for name, text in drawn.items():
            self.assertEqual(stored[name], text, f"{name}: scripts/site/draw_figures.py draws it anew")

    def test_they_name_words_of_their_page(self):
        figures = draw_figures.draw_all()
        for text, names in pages().values():
            for name in names:
                words = {word for part in figures[name].words for word in part.split()}
                self.assertTrue(words, name)
                for word in words:
                    self.assertRegex(text, rf"(?<![\w-]){re.escape(word)}(?![\w-])", name)

    def test_text_stands_out_on_light_and_dark(self):
        for dark in (False, True):
            for ground in ("card", "water", "zone"):
                for name in svg.LETTER:
                    least = LEAST_CONTRAST if ground == "card" else 3
                    self.assertGreater(contrast(colour(name, dark, "fill"), colour(ground, dark, "fill")), least, f"{name} on {ground}, dark {dark}")

    def test_text_that_leaves_the_card_is_an_error(self):
        figure = svg.Figure("narrow", 100, 50)
        figure.text(10, 20, "`dp`")
        self.assertRaises(ValueError, figure.text, 10, 20, "longer than a hundred pixels")


if __name__ == "__main__":
    unittest.main()
