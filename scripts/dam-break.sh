#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh clone to a picture of a dam break: installs what is missing (Debian, Ubuntu), builds, runs
# cases/dam-break-2d.xml to the end and says where the results are.
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

out=out/dam-break-2d

install_packages build
ensure_cmake build
configure -DSLUICE_TESTS=OFF
build sluice

say "Running cases/dam-break-2d.xml"
"$build_dir/bin/sluice" run cases/dam-break-2d.xml -o "$out" --overwrite
[ -f "$out/run.json" ] || die "the run left no $out/run.json"

say "Done"
note "frames, for ParaView: $root/$out/fluid.vtkhdf and boundary.vtkhdf (before 5.12 .xdmf); all: view.py"
note "figures of the run:   $root/$out/run.json"
for picture in "$out"/pictures/*.png; do
    [ -f "$picture" ] || die "the run left no picture in $out/pictures"
    note "picture:              $root/$picture"
done
