#include "harness/run/tuning/tried.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "harness/store/folder/folder.h"
#include "harness/store/index/curve_text.h"
#include "harness/store/index/trial_state.h"

namespace ablate::run {
namespace {

/// The criterion's value in a finished trial; none if it diverged, or measured no finite number.
std::optional<double> value_in(const store::TrialState& state, const std::string& metric) {
  if (state.outcome == "diverged") return std::nullopt;
  for (const store::StoredMeasurement& measurement : state.measurements)
    if (const auto found = measurement.metrics.find(metric);
        found != measurement.metrics.end() && std::isfinite(found->second))
      return found->second;
  return std::nullopt;
}

bool has_outcome(const plan::Trial& trial, const store::TrialState& state) {
  if (state.outcome == "diverged") return true;
  return state.outcome == "completed" && state.missing(trial.probes.ids()) == 0;
}

/// The FLOPs that a trial spent, counted over its steps: those planned where it has no ledger.
double flops_of(const plan::Trial& trial, const store::TrialState& state) {
  return state.ledger.is_object() ? state.ledger.value("flops", trial.flops) : trial.flops;
}

/// The first loss of a curve that is a number; none where there is none.
std::optional<double> first_loss(const store::CurveText& curve) {
  const std::vector<store::CurvePoint> points = curve.points();
  const auto first = std::find_if(points.begin(), points.end(),
                                  [](const auto& point) { return std::isfinite(point.loss); });
  return first != points.end() ? std::optional(first->loss) : std::nullopt;
}

/// Adds a trial to what its arm has tried.
void add_tried(const plan::Trial& trial, const store::TrialState& state, const std::string& metric,
               plan::TunedArm& arm) {
  const double rate = trial.config.at("train").at("learning_rate");
  const auto same = [&](const plan::TriedRate& tried) { return tried.rate == rate; };
  auto tried = std::find_if(arm.tried.begin(), arm.tried.end(), same);
  if (tried == arm.tried.end())
    tried = arm.tried.insert(arm.tried.end(), plan::TriedRate{rate, {}});
  tried->values.push_back(value_in(state, metric));
  if (arm.trials == 0) arm.initial_loss = first_loss(state.curve);
  ++arm.trials;
  arm.diverged += state.outcome == "diverged" ? 1 : 0;
  arm.flops += flops_of(trial, state);
}

}  // namespace

std::filesystem::path tuning_folder(const std::filesystem::path& results) {
  return results / "tuning";
}

std::optional<std::vector<plan::TunedArm>> tried_by(const plan::Plan& plan,
                                                    const std::filesystem::path& results) {
  const std::string metric = plan.tuning.at("criterion").at("name");
  std::map<std::string, std::string> own;  // by name of a tuning arm
  for (const plan::Plan::Arm& arm : plan.arms) own[arm.name] = arm.of;
  std::vector<plan::TunedArm> arms;
  for (const plan::Trial& trial : plan.trials) {
    const store::TrialState state = store::read_trial_state(store::journal_file(results, trial.id));
    if (!has_outcome(trial, state)) return std::nullopt;
    const std::string& name = own.at(trial.arm);
    if (arms.empty() || arms.back().arm != name) arms.push_back({.arm = name});
    add_tried(trial, state, metric, arms.back());
  }
  return arms;
}

}  // namespace ablate::run
