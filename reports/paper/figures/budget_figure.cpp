#include "reports/paper/figures/budget_figure.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/utf8.h"
#include "reports/figures/budget_slopes.h"
#include "reports/paper/numbers/cells.h"
#include "reports/tables/budgets/budget_tables.h"
#include "reports/text/csv_writer.h"
#include "reports/text/latex.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kSlopeInches = 0.3;
constexpr std::size_t kNumber = 16;  // characters of an estimate

std::string columns_options(const std::vector<const BudgetRanking*>& columns, std::size_t rows) {
  std::string places, labels;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    places += fmt::format("{}{}", i > 0 ? "," : "", i + 1);
    labels += fmt::format("{}{{{}\\\\{}}}", i > 0 ? "," : "", latex_text(columns[i]->mode->name),
                          latex_text(amount_spent(columns[i]->budget, *columns[i]->mode)));
  }
  return fmt::format(
      "y dir=reverse, ymin=0.5, ymax={}.5, ytick=\\empty, enlarge y limits=false, clip=false,\n"
      "xmin=1, xmax={}, xtick={{{}}}, xticklabels={{{}}}, x tick label style={{align=center}},\n"
      "axis x line*=top, axis y line=none, x axis line style={{draw=none}}, xmajorgrids,\n"
      "tick style={{draw=none}},\n",
      rows, columns.size(), places, labels);
}

std::string slope_tex(const BudgetRankings& rankings, std::size_t contestant) {
  const std::vector<const BudgetRanking*> columns = rankings.possible();
  std::vector<PlotPoint> points;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& by_rank = columns[i]->by_rank;
    const auto rank = std::find(by_rank.begin(), by_rank.end(), contestant) - by_rank.begin();
    points.push_back({static_cast<double>(i + 1), static_cast<double>(rank + 1)});
  }
  const std::string name = latex_text(arm_label(rankings.contestants[contestant].name, 20));
  const auto end_tex = [&](PlotPoint at, const char* anchor, const Estimate& value) {
    return fmt::format("\\node[anchor={}, xshift={}4pt] at (axis cs:{},{}) {{{} {}}};\n", anchor,
                       at.x > 1 ? "" : "-", coordinate(at.x), coordinate(at.y), name,
                       estimate_tex(value));
  };
  return series_line(points, contestant, "") +
         end_tex(points.front(), "east", columns.front()->values[contestant]) +
         end_tex(points.back(), "west", columns.back()->values[contestant]);
}

std::string budgets_csv(const BudgetRankings& rankings) {
  Csv csv({"held_equal", "budget", "unit", "arm", "rank", "metric", "mean", "low", "high", "n"});
  using Number = std::optional<double>;
  for (const BudgetRanking* ranking : rankings.possible())
    for (std::size_t rank = 0; rank < ranking->by_rank.size(); ++rank) {
      const std::size_t index = ranking->by_rank[rank];
      const Estimate& value = ranking->values[index];
      csv.text(ranking->mode->name).number(Number(ranking->budget)).text(ranking->mode->unit);
      csv.text(rankings.contestants[index].name).number(static_cast<std::int64_t>(rank + 1));
      csv.text(rankings.metric->name).number(value.mean);
      csv.number(value.interval ? Number(value.interval->low) : Number());
      csv.number(value.interval ? Number(value.interval->high) : Number()).number(value.n).end();
    }
  return csv.str();
}

}  // namespace

std::vector<PaperFigure> budget_figures(const Analysis& analysis, const Venue& venue) {
  const BudgetRankings rankings = budget_rankings(analysis);
  if (!has_slopes(rankings)) return {};
  std::size_t longest = 0;
  for (const Contestant& contestant : rankings.contestants)
    longest = std::max(longest, std::min<std::size_t>(characters(contestant.name), 20));
  const double labelled = 2 * fraction_of_width(venue, longest + kNumber);
  const std::size_t rows = rankings.contestants.size();
  const AxisSize size{std::max(0.25, 1 - labelled),
                      kSlopeInches * static_cast<double>(rows) / width_in_inches(venue)};
  std::string tex = begin_axis(venue, size, columns_options(rankings.possible(), rows));
  for (std::size_t i = 0; i < rows; ++i) tex += slope_tex(rankings, i);
  return {{"budgets", slopes_caption(rankings), tex + end_axis(), budgets_csv(rankings),
           budget_slopes(analysis).panels.front()}};
}

}  // namespace ablate::reports
