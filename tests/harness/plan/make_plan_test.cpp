// Plans of a small experiment: trials, ids, prices, banks, power and refusals.

#include "harness/plan/trial/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>
#include <utility>

#include "harness/plan/file/faults.h"
#include "harness/plan/make_plan.h"
#include "harness/plan/price/precision.h"
#include "harness/plan/trial/plan_json.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing_support::plan_of;
using testing_support::refusal_of;
using testing_support::small_catalog;
using testing_support::small_experiment;

std::vector<std::string> ids_of(const Plan& plan) {
  std::vector<std::string> ids;
  for (const Trial& trial : plan.trials) ids.push_back(trial.id);
  return ids;
}

TEST(Plan, HasATrialPerArmAndSeedInOrder) {
  const testing_support::PlanFolder folder;
  const Plan plan = plan_of(folder, small_experiment());
  ASSERT_EQ(plan.arms.size(), 3u);
  EXPECT_EQ(plan.arms[1].name, "hide[rate=0.15]");
  EXPECT_TRUE(plan.arms[1].baseline);
  ASSERT_EQ(plan.trials.size(), 18u);
  for (std::size_t i = 0; i < 18; ++i) {
    EXPECT_EQ(plan.trials[i].arm, plan.arms[i / 6].name);
    EXPECT_EQ(plan.trials[i].seed, static_cast<std::int64_t>(i % 6) + 1);
  }
  const std::vector<std::string> ids = ids_of(plan);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), 18u);
}

TEST(Plan, CountsTheTextTokensOfATrialAsItsLedgerDoes) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  for (int steps = 1; steps <= 8; ++steps) {
    experiment["train"]["budget"] = {{"steps", steps}};
    const Plan plan = plan_of(folder, experiment);
    EXPECT_EQ(plan.trials[0].text_tokens, plan.ledger[0].at("text_tokens")) << steps;
  }
}

TEST(Plan, IsWrittenAsItsJsonIsDumpedButATrialOnEachLine) {
  const testing_support::PlanFolder folder;
  Plan plan = plan_of(folder, small_experiment());
  plan.question = "\xC3\xA4 \xFF\n\x1B";  // a letter, no UTF-8, a line break, an escape
  plan.part_of = {{"arms", Json::array()}};
  const auto written = [](const Plan& one) {
    std::ostringstream text;
    write_json(text, one);
    return text.str();
  };
  const auto dumped = [](const Plan& one) {
    Json json = to_json(one);
    const Json trials = std::exchange(json["trials"], Json::array());
    std::string text = json.dump(2, ' ', true, Json::error_handler_t::replace), lines;
    for (const Json& trial : trials) lines += (lines.empty() ? "" : ",\n    ") + trial.dump();
    const std::string empty = "\"trials\": []";
    if (!lines.empty())
      text.replace(text.find(empty), empty.size(), "\"trials\": [\n    " + lines + "\n  ]");
    return text;
  };
  EXPECT_EQ(written(plan), dumped(plan));
  plan.trials.clear();
  EXPECT_EQ(written(plan), dumped(plan));
}

TEST(Plan, RestoresFromItsJson) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["match"]["on"] = {"parameters", "tokens"};
  const Json json = to_json(plan_of(folder, experiment));
  EXPECT_EQ(to_json(plan_from_json(Json::parse(json.dump()))), json);
  EXPECT_THROW(plan_from_json(Json::object()), DamagedFile);
  EXPECT_THROW(plan_from_json(3), DamagedFile);
}

TEST(Plan, SaysWhatIsWrongWithAPartOfADamagedOne) {
  const testing_support::PlanFolder folder;
  const Json json = to_json(plan_of(folder, small_experiment()));
  const auto refusal = [&](const char* part, const Json& value) -> std::string {
    Json damaged = json;
    damaged[part] = value;
    try {
      plan_from_json(damaged);
    } catch (const DamagedFile& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("analysis", {{"alpha", "x"}}), HasSubstr("type must be number"));
  EXPECT_EQ(refusal("analysis", Json::object()), "") << "what is absent has its default";
  EXPECT_THAT(refusal("match", {{{"on", "tokens"}}}), HasSubstr("key 'spread' not found"));
  EXPECT_THAT(refusal("match", {3}), HasSubstr("the stored plan is damaged"));
  EXPECT_THAT(refusal("sequential", {{"looks", {8, 12}}}), HasSubstr("key 'weights' not found"));
  EXPECT_THAT(refusal("sequential", {{"looks", {8}}, {"weights", {.5, .5}}}),
              HasSubstr("it has 1 looks and 2 weights of looks"));
  EXPECT_THAT(refusal("measuring", {{"by_probe", Json::object()}}),
              HasSubstr("key 'share' not found"));
  EXPECT_EQ(refusal("sequential", nullptr), "") << "as in a plan without looks";
}

TEST(Plan, KeepsTheContractOfItsJson) {
  const testing_support::PlanFolder folder;
  const Json json = to_json(plan_of(folder, small_experiment()));
  EXPECT_EQ(json["experiment"], "small");
  EXPECT_EQ(json["vocabulary"],
            Json({{"ordinary", {16, 24}}, {"mask", 4}, {"sentinels", {24, 24}}}));
  EXPECT_EQ(json["arms"][0]["name"], "plain");
  EXPECT_EQ(json["arms"][0]["baseline"], false);
  const Json& trial = json["trials"][0];
  for (const char* key : {"id", "arm", "seed", "setup", "measurements"})
    EXPECT_TRUE(trial.contains(key)) << key;
  const Json& setup = json["setups"].at(trial["setup"].get<std::string>());
  for (const char* key : {"config", "probes", "parameters", "flops"})
    EXPECT_TRUE(setup.contains(key)) << key;
  EXPECT_EQ(setup["parameters"], 2 * 8 * 24);
  EXPECT_EQ(json["setups"].size(), json["arms"].size());
  std::vector<std::string> banked;
  for (const Json& bank : json["banks"])
    for (const Json& id : bank) banked.push_back(id);
  EXPECT_EQ(banked.size(), 18u);
}

TEST(TrialId, DoesNotDependOnHowTheFileIsWritten) {
  const testing_support::PlanFolder folder;
  const std::vector<std::string> ids = ids_of(plan_of(folder, small_experiment()));
  Json same = small_experiment();
  same["name"] = "renamed";
  same["question"] = "Another?";
  same["train"]["batch"] = 4.0;
  same["train"]["learning_rate"] = 3e-3;  // the default
  same["arms"][1]["grid"]["objective.rate"] = {0.150, 0.30};
  same["probes"] = {{{"type", "loss"}, {"texts", 5}}};
  same["limits"] = {{"trials", 50}};
  EXPECT_EQ(ids_of(plan_of(folder, same)), ids);

  // The same experiment, with its keys in another order and its arms written differently.
  Json text = small_experiment();
  text["objective"] = {{"type", "hide"}};
  text["arms"][1] = {{"name", "hide"},
                     {"list", {{{"objective.rate", 0.15}}, {{"objective.rate", 0.3}}}}};
  EXPECT_EQ(ids_of(plan_of(folder, text)), ids);
}

TEST(TrialId, DependsOnEverySetting) {
  const testing_support::PlanFolder folder;
  const std::string id = plan_of(folder, small_experiment()).trials[0].id;
  const std::vector<std::pair<const char*, Json>> changes = {
      {"/corpus/topics", 3},
      {"/corpus/tokens", 4100},
      {"/model/width", 16},
      {"/model/context", 8},
      {"/train/budget/tokens", 1700},
      {"/train/batch", 5},
      {"/train/learning_rate", 0.01},
      {"/train/dropout", 0.1},
      {"/train/packing", "joined"},
      {"/train/precision", "float32"},
      {"/train/kernels", "plain"},
      {"/seeds", {7}},
      {"/arms/0/set/objective/type", "hide"},
      {"/arms/1/set/objective/sentinels", 2},  // the vocabulary is everyone's
  };
  std::set<std::string> ids = {id};
  for (const auto& [pointer, value] : changes) {
    Json changed = small_experiment();
    changed[Json::json_pointer(pointer)] = value;
    if (std::string(pointer) == "/arms/0/set/objective/type")
      changed["arms"].erase(1), changed["baseline"] = "plain";
    EXPECT_TRUE(ids.insert(plan_of(folder, changed).trials[0].id).second) << pointer;
  }
}

TEST(Precision, ThatIsAutomaticIsBfloat16IfWhatTrainsMultipliesIt) {
  const testing_support::PlanFolder folder;
  Json named = small_experiment();
  named["train"]["precision"] = "float32";
  for (const bool has : {true, false}) {
    Catalog catalog = small_catalog();
    catalog.machine = {has ? "" : "it has none", "avx2"};
    const auto plan_on = [&](const Json& experiment) {
      return make_plan(catalog, folder.write("a.json", experiment.dump()), {});
    };
    const Plan plan = plan_on(small_experiment());
    for (const Trial& trial : plan.trials)
      EXPECT_EQ(trial.config.at("train")["precision"], has ? "bfloat16" : "float32");
    EXPECT_THAT(plan.precision, testing::HasSubstr(has ? "in bfloat16;" : "in float32;"));
    EXPECT_THAT(plan.precision, testing::HasSubstr("avx2"));
    EXPECT_THAT(plan.precision,
                testing::HasSubstr(has ? "Precision auto: this machine's processor multiplies"
                                       : "Precision auto: this machine's processor does not"));
    EXPECT_THAT(plan_on(named).precision, testing::Not(testing::HasSubstr("auto")));
    catalog.machine.trainer = "cuda:0 (a GPU)";
    EXPECT_THAT(plan_on(small_experiment()).precision,
                testing::HasSubstr(has ? "Precision auto: cuda:0 (a GPU) multiplies"
                                       : "Precision auto: cuda:0 (a GPU) does not"));
    EXPECT_EQ(plan.trials[0].id == plan_on(named).trials[0].id, !has) << "one id for one training";
  }
}

TEST(TrialId, IsHashedFromAConfigurationWithoutNamesAndPaths) {
  const testing_support::PlanFolder folder;
  const Trial trial = plan_of(folder, small_experiment()).trials[0];
  const Json config = trial.config;
  std::vector<std::string> keys;
  for (const auto& [key, value] : config.items()) keys.push_back(key);
  EXPECT_THAT(keys, testing::ElementsAre("corpus", "model", "objective", "seed", "semantics",
                                         "train", "vocabulary"));
  EXPECT_EQ(trial.config.at("corpus")["hash"].get<std::string>().size(), 64u);
  EXPECT_EQ(
      trial.config.at("semantics"),
      Json(
          {{"backbone", 1}, {"language", 1}, {"objective", 1}, {"token_budget", 2}, {"train", 2}}));
  EXPECT_EQ(config.dump().find(folder.path().string()), std::string::npos);
  EXPECT_EQ(trial.id.size(), 16u);
}

TEST(MeasurementId, DependsOnTrialAndProbe) {
  const testing_support::PlanFolder folder;
  Json other = small_experiment();
  other["probes"] = {{{"type", "loss"}, {"texts", 5}}};
  const Plan a = plan_of(folder, small_experiment()), b = plan_of(folder, other);
  EXPECT_EQ(a.trials[0].probes.settings()[0]["texts"], 10);
  EXPECT_NE(a.trials[0].probes.ids()[0], b.trials[0].probes.ids()[0]);
  EXPECT_NE(a.trials[0].probes.ids()[0], a.trials[1].probes.ids()[0]);
}

/// The first trial of the small experiment with another budget.
Trial budgeted(const testing_support::PlanFolder& folder, const char* unit, double amount) {
  Json experiment = small_experiment();
  experiment["train"]["budget"] = {{unit, amount}};
  return plan_of(folder, experiment).trials[0];
}

TEST(Budget, BecomesStepsRoundedUp) {
  const testing_support::PlanFolder folder;
  EXPECT_EQ(budgeted(folder, "steps", 7).steps, 7);
  EXPECT_EQ(budgeted(folder, "positions", 1600).steps, 25);  // 4 texts of 16
  EXPECT_EQ(budgeted(folder, "positions", 1601).steps, 26);
  EXPECT_EQ(budgeted(folder, "tokens", 1600).steps, 26);  // 63.2 of the 64 are raw tokens
  EXPECT_EQ(budgeted(folder, "tokens", 1).steps, 1);
  EXPECT_EQ(budgeted(folder, "seconds", 10).steps, 0);
  const Trial trial = budgeted(folder, "steps", 10);
  EXPECT_EQ(budgeted(folder, "flops", trial.flops * 0.999).steps, 10);
  EXPECT_EQ(budgeted(folder, "flops", trial.flops * 1.001).steps, 11);
}

TEST(Budget, PricesTrunkByPositionsAndHeadByTargets) {
  const testing_support::PlanFolder folder;
  const Plan plan = plan_of(folder, small_experiment());
  const Json& plain = plan.ledger[0];
  EXPECT_DOUBLE_EQ(plain["trunk_flops"], 26 * 64 * 6.0 * 8);
  EXPECT_NEAR(plain["head_flops"].get<double>(), plain["targets"].get<double>() * 6 * 8 * 24,
              6 * 8 * 24);
  EXPECT_LT(plain["targets"],
            plain["text_tokens"]);  // a fragment's first token has nothing before it
  EXPECT_GE(plain["text_tokens"].get<double>(), 1600);
  EXPECT_LT(plain["text_tokens"].get<double>(), 1600 + 64);
  // 15 % of the tokens that are not special, up to a sampling error below 1 %.
  const double hidden = plan.ledger[1]["targets"].get<double>();
  EXPECT_NEAR(plan.ledger[2]["targets"].get<double>() / hidden, 2, 0.05);
}

TEST(Banks, HoldTrialsOfEqualShapeAndSimilarNumbersOfTargets) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["arms"] = {{{"name", "a"}, {"grid", {{"objective.rate", {0.30, 0.33, 0.6}}}}},
                        {{"name", "b"}, {"set", {{"train.learning_rate", 0.1}}}},
                        {{"name", "c"}, {"set", {{"model.width", 16}}}},
                        {{"name", "d"}, {"set", {{"train.budget", {{"steps", 3}}}}}}};
  experiment["objective"] = {{"type", "hide"}, {"rate", 0.31}};
  experiment["baseline"] = "b";
  experiment["seeds"] = 2;
  const Plan plan = plan_of(folder, experiment);
  std::map<std::string, std::set<std::string>> arms;  // of the bank of each arm
  for (const Bank& bank : plan.banks)
    for (const std::string& id : bank)
      for (const Trial& trial : plan.trials)
        if (trial.id == id) arms[bank.front()].insert(trial.arm);
  std::set<std::set<std::string>> banks;
  for (const auto& [first, names] : arms) banks.insert(names);
  EXPECT_EQ(banks, (std::set<std::set<std::string>>{
                       {"a[rate=0.3]", "a[rate=0.33]", "b"}, {"a[rate=0.6]"}, {"c"}, {"d"}}));
}

TEST(Vocabulary, HasTheMaximumOfSentinelsThatAnArmNeeds) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["arms"][1]["set"]["objective"]["sentinels"] = 5;
  const Plan plan = plan_of(folder, experiment);
  EXPECT_EQ(plan.vocabulary.sentinels, 5);
  for (const Trial& trial : plan.trials) EXPECT_EQ(trial.parameters.total, 2 * 8 * 29);
}

TEST(Power, SaysWhatTheSeedsCanAndCannotShow) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  EXPECT_THAT(
      plan_of(folder, experiment).power,
      HasSubstr("With 6 seeds and 2 comparisons at alpha 0.05 under Holm, no difference can be "
                "significant: the smallest p of the sign-flip test is 0.031, and it must be below "
                "0.025. Take 7 seeds or more"));
  experiment["analysis"]["primary"] = "loss.at_15";  // leaves one comparison
  experiment["analysis"]["alpha"] = 0.03125;  // equal to the smallest p of 6 seeds, not above it
  EXPECT_THAT(plan_of(folder, experiment).power, HasSubstr("Take 7 seeds or more"));
  experiment["analysis"]["alpha"] = 0.05;
  EXPECT_THAT(
      plan_of(folder, experiment).power,
      HasSubstr("With 6 seeds and 1 comparison at alpha 0.05, the sign-flip test can reach "
                "significance and finds, with power .8, differences of 1.79 standard deviations"));
  experiment["analysis"]["primary"] = "loss.own";
  EXPECT_THAT(plan_of(folder, experiment).power, HasSubstr("compares no arm with its baseline"));
}

TEST(MicroBatch, IsInNoIdUnlessItIsGivenAndDividesTheBatch) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();  // of batch 4
  const std::string whole = plan_of(folder, experiment).trials[0].id;
  EXPECT_FALSE(plan_of(folder, experiment).trials[0].config.at("train").contains("micro_batch"));
  experiment["train"]["micro_batch"] = 2;
  const Plan in_parts = plan_of(folder, experiment);
  EXPECT_NE(in_parts.trials[0].id, whole);
  EXPECT_EQ(in_parts.trials[0].config.at("train").at("micro_batch"), 2);
  experiment["train"]["micro_batch"] = 3;
  EXPECT_THAT(testing_support::refusal_of(folder, experiment),
              HasSubstr("train.micro_batch = 3 does not divide train.batch = 4"));
}

TEST(TrainingLoss, IsInNoIdUnlessItIsShapedAndHasOneShape) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  const std::string plain = plan_of(folder, experiment).trials[0].id;
  experiment["train"]["loss"] = {{"label_smoothing", 0}, {"focal", 0.0}, {"z", 0}};
  const Plan same = plan_of(folder, experiment);
  EXPECT_EQ(same.trials[0].id, plain);
  EXPECT_FALSE(same.trials[0].config.at("train").contains("loss"));
  experiment["train"]["loss"] = {{"focal", 1}, {"z", .001}};
  const Plan shaped = plan_of(folder, experiment);
  EXPECT_NE(shaped.trials[0].id, plain);
  EXPECT_EQ(shaped.trials[0].config.at("train").at("loss"), (Json{{"focal", 1.0}, {"z", .001}}));
  experiment["train"]["loss"] = {{"focal", 1}, {"label_smoothing", .1}};
  EXPECT_THAT(testing_support::refusal_of(folder, experiment),
              HasSubstr("a loss is shaped by at most one of label_smoothing, focal and"));
}

TEST(Warnings, AreGivenForValidExperimentsThatMayBeMisread) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["seeds"] = 3;
  experiment["train"]["budget"] = {{"seconds", 2}};
  experiment["analysis"]["primary"] = "loss.at_15";
  std::string all;
  for (const std::string& warning : plan_of(folder, experiment).warnings) all += warning + "\n";
  EXPECT_THAT(
      all, HasSubstr(
               "the primary metric loss.at_15 is not comparable between the baseline and 'plain'"));
  EXPECT_THAT(all, HasSubstr("no difference is tested there; all arms are compared by "));
  EXPECT_THAT(all, HasSubstr("fewer than 5 seeds"));
  EXPECT_THAT(all, HasSubstr("a budget in seconds is not deterministic"));
  EXPECT_THAT(all, HasSubstr("no smallest effect of interest is stated"));
  EXPECT_THAT(all, HasSubstr("no difference can be significant"));
  experiment["train"]["budget"] = {{"tokens", 8000}};
  EXPECT_THAT(plan_of(folder, experiment).warnings,
              testing::Contains("a corpus is read more than once by every arm (2 epochs)"));
  experiment["train"]["budget"] = {{"steps", 65}};  // 260 texts of 256
  EXPECT_THAT(
      plan_of(folder, experiment).warnings,
      testing::Contains("a corpus is read more than once by every arm (1.6 % of its texts twice)"));
  experiment["arms"][0]["set"]["train.budget"] = {{"steps", 9}};
  EXPECT_THAT(plan_of(folder, experiment).warnings,
              testing::Contains("a corpus is read more than once by 'hide[rate=0.15]' (1.6 % of "
                                "its texts twice), 'hide[rate=0.3]' (1.6 % of its texts twice)"));
}

TEST(Warnings, TellOfDocumentsOfATaskThatAreCutApart) {
  const testing_support::PlanFolder folder;
  Json experiment = small_experiment();
  experiment["corpus"] = {{"kind", "task"},
                          {"tokens", 4000},
                          {"held_out_tokens", 1000},
                          {"copy", {{"length", {8}}, {"test_length", {4}}}}};
  const auto told = [&] {
    std::string all;
    for (const std::string& warning : plan_of(folder, experiment).warnings) all += warning + "\n";
    return all;
  };
  EXPECT_THAT(told(), HasSubstr("(isolated packing)"));
  EXPECT_THAT(told(), HasSubstr("documents of up to 19 tokens are cut apart"));
  experiment["train"]["packing"] = "padded";
  experiment["model"]["context"] = 16;
  EXPECT_THAT(told(), HasSubstr("'plain' (a context of 16)"));
  experiment["model"]["context"] = 19;
  EXPECT_THAT(told(), testing::Not(HasSubstr("cut apart")));
}

TEST(Plan, RefusesHostileFilesAtOnce) {
  const testing_support::PlanFolder folder;
  EXPECT_THAT(testing_support::refusal_of(folder, std::string(1'000'000, '[')),
              HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(testing_support::refusal_of(folder, std::string(100'000'000, ' ')),
              HasSubstr("at most 1048576 are accepted"));
  std::string keys = "{\"k\":0";
  for (int i = 0; i < 15'000; ++i) keys += ",\"k" + std::to_string(i) + "\":0";
  EXPECT_THAT(testing_support::refusal_of(folder, keys + "}"),
              HasSubstr("... and at least 180 more"));
  EXPECT_EQ(testing_support::refusal_of(folder, std::string("{\"name\": \"\xFF\"}")),
            "experiment.json:1:11: error: a byte that is not UTF-8\n"
            "    1 | {\"name\": \"?\"}\n"
            "      |           ^ save the file as UTF-8");
}

TEST(Plan, RefusesAnAbsentFile) {
  try {
    make_plan(testing_support::small_catalog(), "no/such/file.json", {});
    FAIL() << "an absent file was accepted";
  } catch (const ExperimentRefused& refused) {
    EXPECT_STREQ(refused.what(),
                 "no/such/file.json: error: could not be read: No such file or directory");
  }
}

TEST(Extends, StaysBelowTheFolderWhateverLinksSay) {
  const testing_support::PlanFolder folder;
  const testing_support::PlanFolder outside;
  std::filesystem::create_symlink(outside.write("secret.json", "{\"seeds\": 3}"),
                                  folder.path() / "link.json");
  Json experiment = small_experiment();
  experiment["extends"] = {"link.json"};
  EXPECT_THAT(testing_support::refusal_of(folder, experiment),
              HasSubstr("error: \"link.json\" leaves the project, "));
}

TEST(Extends, LetsEveryFileOfADiamondCountOnce) {
  const testing_support::PlanFolder folder;
  std::string last = "{\"seeds\": 3}";
  folder.write("d0.json", last);
  for (int i = 1; i < 40; ++i) {  // 2^40 ways to the bottom
    const std::string below = std::to_string(i - 1);
    folder.write("d" + std::to_string(i) + ".json",
                 "{\"extends\": [\"d" + below + ".json\", \"e" + below + ".json\"]}");
    folder.write("e" + std::to_string(i) + ".json",
                 "{\"extends\": [\"d" + below + ".json\", \"e" + below + ".json\"]}");
  }
  folder.write("e0.json", "{\"seeds\": 4}");
  Json experiment = small_experiment();
  experiment.erase("seeds");
  experiment["extends"] = {"d20.json"};
  EXPECT_EQ(plan_of(folder, experiment).resolved["seeds"], Json({1, 2, 3, 4}));
  experiment["extends"] = {"d39.json"};
  EXPECT_THAT(testing_support::refusal_of(folder, experiment),
              HasSubstr("more than 64 files are extended"));
}

}  // namespace
}  // namespace ablate::plan
