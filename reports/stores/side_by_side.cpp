#include "reports/stores/side_by_side.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/sha256.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kHashDigits = 12;

using Names = std::map<std::string, std::string>;  // of arms: in their store, and in the report

std::string string_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string label_of(const Json& arm) {
  const std::string label = string_at(arm, "label");
  return label.empty() ? string_at(arm, "name") : label;
}

/// Leaves out the copies of arms that a tuned experiment trained at another arm's rate.
void drop_copies(store::Records& records) {
  std::set<std::string> copies;
  Json arms = Json::array();
  for (const Json& arm : records.plan.at("arms")) {
    if (string_at(arm, "of").empty())
      arms.push_back(arm);
    else
      copies.insert(string_at(arm, "name"));
  }
  records.plan["arms"] = std::move(arms);
  std::erase_if(records.trials,
                [&](const store::TrialRecord& trial) { return copies.contains(trial.arm); });
}

/// The hashes of all text that a plan's trials read.
std::string text_of(const Json& plan) {
  std::set<std::string> hashes;
  for (const Json& corpus : plan.value("corpora", Json::array()))
    hashes.insert(string_at(corpus, "hash"));
  return fmt::format("{}", fmt::join(hashes, " "));
}

/// The settings of a plan's probes, by type and name: without ids, and without the steps at which
/// they measure on the way. Those change nothing that is measured, and depend on the arm; courses are
/// compared at equal amounts of training.
std::map<std::string, std::set<std::string>> probes_of(const Json& plan) {
  std::map<std::string, std::set<std::string>> probes;
  for (const Json& trial : plan.value("trials", Json::array()))
    for (Json probe : trial.value("probes", Json::array())) {
      for (const char* added : {"id", "at"}) probe.erase(added);
      const std::string name = string_at(probe, "name");
      probes[name.empty() ? string_at(probe, "type") : name].insert(probe.dump());
    }
  return probes;
}

/// The probes that some stores have at other settings than others.
std::set<std::string> probes_at_odds(const std::vector<NamedRecords>& stores) {
  std::map<std::string, std::set<std::set<std::string>>> settings;
  for (const NamedRecords& store : stores)
    for (auto& [name, of_store] : probes_of(store.records.plan)) settings[name].insert(of_store);
  std::set<std::string> names;
  for (const auto& [name, different] : settings)
    if (different.size() > 1) names.insert(name);
  return names;
}

/// What a store's values hang on beside the settings of its arms. Values of stores that differ in it
/// are not comparable.
std::string material_of(const NamedRecords& store, const std::set<std::string>& at_odds) {
  std::string text = text_of(store.records.plan);
  const auto probes = probes_of(store.records.plan);
  for (const std::string& name : at_odds)
    if (const auto found = probes.find(name); found != probes.end())
      text += fmt::format("\n{}", fmt::join(found->second, "\n"));
  return sha256(text);
}

/// The names that arms have in the report.
std::vector<Names> arm_names_of(const std::vector<NamedRecords>& stores) {
  std::map<std::string, std::set<std::string>> owners;  // stores by the names and labels they use
  for (const NamedRecords& store : stores)
    for (const Json& arm : store.records.plan.at("arms"))
      for (const std::string& name : {string_at(arm, "name"), label_of(arm)})
        owners[name].insert(store.name);
  std::vector<Names> all;
  for (const NamedRecords& store : stores) {
    Names& names = all.emplace_back();
    for (const Json& arm : store.records.plan.at("arms")) {
      const std::string name = string_at(arm, "name");
      const bool clash = owners[name].size() > 1 || owners[label_of(arm)].size() > 1;
      names[name] = clash ? fmt::format("{}: {}", store.name, name) : name;
    }
  }
  return all;
}

/// "A and B train on different text (corpus 0123456789ab against ...)".
std::string why_apart(const NamedRecords& first, const NamedRecords& other,
                      const std::set<std::string>& at_odds) {
  std::vector<std::string> reasons;
  const std::string text = text_of(first.records.plan), others = text_of(other.records.plan);
  if (text != others)
    reasons.push_back(fmt::format("they trained on different text (corpus {} against {})",
                                  text.substr(0, kHashDigits), others.substr(0, kHashDigits)));
  const auto here = probes_of(first.records.plan), there = probes_of(other.records.plan);
  for (const std::string& name : at_odds)
    if (here.contains(name) != there.contains(name) ||
        (here.contains(name) && here.at(name) != there.at(name)))
      reasons.push_back(fmt::format("the probe {} was set otherwise", name));
  return fmt::format("Nothing is compared between {} and {}: {}.", first.name, other.name,
                     fmt::join(reasons, "; "));
}

/// The values of a key of the plans, without repetitions, in words.
std::string joined(const std::vector<NamedRecords>& stores, const char* key) {
  std::vector<std::string> values;
  for (const NamedRecords& store : stores) {
    std::string value = string_at(store.records.plan, key);
    if (!value.empty() && std::find(values.begin(), values.end(), value) == values.end())
      values.push_back(std::move(value));
  }
  return fmt::format("{}", fmt::join(values, key == std::string_view("question") ? " " : " + "));
}

/// Whether all plans have the same of a key.
bool agree(const std::vector<NamedRecords>& stores, const char* key) {
  return std::all_of(stores.begin(), stores.end(), [&](const NamedRecords& store) {
    return store.records.plan.value(key, Json()) == stores.front().records.plan.value(key, Json());
  });
}

Json plan_of(const std::vector<NamedRecords>& stores) {
  Json plan = {{"experiment", joined(stores, "experiment")},
               {"question", joined(stores, "question")},
               {"analysis", stores.front().records.plan.value("analysis", Json::object())},
               {"arms", Json::array()},
               {"metrics", Json::object()},
               {"ledger", Json::array()},
               {"corpora", Json::array()},
               {"resolved", Json::array()},
               {"warnings", Json::array()},
               {"stores", Json::array()}};
  for (const char* key : {"match", "power"})
    if (agree(stores, key)) plan[key] = stores.front().records.plan.value(key, Json());
  if (plan.value("match", Json()).is_null()) plan.erase("match");
  return plan;
}

void add_store(const NamedRecords& store, const Names& names, const std::string& material,
               bool first, Json& plan) {
  const Json& own = store.records.plan;
  for (Json arm : own.at("arms")) {
    const std::string name = string_at(arm, "name");
    if (names.at(name) != name) arm["label"] = fmt::format("{}: {}", store.name, label_of(arm));
    arm["name"] = names.at(name);
    arm["material"] = material;
    arm["baseline"] = first && arm.value("baseline", false);
    plan["arms"].push_back(std::move(arm));
    plan["metrics"][names.at(name)] =
        own.value("metrics", Json::object()).value(name, Json::array());
  }
  for (Json row : own.value("ledger", Json::array()))
    if (const auto found = names.find(string_at(row, "arm")); found != names.end()) {
      row["arm"] = found->second;
      plan["ledger"].push_back(std::move(row));
    }
  for (const Json& corpus : own.value("corpora", Json::array()))
    if (std::find(plan["corpora"].begin(), plan["corpora"].end(), corpus) == plan["corpora"].end())
      plan["corpora"].push_back(corpus);
  for (const Json& warning : own.value("warnings", Json::array()))
    if (warning.is_string() && warning != own.value("power", Json()))
      plan["warnings"].push_back(fmt::format("{}: {}", store.name, warning.get<std::string>()));
  plan["resolved"].push_back(own.value("resolved", Json::object()));
  plan["stores"].push_back({{"name", store.name},
                            {"experiment", string_at(own, "experiment")},
                            {"question", string_at(own, "question")},
                            {"text", text_of(own)},
                            {"trials", store.records.trials.size()}});
}

}  // namespace

store::Records side_by_side(std::vector<NamedRecords> stores) {
  for (NamedRecords& store : stores) drop_copies(store.records);
  const std::set<std::string> at_odds = probes_at_odds(stores);
  const std::vector<Names> names = arm_names_of(stores);
  const std::string material = material_of(stores.front(), at_odds);
  store::Records all{plan_of(stores), {}};
  for (std::size_t i = 0; i < stores.size(); ++i) {
    NamedRecords& store = stores[i];
    const std::string own = material_of(store, at_odds);
    add_store(store, names[i], own, i == 0, all.plan);
    if (own != material) all.plan["warnings"].push_back(why_apart(stores.front(), store, at_odds));
    const Json analysis = store.records.plan.value("analysis", Json::object());
    if (analysis != all.plan.at("analysis"))
      all.plan["warnings"].push_back(
          fmt::format("{} declared another analysis than {}, whose is used for all arms.",
                      store.name, stores.front().name));
    for (store::TrialRecord& trial : store.records.trials) {
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
