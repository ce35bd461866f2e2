#include "harness/store/folder/folder.h"
#include "harness/base/posix/machine_fault.h"

#include <fmt/core.h>

#include <set>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/parse.h"
#include "harness/base/names.h"
#include "harness/base/sha256.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::store {
namespace {

constexpr const char* kExperiment = "experiment.json";
constexpr const char* kBeside = "experiment";  // the folder of what it extends

namespace fs = std::filesystem;

constexpr const char* kSum = "sha256";  // in plan.json, of the canonical text of everything else

fs::path plan_file(const fs::path& results) { return results / "plan.json"; }

std::string sum_of(const Json& plan) { return sha256(canonical(plan)); }

/// Takes the checksum out of a plan as it is stored. Throws where the plan is not what it was.
void check_sum(Json& plan) {
  if (!plan.is_object() || !plan.contains(kSum))
    fail("it has no checksum (\"{}\"), as plans of older versions", kSum);
  const std::string sum = plan.at(kSum);
  plan.erase(kSum);
  if (sum_of(plan) != sum)
    fail("it does not match its checksum: it was changed, by hand or by a fault of the disk");
}

/// Throws where a document is not a plan that can be run and reported.
void check_plan(const Json& document) {
  for (const char* needed : {"experiment", "arms", "trials"}) document.at(needed);
  const StoredPlan plan = stored_plan(document);
  std::set<std::string> arms, ids;
  for (const StoredArm& arm : plan.arms)
    if (!arms.insert(arm.name).second) fail("arm {} occurs twice", Json(arm.name).dump());
  for (const StoredTrial& trial : plan.trials) {
    if (!arms.contains(trial.arm)) fail("no arm is named {}", Json(trial.arm).dump());
    if (!is_safe_folder_name(trial.id))
      fail("trial id {} is not 1 to 64 letters, digits, '-' and '_'", Json(trial.id).dump());
    if (!ids.insert(trial.id).second) fail("trial {} occurs twice", trial.id);
  }
}

std::string experiment_in(const Json& plan) { return Json(stored_plan(plan).experiment).dump(); }

}  // namespace

void check_results(const fs::path& results) {
  const fs::path file = plan_file(results);
  if (!fs::exists(file) && fs::exists(plan_file(results / "tuning")))
    reject("{}: its learning rates are not chosen yet, and so far there is no result: see {}",
           results.string(), (results / "tuning").string());
  if (!fs::exists(file))
    reject(
        "{}: holds no results (no plan.json); give the folder that `ablate run FILE --results DIR` "
        "filled",
        results.string());
}

Json read_plan(const fs::path& results) {
  check_results(results);
  const fs::path file = plan_file(results);
  try {
    Json plan = parse_stored(read_file(file), "the file");
    check_sum(plan);
    check_plan(plan);
    return plan;
  } catch (const MachineFault&) {
    throw;
  } catch (const std::exception& error) {
    damaged(
        "{}: is not a plan: {}; remove it, and `ablate run` with the experiment file writes it "
        "again",
        file.string(), error.what());
  }
}

ExperimentFiles read_experiment_files(const fs::path& results) {
  // Far more than a run writes: the folder may be anyone's.
  constexpr std::size_t kMostFiles = 200;
  constexpr std::uint64_t kMostBytes = 8u << 20;  // of a file
  ExperimentFiles files;
  std::error_code error;
  if (fs::is_regular_file(fs::symlink_status(results / kExperiment, error)))
    files[kExperiment] = read_file(results / kExperiment, kMostBytes);
  if (!fs::is_directory(fs::symlink_status(results / kBeside, error))) return files;
  for (fs::recursive_directory_iterator at(results / kBeside, error), end; !error && at != end;
       at.increment(error)) {
    if (!fs::is_regular_file(at->symlink_status(error)) || has_temporary_name(at->path())) continue;
    if (files.size() >= kMostFiles)
      reject(
          "{}: holds more than {} files; a run keeps copies of the experiment there, and nothing "
          "else",
          (results / kBeside).string(), kMostFiles);
    files[at->path().lexically_relative(results)] = read_file(at->path(), kMostBytes);
  }
  return files;
}

void freeze_plan(const fs::path& results, const Json& plan, const ExperimentFiles& experiment) {
  check_plan(plan);
  if (fs::exists(plan_file(results))) {
    const std::string held = experiment_in(read_plan(results)), wanted = experiment_in(plan);
    if (held != wanted)
      reject("{}: holds results of experiment {}, not of {}; choose another --results folder",
             results.string(), held, wanted);
  }
  fs::create_directories(results / "trials");
  for (const auto& [name, text] : experiment) {
    fs::create_directories((results / name).parent_path());
    write_file(results / name, text);
  }
  // Invalid UTF-8 is replaced before hashing, so that the hash is that of what is read back.
  Json stored = parse_json(canonical(plan));
  stored[kSum] = sum_of(stored);
  write_file(plan_file(results), stored.dump(1) + "\n");
}

}  // namespace ablate::store
