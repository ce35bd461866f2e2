#include "harness/store/folder/plan_difference.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace ablate::store {
namespace {

/// A plan, as it is compared.
struct Declared {
  std::set<std::string> arms;           // of the complete experiment
  std::set<std::int64_t> seeds;         // of the complete experiment
  std::map<std::string, Json> configs;  // by arm, without the seed; may lack arms without trials
  std::vector<std::string> planned;     // arms that have trials, in order
  std::set<std::int64_t> planned_seeds;
};

Json without_seed(Json config) {
  if (config.is_object()) config.erase("seed");
  return config;
}

Declared declared_by(const StoredPlan& plan) {
  Declared all;
  all.seeds.insert(plan.resolved.seeds.begin(), plan.resolved.seeds.end());
  if (plan.part_of) {
    all.seeds.insert(plan.part_of->seeds.begin(), plan.part_of->seeds.end());
    for (const CompleteExperiment::Arm& arm : plan.part_of->arms) {
      all.arms.insert(arm.name);
      all.configs[arm.name] = without_seed(*arm.config);
    }
  }
  for (const StoredArm& arm : plan.arms) all.arms.insert(arm.name);
  for (const StoredTrial& trial : plan.trials) {
    if (std::find(all.planned.begin(), all.planned.end(), trial.arm) == all.planned.end()) {
      all.planned.push_back(trial.arm);
      all.configs[trial.arm] = without_seed(*trial.config);
    }
    all.planned_seeds.insert(trial.seed);
  }
  all.seeds.insert(all.planned_seeds.begin(), all.planned_seeds.end());
  return all;
}

/// Adds every value in `json` that is not an object, by its dotted path.
void add_leaves(const Json& json, const std::string& path, std::map<std::string, Json>& leaves) {
  if (!json.is_object()) {
    if (!json.is_null()) leaves[path] = json;
    return;
  }
  for (const auto& [key, value] : json.items())
    add_leaves(value, path.empty() ? key : path + "." + key, leaves);
}

std::string value_text(const std::map<std::string, Json>& leaves, const std::string& path) {
  constexpr std::size_t kMaxLength = 60;
  const auto found = leaves.find(path);
  if (found == leaves.end()) return "none";
  const std::string text = canonical(found->second);
  return text.size() <= kMaxLength ? text : text.substr(0, kMaxLength - 3) + "...";
}

/// "train.batch: 16 -> 32" for every value that differs.
std::vector<std::string> differing_values(const Json& before, const Json& after,
                                          const std::string& path) {
  constexpr std::string_view kVersions = "semantics.";
  std::map<std::string, Json> old_leaves, new_leaves;
  add_leaves(before, path, old_leaves);
  add_leaves(after, path, new_leaves);
  std::set<std::string> paths;
  for (const auto* leaves : {&old_leaves, &new_leaves})
    for (const auto& [each, value] : *leaves) paths.insert(each);
  std::vector<std::string> lines;
  for (const std::string& each : paths) {
    const auto old_one = old_leaves.find(each), new_one = new_leaves.find(each);
    if (old_one != old_leaves.end() && new_one != new_leaves.end() &&
        old_one->second == new_one->second)
      continue;
    const std::string name =
        each.starts_with(kVersions) ? "version of " + each.substr(kVersions.size()) : each;
    lines.push_back(fmt::format("{}: {} -> {}", name, value_text(old_leaves, each),
                                value_text(new_leaves, each)));
  }
  return lines;
}

/// The differences of settings between arms that both have; each line once, with its arms. Adds the
/// arms that differ to `changed`.
std::vector<std::string> differing_arms(const Declared& held, const Declared& wanted,
                                        std::set<std::string>& changed) {
  std::vector<std::pair<std::string, std::vector<std::string>>> lines;  // with their arms
  std::size_t common = 0;
  for (const std::string& arm : held.planned) {
    const auto now = wanted.configs.find(arm);
    if (now == wanted.configs.end()) continue;
    ++common;
    if (held.configs.at(arm) == now->second) continue;
    changed.insert(arm);
    for (const std::string& line : differing_values(held.configs.at(arm), now->second, "")) {
      const auto same = [&](const auto& known) { return known.first == line; };
      const auto known = std::find_if(lines.begin(), lines.end(), same);
      (known == lines.end() ? lines.emplace_back(line, std::vector<std::string>()) : *known)
          .second.push_back(arm);
    }
  }
  std::vector<std::string> texts;
  texts.reserve(lines.size());
  for (const auto& [line, arms] : lines)
    texts.push_back(arms.size() == common && common > 1 ? line + " (all arms)"
                    : arms.size() > 3 ? fmt::format("{} ({} arms)", line, arms.size())
                                      : fmt::format("{} ({})", line, fmt::join(arms, ", ")));
  return texts;
}

std::string baseline_text(const StoredPlan& plan) {
  const std::string name = plan.baseline();
  return name.empty() ? "none" : name;
}

/// How the plans differ in what is compared, and how.
std::vector<std::string> differing_analysis(const StoredPlan& held, const StoredPlan& wanted) {
  std::vector<std::string> lines;
  if (held.baseline() != wanted.baseline())
    lines.push_back(fmt::format("baseline: {} -> {}", baseline_text(held), baseline_text(wanted)));
  const auto add = [&](const Json& before, const Json& after, const char* what) {
    for (std::string& line : differing_values(before, after, what))
      lines.push_back(std::move(line));
  };
  add(*held.resolved.match, *wanted.resolved.match, "match");
  add(held.analysis.section, wanted.analysis.section, "analysis");
  add(held.seeds_of_looks(), wanted.seeds_of_looks(), "looks after seeds");
  return lines;
}

/// "seed 7 is new", "seeds 7, 8 are new": those of `some` that `known` lacks; empty if it has all.
std::vector<std::string> unknown_seeds(const std::set<std::int64_t>& some,
                                       const std::set<std::int64_t>& known, const char* what) {
  std::vector<std::int64_t> unknown;
  std::set_difference(some.begin(), some.end(), known.begin(), known.end(),
                      std::back_inserter(unknown));
  if (unknown.empty()) return {};
  constexpr std::size_t kMaxSeeds = 20;
  const std::size_t count = unknown.size();
  unknown.resize(std::min(count, kMaxSeeds));
  return {fmt::format("seed{} {}{} {} {}", count == 1 ? "" : "s", fmt::join(unknown, ", "),
                      count > kMaxSeeds ? " ..." : "", count == 1 ? "is" : "are", what)};
}

}  // namespace

PlanDifference compare_plans(const StoredPlan& held, const StoredPlan& wanted) {
  const Declared before = declared_by(held), after = declared_by(wanted);
  PlanDifference difference;
  std::set<std::string> changed;
  std::vector<std::string>& lines = difference.lines;
  const auto add = [&](const std::vector<std::string>& more) {
    lines.insert(lines.end(), more.begin(), more.end());
  };
  for (const std::string& arm : after.planned)
    if (!before.arms.contains(arm)) lines.push_back(fmt::format("arm '{}' is new", arm));
  for (const std::string& arm : before.planned)
    if (!after.arms.contains(arm)) {
      lines.push_back(fmt::format("arm '{}' is gone", arm));
      difference.gone.insert(arm);
    }
  add(unknown_seeds(after.planned_seeds, before.seeds, "new"));
  add(unknown_seeds(before.planned_seeds, after.seeds, "gone"));
  add(differing_analysis(held, wanted));
  add(differing_arms(before, after, changed));
  for (const StoredTrial& trial : held.trials)
    if (after.arms.contains(trial.arm) && !changed.contains(trial.arm))
      difference.kept.emplace(trial.arm, trial.seed);
  const std::string baseline = wanted.baseline();
  const auto had = before.configs.find(baseline), has = after.configs.find(baseline);
  difference.baseline_changed =
      had != before.configs.end() && has != after.configs.end() && had->second != has->second;
  return difference;
}

}  // namespace ablate::store
