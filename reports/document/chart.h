// The numbers behind a drawing of lines, for pages whose readers choose its axes.
//
// All text in it is raw; the writers escape it.

#pragma once

#include <string>
#include <vector>

namespace ablate::reports {

/// A line over seeds. All lists but `positions` and `spikes` have one entry a point.
struct ChartLine {
  std::string name;
  std::string style;  // CSS classes (series_class)
  std::vector<std::vector<double>>
      positions;  // [axis][point]; an axis that was not recorded: empty
  std::vector<double> mean, low, high;
  std::vector<std::size_t> spikes = {};  // points that are marked
};

/// A value that lines are read against, the same at all positions.
struct ChartLevel {
  std::string name;
  double value = 0;
};

/// A quantity that lines can be drawn over.
struct ChartAxis {
  std::string title;
  std::string note = {};  // how positions on it came about; empty: they were recorded
};

/// Lines that share their vertical axis.
struct Chart {
  std::string quantity;  // of the vertical axis, with its unit
  std::vector<ChartLine> lines;
  std::vector<ChartLevel> levels;
};

}  // namespace ablate::reports
