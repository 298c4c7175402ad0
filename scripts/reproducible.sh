#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the program twice, from copies of the committed sources in two folders of different names, and compares the bytes.
#   scripts/reproducible.sh
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

install_packages build
ensure_cmake build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# build_copy FOLDER: compiler paths are written as if the sources were in /sluice
build_copy() {
    mkdir -p "$1"
    git archive HEAD | tar -x -C "$1"
    say "Building in $1"
    cmake -S "$1" -B "$1/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DSLUICE_TESTS=OFF -DSLUICE_CUDA=OFF -DSLUICE_MPI=OFF \
        -DCMAKE_CXX_FLAGS="-ffile-prefix-map=$1=/sluice" >/dev/null
    cmake --build "$1/build" --parallel "$(build_jobs)" --target sluice >/dev/null
}

build_copy "$work/a"
build_copy "$work/another"
if cmp "$work/a/build/bin/sluice" "$work/another/build/bin/sluice"; then
    say "The same bytes: $(sha256sum <"$work/a/build/bin/sluice" | cut -d' ' -f1)"
else
    die "the two programs differ"
fi
