#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds for 64-bit Arm (aarch64, CPU only) on Debian 12 for x86-64, and runs the unit tests under QEMU: in build/aarch64. Installs the cross
# compiler and QEMU where they are missing; Debian's arm64 libraries go into build/aarch64-sysroot and change nothing on this machine.
#   scripts/cross-aarch64.sh [sysroot|build|test]   up to which step (default test); what follows goes to ctest
set -euo pipefail
preset=aarch64
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

sysroot=$root/build/aarch64-sysroot
downloads=$root/build/aarch64-apt
# Not run under QEMU: it does not hold a program to its RLIMIT_AS; the others take minutes each. Of the ways to compute
# that are compared with the oracle one without vectors and one with them is left.
beyond_qemu='^Memory\.AProcessHasNoMoreThanItMayTake$|^Collisions\.|^CpuMemory\.|^CpuParticles\.WhereARunStops|^MooringSetup\.FreeNodes|^CaseBook\.Other'
beyond_qemu+='|/(asymmetric_cells_(h|2h_neon)|symmetric_cells_(2h|h_off)|slices_)'
step=${1:-test}
[ "$#" -gt 0 ] && shift
case $step in sysroot | build | test) ;; *) die "no step $step: sysroot, build or test" ;; esac

# apt-get for arm64, with lists, packages and a (empty) database of what is installed of its own
arm_apt() {
    apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= -o Debug::NoLocking=1 \
        -o Dir::State="$downloads/state" -o Dir::State::status="$downloads/status" -o Dir::Cache="$downloads/cache" \
        -o Dir::Etc::sourcelist="$downloads/sources.list" -o Dir::Etc::sourceparts=- "$@"
}

# make_sysroot: the libraries and all that they need, unpacked
make_sysroot() {
    local release file
    [ -e "$sysroot/complete" ] && return 0
    say "Debian's arm64 libraries into build/aarch64-sysroot"
    [ "$(sed -n 's/^ID=//p' /etc/os-release)" = debian ] || die "this is no Debian: configure with -DSLUICE_SYSROOT=FOLDER, a folder with libraries for aarch64"
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    rm -rf "$sysroot" "$downloads"
    mkdir -p "$downloads/state/lists/partial" "$downloads/cache/archives/partial" "$sysroot/usr/lib"
    ln -s usr/lib "$sysroot/lib"
    : >"$downloads/status"
    for file in "$release" "$release-updates"; do echo "deb http://deb.debian.org/debian $file main"; done >"$downloads/sources.list"
    echo "deb http://deb.debian.org/debian-security $release-security main" >>"$downloads/sources.list"
    arm_apt update
    arm_apt install --download-only --no-install-recommends libc6-dev libstdc++6 libgtest-dev "${library_packages[@]}"
    for file in "$downloads"/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$file" | tar -x -C "$sysroot" --keep-directory-symlink --no-same-owner
    done
    find "$sysroot" -type l -lname '/*' -printf '%l %p\n' | while read -r to link; do ln -sfnr "$sysroot$to" "$link"; done
    rm -rf "$downloads"
    : >"$sysroot/complete"
}

install_packages aarch64
make_sysroot
[ "$step" = sysroot ] && exit 0
ensure_cmake build
configure -DSLUICE_TESTS=ON
build sluice
[ "$step" = build ] && exit 0
build tests_unit
say "Testing under $(qemu-aarch64-static --version | head -n 1)"
ctest --test-dir "$build_dir" --output-on-failure -L '^unit$' -E "$beyond_qemu" --parallel "$(nproc)" "$@"
