#include "reports/figures/drawing/parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/base/utf8.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr double kCharacter = 7.1;  // pixels: about the mean width of one, of a wide font
constexpr double kSwatch = 26, kAfterSwatch = 6, kBetween = 16;
constexpr double kBetweenMarks = 4;
constexpr double kLeastHeight = 120;  // of what is drawn on a slide
constexpr double kMargin = 0.04;      // of an axis, as a fraction

double width_of_entry(const LegendEntry& entry) {
  return kSwatch + kAfterSwatch + width_of(entry.name) + kBetween;
}

/// 1, 10, 100 within the scale, and where these are fewer than three 2 and 5 times as much.
std::vector<double> logarithmic_ticks(const Scale& scale) {
  for (const std::vector<double>& factors : {std::vector<double>{1}, {1, 2, 5}}) {
    std::vector<double> all;
    for (double power = std::floor(std::log10(scale.low)); power <= std::log10(scale.high); ++power)
      for (const double factor : factors)
        if (const double at = factor * std::pow(10, power); scale.low <= at && at <= scale.high)
          all.push_back(at);
    if (all.size() >= 3 || factors.size() > 1) return all;
  }
  return {};
}

}  // namespace

double width_of(std::string_view text) {
  return kCharacter * static_cast<double>(characters(text));
}

std::vector<std::vector<LegendEntry>> lines_of(const std::vector<LegendEntry>& entries,
                                               double width) {
  std::vector<std::vector<LegendEntry>> lines;
  double used = 0;
  for (const LegendEntry& entry : entries) {
    if (lines.empty() || used + width_of_entry(entry) > width + kBetween) {
      lines.emplace_back();
      used = 0;
    }
    lines.back().push_back(entry);
    used += width_of_entry(entry);
  }
  return lines;
}

std::size_t legend_characters(double width) {
  return static_cast<std::size_t>(std::max(0., width - kSwatch - kAfterSwatch) / kCharacter);
}

void draw_legend(Svg& svg, const std::vector<std::vector<LegendEntry>>& lines, double left,
                 double middle) {
  for (const std::vector<LegendEntry>& line : lines) {
    double at = left;
    for (const LegendEntry& entry : line) {
      if (entry.diamond)
        svg.diamond({at + kSwatch / 2, middle}, 4.5, entry.classes);
      else
        svg.line({at, middle}, {at + kSwatch, middle}, entry.classes);
      svg.text({at + kSwatch + kAfterSwatch, middle + 4}, Anchor::start, "name", entry.name);
      at += width_of_entry(entry);
    }
    middle += kTextLine;
  }
}

Scale scale_of(const PlotAxis& axis, const std::vector<double>& values, double from, double to) {
  if (axis.ends) return {axis.ends->low, axis.ends->high, from, to};
  if (axis.kind == AxisKind::places)
    return {0.5, static_cast<double>(axis.marks.size()) + 0.5, from, to};
  return axis.kind == AxisKind::logarithmic ? logarithmic_scale_over(values, from, to, kMargin)
                                            : scale_over(values, from, to, kMargin);
}

std::vector<AxisMark> marks_of(const PlotAxis& axis, const Scale& scale, int wanted) {
  if (!axis.marks.empty()) return axis.marks;
  const std::vector<double> places =
      scale.logarithmic ? logarithmic_ticks(scale) : ticks(scale, wanted);
  std::vector<AxisMark> marks;
  marks.reserve(places.size());
  for (const double at : places)
    marks.push_back({at, scale.logarithmic ? significant(at, 4) : tick_text(at, places)});
  return marks;
}

void draw_marks_below(Svg& svg, const std::vector<AxisMark>& marks, const Scale& scale,
                      double axis) {
  double free = -HUGE_VAL;  // the pixel from which no text stands
  for (const AxisMark& mark : marks) {
    const double at = scale(mark.at), half = width_of(mark.text) / 2;
    svg.line({at, axis}, {at, axis + 4}, "axis");
    if (at - half < free) continue;
    svg.text({at, axis + 17}, Anchor::middle, "tick", mark.text);
    free = at + half + kBetweenMarks;
  }
}

std::string_view class_of(PlotLevel::Kind kind) {
  switch (kind) {
    case PlotLevel::Kind::zero:
      return "zero";
    case PlotLevel::Kind::change:
      return "axis d1";
    default:
      return "level";
  }
}

double plot_height(const Sheet& sheet, double other) {
  if (!sheet.slide) return sheet.height;
  return std::max(kLeastHeight, sheet.width * kSlideRatio - other);
}

Svg begin_drawing(const Plot& plot, std::string_view id, const Sheet& sheet, double height) {
  if (!sheet.slide) return {id, {sheet.width, height}, plot.title, plot.description};
  const double width = std::max(sheet.width, height / kSlideRatio);
  return {id,
          {sheet.width, height, (width - sheet.width) / 2, (width * kSlideRatio - height) / 2},
          plot.title,
          plot.description};
}

}  // namespace ablate::reports
