// A results folder: which file is where, and its frozen plan.
//
//   NAME/plan.json                   the plan that is run, reports read it
//   NAME/experiment.json             the experiment file as it was given
//   NAME/trials/ID/journal.jsonl     what happened to each trial; checkpoints lie beside it
//   NAME/index.sqlite                made from the journals, see schema.md
//   NAME/lock                        held while a run is going on; names its holder

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::store {

/// Where the journal of a trial is.
std::filesystem::path journal_file(const std::filesystem::path& results, const std::string& id);

/// The frozen plan of a results folder. Throws std::runtime_error where there is none, DamagedFile
/// where it is not a plan (its experiment, arms and trials are there, each trial's id is fit for a
/// path).
Json read_plan(const std::filesystem::path& results);

/// The ids of the measurements that a planned trial asks for.
std::vector<std::string> measurement_ids(const Json& planned_trial);

/// Makes `plan` the folder's plan and `experiment`, the text of its file, the copy beside it;
/// creates the folder. A plan whose trials are all in the frozen one (`--only`) leaves that as it
/// is; any other takes its place, and trials that both have are kept. Throws std::invalid_argument
/// where the folder holds another experiment, or other things than results. Requires: the lock is
/// held, or the folder new.
void freeze_plan(const std::filesystem::path& results, const Json& plan,
                 const std::string& experiment);

}  // namespace ablate::store
