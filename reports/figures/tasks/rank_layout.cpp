#include "reports/figures/tasks/rank_layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kBetweenBars = 0.08;  // ranks

/// The first line in which a bar overlaps no other.
int free_line(const std::vector<RankBar>& bars, double from, double to) {
  for (int line = 0;; ++line) {
    const auto overlaps = [&](const RankBar& bar) {
      return bar.line == line && from < bar.to + kBetweenBars && bar.from < to + kBetweenBars;
    };
    if (std::none_of(bars.begin(), bars.end(), overlaps)) return line;
  }
}

}  // namespace

RankLayout rank_layout(const TaskComparison& comparison, std::size_t characters) {
  const std::vector<double>& ranks = comparison.mean_ranks;
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
  RankLayout layout;
  const std::size_t half = (order.size() + 1) / 2;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool left = i < half;
    const std::size_t line = left ? i : order.size() - 1 - i;
    layout.labels.push_back({arm_label(comparison.arms[order[i]].arm->label, characters),
                             ranks[order[i]], left, static_cast<int>(line), order[i]});
    layout.label_lines = std::max(layout.label_lines, static_cast<int>(line) + 1);
  }
  for (const std::vector<std::size_t>& group : comparison.ranks->groups) {
    const double from = ranks[group.front()], to = ranks[group.back()];
    const int line = free_line(layout.bars, from, to);
    layout.bars.push_back({from, to, line});
    layout.bar_lines = std::max(layout.bar_lines, line + 1);
  }
  return layout;
}

}  // namespace ablate::reports
