#include "reports/figures/curves.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/figures/curves/curve_axes.h"
#include "reports/figures/curves/curve_data.h"
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
constexpr std::string_view kSpikeMark = "×";

/// Arms of one objective at one setting, with their indices in the analysis.
using Panel = std::vector<std::size_t>;

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

void draw_arm(Svg& svg, const Scale& x, const Scale& y, const std::vector<CurveBand>& bands,
              const std::string& series) {
  std::vector<Point> line;
  std::vector<Point> outline;
  for (const CurveBand& band : bands) {
    line.push_back({x(band.tokens), y(band.mean)});
    outline.push_back({x(band.tokens), y(band.low)});
  }
  for (auto band = bands.rbegin(); band != bands.rend(); ++band) {
    outline.push_back({x(band->tokens), y(band->high)});
  }
  svg.area(outline, "band " + series);
  svg.path(line, "curve " + series);
  for (std::size_t i = 0; i < bands.size(); ++i)
    if (bands[i].spike) svg.text({line[i].x, line[i].y + 4}, Anchor::middle, "spike", kSpikeMark);
}

/// The names of the arms in their colours, from the upper right corner down, which is free because
/// losses fall.
void draw_legend(Svg& svg, const Analysis& analysis, const Panel& panel,
                 const std::vector<std::vector<CurveBand>>& bands) {
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

/// Draws optimum and floor, which are the same for all arms of a panel.
void draw_levels(Svg& svg, const ArmResult& arm, const Scale& y) {
  for (const CurveLevel& level : curve_levels(arm)) {
    const double height = y(level.loss);
    svg.line({kLeft, height}, {kWidth - kRight, height}, "level");
    const Point left{kLeft + 6, height - 5};  // away from the curve, which falls
    const Point right{kWidth - kRight - 2, height - 5};
    svg.text(level.floor ? right : left, level.floor ? Anchor::end : Anchor::start, "label",
             level.label);
  }
}

std::string describe(const Analysis& analysis, const Panel& panel,
                     const std::vector<std::vector<CurveBand>>& bands) {
  std::string text = "Mean over seeds, with the band from the minimum to the maximum.";
  for (std::size_t i = 0; i < panel.size(); ++i) {
    if (bands[i].empty()) continue;
    text +=
        fmt::format(" {}: from {} to {} nats/target.", analysis.arms[panel[i]].label,
                    significant(bands[i].front().mean, 3), significant(bands[i].back().mean, 3));
  }
  return text;
}

/// The arm whose levels are those of the panel.
const ArmResult& first_measured(const Analysis& analysis, const Panel& panel) {
  const auto measured = [&](std::size_t index) { return !analysis.arms[index].pending(); };
  const auto shown = std::find_if(panel.begin(), panel.end(), measured);
  return analysis.arms[shown == panel.end() ? panel.front() : *shown];
}

std::string draw_panel(const Analysis& analysis, const Panel& panel,
                       const std::vector<std::vector<CurveBand>>& bands, double tokens) {
  std::vector<double> losses;
  for (const std::vector<CurveBand>& arm : bands)
    for (const CurveBand& band : arm) losses.insert(losses.end(), {band.low, band.high});
  const ArmResult& first = first_measured(analysis, panel);
  for (const CurveLevel& level : curve_levels(first)) losses.push_back(level.loss);
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

/// The numbers of draw_panel(), and where they stand on every axis.
Chart chart_of(const Analysis& analysis, const Panel& panel,
               const std::vector<std::vector<CurveBand>>& bands) {
  Chart chart{.quantity = "training loss (nats/target)"};
  for (std::size_t i = 0; i < panel.size(); ++i) {
    if (bands[i].empty()) continue;
    const ArmResult& arm = analysis.arms[panel[i]];
    ChartLine& line = chart.lines.emplace_back(
        ChartLine{arm.label, series_class(panel[i]), curve_positions(arm, bands[i])});
    for (const CurveBand& band : bands[i]) {
      line.mean.push_back(band.mean);
      line.low.push_back(band.low);
      line.high.push_back(band.high);
      if (band.spike) line.spikes.push_back(line.mean.size() - 1);
    }
  }
  for (const CurveLevel& level : curve_levels(first_measured(analysis, panel)))
    chart.levels.push_back({std::string(level.label), level.loss});
  return chart;
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
  for (const Panel& panel : curve_panels(analysis)) {
    std::vector<std::vector<CurveBand>> bands;
    bands.reserve(panel.size());
    for (const std::size_t index : panel) bands.push_back(curve_bands(analysis.arms[index]));
    if (std::ranges::all_of(bands, [](const auto& arm) { return arm.empty(); })) continue;
    figure.panels.push_back(draw_panel(analysis, panel, bands, tokens));
    figure.charts.push_back(chart_of(analysis, panel, bands));
  }
  const auto spiked = [](const Chart& chart) {
    return std::ranges::any_of(chart.lines,
                               [](const ChartLine& line) { return !line.spikes.empty(); });
  };
  if (std::ranges::any_of(figure.charts, spiked))
    figure.caption += " × marks where the loss of a step was a spike.";
  figure.axes = curve_axes();
  figure.band = "minimum to maximum";
  return figure;
}

}  // namespace ablate::reports
