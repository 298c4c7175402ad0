// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/evaluate.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

// What the mps-* experiments compare: ways to search and to visit, on the CPU and on a GPU.

namespace sluice::bench {

/// The particles of Murotani et al. (2015): a cubic lattice, here with the spacing 1 m, and a smooth value to derive.
struct ParticleLattice {
    explicit ParticleLattice(int side);
    mps::Cloud cloud() const { return {x, y, z, phi}; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(x.size()); }

    int side; ///< particles along each axis
    std::vector<double> x, y, z, phi;
};

/// The paper's number of particles along each axis, and its radius in spacings.
inline constexpr int paper_side = 61;
inline constexpr double paper_radius = 3.1;

/// Particles along each axis for about so many in all, 2 at least.
int lattice_side(std::uint64_t particles);

/// What one evaluation takes, s.
struct OperatorSeconds {
    double search = 0;   ///< to sort the particles and to make the structure
    double evaluate = 0; ///< the operator
};

/// One version, made ready for one lattice.
class OperatorRunner {
public:
    virtual ~OperatorRunner() = default;
    /// The mean of so many evaluations, each with a search of its own.
    virtual OperatorSeconds run(mps::DifferentialOperator which, int evaluations) = 0;
    virtual std::size_t memory_bytes() const = 0;
};

struct OperatorVariant {
    std::string name;
    bool gpu = false;
    mps::DomainShape shape = mps::DomainShape::sphere;
    mps::Visit visit = mps::Visit::runs;
    int divisions = 1;
    std::string lanes; ///< instruction set, or GPU architecture
    int threads = 0;   ///< of the CPU
    std::string paper; ///< the paper's version that it stands for, as in paper_numbers(); empty: none
    std::function<std::unique_ptr<OperatorRunner>(const ParticleLattice&)> make;
};

/// All versions that run here: the CPU's, then the GPU's.
std::vector<OperatorVariant> operator_variants();

/// "gradient", "Laplacian", "LSMPS".
const char* operator_name(mps::DifferentialOperator which);
inline constexpr mps::DifferentialOperator all_operators[] = {
    mps::DifferentialOperator::gradient, mps::DifferentialOperator::laplacian, mps::DifferentialOperator::lsmps};

} // namespace sluice::bench
