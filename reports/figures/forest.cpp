#include "reports/figures/forest.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "reports/analysis/compare.h"
#include "reports/analysis/looks.h"
#include "reports/figures/plots.h"
#include "reports/text/csv_writer.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kBaselineCharacters = 30;

/// A difference, and the interval that holds for all of them at once; absent where it is the only one.
struct ForestRow {
  const Difference* difference = nullptr;
  std::optional<statistics::Interval> together = {};
};

/// How many arms are compared with the baseline, declared trends aside.
std::int64_t compared(const Analysis& analysis) {
  return std::max<std::int64_t>(analysis.comparisons - std::ssize(analysis.declared_trends), 1);
}

std::vector<ForestRow> rows_of(const Analysis& analysis) {
  std::vector<ForestRow> rows;
  for (const Difference& difference : analysis.differences) {
    if (!difference.primary || !difference.over_seeds.mean) continue;
    ForestRow& row = rows.emplace_back(ForestRow{&difference});
    const auto share = difference.interval_level / static_cast<double>(compared(analysis));
    if (compared(analysis) > 1)
      row.together = statistics::t_interval(present_values(difference.over_seeds), share);
  }
  return rows;
}

std::string summary(const Analysis& analysis, const Difference& difference) {
  return fmt::format("{}, {}",
                     rounded(*difference.over_seeds.mean, difference.over_seeds.interval).text(),
                     verdict_text(analysis, difference));
}

PlotRow drawn(const Analysis& analysis, const ForestRow& row) {
  const Difference& difference = *row.difference;
  const Estimate& seen = difference.over_seeds;
  return {.name = analysis.label(difference.arm),
          .remark = std::string(verdict_text(analysis, difference)),
          .mean = seen.mean,
          .interval = seen.interval,
          .wider = row.together,
          .dots = dots_of(seen),
          .verdict =
              analysis.none_above_floor ? statistics::Verdict::inconclusive : difference.verdict};
}

/// What the shapes of these rows say, but for shapes that none of them has.
std::string shapes(const std::vector<PlotRow>& rows) {
  using enum statistics::Verdict;
  const auto any = [&](std::initializer_list<statistics::Verdict> verdicts) {
    return std::ranges::any_of(rows, [&](const PlotRow& row) {
      return std::ranges::find(verdicts, *row.verdict) != verdicts.end();
    });
  };
  std::vector<std::string> said;
  if (any({better})) said.emplace_back("filled circles: better");
  if (any({worse})) said.emplace_back("squares: worse");
  if (any({equivalent})) said.emplace_back("diamonds: equivalent");
  if (any({inconclusive, incomparable}))
    said.emplace_back("open circles: not resolved, or not tested");
  std::string text = fmt::format(" {}.", fmt::join(said, "; "));
  text[1] = static_cast<char>(std::toupper(text[1]));
  return text;
}

std::string caption_of(const Analysis& analysis, const MetricRow& metric,
                       const std::vector<PlotRow>& rows) {
  std::string text = fmt::format(
      "Difference from {} in {}, paired by seed: the mean, and its {}{}. Dots are seeds.",
      analysis.baseline()->label, with_unit(metric), interval_name(analysis),
      compared(analysis) == 1 && sharing(analysis) > 1
          ? std::string(", which unlike the verdict is not adjusted for the number of comparisons")
      : compared(analysis) > 1
          ? fmt::format(" (thick); thin, the interval that holds for all {} comparisons at once "
                        "(Bonferroni)",
                        compared(analysis))
          : std::string());
  if (metric.better != Better::neither)
    text += fmt::format(" {} of 0 is better.", metric.better == Better::lower ? "Left" : "Right");
  if (analysis.smallest_effect)
    text +=
        fmt::format(" Differences within the band are below the smallest effect of interest, {}.",
                    significant(*analysis.smallest_effect));
  return rows.size() > 1 ? text + shapes(rows) : text;
}

std::string csv_of(const Analysis& analysis, const std::vector<ForestRow>& rows) {
  Csv csv({"arm", "baseline", "metric", "mean", "low", "high", "low_together", "high_together", "n",
           "p_adjusted", "verdict"});
  for (const ForestRow& row : rows) {
    const Estimate& seen = row.difference->over_seeds;
    csv.text(row.difference->arm).text(analysis.baseline()->name).text(row.difference->metric);
    csv.number(seen.mean);
    for (const auto& interval : {seen.interval, row.together ? row.together : seen.interval})
      csv.interval(interval);
    csv.number(seen.n).number(row.difference->p_adjusted);
    csv.text(verdict_text(analysis, *row.difference)).end();
  }
  return csv.str();
}

}  // namespace

Figure forest_plot(const Analysis& analysis) {
  Figure figure{.name = "forest"};
  const std::vector<ForestRow> rows = rows_of(analysis);
  const ArmResult* baseline = analysis.baseline();
  if (rows.empty() || baseline == nullptr) return figure;
  const MetricRow& metric = *analysis.metric(analysis.primary);
  Plot plot{
      .title = fmt::format("Differences from {} in {}", baseline->label, metric.label),
      .x = {.title = fmt::format("arm − {}, {}", arm_label(baseline->label, kBaselineCharacters),
                                 with_unit(metric))}};
  for (const ForestRow& row : rows) {
    plot.rows.push_back(drawn(analysis, row));
    plot.description +=
        fmt::format("{}: {}. ", plot.rows.back().name, summary(analysis, *row.difference));
  }
  std::int64_t pairs = 0;
  for (const ForestRow& row : rows) pairs = std::max(pairs, row.difference->over_seeds.n);
  figure.caption = caption_of(analysis, metric, plot.rows) + dots_note(pairs);
  plot.levels = {{.at = 0, .kind = PlotLevel::Kind::zero, .upright = true}};
  if (const auto effect = analysis.smallest_effect)
    plot.zone = statistics::Interval{-*effect, *effect};
  if (metric.better != Better::neither) {
    const bool lower = metric.better == Better::lower;
    plot.towards_low = lower ? "← better" : "← worse";
    plot.towards_high = lower ? "worse →" : "better →";
  }
  plot.paper = {"forest", false, figure.caption, csv_of(analysis, rows)};
  figure.plots.push_back(std::move(plot));
  return figure;
}

}  // namespace ablate::reports
