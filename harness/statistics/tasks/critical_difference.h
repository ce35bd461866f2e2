// Which arms several tasks tell apart: the content of a critical-difference diagram.

#pragma once

#include <cstddef>
#include <vector>

namespace ablate::statistics {

/// Fewer tasks tell nothing apart: of five arms on three tasks, mean ranks would have to differ by
/// 3.5 of a possible 4.
constexpr std::size_t kFewestTasks = 5;

/// Arms by rank, and the groups within which nothing is told apart.
struct CriticalDifference {
  std::vector<double> mean_ranks;                // by arm; 1: lowest value
  std::vector<std::vector<double>> p_adjusted;   // [arm][arm], symmetric
  std::vector<std::vector<std::size_t>> groups;  // of two or more arms, the best rank first
};

/// Compares every two arms by the exact signed-rank test over tasks, adjusted by Holm's method, and
/// groups them: a group is a maximal set of arms of which no two differ at `alpha`. An arm that
/// ranks between two others of a group need not belong to it, so a group is no range of ranks.
/// `by_arm`: [arm][task], the mean over seeds. Throws std::invalid_argument below kFewestTasks.
/// Source: Demsar 2006, Journal of Machine Learning Research 7; pairwise tests in place of mean
/// ranks: Benavoli, Corani and Mangili 2016, Journal of Machine Learning Research 17.
CriticalDifference critical_difference(const std::vector<std::vector<double>>& by_arm,
                                       double alpha = 0.05);

}  // namespace ablate::statistics
