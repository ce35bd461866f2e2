#include "reports/formats/json/json_costs.h"

#include "reports/analysis/budgets/rankings.h"
#include "reports/analysis/facts.h"
#include "reports/findings/json_parts.h"

namespace ablate::reports {
namespace {

/// The mean over completed trials of a count per second of training.
Json per_second(const ArmResult& arm, const char* count) {
  std::vector<double> rates;
  for (const Json& ledger : completed_ledgers(arm)) {
    const Json amount = ledger.value(count, Json()), seconds = ledger.value("seconds", Json());
    if (amount.is_number() && seconds.is_number() && seconds.get<double>() > 0)
      rates.push_back(amount.get<double>() / seconds.get<double>());
  }
  return rates.empty() ? Json() : Json(statistics::mean(rates));
}

Json ranking_json(const BudgetRankings& rankings, const BudgetRanking& ranking) {
  Json ranks = Json::array();
  for (const std::size_t index : ranking.by_rank) {
    const Estimate& value = ranking.values[index];
    ranks.push_back({{"name", rankings.contestants[index].name},
                     {"mean", *value.mean},
                     {"ci", interval_json(value.interval)},
                     {"n", value.n}});
  }
  return {{"held_equal", ranking.mode->name},
          {"budget", ranking.budget},
          {"unit", ranking.mode->unit},
          {"ranks", ranks}};
}

Json flip_json(const BudgetRankings& rankings, const BudgetFlip& flip) {
  const auto at = [](const BudgetRanking& ranking, const Estimate& difference) {
    return Json{{"held_equal", ranking.mode->name},
                {"difference", *difference.mean},
                {"ci", interval_json(difference.interval)}};
  };
  return {{"ahead", rankings.contestants[flip.ahead].name},
          {"behind", rankings.contestants[flip.behind].name},
          {"at", {at(*flip.first, flip.at_first), at(*flip.second, flip.at_second)}},
          {"resolved", flip.resolved}};
}

}  // namespace

Json ledger_json(const ArmResult& arm) {
  std::vector<Facts> trials;
  for (const Json& ledger : completed_ledgers(arm)) trials.push_back(facts_of(ledger));
  Json json = Json::object();
  for (const auto& [name, value] : mean_facts(trials)) json[name] = value;
  return json;
}

Json speed_json(const ArmResult& arm) {
  return {{"tokens_per_second", per_second(arm, "text_tokens")},
          {"flops_per_second", per_second(arm, "flops")}};
}

Json budgets_json(const Analysis& analysis) {
  const BudgetRankings rankings = budget_rankings(analysis);
  Json ranked = Json::array(), flips = Json::array(), dominated = Json::object();
  for (const BudgetRanking* ranking : rankings.possible())
    ranked.push_back(ranking_json(rankings, *ranking));
  for (const BudgetFlip& flip : flips_of(rankings)) flips.push_back(flip_json(rankings, flip));
  for (const ArmCost& cost : costs_of(analysis))
    for (const ArmResult* better : cost.dominated_by)
      dominated[cost.arm->name].push_back(better->name);
  return {{"rankings", ranked}, {"flips", flips}, {"dominated", dominated}};
}

}  // namespace ablate::reports
