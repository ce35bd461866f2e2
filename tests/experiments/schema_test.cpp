// The published schema is up to date. It accepts the shipped experiments, which can be read, and
// refuses slips in them.

#include "harness/plan/describe/schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "experiments/catalog.h"
#include "harness/base/files.h"
#include "harness/base/json/json_source.h"
#include "harness/base/rng.h"
#include "harness/plan/read/experiment.h"
#include "tests/harness/plan/schema_judge.h"
#include "tests/paths.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;
using plan::testing_support::judge;

const fs::path kExperiments = project_root() / "experiments";

TEST(Schema, IsCurrent) {
  // Not EXPECT_EQ, which would print both of these long texts.
  EXPECT_TRUE(read_file(kExperiments / "experiment.schema.json") ==
              plan::experiment_schema(catalog()).dump(2) + "\n")
      << "update it: ablate schema > experiments/experiment.schema.json";
}

/// The experiment files that are directly in a folder.
std::vector<fs::path> experiments_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json" &&
        entry.path().filename() != "experiment.schema.json" &&
        entry.path().filename() != "claims.json")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Json value_of(const fs::path& file) { return JsonSource(file.string(), read_file(file)).value(); }

TEST(ShippedExperiments, AreRead) {
  std::vector<fs::path> files = experiments_in(kExperiments);
  EXPECT_GE(files.size(), 40u);
  for (const fs::path& exercise : experiments_in(kExperiments / "lecture"))
    if (exercise.stem() != "base") files.push_back(exercise);
  std::set<std::string> names;
  for (const fs::path& file : files) {
    const plan::Experiment experiment = plan::read_experiment(catalog(), file, {});
    EXPECT_EQ(experiment.name, file.stem()) << file;
    EXPECT_TRUE(names.insert(experiment.name).second)
        << file << ": results/" << experiment.name << " would be that of another one, too";
    EXPECT_NE(experiment.question, "") << file;
    EXPECT_GE(experiment.seeds.size(), 6u) << file;
  }
}

TEST(ShippedExperiments, FitTheSchema) {
  Json values = Json::array();
  std::vector<fs::path> files = experiments_in(kExperiments);
  for (const char* folder : {"base", "lecture"})
    for (const fs::path& file : experiments_in(kExperiments / folder)) files.push_back(file);
  for (const fs::path& file : files) values.push_back(value_of(file));
  const auto judged = judge(plan::experiment_schema(catalog()), values);
  if (!judged) GTEST_SKIP() << "python3 with jsonschema is not installed";
  for (std::size_t i = 0; i < files.size(); ++i) EXPECT_TRUE((*judged)[i]) << files[i];
}

/// A change of an experiment: the value at a pointer is replaced or added.
struct Change {
  std::string pointer;
  Json value;
};

/// Whether the schema accepts an experiment after each of the changes; nothing as for judge().
std::optional<std::vector<bool>> judge_changes(const std::vector<Change>& changes) {
  Json values = Json::array();
  for (const auto& [pointer, value] : changes) {
    Json changed = value_of(kExperiments / "fim_rate.json");
    changed[Json::json_pointer(pointer)] = value;
    values.push_back(std::move(changed));
  }
  return judge(plan::experiment_schema(catalog()), values);
}

TEST(Schema, AcceptsEveryKindOfSettingOfAnArm) {
  const std::vector<Change> changes = {
      {"/arms/0/set", {{"objective.rate", 0.5}}},
      {"/arms/0/set", {{"objective", {{"type", "masked_lm"}, {"rate", 0.5}}}}},
      {"/arms/0/set", {{"objective.type", "causal_lm"}, {"model.backbone", "decoder"}}},
      {"/arms/0/set", {{"train.budget.tokens", 1000}, {"model.width", 64}}},
      {"/arms/0/set", {{"train.budget", {{"steps", 10}}}, {"train.schedule", nullptr}}},
      {"/arms/0/set", {{"train", {{"batch", 8}}}, {"model", {{"depth", 1}}}}},
      {"/arms/0/grid", {{"objective.unit", {"token", "span"}}, {"train.batch", {8, 16}}}},
      {"/arms/0/grid", {{"objective.rate", {{"linspace", {0, 1, 5}}}}}},
      {"/arms/0/grid", {{"train.learning_rate", {{"logspace", {1e-4, 1e-2, 3}}}}}},
      {"/arms/0/zip", {{"objective.rate", {0, 1}}, {"model.width", {64, 32}}}},
      {"/arms/0/list", {{{"objective.rate", 1}}, {{"train.batch", 8}}}},
      {"/arms/0/label", "FIM"},
      {"/analysis/primary", "held_out.pair_accuracy"},
      {"/analysis/primary", "held_out.loss_ahead_8"},
      {"/analysis/primary", "forgetting.loss_general_after_domain_2"},
  };
  const auto judged = judge_changes(changes);
  if (!judged) GTEST_SKIP() << "python3 with jsonschema is not installed";
  for (std::size_t i = 0; i < changes.size(); ++i)
    EXPECT_TRUE((*judged)[i]) << changes[i].pointer << " = " << changes[i].value;
}

TEST(Schema, RefusesASlipInAnArmOrAMetric) {
  const std::vector<Change> changes = {
      {"/arms/0/set", {{"objective.rte", 0.5}}},
      {"/arms/0/set", {{"objective.rate", "much"}}},
      {"/arms/0/set", {{"objective.rate", 1.5}}},
      {"/arms/0/set", {{"objective.rate.x", 0.5}}},
      {"/arms/0/set", {{"objectiv.rate", 0.5}}},
      {"/arms/0/set", {{"objective.type", "casual_lm"}}},
      {"/arms/0/set", {{"corpus.seed", 2}}},
      {"/arms/0/set", {{"train.budget.tokn", 1000}}},
      {"/arms/0/set", {{"train.budget.tokens", "all"}}},
      {"/arms/0/set", {{"train.budget", {{"tokens", 9}, {"steps", 9}}}}},
      {"/arms/0/set", {{"train", {{"bach", 8}}}}},
      {"/arms/0/set", {{"model.width", 64.5}}},
      {"/arms/0/grid", {{"objective.rate", {0.5, true}}}},
      {"/arms/0/grid", {{"objective.rate", {0.5, 1.5}}}},
      {"/arms/0/grid", {{"objective.rat", {0.5, 1}}}},
      {"/arms/0/grid", {{"objective.unit", {"token", "words"}}}},
      {"/arms/0/grid", {{"objective.unit", {{"linspace", {0, 1, 2}}}}}},
      {"/arms/0/grid", {{"objective.rate", {{"linspace", {0, 2, 5}}}}}},
      {"/arms/0/grid", {{"objective.rate", {{"linspce", {0, 1, 5}}}}}},
      {"/arms/0/zip", {{"model.width", {64, "wide"}}}},
      {"/arms/0/list", {{{"objective.rte", 1}}}},
      {"/arms/0/gird", {{"objective.rate", {0.5, 1}}}},
      {"/analysis/primary", "held_out.exces"},
      {"/analysis/primary", "held_out.loss_ahead_9"},
      {"/analysis/primary", "forgetting.loss_general_before_domain"},
      {"/tuning", {{"train.learning_rate", {1e-3, 1e-2}}}},
  };
  const auto judged = judge_changes(changes);
  if (!judged) GTEST_SKIP() << "python3 with jsonschema is not installed";
  for (std::size_t i = 0; i < changes.size(); ++i)
    EXPECT_FALSE((*judged)[i]) << changes[i].pointer << " = " << changes[i].value;
}

/// An objective's setting with every number at an end of its range and every choice drawn.
Json drawn_setting(std::span<const Param> params, Rng& rng) {
  Json setting = Json::object();
  for (const Param& param : params) {
    const std::string name(param.name);
    if (param.kind == Kind::number || param.kind == Kind::integer)
      setting[name] = rng.probability(0.5) ? param.minimum : param.maximum;
    if (param.kind == Kind::toggle) setting[name] = rng.probability(0.5);
    if (param.kind == Kind::choice)
      setting[name] = param.choices[static_cast<std::size_t>(rng.below(std::ssize(param.choices)))];
  }
  return setting;
}

TEST(Schema, KnowsTheMetricsOfEverySettingOfEveryObjective) {
  std::set<std::string> names;
  Rng rng(1);
  for (const ObjectiveSpec& objective : catalog().objectives)
    for (int draw = 0; draw < 100; ++draw) {
      const Params params(objective.params, drawn_setting(objective.params, rng));
      for (const ProbeSpec& probe : catalog().probes)
        for (const bool language : {true, false})
          for (const Metric& metric :
               probe.metrics(Params(probe.params, Json::object()),
                             {objective, params, Offer(), catalog().heads, language}))
            names.insert(metric.name);
    }
  std::vector<Change> changes;
  for (const std::string& name : names) changes.push_back({"/analysis/primary", name});
  const auto judged = judge_changes(changes);
  if (!judged) GTEST_SKIP() << "python3 with jsonschema is not installed";
  for (std::size_t i = 0; i < changes.size(); ++i) EXPECT_TRUE((*judged)[i]) << changes[i].value;
}

}  // namespace
}  // namespace ablate
