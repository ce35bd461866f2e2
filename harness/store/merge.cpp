#include "harness/store/merge.h"

#include <unistd.h>

#include <algorithm>
#include <map>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/store/digest.h"
#include "harness/store/folder.h"
#include "harness/store/journal.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;

using Place = std::pair<std::string, std::int64_t>;  // arm, seed

Place place_of(const Json& trial) { return {trial.at("arm"), trial.at("seed")}; }

/// Adds what `more[list]` has and `plan[list]` has not, by the value of `key`.
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

void check_same_experiment(const Json& plan, const Json& more, const fs::path& from) {
  for (const char* part : {"experiment", "vocabulary", "analysis"})
    if (plan.value(part, Json()) != more.value(part, Json()))
      reject(from.string(), ": its ", part, " is ", canonical(more.value(part, Json())),
             ", here it is ", canonical(plan.value(part, Json())),
             "; only results of one experiment can be collected");
  std::map<Place, std::string> ids;
  for (const Json& trial : plan.at("trials")) ids[place_of(trial)] = trial.at("id");
  for (const Json& trial : more.at("trials")) {
    const auto found = ids.find(place_of(trial));
    if (found != ids.end() && found->second != trial.at("id"))
      reject(from.string(), ": its trial of arm ", trial.at("arm"), ", seed ", trial.at("seed"),
             " is ", trial.at("id"), ", here it is ", found->second,
             ": they were set up differently; only results of one experiment can be collected");
  }
}

Json united(Json plan, const Json& more) {
  unite_lists(plan, more, "arms", "name");
  unite_lists(plan, more, "ledger", "arm");
  unite_lists(plan, more, "trials", "id");
  if (more.contains("metrics") && more.at("metrics").is_object())
    for (const auto& [arm, metrics] : more.at("metrics").items())
      if (!plan["metrics"].contains(arm)) plan["metrics"][arm] = metrics;
  for (const Json& bank : more.value("banks", Json::array())) {
    Json& banks = plan["banks"];
    if (std::find(banks.begin(), banks.end(), bank) == banks.end()) banks.push_back(bank);
  }
  std::map<std::string, std::size_t> order;
  for (const Json& arm : plan.at("arms")) order.emplace(arm.at("name"), order.size());
  std::stable_sort(plan["trials"].begin(), plan["trials"].end(), [&](const Json& a, const Json& b) {
    return std::pair(order[a.at("arm")], a.at("seed").get<std::int64_t>()) <
           std::pair(order[b.at("arm")], b.at("seed").get<std::int64_t>());
  });
  return plan;
}

void unite_plans(const fs::path& into, const fs::path& from, const Json& theirs) {
  const std::string experiment = read_file(from / "experiment.json");
  if (!fs::exists(into / "plan.json")) return freeze_plan(into, theirs, experiment);
  const Json ours = read_plan(into);
  check_same_experiment(ours, theirs, from);
  freeze_plan(into, united(ours, theirs), read_file(into / "experiment.json"));
}

/// Replaces a trial's folder by a copy of another, through a folder beside it.
void copy_trial(const fs::path& source, const fs::path& target) {
  const fs::path partial = target.string() + ".tmp." + std::to_string(::getpid());
  fs::remove_all(partial);
  fs::create_directories(partial);
  for (const auto& entry : fs::directory_iterator(source)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || entry.is_symlink() || name.find(".tmp.") != std::string::npos)
      continue;  // links may lead anywhere; half-written files are of no use
    if (name == "journal.jsonl") continue;
    fs::copy_file(entry.path(), partial / name);
  }
  write_file(partial / "journal.jsonl", read_file(source / "journal.jsonl"));
  const fs::path former = target.string() + ".tmp.former." + std::to_string(::getpid());
  if (fs::exists(target)) fs::rename(target, former);
  fs::rename(partial, target);
  fs::remove_all(former);
}

/// Whether `longer` starts with every event of `shorter`.
bool goes_on_from(const std::vector<Json>& longer, const std::vector<Json>& shorter) {
  return longer.size() >= shorter.size() &&
         std::equal(shorter.begin(), shorter.end(), longer.begin());
}

void merge_trial(const fs::path& into, const fs::path& from, const std::string& id,
                 Merged& merged) {
  const fs::path theirs = journal_file(from, id), ours = journal_file(into, id);
  if (!fs::exists(theirs)) return;
  const auto their_events = read_journal(theirs);
  digest(their_events, theirs);  // it is what this program knows, too
  if (!fs::exists(ours)) {
    copy_trial(theirs.parent_path(), ours.parent_path());
    ++merged.added;
    return;
  }
  const auto our_events = read_journal(ours);
  if (goes_on_from(our_events, their_events)) {
    ++merged.kept;
  } else if (goes_on_from(their_events, our_events)) {
    copy_trial(theirs.parent_path(), ours.parent_path());
    ++merged.advanced;
  } else {
    merged.refused.push_back(join("trial ", id, ": ", theirs.string(), " and ", ours.string(),
                                  " tell of two different pasts; remove the one you do not want"));
  }
}

}  // namespace

Merged merge_results(const fs::path& into, const fs::path& from) {
  if (fs::weakly_canonical(into) == fs::weakly_canonical(from))
    reject(from.string(), ": is the folder that is collected into");
  const Json plan = read_plan(from);
  for (const Json& trial : plan.at("trials"))  // nothing is written where one of them is damaged
    read_digest(journal_file(from, trial.at("id")));
  unite_plans(into, from, plan);
  Merged merged;
  for (const Json& trial : plan.at("trials")) merge_trial(into, from, trial.at("id"), merged);
  return merged;
}

}  // namespace ablate
