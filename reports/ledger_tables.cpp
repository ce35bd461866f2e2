// What each arm spent, and what its objective did to the text.

#include <algorithm>

#include "harness/base/error.h"
#include "reports/facts.h"
#include "reports/tables.h"

namespace ablate {
namespace {

/// For each arm, its completed trials' facts; numbers are averaged.
struct Spent {
  std::vector<std::string> keys;         // those that differ, in order
  std::map<std::string, Json> constant;  // those that are the same everywhere
  std::vector<Facts> by_arm;
};

Facts averaged(const std::vector<Facts>& trials) {
  Facts result;
  std::map<std::string, std::vector<double>> numbers;
  for (const Facts& facts : trials) {
    for (const auto& [key, value] : facts) {
      if (value.is_number()) {
        numbers[key].push_back(value.get<double>());
      } else {
        result.emplace(key, value);
      }
    }
  }
  for (const auto& [key, values] : numbers) result[key] = mean(values);
  return result;
}

Spent summarise(std::vector<Facts> by_arm) {
  Spent spent;
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

/// What each arm's completed trials say below `part` of their ledgers: one of its objects, or,
/// where it is empty, all but those of the objective.
std::vector<Facts> ledgers(const Analysis& analysis, const std::string& part) {
  std::vector<Facts> by_arm;
  for (const ArmResult& arm : analysis.arms) {
    std::vector<Facts> trials;
    for (const TrialRecord* trial : arm.trials) {
      if (trial->outcome != "completed" || !trial->ledger.is_object()) continue;
      Json rest = part.empty() ? trial->ledger : trial->ledger.value(part, Json());
      if (part.empty()) rest.erase("objective");
      if (part.empty()) rest.erase("realised");
      if (part.empty()) rest.erase("intended");
      trials.push_back(facts_of(rest));
    }
    by_arm.push_back(averaged(trials));
  }
  return by_arm;
}

/// What the plan priced, where no trial has a ledger yet.
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

Table table_of(const Spent& spent, const Analysis& analysis) {
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
    same += join(same.empty() ? "" : ", ", words(key), " ", fact_text(value));
  }
  if (!same.empty()) table.notes.push_back("The same in every arm: " + same + ".");
  return table;
}

/// "masked_lm: keep 0.1, rate 0.15".
std::string settings_text(const ArmResult& arm) {
  Facts facts = facts_of(arm.settings);
  facts.erase("type");
  std::string text = arm.objective;
  const char* separator = ": ";
  for (const auto& [key, value] : facts) {
    text += join(separator, words(key), " ", fact_text(value));
    separator = ", ";
  }
  return text;
}

}  // namespace

Table ledger_table(const Records& records, const Analysis& analysis) {
  std::vector<Facts> spent = ledgers(analysis, "");
  const auto empty = [](const Facts& facts) { return facts.empty(); };
  const bool none = std::all_of(spent.begin(), spent.end(), empty);
  if (none) spent = planned(records.plan, analysis);
  Table table = table_of(summarise(std::move(spent)), analysis);
  table.name = "ledger";
  table.caption = none ? "What each arm is planned to spend"
                       : "What each arm spent, mean over its completed trials";
  return table;
}

Table realised_table(const Analysis& analysis) {
  const std::vector<Facts> rates = ledgers(analysis, "realised");
  const std::vector<Facts> intended = ledgers(analysis, "intended");
  Facts all;
  for (const Facts& facts : rates) all.insert(facts.begin(), facts.end());
  Table table{
      .name = "realised",
      .caption = "What each objective was to do to the text, and the rates that were realised"};
  if (all.empty()) return table;
  table.columns = {{.title = "arm"}, {.title = "objective"}};
  for (const auto& [key, value] : all) {
    table.columns.push_back({.title = words(key), .unit = "realised (intended)", .numbers = true});
  }
  for (std::size_t i = 0; i < analysis.arms.size(); ++i) {
    const ArmResult& arm = analysis.arms[i];
    Row row{.cells = {text_cell(arm.name), text_cell(settings_text(arm))}};
    for (const auto& [key, value] : all) {
      const auto found = rates[i].find(key);
      std::string text = found == rates[i].end() ? "" : fact_text(found->second);
      if (const auto aim = intended[i].find(key); aim != intended[i].end() && !text.empty())
        text += " (" + fact_text(aim->second) + ")";
      row.cells.push_back(text_cell(text));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ablate
