# SPDX-License-Identifier: Apache-2.0
"""The Debian package of `cpack -G DEB`: its lists, and, with SLUICE_CHROOT, that a bare Debian installs and runs it.

SLUICE_CHROOT=make lets debootstrap make the chroot (as root, with a mirror of Debian, some minutes); another value is the folder of one that is
there, which is copied. Skipped without dpkg-shlibdeps."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
MIRROR = os.environ.get("SLUICE_MIRROR", "http://deb.debian.org/debian")


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


class Deb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        run(os.environ.get("CPACK", "cpack"), "-G", "DEB", "-B", cls.folder / "made", cwd=os.environ["SLUICE_BUILD"])
        cls.package = next((cls.folder / "made").glob("sluice_*.deb"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_its_head(self):
        fields = dict(line.split(": ", 1) for line in run("dpkg-deb", "-f", self.package).splitlines() if ": " in line)
        self.assertEqual((fields["Package"], fields["Section"]), ("sluice", "science"))
        self.assertIn("libc6 (>=", fields["Depends"])
        for unwanted in ("libcurl", "libopenmpi", "libx11"):
            self.assertNotIn(unwanted, fields["Depends"])

    def test_it_holds_program_pages_completion_and_cases_and_no_libraries(self):
        names = {line.split()[-1] for line in run("dpkg-deb", "-c", self.package).splitlines()}
        for name in ("bin/sluice", "share/man/man1/sluice.1", "share/man/man1/sluice-run.1", "share/bash-completion/completions/sluice",
                     "share/zsh/vendor-completions/_sluice", "share/fish/vendor_completions.d/sluice.fish", "share/sluice/cases/dam-break-2d.xml",
                     "share/doc/sluice/LICENSE"):
            self.assertIn("./usr/" + name, names)
        self.assertEqual([name for name in names if re.search(r"\.so(\.|$)", name)], [])

    def test_a_bare_system_installs_and_runs_it(self):
        wanted = os.environ.get("SLUICE_CHROOT")
        if not wanted or os.geteuid() != 0 or not shutil.which("debootstrap"):
            self.skipTest("SLUICE_CHROOT is not set, or there is no root or debootstrap")
        root = self.folder / "root"
        if wanted == "make":
            code = re.search(r"^VERSION_CODENAME=(\w+)", pathlib.Path("/etc/os-release").read_text(encoding="utf-8"), re.MULTILINE).group(1)
            run("debootstrap", "--variant=minbase", code, root, MIRROR)
        else:
            run("cp", "-a", wanted, root)
        shutil.copy(self.package, root / "tmp" / "sluice.deb")
        inside = ("chroot", root)
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"}
        run(*inside, "apt-get", "update", env=environment)
        run(*inside, "apt-get", "install", "-y", "--no-install-recommends", "/tmp/sluice.deb", env=environment)
        self.assertIn("sluice", run(*inside, "sluice", "--version", env=environment))
        run(*inside, "sluice", "run", "/usr/share/sluice/cases/dam-break-2d.xml", "-o", "/tmp/out", "--dp", "0.1", "--steps", "5", env=environment)
        self.assertTrue((root / "tmp/out/run.json").exists())
        run(*inside, "apt-get", "remove", "-y", "sluice", env=environment)
        self.assertEqual([str(left) for left in (root / "usr").rglob("*sluice*")], [])


if __name__ == "__main__":
    if not (shutil.which("dpkg-shlibdeps") and shutil.which("dpkg-deb")):
        print("skipped: no dpkg-shlibdeps")
        sys.exit(SKIPPED)
    unittest.main()
