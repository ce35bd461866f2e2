#include "reports/figures/forest.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/utf8.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/looks.h"
#include "reports/figures/svg.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

// Names and numbers stand above their whiskers, not at their sides: so the drawing is narrow enough
// for a telephone, and its text stays readable there.
constexpr double kWidth = 400;
constexpr double kSide = 16;
constexpr double kRow = 50;
constexpr double kText = 19;  // of the row: name and numbers
constexpr double kTop = 28;
constexpr double kBottom = 50;
constexpr std::size_t kCharacters = 53;  // of name and numbers together
constexpr std::size_t kMinName = 14;

std::vector<const Difference*> drawn(const Analysis& analysis) {
  std::vector<const Difference*> result;
  for (const Difference& difference : analysis.differences) {
    if (difference.primary && difference.over_seeds.mean) result.push_back(&difference);
  }
  return result;
}

Scale scale_of(const Analysis& analysis, const std::vector<const Difference*>& differences) {
  std::vector<double> values = {0};
  for (const Difference* difference : differences) {
    for (const auto& value : difference->over_seeds.values) values.push_back(value.value_or(0));
    if (const auto& interval = difference->over_seeds.interval) {
      values.insert(values.end(), {interval->low, interval->high});
    }
  }
  if (analysis.smallest_effect) {
    values.insert(values.end(), {-*analysis.smallest_effect, *analysis.smallest_effect});
  }
  return scale_over(values, kSide, kWidth - kSide, 0.04);
}

std::string summary(const Analysis& analysis, const Difference& difference) {
  return fmt::format("{}, {}",
                     rounded(*difference.over_seeds.mean, difference.over_seeds.interval).text(),
                     verdict_text(analysis, difference));
}

/// The class of its colour.
std::string tone_of(const Analysis& analysis, const Difference& difference) {
  return std::string(
      name_of(analysis.none_above_floor ? statistics::Verdict::inconclusive : difference.verdict));
}

/// Draws what values are read off by. Lines and the band are in the rows' lower parts alone, below names and
/// numbers, which they would cross.
void draw_frame(Svg& svg, const Analysis& analysis, const Scale& x, double bottom) {
  const auto in_each_row = [&](double at, const char* style) {
    for (double top = kTop; top + kRow <= bottom; top += kRow)
      svg.line({at, top + kText}, {at, top + kRow}, style);
  };
  if (analysis.smallest_effect) {
    const double left = x(-*analysis.smallest_effect), right = x(*analysis.smallest_effect);
    for (double top = kTop; top + kRow <= bottom; top += kRow)
      svg.box({left, top + kText}, right - left, kRow - kText, "margin");
  }
  const std::vector<double> marks = ticks(x, 6);
  for (const double mark : marks) {
    in_each_row(x(mark), "grid");
    svg.text({x(mark), bottom + 16}, Anchor::middle, "tick", tick_text(mark, marks));
  }
  in_each_row(x(0), "zero");
  const MetricRow& metric = *analysis.metric(analysis.primary);
  if (metric.better == Better::neither) return;
  const bool lower = metric.better == Better::lower;
  svg.text({kSide, 14}, Anchor::start, "label", lower ? "← better" : "← worse");
  svg.text({kWidth - kSide, 14}, Anchor::end, "label", lower ? "worse →" : "better →");
}

/// Draws a row from `top` down: name and numbers, the whisker, the seeds.
void draw_row(Svg& svg, const Analysis& analysis, const Difference& difference, const Scale& x,
              double top) {
  const Estimate& seen = difference.over_seeds;
  const std::string tone = tone_of(analysis, difference), numbers = summary(analysis, difference);
  const std::size_t room =
      std::max(kMinName, kCharacters - std::min(kCharacters, characters(numbers)));
  svg.text({kSide, top + 14}, Anchor::start, "name",
           arm_label(analysis.label(difference.arm), room));
  svg.text({kWidth - kSide, top + 14}, Anchor::end, "value", numbers);
  const double y = top + 28;
  for (const auto& value : seen.values) {
    if (value) svg.dot({x(*value), y + 10}, 2.2, "seed");
  }
  if (seen.interval) {
    svg.line({x(seen.interval->low), y}, {x(seen.interval->high), y}, "whisker " + tone);
    for (const double end : {seen.interval->low, seen.interval->high}) {
      svg.line({x(end), y - 4}, {x(end), y + 4}, "whisker " + tone);
    }
  }
  svg.diamond({x(*seen.mean), y}, 6, "centre " + tone);
}

}  // namespace

Figure forest_plot(const Analysis& analysis) {
  Figure figure{.name = "forest"};
  const std::vector<const Difference*> differences = drawn(analysis);
  const ArmResult* baseline = analysis.baseline();
  if (differences.empty() || baseline == nullptr) return figure;
  const MetricRow& metric = *analysis.metric(analysis.primary);
  figure.caption = fmt::format(
      "Difference from {} in {}{}, paired by seed: dots are seeds, diamonds their mean, whiskers "
      "the {}{}{}.",
      baseline->label, metric.label, metric.unit.empty() ? "" : " (" + metric.unit + ")",
      interval_name(analysis),
      sharing(analysis) > 1
          ? ", which unlike the verdict is not adjusted for the number of comparisons"
          : "",
      analysis.smallest_effect
          ? "; differences within the band are below the smallest effect of interest"
          : "");
  const double bottom = kTop + kRow * static_cast<double>(differences.size());
  std::string description;
  for (const Difference* difference : differences) {
    description +=
        fmt::format("{}: {}. ", analysis.label(difference->arm), summary(analysis, *difference));
  }
  Svg svg("forest-plot", kWidth, bottom + kBottom,
          fmt::format("Differences from {} in {}", baseline->label, metric.label), description);
  const Scale x = scale_of(analysis, differences);
  draw_frame(svg, analysis, x, bottom);
  for (std::size_t i = 0; i < differences.size(); ++i)
    draw_row(svg, analysis, *differences[i], x, kTop + kRow * static_cast<double>(i));
  svg.text({kWidth / 2, bottom + 38}, Anchor::middle, "label",
           fmt::format("arm − {}, {}{}", arm_label(baseline->label, 30), metric.label,
                       metric.unit.empty() ? "" : " (" + metric.unit + ")"));
  figure.panels.push_back(svg.str());
  return figure;
}

}  // namespace ablate::reports
