#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a change must pass, the quickest first. Each step is a script that runs alone, too.
#   scripts/ci.sh [step …]     lint site test tidy sanitize fuzz
# Warnings are errors here; who only builds, with whatever compiler, does not stumble over them.
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

export SLUICE_WERROR=ON
steps=(lint site test tidy sanitize fuzz)
[ "$#" -gt 0 ] && steps=("$@")
summary=()
failed=0
for step in "${steps[@]}"; do
    [ -x "scripts/$step.sh" ] || die "no step $step"
    begin=$SECONDS
    if "scripts/$step.sh"; then verdict=passed; else
        verdict=FAILED
        failed=1
    fi
    summary+=("$(printf '%-10s %-7s %5d s' "$step" "$verdict" $((SECONDS - begin)))")
done
say "Summary"
for line in "${summary[@]}"; do note "$line"; done
exit "$failed"
