#include "reports/paper/figures/curve_figures.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/utf8.h"
#include "reports/figures/curves.h"
#include "reports/figures/curves/curve_data.h"
#include "reports/text/csv_writer.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

/// An arm and its curve.
struct ArmCurve {
  const ArmResult* arm = nullptr;
  std::vector<CurveBand> bands;
};

std::vector<ArmCurve> curves_of(const Analysis& analysis, const std::vector<std::size_t>& panel) {
  std::vector<ArmCurve> curves;
  for (const std::size_t index : panel) {
    ArmCurve curve{&analysis.arms[index], curve_bands(analysis.arms[index])};
    if (!curve.bands.empty()) curves.push_back(std::move(curve));
  }
  return curves;
}

/// What tokens are counted in along an axis.
struct TokenUnit {
  double tokens = 1;
  const char* name = "tokens of text read";
};

TokenUnit unit_for(const std::vector<ArmCurve>& curves) {
  double maximum = 0;
  for (const ArmCurve& curve : curves) maximum = std::max(maximum, curve.bands.back().tokens);
  if (maximum >= 1e9) return {1e9, "billions of tokens of text read"};
  if (maximum >= 1e6) return {1e6, "millions of tokens of text read"};
  if (maximum >= 1e3) return {1e3, "thousands of tokens of text read"};
  return {};
}

std::string curve_tex(const ArmCurve& curve, std::size_t series, TokenUnit unit) {
  std::vector<PlotPoint> mean, low, high, spikes;
  for (const CurveBand& each : curve.bands) {
    const double at = each.tokens / unit.tokens;
    if (each.spike) spikes.push_back({at, each.mean});
    mean.push_back({at, each.mean});
    low.push_back({at, each.low});
    high.push_back({at, each.high});
  }
  return band(low, high, series) +
         series_line(mean, series, arm_label(curve.arm->label, kNameCharacters)) +
         (spikes.empty() ? ""
                         : fmt::format("\\addplot[only marks, mark=x, forget plot] coordinates "
                                       "{{\n  {}}};\n",
                                       coordinates(spikes)));
}

std::string curves_caption(const std::vector<ArmCurve>& curves) {
  const auto spiked = [](const ArmCurve& curve) {
    return std::ranges::any_of(curve.bands, [](const CurveBand& band) { return band.spike; });
  };
  return fmt::format(
      "Training loss of {} by tokens of text read: the mean over seeds, and the band from the "
      "smallest to the largest. The training losses of different objectives answer different "
      "questions and share no axis.{}",
      curves.front().arm->objective,
      std::ranges::any_of(curves, spiked) ? " Crosses: the loss of a step was a spike." : "");
}

/// Optimum and floor across the axes, each with its name where the curve is not: on the left above
/// the one, and on the right on the other side of the other.
std::string levels_tex(const ArmCurve& curve, TokenUnit unit) {
  const CurveBand& last = curve.bands.back();
  std::string out;
  for (const CurveLevel& level : curve_levels(*curve.arm)) {
    const char* const right = last.mean > level.loss ? "north east" : "south east";
    out += fmt::format(
        "\\addplot[ablate level, forget plot] coordinates {{{}}} node[pos={}, anchor={}] {};\n",
        coordinates({{0, level.loss}, {last.tokens / unit.tokens, level.loss}}),
        level.floor ? 1 : 0, level.floor ? right : "south west", braced(level.label));
  }
  return out;
}

std::string curves_tex(const std::vector<ArmCurve>& curves, const Venue& venue) {
  std::size_t longest = 0;
  for (const ArmCurve& curve : curves)
    longest = std::max(longest, std::min(characters(curve.arm->label), kNameCharacters));
  const AxisSize size{1 - fraction_of_width(venue, 9), 0.45};
  const TokenUnit unit = unit_for(curves);
  std::string out =
      begin_axis(venue, size,
                 fmt::format("xlabel={{{}}}, ylabel={{training loss (nats/target)}}, xmin=0,\n{}",
                             unit.name, legend_above(venue, longest))) +
      levels_tex(curves.front(), unit);
  for (std::size_t i = 0; i < curves.size(); ++i) out += curve_tex(curves[i], i, unit);
  return out + end_axis();
}

std::string curves_csv(const std::vector<ArmCurve>& curves) {
  Csv csv({"arm", "text_tokens", "mean", "low", "high"});
  using Number = std::optional<double>;
  for (const ArmCurve& curve : curves)
    for (const CurveBand& each : curve.bands) {
      csv.text(curve.arm->name).number(Number(each.tokens)).number(Number(each.mean));
      csv.number(Number(each.low)).number(Number(each.high)).end();
    }
  return csv.str();
}

}  // namespace

std::vector<PaperFigure> curve_figures(const Analysis& analysis, const Venue& venue) {
  const Figure drawn = training_curves(analysis);
  std::vector<PaperFigure> figures;
  for (const std::vector<std::size_t>& panel : curve_panels(analysis)) {
    const std::vector<ArmCurve> curves = curves_of(analysis, panel);
    if (curves.empty()) continue;
    figures.push_back({fmt::format("curves-{}", figures.size() + 1), curves_caption(curves),
                       curves_tex(curves, venue), curves_csv(curves),
                       drawn.panels.at(figures.size())});
  }
  return figures;
}

}  // namespace ablate::reports
