# SPDX-License-Identifier: Apache-2.0
"""Draws the figures of the case language into docs/images/words: draw_figures.py [FOLDER]. They come from figures/, so change them there."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "figures"))
import bodies  # noqa: E402
import drawing  # noqa: E402
import measures  # noqa: E402
import motion  # noqa: E402
import shapes  # noqa: E402
import zones  # noqa: E402

FIGURES = {name: draw for module in (drawing, shapes, motion, zones, bodies, measures) for name, draw in module.FIGURES.items()}
FOLDER = HERE.parents[1] / "docs" / "images" / "words"


def draw_all():
    """{name of the file: its figure}"""
    return {f"{name}.svg": draw() for name, draw in FIGURES.items()}


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    out.mkdir(parents=True, exist_ok=True)
    for name, figure in draw_all().items():
        (out / name).write_text(figure.svg(), encoding="utf-8")
