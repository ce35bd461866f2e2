// McNemar's test of two classifiers on the same items.

#pragma once

#include <cstdint>

namespace ablate::statistics {

/// Two-sided exact p of "each is as likely to be the only one that is right": of the items on which
/// exactly one is right, `only_first` are the first's and `only_second` the second's. 1 where there
/// are none. It is about these two trained models and other items like these, not about other
/// seeds. Source: McNemar 1947, Psychometrika 12(2), by the binomial distribution.
double mcnemar_p(std::int64_t only_first, std::int64_t only_second);

}  // namespace ablate::statistics
