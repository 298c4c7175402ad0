# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the scripts share: installs what is missing, configures, builds. To be sourced by a script that has
# done `set -euo pipefail`; moves to the repository's root.

# --help: what the head of the script says
for word in "$@"; do
    case $word in -h | --help)
        sed -n '3,/^[^#]/{s/^# \{0,1\}//p}' "$0"
        exit 0
        ;;
    esac
done

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
cd -- "$root" || exit 1

preset=${preset:-release} # of CMakePresets.json; a script that wants another sets it first
build_dir=$root/build/$preset
venv=$root/build/python
cmake_minimum=3.25
library_packages=(libtinyxml2-dev libcli11-dev libfmt-dev libspdlog-dev libhdf5-dev libcairo2-dev libmuparser-dev libdeflate-dev
    nlohmann-json3-dev) # that the program is built with

say() { printf '\n== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# version_at_least FOUND MINIMUM
version_at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

cmake_is_new_enough() {
    have cmake && version_at_least "$(cmake --version | sed -n '1s/.* //p')" "$cmake_minimum"
}

package_is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Packages that this machine lacks, one a line. A tool counts as there whatever installed it; a library
# counts as there when its development package is. $1 says for what: build; test, what the tests need, too; sanitize, what
# clang's sanitizers and fuzzers need, too; lint; site; aarch64, what compiles and runs for that processor, whose libraries
# scripts/cross-aarch64.sh unpacks into a folder.
missing_packages() {
    local package
    if [ "$1" = lint ]; then
        have shellcheck || echo shellcheck
        have git || echo git
        python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || echo python3-venv
        return 0
    fi
    if [ "$1" = site ]; then
        have python3 || echo python3
        for package in python3-sphinx python3-myst-parser furo libjs-katex; do
            package_is_installed "$package" || echo "$package"
        done
        return 0
    fi
    if [ "$1" = aarch64 ]; then
        have aarch64-linux-gnu-g++ || echo g++-aarch64-linux-gnu
        have qemu-aarch64-static || echo qemu-user-static
    else
        have g++ || have c++ || echo g++
    fi
    have cmake || echo cmake
    have ninja || have make || echo ninja-build
    have pkg-config || echo pkg-config
    [ "$1" = aarch64 ] && return 0
    for package in "${library_packages[@]}"; do
        package_is_installed "$package" || echo "$package"
    done
    if [ "$1" != build ]; then
        package_is_installed libgtest-dev || echo libgtest-dev
    fi
    if [ "$1" = test ]; then # ranks as processes; a build does without
        package_is_installed libopenmpi-dev || have mpicc || echo libopenmpi-dev
        have mpirun || echo openmpi-bin
    fi
    if [ "$1" = sanitize ]; then
        have clang++ || echo clang
        package_is_installed libomp-dev || echo libomp-dev
        clang_has_fuzzer || echo libclang-rt-dev
    fi
    if [ "$1" = test ] || { have cmake && ! cmake_is_new_enough; }; then
        python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || echo python3-venv
    fi
}

# clang_has_fuzzer: whether clang finds its run-time libraries; where there is no such package they come with clang
clang_has_fuzzer() {
    [ -z "$(apt-cache --names-only search '^libclang-rt-dev$' 2>/dev/null)" ] && return 0
    have clang++ || return 1
    echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
        clang++ -fsanitize=fuzzer,address -x c++ - -o /dev/null 2>/dev/null
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif ! have sudo; then
        die "not root and no sudo: as root, run: apt-get install $packages_wanted"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@" || die "sudo asks for a password and there is no terminal: as root, run: apt-get install $packages_wanted"
    fi
}

# install_packages build|test|sanitize|lint|site|aarch64: nothing is run as root when nothing is missing
install_packages() {
    local -a missing
    say "Packages"
    have dpkg-query || {
        note "no dpkg on this machine: nothing is installed, CMake will name what it does not find"
        return 0
    }
    mapfile -t missing < <(missing_packages "$1")
    if [ "${#missing[@]}" -eq 0 ]; then
        note "all there"
        return 0
    fi
    packages_wanted="${missing[*]}"
    note "installing: $packages_wanted"
    have apt-get || die "no apt-get: install these packages: $packages_wanted"
    local -a apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
    as_root "${apt[@]}" update || note "apt-get update failed: going on with the package lists that are there"
    as_root "${apt[@]}" install --no-install-recommends "${missing[@]}" || die "apt-get could not install: $packages_wanted"
}

# ensure_venv: a Python environment of our own under build/; fails where python3-venv is absent
ensure_venv() {
    [ -x "$venv/bin/python" ] && "$venv/bin/python" -m pip --version >/dev/null 2>&1 && return 0
    mkdir -p "$root/build"
    python3 -m venv --clear "$venv"
}

pip_install() { "$venv/bin/python" -m pip install --quiet --retries 2 --disable-pip-version-check --only-binary :all: "$@"; }

# ensure_cmake build|test: Ubuntu 22.04 has an older CMake than the presets need; PyPI has a newer one.
ensure_cmake() {
    cmake_is_new_enough && return 0
    if [ ! -x "$venv/bin/cmake" ]; then
        say "CMake $cmake_minimum or newer (this system's is older) into build/python"
        install_packages "$1"
        ensure_venv || die "no Python environment could be made: install python3-venv, or CMake $cmake_minimum"
        pip_install 'cmake>=3.25,<4' || die "CMake $cmake_minimum could not be installed: install it and put it on PATH"
    fi
    export PATH=$venv/bin:$PATH
    cmake_is_new_enough || die "CMake $cmake_minimum or newer is needed"
}

# As many compile jobs as cores, but no more than memory allows at 1.5 GB each.
build_jobs() {
    local cores memory_kb jobs
    cores=$(nproc)
    memory_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || true)
    jobs=$((${memory_kb:-4000000} / 1500000))
    [ "$jobs" -lt 1 ] && jobs=1
    [ "$jobs" -gt "$cores" ] && jobs=$cores
    echo "$jobs"
}

# The GPU of this machine, or one architecture to compile for where there is none: code for all of them takes several
# times as long to build and is for those who pass the program on.
cuda_architectures() {
    if have nvidia-smi && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then echo native; else echo 90; fi
}

# configure [cmake arguments …]: with Ninja where it is installed, else make. A build folder keeps its generator, or
# is begun anew where that is gone.
configure() {
    local -a generator=()
    have ninja || generator=(-G "Unix Makefiles")
    case "$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build_dir/CMakeCache.txt" 2>/dev/null || true)" in
        Ninja) have ninja || generator+=(--fresh) ;;
        "Unix Makefiles") if have make; then generator=(-G "Unix Makefiles"); else generator+=(--fresh); fi ;;
    esac
    say "Configuring (preset $preset)"
    cmake --preset "$preset" "${generator[@]}" -DSLUICE_CUDA_ARCHITECTURES="$(cuda_architectures)" \
        ${SLUICE_WERROR:+-DSLUICE_WERROR="$SLUICE_WERROR"} "$@"
}

# build <target>
build() {
    local jobs
    jobs=$(build_jobs)
    say "Building with $jobs job(s)"
    cmake --build --preset "$preset" --parallel "$jobs" --target "$@"
}
