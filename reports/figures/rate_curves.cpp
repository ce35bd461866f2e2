#include "reports/figures/rate_curves.h"

#include <fmt/core.h>

#include "reports/figures/svg.h"
#include "reports/tables/table.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kWidth = 300;
constexpr double kHeight = 220;
constexpr double kLeft = 52;
constexpr double kRight = 14;
constexpr double kTop = 34;
constexpr double kBottom = 42;

/// Whether any trial at the rate diverged.
bool diverged(const RateTried& tried) {
  return tried.values.n < static_cast<std::int64_t>(tried.values.values.size());
}

void draw_axes(Svg& svg, const std::vector<double>& rates, const Scale& x, const Scale& y) {
  const std::vector<double> levels = ticks(y, 4);
  for (const double level : levels) {
    svg.line({kLeft, y(level)}, {kWidth - kRight, y(level)}, "grid");
    svg.text({kLeft - 7, y(level) + 4}, Anchor::end, "tick", tick_text(level, levels));
  }
  svg.line({kLeft, y.from}, {kWidth - kRight, y.from}, "axis");
  for (const double rate : rates) {
    svg.line({x(rate), y.from}, {x(rate), y.from + 4}, "axis");
    svg.text({x(rate), y.from + 17}, Anchor::middle, "tick", significant(rate, 2));
  }
  svg.text({(kLeft + kWidth - kRight) / 2, y.from + 35}, Anchor::middle, "label",
           "learning rate (logarithmic)");
}

std::string describe(const ArmTuning& arm) {
  std::string text = fmt::format("Chosen: {}.", plain_number(arm.rate));
  for (const RateTried& tried : arm.tried)
    text += diverged(tried) ? fmt::format(" {}: diverged.", plain_number(tried.rate))
                            : fmt::format(" {}: {}.", plain_number(tried.rate),
                                          significant(*tried.values.mean));
  return text;
}

std::string draw_panel(const TuningRecord& record, std::size_t index) {
  const ArmTuning& arm = record.arms[index];
  std::vector<double> seen;
  for (const RateTried& tried : arm.tried)
    for (const auto& value : tried.values.values)
      if (value) seen.push_back(*value);
  if (seen.empty()) return "";
  const Scale x = wide_scale_over(record.rates, kLeft, kWidth - kRight, 0.08);
  const Scale y = scale_over(seen, kHeight - kBottom, kTop, 0.08);
  Svg svg(fmt::format("rates-{}", index), kWidth, kHeight,
          fmt::format("{} of {} by learning rate", record.criterion.name, arm.label),
          describe(arm));
  draw_axes(svg, record.rates, x, y);
  svg.line({x(record.common), kTop}, {x(record.common), y.from}, "level");
  const std::string series = series_class(index);
  std::vector<Point> means;
  for (const RateTried& tried : arm.tried) {
    for (const auto& value : tried.values.values)
      if (value) svg.dot({x(tried.rate), y(*value)}, 2.6, "seed " + series);
    if (diverged(tried))
      svg.text({x(tried.rate), kTop + 10}, Anchor::middle, "tick", "×");
    else
      means.push_back({x(tried.rate), y(*tried.values.mean)});
  }
  svg.path(means, "curve " + series);
  for (const RateTried& tried : arm.tried)
    if (tried.rate == arm.rate && !diverged(tried))
      svg.diamond({x(tried.rate), y(*tried.values.mean)}, 6, "reference");
  svg.text({4, 12}, Anchor::start, "heading", arm_label(arm.label, 38));
  return svg.str();
}

}  // namespace

Figure rate_curves(const TuningRecord& record) {
  Figure figure{
      "rates",
      fmt::format("{} on the development part, by learning rate: the line is the mean over tuning "
                  "seeds, dots are seeds, the diamond is the chosen rate, × a rate at which a "
                  "trial diverged, and the dotted line the common rate. Each arm has its own axis.",
                  arrowed(record.criterion)),
      {}};
  for (std::size_t i = 0; i < record.arms.size(); ++i) {
    std::string drawn = draw_panel(record, i);
    if (!drawn.empty()) figure.panels.push_back(std::move(drawn));
  }
  return figure;
}

}  // namespace ablate::reports
