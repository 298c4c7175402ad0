#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Run by conda-build. conda's own libraries stand in the prefix: none are copied.
set -euo pipefail
cmake -S . -B build/conda -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DCMAKE_PREFIX_PATH="$PREFIX" \
    -DSLUICE_TESTS=OFF -DSLUICE_CUDA=OFF -DSLUICE_MPI=OFF
cmake --build build/conda
cmake --install build/conda --prefix "$PREFIX" --component Unspecified
"$PYTHON" -m pip install --no-deps --no-build-isolation ./python
