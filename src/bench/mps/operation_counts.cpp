// SPDX-License-Identifier: Apache-2.0
#include "bench/mps/operation_counts.h"

namespace sluice::bench {

namespace {

OperationCounts counted; // by the numbers below, since the last reset

struct CountedReal {
    bool product = false; ///< of a multiplication that nothing has been added to

    CountedReal() = default;
    explicit CountedReal(double) {}
    CountedReal& operator+=(CountedReal b);
};

CountedReal operator+(CountedReal a, CountedReal b) {
    if (a.product || b.product) {
        ++counted.fused;
        --counted.multiplications;
    } else {
        ++counted.additions;
    }
    return {};
}
CountedReal operator-(CountedReal a, CountedReal b) { return a + b; }
CountedReal operator*(CountedReal, CountedReal) {
    ++counted.multiplications;
    CountedReal result;
    result.product = true;
    return result;
}
CountedReal& CountedReal::operator+=(CountedReal b) { return *this = *this + b; }
CountedReal positive_part(CountedReal) { return {}; }
CountedReal absolute(CountedReal) { return {}; }
CountedReal square_root(CountedReal) {
    ++counted.roots;
    return {};
}
CountedReal reciprocal(CountedReal) {
    ++counted.reciprocals;
    return {};
}
CountedReal inverse_sqrt(CountedReal a) { return reciprocal(square_root(a)); }

} // namespace

OperationCounts& OperationCounts::operator+=(const OperationCounts& more) {
    additions += more.additions;
    multiplications += more.multiplications;
    fused += more.fused;
    roots += more.roots;
    reciprocals += more.reciprocals;
    return *this;
}

OperationCounts operator*(std::int64_t times, const OperationCounts& counts) {
    return {times * counts.additions, times * counts.multiplications, times * counts.fused, times * counts.roots,
            times * counts.reciprocals};
}

OperationCounts operations_per_pair(mps::DifferentialOperator which, mps::DomainShape shape) {
    counted = {};
    mps::with_operator_of(which, shape, []<class Op, class Shape>(Op, Shape) {
        CountedReal sums[Op::sum_count];
        Op::add(mps::Separation<CountedReal>{}, CountedReal() - CountedReal(), sums); // the difference of the values
    });
    return counted;
}

OperationCounts operations_of(mps::DifferentialOperator which, mps::DomainShape shape, std::int64_t candidates,
                              std::int64_t inside) {
    OperationCounts separation;
    separation.additions = 3;
    OperationCounts sum = candidates * separation;
    return sum += inside * operations_per_pair(which, shape);
}

} // namespace sluice::bench
