#include "reports/stores/side_by_side.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/sha256.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kHashDigits = 12;

using Names = std::map<std::string, std::string>;  // of arms: in their store, and in the report

/// The results of one folder, and what their plan says.
struct Side {
  NamedRecords& store;
  store::StoredPlan plan;
};

const std::string& label_of(const store::StoredArm& arm) {
  return arm.label.empty() ? arm.name : arm.label;
}

/// Leaves out the copies of arms that a tuned experiment trained at another arm's rate.
void drop_copies(store::Records& records) {
  std::set<std::string> copies;
  Json arms = Json::array();
  for (const store::StoredArm& arm : store::stored_plan(records.plan).arms)
    if (!arm.of.empty()) copies.insert(arm.name);
  for (Json& arm : records.plan.at("arms"))
    if (!copies.contains(arm.at("name"))) arms.push_back(std::move(arm));
  records.plan["arms"] = std::move(arms);
  std::erase_if(records.trials,
                [&](const store::TrialRecord& trial) { return copies.contains(trial.arm); });
}

/// The hashes of all text that a plan's trials read.
std::string text_of(const store::StoredPlan& plan) {
  std::set<std::string> hashes;
  for (const store::StoredCorpus& corpus : plan.corpora) hashes.insert(corpus.hash);
  return fmt::format("{}", fmt::join(hashes, " "));
}

/// The settings of a plan's probes, by name. The steps at which they measure on the way are not among
/// them: they change nothing that is measured, and depend on the arm; courses are compared at equal
/// amounts of training.
std::map<std::string, std::set<std::string>> settings_of_probes(const store::StoredPlan& plan) {
  std::map<std::string, std::set<std::string>> settings;
  for (const store::StoredTrial& trial : plan.trials)
    for (const store::StoredProbe& probe : store::probes_of(trial))
      settings[probe.name].insert(probe.settings.dump());
  return settings;
}

/// The probes that some stores have at other settings than others.
std::set<std::string> probes_at_odds(const std::vector<Side>& sides) {
  std::map<std::string, std::set<std::set<std::string>>> settings;
  for (const Side& side : sides)
    for (auto& [name, of_store] : settings_of_probes(side.plan)) settings[name].insert(of_store);
  std::set<std::string> names;
  for (const auto& [name, different] : settings)
    if (different.size() > 1) names.insert(name);
  return names;
}

/// What a store's values hang on beside the settings of its arms. Values of stores that differ in it
/// are not comparable.
std::string material_of(const store::StoredPlan& plan, const std::set<std::string>& at_odds) {
  std::string text = text_of(plan);
  const auto probes = settings_of_probes(plan);
  for (const std::string& name : at_odds)
    if (const auto found = probes.find(name); found != probes.end())
      text += fmt::format("\n{}", fmt::join(found->second, "\n"));
  return sha256(text);
}

/// The names that arms have in the report.
std::vector<Names> arm_names_of(const std::vector<Side>& sides) {
  std::map<std::string, std::set<std::string>> owners;  // stores by the names and labels they use
  for (const Side& side : sides)
    for (const store::StoredArm& arm : side.plan.arms)
      for (const std::string& name : {arm.name, label_of(arm)})
        owners[name].insert(side.store.name);
  std::vector<Names> all;
  for (const Side& side : sides) {
    Names& names = all.emplace_back();
    for (const store::StoredArm& arm : side.plan.arms) {
      const bool clash = owners[arm.name].size() > 1 || owners[label_of(arm)].size() > 1;
      names[arm.name] = clash ? fmt::format("{}: {}", side.store.name, arm.name) : arm.name;
    }
  }
  return all;
}

/// "A and B train on different text (corpus 0123456789ab against ...)".
std::string why_apart(const Side& first, const Side& other, const std::set<std::string>& at_odds) {
  std::vector<std::string> reasons;
  const std::string text = text_of(first.plan), others = text_of(other.plan);
  if (text != others)
    reasons.push_back(fmt::format("they trained on different text (corpus {} against {})",
                                  text.substr(0, kHashDigits), others.substr(0, kHashDigits)));
  const auto here = settings_of_probes(first.plan), there = settings_of_probes(other.plan);
  for (const std::string& name : at_odds)
    if (here.contains(name) != there.contains(name) ||
        (here.contains(name) && here.at(name) != there.at(name)))
      reasons.push_back(fmt::format("the probe {} was set otherwise", name));
  return fmt::format("Nothing is compared between {} and {}: {}.", first.store.name,
                     other.store.name, fmt::join(reasons, "; "));
}

/// A text of the plans, without repetitions.
std::string joined(const std::vector<Side>& sides, std::string store::StoredPlan::*text,
                   const char* separator) {
  std::vector<std::string> values;
  for (const Side& side : sides) {
    const std::string& value = side.plan.*text;
    if (!value.empty() && std::find(values.begin(), values.end(), value) == values.end())
      values.push_back(value);
  }
  return fmt::format("{}", fmt::join(values, separator));
}

/// Whether all plans have the same of a key.
bool agree(const std::vector<Side>& sides, const char* key) {
  const auto of = [&](const Side& side) { return side.store.records.plan.value(key, Json()); };
  return std::all_of(sides.begin(), sides.end(),
                     [&](const Side& side) { return of(side) == of(sides.front()); });
}

Json plan_of(const std::vector<Side>& sides) {
  Json plan = {{"experiment", joined(sides, &store::StoredPlan::experiment, " + ")},
               {"question", joined(sides, &store::StoredPlan::question, " ")},
               {"analysis", sides.front().plan.analysis.section},
               {"arms", Json::array()},
               {"metrics", Json::object()},
               {"ledger", Json::array()},
               {"corpora", Json::array()},
               {"resolved", Json::array()},
               {"warnings", Json::array()},
               {"stores", Json::array()}};
  for (const char* key : {"match", "power"}) {
    const Json value = sides.front().store.records.plan.value(key, Json());
    if (!value.is_null() && agree(sides, key)) plan[key] = value;
  }
  return plan;
}

void add_store(const Side& side, const Names& names, const std::string& material, bool first,
               Json& plan) {
  const Json& own = side.store.records.plan;
  const std::string& store = side.store.name;
  std::size_t i = 0;
  for (Json arm : own.at("arms")) {
    const store::StoredArm& stored = side.plan.arms[i++];
    const std::string& name = names.at(stored.name);
    if (name != stored.name) arm["label"] = fmt::format("{}: {}", store, label_of(stored));
    arm["name"] = name;
    arm["material"] = material;
    arm["baseline"] = first && stored.baseline;
    plan["arms"].push_back(std::move(arm));
    plan["metrics"][name] = own.value("metrics", Json::object()).value(stored.name, Json::array());
  }
  for (const store::StoredLedger& ledger : side.plan.ledger)
    if (const auto found = names.find(ledger.arm); found != names.end()) {
      Json row = ledger.amounts;
      row["arm"] = found->second;
      plan["ledger"].push_back(std::move(row));
    }
  for (const Json& corpus : own.value("corpora", Json::array()))
    if (std::find(plan["corpora"].begin(), plan["corpora"].end(), corpus) == plan["corpora"].end())
      plan["corpora"].push_back(corpus);
  for (const std::string& warning : side.plan.other_warnings())
    plan["warnings"].push_back(fmt::format("{}: {}", store, warning));
  plan["resolved"].push_back(own.value("resolved", Json::object()));
  plan["stores"].push_back({{"name", store},
                            {"experiment", side.plan.experiment},
                            {"question", side.plan.question},
                            {"text", text_of(side.plan)},
                            {"trials", side.store.records.trials.size()}});
}

}  // namespace

store::Records side_by_side(std::vector<NamedRecords> stores) {
  std::vector<Side> sides;
  for (NamedRecords& store : stores) {
    drop_copies(store.records);
    sides.push_back({store, store::stored_plan(store.records.plan)});
  }
  const Side& first = sides.front();
  const std::set<std::string> at_odds = probes_at_odds(sides);
  const std::vector<Names> names = arm_names_of(sides);
  const std::string material = material_of(first.plan, at_odds);
  store::Records all{plan_of(sides), {}};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    const std::string own = material_of(side.plan, at_odds);
    add_store(side, names[i], own, i == 0, all.plan);
    Json& warnings = all.plan["warnings"];
    if (own != material) warnings.push_back(why_apart(first, side, at_odds));
    if (side.plan.analysis.section != first.plan.analysis.section)
      warnings.push_back(
          fmt::format("{} declared another analysis than {}, whose is used for all arms.",
                      side.store.name, first.store.name));
    for (store::TrialRecord& trial : side.store.records.trials) {
      trial.arm = names[i].at(trial.arm);
      all.trials.push_back(std::move(trial));
    }
  }
  all.plan["warnings"].push_back(
      "Comparisons between stores were declared by no experiment: they are exploratory, whatever "
      "their p.");
  return all;
}

}  // namespace ablate::reports
