#include "harness/store/merge.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/sha256.h"
#include "harness/store/folder/folder.h"
#include "harness/store/folder/unite.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/journal.h"
#include "harness/store/plan/stored_plan.h"
#include "harness/store/trial_copies.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

using Place = std::pair<std::string, std::int64_t>;  // arm, seed

/// Throws where two plans have trials of one arm and seed that are set up differently.
void check_same_trials(const StoredPlan& plan, const StoredPlan& more, const fs::path& from) {
  std::map<Place, std::string> ids;
  for (const StoredTrial& trial : plan.trials) ids[{trial.arm, trial.seed}] = trial.id;
  for (const StoredTrial& trial : more.trials) {
    const auto found = ids.find({trial.arm, trial.seed});
    if (found != ids.end() && trial.id != found->second)
      reject(
          "{}: its trial of arm {}, seed {} is {}, here it is {}: they were set up differently; "
          "only results of one experiment can be collected",
          from.string(), Json(trial.arm).dump(), trial.seed, Json(trial.id).dump(), found->second);
  }
}

void refuse_itself(const fs::path& into, const fs::path& from) {
  if (fs::weakly_canonical(into) == fs::weakly_canonical(from))
    reject("{}: is the folder to collect into; name another one", from.string());
}

void check_same_experiment(const Json& plan, const Json& more, const fs::path& from) {
  for (const char* part : {"experiment", "vocabulary", "analysis"})
    if (plan.value(part, Json()) != more.value(part, Json()))
      reject("{}: its {} is {}, here it is {}; only results of one experiment can be collected",
             from.string(), part, canonical(more.value(part, Json())),
             canonical(plan.value(part, Json())));
  const StoredPlan ours = stored_plan(plan), theirs = stored_plan(more);
  if (ours.seeds_of_looks() != theirs.seeds_of_looks())
    reject(
        "{}: its looks are planned after seeds {}, here after {}; only results of one experiment "
        "can be collected",
        from.string(), canonical(theirs.seeds_of_looks()), canonical(ours.seeds_of_looks()));
  if (*ours.resolved.baseline != *theirs.resolved.baseline)
    reject("{}: its baseline is {}, here it is {}; collect results with one baseline",
           from.string(), canonical(*theirs.resolved.baseline), canonical(*ours.resolved.baseline));
  check_same_trials(ours, theirs, from);
}

void unite_plans(const fs::path& into, const fs::path& from, const Json& theirs) {
  if (!fs::exists(into / "plan.json"))
    return freeze_plan(into, theirs, read_experiment_files(from));
  const Json ours = read_plan(into);
  check_same_experiment(ours, theirs, from);
  freeze_plan(into, united(ours, theirs), read_experiment_files(into));
}

/// Whether `longer` starts with every event of `shorter`.
bool goes_on_from(const std::vector<Json>& longer, const std::vector<Json>& shorter) {
  return longer.size() >= shorter.size() &&
         std::equal(shorter.begin(), shorter.end(), longer.begin());
}

/// The hash of each verified journal, by trial: unchanged bytes need not be verified again.
using Verified = std::map<std::string, std::string>;

Verified verify_all(const fs::path& from, const StoredPlan& plan) {
  Verified verified;
  for (const StoredTrial& trial : plan.trials) {
    const fs::path journal = journal_file(from, trial.id);
    if (!fs::exists(journal)) continue;
    const std::string bytes = read_file(journal);
    trial_state(bytes, journal);  // checks that all events are known
    verified.emplace(trial.id, sha256(bytes));
  }
  return verified;
}

enum class Relation { same_or_behind, ahead, apart };

/// Which of two journals continues the other; theirs has been verified.
Relation relation(const std::string& bytes, const fs::path& theirs, const fs::path& ours) {
  const std::string our_bytes = read_file(ours);
  if (our_bytes == bytes) return Relation::same_or_behind;
  const auto their_events = journal_events(bytes, theirs);
  const auto our_events = journal_events(our_bytes, ours);
  if (goes_on_from(our_events, their_events)) return Relation::same_or_behind;
  return goes_on_from(their_events, our_events) ? Relation::ahead : Relation::apart;
}

void merge_trial(const fs::path& into, const fs::path& from, const std::string& id,
                 const Verified& verified, TrialCopies& copies, Merged& merged) {
  const fs::path theirs = journal_file(from, id), ours = journal_file(into, id);
  if (!fs::exists(theirs)) return;
  const std::string bytes = read_file(theirs);
  const auto known = verified.find(id);
  if (known == verified.end() || known->second != sha256(bytes))  // written to in the meantime
    trial_state(bytes, theirs);
  if (!fs::exists(ours)) {
    copies.add(theirs.parent_path(), ours.parent_path(), bytes);
    ++merged.added;
    return;
  }
  const Relation is = relation(bytes, theirs, ours);
  if (is == Relation::same_or_behind) {
    ++merged.kept;
  } else if (is == Relation::ahead) {
    copies.add(theirs.parent_path(), ours.parent_path(), bytes);
    ++merged.advanced;
  } else {
    merged.refused.push_back(fmt::format(
        "trial {}: {} and {} have continued it separately; remove the one that is not wanted", id,
        theirs.string(), ours.string()));
  }
}

}  // namespace

void check_merge(const fs::path& into, const std::vector<fs::path>& folders) {
  Json plan = fs::exists(into / "plan.json") ? read_plan(into) : Json();
  for (const fs::path& from : folders) {
    refuse_itself(into, from);
    const Json more = read_plan(from);
    if (!plan.is_null()) check_same_experiment(plan, more, from);
    plan = plan.is_null() ? more : united(std::move(plan), more);
  }
}

Merged merge_results(const fs::path& into, const fs::path& from) {
  refuse_itself(into, from);
  const Json document = read_plan(from);
  const StoredPlan plan = stored_plan(document);
  const Verified verified = verify_all(from, plan);  // before anything is written
  unite_plans(into, from, document);
  Merged merged;
  TrialCopies copies;
  for (const StoredTrial& trial : plan.trials)
    merge_trial(into, from, trial.id, verified, copies, merged);
  copies.finish();
  return merged;
}

}  // namespace ablate::store
