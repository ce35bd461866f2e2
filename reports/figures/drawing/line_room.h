// The room that everything takes in a drawing of lines.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/figures/drawing/parts.h"

namespace ablate::reports {

/// What is left between a line's end and the text there, in pixels.
inline constexpr double kAfterLine = 10;

/// Where everything stands, in pixels.
struct LineRoom {
  bool text_lines = false;  // whether heights are lines of text, and the axis across is on top
  double left = 0, right = 0, top = 0, bottom = 0;  // of what is drawn, without texts beside it
  double height = 0;                                // of the whole
  double title = 0;                                 // the baseline of the axis' title
  std::optional<double> rise = {};  // of names of places, in degrees; absent where they lie
  std::vector<std::vector<LegendEntry>> legend = {};
  double legend_middle = 0;  // of its first line
  Scale x = {}, y = {};
};

LineRoom room_for_lines(const Plot& plot, const Sheet& sheet);

/// The estimate at a line's end; empty where there is none.
std::string numbers_of(const LineEnd& end);

/// A place's name as it is written below the axis.
std::string place_name(const AxisMark& mark);

/// Whether marks of the axis across have a second line.
bool has_notes(const Plot& plot);

}  // namespace ablate::reports
