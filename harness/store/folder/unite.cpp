#include "harness/store/folder/unite.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/store/plan/stored_plan.h"

namespace ablate::store {
namespace {

using Sentences = std::vector<std::string>;

/// A list of a plan.
struct List {
  const char* name;
  const char* key;  // under which no two entries have the same
  const char* arm;  // under which entries name theirs; null: their arms are not in order
};

constexpr List kLists[] = {
    {"arms", "name", "name"}, {"ledger", "arm", "arm"}, {"trials", "id", "arm"}};

/// Adds the entries of `more[list]` that `plan[list]` lacks, by the value of `key`.
void unite_lists(Json& plan, const Json& more, const char* list, const char* key) {
  if (!more.contains(list)) return;
  Json& ours = plan[list];
  if (ours.is_null()) ours = Json::array();
  std::set<Json> known;
  for (const Json& entry : ours) known.insert(entry.value(key, Json()));
  for (const Json& entry : more.at(list))
    if (known.insert(entry.value(key, Json())).second) ours.push_back(entry);
}

/// Adds the members of `more[object]` that `plan[object]` lacks.
void unite_members(Json& plan, const Json& more, const char* object) {
  const Json theirs = more.value(object, Json());
  if (!theirs.is_object()) return;
  for (const auto& [key, value] : theirs.items())
    if (!plan[object].contains(key)) plan[object][key] = value;
}

void unite_banks(Json& plan, const Json& more) {
  if (!more.contains("banks")) return;
  Json& ours = plan["banks"];
  std::set<Json> known(ours.begin(), ours.end());
  for (const Json& bank : more.at("banks"))
    if (known.insert(bank).second) ours.push_back(bank);
}

/// Adds the setups of trials that `more` has, and removes those that no trial of the plan has.
void unite_setups(Json& plan, const Json& more) {
  unite_members(plan, more, "setups");
  if (!plan.contains("setups")) return;
  std::set<std::string> used;
  for (const Json& trial : plan.at("trials")) used.insert(trial.value("setup", ""));
  Json setups = Json::object();
  for (auto& [name, setup] : plan["setups"].items())
    if (used.contains(name)) setups[name] = std::move(setup);
  plan["setups"] = std::move(setups);
}

/// Orders a list of the plan by the arm that `key` names, then by seed where there is one.
void sort_by_arm(Json& list, const char* key, const std::map<std::string, std::size_t>& order) {
  const auto place = [&](const Json& entry) {
    const auto found = order.find(entry.value(key, ""));
    return std::pair(found == order.end() ? order.size() : found->second,
                     integer_in(entry, "seed", 0));
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const Json& a, const Json& b) { return place(a) < place(b); });
}

/// The places of arms: in the complete experiment, then those of the plan as they come.
std::map<std::string, std::size_t> order_of(const StoredPlan& plan) {
  std::map<std::string, std::size_t> order;
  if (plan.part_of)
    for (const CompleteExperiment::Arm& arm : plan.part_of->arms)
      order.emplace(arm.name, order.size());
  for (const StoredArm& arm : plan.arms) order.emplace(arm.name, order.size());
  return order;
}

/// Unites arms and seeds of the resolved experiment. `order`: of the arms.
void unite_resolved(Json& plan, const Json& more, const std::map<std::string, std::size_t>& order) {
  if (!plan.contains("resolved")) return;
  Json& ours = plan["resolved"];
  const auto& [arms, name, arm] = kLists[0];
  unite_lists(ours, more.value("resolved", Json::object()), arms, name);
  if (ours.contains(arms)) sort_by_arm(ours[arms], arm, order);
  if (ours.contains("seeds")) ours["seeds"] = stored_plan(plan).seeds_with_trials();
}

/// The counts in which the arms are matched, over the range of both plans.
std::vector<MatchedCount> united_match(const StoredPlan& plan, const StoredPlan& more) {
  std::vector<MatchedCount> counts = plan.match;
  for (MatchedCount& count : counts)
    for (const MatchedCount& other : more.match) {
      if (count.on != other.on) continue;
      count.low = std::min(count.low, other.low);
      count.high = std::max(count.high, other.high);
      count.spread = count.high > 0 ? (count.high - count.low) / count.high : 0;
    }
  return counts;
}

/// Whether a plan has every trial of the complete experiment that it is a part of.
bool is_complete(const StoredPlan& plan) {
  std::set<std::pair<std::string, std::int64_t>> planned;
  for (const StoredTrial& trial : plan.trials) planned.emplace(trial.arm, trial.seed);
  for (const CompleteExperiment::Arm& arm : plan.part_of->arms)
    for (const std::int64_t seed : plan.part_of->seeds)
      if (!planned.contains({arm.name, seed})) return false;
  return true;
}

bool contains(const Sentences& some, const std::string& sentence) {
  return std::find(some.begin(), some.end(), sentence) != some.end();
}

/// The warnings that two plans have in common, without what either says about its own seeds.
Sentences shared_warnings(const StoredPlan& plan, const StoredPlan& more) {
  Sentences shared;
  for (const std::string& warning : plan.other_warnings())
    if (contains(more.warnings, warning)) shared.push_back(warning);
  return shared;
}

/// Those warnings of two parts that hold for both together: none about the number of comparisons,
/// and where the seeds differ, those alone that hold for the complete experiment.
Sentences common_warnings(const StoredPlan& plan, const StoredPlan& more) {
  const bool same_seeds = plan.resolved.seeds == more.resolved.seeds;
  const auto holds = [&](const std::string& warning) {
    return contains(plan.part_of->warnings, warning) ||
           (same_seeds && warning != plan.power && warning != more.power);
  };
  Sentences common;
  for (const StoredPlan* one : {&plan, &more})
    for (const std::string& warning : one->warnings)
      if (holds(warning) && !contains(common, warning)) common.push_back(warning);
  return common;
}

/// What is said about all arms together; it replaces what either plan says.
void say(Json& plan, const Sentences& warnings, const std::string& power) {
  plan["warnings"] = warnings;
  plan["power"] = power;
}

/// Of looks that both plans have, takes the count of the one that has begun more.
void unite_looks(Json& plan, const Json& more) {
  const Json::json_pointer begun("/sequential/look");
  if (plan.contains(begun) && more.contains(begun) && plan.at(begun) < more.at(begun))
    plan[begun] = more.at(begun);
}

}  // namespace

Json united(Json plan, const Json& more) {
  // Of `ours`, sections of "part_of" alone are read below: the others move as the plan grows.
  const StoredPlan ours = stored_plan(plan), theirs = stored_plan(more);
  for (const List& list : kLists) unite_lists(plan, more, list.name, list.key);
  unite_members(plan, more, "metrics");
  unite_setups(plan, more);
  unite_banks(plan, more);
  if (!ours.match.empty()) plan["match"] = united_match(ours, theirs);
  unite_looks(plan, more);
  const auto order = order_of(stored_plan(plan));
  for (const List& list : kLists)
    if (plan.contains(list.name)) sort_by_arm(plan[list.name], list.arm, order);
  unite_resolved(plan, more, order);
  const StoredPlan all = stored_plan(plan);
  if (all.trials.size() == ours.trials.size()) return plan;
  if (!ours.part_of) {
    if (ours.resolved.seeds != theirs.resolved.seeds)  // together more than either speaks of
      say(plan, shared_warnings(ours, theirs), "");
  } else if (!is_complete(all)) {
    say(plan, common_warnings(ours, theirs), "");
  } else {
    plan["match"] = *ours.part_of->match;
    say(plan, ours.part_of->warnings, ours.part_of->power->get<std::string>());
    plan.erase("part_of");
  }
  return plan;
}

Json only_arms(const Json& plan, const std::set<std::string>& arms) {
  const auto chosen = [&](const Json& from, const List& list) {
    Json some = Json::array();
    for (const Json& entry : from.value(list.name, Json::array()))
      if (arms.contains(entry.value(list.arm, ""))) some.push_back(entry);
    return some;
  };
  Json some;
  for (const List& list : kLists) some[list.name] = chosen(plan, list);
  if (plan.contains("setups")) unite_setups(some, plan);
  for (Json& arm : some["arms"]) arm["baseline"] = false;
  some["resolved"]["arms"] = chosen(plan.value("resolved", Json::object()), kLists[0]);
  const Json metrics = plan.value("metrics", Json::object());
  for (const auto& [arm, list] : metrics.items())
    if (arms.contains(arm)) some["metrics"][arm] = list;
  return some;
}

}  // namespace ablate::store
