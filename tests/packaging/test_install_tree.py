# SPDX-License-Identifier: Apache-2.0
"""The tree of `cmake --install` can be moved and needs nothing of the system but glibc."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

# What may be found outside the tree: glibc itself. (A build with CUDA loads the driver's libcuda when it runs.)
GLIBC = re.compile(r"(linux-vdso|ld-linux[^/]*|lib(c|m|mvec|pthread|dl|rt|resolv|util|anl|nsl))\.so")


class InstallTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        top = pathlib.Path(cls.folder.name)
        subprocess.run([os.environ["CMAKE"], "--install", os.environ["SLUICE_BUILD"], "--prefix", top / "first"],
                       check=True, capture_output=True)
        cls.tree = top / "moved" / "sluice"
        cls.tree.parent.mkdir()
        (top / "first").rename(cls.tree)
        cls.environment = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def output(self, *command):
        return subprocess.run(command, check=True, capture_output=True, text=True, env=self.environment, cwd="/").stdout

    def test_every_library_but_glibc_is_found_inside(self):
        found = 0
        for line in self.output("ldd", self.tree / "bin" / "sluice").splitlines():
            name, _, path = line.strip().partition(" => ")
            if GLIBC.match(os.path.basename(name.split(" ")[0])):
                continue
            self.assertTrue(os.path.realpath(path.split(" ")[0]).startswith(os.path.realpath(self.tree)), line)
            found += 1
        self.assertGreater(found, 5)

    def test_nothing_of_glibc_or_the_driver_is_copied(self):
        for library in (self.tree / "lib").iterdir():
            self.assertNotRegex(library.name, GLIBC)
            self.assertNotRegex(library.name, r"^lib(cuda\.so|nvidia)")

    def test_it_runs_a_case_of_its_own(self):
        case = self.tree / "share" / "sluice" / "cases" / "dam-break-2d.xml"
        self.output(self.tree / "bin" / "sluice", "info")
        out = pathlib.Path(self.folder.name) / "out"
        self.output(self.tree / "bin" / "sluice", "run", case, "-o", out, "--dp", "0.1", "--steps", "5")
        self.assertTrue((out / "run.json").exists())

    def test_links_of_the_readme_and_the_guide_lead_somewhere(self):
        documents = self.tree / "share" / "doc" / "sluice"
        for page in (documents / "README.md", documents / "docs" / "guide.md", documents / "docs" / "environment.md",
                     documents / "docs" / "clusters.md"):
            links = re.findall(r"\]\(([^)#]+)", page.read_text())
            self.assertGreater(len(links), 2, page)
            for link in links:
                if not link.startswith("http"):
                    self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")

    def test_licences_travel_with_it(self):
        documents = self.tree / "share" / "doc" / "sluice"
        for name in ("LICENSE", "README.md", "CHANGELOG.md"):
            self.assertTrue((documents / name).exists(), name)
        if os.path.exists("/usr/bin/dpkg-query"):
            self.assertTrue(any((documents / "licences").glob("libhdf5*")))


if __name__ == "__main__":
    unittest.main()
