// Properties of the classification probe: it finds what a layer represents, and nothing else.

#include <gtest/gtest.h>

#include <set>

#include "harness/base/shuffle.h"
#include "harness/probes/classification/labelled.h"
#include "harness/probes/linear/linear_probe.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

const Json kClassificationProbe = {{"type", "classification"},
                                   {"training_documents", 200},
                                   {"development_documents", 100},
                                   {"test_documents", 200}};

Measurement of_oracle(const SmallWorld& world, const std::string& objective,
                      Json probe = kClassificationProbe) {
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  return measured(world, trial_of({{"type", objective}}), network, probe);
}

// Its last layer is the posterior of the topic given what is visible: at a document's last position
// that is all of it, whichever way the model looks.
TEST(Classification, ReadsOffALayerThatKnowsTheTopicAboutAsMuchAsThereIsToKnow) {
  const SmallWorld world;
  for (const char* objective : {"causal_lm", "masked_lm"}) {
    const Measurement m = of_oracle(world, objective);
    EXPECT_NEAR(m.metrics.at("topic.accuracy"), m.metrics.at("topic.bayes"), 0.03) << objective;
    EXPECT_GT(m.metrics.at("topic.bayes"), m.metrics.at("topic.majority") + 0.1);
    EXPECT_EQ(m.details.at("trained").at("layer"), 1);
  }
}

TEST(Classification, HasTheSameDocumentsInAllArmsOfASeedAndOthersInOtherSeeds) {
  const SmallWorld world;
  const auto bayes = [&](const char* objective, std::int64_t seed) {
    Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
    plan::Trial trial = trial_of({{"type", objective}});
    trial.seed = seed;
    const Measurement m = measured(world, trial, network, kClassificationProbe);
    EXPECT_EQ(measured(world, trial, network, kClassificationProbe).metrics, m.metrics);
    return m.metrics.at("topic.bayes");
  };
  std::set<double> by_seed;
  for (const std::int64_t seed : {1, 2, 3}) {
    EXPECT_EQ(bayes("causal_lm", seed), bayes("masked_lm", seed)) << seed;
    by_seed.insert(bayes("causal_lm", seed));
  }
  EXPECT_GT(by_seed.size(), 1u);
}

TEST(Classification, FindsLessByTheMeanOfACausalModelThanByItsLastState) {
  const SmallWorld world;
  Json last = kClassificationProbe;
  last["pooling"] = "last";
  const Measurement m = of_oracle(world, "causal_lm", last);
  EXPECT_EQ(m.details.at("trained").at("pooling"), "last");
  EXPECT_NEAR(m.metrics.at("topic.accuracy"), m.metrics.at("topic.bayes"), 0.03);
}

TEST(Classification, MeasuresHowManyLabelsItNeeds) {
  const SmallWorld world;
  Json probe = kClassificationProbe;
  const Measurement plain = of_oracle(world, "causal_lm", probe);
  probe["label_counts"] = {4, 100};
  const Measurement m = of_oracle(world, "causal_lm", probe);
  EXPECT_EQ(m.metrics.at("topic.accuracy"), plain.metrics.at("topic.accuracy"));
  // The states say the topic: 100 labels are enough for what is to be known, and 4 are no fewer than
  // a guess.
  EXPECT_NEAR(m.metrics.at("topic.accuracy_100"), m.metrics.at("topic.bayes"), 0.05);
  EXPECT_GT(m.metrics.at("topic.accuracy_4"), 0.4);
}

TEST(TopicDocuments, AreCutToTheContextAndOfEveryTopic) {
  const SmallWorld world;
  const Labelled labelled = topic_documents(world.language, {20, 10, 30}, 9, 1);
  ASSERT_EQ(labelled.documents.size(), 60u);
  std::vector<int> counts(2);
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_LE(labelled.documents[i].size(), 9u);
    EXPECT_EQ(labelled.documents[i][0], begin_token);
    ++counts[static_cast<std::size_t>(labelled.labels[i])];
  }
  // Deviation of a count: sqrt(60 / 4) = 3.9; 4 of it.
  EXPECT_NEAR(counts[0], 30, 15.6);
}

TEST(TopicDocuments, DependOnTheSeedAlone) {
  const SmallWorld world;
  const auto drawn = [&](std::int64_t seed) {
    return topic_documents(world.language, {20, 10, 30}, 24, seed).documents;
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

LayerFeatures features(std::int64_t layer, const std::vector<std::int32_t>& labels, double signal,
                       std::uint64_t seed) {
  LayerFeatures rows{.layer = layer, .pooling = "mean", .width = 2};
  Rng rng(seed);
  for (const std::int32_t label : labels)
    for (int d = 0; d < 2; ++d) rows.values.push_back(rng.normal() + (label == d ? signal : 0));
  return rows;
}

std::vector<std::int32_t> alternating(int count) {
  std::vector<std::int32_t> labels;
  for (int i = 0; i < count; ++i) labels.push_back(i % 2);
  return labels;
}

TEST(LinearProbe, ChoosesTheLayerThatDevelopmentDocumentsFavour) {
  const SplitLabels labels{alternating(60), alternating(60), alternating(60), 2};
  std::vector<SplitFeatures> layers;
  for (int layer = 0; layer < 3; ++layer) {
    const double signal = layer == 1 ? 4 : 0.2;
    const auto seed = static_cast<std::uint64_t>(10 * layer);
    layers.push_back({features(layer, labels.training, signal, seed),
                      features(layer, labels.development, signal, seed + 1),
                      features(layer, labels.test, signal, seed + 2)});
  }
  const LinearProbe probe = probe_linearly(layers, labels, [](double) {});
  EXPECT_EQ(probe.layer, 1);
  EXPECT_GT(probe.accuracy, 0.95);
  EXPECT_EQ(probe.by_layer.size(), 3u);
}

TEST(LinearProbe, ChoosesNothingByTheTestDocuments) {
  const SplitLabels labels{alternating(60), alternating(60), alternating(60), 2};
  std::vector<SplitFeatures> layers(2);
  for (int layer = 0; layer < 2; ++layer) {  // layer 0 fails on test alone, layer 1 is poor before
    const auto at = static_cast<std::size_t>(layer);
    layers[at] = {features(layer, labels.training, 4, 1),
                  features(layer, labels.development, layer == 0 ? 4 : 1, 2),
                  features(layer, labels.test, layer == 0 ? 0 : 4, 3)};
  }
  EXPECT_EQ(probe_linearly(layers, labels, [](double) {}).layer, 0);
}

// A fit stops when the costs of development rows settle: 400 test rows are named as by the minimum, but for a
// standard error of .02 and fewer.
TEST(LinearProbe, NamesTestRowsAboutAsTheMinimumDoes) {
  const SplitLabels labels{alternating(200), alternating(100), alternating(400), 2};
  const SplitFeatures layer{features(0, labels.training, 1, 1),
                            features(0, labels.development, 1, 2), features(0, labels.test, 1, 3)};
  Observations training{2, layer.training.values, labels.training};
  Observations test{2, layer.test.values, labels.test};
  const Standardiser standardiser(training);
  standardiser.apply(training);
  standardiser.apply(test);
  const double penalties[] = {0.01};
  LayerChoice choice(penalties);
  choice.consider(layer, labels);
  LogisticModel model(2, 2);
  minimise(model, training, penalties[0], 1e-9);
  EXPECT_NEAR(choice.best().accuracy, score(model, test).accuracy, 0.02);
}

// The features tell what the labels were before they were shuffled, and no more. 400 labels of which
// guessing names a half: a standard error of .025; 4 of it.
TEST(LinearProbe, GuessesWhereLabelsAreShuffled) {
  SplitLabels labels{alternating(200), alternating(100), alternating(400), 2};
  const std::vector<SplitFeatures> layers = {{features(0, labels.training, 4, 1),
                                              features(0, labels.development, 4, 2),
                                              features(0, labels.test, 4, 3)}};
  EXPECT_GT(probe_linearly(layers, labels, [](double) {}).accuracy, 0.95);
  Rng rng(4);
  for (auto* split : {&labels.training, &labels.development, &labels.test}) shuffle(*split, rng);
  EXPECT_NEAR(probe_linearly(layers, labels, [](double) {}).accuracy, 0.5, 0.1);
}

TEST(MajorityAccuracy, NamesTheCommonestTrainingLabel) {
  EXPECT_EQ(majority_accuracy({{1, 1, 0}, {0}, {1, 0, 0, 0}, 2}), 0.25);
}

}  // namespace
}  // namespace ablate::probes
