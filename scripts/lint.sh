#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-format over every source file of the repository, shellcheck over every script. Changes nothing; with --fix the
# sources are formatted. Installs what is missing.
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

format_version=14 # another version formats differently

formats_alike() { "$1" --version 2>/dev/null | grep -q "version $format_version\."; }

# The clang-format of that version: the system's, or PyPI's in build/python.
find_clang_format() {
    local candidate
    for candidate in clang-format "clang-format-$format_version" "$venv/bin/clang-format"; do
        if formats_alike "$candidate"; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

install_packages lint
find_clang_format >/dev/null || {
    say "clang-format $format_version into build/python"
    ensure_venv || die "no Python environment could be made: install clang-format $format_version"
    pip_install "clang-format>=$format_version,<$((format_version + 1))" ||
        die "clang-format $format_version could not be installed"
}
clang_format=$(find_clang_format) || die "no clang-format of version $format_version"
mapfile -t sources < <(git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' '*.inl')
mapfile -t scripts < <(git ls-files '*.sh' .ci/run)

if [ "${1:-}" = --fix ]; then
    say "Formatting ${#sources[@]} sources"
    "$clang_format" -i "${sources[@]}"
else
    say "clang-format: ${#sources[@]} sources"
    "$clang_format" --dry-run --Werror "${sources[@]}"
fi
say "shellcheck: ${#scripts[@]} scripts"
shellcheck -x "${scripts[@]}"
