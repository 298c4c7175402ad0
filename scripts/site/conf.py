# SPDX-License-Identifier: Apache-2.0
"""Settings of Sphinx for the site: Markdown by MyST, the theme Furo, formulas by KaTeX; nothing comes from a network."""
import html
import pathlib

from docutils.nodes import SkipNode

project = "Sluice"
author = "The Sluice authors"
project_copyright = author
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
language = "en"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
nitpicky = True
suppress_warnings = ["misc.highlighting_failure"]  # XML with … in it
html_theme = "furo"
html_title = "Sluice"
html_static_path = ["_static"]
html_show_sphinx = False
html_show_sourcelink = False
html_copy_source = False

KATEX = pathlib.Path(__file__).parent / "_static" / "katex"
if KATEX.is_dir():
    html_css_files = ["katex/katex.min.css"]
    html_js_files = ["katex/katex.min.js", "formulas.js"]
html_math_renderer = "plain"


def formula(tag, display):
    """The visitor that writes a formula as the TeX that it is; formulas.js has KaTeX draw it."""

    def visit(translator, node):
        translator.body.append(f'<{tag} class="math" data-display="{display}">{html.escape(node.astext())}</{tag}>')
        raise SkipNode

    return visit


def setup(app):
    app.add_html_math_renderer("plain", (formula("span", ""), None), (formula("div", "1"), None))
