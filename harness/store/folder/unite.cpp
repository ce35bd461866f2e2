#include "harness/store/folder/unite.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ablate::store {
namespace {

using Sentences = std::vector<std::string>;

/// Adds the entries of `more[list]` that `plan[list]` lacks, by the value of `key`.
void unite_lists(Json& plan, const Json& more, const char* list, const char* key) {
  if (!more.contains(list)) return;
  Json& ours = plan[list];
  if (ours.is_null()) ours = Json::array();
  for (const Json& entry : more.at(list)) {
    const auto same = [&](const Json& our) {
      return our.value(key, Json()) == entry.value(key, Json());
    };
    if (std::none_of(ours.begin(), ours.end(), same)) ours.push_back(entry);
  }
}

/// Adds the members of `more[object]` that `plan[object]` lacks.
void unite_members(Json& plan, const Json& more, const char* object) {
  const Json theirs = more.value(object, Json());
  if (!theirs.is_object()) return;
  for (const auto& [key, value] : theirs.items())
    if (!plan[object].contains(key)) plan[object][key] = value;
}

void unite_banks(Json& plan, const Json& more) {
  const Json theirs = more.value("banks", Json::array());
  for (const Json& bank : theirs) {
    Json& ours = plan["banks"];
    if (std::find(ours.begin(), ours.end(), bank) == ours.end()) ours.push_back(bank);
  }
}

/// Orders a list of the plan by the arm that `key` names, then by seed where there is one.
void sort_by_arm(Json& list, const char* key, const std::map<std::string, std::size_t>& order) {
  const auto place = [&](const Json& entry) {
    const auto found = order.find(entry.value(key, ""));
    return std::pair(found == order.end() ? order.size() : found->second,
                     entry.value("seed", std::int64_t{0}));
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const Json& a, const Json& b) { return place(a) < place(b); });
}

void sort_arms(Json& plan) {
  std::map<std::string, std::size_t> order;
  const Json complete = plan.value("part_of", Json::object()).value("arms", Json::array());
  for (const Json& arm : complete) order.emplace(arm.at("name"), order.size());
  for (const Json& arm : plan.at("arms")) order.emplace(arm.at("name"), order.size());
  sort_by_arm(plan["arms"], "name", order);
  sort_by_arm(plan["trials"], "arm", order);
  if (plan.contains("ledger")) sort_by_arm(plan["ledger"], "arm", order);
  if (plan.contains("resolved") && plan["resolved"].contains("arms"))
    sort_by_arm(plan["resolved"]["arms"], "name", order);
}

/// Unites arms and seeds of the resolved experiment.
void unite_resolved(Json& plan, const Json& more) {
  if (!plan.contains("resolved")) return;
  const Json theirs = more.value("resolved", Json::object());
  Json& ours = plan["resolved"];
  unite_lists(ours, theirs, "arms", "name");
  std::set<std::int64_t> seeds;
  for (const Json& trial : plan.at("trials")) seeds.insert(integer_in(trial.at("seed")));
  if (ours.contains("seeds")) ours["seeds"] = seeds;
}

/// Widens the range of each count in which the arms are matched.
void unite_match(Json& plan, const Json& more) {
  const Json theirs = more.value("match", Json::array());
  for (const Json& row : theirs)
    for (Json& ours : plan["match"]) {
      if (ours.at("on") != row.at("on")) continue;
      const double low = std::min(ours.at("low").get<double>(), row.at("low").get<double>());
      const double high = std::max(ours.at("high").get<double>(), row.at("high").get<double>());
      ours["low"] = low;
      ours["high"] = high;
      ours["spread"] = high > 0 ? (high - low) / high : 0;
    }
}

/// Whether a plan has every trial of the complete experiment that it is a part of.
bool is_complete(const Json& plan) {
  std::set<std::pair<std::string, std::int64_t>> planned;
  for (const Json& trial : plan.at("trials"))
    planned.emplace(trial.at("arm"), integer_in(trial.at("seed")));
  for (const Json& arm : plan.at("part_of").at("arms"))
    for (const Json& seed : plan.at("part_of").at("seeds"))
      if (!planned.contains({arm.at("name"), integer_in(seed)})) return false;
  return true;
}

Json seeds_of(const Json& plan) {
  return plan.value("resolved", Json::object()).value("seeds", Json());
}

/// The warnings that two plans have in common, without what either says about its own seeds.
Sentences shared_warnings(const Json& plan, const Json& more) {
  const auto theirs = more.value("warnings", Sentences());
  Sentences shared;
  for (const std::string& warning : plan.value("warnings", Sentences()))
    if (warning != plan.value("power", "") &&
        std::find(theirs.begin(), theirs.end(), warning) != theirs.end())
      shared.push_back(warning);
  return shared;
}

/// Those warnings of two parts that hold for both together: none about the number of comparisons,
/// and where the seeds differ, those alone that hold for the complete experiment.
Sentences common_warnings(const Json& plan, const Json& more) {
  const bool same_seeds = seeds_of(plan) == seeds_of(more);
  const auto complete = plan.at("part_of").value("warnings", Sentences());
  const auto holds = [&](const std::string& warning) {
    if (std::find(complete.begin(), complete.end(), warning) != complete.end()) return true;
    return same_seeds && warning != plan.value("power", "") && warning != more.value("power", "");
  };
  Sentences common;
  for (const Json* one : {&plan, &more})
    for (const std::string& warning : one->value("warnings", Sentences()))
      if (holds(warning) && std::find(common.begin(), common.end(), warning) == common.end())
        common.push_back(warning);
  return common;
}

/// Brings what is said about all arms together up to date, for a part that has grown.
void unite_sentences(Json& plan, const Sentences& warnings) {
  if (!is_complete(plan)) {
    plan["warnings"] = warnings;
    plan["power"] = "";
    return;
  }
  for (const char* part : {"match", "power", "warnings"}) plan[part] = plan.at("part_of").at(part);
  plan.erase("part_of");
}

/// Of looks that both plans have, takes the count of the one that has begun more.
void unite_looks(Json& plan, const Json& more) {
  const Json::json_pointer begun("/sequential/look");
  if (plan.contains(begun) && more.contains(begun) && plan.at(begun) < more.at(begun))
    plan[begun] = more.at(begun);
}

}  // namespace

Json united(Json plan, const Json& more) {
  const std::size_t before = plan.at("trials").size();
  const bool is_part = plan.contains("part_of");
  const bool other_seeds = seeds_of(plan) != seeds_of(more);
  Sentences warnings = is_part ? common_warnings(plan, more) : shared_warnings(plan, more);
  unite_lists(plan, more, "arms", "name");
  unite_lists(plan, more, "ledger", "arm");
  unite_lists(plan, more, "trials", "id");
  unite_members(plan, more, "metrics");
  unite_banks(plan, more);
  unite_resolved(plan, more);
  unite_match(plan, more);
  unite_looks(plan, more);
  sort_arms(plan);
  if (plan.at("trials").size() == before) return plan;
  if (is_part) {
    unite_sentences(plan, warnings);
  } else if (other_seeds) {  // together they have more seeds than either speaks of
    plan["warnings"] = std::move(warnings);
    plan["power"] = "";
  }
  return plan;
}

Json only_arms(const Json& plan, const std::set<std::string>& arms) {
  const auto chosen = [&](const Json& list, const char* key) {
    Json some = Json::array();
    for (const Json& entry : list)
      if (arms.contains(entry.value(key, ""))) some.push_back(entry);
    return some;
  };
  Json some = {{"arms", chosen(plan.at("arms"), "name")},
               {"trials", chosen(plan.at("trials"), "arm")},
               {"ledger", chosen(plan.value("ledger", Json::array()), "arm")}};
  const Json resolved = plan.value("resolved", Json::object());
  some["resolved"]["arms"] = chosen(resolved.value("arms", Json::array()), "name");
  for (Json& arm : some["arms"]) arm["baseline"] = false;
  const Json metrics = plan.value("metrics", Json::object());
  for (const auto& [arm, list] : metrics.items())
    if (arms.contains(arm)) some["metrics"][arm] = list;
  return some;
}

}  // namespace ablate::store
