#include "harness/run/folder_plan.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/plan/trial/plan_json.h"
#include "harness/run/sequential/held_looks.h"
#include "harness/store/folder/folder.h"
#include "harness/store/folder/plan_difference.h"
#include "harness/store/folder/unite.h"

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

bool same_text(const Json& held, const Json& wanted) {
  const auto corpus = [](const Json& plan) {
    return plan.value("resolved", Json::object()).value("corpus", Json());
  };
  return corpus(held) == corpus(wanted) &&
         held.value("vocabulary", Json()) == wanted.value("vocabulary", Json());
}

std::set<std::string> trial_ids(const Json& plan) {
  std::set<std::string> ids;
  for (const Json& trial : plan.at("trials")) ids.insert(trial.at("id"));
  return ids;
}

}  // namespace

FolderPlan folder_plan(const std::filesystem::path& results, const plan::Plan& plan, bool add,
                       const PlanWith& plan_with) {
  FolderPlan made{.plan = to_json(plan)};
  if (!std::filesystem::exists(results / "plan.json")) return made;
  const Json held = store::read_plan(results);
  if (held.at("experiment") != plan.name) return made;  // freeze_plan() refuses that
  check_looks(results, held, made.plan);
  const store::PlanDifference difference = store::compare_plans(held, made.plan);
  const bool comparable = same_text(held, made.plan) && !difference.baseline_changed;
  const Json foreign =
      store::only_arms(held, comparable ? difference.gone : std::set<std::string>());
  if (!difference.lines.empty() && !add)
    refuse(results, difference.lines,
           held.at("trials").size() - foreign.at("trials").size() - difference.kept.size());
  plan::TrialPlaces missing = difference.kept;
  for (const plan::Trial& trial : plan.trials) missing.erase({trial.arm, trial.seed});
  if (!missing.empty()) made.plan = to_json(plan_with(difference.kept));
  if (!foreign.at("trials").empty()) made.plan = store::united(made.plan, foreign);
  const std::set<std::string> ids = trial_ids(made.plan), before = trial_ids(held);
  for (const std::string& id : before) made.removed += ids.contains(id) ? 0 : 1;
  return made;
}

}  // namespace ablate::run
