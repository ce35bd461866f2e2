#include "harness/store/doctor.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "harness/base/error.h"
#include "harness/base/links.h"
#include "harness/base/text/shell.h"
#include "harness/store/folder/folder.h"
#include "harness/store/folder/leftovers.h"
#include "harness/store/folder/lock.h"
#include "harness/store/index/index.h"
#include "harness/store/journal/journal.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

using Findings = std::vector<Finding>;

void examine_index(const fs::path& results, Findings& findings) {
  if (!fs::exists(fs::symlink_status(results / "index.sqlite"))) return;
  try {
    if (!index_agrees(results))
      findings.push_back(
          {true, fmt::format("{}: differs from the journals; the next report rebuilds it, and so "
                             "does `ablate doctor {} --rebuild`",
                             (results / "index.sqlite").string(), shell_word(results.string()))});
  } catch (const std::exception& error) {
    add_damage(error, findings);
  }
}

/// The folders of the trials of the plan as it is now.
std::set<fs::path> planned_folders(const fs::path& results) {
  std::set<fs::path> planned;
  const Json document = read_plan(results);
  for (const StoredTrial& trial : stored_plan(document).trials)
    planned.insert(trial_folder(results, trial.id));
  return planned;
}

void examine_trials(const fs::path& results, const std::vector<fs::path>& leftovers,
                    Findings& findings) {
  const std::set<fs::path> left(leftovers.begin(), leftovers.end());
  const std::vector<fs::path> folders = entries_of_trials(results);
  const std::set<fs::path> planned = planned_folders(results);  // a run plans before it begins
  for (const fs::path& folder : folders) {
    const bool link = fs::is_symlink(fs::symlink_status(folder));
    if ((!link && !fs::is_directory(folder)) || left.contains(folder)) continue;
    try {
      refuse_link(folder);
    } catch (const DamagedFile& error) {
      findings.push_back({true, error.what()});
      continue;
    }
    for (Finding& found : examine_trial(folder)) findings.push_back(std::move(found));
    const fs::path place = trial_folder(results, folder.filename());
    if (place != folder)
      findings.push_back(
          {false, fmt::format("{}: is not read: the trial of this name has its files "
                              "in {}; it is kept",
                              folder.string(), place.string())});
    else if (!planned.contains(folder))
      findings.push_back(
          {false, fmt::format("{}: belongs to no trial of the plan; it is kept", folder.string())});
  }
}

/// When the lock of a folder was last taken; nothing where it never was.
std::optional<fs::file_time_type> lock_taken(const fs::path& results) {
  std::error_code absent;
  const auto time = fs::last_write_time(results / "lock", absent);
  return absent ? std::nullopt : std::optional(time);
}

}  // namespace

Findings examine(const fs::path& results) {
  check_results(results);
  const auto taken = lock_taken(results);
  std::optional<Holder> holder = holder_of(results);
  Findings findings;
  const std::vector<fs::path> leftovers = leftovers_in(results);
  examine_trials(results, leftovers, findings);
  const bool journals_verify =
      std::none_of(findings.begin(), findings.end(),
                   [](const Finding& one) { return one.damage && !one.no_weights; });
  if (journals_verify) examine_index(results, findings);
  for (const fs::path& path : leftovers)
    findings.push_back(
        {false, fmt::format("{}: was left half written by a killed process", path.string()), true});
  for (const fs::path& path : leftovers_in_report(results))
    findings.push_back({false, fmt::format("{}: is being written, or was left half written by a "
                                           "killed process; then it can be removed",
                                           path.string())});
  if (!holder) holder = holder_of(results);
  if (!holder && lock_taken(results) != taken) holder = Holder{};  // it came and went
  if (!holder) return findings;
  std::erase_if(findings, [](const Finding& one) { return one.in_a_run; });
  findings.push_back({false, fmt::format("{}: {} is running in this folder; what it is writing now "
                                         "is not examined, so look again when it has ended",
                                         results.string(), holder->text())});
  return findings;
}

void repair(const fs::path& results) {
  remove_leftovers(results);
  bool sound = true;
  for (const fs::path& folder : entries_of_trials(results)) {
    const fs::path journal = folder / "journal.jsonl";
    if (!fs::exists(journal) || fs::is_symlink(folder)) continue;
    salvage_journal(journal);
    try {
      Journal{journal};
    } catch (const DamagedFile&) {
      sound = false;  // nothing of it can be kept; examine() names it
    }
  }
  if (sound) rebuild_index(results);
}

}  // namespace ablate::store
