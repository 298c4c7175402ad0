# SPDX-License-Identifier: Apache-2.0
"""Lays out the sources of the site: stage.py REPOSITORY FOLDER.

The pages are those of docs/, which read as they are on any code host. For the site docs/case-format.md becomes one page for each
group of words, what lies outside of docs/ comes along, links follow, and the lists of docs/README.md become the navigation."""
import os
import pathlib
import re
import shutil
import sys

import md
from case_pages import case_pages

CASE_PAGE = "docs/case-format.md"
# Pages from the root of the repository, and what its folders are on the site.
ROOT_PAGES = {"CONTRIBUTING.md": "project/contributing.md", "CHANGELOG.md": "project/changelog.md", "SECURITY.md": "project/security.md"}
FOLDERS = {"cases": "gallery.md", "python": "python.md", "docs/lab": "lab/README.md"}
FILES = ("LICENSE",)
KATEX = pathlib.Path("/usr/share/javascript/katex")  # of the package libjs-katex; without it formulas stay TeX


class Site:
    def __init__(self, root, out):
        self.root, self.out = root, out
        case = (root / CASE_PAGE).read_text(encoding="utf-8")
        ranges = (root / "docs" / "case-ranges.md").read_text(encoding="utf-8")
        self.case, self.places = case_pages(case, ranges)  # pages by name; anchor of docs/case-format.md: name of its page

    def staged(self, target):
        """Where the site has a file of the repository: path in the site, or None."""
        if target in ROOT_PAGES:
            return ROOT_PAGES[target]
        if target in FOLDERS:
            return FOLDERS[target]
        if target in ("README.md", "docs/README.md"):
            return "index.md"
        if target.startswith("docs/"):
            return target[len("docs/"):]
        if (self.root / target).is_file():
            self.copy(target, "files/" + target)
            return "files/" + target
        return None

    def copy(self, source, to):
        """A file as it is."""
        (self.out / to).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / source, self.out / to)

    def new_target(self, source, page, target):
        """A link of the page `source` of the repository, as it must read on `page` of the site."""
        if md.is_outside(target):
            return target
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(source), path)) if path else source
        if path == CASE_PAGE:
            to = f"case/{self.places[anchor] if anchor else 'index'}.md"
        else:
            to = self.staged(path)
        if to is None:
            raise SystemExit(f"{source}: the site has no place for the link {target}")
        if to == page and anchor:
            return "#" + anchor
        return os.path.relpath(to, os.path.dirname(page) or ".") + (f"#{anchor}" if anchor else "")

    def write(self, source, page, text):
        """A page of the site from the text of `source`."""
        file = self.out / page
        file.parent.mkdir(parents=True, exist_ok=True)
        text = md.replace_links(text, lambda target: self.new_target(source, page, target))
        file.write_text(text.replace("```math\n", "```{math}\n"), encoding="utf-8")

    def navigation(self, text):
        """A toctree under each list of links: `## Heading`, then `- [page](…)`."""
        out = []
        for part in re.split(r"(?m)^(?=## )", text):
            pages = []
            for target in md.links(part):
                page = target.partition("#")[0]
                if page.endswith(".md") and page not in pages and not md.is_outside(target):
                    pages.append(page)
            out.append(part.rstrip() + "\n")
            if part.startswith("## ") and pages:
                names = [os.path.relpath(self.new_target("docs/README.md", "index.md", page), ".")[:-len(".md")] for page in pages]
                out.append("\n```{toctree}\n:hidden:\n:caption: " + part.split("\n", 1)[0][3:] + "\n\n" + "\n".join(names) + "\n```\n")
        return "\n".join(out)

    def build(self):
        """All of it, in an empty folder."""
        shutil.rmtree(self.out, ignore_errors=True)
        docs = self.root / "docs"
        children = [name for name in self.case if name != "index"]
        self.case["index"] += "\n```{toctree}\n:maxdepth: 1\n\n" + "\n".join(children) + "\n```\n"
        for name, text in self.case.items():
            self.write(CASE_PAGE, f"case/{name}.md", text)
        for file in sorted(docs.rglob("*")):
            source = file.relative_to(self.root).as_posix()
            if file.is_dir() or source == CASE_PAGE:
                continue
            if file.suffix != ".md":
                self.copy(source, source[len("docs/"):])
            elif source == "docs/README.md":
                self.write(source, "index.md", self.navigation(file.read_text(encoding="utf-8")))
            else:
                self.write(source, source[len("docs/"):], file.read_text(encoding="utf-8"))
        for source, page in ROOT_PAGES.items():
            self.write(source, page, (self.root / source).read_text(encoding="utf-8"))
        for name in FILES:
            self.copy(name, "files/" + name)
        self.settings()

    def settings(self):
        """What Sphinx reads besides the pages: its settings, and KaTeX for the formulas."""
        here = pathlib.Path(__file__).parent
        shutil.copyfile(here / "conf.py", self.out / "conf.py")
        static = self.out / "_static"
        static.mkdir()
        shutil.copyfile(here / "formulas.js", static / "formulas.js")
        if KATEX.is_dir():
            shutil.copytree(KATEX, static / "katex", ignore=shutil.ignore_patterns("*.mjs", "contrib", "katex.js", "katex.css", "*.ttf"))


if __name__ == "__main__":
    Site(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()).build()
