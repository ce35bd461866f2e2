#include "reports/tables/ledger_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/analysis/facts.h"

namespace ablate::reports {
namespace {

/// For each arm, its completed trials' facts; numbers are averaged.
struct Usage {
  std::vector<std::string> keys;         // those that differ, in order
  std::map<std::string, Json> constant;  // those that are the same everywhere
  std::vector<Facts> by_arm;
};

Usage summarise(std::vector<Facts> by_arm) {
  Usage spent;
  Facts all;
  for (const Facts& facts : by_arm) all.insert(facts.begin(), facts.end());
  for (const auto& [key, value] : all) {
    const auto same = [&, name = key, first = value](const Facts& facts) {
      const auto found = facts.find(name);
      return found != facts.end() && found->second == first;
    };
    if (std::all_of(by_arm.begin(), by_arm.end(), same)) {
      spent.constant.emplace(key, value);
    } else {
      spent.keys.push_back(key);
    }
  }
  spent.by_arm = std::move(by_arm);
  return spent;
}

/// The mean ledger of each arm's completed trials, without the realised rates.
std::vector<Facts> ledgers(const Analysis& analysis) {
  std::vector<Facts> by_arm;
  for (const ArmResult& arm : analysis.arms) {
    std::vector<Facts> trials;
    for (Json ledger : completed_ledgers(arm)) {
      for (const char* key : {"objective", "realised", "intended"}) ledger.erase(key);
      trials.push_back(facts_of(ledger));
    }
    by_arm.push_back(mean_facts(trials));
  }
  return by_arm;
}

/// The plan's estimates, for arms where no trial has a ledger yet.
std::vector<Facts> planned(const Json& plan, const Analysis& analysis) {
  std::vector<Facts> by_arm(analysis.arms.size());
  const Json ledger = plan.value("ledger", Json::array());
  for (std::size_t i = 0; i < by_arm.size(); ++i) {
    for (const Json& row : ledger) {
      if (!row.is_object() || row.value("arm", Json()) != Json(analysis.arms[i].name)) continue;
      Json rest = row;
      rest.erase("arm");
      by_arm[i] = facts_of(rest);
    }
  }
  return by_arm;
}

Table table_of(const Usage& spent, const Analysis& analysis) {
  Table table;
  const bool wide = analysis.arms.size() > spent.keys.size();  // arms downwards: fewer columns
  table.columns = {{.title = wide ? "arm" : ""}};
  if (wide) {
    for (const std::string& key : spent.keys) {
      table.columns.push_back({.title = words(key), .numbers = true});
    }
  } else {
    for (const ArmResult& arm : analysis.arms) {
      table.columns.push_back({.title = arm.name, .numbers = true});
    }
  }
  const auto cell = [&](std::size_t arm, const std::string& key) {
    const auto found = spent.by_arm[arm].find(key);
    return text_cell(found == spent.by_arm[arm].end() ? "" : fact_text(found->second));
  };
  if (wide) {
    for (std::size_t i = 0; i < analysis.arms.size(); ++i) {
      Row& row = table.rows.emplace_back(Row{.cells = {text_cell(analysis.arms[i].name)}});
      for (const std::string& key : spent.keys) row.cells.push_back(cell(i, key));
    }
  } else {
    for (const std::string& key : spent.keys) {
      Row& row = table.rows.emplace_back(Row{.cells = {text_cell(words(key))}});
      for (std::size_t i = 0; i < analysis.arms.size(); ++i) row.cells.push_back(cell(i, key));
    }
  }
  std::string same;
  for (const auto& [key, value] : spent.constant) {
    same += fmt::format("{}{} {}", same.empty() ? "" : ", ", words(key), fact_text(value));
  }
  if (!same.empty()) table.notes.push_back("The same in every arm: " + same + ".");
  return table;
}

}  // namespace

Table ledger_table(const store::Records& records, const Analysis& analysis) {
  std::vector<Facts> spent = ledgers(analysis);
  const auto empty = [](const Facts& facts) { return facts.empty(); };
  const bool none = std::all_of(spent.begin(), spent.end(), empty);
  if (none) spent = planned(records.plan, analysis);
  Table table = table_of(summarise(std::move(spent)), analysis);
  table.name = "ledger";
  table.caption = none ? "What each arm is planned to spend"
                       : "What each arm spent, mean over its completed trials";
  return table;
}

}  // namespace ablate::reports
