# SPDX-License-Identifier: Apache-2.0
"""The package is typed, documented, and builds and installs without the network."""
import ast
import inspect
import os
import re
import shutil
import subprocess
import sys
import tarfile
import unittest
import zipfile

from package_test import ROOT, PackageTest, has

import sluice

PACKAGE = ROOT / "python"
SOURCES = sorted((PACKAGE / "src" / "sluice").glob("*.py"))


class Package(PackageTest):
    def source(self):
        """A copy of the package, in which setuptools may leave what it builds."""
        ignore = shutil.ignore_patterns("*.egg-info", "build", "__pycache__", ".mypy_cache")
        return shutil.copytree(PACKAGE, self.dir / "python", ignore=ignore)

    def python(self, *arguments, **options):
        done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    @unittest.skipUnless(has("setuptools", "wheel", "pip"), "no setuptools, wheel or pip")
    def test_wheel_and_source_build_offline_and_install(self):
        source = self.source()
        environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        code = "import setuptools.build_meta as b; print(b.build_sdist('dist')); print(b.build_wheel('dist'))"
        self.python("-c", code, cwd=source, env=environment)
        (wheel,) = (source / "dist").glob("*.whl")
        (archive,) = (source / "dist").glob("*.tar.gz")
        names = set(zipfile.ZipFile(wheel).namelist())
        self.assertLessEqual({f"sluice/{path.name}" for path in SOURCES} | {"sluice/py.typed"}, names)
        self.assertTrue(any(name.endswith("src/sluice/py.typed") for name in tarfile.open(archive).getnames()))
        self.python("-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--target", self.dir / "site", source,
                    env=environment)
        installed = {**os.environ, "PYTHONPATH": str(self.dir / "site")}
        where = self.python("-c", "import sluice; print(sluice.__file__, sluice.__version__)", env=installed, cwd=self.dir)
        self.assertEqual(where.split(), [str(self.dir / "site" / "sluice" / "__init__.py"), sluice.__version__])

    def test_versions_agree(self):
        project = re.search(r"project\(sluice VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        said = re.search(r'^version = "(.*)"', (PACKAGE / "pyproject.toml").read_text(), re.MULTILINE).group(1)
        self.assertEqual({project, said, sluice.__version__}, {project})

    @unittest.skipUnless(has("mypy"), "no mypy")
    def test_types_are_right(self):
        environment = {**os.environ, "MYPYPATH": "src"}
        self.python("-m", "mypy", "--cache-dir", self.dir / "mypy", cwd=PACKAGE, env=environment)

    def test_every_public_thing_has_a_docstring(self):
        missing = []
        for path in SOURCES:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    members = [one for one in node.body if isinstance(one, ast.FunctionDef) and not one.decorator_list]
                    missing += [f"{path.name}: {node.name}"] * (ast.get_docstring(node) is None)
                    missing += [f"{path.name}: {node.name}.{one.name}" for one in members
                                if not one.name.startswith("_") and ast.get_docstring(one) is None and path.name[0] != "_"]
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and ast.get_docstring(node) is None:
                    missing.append(f"{path.name}: {node.name}")
        self.assertEqual(missing, [])

    def test_all_names_what_there_is(self):
        self.assertEqual(sluice.__all__, sorted(sluice.__all__))
        public = {name for name, value in vars(sluice).items() if not name.startswith("_") and not inspect.ismodule(value)}
        self.assertEqual(public | {"shapes"}, set(sluice.__all__))

    def test_results_need_no_other_packages(self):
        code = ("import sys\nfor name in ('pandas', 'xarray', 'pyvista', 'matplotlib'): sys.modules[name] = None\n"
                "import sluice; sluice.Case(sys.argv[1])")
        self.python("-c", code, PACKAGE.parent / "cases" / "dam-break-2d.xml")

    def test_the_manual_names_what_there_is(self):
        """Every name of the package that docs/python.md uses is there, its scripts are Python, and the case that it builds can run."""
        text = (ROOT / "docs" / "python.md").read_text("utf-8")
        scripts = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        self.assertGreater(len(scripts), 4)
        for script in scripts:
            ast.parse(script)
        (built,) = [script for script in scripts if "Case.new" in script]
        names = {}
        exec(built, names)
        self.assertTrue(sluice.check(names["case"])["runnable"])
        for name in sorted(set(re.findall(r"\bsluice\.(shapes\.)?(\w+)\(", text))):
            self.assertTrue(hasattr(sluice.shapes if name[0] else sluice, name[1]), name)


if __name__ == "__main__":
    unittest.main()
