# SPDX-License-Identifier: Apache-2.0
"""Sluice for Spack. With this folder as packages/sluice of a repository of your own, and the sources in DIR:

    spack dev-build --source-path DIR sluice@main +cuda cuda_arch=90
"""
from spack.package import *


class Sluice(CMakePackage, CudaPackage):
    """Smoothed particle hydrodynamics for free-surface flow, on CPUs and GPUs."""

    license("Apache-2.0")

    version("main")

    variant("mpi", default=True, description="Ranks on several hosts")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("tinyxml2")
    depends_on("muparser")
    depends_on("cli11")
    depends_on("fmt")
    depends_on("spdlog+shared")
    depends_on("nlohmann-json")
    # without its drivers for networks: see docs/install.md
    depends_on("hdf5@1.10: ~mpi")
    depends_on("libdeflate@1.10:")
    depends_on("cairo@1.16: ~X")
    depends_on("mpi@3:", when="+mpi")
    depends_on("cuda@12:", when="+cuda")

    def cmake_args(self):
        args = [
            self.define("SLUICE_TESTS", False),
            self.define_from_variant("SLUICE_CUDA", "cuda"),
            self.define_from_variant("SLUICE_MPI", "mpi"),
        ]
        arch = self.spec.variants["cuda_arch"].value if self.spec.satisfies("+cuda") else ("none",)
        if arch != ("none",):
            args.append(self.define("SLUICE_CUDA_ARCHITECTURES", arch))
        return args
