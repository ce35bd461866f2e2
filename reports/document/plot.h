// What a drawing shows, however it is drawn: SVG for pages and slides (reports/figures/drawing/),
// pgfplots for papers (reports/paper/figures/), and numbers for pages whose readers choose the axes.
//
// All text in it is raw; what draws it escapes it.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/statistics/one_sample/summary.h"
#include "harness/statistics/verdict.h"

namespace ablate::reports {

/// A position, in the units of the axes.
struct PlotPoint {
  double x = 0, y = 0;
};

/// A position that an axis marks, and what is written there.
struct AxisMark {
  double at = 0;
  std::string text;
  std::string note = {};  // in a line of its own; may be empty
};

/// How positions along an axis are read.
enum class AxisKind {
  linear,
  logarithmic,
  places,  // 1, 2 and so on, each with a mark that names it
  lines  // upwards alone: lines of text, from the top down; it has no marks, and the other axis is on top
};

struct PlotAxis {
  std::string title = {};  // with its unit
  AxisKind kind = AxisKind::linear;
  std::vector<AxisMark> marks = {};  // empty: round numbers
  std::optional<statistics::Interval> ends =
      {};  // otherwise those of all that is drawn, with a margin
};

/// What a line is.
enum class LineKind {
  series,  // in a colour and dashes of its own
  pair,    // thin, of values that belong together
  bar,     // a mean
  joint    // thick and black
};

/// What stands at an end of a line: a name and an estimate.
struct LineEnd {
  std::string name = {};  // empty: nothing
  std::optional<double> mean = {};
  std::optional<statistics::Interval> interval = {};
};

struct PlotLine {
  std::string name = {};  // in the legend; empty: it has no place there
  LineKind kind = LineKind::series;
  std::size_t series = 0;  // the index of its colour and dashes
  std::vector<double> x = {}, y = {};
  std::vector<double> low = {}, high = {};  // of its band, a value for each point; empty: none
  bool whiskers = false;                    // whether low and high are drawn as whiskers instead
  std::vector<PlotPoint> dots = {};         // single values, as those of seeds
  std::vector<PlotPoint> diamonds = {};     // points that stand out
  std::vector<PlotPoint> crosses = {};      // what went wrong; at the top where y is not finite
  LineEnd before = {}, after = {};
  std::vector<std::vector<double>> positions = {};  // [axis][point]: on each of Figure::axes
};

/// A value that lines or rows are read against.
struct PlotLevel {
  enum class Kind { reference, zero, change };
  enum class Name { in_legend, at_start, at_end };

  double at = 0;
  std::string name = {};
  Kind kind = Kind::reference;
  Name where = Name::in_legend;
  bool upright = false;  // a value of the horizontal axis
};

/// An estimate in a row of its own.
struct PlotRow {
  std::string name;
  std::string remark = {};  // stands beside mean and interval; without one these are not written
  std::optional<double> mean = {};
  std::optional<statistics::Interval> interval = {}, wider = {};
  std::vector<double> dots = {};                       // its single values
  std::vector<std::optional<double>> references = {};  // by Plot::references
  std::optional<statistics::Verdict> verdict =
      {};  // gives the mean its shape; without one it is a bar
  std::size_t series = 0;
};

/// What a paper has of a plot.
struct PaperPart {
  std::string name = {};  // of its files; empty: papers do without it
  bool numbered = false;  // whether others have the same name
  std::string caption = {};
  std::string csv = {};  // what is drawn, with all digits
};

/// One pair of axes with lines, or with rows.
struct Plot {
  std::string title, description;  // for screen readers
  std::string heading = {};        // above the drawing; may be empty
  PlotAxis x = {}, y = {};
  std::vector<PlotLine> lines = {};
  std::vector<PlotRow> rows = {};
  std::vector<PlotLevel> levels = {};
  std::vector<std::string> references = {};         // what the diamonds of rows are
  std::optional<statistics::Interval> zone = {};    // across: values that make no difference
  std::string towards_low = {}, towards_high = {};  // what the directions across mean
  PaperPart paper = {};
};

}  // namespace ablate::reports
