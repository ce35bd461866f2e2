#include "harness/run/tuning/freeze.h"

#include <fmt/ranges.h>

#include <map>
#include <set>

#include "harness/base/error.h"
#include "harness/plan/trial/plan_json.h"
#include "harness/store/folder/folder.h"
#include "harness/store/folder/plan_difference.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::run {
namespace {

/// The arms of the experiment that a tuning plan was made from.
std::set<std::string> tuned_arms(const store::StoredPlan& plan) {
  std::set<std::string> arms;
  for (const store::StoredArm& arm : plan.arms) arms.insert(arm.of);
  return arms;
}

/// The ids of trials by arm and seed.
std::map<std::pair<std::string, std::int64_t>, std::string> ids_by_place(
    const store::StoredPlan& plan) {
  std::map<std::pair<std::string, std::int64_t>, std::string> ids;
  for (const store::StoredTrial& trial : plan.trials) ids[{trial.arm, trial.seed}] = trial.id;
  return ids;
}

/// Whether two plans tune the same arms in the same way, apart from how far rates were extended.
bool tune_alike(const store::StoredPlan& held, const store::StoredPlan& wanted) {
  if (held.tuning_section() != wanted.tuning_section() || tuned_arms(held) != tuned_arms(wanted))
    return false;
  const auto before = ids_by_place(held);
  for (const auto& [place, id] : ids_by_place(wanted))
    if (const auto found = before.find(place); found != before.end() && found->second != id)
      return false;
  return true;
}

}  // namespace

void freeze_tuning_plan(const std::filesystem::path& results, const plan::Plan& plan, bool add) {
  const Json wanted = to_json(plan);
  if (!add && std::filesystem::exists(results / "plan.json")) {
    const Json document = store::read_plan(results);
    const store::StoredPlan held = store::stored_plan(document), other = store::stored_plan(wanted);
    if (!tune_alike(held, other)) {
      constexpr std::size_t kMaxLines = 12;
      std::vector<std::string> lines = store::compare_plans(held, other).lines;
      if (lines.size() > kMaxLines) lines.resize(kMaxLines);
      reject(
          "{}: holds tuning trials of other settings:\n  {}\nTo keep the two apart, choose another "
          "--results folder. To tune again in this one, give the same command with --add.",
          results.string(), fmt::join(lines, "\n  "));
    }
  }
  store::freeze_plan(results, wanted, plan.files);
}

}  // namespace ablate::run
