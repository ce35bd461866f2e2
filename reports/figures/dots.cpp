#include "reports/figures/dots.h"

#include <fmt/core.h>

#include "harness/base/utf8.h"
#include "reports/analysis/floors.h"
#include "reports/figures/svg.h"
#include "reports/tables/table.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kWidth = 460;
constexpr double kNames = 132;
constexpr double kRight = 14;
constexpr double kRow = 26;
constexpr double kTop = 30;
constexpr double kBottom = 26;

using Metrics = std::vector<const MetricRow*>;

std::string short_name(const MetricRow& metric) {
  return metric.name.substr(metric.name.find('.') + 1);
}

/// The metrics of the group that `metric` is read against, such as its optimum and floor.
Metrics references_of(const MetricRow& metric, const Metrics& group) {
  Metrics result;
  for (const Bound& bound : bounds_of(metric)) {
    if (bound.terms.size() != 1 || bound.conversion != Conversion::none)
      continue;  // no metric by itself
    for (const MetricRow* other : group)
      if (other->name == bound.terms.front().first) result.push_back(other);
  }
  return result;
}

/// Whether the metric's values may be compared between all arms that have it.
bool side_by_side(const Analysis& analysis, const MetricRow& metric) {
  for (const ArmResult& arm : analysis.arms) {
    const Difference* difference = analysis.difference(arm.name, metric.name);
    if (difference != nullptr && difference->verdict == statistics::Verdict::incomparable)
      return false;
  }
  return true;
}

std::vector<std::size_t> arms_with(const Analysis& analysis, const MetricRow& metric) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < analysis.arms.size(); ++i) {
    const ArmResult& arm = analysis.arms[i];
    if (!arm.pending() && arm.metrics.contains(metric.name)) result.push_back(i);
  }
  return result;
}

void collect(const Analysis& analysis, const MetricRow& metric, std::vector<double>& values) {
  for (const ArmResult& arm : analysis.arms) {
    const auto found = arm.metrics.find(metric.name);
    if (found == arm.metrics.end()) continue;
    for (const auto& value : found->second.values) {
      if (value) values.push_back(*value);
    }
    if (const auto& interval = found->second.interval) {
      values.insert(values.end(), {interval->low, interval->high});
    }
  }
}

void draw_arm(Svg& svg, const Estimate& seen, const Scale& x, double y, const std::string& series) {
  if (seen.interval) {
    svg.line({x(seen.interval->low), y}, {x(seen.interval->high), y}, "whisker " + series);
  }
  for (const auto& value : seen.values) {
    if (value) svg.dot({x(*value), y}, 3, "seed " + series);
  }
  if (seen.mean) svg.line({x(*seen.mean), y - 8}, {x(*seen.mean), y + 8}, "mean " + series);
}

void draw_references(Svg& svg, const ArmResult& arm, const Metrics& references, const Scale& x,
                     double y) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    const auto found = arm.metrics.find(references[i]->name);
    if (found == arm.metrics.end() || !found->second.mean) continue;
    svg.diamond({x(*found->second.mean), y}, 5, fmt::format("reference r{}", i % 3));
  }
}

void draw_axis(Svg& svg, const Scale& x, double top, double bottom) {
  const std::vector<double> marks = ticks(x, 5);
  for (const double mark : marks) {
    svg.line({x(mark), top - 4}, {x(mark), bottom}, "grid");
    svg.text({x(mark), bottom + 16}, Anchor::middle, "tick", tick_text(mark, marks));
  }
  svg.line({kNames, bottom}, {kWidth - kRight, bottom}, "axis");
}

/// A text's width, estimated: of the font we know only that it has no serifs.
double width_of(const std::string& text) { return 6.9 * static_cast<double>(characters(text)); }

std::string key_name(const MetricRow& reference) {
  return shortened(readable(short_name(reference)), 26);
}

constexpr double kBeforeName = 10, kBetweenKeys = 14;

double key_width(const Metrics& references) {
  double width = 0;
  for (const MetricRow* reference : references)
    width += kBeforeName + width_of(key_name(*reference)) + kBetweenKeys;
  return width;
}

/// Draws what the diamonds are, each before its name, from `left` on.
void draw_key(Svg& svg, const Metrics& references, double left, double baseline) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    const std::string name = key_name(*references[i]);
    svg.diamond({left, baseline - 4}, 4.5, fmt::format("reference r{}", i % 3));
    svg.text({left + kBeforeName, baseline}, Anchor::start, "tick", name);
    left += kBeforeName + width_of(name) + kBetweenKeys;
  }
}

std::string describe(const Analysis& analysis, const MetricRow& metric) {
  std::string text;
  for (const ArmResult& arm : analysis.arms) {
    const auto found = arm.metrics.find(metric.name);
    if (found == arm.metrics.end() || !found->second.mean) continue;
    text += fmt::format("{}: {}. ", arm.label,
                        rounded(*found->second.mean, found->second.interval).text());
  }
  return text;
}

std::string draw_panel(const Analysis& analysis, const MetricRow& metric, const Metrics& group,
                       const std::string& id) {
  const Metrics references = references_of(metric, group);
  std::vector<double> values;
  collect(analysis, metric, values);
  if (values.empty()) return "";
  for (const MetricRow* reference : references) collect(analysis, *reference, values);
  const std::vector<std::size_t> arms = arms_with(analysis, metric);
  const std::string heading =
      fmt::format("{} {}{}{}", short_name(metric), arrow_of(metric.better),
                  metric.unit.empty() ? "" : " (" + metric.unit + ")",
                  side_by_side(analysis, metric) ? "" : ": each row by itself");
  const double left = kWidth - kRight - key_width(references);  // of a key beside the heading
  const bool beside = left > width_of(heading) + 16;
  const double line = beside ? 0 : 18;  // of its own, for the key
  const double top = kTop + line;
  const double bottom = top + kRow * static_cast<double>(arms.size());
  Svg svg(id, kWidth, bottom + kBottom, fmt::format("{} by arm", metric.label),
          describe(analysis, metric));
  const Scale x = scale_over(values, kNames, kWidth - kRight, 0.05);
  svg.text({4, 12}, Anchor::start, "heading", heading);
  draw_key(svg, references, beside ? left : 10, 12 + line);
  draw_axis(svg, x, top, bottom);
  double y = top + kRow / 2 - 2;
  for (const std::size_t index : arms) {
    const ArmResult& arm = analysis.arms[index];
    svg.text({kNames - 10, y + 4}, Anchor::end, "name", arm_label(arm.label, 19));
    draw_references(svg, arm, references, x, y);
    draw_arm(svg, arm.metrics.at(metric.name), x, y, series_class(index));
    y += kRow;
  }
  return svg.str();
}

}  // namespace

Figure dot_plots(const Analysis& analysis, const std::string& group,
                 const std::vector<const MetricRow*>& metrics) {
  Figure figure{
      group + "-dots",
      "A dot is a seed, the bar their mean, the line its 95 % t-interval; diamonds are what "
      "the metric can be read against.",
      {}};
  for (const MetricRow* metric : metrics) {
    if (metric->better == Better::neither) continue;
    std::string drawn = draw_panel(analysis, *metric, metrics,
                                   fmt::format("{}-dots-{}", group, figure.panels.size()));
    if (!drawn.empty()) figure.panels.push_back(std::move(drawn));
  }
  return figure;
}

}  // namespace ablate::reports
