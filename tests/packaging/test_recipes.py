# SPDX-License-Identifier: Apache-2.0
"""Recipes and what is given away beside the program: one version everywhere, whole lists, documents that tools can read."""
import ast
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def version():
    return re.search(r"^project\(sluice VERSION ([\d.]+)", text("CMakeLists.txt"), re.MULTILINE).group(1)


class Recipes(unittest.TestCase):
    def test_all_say_the_same_version(self):
        for name, pattern in (("CITATION.cff", r"^version: (\S+)$"), ("python/pyproject.toml", r'^version = "(\S+)"$'),
                              ("packaging/conda/meta.yaml", r'set version = "(\S+)"')):
            self.assertEqual(re.search(pattern, text(name), re.MULTILINE).group(1), version(), name)

    def test_each_has_every_library(self):
        """By the names that the packages of CMake have there."""
        asked = set(re.findall(r"^sluice_require(?:_pkg)?\((\w+)", text("cmake/SluiceDependencies.cmake"), re.MULTILINE))
        asked -= {"Threads", "OpenMP", "PkgConfig", "GTest"}
        self.assertEqual(len(asked), 9, "a library more or less: write it into packaging/, scripts/lib/setup.sh and docs/install.md")
        spack, conda, container = text("packaging/spack/package.py"), text("packaging/conda/meta.yaml"), text("packaging/container/Containerfile")
        names = {"TinyXML2": "tinyxml2", "muParser": "muparser", "CLI11": "cli11", "fmt": "fmt", "spdlog": "spdlog", "nlohmann_json": "nlohmann",
                 "HDF5": "hdf5", "Deflate": "deflate", "Cairo": "cairo"}
        for library in asked:
            for recipe in (spack, conda, container):
                self.assertIn(names[library], recipe, library)

    def test_the_spack_recipe_is_python(self):
        tree = ast.parse(text("packaging/spack/package.py"))
        self.assertEqual([node.name for node in tree.body if isinstance(node, ast.ClassDef)], ["Sluice"])

    def test_the_list_of_parts_names_what_is_linked(self):
        if not (shutil.which("dpkg-query") and shutil.which("ldd")):
            self.skipTest("no dpkg-query or ldd")
        program = os.environ["SLUICE"]
        made = subprocess.run([sys.executable, ROOT / "scripts/sbom.py", program, version()], capture_output=True, text=True, check=True,
                              env={**os.environ, "SOURCE_DATE_EPOCH": "86400"}).stdout
        document = json.loads(made)
        self.assertEqual((document["spdxVersion"], document["creationInfo"]["created"]), ("SPDX-2.3", "1970-01-02T00:00:00Z"))
        packages = {package["name"]: package for package in document["packages"]}
        self.assertEqual(packages["sluice"]["checksums"][0]["checksumValue"], hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest())
        self.assertIn("libc6", packages)
        known = {package["SPDXID"] for package in document["packages"]}
        for relation in document["relationships"]:
            self.assertIn(relation["relatedSpdxElement"], known)


if __name__ == "__main__":
    unittest.main()
