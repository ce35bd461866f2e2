#include "reports/tables/budgets/budget_tables.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "reports/analysis/budgets/rankings.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// "clm", or "clm and 3 others".
std::string dominating(const std::vector<const ArmResult*>& arms) {
  if (arms.empty()) return "";
  const auto others = std::ssize(arms) - 1;
  return others == 0 ? arms.front()->label
                     : fmt::format("{} and {}", arms.front()->label, counted(others, "other"));
}

Table cost_table(const MetricRow& metric, const std::vector<ArmCost>& costs) {
  Table table{.name = "costs", .caption = "What the primary metric cost, by every measure"};
  table.columns = {{.title = "arm"}, column_of(metric)};
  for (const BudgetMode& mode : budget_modes())
    table.columns.push_back({.title = std::string(mode.name),
                             .unit = mode.counted ? "" : std::string(mode.unit),
                             .numbers = true});
  table.columns.push_back({.title = "dominated by"});
  for (const ArmCost& cost : costs) {
    Row row{.cells = {text_cell(cost.arm->label), estimate_cell(cost.arm->metrics.at(metric.name))},
            .origin = cost.arm->anchor};
    for (const BudgetMode& mode : budget_modes()) {
      const auto found = cost.by_mode.find(mode.name);
      row.cells.push_back(text_cell(found == cost.by_mode.end() ? "" : amount(found->second)));
    }
    row.cells.push_back(text_cell(dominating(cost.dominated_by), Tone::quiet));
    table.rows.push_back(std::move(row));
  }
  table.source = std::string(kLedgerSource);
  table.notes = {
      "Means over completed trials. An arm is dominated by one that is better (95 % t-interval of "
      "the difference, paired by seed, without 0; not adjusted) and cost no more by any measure, "
      "within 1 %; the best of several is named. Time is what a clock measured on the machines "
      "used, and is no count."};
  return table;
}

/// Which rankings are not known, and what would show them; empty where all are.
std::string impossible_note(const BudgetRankings& rankings) {
  std::vector<std::string_view> names;
  for (const BudgetRanking& ranking : rankings.rankings)
    if (!ranking.possible) names.push_back(ranking.mode->name);
  if (names.empty()) return "";
  return fmt::format(
      "Ranks at equal {} are not known: no such budget is one that all arms were trained with or "
      "that lies between two that they were. A sweep over train.budget in every arm would show "
      "them.",
      fmt::join(names, ", "));
}

Table ranking_table(const BudgetRankings& rankings) {
  Table table{.name = "budgets", .caption = "The ranking of arms when a budget is held equal"};
  table.columns = {{.title = "arm"}};
  const std::vector<const BudgetRanking*> possible = rankings.possible();
  for (const BudgetRanking* ranking : possible)
    table.columns.push_back(
        {.title = "at " + amount_spent(ranking->budget, *ranking->mode), .numbers = true});
  for (const std::size_t index : possible.front()->by_rank) {
    Row row{{text_cell(rankings.contestants[index].name)}};
    for (const BudgetRanking* ranking : possible) {
      const auto rank = std::find(ranking->by_rank.begin(), ranking->by_rank.end(), index);
      const Estimate& value = ranking->values[index];
      row.cells.push_back(
          from(value.anchor, text_cell(fmt::format("{} ({})", rank - ranking->by_rank.begin() + 1,
                                                   rounded(*value.mean, value.interval).text()))));
    }
    table.rows.push_back(std::move(row));
  }
  table.notes = {fmt::format(
      "Rank by {}, with its mean ± half-width of the 95 % t-interval over seeds, at the largest "
      "budget that all arms reach. Between the budgets that an arm sweeps over, each seed's value "
      "is taken as linear in the logarithm of what it spent. Exploratory.",
      arrowed(*rankings.metric))};
  const std::vector<BudgetFlip> flips = flips_of(rankings);
  const auto open = std::count_if(flips.begin(), flips.end(),
                                  [](const BudgetFlip& flip) { return !flip.resolved; });
  if (open > 0)
    table.notes.push_back(
        fmt::format("Of {}, the order differs between columns by no more than the seeds do.",
                    counted(open, "pair")));
  return table;
}

std::string lead_text(const std::string& ahead, const BudgetRanking& ranking,
                      const Estimate& difference) {
  return fmt::format("at {} {} is ahead by {}", amount_spent(ranking.budget, *ranking.mode), ahead,
                     rounded(std::abs(*difference.mean), difference.interval).text());
}

Query query_of(const Analysis& analysis, const BudgetRankings& rankings, const BudgetFlip& flip,
               std::size_t index) {
  const std::string path = path_to({"budgets", "flips", std::to_string(index)});
  Query query{.metric = rankings.metric->name,
              .test = "95 % t-interval of the difference, paired by seed, at each of the budgets"};
  for (const std::size_t each : {flip.ahead, flip.behind}) {
    for (const ArmResult* arm : rankings.contestants[each].arms) query.arms.push_back(arm->name);
    for (const BudgetRanking* ranking : {flip.first, flip.second})
      query.origins.push_back(
          {fmt::format("{} at equal {}", rankings.contestants[each].name, ranking->mode->name),
           path, ranking->values[each].anchor});
  }
  query.seeds = seeds_of(analysis, query.arms, query.metric);
  query.sql = values_sql(analysis, query.arms, query.metric);
  return query;
}

}  // namespace

std::string amount_spent(double budget, const BudgetMode& mode) {
  if (!mode.counted) return duration_text(budget);
  const std::string number = amount(budget);
  const bool joined = mode.unit == "FLOPs" && number.find(' ') != number.npos;
  return number + (joined ? "" : " ") + std::string(mode.unit);
}

std::vector<Table> budget_tables(const Analysis& analysis) {
  std::vector<Table> tables;
  const BudgetRankings rankings = budget_rankings(analysis);
  if (rankings.contestants.empty()) return tables;
  tables.push_back(cost_table(*rankings.metric, costs_of(analysis)));
  if (rankings.possible().size() > 1) tables.push_back(ranking_table(rankings));
  if (std::string note = impossible_note(rankings); !note.empty())
    tables.back().notes.push_back(std::move(note));
  return tables;
}

std::vector<Statement> flip_statements(const Analysis& analysis) {
  std::vector<Statement> statements;
  const BudgetRankings rankings = budget_rankings(analysis);
  const std::vector<BudgetFlip> flips = flips_of(rankings);
  for (std::size_t i = 0; i < flips.size(); ++i) {
    const BudgetFlip& flip = flips[i];
    if (!flip.resolved) continue;
    const Contestant &ahead = rankings.contestants[flip.ahead],
                     &behind = rankings.contestants[flip.behind];
    statements.push_back(
        {fmt::format("In {}, the order of {} and {} depends on what is held equal: {}, {}.",
                     rankings.metric->label, ahead.name, behind.name,
                     lead_text(ahead.name, *flip.first, flip.at_first),
                     lead_text(behind.name, *flip.second, flip.at_second)),
         query_of(analysis, rankings, flip, i)});
  }
  return statements;
}

}  // namespace ablate::reports
