// A results folder: its files and its frozen plan.
//
//   NAME/plan.json                   the plan that is run, with its checksum; reports read it
//   NAME/experiment.json             a copy of the experiment file, which can be planned anew
//   NAME/experiment/                 copies of the files that it extends, and of shipped texts
//   NAME/trials/*/ID/journal.jsonl   the events of each trial, next to its checkpoints
//   NAME/index.sqlite                built from the journals, see schema.md
//   NAME/lock                        held during a run; names its holder

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/store/journal/trial_folders.h"  // whoever has a folder asks for its trials

namespace ablate::store {

/// Throws std::invalid_argument where a folder holds no results: it has no plan, damaged or not.
void check_results(const std::filesystem::path& results);

/// The frozen plan of a results folder. Throws as check_results(), and DamagedFile where it does not match its checksum or is not a plan: it must have an experiment, arms and
/// trials, and ids that are safe in a path.
Json read_plan(const std::filesystem::path& results);

/// The texts of an experiment's files by their path in a results folder, as plan::Plan::files has them.
using ExperimentFiles = std::map<std::string, std::string>;

/// Those in a results folder; none where they are lost. Throws std::runtime_error where one cannot be read.
ExperimentFiles read_experiment_files(const std::filesystem::path& results);

/// Writes `plan` and the files of its experiment to the folder, which is created
/// where it does not exist. A frozen plan is replaced; trials in both keep their results. Throws
/// std::invalid_argument where the folder has results of another experiment. Requires: the lock is
/// held, or the folder is new.
void freeze_plan(const std::filesystem::path& results, const Json& plan,
                 const ExperimentFiles& experiment);

}  // namespace ablate::store
