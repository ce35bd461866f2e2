#include "harness/statistics/tasks/critical_difference.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "harness/statistics/families/corrections.h"
#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/paired/wilcoxon.h"
#include "harness/statistics/tasks/friedman.h"

namespace ablate::statistics {
namespace {

using Matrix = std::vector<std::vector<double>>;
using Group = std::vector<std::size_t>;

Matrix pairwise_p(const Matrix& by_arm) {
  std::vector<double> p;
  for (std::size_t i = 0; i < by_arm.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) p.push_back(wilcoxon(differences(by_arm[i], by_arm[j])).p);
  const std::vector<double> adjusted = holm(p);
  Matrix matrix(by_arm.size(), std::vector<double>(by_arm.size(), 1.0));
  std::size_t next = 0;
  for (std::size_t i = 0; i < by_arm.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) matrix[i][j] = matrix[j][i] = adjusted[next++];
  return matrix;
}

/// The maximal sets of arms of which no two are told apart. Source: Bron and Kerbosch 1973,
/// Communications of the ACM 16(9), algorithm 457.
class MaximalCliques {
 public:
  MaximalCliques(const Matrix& p, double alpha) : p_(p), alpha_(alpha) {
    Group all(p.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    extend({}, all, {});
  }
  std::vector<Group> found() && { return std::move(found_); }

 private:
  Group not_apart(const Group& arms, std::size_t arm) const {
    Group result;
    for (const std::size_t other : arms)
      if (other != arm && p_[arm][other] >= alpha_) result.push_back(other);
    return result;
  }

  /// `open` may extend the clique; `closed` would, but has been tried.
  void extend(const Group& clique, Group open, Group closed) {
    if (open.empty() && closed.empty() && clique.size() > 1) found_.push_back(clique);
    while (!open.empty()) {
      const std::size_t arm = open.back();
      open.pop_back();
      Group larger = clique;
      larger.push_back(arm);
      extend(larger, not_apart(open, arm), not_apart(closed, arm));
      closed.push_back(arm);
    }
  }

  const Matrix& p_;
  double alpha_;
  std::vector<Group> found_;
};

}  // namespace

CriticalDifference critical_difference(const std::vector<std::vector<double>>& by_arm,
                                       double alpha) {
  const std::size_t tasks = by_arm.empty() ? 0 : by_arm.front().size();
  if (tasks < kFewestTasks)
    throw std::invalid_argument(
        fmt::format("critical difference: {} tasks; {} or more can tell arms apart. Compare the "
                    "arms on each task over its seeds instead",
                    tasks, kFewestTasks));
  CriticalDifference result{friedman(by_arm).mean_ranks, pairwise_p(by_arm), {}};
  result.groups = MaximalCliques(result.p_adjusted, alpha).found();
  const auto by_rank = [&](std::size_t a, std::size_t b) {
    return result.mean_ranks[a] < result.mean_ranks[b];
  };
  for (Group& group : result.groups) std::stable_sort(group.begin(), group.end(), by_rank);
  std::stable_sort(result.groups.begin(), result.groups.end(),
                   [&](const Group& a, const Group& b) { return by_rank(a.front(), b.front()); });
  return result;
}

}  // namespace ablate::statistics
