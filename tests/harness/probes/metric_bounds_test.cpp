// What the probes declare that their metrics are: their bounds, floors and families.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "harness/data/tasks/task.h"
#include "harness/probes/specs.h"
#include "models/specs/head_specs.h"
#include "objectives/registry.h"

namespace ablate::probes {
namespace {

struct WithoutFloor {
  std::string_view start;  // of the metric's name
  std::string_view reason;
};

constexpr std::array<WithoutFloor, 6> kWithoutFloor = {{
    {"answers.first", "of the untrained model all answer tokens are measured together"},
    {"answers.exact", "0 of the untrained model"},
    {"routing.", "a router that has learned nothing may spread positions the most evenly"},
    {"seq2seq.prompted_",
     "not measured: the initial weights would have to write every output once more"},
    {"speculative_decoding.agreement", "1 of every model: decoding is lossless"},
    {"quality.judge_loss_matched",
     "interpolated between temperatures, at which the untrained model's texts are all alike"},
}};

using Listed = std::map<std::string, Metric>;

/// Settings of a probe that add metrics to those of its defaults.
Json with_more_metrics(std::string_view probe) {
  if (probe == "classification" || probe == "fine_tuning") return {{"label_counts", {16, 32}}};
  if (probe == "generation")
    return {{"samplers", {"ancestral", "greedy", "random_order", "gibbs"}},
            {"temperatures", {0.7}}};
  if (probe == "representation") return {{"pairs", "a"}};
  if (probe == "seq2seq") return {{"shots", {0, 1, 4}}};
  return Json::object();
}

/// Calls `look` with the metrics of every probe on arms of every objective, on the built-in language, on
/// text and on every task.
template <class Look>
void for_each_list(const Look& look) {
  const Offer offer;
  std::vector<Json> tasks = {nullptr};
  for (const data::TaskSpec& task : data::task_specs())
    tasks.push_back({{std::string(task.name), Json::object()}});
  for (const ObjectiveSpec& arm : objectives::objective_specs())
    for (const Json& task : tasks)
      for (const bool language : {false, true})
        for (const ProbeSpec& probe : probe_specs()) {
          if (language && !task.is_null()) continue;
          const Params of_arm(arm.params, Json::object());
          const Params settings(probe.params, with_more_metrics(probe.name));
          ProbedArm probed{arm, of_arm, offer, models::head_specs(), language, 64, 64};
          probed.task = task.is_null() ? nullptr : &task;
          probed.routes = true;
          Listed listed;
          for (Metric& metric : probe.metrics(settings, probed))
            listed.emplace(metric.name, std::move(metric));
          look(listed);
        }
}

/// What a metric that a bound is computed from has to be measured in.
std::string_view unit_of_terms(const Metric& metric, const Bound& bound, const Listed& listed) {
  switch (bound.conversion) {
    case Conversion::per_byte:
      return listed.at(bound.per).unit;
    case Conversion::exponential:
      return "nats/token";
    case Conversion::none:
      break;
  }
  return metric.unit;
}

TEST(MetricBounds, AreMetricsThatTheProbeDeclaresForTheArmInOneUnit) {
  std::size_t bounds = 0;
  for_each_list([&](const Listed& listed) {
    for (const auto& [name, metric] : listed)
      for (const Bound& bound : metric.bounds) {
        ++bounds;
        for (const std::string& other : bound.metrics())
          ASSERT_TRUE(listed.contains(other)) << name << " is read against " << other;
        for (const auto& [term, factor] : bound.terms) {
          EXPECT_NE(term, name);
          EXPECT_EQ(listed.at(term).unit, unit_of_terms(metric, bound, listed))
              << name << " is read against " << term;
        }
        EXPECT_EQ(bound.conversion == Conversion::per_byte, !bound.per.empty()) << name;
      }
  });
  EXPECT_GT(bounds, 1000u);
}

TEST(MetricBounds, HoldAFloorOfEveryMetricThatCanBeBetterOrThereIsAReason) {
  std::set<std::string> without;
  std::set<std::string_view> used;
  for_each_list([&](const Listed& listed) {
    for (const auto& [name, metric] : listed) {
      if (metric.better == Better::neither || std::ranges::any_of(metric.bounds, &Bound::is_floor))
        continue;
      const auto reason = std::ranges::find_if(
          kWithoutFloor,
          [&of = name](const WithoutFloor& row) { return of.starts_with(row.start); });
      if (reason == kWithoutFloor.end())
        without.insert(fmt::format("{} ({})", name, metric.unit));
      else
        used.insert(reason->start);
    }
  });
  for (const std::string& name : without) ADD_FAILURE() << name;
  for (const WithoutFloor& row : kWithoutFloor)
    EXPECT_TRUE(used.contains(row.start)) << row.start << " stands for no metric";
}

TEST(MetricIndices, OfAFamilyHaveOneLabelAndMeaningAndANumberEach) {
  std::set<std::string> families;
  for_each_list([&](const Listed& listed) {
    std::map<std::string, std::map<std::int64_t, MetricIndex>> by_family;
    for (const auto& [name, metric] : listed) {
      if (!metric.index) continue;
      const MetricIndex& index = *metric.index;
      std::string named = index.name;
      ASSERT_NE(named.rfind('N'), named.npos) << name;
      EXPECT_EQ(named.replace(named.rfind('N'), 1, fmt::format("{}", index.value)), name);
      EXPECT_NE(index.label.find('N'), index.label.npos) << name << ": " << index.label;
      EXPECT_TRUE(by_family[index.name].emplace(index.value, index).second) << name;
      EXPECT_EQ(by_family[index.name].begin()->second.label, index.label) << name;
      families.insert(index.name);
    }
  });
  for (const char* family :
       {"representation.recall_at_N", "held_out.loss_ahead_N", "generation.distinct_N_greedy",
        "prompting.macro_f1_N", "fine_tuning.untrained_N", "seq2seq.prompted_f1_N"})
    EXPECT_TRUE(families.contains(family)) << family;
}

TEST(MetricTasks, AreScoresOfAllArmsOfWhichMoreIsBetter) {
  std::set<std::string> tasks;
  for_each_list([&](const Listed& listed) {
    for (const auto& [name, metric] : listed) {
      if (!metric.task) continue;
      tasks.insert(name);
      EXPECT_EQ(metric.better, Better::higher) << name;
      EXPECT_EQ(metric.comparable_across, Comparable::all_arms) << name;
    }
  });
  EXPECT_EQ(tasks,
            (std::set<std::string>{"answers.accuracy", "fine_tuning.accuracy", "label.accuracy",
                                   "minimal_pairs.accuracy", "minimal_pairs.accuracy_equal_length",
                                   "state.accuracy", "tagging.accuracy", "topic.accuracy",
                                   "zero_shot.accuracy"}));
}

}  // namespace
}  // namespace ablate::probes
