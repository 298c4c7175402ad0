#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws the pictures of docs/gallery.md and makes its films: a coarse run of each case of cases/, its last frame as PNG of at
# most 60 kB and, where there is ffmpeg, all of them as MP4 of at most 200 kB into docs/images/gallery. Some minutes on two cores. SLUICE names the program, else it is that of build/release, or of the PATH.
#   scripts/gallery.sh [CASE …]     names without .xml; all cases if there is none
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

most_bytes=60000
most_film_bytes=200000
program=${SLUICE:-$build_dir/bin/sluice}
[ -x "$program" ] || program=$(command -v sluice) || die "no sluice: build it, or set SLUICE"
target=$root/docs/images/gallery

# case, spacing (m), end (s), options of `sluice picture`. A case without a line is drawn as it is, at its end.
settings() {
    case $1 in
        dam-break-2d) echo 0.04 0.6 --crop -0.1 0 -0.1 4.1 0 2.1 ;;
        dam-break-3d) echo 0.025 0.5 ;;
        pillars-3d) echo 0.03 0.6 ;;
        boulder-stl) echo 0.03 0.6 ;;
        hydrostatic-tank) echo 0.02 0.5 --colour pressure ;;
        sloshing-2d) echo 0.01 2.6 ;;
        poiseuille) echo - - --colour vx ;;
        weir-2d) echo 0.025 1.2 ;;
        open-channel-2d) echo 0.03 3 ;;
        wave-flume-2d) echo 0.02 3.8 ;;
        wave-dike-2d) echo 0.02 5 ;;
        wave-wall-2d) echo 0.02 3.6 ;;
        floating-box-2d) echo 0.02 0.5 ;;
        wave-flap-2d) echo 0.025 5.6 --crop 0 0 -0.02 5 0 0.6 ;;
        moored-buoy-2d) echo 0.025 5 --crop 0 0 -0.02 5 0 0.6 ;;
        moored-box-2d) echo 0.02 3.2 --crop 0 0 -0.02 5 0 0.6 ;;
        elastic-gate-2d) echo 0.0025 0.16 --crop -0.01 0 -0.01 0.35 0 0.16 ;;
        double-pendulum) echo - 0.5 --colour mk ;;
        *) echo - - ;;
    esac
}

# draw CASE: the picture is made narrower until it is small enough
draw() {
    local -a words options=()
    read -ra words <<<"$(settings "$1")"
    [ "${words[0]}" = - ] || options+=(--dp "${words[0]}")
    [ "${words[1]}" = - ] || options+=(--tmax "${words[1]}")
    "$program" run "cases/$1.xml" -o "$work/$1" --pictures 0 --quiet "${options[@]}"
    local width
    for width in 900 800 700 600; do
        "$program" picture "$work/$1" -o "$work/$1.png" --width "$width" --title "" "${words[@]:2}" --quiet
        [ "$(stat -c %s "$work/$1.png")" -gt "$most_bytes" ] || break
    done
    [ "$(stat -c %s "$work/$1.png")" -le "$most_bytes" ] || die "$1: the picture has more than $most_bytes bytes: take a larger spacing"
    mv "$work/$1.png" "$target/$1.png"
    note "$1: $(stat -c %s "$target/$1.png") bytes, $width pixels wide"
    command -v ffmpeg >/dev/null || return 0
    local every
    for every in 1 2 4; do
        "$program" movie "$work/$1" -o "$work/$1.mp4" --width 640 --fps 12 --every "$every" --title "" "${words[@]:2}" --quiet
        [ "$(stat -c %s "$work/$1.mp4")" -gt "$most_film_bytes" ] || break
    done
    mv "$work/$1.mp4" "$target/$1.mp4"
    note "$1: film of $(stat -c %s "$target/$1.mp4") bytes"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$target"
names=("$@")
if [ "$#" -eq 0 ]; then for file in cases/*.xml; do names+=("$(basename "$file" .xml)"); done; fi
say "Drawing the cases"
for name in "${names[@]}"; do draw "$name"; done
