#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing (Debian, Ubuntu), builds everything and runs every test but those that take minutes each
# (scripts/validate.sh). Arguments go to ctest.
# SLUICE_REQUIRE_GPU=1 makes a test fail that would be skipped for want of a GPU.
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

# test_python: makes the Python that reads results back with VTK and pandas; without it those tests are skipped
test_python() {
    say "Python with VTK and pandas for the tests, in build/python"
    if ! ensure_venv; then
        note "no Python environment: the tests that read results with VTK and pandas will be skipped"
    elif "$venv/bin/python" -c 'import h5py, matplotlib, numpy, pandas, setuptools, vtkmodules.vtkIOHDF, wheel' >/dev/null 2>&1; then
        note "already there"
    elif ! pip_install 'vtk>=9.3' h5py numpy pandas matplotlib setuptools wheel; then
        note "VTK and pandas could not be installed from PyPI: the tests that read results with them will be skipped"
    fi
}

install_packages test
ensure_cmake test
test_python
if [ -x "$venv/bin/python" ]; then
    configure -DSLUICE_TESTS=ON -DSLUICE_TEST_PYTHON="$venv/bin/python"
else
    configure -DSLUICE_TESTS=ON
fi
build all

say "Testing"
ctest --preset "$preset" --label-exclude long --parallel "$(nproc)" "$@"
