#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes what is given away, in build/dist: the folder for other machines (.tar.gz), the Debian package, sdist and wheel of the
# Python package, a list of what the program is made of (SPDX), and SHA256SUMS of all. Builds first (preset release).
#   scripts/release.sh
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

dist=$root/build/dist
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH

install_packages build
have dpkg-shlibdeps || die "dpkg-shlibdeps is needed: install dpkg-dev"
ensure_cmake build
configure -DSLUICE_TESTS=OFF
build all

rm -rf "$dist"
mkdir -p "$dist"
say "Packing"
(cd "$build_dir" && cpack -G TGZ -B "$dist" >/dev/null && cpack -G DEB -B "$dist" >/dev/null)
rm -rf "$dist/_CPack_Packages"
ensure_venv || die "no Python environment could be made: install python3-venv"
pip_install build setuptools wheel
"$venv/bin/python" -m build --no-isolation --outdir "$dist" python >/dev/null
version=$(sed -n 's/^project(sluice VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
python3 scripts/sbom.py "$build_dir/bin/sluice" "$version" >"$dist/sluice-$version.spdx.json"
(cd "$dist" && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
note "sha256sum -c SHA256SUMS in $dist checks them"
