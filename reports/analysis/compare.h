// Compares arms with the baseline: paired differences, the declared test, verdicts.

#pragma once

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// Whether values with the given comparability may be compared between these two arms: never where
/// they come from stores with different text or otherwise set probes.
bool comparable_arms(Comparable across, const ArmResult& a, const ArmResult& b);

/// The values of an estimate that are there.
std::vector<double> present_values(const Estimate& estimate);

/// Arm minus other by the arm's seeds; empty where either has no value. Requires: both have the
/// metric.
Estimate paired_difference(const ArmResult& arm, const ArmResult& other, const std::string& metric);

/// Fills in Analysis::differences and Analysis::comparisons. Requires: arms and metrics are filled
/// in.
void compare(Analysis& analysis);

/// The smallest and largest number of seed pairs of the primary differences.
struct Pairs {
  std::int64_t minimum = 0, maximum = 0;
};

/// The numbers of pairs of the primary differences that have at least one; zeros where none has.
Pairs pairs_of(const Analysis& analysis);

/// What reports call the test: "exact sign-flip test", "sequential sign-flip test" over looks, or "sign-flip test" where differences over
/// many seeds are rounded first.
std::string test_name(const Analysis& analysis);

/// A sentence on how differences are rounded for the test; empty where they are not.
std::string rounding_sentence(const Analysis& analysis);

/// The number of tests that alpha is divided by at the first step of the correction; at least 1.
std::int64_t sharing(const Analysis& analysis);

/// The tests of the family in words: "5 comparisons", "4 comparisons and 1 trend".
std::string family_text(const Analysis& analysis);

/// The smallest adjusted p that a primary difference over the largest number of seeds can have.
double minimum_p(const Analysis& analysis);

/// The smallest number of seeds whose sign-flip test can reach an adjusted p below alpha; 0 where
/// that takes more than 60.
std::int64_t seeds_needed(const Analysis& analysis);

/// The verdict in words: of a primary difference "not above the floor" where that is true of all arms; "not testable with 4 seeds" where so few pairs could not have shown a
/// difference however large; otherwise the verdict's name.
std::string verdict_text(const Analysis& analysis, const Difference& difference);

/// What an inconclusive difference shows nevertheless: ", but not worse by more than 0.02", where
/// that much is the smallest effect of interest. Else empty.
std::string not_worse_text(const Analysis& analysis, const Difference& difference);

/// Why a difference has no values: "no common seeds" where both arms have some, else "no data".
std::string emptiness(const Analysis& analysis, const Difference& difference);

/// Whether an arm is better or worse, and the estimate of the difference is below the smallest effect of interest. That the
/// difference itself is below it is not shown: then the verdict would be "equivalent".
bool slight(const Analysis& analysis, const Difference& difference);

}  // namespace ablate::reports
