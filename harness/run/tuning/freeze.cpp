#include "harness/run/tuning/freeze.h"

#include <fmt/ranges.h>

#include <map>
#include <set>

#include "harness/base/error.h"
#include "harness/plan/trial/plan_json.h"
#include "harness/store/folder/folder.h"
#include "harness/store/folder/plan_difference.h"

namespace ablate::run {
namespace {

/// The arms of the experiment that a tuning plan was made from.
std::set<std::string> tuned_arms(const Json& plan) {
  std::set<std::string> arms;
  for (const Json& arm : plan.at("arms")) arms.insert(arm.value("of", ""));
  return arms;
}

/// The ids of trials by arm and seed.
std::map<std::pair<std::string, std::int64_t>, std::string> ids_by_place(const Json& plan) {
  std::map<std::pair<std::string, std::int64_t>, std::string> ids;
  for (const Json& trial : plan.at("trials"))
    ids[{trial.at("arm"), integer_in(trial.at("seed"))}] = trial.at("id");
  return ids;
}

/// Whether two plans tune the same arms in the same way, apart from how far rates were extended.
bool tune_alike(const Json& held, const Json& wanted) {
  const auto section = [](const Json& plan) {
    return plan.value(Json::json_pointer("/tuning/section"), Json());
  };
  if (section(held) != section(wanted) || tuned_arms(held) != tuned_arms(wanted)) return false;
  const auto before = ids_by_place(held);
  for (const auto& [place, id] : ids_by_place(wanted))
    if (const auto found = before.find(place); found != before.end() && found->second != id)
      return false;
  return true;
}

}  // namespace

void freeze_tuning_plan(const std::filesystem::path& results, const plan::Plan& plan, bool add,
                        const std::string& experiment) {
  const Json wanted = to_json(plan);
  if (!add && std::filesystem::exists(results / "plan.json")) {
    const Json held = store::read_plan(results);
    if (!tune_alike(held, wanted)) {
      constexpr std::size_t kMaxLines = 12;
      std::vector<std::string> lines = store::compare_plans(held, wanted).lines;
      if (lines.size() > kMaxLines) lines.resize(kMaxLines);
      reject(
          "{}: holds tuning trials of other settings:\n  {}\nTo keep the two apart, choose another "
          "--results folder. To tune anew in this one, give the same command with --add.",
          results.string(), fmt::join(lines, "\n  "));
    }
  }
  store::freeze_plan(results, wanted, experiment);
}

}  // namespace ablate::run
