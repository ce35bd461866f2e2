// Fine-tuning: it learns what labels say, each lane by itself, and chooses nothing by test documents.

#include <ATen/ops/equal.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/probes/classification/label_scores.h"
#include "harness/probes/fine_tuning/classifier_bank.h"
#include "harness/probes/fine_tuning/protocol.h"
#include "harness/probes/fine_tuning/shared_floor.h"
#include "models/registry.h"
#include "models/specs/transformer_spec.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

constexpr std::int64_t kLength = 12;

std::unique_ptr<train::Network> bank_of(std::int64_t lanes) {
  train::NetworkSettings settings;
  settings.model = Params(models::transformer_spec().params,
                          {{"depth", 1}, {"width", 32}, {"heads", 2}, {"context", kLength}});
  settings.hosting.vocabulary = {.ordinary = 8};
  settings.lanes = lanes;
  auto network = models::build_network("transformer", settings);
  train::initialise(*network, std::vector<std::uint64_t>(static_cast<std::size_t>(lanes), 7));
  return network;
}

struct Data {
  std::vector<std::vector<Token>> documents;
  std::vector<std::int32_t> labels;  // whether token 16 is in the document

  LabelledDocuments all() const { return {documents, labels}; }
};

Data data_of(std::size_t count, std::uint64_t seed) {
  Data data;
  Rng rng(seed);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Token> document = {begin_token};
    const auto length = 3 + rng.below(kLength - 4);
    for (std::int64_t t = 0; t < length; ++t)
      document.push_back(17 + static_cast<Token>(rng.below(7)));
    const auto label = static_cast<std::int32_t>(i % 2);
    if (label == 1) document[1 + static_cast<std::size_t>(rng.below(length))] = 16;
    data.documents.push_back(std::move(document));
    data.labels.push_back(label);
  }
  return data;
}

FineTuneSettings settings_of(std::vector<TuningLane> lanes) {
  return {.lanes = std::move(lanes), .epochs = 10, .batch = 16};
}

ClassifierBank tuned(const Data& data, const FineTuneSettings& settings) {
  ClassifierBank bank(bank_of(std::ssize(settings.lanes)), settings);
  bank.fine_tune(data.all(), [](double) {});
  return bank;
}

TEST(FineTuning, LearnsWhatTellsTheLabelsApart) {
  const Data training = data_of(192, 1), test = data_of(64, 2);
  for (const Attention attention : {Attention::causal, Attention::bidirectional}) {
    FineTuneSettings settings = settings_of({{1e-2, 1}});
    settings.reading = attention;
    const auto named = tuned(training, settings).classify(test.documents);
    EXPECT_GE(label_scores(named[0], test.labels, 2).accuracy, 0.95);
  }
}

TEST(FineTuning, AtRateZeroLeavesTheWeightsBitForBit) {
  ClassifierBank bank = tuned(data_of(32, 1), settings_of({{0, 1}, {1e-2, 1}}));
  const auto before = bank_of(2);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before->parameters().size(); ++i) {
    const at::Tensor &was = before->parameters()[i].value, &is = bank.parameters()[i].value;
    EXPECT_TRUE(at::equal(was[0], is[0])) << before->parameters()[i].name;
    changed += !at::equal(was[1], is[1]);
  }
  EXPECT_GT(changed, 0u);
}

TEST(FineTuning, GivesALaneTheSameWeightsAloneAsBesideOthers) {
  const Data data = data_of(40, 3);
  const TuningLane lane{3e-3, 5};
  ClassifierBank alone = tuned(data, settings_of({lane}));
  ClassifierBank beside = tuned(data, settings_of({{1e-2, 9}, lane, {1e-4, 2}}));
  for (std::size_t i = 0; i < alone.parameters().size(); ++i)
    EXPECT_TRUE(at::equal(alone.parameters()[i].value[0], beside.parameters()[i].value[1]))
        << alone.parameters()[i].name;
}

// 400 labels that say nothing: the accuracy of guessing has a standard error of .025; 4 of it.
TEST(FineTuning, GuessesWhereLabelsAreShuffled) {
  Data training = data_of(96, 1), test = data_of(400, 2);
  Rng rng(11);
  for (Data* data : {&training, &test})
    for (std::int32_t& label : data->labels) label = static_cast<std::int32_t>(rng.below(2));
  const auto named = tuned(training, settings_of({{3e-3, 1}})).classify(test.documents);
  EXPECT_NEAR(label_scores(named[0], test.labels, 2).accuracy, 0.5, 0.1);
}

TEST(FineTuning, RefusesABankOfAnotherSize) {
  EXPECT_THROW(ClassifierBank(bank_of(2), settings_of({{1e-3, 1}})), std::invalid_argument);
}

// The access log of one fine-tuning: test documents are read once, after the last epoch and after
// the rate has been chosen.
TEST(FineTuning, ReadsTestDocumentsOnlyAfterTheChoice) {
  const Data training = data_of(32, 1), development = data_of(16, 2), test = data_of(16, 3);
  Recipe recipe{.rates = {0, 1e-2}, .seeds = 2, .settings = settings_of({})};
  recipe.settings.epochs = 3;
  for (const double rate : recipe.rates)
    for (std::uint64_t seed = 0; seed < recipe.seeds; ++seed)
      recipe.settings.lanes.push_back({rate, seed});
  std::vector<std::string> log;
  const auto read = [&](Split split) {
    log.emplace_back(split == Split::training      ? "training"
                     : split == Split::development ? "development"
                                                   : "test");
    return split == Split::training      ? training.all()
           : split == Split::development ? development.all()
                                         : test.all();
  };
  double furthest = 0;
  const FineTuned result = fine_tune(bank_of(4), recipe, read, bank_of, [&](double fraction) {
    furthest = fraction;
    if (fraction == 1) log.emplace_back("last step");
  });
  EXPECT_THAT(log, ::testing::ElementsAre("training", "last step", "development", "test"));
  EXPECT_EQ(furthest, 1);
  EXPECT_EQ(result.right.size(), test.documents.size());
}

// Other test documents change no choice.
TEST(FineTuning, ChoosesTheSameRateWhateverTheTestDocuments) {
  const Data training = data_of(64, 1), development = data_of(32, 2);
  Recipe recipe{.rates = {1e-4, 1e-2}, .settings = settings_of({{1e-4, 1}, {1e-2, 1}})};
  const auto chosen = [&](const Data& test) {
    return fine_tune(
        bank_of(2), recipe,
        [&](Split split) {
          return split == Split::training      ? training.all()
                 : split == Split::development ? development.all()
                                               : test.all();
        },
        bank_of, [](double) {});
  };
  Data test = data_of(16, 3);
  const FineTuned one = chosen(test);
  for (std::int32_t& label : test.labels) label = 1 - label;
  const FineTuned other = chosen(test);
  EXPECT_EQ(one.rate, other.rate);
  EXPECT_EQ(one.by_rate, other.by_rate);
  EXPECT_NEAR(one.accuracy, 1 - other.accuracy, 1e-12);
}

const Json kSmallProbe = {
    {"type", "fine_tuning"}, {"training_documents", 200}, {"development_documents", 32},
    {"test_documents", 64},  {"learning_rates", {1e-2}},  {"seeds", 2},
    {"epochs", 15}};

Measurement fine_tuned(const SmallWorld& world, const std::string& objective, Json probe) {
  const Vocabulary vocabulary = world.vocabulary();
  const plan::Trial trial = trial_of({{"type", objective}});
  const auto build = [&](std::int64_t lanes) {
    train::NetworkSettings settings;
    settings.model = Params(models::transformer_spec().params,
                            {{"depth", 1}, {"width", 16}, {"heads", 2}, {"context", 24}});
    settings.hosting.vocabulary = vocabulary;
    settings.lanes = lanes;
    auto network = models::build_network("transformer", settings);
    train::initialise(*network, std::vector<std::uint64_t>(static_cast<std::size_t>(lanes), 1));
    return network;
  };
  const auto network = build(1);
  const plan::ResolvedModel model = any_model(vocabulary);
  const plan::ResolvedPhase phase = phase_of(trial, model);
  const Subject subject{.seed = trial.seed,
                        .model = model,
                        .phase = phase,
                        .corpus = world.corpus,
                        .language = &world.language,
                        .network = *network,
                        .untrained = [&] { return build(1); },
                        .bank = build};
  return measure(subject, probe_of(probe), {});
}

TEST(FineTuningProbe, OfUntrainedWeightsIsItsOwnFloorAndBelowBayes) {
  const SmallWorld world;
  for (const char* objective : {"causal_lm", "masked_lm"}) {
    const Measurement m = fine_tuned(world, objective, kSmallProbe);
    for (const std::string of : {"", "_bidirectional"}) {
      const auto at = [&](const char* name) { return m.metrics.at(name + of); };
      EXPECT_EQ(at("fine_tuning.accuracy"), at("fine_tuning.untrained"));
      EXPECT_EQ(at("fine_tuning.gain"), 0);
    }
    EXPECT_GT(m.metrics.at("fine_tuning.accuracy"), m.metrics.at("fine_tuning.majority") + 0.1);
    // 64 documents: a standard error of .05.
    EXPECT_LE(m.metrics.at("fine_tuning.accuracy"), m.metrics.at("fine_tuning.bayes") + 0.1);
    EXPECT_EQ(m.details.at("own_attention").at("by_rate").size(), 1u);
  }
}

/// Counts how often shared_floor() fine-tunes for a subject of this objective.
class SharedFloor : public ::testing::Test {
 protected:
  SharedFloor() : cache_(scratch_folder("floor")) {}
  ~SharedFloor() override { std::filesystem::remove_all(cache_); }

  FineTuned floor_of(const std::string& objective, train::Network& initial, const Recipe& recipe,
                     const Data& data, const std::filesystem::path& cache) {
    const plan::ResolvedModel model = any_model({.ordinary = 8});
    const plan::ResolvedPhase phase = phase_of(trial_of({{"type", objective}}), model);
    const auto initial_weights = [] { return bank_of(1); };
    const Subject subject{.model = model,
                          .phase = phase,
                          .corpus = world_.corpus,
                          .network = initial,
                          .untrained = initial_weights,
                          .cache = cache};
    return shared_floor(
        subject, initial, recipe, [&](Split) { return data.all(); },
        [&] {
          ++made_;
          return FineTuned{.accuracy = 0.1 * made_, .by_rate = {.5}, .right = {1, 0}};
        });
  }

  SmallWorld world_;
  std::filesystem::path cache_;
  int made_ = 0;
};

TEST_F(SharedFloor, IsFineTunedOnceForAllArmsOfTheSameInitialWeights) {
  const auto initial = bank_of(1);
  const Data data = data_of(8, 1);
  const Recipe recipe{.rates = {1e-3}, .settings = settings_of({{1e-3, 1}})};
  const FineTuned first = floor_of("causal_lm", *initial, recipe, data, cache_);
  const FineTuned again = floor_of("masked_lm", *initial, recipe, data, cache_);
  EXPECT_EQ(made_, 1);
  EXPECT_EQ(again.accuracy, first.accuracy);
  EXPECT_EQ(again.right, first.right);
  for (const auto& entry : std::filesystem::directory_iterator(cache_))
    std::ofstream(entry.path()) << "{\"value\": 1}";
  EXPECT_EQ(floor_of("causal_lm", *initial, recipe, data, cache_).accuracy, 0.2)
      << "what does not verify is made anew";
  floor_of("causal_lm", *initial, recipe, data, {});
  EXPECT_EQ(made_, 3) << "there is no cache";
}

TEST_F(SharedFloor, IsOfOtherWeightsRecipesAndDocumentsAnother) {
  const auto initial = bank_of(1);
  const Data data = data_of(8, 1);
  const Recipe recipe{.rates = {1e-3}, .settings = settings_of({{1e-3, 1}})};
  floor_of("causal_lm", *initial, recipe, data, cache_);
  Recipe other = recipe;
  other.settings.reading = Attention::bidirectional;
  floor_of("causal_lm", *initial, other, data, cache_);
  floor_of("causal_lm", *initial, recipe, data_of(8, 2), cache_);
  Data relabelled = data;
  relabelled.labels[0] = 1 - relabelled.labels[0];
  floor_of("causal_lm", *initial, recipe, relabelled, cache_);
  EXPECT_EQ(made_, 4);
  initial->parameters().front().value.detach().mul_(2);
  floor_of("causal_lm", *initial, recipe, data, cache_);
  EXPECT_EQ(made_, 5);
}

TEST(FineTuningProbe, HasACurveOfLabels) {
  const SmallWorld world;
  Json probe = kSmallProbe;
  const std::int64_t all =
      fine_tuned(world, "masked_lm", probe).details.at("documents").at("training");
  probe["label_counts"] = {all / 2, all / 4};
  const Measurement m = fine_tuned(world, "masked_lm", probe);
  const Json& curves = m.details.at("curves");
  for (const std::size_t i : {curves.size() - 2, curves.size() - 1}) {
    const Json& points = curves.at(i).at("points");
    ASSERT_EQ(points.size(), 3u);
    EXPECT_EQ(points[0][0], all / 4);
    EXPECT_EQ(points[2][0], all);
  }
  EXPECT_EQ(curves.back().at("along"), "training documents");
  const std::string quarter = std::to_string(all / 4);
  EXPECT_EQ(m.metrics.at("fine_tuning.accuracy_" + quarter), curves.back().at("points")[0][1])
      << "these weights are the initial ones";
  EXPECT_EQ(m.metrics.at("fine_tuning.accuracy_" + quarter),
            m.metrics.at("fine_tuning.untrained_" + quarter));
  EXPECT_EQ(m.metrics.at("fine_tuning.accuracy"),
            fine_tuned(world, "masked_lm", kSmallProbe).metrics.at("fine_tuning.accuracy"))
      << "the curve leaves the whole alone";
}

TEST(FineTuningProbe, ChoosesTheRateOnDevelopmentDocuments) {
  const SmallWorld world;
  Json probe = kSmallProbe;
  probe["learning_rates"] = {1e-2, 0.0};
  const Measurement m = fine_tuned(world, "causal_lm", probe);
  EXPECT_EQ(m.details.at("own_attention").at("learning_rate"), 1e-2);
  const Json& by_rate = m.details.at("own_attention").at("by_rate");
  EXPECT_EQ(by_rate.at(0).at("learning_rate"), 0.0);
  EXPECT_GT(by_rate.at(1).at("development"), by_rate.at(0).at("development"));
  const Json& curve = m.details.at("curves").at(0);
  EXPECT_EQ(curve.at("metric"), "fine_tuning.accuracy");
  EXPECT_EQ(curve.at("along"), "learning rate");
  EXPECT_EQ(curve.at("chosen"), 1e-2);
  EXPECT_EQ(curve.at("points").at(1).at(0), 1e-2);
  EXPECT_EQ(curve.at("points").at(1).at(1), by_rate.at(1).at("development"));
}

// Hand-made: class 0 has precision 1 and recall 1/2, class 1 precision 1/3 and recall 1, class 2 is
// never named: F1 of 2/3, 1/2 and 0.
TEST(LabelScores, AreThoseOfAHandMadeCase) {
  const std::vector<std::int32_t> labels = {0, 0, 1, 2}, named = {0, 1, 1, 1};
  const LabelScores scores = label_scores(named, labels, 4);  // class 3 does not occur
  EXPECT_DOUBLE_EQ(scores.accuracy, 0.5);
  EXPECT_DOUBLE_EQ(scores.macro_f1, (2.0 / 3 + 0.5 + 0) / 3);
}

}  // namespace
}  // namespace ablate::probes
