// p-values adjusted for several comparisons. Each function returns them in their given order, so
// that each may be compared with alpha.

#pragma once

#include <span>
#include <vector>

namespace ablate::statistics {

/// Controls the probability of one false finding or more (the familywise error rate) under any
/// dependence: the k-th smallest of m is multiplied by m - k + 1, to at most 1.
/// Source: Holm 1979, Scandinavian Journal of Statistics 6(2).
std::vector<double> holm(std::span<const double> p);

/// Controls the expected fraction of false findings among all findings (the false discovery rate)
/// for independent or positively dependent tests. Reports call the result q.
/// Source: Benjamini and Hochberg 1995, Journal of the Royal Statistical Society B 57(1).
std::vector<double> benjamini_hochberg(std::span<const double> p);

/// The corrections that an experiment file may ask for.
enum class Correction { none, holm };

/// p-values adjusted by the correction.
std::vector<double> adjust(std::span<const double> p, Correction correction);

}  // namespace ablate::statistics
