#include "reports/tables/ledger_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "reports/analysis/facts.h"

namespace ablate::reports {
namespace {

/// The label of an arm and its completed trials' facts; numbers are averaged.
struct ArmFacts {
  std::string label, anchor;
  Facts facts;
};

/// How an amount of the ledger is shown: its title, and a factor that its unit needs.
struct Amount {
  std::string_view key, title;
  double factor = 1;
};

/// In the order in which they are read: what was trained, on what, at what price.
constexpr Amount kAmounts[] = {
    {"device", "device"},
    {"parameters", "parameters"},
    {"parameters_without_embeddings", "parameters without embeddings"},
    {"parameters_at_inference", "parameters at inference"},
    {"active_parameters", "parameters that read a position"},
    {"decoding_state_bytes", "decoding state of a row (kB)", 1e-3},
    {"steps", "steps"},
    {"clipped_steps", "steps with clipped gradients"},
    {"steps_without_target", "steps without a target"},
    {"text_tokens", "tokens of text"},
    {"epochs", "epochs"},
    {"positions", "positions"},
    {"source_positions", "positions of the encoder"},
    {"targets", "targets"},
    {"target_weight", "weight of the targets"},
    {"flops", "FLOPs"},
    {"trunk_flops", "FLOPs of the trunk"},
    {"head_flops", "FLOPs of the heads"},
    {"seconds", "training time (s)"},
    {"tokens_per_second", "tokens of text per second"},
    {"time_shares.data", "training time: data (%)", 100},
    {"time_shares.forward_and_backward", "training time: forward and backward (%)", 100},
    {"time_shares.update", "training time: update (%)", 100},
    {"time_shares.exchange", "training time: exchange with other ranks (%)", 100},
    {"time_shares.other", "training time: other (%)", 100},
    {"share_not_training", "time not training (%)", 100},
    {"share_probing", "time probing (%)", 100},
    {"lanes", "lanes"},
    {"ranks", "ranks"},
    {"peak_memory_bytes", "peak memory (MB)", 1e-6},
};

/// The place of an amount in the table; others come last, by name.
std::size_t place_of(const std::string& key) {
  return static_cast<std::size_t>(std::ranges::find(kAmounts, key, &Amount::key) - kAmounts);
}

std::string amount_title(const std::string& key) {
  const std::size_t place = place_of(key);
  return place < std::size(kAmounts) ? std::string(kAmounts[place].title) : words(key);
}

std::string amount_text(const std::string& key, const Json& value) {
  const std::size_t place = place_of(key);
  if (place == std::size(kAmounts) || !value.is_number()) return fact_text(value);
  return fact_text(value.get<double>() * kAmounts[place].factor);
}

void sort_amounts(std::vector<std::string>& keys) {
  std::ranges::sort(keys, {}, [](const std::string& key) { return std::pair(place_of(key), key); });
}

struct Usage {
  std::vector<std::string> keys;   // those of the table: that differ, or all if none does
  std::vector<std::string> alike;  // those that are the same everywhere
  std::vector<ArmFacts> by_arm;
};

Usage summarise(std::vector<ArmFacts> by_arm) {
  Usage spent;
  std::vector<Facts*> facts(by_arm.size());
  std::ranges::transform(by_arm, facts.begin(), [](ArmFacts& arm) { return &arm.facts; });
  complete_active_parameters(facts);
  Facts all;
  for (const ArmFacts& arm : by_arm) all.insert(arm.facts.begin(), arm.facts.end());
  for (const auto& [key, value] : all) {
    const auto same = [&, name = key, first = value](const ArmFacts& arm) {
      const auto found = arm.facts.find(name);
      return found != arm.facts.end() && found->second == first;
    };
    if (std::all_of(by_arm.begin(), by_arm.end(), same)) {
      spent.alike.push_back(key);
    } else {
      spent.keys.push_back(key);
    }
  }
  if (spent.keys.empty()) spent.keys.swap(spent.alike);  // one arm, or arms alike in everything
  for (std::vector<std::string>* each : {&spent.keys, &spent.alike}) sort_amounts(*each);
  spent.by_arm = std::move(by_arm);
  return spent;
}

/// The mean ledger of each arm's completed trials, without the realised rates.
std::vector<ArmFacts> ledgers(const Analysis& analysis) {
  std::vector<ArmFacts> by_arm;
  for (const ArmResult* arm : analysis.arms_with_records()) {
    std::vector<Facts> trials;
    for (Json ledger : completed_ledgers(*arm)) {
      for (const char* key : {"objective", "realised", "intended", "recording_failure"})
        ledger.erase(key);
      trials.push_back(facts_of(ledger));
    }
    by_arm.push_back({arm->label, arm->anchor, mean_facts(trials)});
  }
  return by_arm;
}

/// The plan's estimates, for experiments where no trial has a ledger yet.
std::vector<ArmFacts> planned(const Analysis& analysis) {
  std::vector<ArmFacts> by_arm;
  for (const ArmResult& arm : analysis.arms) {
    ArmFacts& estimate = by_arm.emplace_back(ArmFacts{arm.label, "", {}});
    for (const store::StoredLedger& ledger : analysis.plan.ledger)
      if (ledger.arm == arm.name) estimate.facts = facts_of(ledger.amounts);
  }
  return by_arm;
}

Table table_of(const Usage& spent) {
  Table table;
  const bool wide = spent.by_arm.size() > spent.keys.size();  // arms downwards: fewer columns
  table.columns = {{.title = wide ? "arm" : "amount"}};
  table.alike = wide;
  const auto cell = [](const ArmFacts& arm, const std::string& key) {
    const auto found = arm.facts.find(key);
    return from(arm.anchor,
                text_cell(found == arm.facts.end() ? "" : amount_text(key, found->second)));
  };
  if (wide) {
    for (const std::string& key : spent.keys)
      table.columns.push_back({.title = amount_title(key), .numbers = true});
    for (const ArmFacts& arm : spent.by_arm) {
      Row& row = table.rows.emplace_back(Row{.cells = {text_cell(arm.label)}});
      for (const std::string& key : spent.keys) row.cells.push_back(cell(arm, key));
    }
  } else {
    for (const ArmFacts& arm : spent.by_arm)
      table.columns.push_back({.title = arm.label, .numbers = true});
    for (const std::string& key : spent.keys) {
      Row& row = table.rows.emplace_back(Row{.cells = {text_cell(amount_title(key))}});
      for (const ArmFacts& arm : spent.by_arm) row.cells.push_back(cell(arm, key));
    }
  }
  std::string same;
  for (const std::string& key : spent.alike)
    same += fmt::format("{}{} {}", same.empty() ? "" : ", ", amount_title(key),
                        amount_text(key, spent.by_arm.front().facts.at(key)));
  if (!same.empty()) table.notes.push_back("The same in every arm: " + same + ".");
  return table;
}

}  // namespace

Table ledger_table(const Analysis& analysis) {
  std::vector<ArmFacts> spent = ledgers(analysis);
  const auto empty = [](const ArmFacts& arm) { return arm.facts.empty(); };
  const bool none = std::all_of(spent.begin(), spent.end(), empty);
  if (none) spent = planned(analysis);
  Table table = table_of(summarise(std::move(spent)));
  table.name = "ledger";
  table.source = none ? "`ledger` of plan.json" : std::string(kLedgerSource);
  table.caption = none ? "What each arm is planned to spend"
                       : "What each arm spent, mean over its completed trials";
  return table;
}

}  // namespace ablate::reports
