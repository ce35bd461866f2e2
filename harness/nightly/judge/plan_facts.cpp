#include "harness/nightly/judge/plan_facts.h"

#include <fmt/ranges.h>

#include <set>
#include <vector>

namespace ablate::nightly {

Json facts_of(const store::StoredPlan& plan, const store::Records& records,
              const std::string& arm) {
  Json facts = Json::object();
  for (const store::StoredLedger& ledger : plan.ledger) {
    if (ledger.arm != arm) continue;
    facts = ledger.amounts;
    facts["arm"] = arm;
  }
  for (const store::TrialRecord& trial : records.trials)
    if (trial.arm == arm) facts["trials"][fmt::format("seed {}", trial.seed)] = trial.id;
  return facts;
}

std::string differing(const Json& before, const Json& now) {
  std::vector<std::string> words;
  const Json flat_before = before.flatten(), flat_now = now.flatten();
  std::set<std::string> keys;
  for (const auto& [key, value] : flat_before.items()) keys.insert(key);
  for (const auto& [key, value] : flat_now.items()) keys.insert(key);
  const auto text_at = [](const Json& flat, const std::string& key) {
    return flat.contains(key) ? ascii_text(flat.at(key)) : "nothing";
  };
  for (const std::string& key : keys) {
    if (text_at(flat_before, key) == text_at(flat_now, key)) continue;
    if (words.size() == 3) {
      words.emplace_back("and more");
      break;
    }
    words.push_back(fmt::format("{}: {} before, {} now", key.substr(1), text_at(flat_before, key),
                                text_at(flat_now, key)));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace ablate::nightly
