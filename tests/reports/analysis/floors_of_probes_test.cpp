// Every metric that a probe calls better when higher or lower has a floor in its unit, or a reason.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "harness/contract/catalog.h"
#include "harness/plan/resolve/resolve.h"
#include "harness/probes/specs.h"
#include "models/specs/head_specs.h"
#include "objectives/registry.h"
#include "reports/analysis/bounds.h"

namespace ablate::reports {
namespace {

struct WithoutFloor {
  std::string_view start;  // of the metric's name
  std::string_view reason;
};

constexpr std::array<WithoutFloor, 3> kWithoutFloor = {{
    {"seq2seq.prompted_",
     "not measured: the initial weights would have to write every output once more"},
    {"speculative_decoding.agreement", "1 of every model: decoding is lossless"},
    {"quality.judge_loss_matched",
     "interpolated between temperatures, at which the untrained model's texts are all alike"},
}};

using Listed = std::map<std::string, Metric>;

/// Whether a floor of the metric is made of metrics that the arm has, in its unit.
bool has_floor(const Metric& metric, const Listed& listed) {
  for (const Bound& bound : bounds_of(metric.name)) {
    const std::vector<std::string> names = bound.metrics();
    const bool measured = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      const auto other = listed.find(name);
      return other != listed.end() &&
             (bound.conversion != Conversion::none || other->second.unit == metric.unit);
    });
    if (bound.floor && measured) return true;
  }
  return false;
}

/// Settings of a probe that add metrics to those of its defaults.
Json with_more_metrics(std::string_view probe) {
  if (probe == "classification" || probe == "fine_tuning") return {{"label_counts", {16, 32}}};
  if (probe == "generation")
    return {{"samplers", {"ancestral", "greedy", "random_order", "gibbs"}},
            {"temperatures", {0.7}}};
  if (probe == "representation") return {{"pairs", "a"}};
  return Json::object();
}

TEST(FloorsOfProbes, AreThereForEveryMetricOrAReasonIs) {
  std::set<std::string> without;
  std::set<std::string_view> used;
  const Offer offer;
  for (const ObjectiveSpec& arm : objectives::objective_specs())
    for (const bool language : {false, true})
      for (const ProbeSpec& probe : probes::probe_specs()) {
        const Params of_arm(arm.params, Json::object());
        const Params settings(probe.params, with_more_metrics(probe.name));
        Listed listed;
        for (Metric& metric :
             probe.metrics(settings, {arm, of_arm, offer, models::head_specs(), language, 64, 64}))
          listed.emplace(metric.name, metric);
        for (const auto& [name, metric] : listed) {
          if (metric.better == Better::neither || has_floor(metric, listed)) continue;
          const auto reason = std::find_if(
              kWithoutFloor.begin(), kWithoutFloor.end(),
              [&of = metric](const WithoutFloor& row) { return of.name.starts_with(row.start); });
          if (reason == kWithoutFloor.end())
            without.insert(fmt::format("{} ({})", name, metric.unit));
          else
            used.insert(reason->start);
        }
      }
  for (const std::string& name : without) ADD_FAILURE() << name;
  for (const WithoutFloor& row : kWithoutFloor)
    EXPECT_TRUE(used.contains(row.start)) << row.start << " stands for no metric";
}

}  // namespace
}  // namespace ablate::reports
