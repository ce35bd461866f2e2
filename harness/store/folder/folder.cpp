#include "harness/store/folder/folder.h"

#include <fmt/core.h>

#include <set>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/names.h"
#include "harness/store/journal/parse.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

fs::path plan_file(const fs::path& results) { return results / "plan.json"; }

/// Checks what a plan says about the complete experiment, where it says it.
void check_complete(const Json& plan) {
  const Json resolved = plan.value("resolved", Json::object());
  resolved.value("seeds", std::vector<std::int64_t>());
  if (!plan.contains("part_of")) return;
  const Json& complete = plan.at("part_of");
  complete.at("seeds").get<std::vector<std::int64_t>>();
  complete.at("match").get_ref<const Json::array_t&>();
  complete.at("power").get_ref<const std::string&>();
  complete.at("warnings").get<std::vector<std::string>>();
  for (const Json& arm : complete.at("arms")) {
    arm.at("name").get_ref<const std::string&>();
    arm.at("config");
  }
}

void check_plan(const Json& plan) {
  plan.at("experiment").get_ref<const std::string&>();
  std::set<std::string> arms, ids;
  for (const Json& arm : plan.at("arms"))
    if (!arms.insert(arm.at("name")).second) fail("arm {} occurs twice", arm.at("name").dump());
  for (const Json& trial : plan.at("trials")) {
    trial.at("seed").get<std::int64_t>();
    if (!arms.contains(trial.at("arm"))) fail("no arm is named {}", trial.at("arm").dump());
    const std::string id = trial.at("id");
    if (!is_safe_folder_name(id))
      fail("trial id {} is not 1 to 64 letters, digits, '-' and '_'", trial.at("id").dump());
    if (!ids.insert(id).second) fail("trial {} occurs twice", id);
  }
  check_complete(plan);
}

}  // namespace

fs::path journal_file(const fs::path& results, const std::string& id) {
  return results / "trials" / id / "journal.jsonl";
}

Json read_plan(const fs::path& results) {
  const fs::path file = plan_file(results);
  if (!fs::exists(file))
    fail("{}: holds no results (no plan.json); `ablate run FILE --results {}` makes them",
         results.string(), results.string());
  Json plan = read_json_file(file);
  try {
    check_plan(plan);
  } catch (const std::exception& error) {
    damaged(
        "{}: is not a plan: {}; remove it, and `ablate run` with the experiment file writes it "
        "again",
        file.string(), error.what());
  }
  return plan;
}

std::vector<std::string> measurement_ids(const Json& planned_trial) {
  std::vector<std::string> ids;
  for (const Json& probe : planned_trial.value("probes", Json::array()))
    ids.push_back(probe.at("id").get<std::string>());
  return ids;
}

void freeze_plan(const fs::path& results, const Json& plan, const std::string& experiment) {
  check_plan(plan);
  if (fs::exists(plan_file(results))) {
    const Json frozen = read_plan(results);
    if (frozen.at("experiment") != plan.at("experiment"))
      reject("{}: holds results of experiment {}, not of {}; choose another --results folder",
             results.string(), frozen.at("experiment").dump(), plan.at("experiment").dump());
  }
  fs::create_directories(results / "trials");
  write_file(results / "experiment.json", experiment);
  write_file(plan_file(results), plan.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace ablate::store
