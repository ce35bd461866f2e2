// Facts of a record.

#include "reports/analysis/facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr int kDeepest = 3;

void flatten(const Json& json, const std::string& path, int depth, Facts& facts) {
  if (!json.is_object() || depth > kDeepest) return;
  for (const auto& [key, value] : json.items()) {
    const bool histogram = !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
    if (histogram) continue;
    const std::string name = path.empty() ? key : fmt::format("{}.{}", path, key);
    if (value.is_object()) {
      flatten(value, name, depth + 1, facts);
    } else if (!value.is_array() && !value.is_null()) {
      facts[name] = value;
    }
  }
}

}  // namespace

Facts facts_of(const Json& json) {
  Facts facts;
  flatten(json, "", 0, facts);
  return facts;
}

Facts mean_facts(const std::vector<Facts>& trials) {
  Facts result;
  std::map<std::string, std::vector<double>> numbers;
  for (const Facts& facts : trials)
    for (const auto& [key, value] : facts) {
      if (value.is_number())
        numbers[key].push_back(value.get<double>());
      else
        result.emplace(key, value);
    }
  for (const auto& [key, values] : numbers) result[key] = statistics::mean(values);
  return result;
}

std::vector<Json> completed_ledgers(const ArmResult& arm) {
  std::vector<Json> ledgers;
  for (const store::TrialRecord* trial : arm.trials)
    if (trial->outcome == "completed" && trial->ledger.is_object())
      ledgers.push_back(trial->ledger);
  return ledgers;
}

void complete_active_parameters(std::span<Facts* const> arms) {
  constexpr const char *kActive = "active_parameters", *kAll = "parameters_at_inference";
  const auto has = [](const Facts* arm) { return arm->contains(kActive); };
  if (std::ranges::none_of(arms, has)) return;
  for (Facts* const arm : arms)
    if (const auto all = arm->find(kAll); all != arm->end()) arm->emplace(kActive, all->second);
}

std::vector<std::string> recorded(const Analysis& analysis, const std::string& fact) {
  std::vector<std::string> values;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials) {
      const Facts facts = facts_of(trial->provenance);
      const auto found = facts.find(fact);
      if (found == facts.end()) continue;
      std::string value =
          found->second.is_string() ? found->second.get<std::string>() : found->second.dump();
      if (!value.empty() && std::find(values.begin(), values.end(), value) == values.end())
        values.push_back(std::move(value));
    }
  return values;
}

std::string words(std::string path) {
  for (char& c : path) c = c == '_' || c == '.' ? ' ' : c;
  return path;
}

std::string fact_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number()) return value.dump();
  const double number = value.get<double>();
  return std::abs(number) >= 1000 ? amount(number) : significant(number, 4);
}

}  // namespace ablate::reports
