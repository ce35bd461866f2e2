#include "reports/figures/budget_slopes.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/figures/svg.h"
#include "reports/tables/budgets/budget_tables.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kWidth = 460;
constexpr double kNames = 118;  // on either side
constexpr double kTop = 50;
constexpr double kRow = 34;
constexpr double kBottom = 18;
constexpr std::size_t kNameCharacters = 16;

/// Ranks and modes to pixels.
struct SlopeScale {
  std::size_t columns = 0;

  double x(std::size_t column) const {
    return kNames +
           (kWidth - 2 * kNames) * static_cast<double>(column) / static_cast<double>(columns - 1);
  }
  static double y(std::size_t rank) { return kTop + kRow * (static_cast<double>(rank) + .5); }
};

std::size_t rank_of(const BudgetRanking& ranking, std::size_t contestant) {
  return static_cast<std::size_t>(
      std::find(ranking.by_rank.begin(), ranking.by_rank.end(), contestant) -
      ranking.by_rank.begin());
}

/// The columns' heads, each with what is held equal above the amount.
void draw_columns(Svg& svg, const std::vector<const BudgetRanking*>& columns,
                  const SlopeScale& scale, double bottom) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const BudgetRanking& ranking = *columns[i];
    svg.line({scale.x(i), kTop - 4}, {scale.x(i), bottom}, "grid");
    svg.text({scale.x(i), kTop - 30}, Anchor::middle, "heading", ranking.mode->name);
    svg.text({scale.x(i), kTop - 14}, Anchor::middle, "tick",
             ranking.mode->counted ? amount(ranking.budget)
                                   : amount_spent(ranking.budget, *ranking.mode));
  }
}

void draw_slope(Svg& svg, const BudgetRankings& rankings, std::size_t contestant,
                const SlopeScale& scale) {
  const std::vector<const BudgetRanking*> columns = rankings.possible();
  const std::string series = series_class(contestant);
  std::vector<Point> points;
  for (std::size_t i = 0; i < columns.size(); ++i)
    points.push_back({scale.x(i), SlopeScale::y(rank_of(*columns[i], contestant))});
  svg.path(points, "curve " + series);
  for (const Point& point : points) svg.dot(point, 4, "seed " + series);
  const std::string name = arm_label(rankings.contestants[contestant].name, kNameCharacters);
  const auto draw_end = [&](Point at, Anchor anchor, const BudgetRanking& ranking) {
    const Estimate& value = ranking.values[contestant];
    svg.text({at.x, at.y}, anchor, "name", name);
    svg.text({at.x, at.y + 13}, anchor, "tick", rounded(*value.mean, value.interval).text());
  };
  draw_end({points.front().x - 10, points.front().y}, Anchor::end, *columns.front());
  draw_end({points.back().x + 10, points.back().y}, Anchor::start, *columns.back());
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

}  // namespace

bool has_slopes(const BudgetRankings& rankings) {
  return rankings.contestants.size() <= kMaxSlopes && rankings.possible().size() > 1;
}

std::string slopes_caption(const BudgetRankings& rankings) {
  return fmt::format(
      "The ranking by {} when a budget is held equal, the best on top: at the largest budget that "
      "all arms reach, by each way of counting. Beside the names, mean ± half-width of the 95 % "
      "t-interval in the first and the last column.",
      rankings.metric->label);
}

Figure budget_slopes(const Analysis& analysis) {
  Figure figure{.name = "budgets"};
  const BudgetRankings rankings = budget_rankings(analysis);
  if (!has_slopes(rankings)) return figure;
  figure.caption = slopes_caption(rankings);
  const std::vector<const BudgetRanking*> columns = rankings.possible();
  const double bottom = kTop + kRow * static_cast<double>(rankings.contestants.size());
  const SlopeScale scale{columns.size()};
  Svg svg("budget-slopes", kWidth, bottom + kBottom, "The ranking of arms at equal budgets",
          describe(rankings));
  draw_columns(svg, columns, scale, bottom);
  for (std::size_t i = 0; i < rankings.contestants.size(); ++i) draw_slope(svg, rankings, i, scale);
  figure.panels.push_back(svg.str());
  return figure;
}

}  // namespace ablate::reports
