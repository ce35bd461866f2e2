#include "reports/paper/figures/forest_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "harness/base/utf8.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/looks.h"
#include "reports/figures/forest.h"
#include "reports/paper/numbers/cells.h"
#include "reports/text/csv_writer.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kRowInches = 0.24;
constexpr std::size_t kGapCharacters = 4;  // between the axes, the names and the numbers
constexpr double kNarrowInches = 4;
constexpr double kMinWidth = 0.25;              // of the axes, as a fraction
constexpr std::ptrdiff_t kRowsInADrawing = 26;  // with a caption

/// A row of the drawing.
struct ForestRow {
  const Difference* difference = nullptr;
  std::string label;
  std::optional<statistics::Interval> together;  // of a coverage of 95 % for all rows at once
  statistics::Verdict shown = statistics::Verdict::inconclusive;  // by its mark
};

/// How many arms are compared with the baseline, declared trends aside.
std::int64_t compared(const Analysis& analysis) {
  return analysis.comparisons - std::ssize(analysis.declared_trends);
}

std::vector<ForestRow> rows_of(const Analysis& analysis, const Venue& venue) {
  const std::size_t room = width_in_inches(venue) < kNarrowInches ? 18 : 32;
  std::vector<ForestRow> rows;
  for (const Difference& difference : analysis.differences) {
    if (!difference.primary || !difference.over_seeds.mean) continue;
    const double share = difference.interval_level /
                         static_cast<double>(std::max<std::int64_t>(compared(analysis), 1));
    rows.push_back(
        {&difference, arm_label(analysis.label(difference.arm), room),
         statistics::t_interval(present_values(difference.over_seeds), share),
         analysis.none_above_floor ? statistics::Verdict::inconclusive : difference.verdict});
  }
  return rows;
}

using ForestRows = std::span<const ForestRow>;

/// What all drawings of the rows show, with a margin, so that they have one scale.
statistics::Interval range_of(const Analysis& analysis, const std::vector<ForestRow>& rows) {
  const double effect = analysis.smallest_effect.value_or(0);
  statistics::Interval range{-effect, effect};
  const auto extend = [&](double low, double high) {
    range = {std::min(range.low, low), std::max(range.high, high)};
  };
  for (const ForestRow& row : rows) {
    const double mean = *row.difference->over_seeds.mean;
    extend(mean, mean);
    for (const auto& interval : {row.difference->over_seeds.interval, row.together})
      if (interval) extend(interval->low, interval->high);
  }
  const double margin = range.high > range.low ? 0.04 * (range.high - range.low) : 1;
  return {range.low - margin, range.high + margin};
}

std::string style_of(statistics::Verdict verdict) {
  const bool open =
      verdict == statistics::Verdict::inconclusive || verdict == statistics::Verdict::incomparable;
  return open ? "ablate open" : fmt::format("ablate {}", name_of(verdict));
}

std::string line(PlotPoint from, PlotPoint to, std::string_view style) {
  return fmt::format("\\addplot[{}] coordinates {{{}}};\n", style, coordinates({from, to}));
}

std::string row_tex(const ForestRow& row, double y) {
  const Estimate& seen = row.difference->over_seeds;
  std::string out;
  if (row.together && row.together->low < row.together->high)
    out += line({row.together->low, y}, {row.together->high, y}, "ablate together");
  if (seen.interval)
    out += line({seen.interval->low, y}, {seen.interval->high, y}, "ablate interval");
  out += fmt::format("\\addplot[{}] coordinates {{{}}};\n", style_of(row.shown),
                     coordinates({{*seen.mean, y}}));
  return out +
         fmt::format("\\node[anchor=west] at ({{rel axis cs:1.02,0}}|-{{axis cs:0,{}}}) {{{}}};\n",
                     coordinate(y), estimate_tex(seen));
}

/// The smallest effect of interest as a band, and the line of no difference.
std::string ground_tex(const Analysis& analysis, double bottom) {
  std::string out;
  if (const auto effect = analysis.smallest_effect)
    out += fmt::format(
        "\\addplot[ablate margin] coordinates {{{}}} -- cycle;\n",
        coordinates({{-*effect, 0.4}, {*effect, 0.4}, {*effect, bottom}, {-*effect, bottom}}));
  return out + line({0, 0.4}, {0, bottom}, "ablate zero");
}

std::string forest_tex(const Analysis& analysis, const Venue& venue, ForestRows rows,
                       statistics::Interval range) {
  std::string places, labels;
  std::size_t longest = 0, numbers = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places += fmt::format("{}{}", i > 0 ? "," : "", i + 1);
    labels += (i > 0 ? "," : "") + braced(rows[i].label);
    longest = std::max(longest, characters(rows[i].label));
    const Estimate& seen = rows[i].difference->over_seeds;
    numbers = std::max(numbers, characters(paper_rounded(*seen.mean, seen.interval).text()));
  }
  const double bottom = static_cast<double>(rows.size()) + 0.6;
  const double labelled = fraction_of_width(venue, longest + numbers + kGapCharacters);
  const AxisSize size{std::max(kMinWidth, 1 - labelled),
                      kRowInches * (bottom - 0.4) / width_in_inches(venue)};
  const std::string options = fmt::format(
      "xlabel={}, xmajorgrids, xmin={}, xmax={},\ny dir=reverse, ymin=0.4, ymax={}, ytick={{{}}},\n"
      "yticklabels={{{}}},\nytick style={{draw=none}}, enlarge y limits=false, clip=false,\n",
      braced(fmt::format("arm − {}, {}", arm_label(analysis.baseline()->label, 30),
                         with_unit(*analysis.metric(analysis.primary)))),
      coordinate(range.low), coordinate(range.high), coordinate(bottom), places, labels);
  std::string out = begin_axis(venue, size, options) + ground_tex(analysis, bottom);
  for (std::size_t i = 0; i < rows.size(); ++i) out += row_tex(rows[i], static_cast<double>(i + 1));
  return out + end_axis();
}

std::string forest_csv(const Analysis& analysis, ForestRows rows) {
  Csv csv({"arm", "baseline", "metric", "mean", "low", "high", "low_together", "high_together", "n",
           "p_adjusted", "verdict"});
  using Bound = std::optional<double>;
  for (const ForestRow& row : rows) {
    const Estimate& seen = row.difference->over_seeds;
    csv.text(row.difference->arm).text(analysis.baseline()->name).text(row.difference->metric);
    csv.number(seen.mean);
    for (const auto& interval : {seen.interval, row.together})
      csv.number(interval ? Bound(interval->low) : Bound())
          .number(interval ? Bound(interval->high) : Bound());
    csv.number(seen.n).number(row.difference->p_adjusted);
    csv.text(verdict_text(analysis, *row.difference)).end();
  }
  return csv.str();
}

std::string forest_caption(const Analysis& analysis) {
  const MetricRow& metric = *analysis.metric(analysis.primary);
  std::string text = fmt::format(
      "Difference from {} in {}, paired by seed: the mean, its {} (thick){}.",
      analysis.baseline()->label, with_unit(metric), interval_name(analysis),
      compared(analysis) > 1
          ? fmt::format(", and the interval that holds for all {} comparisons at once (thin; "
                        "Bonferroni)",
                        compared(analysis))
          : "");
  if (metric.better != Better::neither)
    text += fmt::format(" {} of 0 is better.", metric.better == Better::lower ? "Left" : "Right");
  if (analysis.smallest_effect)
    text += fmt::format(" The band is the smallest effect of interest, ±{}.",
                        significant(*analysis.smallest_effect));
  return text +
         " Circles: better; squares: worse; diamonds: equivalent; open circles: not resolved, or "
         "not tested.";
}

}  // namespace

std::vector<PaperFigure> forest_figures(const Analysis& analysis, const Venue& venue) {
  if (analysis.baseline() == nullptr) return {};
  const std::vector<ForestRow> rows = rows_of(analysis, venue);
  const Figure drawn = forest_plot(analysis);
  std::vector<PaperFigure> figures;
  for (auto from = rows.begin(); from != rows.end();) {
    const auto to = from + std::min(kRowsInADrawing, rows.end() - from);
    const ForestRows part(from, to);
    figures.push_back({figures.empty() ? "forest" : fmt::format("forest-{}", figures.size() + 1),
                       forest_caption(analysis),
                       forest_tex(analysis, venue, part, range_of(analysis, rows)),
                       forest_csv(analysis, part), figures.empty() ? drawn.panels.front() : ""});
    from = to;
  }
  return figures;
}

}  // namespace ablate::reports
