#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the validations of docs/validation.md that take minutes, and prints their figures.
#   scripts/validate.sh [NAME]     those whose name matches; all without
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

install_packages test
ensure_cmake test
configure -DSLUICE_TESTS=ON
build validate validate_structures sluice
say "Validating"
ctest --preset "$preset" --label-regex long --tests-regex "${1:-.}" --verbose
