#include "reports/figures/rate_curves.h"

#include <fmt/core.h>

#include <limits>

#include "reports/figures/plots.h"
#include "reports/tables/table.h"
#include "reports/text/csv_writer.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kHeading = 50;                                   // characters
constexpr double kNoPlace = std::numeric_limits<double>::quiet_NaN();  // upwards

/// Whether any trial at the rate diverged.
bool diverged(const RateTried& tried) {
  return tried.values.n < static_cast<std::int64_t>(tried.values.values.size());
}

std::string describe(const ArmTuning& arm) {
  std::string text = fmt::format("Chosen: {}.", plain_number(arm.rate));
  for (const RateTried& tried : arm.tried)
    text += diverged(tried) ? fmt::format(" {}: diverged.", plain_number(tried.rate))
                            : fmt::format(" {}: {}.", plain_number(tried.rate),
                                          significant(*tried.values.mean));
  return text;
}

PlotLine line_of(const ArmTuning& arm, std::size_t series) {
  PlotLine line{.series = series};
  for (const RateTried& tried : arm.tried) {
    for (const auto& value : tried.values.values)
      if (value) line.dots.push_back({tried.rate, *value});
    if (diverged(tried)) {
      line.crosses.push_back({tried.rate, kNoPlace});
      continue;
    }
    line.x.push_back(tried.rate);
    line.y.push_back(*tried.values.mean);
    if (tried.rate == arm.rate) line.diamonds.push_back({tried.rate, *tried.values.mean});
  }
  return line;
}

/// The mean of the rates without divergence, with its interval.
std::string csv_of(const TuningRecord& record, const ArmTuning& arm) {
  Csv csv({"family", "arm", "parameter", "value", "metric", "mean", "low", "high", "n"});
  using Number = std::optional<double>;
  for (const RateTried& tried : arm.tried) {
    if (diverged(tried)) continue;
    csv.text(arm.label).text(arm.name).text("learning rate").number(Number(tried.rate));
    csv.text(record.criterion.name).number(tried.values.mean);
    csv.interval(tried.values.interval).number(tried.values.n).end();
  }
  return csv.str();
}

std::string caption_of(const TuningRecord& record) {
  return fmt::format(
      "{} on the development part, by learning rate: the line is the mean over tuning seeds, dots "
      "are seeds, the diamond is the chosen rate, × a rate at which a trial diverged, and the "
      "dotted line the common rate. Each arm has its own axis.",
      arrowed(record.criterion));
}

}  // namespace

Figure rate_curves(const TuningRecord& record) {
  Figure figure{.name = "rates", .caption = caption_of(record)};
  for (std::size_t i = 0; i < record.arms.size(); ++i) {
    const ArmTuning& arm = record.arms[i];
    PlotLine line = line_of(arm, i);
    if (line.dots.empty()) continue;
    Plot plot{.title = fmt::format("{} of {} by learning rate", record.criterion.name, arm.label),
              .description = describe(arm),
              .heading = arm_label(arm.label, kHeading),
              .x = {.title = "learning rate (logarithmic)",
                    .kind = AxisKind::logarithmic,
                    .marks = marks_at(record.rates)},
              .y = {.title = with_unit(record.criterion)},
              .levels = {{.at = record.common, .upright = true}},
              .paper = {"rates", true, fmt::format("{}: {}", arm.label, figure.caption),
                        csv_of(record, arm)}};
    if (arm.tried.size() < 2) plot.paper = {};
    plot.lines.push_back(std::move(line));
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

}  // namespace ablate::reports
