// Where things stand in a critical-difference diagram, for those who draw one.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/tasks/task_comparison.h"

namespace ablate::reports {

/// An arm's name at a side of the axis of ranks, joined to its rank by an elbow.
struct RankLabel {
  std::string name;
  double rank = 0;
  bool left = false;  // the better half stands at the left side, the others at the right
  int line = 0;       // from the axis down, 0 the first
  std::size_t arm = 0;
};

/// A bar below the axis that joins arms which are not told apart.
struct RankBar {
  double from = 0, to = 0;  // ranks
  int line = 0;             // from the axis down: bars that overlap have different ones
};

/// The diagram: an axis from 1 to the number of arms.
struct RankLayout {
  std::vector<RankLabel> labels;  // by rank
  std::vector<RankBar> bars;
  int bar_lines = 0;
  int label_lines = 0;
};

/// Lays the ranks out. Names have at most `characters` characters.
RankLayout rank_layout(const TaskComparison& comparison, std::size_t characters);

}  // namespace ablate::reports
