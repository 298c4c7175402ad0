#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds with clang, warnings as errors, under the address and undefined-behaviour sanitizers, and runs the unit tests so.
# Of the tests that go through all ways to compute on a CPU only those with small cells, for two of four instruction sets: the
# others are the same code once more, and would take most of an hour. Arguments go to ctest.
set -euo pipefail
preset=sanitize
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

install_packages sanitize
ensure_cmake test
configure -DSLUICE_TESTS=ON
build tests_unit
say "Testing"
ctest --preset "$preset" --label-regex unit --exclude-regex '_v[23]$|cells_2h|^CpuMovingWalls' --parallel "$(nproc)" "$@"
