// The representation probe: it finds what vectors know, chooses its layer on development documents
// and depends on nothing but the trial.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/probes/representation/halves.h"
#include "harness/probes/representation/scored_pairs_spec.h"
#include "harness/probes/specs.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Json kRepresentation = {
    {"type", "representation"}, {"development_documents", 40}, {"test_documents", 60}};

const Json kLeftToRight = {{"type", "causal_lm"}};

// The oracle's first layer is constant, its second the logarithm of the topic's posterior.
TEST(Representation, FindsTheLayerThatKnowsTheTopic) {
  const SmallWorld world(Json({{"document_length", 60}}));
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  const Measurement found =
      measured(world, trial_of(kLeftToRight, "isolated", 100), network, kRepresentation);
  EXPECT_EQ(found.details.at("trained").at("layer"), 1);
  EXPECT_GT(found.metrics.at("representation.ndcg_at_10"), 0.8);
  EXPECT_GT(found.metrics.at("representation.recall_at_1"), 0.8);
  EXPECT_LT(found.metrics.at("representation.recall_at_1"),
            found.metrics.at("representation.recall_at_10") + 1e-9);
  EXPECT_EQ(found.metrics.at("representation.ndcg_at_10"),
            found.metrics.at("representation.untrained_ndcg_at_10"))
      << "the oracle without training is the same";
  EXPECT_NEAR(found.metrics.at("representation.cka_untrained"), 1, 1e-9);
  EXPECT_FALSE(found.metrics.contains("representation.cka_first_last"))
      << "the first layer has no spread";
  EXPECT_EQ(found.details.at("cka").at(0).at(1), "nan");
  EXPECT_TRUE(found.details.at("kernels").at(0).empty());
  EXPECT_EQ(found.details.at("kernels").at(1).size(), 48u * 47 / 2);
  EXPECT_FALSE(found.metrics.contains("representation.spearman")) << "there is no file of pairs";
}

// No vectors find more: those of the oracle are of the same posterior, in logarithms.
TEST(Representation, OfTheExactPosteriorIsTheCeiling) {
  double shorter = 0;
  for (const int length : {8, 60}) {
    const SmallWorld world(Json({{"document_length", length}}));
    Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
    const auto found =
        measured(world, trial_of(kLeftToRight, "isolated", 100), network, kRepresentation).metrics;
    const double ceiling = found.at("representation.optimum_ndcg_at_10");
    EXPECT_GE(ceiling, found.at("representation.ndcg_at_10") - .02) << length;
    EXPECT_GT(ceiling, shorter) << "more text says more of its topic";
    EXPECT_LE(ceiling, 1);
    shorter = ceiling;
  }
}

// Topic and name are independent: vectors of the exact topic find no documents of the same name, which the
// exact posterior of the name does.
TEST(Representation, FindsDocumentsOfTheSameNameWhereAsked) {
  const SmallWorld world(Json({{"names", 4}, {"states", 9}, {"document_length", 60}}));
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  const auto found = [&](const char* label) {
    Json probe = kRepresentation;
    probe["label"] = label;
    return measured(world, trial_of(kLeftToRight, "isolated", 100), network, probe).metrics;
  };
  const auto by_topic = found("topic"), by_name = found("name");
  EXPECT_GT(by_topic.at("representation.ndcg_at_10"), 0.8);
  EXPECT_NEAR(by_name.at("representation.ndcg_at_10"), 0.25, 0.1);
  EXPECT_GT(by_name.at("representation.optimum_ndcg_at_10"), 0.7);
}

/// A network whose first state of a row behind a place for it knows the document's name, and no other state
/// anything.
class KnowsInFront : public Oracle {
 public:
  explicit KnowsInFront(const SmallWorld& world)
      : Oracle(world.language.chain(), uniform_rule(world.vocabulary())), world_(world) {}

  std::vector<at::Tensor> layers(const train::Inputs& inputs) override {
    const std::span<const Token> names = world_.language.names();
    at::Tensor states = at::zeros({1, inputs.tokens.size(1), inputs.tokens.size(2), 8});
    for (std::int64_t row = 0; row < states.size(1); ++row) {
      const at::Tensor tokens = inputs.tokens[0][row];
      if (tokens[0].item<Token>() != classify_token) continue;
      for (std::size_t name = 0; name < names.size(); ++name)
        states[0][row][0][static_cast<std::int64_t>(name)] =
            tokens.eq(static_cast<std::int64_t>(names[name])).sum();
    }
    return {states};
  }

 private:
  const SmallWorld& world_;
};

// What contrastive training teaches stands at the place before a passage; no other pooling reads it alone.
TEST(Representation, ReadsTheFirstPlaceOfArmsThatCompareStates) {
  const SmallWorld world(Json({{"names", 4}, {"states", 9}, {"document_length", 60}}));
  KnowsInFront network(world);
  Json probe = kRepresentation;
  probe["label"] = "name";
  const auto found = [&](const Json& objective) {
    return measured(world, trial_of(objective, "isolated", 100), network, probe);
  };
  const Measurement comparing = found({{"type", "contrastive"}}), other = found(kLeftToRight);
  EXPECT_GT(comparing.metrics.at("representation.ndcg_at_10"),
            comparing.metrics.at("representation.optimum_ndcg_at_10") - 0.1);
  EXPECT_LT(other.metrics.at("representation.ndcg_at_10"), 0.5);
}

TEST(Representation, RefusesNamesThatNoDocumentHas) {
  const Params settings = probe_of({{"type", "representation"}, {"label", "name"}}).params;
  const auto prepared = [&](const Json& corpus) {
    prepare_representation(settings, {.section = corpus});
  };
  EXPECT_NO_THROW(prepared({{"kind", "language"}, {"names", 2}}));
  EXPECT_THAT(
      [&] {
        prepared({{"kind", "language"}, {"names", 1}});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("set corpus.names to 2")));
}

TEST(Representation, IsTheSameEachTimeAndAnotherBySeed) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  plan::Trial trial = trial_of(kLeftToRight);
  const Measurement first = measured(world, trial, network, kRepresentation);
  EXPECT_EQ(measured(world, trial, network, kRepresentation).metrics, first.metrics);
  trial.seed = 2;
  EXPECT_NE(measured(world, trial, network, kRepresentation).metrics, first.metrics);
}

/// Documents of one letter each, in two halves.
data::Corpus letter_documents(int documents) {
  data::CorpusContent content{
      .pieces = ByteTokenizer::all(), .ordinary = 256, .about = {{"kind", "text"}}};
  content.training.tokens = {begin_token, 16 + 'a', end_token};
  content.training.documents = 1;
  for (int i = 0; i < documents; ++i) {
    const Token letter = 16 + 'a' + i;
    content.held_out.tokens.insert(content.held_out.tokens.end(),
                                   {begin_token, letter, letter, letter, letter, end_token});
    ++content.held_out.documents;
  }
  return stored(content);
}

TEST(Representation, HalvesHeldOutDocumentsWhereNothingIsLabelled) {
  const data::Corpus corpus = letter_documents(24);
  Oracle network(uniform_rule({.ordinary = 256}));  // its second layer says which token it is
  Json probe = kRepresentation;
  probe["development_documents"] = 10;
  probe["test_documents"] = 14;
  const Measurement found = measured_on_text(corpus, trial_of(kLeftToRight), network, probe);
  EXPECT_EQ(found.details.at("documents"), Json({{"development", 20}, {"test", 28}}));
  EXPECT_EQ(found.metrics.at("representation.recall_at_1"), 1);
  EXPECT_NEAR(found.metrics.at("representation.alignment"), 0, 1e-12);
  EXPECT_NEAR(found.metrics.at("representation.ndcg_at_10"), 1, 1e-12);
}

TEST(Representation, KeepsTheKernelsOfAtMost48Documents) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  Json probe = kRepresentation;
  probe["test_documents"] = 120;
  const Json kernels = measured(world, trial_of(kLeftToRight), network, probe).details["kernels"];
  EXPECT_EQ(kernels.at(1).size(), 48u * 47 / 2);
  std::int64_t largest = 0;
  for (const Json& entry : kernels.at(1))
    largest = std::max(largest, std::abs(entry.get<std::int64_t>()));
  EXPECT_EQ(largest, 999);
}

TEST(Representation, SaysHowManyDocumentsItMisses) {
  const data::Corpus corpus = letter_documents(3);
  Oracle network(uniform_rule({.ordinary = 256}));
  EXPECT_THAT(
      [&] { measured_on_text(corpus, trial_of(kLeftToRight), network, kRepresentation); },
      ThrowsMessage<std::invalid_argument>(HasSubstr("3 held-out documents have 4 tokens")));
}

TEST(Halves, CutADocumentWithoutItsEndAndShareNoToken) {
  const data::Corpus corpus = letter_documents(12);
  const Labelled halves = half_documents(corpus.held_out(), {.development = 4, .test = 8}, 24, 1);
  ASSERT_EQ(halves.documents.size(), 24u);
  EXPECT_EQ(halves.counts.development, 8);
  EXPECT_EQ(halves.counts.test, 16);
  for (std::size_t i = 0; i < halves.documents.size(); ++i) {
    const Token letter = halves.documents[i][1];
    EXPECT_EQ(halves.documents[i], (std::vector<Token>{begin_token, letter, letter}));
    EXPECT_EQ(halves.labels[i], static_cast<std::int32_t>(i / 2));
  }
  const Labelled fewer = half_documents(corpus.held_out(), {.development = 20, .test = 40}, 24, 1);
  EXPECT_EQ(fewer.counts.development, 8);
  EXPECT_EQ(fewer.counts.test, 16);
}

class ScoredPairs : public ::testing::Test {
 protected:
  ScoredPairs() : folder_(scratch_folder("scored_pairs")) {}
  ~ScoredPairs() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& text) const {
    std::ofstream(folder_ / "pairs.jsonl") << text;
    return folder_ / "pairs.jsonl";
  }

  std::filesystem::path folder_;
};

TEST_F(ScoredPairs, AreCorrelatedWithCosines) {
  // The mean of one-hot vectors: cosines 1, 1/sqrt(2) and 0, in the order of the scores.
  file(
      "{\"text_a\": \"aa\", \"text_b\": \"aa\", \"score\": 5}\n"
      "{\"text_a\": \"ab\", \"text_b\": \"aa\", \"score\": 3.5}\n"
      "{\"text_a\": \"cc\", \"text_b\": \"dd\", \"score\": 1}\n");
  const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("representation");
  Json given = kRepresentation;
  given.erase("type");
  given.update({{"pairs", "pairs.jsonl"}, {"pooling", "mean"}});
  Json probe = spec.prepare(Params(spec.params, given),
                            {.folder_of = [this](const std::string&) { return folder_; },
                             .cache = folder_ / "cache",
                             .tokenizer = [] { return std::make_shared<const ByteTokenizer>(); }});
  EXPECT_NE(probe.at("pairs"), "pairs.jsonl") << "a hash, wherever the file lies";
  probe["type"] = "representation";
  Oracle network(uniform_rule({.ordinary = 256}));
  const Measurement found = measured_on_text(letter_documents(24), trial_of(kLeftToRight), network,
                                             probe, folder_ / "cache");
  EXPECT_NEAR(found.metrics.at("representation.spearman"), 1, 1e-12);
  EXPECT_NEAR(found.metrics.at("representation.untrained_spearman"), 1, 1e-12);
}

TEST_F(ScoredPairs, AreRefusedWithTheirLine) {
  const std::string good = "{\"text_a\": \"a\", \"text_b\": \"b\", \"score\": 1}\n";
  const auto refused = [&](const std::string& line) {
    return [this, text = good + line] { read_scored_pairs(file(text)); };
  };
  EXPECT_THAT(refused("{\"text_a\": \"a\", \"text_b\": \"b\"}"),
              ThrowsMessage<std::runtime_error>(HasSubstr("jsonl:2: has no 'score'")));
  EXPECT_THAT(refused("{\"text_a\": \"a\", \"text_b\": \"b\", \"score\": \"1\"}"),
              ThrowsMessage<std::runtime_error>(HasSubstr("jsonl:2: 'score' is not a number")));
  EXPECT_THAT(refused("{\"text_a\": \" \", \"text_b\": \"b\", \"score\": 1}"),
              ThrowsMessage<std::runtime_error>(HasSubstr("jsonl:2: a text is blank")));
  EXPECT_THAT(refused(good), ThrowsMessage<std::runtime_error>(HasSubstr("contains 2 pairs")));
}

}  // namespace
}  // namespace ablate::probes
