#pragma once

#include <cmath>

namespace earwright::decode {

/// log(exp(a) + exp(b)) in the arguments' precision, by numpy's formula.
template <class Real>
Real logAdd(Real a, Real b)
{
    if (a == b) // also both -inf
        return a + static_cast<Real>(0.693147180559945309417232121458);
    const Real difference = a - b;
    if (difference > 0)
        return a + std::log1p(std::exp(-difference));
    return b + std::log1p(std::exp(difference));
}

} // namespace earwright::decode
