#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy with .clang-tidy over the folders of src that are named, without arguments over those that are known to be
# clean. Every finding is an error. Needs clang-tidy 14: other versions find other things.
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

folders=(core backend run) # the folders of headers are read with them
[ "$#" -gt 0 ] && folders=("$@")

if ! have clang-tidy || ! clang-tidy --version | grep -q 'version 14\.'; then die "no clang-tidy 14: apt-get install clang-tidy"; fi
install_packages test
ensure_cmake test
configure -DSLUICE_TESTS=ON
sources=()
for folder in "${folders[@]}"; do
    mapfile -t -O "${#sources[@]}" sources < <(git ls-files "src/$folder/*.cpp")
done
say "clang-tidy: ${#sources[@]} files in ${folders[*]}"
printf '%s\0' "${sources[@]}" |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$build_dir" --quiet --warnings-as-errors='*'
