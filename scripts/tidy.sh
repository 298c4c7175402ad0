#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy with .clang-tidy over the folders of src that are named, without arguments over those that are known to be
# clean. Every finding is an error. Needs clang-tidy 14: other versions find other things.
set -euo pipefail
preset=debug # which compiles each file by itself
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

folders=(core backend run) # the folders of headers are read with them
[ "$#" -gt 0 ] && folders=("$@")

tidy_version=14
tidies_alike() { "$1" --version 2>/dev/null | grep -q "version $tidy_version\."; }

# The clang-tidy of that version: the system's, or PyPI's in build/python.
find_clang_tidy() {
    local candidate
    for candidate in clang-tidy "clang-tidy-$tidy_version" "$venv/bin/clang-tidy"; do
        if tidies_alike "$candidate"; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

install_packages test
find_clang_tidy >/dev/null || {
    say "clang-tidy $tidy_version into build/python"
    ensure_venv || die "no Python environment could be made: install clang-tidy $tidy_version"
    pip_install "clang-tidy>=$tidy_version,<$((tidy_version + 1))" || die "clang-tidy $tidy_version could not be installed"
}
clang_tidy=$(find_clang_tidy) || die "no clang-tidy of version $tidy_version"
ensure_cmake test
configure -DSLUICE_TESTS=ON
sources=()
for folder in "${folders[@]}"; do
    mapfile -t -O "${#sources[@]}" sources < <(git ls-files "src/$folder/*.cpp")
done
say "clang-tidy: ${#sources[@]} files in ${folders[*]}"
printf '%s\0' "${sources[@]}" |
    xargs -0 -n 1 -P "$(nproc)" "$clang_tidy" -p "$build_dir" --quiet --warnings-as-errors='*'
