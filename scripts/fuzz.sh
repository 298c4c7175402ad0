#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lets the coverage-guided fuzzers look for inputs that crash, hang or take more than 1.5 GB, beginning with tests/fuzz/corpus.
#   scripts/fuzz.sh [SECONDS [KIND …]]     60 s each; kinds: case mesh checkpoint frames run_json
# What they find lies in build/sanitize/fuzz/KIND, and the corpora grow there from call to call.
set -euo pipefail
preset=sanitize
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

seconds=${1:-60}
[ "$#" -gt 0 ] && shift
kinds=("$@")
[ "${#kinds[@]}" -eq 0 ] && kinds=(case mesh checkpoint frames run_json)

install_packages sanitize
ensure_cmake test
configure -DSLUICE_TESTS=ON
cmake --build --preset "$preset" --parallel "$(build_jobs)" --target "${kinds[@]/#/fuzz_}"

# fuzz KIND: at most 1.5 GB of memory and 20 s an input
fuzz() {
    local found=$build_dir/fuzz/$1
    local -a more=()
    mkdir -p "$found/corpus" || return 1
    case $1 in
        case) more=(-dict=tests/fuzz/case.dict) ;;
        # HDF5 may ask for as much as a damaged file says, and takes no for an answer
        checkpoint | frames) more=(-malloc_limit_mb=1000000) ;;
    esac
    "$build_dir/bin/fuzz_$1" -max_total_time="$seconds" -max_len=20000 -rss_limit_mb=1500 -timeout=20 \
        -artifact_prefix="$found/" -print_final_stats=1 "${more[@]}" "$found/corpus" "tests/fuzz/corpus/$1" \
        >"$found/log" 2>&1 && return 0
    echo "fuzz_$1 found something: $found"
    tail -n 40 "$found/log"
    return 1
}
export -f fuzz
export seconds build_dir
export ASAN_OPTIONS="allocator_may_return_null=1:max_allocation_size_mb=1500"
export LSAN_OPTIONS="suppressions=$PWD/cmake/leaks.supp:print_suppressions=0"

say "Fuzzing ${kinds[*]} for $seconds s each"
printf '%s\0' "${kinds[@]}" | xargs -0 -I{} -P "$(nproc)" bash -c 'fuzz {}'
for kind in "${kinds[@]}"; do
    note "$kind: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build_dir/fuzz/$kind/log") inputs, nothing found"
done
