// SPDX-License-Identifier: Apache-2.0
#include "bench/mps/operator_variants.h"

#include "bench/mps/device_variants.h"
#include "bench/timing.h"
#include "cpu/particles/processor.h"
#include "methods/mps/normalisation.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice::bench {

namespace {

using namespace mps;

class CpuOperators final : public OperatorRunner {
public:
    CpuOperators(const ParticleLattice& lattice, const OperatorVariant& variant, Lanes lanes)
        : lattice_(lattice), reach_{paper_radius, variant.divisions, 1},
          scale_(operator_scale(variant.shape, paper_radius, 1, 3)), evaluation_{DifferentialOperator::lsmps,
                                                                                 variant.shape, variant.visit, lanes,
                                                                                 variant.threads} {}

    OperatorSeconds run(DifferentialOperator which, int evaluations) override {
        OperatorSeconds mean;
        evaluation_.which = which;
        for (int n = 0; n < evaluations; ++n) {
            const double start = now();
            ParticleSearch search(lattice_.cloud(), reach_);
            if (evaluation_.visit == Visit::linked_list) search.make_linked_list();
            const double made = now();
            evaluate(search, scale_, evaluation_, result_);
            mean.search += (made - start) / evaluations;
            mean.evaluate += (now() - made) / evaluations;
            const std::size_t structure =
                evaluation_.visit == Visit::linked_list ? search.linked_list_bytes() : search.forward_star_bytes();
            bytes_ = lattice_.size() * (4 * sizeof(double) + sizeof(std::uint32_t)) + structure +
                     (result_.x.size() + result_.y.size() + result_.z.size()) * sizeof(double);
        }
        return mean;
    }
    std::size_t memory_bytes() const override { return bytes_; }

private:
    const ParticleLattice& lattice_;
    Reach reach_;
    OperatorScale scale_;
    Evaluation evaluation_;
    Derivatives result_;
    std::size_t bytes_ = 0;
};

OperatorVariant cpu_operators(const std::string& name, DomainShape shape, Visit visit, int divisions, Lanes lanes,
                              const std::string& paper) {
    OperatorVariant variant{"CPU: " + name,    false, shape, visit, divisions, std::string(name_of(lanes)),
                            default_threads(), paper, {}};
    variant.make = [variant, lanes](const ParticleLattice& lattice) -> std::unique_ptr<OperatorRunner> {
        return std::make_unique<CpuOperators>(lattice, variant, lanes);
    };
    return variant;
}

} // namespace

ParticleLattice::ParticleLattice(int side_) : side(side_) {
    for (int k = 0; k < side; ++k)
        for (int j = 0; j < side; ++j)
            for (int i = 0; i < side; ++i) {
                x.push_back(i);
                y.push_back(j);
                z.push_back(k);
                phi.push_back(std::sin(0.1 * i) + std::cos(0.07 * j) + 0.01 * k);
            }
}

int lattice_side(std::uint64_t particles) { return std::max(2, static_cast<int>(std::lround(std::cbrt(particles)))); }

const char* operator_name(DifferentialOperator which) {
    return which == DifferentialOperator::gradient    ? "gradient"
           : which == DifferentialOperator::laplacian ? "Laplacian"
                                                      : "LSMPS";
}

std::vector<OperatorVariant> operator_variants() {
    const auto sphere = DomainShape::sphere, cube = DomainShape::cube;
    std::vector<OperatorVariant> variants{
        cpu_operators("linked list", sphere, Visit::linked_list, 1, Lanes::one, "linked list"),
        cpu_operators("buckets of a forward star", sphere, Visit::forward_star, 1, Lanes::one, ""),
        cpu_operators("forward star", sphere, Visit::runs, 1, Lanes::one, "forward star"),
        cpu_operators("n_div 2", sphere, Visit::runs, 2, Lanes::one, ""),
        cpu_operators("n_div 3", sphere, Visit::runs, 3, Lanes::one, "n_div 3"),
        cpu_operators("n_div 3, cube", cube, Visit::runs, 3, Lanes::one, "n_div 3, cube")};
    if (const Lanes widest = widest_lanes(); widest != Lanes::one) {
        const std::string simd(name_of(widest));
        variants.push_back(cpu_operators("n_div 3, " + simd, sphere, Visit::runs, 3, widest, ""));
        variants.push_back(cpu_operators("n_div 3, cube, " + simd, cube, Visit::runs, 3, widest, ""));
    }
    for (OperatorVariant& variant : device_operator_variants()) variants.push_back(std::move(variant));
    return variants;
}

} // namespace sluice::bench
