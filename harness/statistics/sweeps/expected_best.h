// What the best of n tried settings is expected to be, from the values of all that were tried.

#pragma once

#include <span>
#include <vector>

namespace ablate::statistics {

/// The expected minimum of n values drawn with replacement from `values`, for n = 1 to the number
/// of values: the first is their mean. With the values in ascending order it is the sum of
/// v_i (((N - i + 1) / N)^n - ((N - i) / N)^n).
/// Source: Dodge et al. 2019, arXiv:1909.03004, section 3. Differs: minima, because losses are
/// tuned.
std::vector<double> expected_best(std::span<const double> values);

}  // namespace ablate::statistics
