#include "harness/run/folder_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "harness/base/error.h"
#include "harness/plan/trial/plan_json.h"
#include "harness/run/sequential/held_looks.h"
#include "harness/store/folder/folder.h"
#include "harness/store/folder/plan_difference.h"
#include "harness/store/folder/unite.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::run {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& results,
                         const std::vector<std::string>& lines, std::size_t removed) {
  constexpr std::size_t kMaxLines = 18;
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMaxLines); ++i) text += "\n  " + lines[i];
  if (lines.size() > kMaxLines)
    text += fmt::format("\n  ... and {} more", lines.size() - kMaxLines);
  const std::string leaving =
      removed == 0 ? ""
                   : fmt::format(
                         " ({} trial{} of the old settings then leave{} its plan, but not "
                         "the folder)",
                         removed, removed == 1 ? "" : "s", removed == 1 ? "s" : "");
  const bool only_more = std::all_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.ends_with(" is new") || line.ends_with(" are new");
  });
  if (only_more)
    reject(
        "{}: holds this experiment, but not all of what is asked for:{}\nTo train that as well, "
        "give "
        "the same command with --add. To keep the two apart, choose another --results folder.",
        results.string(), text);
  reject(
      "{}: holds the plan of another experiment:{}\nTo keep the two apart, choose another "
      "--results folder. To extend this one, give the same command with --add{}.",
      results.string(), text, leaving);
}

bool same_text(const store::StoredPlan& held, const store::StoredPlan& wanted) {
  return *held.resolved.corpus == *wanted.resolved.corpus && *held.vocabulary == *wanted.vocabulary;
}

/// How many trials of `held` a new plan does not have.
std::size_t removed_trials(const store::StoredPlan& held, const store::StoredPlan& plan) {
  std::set<std::string> ids;
  for (const store::StoredTrial& trial : plan.trials) ids.insert(trial.id);
  return static_cast<std::size_t>(std::ranges::count_if(
      held.trials, [&](const store::StoredTrial& trial) { return !ids.contains(trial.id); }));
}

}  // namespace

FolderPlan folder_plan(const std::filesystem::path& results, const plan::Plan& plan, bool add,
                       const PlanWith& plan_with) {
  FolderPlan made{.plan = to_json(plan)};
  if (!std::filesystem::exists(results / "plan.json")) return made;
  const Json document = store::read_plan(results);
  const store::StoredPlan held = store::stored_plan(document);
  if (held.experiment != plan.name) return made;  // freeze_plan() refuses that
  const store::StoredPlan wanted = store::stored_plan(made.plan);
  check_looks(results, held, wanted);
  const store::PlanDifference difference = store::compare_plans(held, wanted);
  const bool comparable = same_text(held, wanted) && !difference.baseline_changed;
  const auto foreign = comparable ? difference.gone : std::set<std::string>();
  const auto foreign_trials = static_cast<std::size_t>(std::ranges::count_if(
      held.trials, [&](const store::StoredTrial& trial) { return foreign.contains(trial.arm); }));
  if (!difference.lines.empty() && !add)
    refuse(results, difference.lines, held.trials.size() - foreign_trials - difference.kept.size());
  plan::TrialPlaces missing = difference.kept;
  for (const plan::Trial& trial : plan.trials) missing.erase({trial.arm, trial.seed});
  if (!missing.empty()) made.plan = to_json(plan_with(difference.kept));
  if (foreign_trials > 0) made.plan = store::united(made.plan, store::only_arms(document, foreign));
  made.removed = removed_trials(held, store::stored_plan(made.plan));
  return made;
}

}  // namespace ablate::run
