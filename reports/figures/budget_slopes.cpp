#include "reports/figures/budget_slopes.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/analysis/budgets/rankings.h"
#include "reports/tables/budgets/budget_tables.h"
#include "reports/text/csv_writer.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxSlopes = 12;  // what a slope chart has room for
constexpr std::size_t kNameCharacters = 18;

/// Whether a slope chart of these rankings can be drawn.
bool has_slopes(const BudgetRankings& rankings) {
  return rankings.contestants.size() <= kMaxSlopes && rankings.possible().size() > 1;
}

std::size_t rank_of(const BudgetRanking& ranking, std::size_t contestant) {
  return static_cast<std::size_t>(
      std::find(ranking.by_rank.begin(), ranking.by_rank.end(), contestant) -
      ranking.by_rank.begin());
}

/// The columns' heads, each with what is held equal and the amount.
PlotAxis columns_of(const std::vector<const BudgetRanking*>& columns) {
  PlotAxis axis{.kind = AxisKind::places,
                .ends = statistics::Interval{1, static_cast<double>(columns.size())}};
  for (const BudgetRanking* ranking : columns)
    axis.marks.push_back({static_cast<double>(axis.marks.size() + 1),
                          std::string(ranking->mode->name),
                          ranking->mode->counted ? amount(ranking->budget)
                                                 : amount_spent(ranking->budget, *ranking->mode)});
  return axis;
}

PlotLine slope_of(const BudgetRankings& rankings, std::size_t contestant) {
  const std::vector<const BudgetRanking*> columns = rankings.possible();
  PlotLine line{.series = contestant};
  for (const BudgetRanking* ranking : columns) {
    line.x.push_back(static_cast<double>(line.x.size() + 1));
    line.y.push_back(static_cast<double>(rank_of(*ranking, contestant) + 1));
    line.dots.push_back({line.x.back(), line.y.back()});
  }
  const auto end = [&](const BudgetRanking& ranking) -> LineEnd {
    const Estimate& value = ranking.values[contestant];
    return {arm_label(rankings.contestants[contestant].name, kNameCharacters), value.mean,
            value.interval};
  };
  line.before = end(*columns.front());
  line.after = end(*columns.back());
  return line;
}

std::string describe(const BudgetRankings& rankings) {
  std::string text;
  for (const BudgetRanking* ranking : rankings.possible()) {
    text += fmt::format("At {}:", amount_spent(ranking->budget, *ranking->mode));
    for (const std::size_t index : ranking->by_rank)
      text += fmt::format(" {},", rankings.contestants[index].name);
    text.back() = '.';
    text += ' ';
  }
  return text;
}

std::string caption_of(const BudgetRankings& rankings) {
  return fmt::format(
      "The ranking by {} when a budget is held equal, the best on top: at the largest budget that "
      "all arms reach, by each way of counting. Beside the names, mean ± half-width of the 95 % "
      "t-interval in the first and the last column.",
      rankings.metric->label);
}

std::string csv_of(const BudgetRankings& rankings) {
  Csv csv({"held_equal", "budget", "unit", "arm", "rank", "metric", "mean", "low", "high", "n"});
  using Number = std::optional<double>;
  for (const BudgetRanking* ranking : rankings.possible())
    for (std::size_t rank = 0; rank < ranking->by_rank.size(); ++rank) {
      const std::size_t index = ranking->by_rank[rank];
      const Estimate& value = ranking->values[index];
      csv.text(ranking->mode->name).number(Number(ranking->budget)).text(ranking->mode->unit);
      csv.text(rankings.contestants[index].name).number(static_cast<std::int64_t>(rank + 1));
      csv.text(rankings.metric->name).number(value.mean);
      csv.interval(value.interval).number(value.n).end();
    }
  return csv.str();
}

}  // namespace

Figure budget_slopes(const Analysis& analysis) {
  Figure figure{.name = "budgets"};
  const BudgetRankings rankings = budget_rankings(analysis);
  if (!has_slopes(rankings)) return figure;
  figure.caption = caption_of(rankings);
  const auto ranks = static_cast<double>(rankings.contestants.size());
  Plot plot{.title = "The ranking of arms at equal budgets",
            .description = describe(rankings),
            .x = columns_of(rankings.possible()),
            .y = {.kind = AxisKind::lines, .ends = statistics::Interval{0.5, ranks + 0.5}},
            .paper = {"budgets", false, figure.caption, csv_of(rankings)}};
  for (std::size_t i = 0; i < rankings.contestants.size(); ++i)
    plot.lines.push_back(slope_of(rankings, i));
  figure.plots.push_back(std::move(plot));
  return figure;
}

}  // namespace ablate::reports
