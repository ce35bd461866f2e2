#include "reports/figures/forest.h"

#include <fmt/core.h>

#include "reports/figures/svg.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kWidth = 760;
constexpr double kNames = 190;   // pixels for the arms' names
constexpr double kValues = 190;  // pixels for the numbers on the right
constexpr double kRow = 40;
constexpr double kTop = 34;
constexpr double kBottom = 50;

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
  return scale_over(values, kNames, kWidth - kValues, 0.06);
}

std::string summary(const Difference& difference) {
  return fmt::format("{}, {}",
                     rounded(*difference.over_seeds.mean, difference.over_seeds.interval).text(),
                     name_of(difference.verdict));
}

void draw_frame(Svg& svg, const Analysis& analysis, const Scale& x, double bottom) {
  if (analysis.smallest_effect) {
    const double left = x(-*analysis.smallest_effect);
    svg.box({left, kTop - 8}, x(*analysis.smallest_effect) - left, bottom - kTop + 8, "margin");
  }
  const std::vector<double> marks = ticks(x, 6);
  for (const double mark : marks) {
    svg.line({x(mark), kTop - 8}, {x(mark), bottom}, "grid");
    svg.text({x(mark), bottom + 16}, Anchor::middle, "tick", tick_text(mark, marks));
  }
  svg.line({x(0), kTop - 8}, {x(0), bottom}, "zero");
  const MetricRow& metric = *analysis.metric(analysis.primary);
  if (metric.better == Better::neither) return;
  const bool lower = metric.better == Better::lower;
  svg.text({kNames, 14}, Anchor::start, "label", lower ? "← better" : "← worse");
  svg.text({kWidth - kValues, 14}, Anchor::end, "label", lower ? "worse →" : "better →");
}

void draw_row(Svg& svg, const Difference& difference, const Scale& x, double y) {
  const Estimate& seen = difference.over_seeds;
  const std::string tone(name_of(difference.verdict));
  svg.text({kNames - 14, y + 4}, Anchor::end, "name", arm_label(difference.arm, 26));
  for (const auto& value : seen.values) {
    if (value) svg.dot({x(*value), y + 9}, 2.2, "seed");
  }
  if (seen.interval) {
    svg.line({x(seen.interval->low), y}, {x(seen.interval->high), y}, "whisker " + tone);
    for (const double end : {seen.interval->low, seen.interval->high}) {
      svg.line({x(end), y - 4}, {x(end), y + 4}, "whisker " + tone);
    }
  }
  svg.diamond({x(*seen.mean), y}, 6, "centre " + tone);
  svg.text({kWidth - kValues + 14, y + 4}, Anchor::start, "value", summary(difference));
}

}  // namespace

Figure forest_plot(const Analysis& analysis) {
  Figure figure{.name = "forest", .wide = true};
  const std::vector<const Difference*> differences = drawn(analysis);
  const ArmResult* baseline = analysis.baseline();
  if (differences.empty() || baseline == nullptr) return figure;
  const MetricRow& metric = *analysis.metric(analysis.primary);
  figure.caption = fmt::format(
      "Difference from {} in {}{}, paired by seed: dots are seeds, diamonds their mean, whiskers "
      "its 95 % t-interval{}.",
      baseline->name, metric.name, metric.unit.empty() ? "" : " (" + metric.unit + ")",
      analysis.smallest_effect ? "; the band is the smallest effect of interest" : "");
  const double bottom = kTop + kRow * static_cast<double>(differences.size());
  std::string description;
  for (const Difference* difference : differences) {
    description += fmt::format("{}: {}. ", difference->arm, summary(*difference));
  }
  Svg svg("forest-plot", kWidth, bottom + kBottom,
          fmt::format("Differences from {} in {}", baseline->name, metric.name), description);
  const Scale x = scale_of(analysis, differences);
  draw_frame(svg, analysis, x, bottom);
  double y = kTop + kRow / 2 - 4;
  for (const Difference* difference : differences) {
    draw_row(svg, *difference, x, y);
    y += kRow;
  }
  svg.text({(kNames + kWidth - kValues) / 2, bottom + 38}, Anchor::middle, "label",
           fmt::format("arm − {}, {}{}", arm_label(baseline->name, 30), metric.name,
                       metric.unit.empty() ? "" : " (" + metric.unit + ")"));
  figure.panels.push_back(svg.str());
  return figure;
}

}  // namespace ablate::reports
