#include "reports/figures/curves.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/figures/curves/curve_axes.h"
#include "reports/figures/curves/curve_data.h"
#include "reports/text/csv_writer.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// An arm and its curve.
struct ArmCurve {
  const ArmResult* arm = nullptr;
  std::size_t index = 0;  // in the analysis
  std::vector<CurveBand> bands;
};

/// The arms of one objective at one setting that have curves.
std::vector<ArmCurve> curves_of(const Analysis& analysis, const std::vector<std::size_t>& panel) {
  std::vector<ArmCurve> curves;
  for (const std::size_t index : panel) {
    ArmCurve curve{&analysis.arms[index], index, curve_bands(analysis.arms[index])};
    if (!curve.bands.empty()) curves.push_back(std::move(curve));
  }
  return curves;
}

PlotLine line_of(const ArmCurve& curve) {
  PlotLine line{.name = curve.arm->label, .series = curve.index};
  for (const CurveBand& band : curve.bands) {
    line.x.push_back(band.tokens);
    line.y.push_back(band.mean);
    line.low.push_back(band.low);
    line.high.push_back(band.high);
    if (band.spike) line.crosses.push_back({band.tokens, band.mean});
  }
  line.positions = curve_positions(*curve.arm, curve.bands);
  return line;
}

std::string describe(const std::vector<ArmCurve>& curves) {
  std::string text = "Mean over seeds, with the band from the minimum to the maximum.";
  for (const ArmCurve& curve : curves)
    text += fmt::format(" {}: from {} to {} nats/target.", curve.arm->label,
                        significant(curve.bands.front().mean, 3),
                        significant(curve.bands.back().mean, 3));
  return text;
}

/// The arm whose levels are those of the panel.
const ArmResult& first_measured(const std::vector<ArmCurve>& curves) {
  const auto measured = [](const ArmCurve& curve) { return !curve.arm->pending(); };
  const auto found = std::ranges::find_if(curves, measured);
  return *(found == curves.end() ? curves.front() : *found).arm;
}

std::vector<PlotLevel> levels_of(const ArmResult& arm) {
  std::vector<PlotLevel> levels;
  for (const CurveLevel& level : curve_levels(arm))
    levels.push_back({.at = level.loss,
                      .name = std::string(level.label),
                      .where = level.floor ? PlotLevel::Name::at_end : PlotLevel::Name::at_start});
  return levels;
}

bool spiked(const ArmCurve& curve) {
  return std::ranges::any_of(curve.bands, [](const CurveBand& band) { return band.spike; });
}

/// The caption of one panel, which stands alone in a paper.
std::string caption_of(const std::vector<ArmCurve>& curves) {
  return fmt::format(
      "Training loss of {} by text tokens read: the mean over seeds, and the band from the minimum "
      "to the maximum; dotted, the optimum and the context-free floor on held-out text, where they "
      "are known. The training losses of different objectives answer different questions and share "
      "no axis.{}",
      curves.front().arm->objective,
      std::ranges::any_of(curves, spiked) ? " Crosses: the loss of a step was a spike." : "");
}

std::string csv_of(const std::vector<ArmCurve>& curves) {
  Csv csv({"arm", "text_tokens", "mean", "low", "high"});
  using Number = std::optional<double>;
  for (const ArmCurve& curve : curves)
    for (const CurveBand& each : curve.bands) {
      csv.text(curve.arm->name).number(Number(each.tokens)).number(Number(each.mean));
      csv.number(Number(each.low)).number(Number(each.high)).end();
    }
  return csv.str();
}

Plot plot_of(const std::vector<ArmCurve>& curves, double tokens) {
  const ArmResult& first = first_measured(curves);
  const std::string quantity = "training loss (nats/target)";
  Plot plot{.title = fmt::format("Training loss of {}", first.label),
            .description = describe(curves),
            .heading = quantity,
            .x = {.title = "text tokens read", .ends = statistics::Interval{0, tokens}},
            .y = {.title = quantity},
            .levels = levels_of(first),
            .paper = {"curves", true, caption_of(curves), csv_of(curves)}};
  for (const ArmCurve& curve : curves) plot.lines.push_back(line_of(curve));
  return plot;
}

double max_tokens(const Analysis& analysis) {
  double maximum = 1;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials)
      for (const store::CurvePoint& point : trial->curve.points())
        if (std::isfinite(point.text_tokens)) maximum = std::max(maximum, point.text_tokens);
  return maximum;
}

}  // namespace

Figure training_curves(const Analysis& analysis) {
  Figure figure{
      .name = "curves",
      .caption =
          "Training loss by text tokens read: the mean over seeds, and the band from the "
          "minimum to the maximum; dotted, the optimum and the context-free floor on "
          "held-out text. One panel for each objective at one setting: the training losses "
          "of different objectives answer different questions and share no axis.",
      .axes = curve_axes(),
      .band = "minimum to maximum"};
  const double tokens = max_tokens(analysis);
  bool crosses = false;
  for (const std::vector<std::size_t>& panel : curve_panels(analysis)) {
    const std::vector<ArmCurve> curves = curves_of(analysis, panel);
    if (curves.empty()) continue;
    figure.plots.push_back(plot_of(curves, tokens));
    crosses = crosses || std::ranges::any_of(curves, spiked);
  }
  if (crosses) figure.caption += " × marks where the loss of a step was a spike.";
  return figure;
}

}  // namespace ablate::reports
