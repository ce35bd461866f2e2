#include "reports/analysis/answer/statement.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace ablate::reports {
namespace {

/// A text as SQL writes it.
std::string sql_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

/// The arms, as SQL writes their names in the plan; a copy of an arm has the trials of the arm there.
/// Empty where one of them has its values from another store.
std::set<std::string> planned_arms(const Analysis& analysis, const std::vector<std::string>& arms) {
  std::set<std::string> planned;
  for (const std::string& name : arms) {
    const ArmResult& arm = analysis.arm(name);
    if (!arm.material.empty()) return {};
    planned.insert(sql_text(arm.planned));
  }
  return planned;
}

std::string index_of(const Analysis& analysis, const ArmResult& arm) {
  return std::to_string(&arm - analysis.arms.data());
}

}  // namespace

std::string text_of(const std::vector<Statement>& statements) {
  std::string text;
  for (const Statement& statement : statements) text += (text.empty() ? "" : " ") + statement.text;
  return text;
}

std::string basis_of(const std::vector<Statement>& statements) {
  std::string text;
  for (const Statement& statement : statements)
    if (!statement.basis.empty()) text += (text.empty() ? "" : " ") + statement.basis;
  return text;
}

std::string path_to(const std::vector<std::string>& keys) {
  Json::json_pointer path;
  for (const std::string& key : keys) path /= key;
  return path.to_string();
}

Origin origin_of(const Analysis& analysis, const ArmResult& arm, const std::string& metric) {
  return {arm.label, path_to({"arms", index_of(analysis, arm), "metrics", metric}),
          arm.metrics.at(metric).anchor};
}

Origin origin_of(const Analysis& analysis, const Difference& difference) {
  const auto index = &difference - analysis.differences.data();
  return {fmt::format("{} − {}", analysis.label(difference.arm), analysis.baseline()->label),
          path_to({"differences", std::to_string(index)}), test_anchor(difference)};
}

std::string test_anchor(const Difference& difference) {
  return "test-" + difference.over_seeds.anchor;
}

std::string values_sql(const Analysis& analysis, const std::vector<std::string>& arms,
                       const std::string& metric, const std::string& view) {
  const std::set<std::string> planned = planned_arms(analysis, arms);
  if (planned.empty()) return "";
  const std::string along =
      view == "dynamics" ? "step, text_tokens, targets, flops, seconds, " : "";
  return fmt::format(
      "SELECT arm, seed, {}value FROM {} WHERE name = {} AND arm IN ({}) AND outcome = "
      "'completed' ORDER BY arm, seed{}",
      along, view, sql_text(metric), fmt::join(planned, ", "), along.empty() ? "" : ", step");
}

std::string values_sql(const Analysis& analysis, const std::vector<std::string>& arms,
                       const std::vector<std::string>& metrics) {
  const std::set<std::string> planned = planned_arms(analysis, arms);
  if (planned.empty()) return "";
  std::vector<std::string> names;
  names.reserve(metrics.size());
  for (const std::string& metric : metrics) names.push_back(sql_text(metric));
  return fmt::format(
      "SELECT arm, seed, name, value FROM result WHERE name IN ({}) AND arm IN ({}) AND outcome = "
      "'completed' ORDER BY arm, seed, name",
      fmt::join(names, ", "), fmt::join(planned, ", "));
}

std::vector<std::int64_t> seeds_of(const Analysis& analysis, const std::vector<std::string>& arms,
                                   const std::string& metric) {
  std::set<std::int64_t> seeds;
  for (const std::string& name : arms) {
    const ArmResult& arm = analysis.arm(name);
    const auto found = arm.metrics.find(metric);
    if (found == arm.metrics.end()) continue;
    for (std::size_t i = 0; i < arm.trials.size(); ++i)
      if (found->second.values[i]) seeds.insert(arm.trials[i]->seed);
  }
  return {seeds.begin(), seeds.end()};
}

}  // namespace ablate::reports
