// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/operators.h"

// What an evaluation of MPS operators is, as run-time choices, and the one place that turns them into template
// arguments.

namespace sluice::mps {

enum class DomainShape { sphere, cube };
enum class DifferentialOperator { gradient, laplacian, lsmps };

/// How the candidates of a particle are visited in the buckets around its own.
enum class Visit {
    linked_list,  ///< bucket by bucket, each a chain of particles (Program 7 of the paper)
    forward_star, ///< bucket by bucket, each a range of the sorted particles
    runs,         ///< the buckets of a row along x are one range (Program 8)
    reached_runs  ///< the same, without the rows and the ends of rows that the domain does not reach
};

/// How many numbers an operator gives for a particle.
constexpr int result_count(DifferentialOperator which) { return which == DifferentialOperator::laplacian ? 1 : 3; }

inline namespace SLUICE_ISA {

/// Calls `f` with objects of the operator's type (Gradient<Shape>, Laplacian<Shape> or Lsmps<Shape>) and of Shape.
template <class F>
decltype(auto) with_operator_of(DifferentialOperator which, DomainShape shape, F&& f) {
    const auto of_shape = [&]<class Shape>(Shape) -> decltype(auto) {
        switch (which) {
        case DifferentialOperator::gradient: return f(Gradient<Shape>{}, Shape{});
        case DifferentialOperator::laplacian: return f(Laplacian<Shape>{}, Shape{});
        default: return f(Lsmps<Shape>{}, Shape{});
        }
    };
    return shape == DomainShape::sphere ? of_shape(Sphere{}) : of_shape(Cube{});
}

} // namespace SLUICE_ISA
} // namespace sluice::mps
