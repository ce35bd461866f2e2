#include "reports/analysis/matching.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/analysis/facts.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr double kAlike = 0.01;

/// Quantities that could explain a difference, by their names in a ledger.
constexpr std::pair<const char*, const char*> kCounts[] = {
    {"parameters", "parameters"},
    {"parameters_at_inference", "parameters at inference"},
    {"active_parameters", "parameters that read a position"},
    {"steps", "steps"},
    {"text_tokens", "tokens of text"},
    {"positions", "positions"},
    {"source_positions", "positions of the source"},
    {"targets", "scored targets"},
    {"flops", "FLOPs"}};

struct Spread {
  double minimum = 0, maximum = 0;
  std::string of_least, of_most;
};

/// The mean facts of each arm's completed trials, in the order of the arms.
std::vector<Facts> facts_by_arm(const Analysis& analysis) {
  std::vector<Facts> arms;
  for (const ArmResult& arm : analysis.arms) {
    std::vector<Facts> trials;
    for (const Json& ledger : completed_ledgers(arm)) trials.push_back(facts_of(ledger));
    arms.push_back(mean_facts(trials));
  }
  std::vector<Facts*> all(arms.size());
  std::ranges::transform(arms, all.begin(), [](Facts& arm) { return &arm; });
  complete_active_parameters(all);
  return arms;
}

/// `arms`: the facts of each arm.
Spread spread_of(const Analysis& analysis, const std::vector<Facts>& arms,
                 const std::string& count) {
  Spread spread;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const auto found = arms[i].find(count);
    if (found == arms[i].end() || !found->second.is_number()) continue;
    const double value = found->second;
    const std::string& label = analysis.arms[i].label;
    if (spread.of_least.empty() || value < spread.minimum) {
      spread.minimum = value;
      spread.of_least = label;
    }
    if (spread.of_most.empty() || value > spread.maximum) {
      spread.maximum = value;
      spread.of_most = label;
    }
  }
  return spread;
}

}  // namespace

std::string matching(const store::StoredPlan& plan) {
  std::string text;
  std::string allowed;
  for (const store::MatchedCount& match : plan.match) {
    text += fmt::format("{}{} ({} % apart)", text.empty() ? "" : ", ", match.on,
                        significant(100 * match.spread, 2));
    allowed = significant(100 * match.tolerance, 2);
  }
  if (text.empty()) return "The experiment asked for no quantity to be matched between arms.";
  return fmt::format("Matched between arms on {}; at most {} % was allowed.", text, allowed);
}

std::string not_matched(const Analysis& analysis) {
  const std::vector<Facts> arms = facts_by_arm(analysis);
  std::string text;
  for (const auto& [count, name] : kCounts) {
    const Spread spread = spread_of(analysis, arms, count);
    if (spread.maximum - spread.minimum <= kAlike * spread.maximum) continue;
    text += fmt::format("{}{}, {} ({}) to {} ({})", text.empty() ? "" : "; ", name,
                        amount(spread.minimum), spread.of_least, amount(spread.maximum),
                        spread.of_most);
  }
  return text.empty() ? "" : fmt::format("Differs between arms: {}.", text);
}

}  // namespace ablate::reports
