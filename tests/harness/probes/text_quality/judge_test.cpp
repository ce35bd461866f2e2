// The judge: one for all arms, which tells text from noise and has not read what it is compared with.

#include "harness/probes/text_quality/judge.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/base/shuffle.h"
#include "harness/probes/documents.h"
#include "harness/probes/text_quality/judge_text.h"
#include "models/registry.h"
#include "models/specs/transformer_spec.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

std::unique_ptr<train::Network> network_of(const Vocabulary& vocabulary, std::int64_t width,
                                           std::int64_t depth, std::int64_t context) {
  train::NetworkSettings settings;
  settings.model = Params(models::transformer_spec().params,
                          {{"depth", depth}, {"width", width}, {"heads", 2}, {"context", context}});
  settings.hosting.vocabulary = vocabulary;
  return models::build_network("transformer", settings);
}

class Judges : public ::testing::Test {
 protected:
  Judges() : cache_(scratch_folder("judge")) {}
  ~Judges() override { std::filesystem::remove_all(cache_); }

  Subject subject(train::Network& network) const {
    const Vocabulary vocabulary = world_.vocabulary();
    return {.seed = 1,
            .model = model_,
            .phase = phase_,
            .corpus = world_.corpus,
            .language = &world_.language,
            .network = network,
            .untrained =
                [vocabulary] {
                  auto fresh = network_of(vocabulary, 16, 1, 24);
                  train::initialise(*fresh, {1});
                  return fresh;
                },
            .cache = cache_,
            .reference =
                [vocabulary](std::int64_t width, std::int64_t depth, std::int64_t context) {
                  return ReferenceModel{
                      objective_named("causal_lm").build({}, {vocabulary, context}),
                      network_of(vocabulary, width, depth, context)};
                }};
  }

  SmallWorld world_{Json{{"held_out_tokens", 16000}}};
  plan::ResolvedModel model_ = any_model(world_.vocabulary());
  plan::ResolvedPhase phase_ = phase_of(trial_of({{"type", "causal_lm"}}), model_);
  std::filesystem::path cache_;
  Oracle oracle_{uniform_rule(world_.vocabulary())};
};

constexpr JudgeSettings kSmallJudge{.width = 32, .depth = 1, .context = 24, .tokens = 40'000};

TEST_F(Judges, AreMadeOnceAndAlwaysTheSame) {
  const Subject one = subject(oracle_);
  double seen = 0;
  const Judge first = Judge::of(one, kSmallJudge, [&](double fraction) { seen = fraction; });
  EXPECT_EQ(seen, 1);
  seen = 0;
  EXPECT_EQ(Judge::of(one, kSmallJudge, [&](double fraction) { seen = fraction; }).hash(),
            first.hash());
  EXPECT_EQ(seen, 0);  // read from the cache
  std::filesystem::remove_all(cache_);
  std::filesystem::create_directories(cache_);
  EXPECT_EQ(Judge::of(one, kSmallJudge, [](double) {}).hash(), first.hash());
}

TEST_F(Judges, KeepAFifthOfWhatIsHeldOutForComparisonCutToTheirContext) {
  const Judge judge = Judge::of(subject(oracle_), kSmallJudge, [](double) {});
  const auto documents = documents_of(world_.corpus.held_out(), SIZE_MAX);
  EXPECT_EQ(judge.references().size(), documents.size() - documents.size() * 4 / 5);
  const auto kept = JudgeText(world_.corpus.held_out()).references();
  for (std::size_t i = 0; i < kept.size(); ++i)
    EXPECT_TRUE(
        std::ranges::equal(std::span(kept[i]).first(std::min<std::size_t>(24, kept[i].size())),
                           judge.references()[i]));
}

TEST_F(Judges, TellTextFromTheSameTokensInAnotherOrder) {
  const Judge judge = Judge::of(subject(oracle_), kSmallJudge, [](double) {});
  const std::vector<JudgedText> texts(judge.references().begin(), judge.references().end());
  std::vector<std::vector<Token>> shuffled = judge.references();
  Rng rng(1);
  for (std::vector<Token>& text : shuffled) {
    std::vector<Token> inner(text.begin() + 1, text.end());
    shuffle(inner, rng);
    std::copy(inner.begin(), inner.end(), text.begin() + 1);
  }
  const std::vector<JudgedText> noise(shuffled.begin(), shuffled.end());
  EXPECT_LT(judge.loss(texts), judge.loss(noise) - 0.2);
  EXPECT_NEAR(judge.loss(texts), 1.985160, 1e-3) << "raise kJudgeVersion: stored judges are others";
  EXPECT_EQ(judge.features(texts).size(), texts.size() * judge.width());
}

TEST_F(Judges, FindTheLanguagesOwnSamplesAsGoodAsHeldOutTextAndAnUntrainedModelsNot) {
  Oracle exact(exact_rule(world_.language.chain(), objective_named("causal_lm"), Params()));
  const Measurement m = measure(subject(exact),
                                probe_of({{"type", "text_quality"},
                                          {"samples", 120},
                                          {"temperatures", {0.7, 1.4}},
                                          {"judge_tokens", 40000},
                                          {"judge_width", 32},
                                          {"judge_depth", 1}}),
                                {});
  const auto& metrics = m.metrics;
  EXPECT_NEAR(metrics.at("quality.judge_loss"), metrics.at("quality.judge_loss_held_out"), 0.15);
  EXPECT_NEAR(metrics.at("quality.entropy"), metrics.at("quality.entropy_held_out"), 0.15);
  EXPECT_NEAR(metrics.at("quality.entropy_within"), metrics.at("quality.entropy_within_held_out"),
              0.15);
  EXPECT_GT(metrics.at("quality.entropy_model"), 0);
  EXPECT_GT(metrics.at("quality.mauve"), metrics.at("quality.mauve_untrained"));
  EXPECT_GT(metrics.at("quality.mauve_smoothed"), metrics.at("quality.mauve_smoothed_untrained"));
  EXPECT_LT(metrics.at("quality.frontier"), metrics.at("quality.frontier_untrained"));
  EXPECT_LT(metrics.at("quality.judge_loss"), metrics.at("quality.judge_loss_untrained") - 0.2);
  EXPECT_LT(metrics.at("quality.entropy"), metrics.at("quality.entropy_untrained"));
  EXPECT_LT(metrics.at("quality.self_bleu_untrained"), metrics.at("quality.self_bleu"));
  EXPECT_EQ(m.details.at("temperatures").size(), 3u);
  EXPECT_NEAR(metrics.at("quality.judge_loss_matched"), metrics.at("quality.judge_loss_held_out"),
              0.15);
  EXPECT_GT(metrics.at("quality.mauve_matched"), metrics.at("quality.mauve_untrained"));
  EXPECT_LT(metrics.at("quality.frontier_matched"), metrics.at("quality.frontier_untrained"));
  for (const char* name : {"self_bleu", "repetition", "distinct_1", "distinct_2", "distinct_3"}) {
    const std::string full = std::string("quality.") + name;
    EXPECT_NEAR(metrics.at(full + "_matched"), metrics.at(full + "_held_out"), 0.1) << name;
  }
}

TEST_F(Judges, RefuseACorpusThatHoldsOutTooLittle) {
  Oracle oracle(uniform_rule(world_.vocabulary()));
  Subject one = subject(oracle);
  data::CorpusContent content{.ordinary = 12, .about = {{"kind", "language"}}};
  content.training.tokens = content.held_out.tokens = {begin_token, 16, end_token};
  content.training.documents = content.held_out.documents = 1;
  const data::Corpus tiny = stored(content);
  const Subject other{.seed = 1,
                      .model = one.model,
                      .phase = one.phase,
                      .corpus = tiny,
                      .network = oracle,
                      .cache = cache_,
                      .reference = one.reference};
  EXPECT_THROW(Judge::of(other, kSmallJudge, [](double) {}), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::probes
