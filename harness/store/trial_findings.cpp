#include "harness/store/trial_findings.h"

#include <fmt/core.h>

#include <algorithm>
#include <new>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/trial_weights.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

using Findings = std::vector<Finding>;

/// The files of a trial, sorted, so that findings come in the same order everywhere.
std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder)) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
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
        {false,
         fmt::format("{}: verifies, but its hash differs from that in the journal", file.string()),
         true});
}

/// What is said of the files that a journal names and that are not there.
std::vector<std::string> missing_files(const fs::path& folder, const TrialState& state) {
  std::vector<std::string> missing;
  const auto look = [&](const StoredCheckpoint& named, const char* what) {
    if (const fs::path file = folder / fs::path(named.file).filename(); !fs::exists(file))
      missing.push_back(
          fmt::format("{}: is missing; the journal names it as {}", file.string(), what));
  };
  for (const StoredCheckpoint& phase : state.phases)
    look(phase, "the weights at the end of a phase");
  if (!state.checkpoints.empty()) look(state.checkpoints.back(), "the last checkpoint");
  return missing;
}

void examine_files(const fs::path& folder, const TrialState& state, Findings& findings) {
  for (const fs::path& file : files_of(folder)) {
    if (file.extension() != ".safetensors") continue;
    try {
      examine_checkpoint(file, state, findings);
    } catch (const std::exception& error) {
      // A worker removes what it needs no longer. Files that are needed are looked for in any case.
      if (fs::exists(fs::symlink_status(file))) add_damage(error, findings);
    }
  }
}

/// Looks for the files that the journal names. One may have given way to a later one since `state` was
/// read, which the worker names first: the journal then says something else now.
void examine_needed(const fs::path& folder, const TrialState& state, Findings& findings) {
  std::vector<std::string> missing = missing_files(folder, state), before;
  while (missing != before) {
    before = std::move(missing);
    missing = missing_files(folder, read_trial_state(folder / "journal.jsonl"));
  }
  for (std::string& text : missing)
    findings.push_back({.damage = true, .text = std::move(text), .no_weights = true});
}

/// Names the files that no trial needs.
void examine_names(const fs::path& folder, Findings& findings) {
  for (const fs::path& file : files_of(folder)) {
    const std::string name = file.filename().string();
    if (name.starts_with("journal.jsonl.damaged"))
      findings.push_back(
          {false, fmt::format("{}: a damaged journal that was set aside; the trial went on from "
                              "what was before the damage",
                              file.string())});
  }
}

}  // namespace

void add_damage(const std::exception& error, Findings& findings) {
  if (is_no_space(error) || dynamic_cast<const std::bad_alloc*>(&error) != nullptr) throw;
  findings.push_back({true, error.what()});
}

Findings examine_trial(const fs::path& folder) {
  Findings findings;
  const fs::path journal = folder / "journal.jsonl";
  if (!fs::exists(journal)) return findings;
  try {
    const std::string bytes = read_file(journal);
    const TrialState state = trial_state(bytes, journal);
    if (!bytes.empty() && bytes.back() != '\n')
      findings.push_back({false,
                          fmt::format("{}: its last line is torn, because a worker was killed; "
                                      "it is removed when the trial resumes",
                                      journal.string()),
                          true});
    examine_files(folder, state, findings);
    examine_needed(folder, state, findings);
    examine_names(folder, findings);
  } catch (const std::exception& error) {
    add_damage(error, findings);
  }
  return findings;
}

}  // namespace ablate::store
