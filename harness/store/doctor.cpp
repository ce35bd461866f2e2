#include "harness/store/doctor.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/text/shell.h"
#include "harness/store/folder/folder.h"
#include "harness/store/folder/leftovers.h"
#include "harness/store/index/index.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/checkpoint.h"
#include "harness/store/journal/journal.h"
#include "harness/store/journal/trial_weights.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

using Findings = std::vector<Finding>;

/// Every entry of the folder, sorted, so that findings come in the same order everywhere.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> all;
  if (!fs::is_directory(folder)) return all;
  for (const auto& entry : fs::directory_iterator(folder)) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

bool has_torn_end(const fs::path& journal) {
  const std::string bytes = read_file(journal);
  return !bytes.empty() && bytes.back() != '\n';
}

void examine_checkpoint(const fs::path& file, const TrialState& state, Findings& findings) {
  const Checkpoint checkpoint = Checkpoint::read(file);
  check_owner(checkpoint, file, file.parent_path().filename().string());
  const auto named = [&](const StoredCheckpoint& one) { return one.file == file.filename(); };
  const std::string name = file.filename().string();
  const std::vector<StoredCheckpoint>& known = name.starts_with("phase-")      ? state.phases
                                               : name.starts_with("snapshot-") ? state.snapshots
                                                                               : state.checkpoints;
  const auto event = std::find_if(known.rbegin(), known.rend(), named);
  if (event != known.rend() && event->sha256 == checkpoint.sha256()) return;
  // Killed between writing the file and the journal: the trial resumes from the previous
  // checkpoint. Of a trial that was completed, nothing was being written.
  if (state.outcome == "completed")
    findings.push_back(
        {true,
         fmt::format("{}: verifies, but is not what the journal names for this completed trial "
                     "(its hash differs); restore it from a copy, or remove the folder to run "
                     "the trial again",
                     file.string())});
  else
    findings.push_back(
        {false, fmt::format("{}: verifies, but its hash differs from that in the journal",
                            file.string())});
}

void examine_checkpoints(const fs::path& folder, const TrialState& state, Findings& findings) {
  for (const fs::path& file : entries(folder)) {
    if (file.extension() != ".safetensors") continue;
    try {
      examine_checkpoint(file, state, findings);
    } catch (const std::exception& error) {
      findings.push_back({true, error.what()});
    }
  }
  for (const StoredCheckpoint& phase : state.phases)
    if (const fs::path file = folder / fs::path(phase.file).filename(); !fs::exists(file))
      findings.push_back(
          {true,
           fmt::format("{}: is missing; the journal names it as the weights at the end of a phase",
                       file.string())});
  if (state.checkpoints.empty()) return;
  const fs::path last = folder / fs::path(state.checkpoints.back().file).filename();
  if (!fs::exists(last))
    findings.push_back(
        {true, fmt::format("{}: is missing; the journal names it as the last checkpoint",
                           last.string())});
}

/// Names the files that no trial needs.
void examine_names(const fs::path& folder, Findings& findings) {
  for (const fs::path& file : entries(folder)) {
    const std::string name = file.filename().string();
    if (name.starts_with("journal.jsonl.damaged"))
      findings.push_back(
          {false, fmt::format("{}: a damaged journal that was set aside; the trial went on from "
                              "what was before the damage",
                              file.string())});
  }
}

void examine_trial(const fs::path& folder, Findings& findings) {
  const fs::path journal = folder / "journal.jsonl";
  if (!fs::exists(journal)) return;
  try {
    const TrialState state = read_trial_state(journal);
    if (has_torn_end(journal))
      findings.push_back(
          {false, fmt::format("{}: its last line is torn, because a worker was killed; "
                              "it is removed when the trial resumes",
                              journal.string())});
    examine_checkpoints(folder, state, findings);
    examine_names(folder, findings);
  } catch (const std::exception& error) {
    findings.push_back({true, error.what()});
  }
}

void examine_index(const fs::path& results, Findings& findings) {
  if (!fs::exists(results / "index.sqlite")) return;
  try {
    if (!index_agrees(results))
      findings.push_back(
          {true,
           fmt::format("{}: differs from the journals; the next report makes it anew, and so does "
                       "`ablate doctor {} --rebuild`",
                       (results / "index.sqlite").string(), shell_word(results.string()))});
  } catch (const std::exception& error) {
    findings.push_back({true, error.what()});
  }
}

}  // namespace

Findings examine(const fs::path& results) {
  const Json plan = read_plan(results);
  Findings findings;
  std::set<fs::path> planned;
  for (const Json& trial : plan.at("trials"))
    planned.insert(journal_file(results, trial.at("id")).parent_path());
  const std::vector<fs::path> leftovers = leftovers_in(results);
  const std::set<fs::path> left(leftovers.begin(), leftovers.end());
  for (const fs::path& folder : entries(results / "trials")) {
    if (!fs::is_directory(folder) || left.contains(folder)) continue;
    examine_trial(folder, findings);
    if (!planned.contains(folder))
      findings.push_back(
          {false, fmt::format("{}: belongs to no trial of the plan; it is kept", folder.string())});
  }
  const bool journals_verify =
      std::none_of(findings.begin(), findings.end(), [](const Finding& one) { return one.damage; });
  if (journals_verify) examine_index(results, findings);
  for (const fs::path& path : leftovers)
    findings.push_back(
        {false, fmt::format("{}: was left half written by a killed process", path.string())});
  for (const fs::path& path : leftovers_in_report(results))
    findings.push_back({false, fmt::format("{}: is being written, or was left half written by a "
                                           "killed process; then it can be removed",
                                           path.string())});
  return findings;
}

void repair(const fs::path& results) {
  remove_leftovers(results);
  bool sound = true;
  for (const fs::path& folder : entries(results / "trials")) {
    const fs::path journal = folder / "journal.jsonl";
    if (!fs::exists(journal)) continue;
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
