# SPDX-License-Identifier: Apache-2.0
"""Links, lists and pictures of the documentation, without a network and without the program."""
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "site"))
import md  # noqa: E402

MOST_BYTES = {".png": 60_000, ".mp4": 200_000}  # of a picture and of a film in the gallery


def pages():
    """The Markdown of the repository; where there is no git, that of the folders which have any."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "*.md"],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / name for name in listed.stdout.splitlines()]
    return [*ROOT.glob("*.md"), *(page for folder in ("docs", "python", "tests") for page in (ROOT / folder).rglob("*.md"))]


def offences(page, text):
    """Links of a page that lead nowhere."""
    out = []
    for target in md.links(text):
        if md.is_outside(target):
            continue
        path, _, anchor = target.partition("#")
        to = (page.parent / path).resolve() if path else page
        if not to.exists():
            out.append(f"{target}: there is no such file")
        elif anchor and anchor not in md.anchors(text if to == page else to.read_text(encoding="utf-8")):
            out.append(f"{target}: there is no such heading")
    return out


class Links(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        found = 0
        for page in pages():
            text = page.read_text(encoding="utf-8")
            found += len(md.links(text))
            with self.subTest(page.relative_to(ROOT)):
                self.assertEqual(offences(page, text), [])
        self.assertGreater(found, 300)

    def test_the_check_objects(self):
        page = ROOT / "README.md"
        text = "# A b\n[a](#a-b) [a](#b) [f](docs/none.md) `[c](none.md)` [g](docs/guide.md#nowhere) [h](https://a.b/c)\n"
        self.assertEqual([o.split(":")[0] for o in offences(page, text)], ["#b", "docs/none.md", "docs/guide.md#nowhere"])

    def test_the_list_of_pages_has_every_page(self):
        contents = ROOT / "docs" / "README.md"
        listed = {(contents.parent / t.partition("#")[0]).resolve() for t in md.links(contents.read_text(encoding="utf-8"))}
        for page in (ROOT / "docs").rglob("*.md"):
            if page != contents and page.parent.name != "lab":
                self.assertIn(page.resolve(), listed, "docs/README.md, from which the site's navigation is made, leaves it out")


    def test_every_picture_is_shown(self):
        shown = {(page.parent / target).resolve() for page in pages() for target in md.links(page.read_text(encoding="utf-8"))}
        pictures = [file for file in (ROOT / "docs" / "images").rglob("*") if file.is_file()]
        self.assertGreater(len(pictures), 10)
        self.assertEqual([file.name for file in pictures if file.resolve() not in shown], [])


class Gallery(unittest.TestCase):
    def test_it_shows_every_case(self):
        page = ROOT / "docs" / "gallery.md"
        targets = md.links(page.read_text(encoding="utf-8"))
        for case in (ROOT / "cases").glob("*.xml"):
            with self.subTest(case.name):
                self.assertIn(f"../cases/{case.name}", targets)
                self.assertIn(f"images/gallery/{case.stem}.png", targets)
                self.assertIn(f"images/gallery/{case.stem}.mp4", targets)

    def test_its_pictures_and_films_are_small(self):
        for picture in (ROOT / "docs" / "images" / "gallery").iterdir():
            self.assertLessEqual(picture.stat().st_size, MOST_BYTES[picture.suffix], picture.name)


if __name__ == "__main__":
    unittest.main()
