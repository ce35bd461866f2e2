#include "reports/figures/curves.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/contract/metric.h"
#include "reports/analysis/compare.h"
#include "reports/figures/svg.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kWidth = 460;
constexpr double kHeight = 300;
constexpr double kLeft = 52;
constexpr double kRight = 12;
constexpr double kTop = 16;
constexpr double kBottom = 44;
constexpr std::size_t kMaxPoints = 200;  // more cannot be distinguished at this width

/// The seeds' losses at one step.
struct Band {
  double tokens = 0;
  double mean = 0;
  double low = 0;
  double high = 0;
};

std::vector<Band> bands_of(const ArmResult& arm) {
  std::map<std::int64_t, std::vector<const store::CurvePoint*>> by_step;
  for (const store::TrialRecord* trial : arm.trials) {
    for (const store::CurvePoint& point : trial->curve) {
      if (std::isfinite(point.loss) && std::isfinite(point.text_tokens)) {
        by_step[point.step].push_back(&point);
      }
    }
  }
  std::vector<Band> bands;
  for (const auto& [step, points] : by_step) {
    std::vector<double> losses;
    for (const store::CurvePoint* point : points) losses.push_back(point->loss);
    const auto [low, high] = std::minmax_element(losses.begin(), losses.end());
    bands.push_back({points.front()->text_tokens, statistics::mean(losses), *low, *high});
  }
  const std::size_t stride = bands.size() / kMaxPoints + 1;
  std::vector<Band> kept;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (i % stride == 0 || i + 1 == bands.size()) kept.push_back(bands[i]);
  }
  return kept;
}

/// Arms of one objective at one setting, with their indices in the analysis.
using Panel = std::vector<std::size_t>;

std::vector<Panel> panels_of(const Analysis& analysis) {
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < analysis.arms.size(); ++i) {
    const auto fits = [&](const Panel& panel) {
      return comparable_arms(Comparable::same_objective, analysis.arms[i],
                             analysis.arms[panel.front()]);
    };
    const auto found = std::find_if(panels.begin(), panels.end(), fits);
    if (found == panels.end()) {
      panels.push_back({i});
    } else {
      found->push_back(i);
    }
  }
  return panels;
}

void draw_axes(Svg& svg, const Scale& x, const Scale& y) {
  const std::vector<double> levels = ticks(y, 5);
  for (const double level : levels) {
    svg.line({kLeft, y(level)}, {kWidth - kRight, y(level)}, "grid");
    svg.text({kLeft - 7, y(level) + 4}, Anchor::end, "tick", tick_text(level, levels));
  }
  const std::vector<double> marks = ticks(x, 5);
  for (const double mark : marks) {
    svg.line({x(mark), kHeight - kBottom}, {x(mark), kHeight - kBottom + 4}, "axis");
    svg.text({x(mark), kHeight - kBottom + 17}, Anchor::middle, "tick", tick_text(mark, marks));
  }
  svg.line({kLeft, kHeight - kBottom}, {kWidth - kRight, kHeight - kBottom}, "axis");
  svg.text({(kLeft + kWidth - kRight) / 2, kHeight - 8}, Anchor::middle, "label",
           "text tokens read");
  svg.text({4, 10}, Anchor::start, "label", "training loss (nats/target)");
}

void draw_arm(Svg& svg, const Scale& x, const Scale& y, const std::vector<Band>& bands,
              const std::string& series) {
  std::vector<Point> line;
  std::vector<Point> outline;
  for (const Band& band : bands) {
    line.push_back({x(band.tokens), y(band.mean)});
    outline.push_back({x(band.tokens), y(band.low)});
  }
  for (auto band = bands.rbegin(); band != bands.rend(); ++band) {
    outline.push_back({x(band->tokens), y(band->high)});
  }
  svg.area(outline, "band " + series);
  svg.path(line, "curve " + series);
}

/// The names of the arms in their colours, from the upper right corner down, which is free because
/// losses fall.
void draw_legend(Svg& svg, const Analysis& analysis, const Panel& panel,
                 const std::vector<std::vector<Band>>& bands) {
  double y = kTop + 14;
  for (std::size_t i = 0; i < panel.size(); ++i) {
    if (bands[i].empty()) continue;
    const std::size_t index = panel[i];
    svg.text({kWidth - kRight - 34, y}, Anchor::end, "name",
             arm_label(analysis.arms[index].label, 44));
    svg.line({kWidth - kRight - 28, y - 4}, {kWidth - kRight - 2, y - 4},
             "curve " + series_class(index));
    y += 16;
  }
}

/// A reference line for the loss, measured on held-out text.
struct Level {
  std::string_view metric;
  std::string_view label;
  bool low;  // its label is on the left, because the curve comes down to it on the right
};
constexpr std::array<Level, 2> kLevels = {
    {{metric_names::kHeldOutContextFree, "context-free floor", false},
     {metric_names::kHeldOutOptimum, "optimum", true}}};

std::optional<double> height_of(const ArmResult& arm, const Level& level) {
  const auto found = arm.metrics.find(std::string(level.metric));
  return found == arm.metrics.end() ? std::nullopt : found->second.mean;
}

/// Draws optimum and floor, which are the same for all arms of a panel.
void draw_levels(Svg& svg, const ArmResult& arm, const Scale& y) {
  for (const Level& level : kLevels) {
    const std::optional<double> height = height_of(arm, level);
    if (!height) continue;
    svg.line({kLeft, y(*height)}, {kWidth - kRight, y(*height)}, "level");
    const Point left{kLeft + 6, y(*height) - 5};  // away from the curve, which falls
    const Point right{kWidth - kRight - 2, y(*height) - 5};
    svg.text(level.low ? left : right, level.low ? Anchor::start : Anchor::end, "label",
             level.label);
  }
}

std::string describe(const Analysis& analysis, const Panel& panel,
                     const std::vector<std::vector<Band>>& bands) {
  std::string text = "Mean over seeds, with the band from the minimum to the maximum.";
  for (std::size_t i = 0; i < panel.size(); ++i) {
    if (bands[i].empty()) continue;
    text +=
        fmt::format(" {}: from {} to {} nats/target.", analysis.arms[panel[i]].label,
                    significant(bands[i].front().mean, 3), significant(bands[i].back().mean, 3));
  }
  return text;
}

std::string draw_panel(const Analysis& analysis, const Panel& panel, double tokens) {
  std::vector<std::vector<Band>> bands;
  std::vector<double> losses;
  for (const std::size_t index : panel) {
    bands.push_back(bands_of(analysis.arms[index]));
    for (const Band& band : bands.back()) losses.insert(losses.end(), {band.low, band.high});
  }
  if (losses.empty()) return "";
  const auto measured = [&](std::size_t index) { return !analysis.arms[index].pending(); };
  const auto shown = std::find_if(panel.begin(), panel.end(), measured);
  const ArmResult& first = analysis.arms[shown == panel.end() ? panel.front() : *shown];
  for (const Level& level : kLevels) losses.push_back(height_of(first, level).value_or(losses[0]));
  const Scale x{0, tokens, kLeft, kWidth - kRight};
  const Scale y = scale_over(losses, kHeight - kBottom, kTop + 6, 0.04);
  Svg svg(fmt::format("curve-{}", panel.front()), kWidth, kHeight,
          fmt::format("Training loss of {}", first.label), describe(analysis, panel, bands));
  draw_axes(svg, x, y);
  draw_levels(svg, first, y);
  for (std::size_t i = 0; i < panel.size(); ++i) {
    draw_arm(svg, x, y, bands[i], series_class(panel[i]));
  }
  draw_legend(svg, analysis, panel, bands);
  return svg.str();
}

double max_tokens(const Analysis& analysis) {
  double maximum = 1;
  for (const ArmResult& arm : analysis.arms) {
    for (const store::TrialRecord* trial : arm.trials) {
      for (const store::CurvePoint& point : trial->curve) {
        if (std::isfinite(point.text_tokens)) maximum = std::max(maximum, point.text_tokens);
      }
    }
  }
  return maximum;
}

}  // namespace

Figure training_curves(const Analysis& analysis) {
  Figure figure{"curves",
                "Training loss by text tokens read: the mean over seeds, and the band from the "
                "minimum to the maximum; dotted, the optimum and the context-free floor on "
                "held-out text. One panel for each objective at one setting: the training losses "
                "of different objectives answer different questions and share no axis.",
                {}};
  const double tokens = max_tokens(analysis);
  for (const Panel& panel : panels_of(analysis)) {
    std::string drawn = draw_panel(analysis, panel, tokens);
    if (!drawn.empty()) figure.panels.push_back(std::move(drawn));
  }
  return figure;
}

}  // namespace ablate::reports
