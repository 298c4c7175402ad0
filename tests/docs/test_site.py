# SPDX-License-Identifier: Apache-2.0
"""The site of docs/ is built without a warning; its links lead somewhere, and it needs no network.

SLUICE_SITE names a folder that keeps it (scripts/site.sh); skipped where Sphinx, MyST or Furo are not installed."""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


class Page(html.parser.HTMLParser):
    """Targets of links and pictures, what is loaded, and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if values.get("id"):
            self.anchors.add(values["id"])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in ("img", "script", "iframe") and values.get("src"):
            self.loads.append(values["src"])
        if tag == "link" and values.get("href") and values.get("rel") not in ("canonical",):
            self.loads.append(values["href"])


def build(folder):
    """The site in folder/html; what Sphinx has to say."""
    stage = subprocess.run([sys.executable, ROOT / "scripts/site/stage.py", ROOT, folder / "source"], capture_output=True, text=True, check=False)
    if stage.returncode != 0:
        return stage.stderr
    shutil.rmtree(folder / "html", ignore_errors=True)
    sphinx = subprocess.run(["sphinx-build", "-q", "-W", "--keep-going", "-b", "html", "-d", folder / "doctrees", folder / "source", folder / "html"],
                            capture_output=True, text=True, check=False)
    return sphinx.stderr if sphinx.returncode != 0 else ""


def installed():
    """Whether the Python of sphinx-build has MyST and Furo."""
    program = shutil.which("sphinx-build")
    if not program:
        return False
    first = pathlib.Path(program).read_text(encoding="utf-8").split("\n", 1)[0]
    python = first[2:].split()[-1] if first.startswith("#!") else sys.executable
    return subprocess.run([python, "-c", "import myst_parser, furo"], capture_output=True, check=False).returncode == 0


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = None if os.environ.get("SLUICE_SITE") else tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(os.environ.get("SLUICE_SITE") or cls.temporary.name)
        cls.said = build(cls.folder)
        cls.site = cls.folder / "html"
        cls.pages = {file: Page(file.read_text(encoding="utf-8")) for file in cls.site.rglob("*.html")}

    @classmethod
    def tearDownClass(cls):
        if cls.temporary:
            cls.temporary.cleanup()

    def test_it_is_built_without_a_warning(self):
        self.assertEqual(self.said, "")
        self.assertGreater(len(self.pages), 50)

    def test_every_link_leads_somewhere(self):
        offences = []
        for file, page in self.pages.items():
            for link in page.links + page.loads:
                parts = urllib.parse.urlsplit(link)
                if parts.scheme or parts.netloc or (file.name == "search.html" and not parts.path):
                    continue
                to = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
                if not to.exists():
                    offences.append(f"{file.relative_to(self.site)}: {link}")
                elif parts.fragment and to in self.pages and urllib.parse.unquote(parts.fragment) not in self.pages[to].anchors:
                    offences.append(f"{file.relative_to(self.site)}: {link}: no such anchor")
        self.assertEqual(offences, [])

    def test_nothing_is_loaded_from_a_network(self):
        for file, page in self.pages.items():
            for load in page.loads:
                self.assertFalse(urllib.parse.urlsplit(load).scheme or load.startswith("//"), f"{file.name}: {load}")

    def test_words_of_the_case_language_are_found(self):
        index = (self.site / "searchindex.js").read_text(encoding="utf-8")
        found = json.loads(re.fullmatch(r"Search\.setIndex\((.*)\);?\s*", index, re.DOTALL).group(1))
        names = found["docnames"]
        for word, page in (("mvrotsinu", "case/motion"), ("awas_zsurf", "case/waves"), ("densitydt", "case/parameters")):
            at = found["terms"].get(word, [])
            self.assertIn(page, [names[i] for i in (at if isinstance(at, list) else [at])], word)

    def test_every_page_of_words_has_default_range_and_meaning(self):
        for name in ("parameters", "gauges", "waves", "bodies", "normals", "drawing"):
            text = (self.site / "case" / f"{name}.html").read_text(encoding="utf-8")
            for heading in ("default", "range", "meaning"):
                self.assertIn(f"<p>{heading}</p>", text, name)


if __name__ == "__main__":
    if not installed():
        print("skipped: no sphinx-build with myst_parser and furo")
        sys.exit(SKIPPED)
    unittest.main()
