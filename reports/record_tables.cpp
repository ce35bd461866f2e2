// What was spent, what failed, and where the numbers came from.

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"
#include "reports/number.h"
#include "reports/tables.h"
#include "reports/text.h"

namespace ablate {
namespace {

/// Scalars of a JSON object by their dotted paths, in order; lists and histograms are left to the
/// record.
using Facts = std::map<std::string, Json>;

void flatten(const Json& json, const std::string& path, int depth, Facts& facts) {
  if (!json.is_object() || depth > 3) return;
  for (const auto& [key, value] : json.items()) {
    const bool histogram = !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
    if (histogram) continue;
    const std::string name = path.empty() ? key : path + "." + key;
    if (value.is_object()) {
      flatten(value, name, depth + 1, facts);
    } else if (!value.is_array() && !value.is_null()) {
      facts[name] = value;
    }
  }
}

std::string spaced(std::string name) {
  for (char& c : name) c = c == '_' || c == '.' ? ' ' : c;
  return name;
}

std::string shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number()) return value.dump();
  const double number = value.get<double>();
  return std::abs(number) >= 1000 ? amount(number) : significant(number, 4);
}

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

/// The arms' ledgers below `part` ("" for what is not below "realised" or "objective").
std::vector<Facts> ledgers(const Analysis& analysis, bool realised) {
  std::vector<Facts> by_arm;
  for (const ArmResult& arm : analysis.arms) {
    std::vector<Facts> trials;
    for (const TrialRecord* trial : arm.trials) {
      if (trial->outcome != "completed" || !trial->ledger.is_object()) continue;
      Json part = trial->ledger;
      const Json objective = part.value("objective", Json());
      const Json rates = part.value("realised", Json());
      part.erase("objective");
      part.erase("realised");
      if (realised) part = {{"intended", objective}, {"realised", rates}};
      flatten(part, "", 0, trials.emplace_back());
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
      flatten(rest, "", 0, by_arm[i]);
    }
  }
  return by_arm;
}

Table table_of(const Spent& spent, const Analysis& analysis) {
  Table table;
  const bool wide = analysis.arms.size() > 4;
  table.columns = {{.title = wide ? "arm" : ""}};
  if (wide) {
    for (const std::string& key : spent.keys) {
      table.columns.push_back({.title = spaced(key), .numbers = true});
    }
  } else {
    for (const ArmResult& arm : analysis.arms) {
      table.columns.push_back({.title = arm.name, .numbers = true});
    }
  }
  const auto cell = [&](std::size_t arm, const std::string& key) {
    const auto found = spent.by_arm[arm].find(key);
    return text_cell(found == spent.by_arm[arm].end() ? "" : shown(found->second));
  };
  if (wide) {
    for (std::size_t i = 0; i < analysis.arms.size(); ++i) {
      Row& row = table.rows.emplace_back(Row{.cells = {text_cell(analysis.arms[i].name)}});
      for (const std::string& key : spent.keys) row.cells.push_back(cell(i, key));
    }
  } else {
    for (const std::string& key : spent.keys) {
      Row& row = table.rows.emplace_back(Row{.cells = {text_cell(spaced(key))}});
      for (std::size_t i = 0; i < analysis.arms.size(); ++i) row.cells.push_back(cell(i, key));
    }
  }
  std::string same;
  for (const auto& [key, value] : spent.constant) {
    same += join(same.empty() ? "" : ", ", spaced(key), " ", shown(value));
  }
  if (!same.empty()) table.notes.push_back("The same in every arm: " + same + ".");
  return table;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Table ledger_table(const Records& records, const Analysis& analysis) {
  std::vector<Facts> spent = ledgers(analysis, false);
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
  Table table = table_of(summarise(ledgers(analysis, true)), analysis);
  table.name = "realised";
  table.caption = "What each objective did to the text: intended settings beside realised rates";
  return table;
}

Table trials_table(const Analysis& analysis) {
  Table table{.name = "trials", .caption = "Every trial of the plan"};
  table.columns = {{.title = "arm"},
                   {.title = "seed", .numbers = true},
                   {.title = "trial"},
                   {.title = "outcome"},
                   {.title = "attempts", .numbers = true},
                   {.title = "steps", .numbers = true},
                   {.title = "seconds", .numbers = true}};
  const auto number = [](const Json& ledger, const char* key) {
    const Json value = ledger.is_object() ? ledger.value(key, Json()) : Json();
    return text_cell(value.is_number() ? shown(value) : "");
  };
  for (const ArmResult& arm : analysis.arms) {
    for (const TrialRecord* trial : arm.trials) {
      const bool fine = trial->outcome == "completed";
      table.rows.push_back(
          {{text_cell(arm.name), text_cell(std::to_string(trial->seed)), text_cell(trial->id),
            text_cell(trial->outcome, fine ? Tone::plain : Tone::bad),
            text_cell(std::to_string(trial->attempts)), number(trial->ledger, "steps"),
            number(trial->ledger, "seconds")}});
    }
  }
  return table;
}

Table provenance_table(const Analysis& analysis) {
  std::map<std::string, std::map<std::string, std::int64_t>> seen;
  for (const ArmResult& arm : analysis.arms) {
    for (const TrialRecord* trial : arm.trials) {
      Facts facts;
      flatten(trial->provenance, "", 0, facts);
      for (const auto& [key, value] : facts) {
        ++seen[key][value.is_string() ? value.get<std::string>() : value.dump()];
      }
    }
  }
  Table table{.name = "provenance", .caption = "Machine and code, as each trial recorded them"};
  table.columns = {{.title = "fact"}, {.title = "value"}};
  for (const auto& [key, values] : seen) {
    std::string text;
    for (const auto& [value, count] : values) {
      text += text.empty() ? "" : "; ";
      text += clipped(readable(value), 200);
      if (values.size() > 1) text += join(" (", counted(count, "trial"), ")");
    }
    const bool many = values.size() > 4;
    table.rows.push_back({{text_cell(spaced(key)),
                           text_cell(many ? join("differs: ", values.size(), " values") : text)}});
  }
  return table;
}

std::vector<std::string> failures(const Analysis& analysis) {
  std::vector<std::string> lines;
  for (const ArmResult& arm : analysis.arms) {
    std::map<std::string, std::vector<std::int64_t>> seeds;
    for (const TrialRecord* trial : arm.trials) {
      if (trial->outcome != "completed") seeds[trial->outcome].push_back(trial->seed);
    }
    for (const auto& [outcome, which] : seeds) {
      std::string list;
      for (const std::int64_t seed : which) list += join(list.empty() ? "" : ", ", seed);
      lines.push_back(join(arm.name, ": ", which.size(), " of ",
                           counted(static_cast<std::int64_t>(arm.trials.size()), "trial"), " ",
                           outcome, " (seed ", list, ")"));
    }
  }
  return lines;
}

std::vector<std::string> messages(const Analysis& analysis) {
  std::vector<std::string> lines;
  for (const ArmResult& arm : analysis.arms) {
    for (const TrialRecord* trial : arm.trials) {
      if (trial->outcome == "completed" || trial->message.empty()) continue;
      lines.push_back(join(arm.name, ", seed ", trial->seed, ", ", trial->outcome, ": ",
                           clipped(readable(first_line(trial->message)), 300)));
    }
  }
  return lines;
}

}  // namespace ablate
