#include "reports/tables/realised_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "reports/analysis/facts.h"

namespace ablate::reports {
namespace {

/// What one objective did: that of an arm, or of one of its phases.
struct Transformed {
  std::string name, anchor;
  std::string objective;
  Facts settings, realised, intended;
};

Facts part_of(const std::vector<Json>& ledgers, const char* part) {
  std::vector<Facts> trials;
  trials.reserve(ledgers.size());
  for (const Json& ledger : ledgers) trials.push_back(facts_of(ledger.value(part, Json())));
  return mean_facts(trials);
}

Transformed transformed(std::string name, const ArmResult& arm, Facts settings,
                        const std::vector<Json>& ledgers) {
  const auto type = settings.find("type");
  const std::string objective = type == settings.end() ? "" : fact_text(type->second);
  settings.erase("type");
  Facts realised = part_of(ledgers, "realised");
  const auto hidden = realised.find("corruption");
  const bool none = hidden == realised.end() || hidden->second == 0;
  for (const char* fraction : {"mask", "random", "keep"})
    if (none) realised.erase(fraction);  // a fraction of nothing
  return {std::move(name),     arm.anchor,          objective,
          std::move(settings), std::move(realised), part_of(ledgers, "intended")};
}

/// The same phase of all of an arm's trials.
std::vector<Json> phase_of(const std::vector<Json>& ledgers, std::size_t index) {
  std::vector<Json> found;
  for (const Json& ledger : ledgers) {
    const Json phases = ledger.value("phases", Json::array());
    if (phases.is_array() && index < phases.size() && phases[index].is_object())
      found.push_back(phases[index]);
  }
  return found;
}

std::vector<Transformed> all_of(const Analysis& analysis) {
  std::vector<Transformed> all;
  for (const ArmResult& arm : analysis.arms) {
    const std::vector<Json> ledgers = completed_ledgers(arm);
    if (ledgers.empty()) continue;
    std::size_t phase = 0;
    for (auto here = phase_of(ledgers, 0); !here.empty(); here = phase_of(ledgers, ++phase))
      all.push_back(transformed(
          fmt::format("{} · {}", arm.label, fact_text(here[0].value("phase", Json(phase + 1)))),
          arm, facts_of(here[0].value("objective", Json())), here));
    if (phase == 0) all.push_back(transformed(arm.label, arm, facts_of(arm.settings), ledgers));
  }
  return all;
}

/// The settings that all rows of an objective have in common.
Facts shared_settings(const std::vector<Transformed>& all, const std::string& objective) {
  Facts shared;
  bool first = true;
  for (const Transformed& row : all) {
    if (row.objective != objective) continue;
    if (first) shared = row.settings;
    first = false;
    std::erase_if(shared, [&](const auto& setting) {
      const auto found = row.settings.find(setting.first);
      return found == row.settings.end() || found->second != setting.second;
    });
  }
  return shared;
}

std::string listed_settings(const Facts& settings) {
  std::string text;
  for (const auto& [key, value] : settings)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words(key), fact_text(value));
  return text;
}

/// "masked_lm: rate 0.3": the settings in which a row differs from the others of its objective.
std::string objective_text(const Transformed& row, const Facts& shared) {
  Facts own = row.settings;
  std::erase_if(own, [&](const auto& setting) { return shared.contains(setting.first); });
  return own.empty() ? row.objective : fmt::format("{}: {}", row.objective, listed_settings(own));
}

/// What a rate is a fraction of.
std::string rate_title(const std::string& key) {
  if (key == "corruption") return "hidden, of the text";
  if (key == "prediction") return "scored, of the text";
  if (key == "mask") return "as a mask, of the hidden";
  if (key == "random") return "as a random token, of the hidden";
  if (key == "keep") return "kept, of the hidden";
  if (key == "mean_span") return "mean span (tokens)";
  return words(key);
}

/// The rates that some row realised or intended; columns of zeros are left out.
std::vector<std::string> rates_of(const std::vector<Transformed>& all) {
  std::set<std::string> rates;
  for (const Transformed& row : all)
    for (const auto& [key, value] : row.realised)
      if (value != 0 || row.intended.contains(key)) rates.insert(key);
  return {rates.begin(), rates.end()};
}

std::string rate_text(const Transformed& row, const std::string& rate) {
  const auto found = row.realised.find(rate);
  if (found == row.realised.end()) return "";
  const auto aim = row.intended.find(rate);
  const std::string did = fact_text(found->second);
  return aim == row.intended.end() ? did : fmt::format("{} ({})", did, fact_text(aim->second));
}

}  // namespace

Table realised_table(const Analysis& analysis) {
  Table table{.name = "realised",
              .caption =
                  "What each objective did to the text: realised rates, and in brackets what "
                  "was intended"};
  table.source =
      "means over an arm's completed trials of `ledger.realised` of their records, and in brackets "
      "of "
      "`ledger.intended`, of a phase of those in `ledger.phases`; in report.json: "
      "/ledger/ARM/realised.FIELD";
  const std::vector<Transformed> all = all_of(analysis);
  const std::vector<std::string> rates = rates_of(all);
  if (rates.empty()) return table;
  table.columns = {{.title = "arm"}, {.title = "objective"}};
  for (const std::string& rate : rates)
    table.columns.push_back({.title = rate_title(rate), .numbers = true});
  std::map<std::string, Facts> shared;
  for (const Transformed& row : all)
    shared.try_emplace(row.objective, shared_settings(all, row.objective));
  for (const Transformed& each : all) {
    Row& row = table.rows.emplace_back(Row{
        .cells = {text_cell(each.name), text_cell(objective_text(each, shared[each.objective]))},
        .origin = each.anchor});
    for (const std::string& rate : rates) row.cells.push_back(text_cell(rate_text(each, rate)));
  }
  for (const auto& [objective, settings] : shared)
    if (!settings.empty())
      table.notes.push_back(
          fmt::format("Every {} here: {}.", objective, listed_settings(settings)));
  return table;
}

}  // namespace ablate::reports
