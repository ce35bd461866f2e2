// Properties of drawn text: from the exact predictor it has the distribution of the language.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/probes/generation/drawing/ancestral.h"
#include "harness/probes/generation/drawing/drawn_texts.h"
#include "harness/probes/generation/samplers/common/continuing.h"
#include "harness/probes/generation/samplers/common/unmasking.h"
#include "tests/harness/probes/cloze/asking.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

const Json kCausal = {{"type", "causal_lm"}};
const Json kMasked = {
    {"type", "masked_lm"}, {"mask_share", 1.0}, {"random_share", 0.0}, {"rate", 0.5}};

Oracle exact(const SmallWorld& world, const Json& objective) {
  const ObjectiveSpec& spec = objective_named(objective.at("type"));
  Json given = objective;
  given.erase("type");
  return Oracle(world.language.chain(),
                exact_rule(world.language.chain(), spec, Params(spec.params, given)));
}

Json probe(Json params = Json::object()) {
  params["type"] = "generation";
  return params;
}

double log_of(const Chain& chain, std::span<const Token> tokens) {
  return log_probability(chain, static_cast<std::int64_t>(tokens.size()),
                         emission_likelihood(chain, tokens), true);
}

TEST(Generation, OfTheExactCausalPredictorDoesNotDivergeFromTheLanguage) {
  const SmallWorld world;
  Oracle network = exact(world, kCausal);
  const Measurement m = measured(world, trial_of(kCausal), network, probe({{"samples", 40}}));
  EXPECT_NEAR(m.metrics.at("generation.divergence"), 0, 1e-5);
  EXPECT_NEAR(m.metrics.at("generation.entropy"), -m.metrics.at("generation.log_probability"),
              1e-5);
}

// A sample of 300 texts of some 15 tokens against 200 documents. Deviation of a token's
// log-probability is below 1.2 and tokens are nearly uncorrelated given the past: 1.2 / sqrt(3000)
// = .022 on each side, .031 for the difference; 4 of it.
TEST(Generation, OfTheExactPredictorIsAsLikelyAsHeldOutText) {
  const SmallWorld world;
  for (const Json& objective : {kCausal, kMasked}) {
    Oracle network = exact(world, objective);
    const Measurement m =
        measured(world, trial_of(objective), network, probe({{"samples", 300}, {"steps", 0}}));
    EXPECT_NEAR(m.metrics.at("generation.log_probability"), m.metrics.at("generation.reference"),
                0.13)
        << objective;
  }
}

// In place or at the place before: the same probabilities, the same draws.
TEST(Generation, OfMaskedTokensDoesNotDependOnWhereTheyAreReadOut) {
  const SmallWorld world;
  Json next = kMasked;
  next["readout"] = "next";
  const auto drawn = [&](const Json& objective) {
    Oracle network = exact(world, objective);
    return measured(world, trial_of(objective), network, probe({{"samples", 40}, {"steps", 0}}))
        .metrics;
  };
  const auto in_place = drawn(kMasked), before = drawn(next);
  for (const char* name : {"generation.log_probability", "generation.distinct_2"})
    EXPECT_EQ(before.at(name), in_place.at(name)) << name;
}

TEST(Generation, OfAUniformModelHasTheEntropyOfWhatItMayDraw) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  const Measurement m = measured(world, trial_of(kCausal), network, probe());
  EXPECT_NEAR(m.metrics.at("generation.entropy"), std::log(world.vocabulary().ordinary + 1), 1e-6);
  EXPECT_GT(m.metrics.at("generation.divergence"), 0.1);
  EXPECT_LT(m.metrics.at("generation.log_probability"), m.metrics.at("generation.reference"));
}

TEST(Generation, HasTheTextsOfTheUntrainedModelAsItsFloor) {
  const SmallWorld world;
  Oracle network = exact(world, kCausal);
  const auto& metrics = measured(world, trial_of(kCausal), network, probe()).metrics;
  Oracle uniform(world.language.chain(), uniform_rule(world.vocabulary()));
  EXPECT_EQ(
      metrics.at("generation.untrained"),
      measured(world, trial_of(kCausal), uniform, probe()).metrics.at("generation.log_probability"))
      << "the fixture's untrained model is uniform";
  EXPECT_LT(metrics.at("generation.untrained"), metrics.at("generation.log_probability"));
}

TEST(Generation, SaysWhyTextsOfUnmaskingHaveNoEntropyOfTheirOwn) {
  const SmallWorld world;
  Oracle network = exact(world, kMasked);
  const Measurement m = measured(world, trial_of(kMasked), network, probe({{"samples", 3}}));
  EXPECT_EQ(m.details.at("absent").at("generation.entropy"), kNoExactProbability);
  EXPECT_EQ(m.details.at("scheme"), "unmasking in random order");
}

TEST(Generation, SaysWhyTextsThatAllEndAtOnceHaveNoProbabilityAndNoDistinctTokens) {
  const SmallWorld world;
  Oracle network(world.language.chain(), [&](const Seen&) {
    std::vector<double> logits(static_cast<std::size_t>(world.vocabulary().size()), 0.0);
    logits[end_token] = 100;
    return logits;
  });
  plan::Trial trial = trial_of({{"type", "span_corruption"}});
  trial.shape = {48, 48};
  const Measurement m = measured(world, trial, network, probe());
  EXPECT_EQ(m.metrics.at("generation.impossible"), 1);
  EXPECT_EQ(m.details.at("tokens"), 64) << "an end token each";
  const Json& absent = m.details.at("absent");
  for (const char* name : {"log_probability", "entropy", "divergence"})
    EXPECT_THAT(absent.at(fmt::format("generation.{}", name)).get<std::string>(),
                ::testing::HasSubstr("none of its texts"));
  EXPECT_THAT(absent.at("generation.distinct_1").get<std::string>(),
              ::testing::HasSubstr("fewer tokens"));
}

TEST(Generation, IsTheSameEveryTimeAndAnotherForAnotherSeed) {
  const SmallWorld world;
  for (const Json& objective : {kCausal, kMasked}) {
    Oracle network = exact(world, objective);
    plan::Trial trial = trial_of(objective);
    const Measurement first = measured(world, trial, network, probe({{"samples", 5}}));
    EXPECT_EQ(measured(world, trial, network, probe({{"samples", 5}})).samples, first.samples);
    trial.seed = 2;
    EXPECT_NE(measured(world, trial, network, probe({{"samples", 5}})).samples, first.samples);
  }
}

/// The first word of each stored sample: the prompt, drawn from held-out documents.
std::vector<std::string> prompts_of(const Measurement& measurement) {
  std::vector<std::string> prompts;
  for (const Json& sample : measurement.samples) {
    const std::string text = sample.at("text");
    const std::size_t second = text.find(' ') + 1;  // after the begin token
    prompts.push_back(text.substr(0, text.find(' ', second)));
  }
  return prompts;
}

TEST(Generation, HasTheSameReferencesAndPromptsInAllArmsOfASeedAndOthersInOtherSeeds) {
  const Json more = {{"held_out_tokens", 20000}};  // some 1200 documents; 512 are references
  const SmallWorld world(more);
  const auto of_seed = [&](const Json& objective, std::int64_t seed) {
    Oracle network = exact(world, objective);
    plan::Trial trial = trial_of(objective);
    trial.seed = seed;
    return measured(world, trial, network, probe({{"samples", 8}, {"prompt", 1}, {"steps", 2}}));
  };
  const Measurement one = of_seed(kCausal, 1), same = of_seed(kMasked, 1),
                    other = of_seed(kCausal, 2);
  const char* const reference = "generation.reference";
  EXPECT_EQ(one.metrics.at(reference), same.metrics.at(reference));
  EXPECT_NE(one.metrics.at(reference), other.metrics.at(reference));
  EXPECT_EQ(prompts_of(one), prompts_of(same));
  EXPECT_NE(prompts_of(one), prompts_of(other));
}

TEST(Generation, DrawsEachSampleWhateverOthersAreDrawn) {
  const SmallWorld world;
  for (const Json& objective : {kCausal, kMasked}) {
    Oracle network = exact(world, objective);
    const Json few =
        measured(world, trial_of(objective), network, probe({{"samples", 3}, {"steps", 0}}))
            .samples;
    const Json many =
        measured(world, trial_of(objective), network, probe({{"samples", 70}, {"steps", 0}}))
            .samples;
    for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i], many[i]) << objective << i;
  }
}

TEST(Generation, KeepsEightSamplesAtMost) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  EXPECT_EQ(measured(world, trial_of(kCausal), network, probe({{"samples", 3}})).samples.size(),
            3u);
  EXPECT_EQ(measured(world, trial_of(kCausal), network, probe({{"samples", 12}})).samples.size(),
            8u);
}

TEST(Generation, SaysWhatIsWrongWithALengthOrAPrompt) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  EXPECT_THROW(measured(world, trial_of(kCausal), network, probe({{"length", 25}})),
               std::invalid_argument);
  EXPECT_THROW(measured(world, trial_of(kCausal), network, probe({{"prompt", 23}})),
               std::invalid_argument);
}

TEST(Generation, OfThePromptedExactPredictorDoesNotDivergeEither) {
  const SmallWorld world;
  Oracle network = exact(world, kCausal);
  const Measurement m =
      measured(world, trial_of(kCausal), network, probe({{"samples", 20}, {"prompt", 4}}));
  EXPECT_NEAR(m.metrics.at("generation.divergence"), 0, 1e-5);
}

TEST(Generation, StoresThePromptsThatSamplesBeginWith) {
  const SmallWorld world;
  for (const Json& objective : {kCausal, kMasked}) {
    Oracle network = exact(world, objective);
    const Measurement m = measured(world, trial_of(objective), network,
                                   probe({{"samples", 3}, {"prompt", 2}, {"steps", 1}}));
    for (const Json& sample : m.samples) {
      const std::string prompt = sample.at("about").at("prompt");
      EXPECT_EQ(std::count(prompt.begin(), prompt.end(), ' '), 2) << "begin token and two words";
      EXPECT_TRUE(sample.at("text").get<std::string>().starts_with(prompt + " "));
    }
    const Measurement free =
        measured(world, trial_of(objective), network, probe({{"samples", 3}, {"steps", 1}}));
    for (const Json& sample : free.samples) EXPECT_FALSE(sample.at("about").contains("prompt"));
  }
}

const Json kSamplers = {"ancestral", "greedy", "beam", "random_order", "mask_predict"};

TEST(GenerationSamplers, LeaveTheUsualMetricsAndSamplesAsTheyWere) {
  const SmallWorld world;
  for (const Json& objective : {kCausal, kMasked}) {
    Oracle network = exact(world, objective);
    const Measurement usual =
        measured(world, trial_of(objective), network, probe({{"samples", 9}, {"steps", 0}}));
    const Measurement more = measured(
        world, trial_of(objective), network,
        probe(
            {{"samples", 9}, {"steps", 0}, {"samplers", kSamplers}, {"temperatures", {0.6, 1.6}}}));
    for (const auto& [name, value] : usual.metrics) EXPECT_EQ(more.metrics.at(name), value) << name;
    for (std::size_t i = 0; i < usual.samples.size(); ++i)
      EXPECT_EQ(more.samples.at(i), usual.samples.at(i));
  }
}

TEST(GenerationSamplers, OfTheExactPredictorReachTheReferenceAtEqualEntropyAndGreedyOnesDiverge) {
  const SmallWorld world;
  Oracle network = exact(world, kCausal);
  const Measurement m =
      measured(world, trial_of(kCausal), network,
               probe({{"samples", 200}, {"samplers", kSamplers}, {"temperatures", {0.7, 1.5}}}));
  const auto& metrics = m.metrics;
  EXPECT_EQ(metrics.at("generation.log_probability_ancestral"),
            metrics.at("generation.log_probability"));
  EXPECT_NEAR(metrics.at("generation.divergence_ancestral"), 0, 1e-5);
  // As for the samples at temperature 1, with the error of finding the entropy.
  EXPECT_NEAR(metrics.at("generation.log_probability_matched"), metrics.at("generation.reference"),
              0.25);
  EXPECT_GT(metrics.at("generation.log_probability_greedy"), metrics.at("generation.reference"));
  EXPECT_GT(metrics.at("generation.divergence_greedy"), 0.5);
  EXPECT_EQ(metrics.at("generation.entropy_beam"), 0);
  EXPECT_EQ(metrics.at("generation.divergence_beam"),
            -metrics.at("generation.log_probability_beam"));
  EXPECT_LT(metrics.at("generation.distinct_3_greedy"), metrics.at("generation.distinct_3"));
  EXPECT_FALSE(metrics.contains("generation.log_probability_random_order")) << "it fills masks";
  const Json& curves = m.details.at("samplers");
  EXPECT_EQ(curves.at("ancestral").size(), 3u);
  EXPECT_EQ(curves.at("greedy").size(), 1u) << "no temperature changes it";
  EXPECT_LT(curves.at("ancestral")[0].at("token_entropy"),
            curves.at("ancestral")[2].at("token_entropy"));
  EXPECT_GT(curves.at("ancestral")[0].at("log_probability"),
            curves.at("ancestral")[2].at("log_probability"));
}

TEST(GenerationSamplers, FillTheSameBlanksWhereTheFormatShowsBothSides) {
  const SmallWorld world;
  const Json settings = probe({{"samples", 3},
                               {"samplers", {"ancestral", "beam", "random_order", "gibbs"}},
                               {"infill", {{"documents", 2}, {"tokens", 2}}}});
  const auto blanks = [&](const Json& objective, train::Network& network) {
    std::map<std::string, std::set<std::string>> samplers_by_text;
    plan::Trial trial = trial_of(objective);
    trial.shape = {24, 0};
    for (const Json& sample : measured(world, trial, network, settings).samples)
      if (sample.at("about").contains("truth"))
        samplers_by_text[sample.at("about").at("shown")].insert(sample.at("about").at("sampler"));
    return samplers_by_text;
  };
  Oracle causal = exact(world, kCausal), masked = exact(world, kMasked);
  EXPECT_TRUE(blanks(kCausal, causal).empty()) << "it is not shown what is right of a blank";
  const auto by_masks = blanks(kMasked, masked);
  EXPECT_EQ(by_masks.size(), 2u);
  for (const auto& [text, samplers] : by_masks) {
    EXPECT_NE(text.find("___"), std::string::npos);
    EXPECT_EQ(samplers, (std::set<std::string>{"gibbs", "random_order"}));
  }
  Oracle infilling(world.language.chain(), uniform_rule(world.vocabulary()));
  const auto in_the_middle = blanks({{"type", "fill_in_the_middle"}}, infilling);
  EXPECT_EQ(in_the_middle.size(), 2u);
  for (const auto& [text, samplers] : in_the_middle) {
    EXPECT_TRUE(by_masks.contains(text)) << "the same blanks for all arms";
    EXPECT_EQ(samplers, (std::set<std::string>{"ancestral", "beam"}));
  }
}

TEST(GenerationSamplers, FillBlanksInTheOrderOfThePartsThatIsBetterOnHeldOutDocuments) {
  const SmallWorld world;
  const Json settings = probe(
      {{"samples", 3}, {"samplers", {"ancestral"}}, {"infill", {{"documents", 4}, {"tokens", 2}}}});
  for (const char* order : {"spm", "psm"}) {
    Oracle network(world.language.chain(), knowing(order, world.vocabulary()));
    plan::Trial trial = trial_of({{"type", "fill_in_the_middle"}});
    trial.shape = {24, 0};
    int filled = 0;
    for (const Json& sample : measured(world, trial, network, settings).samples) {
      if (!sample.at("about").contains("truth")) continue;
      ++filled;
      const auto drawn = sample.at("about").at("drawn").get<std::string>();
      EXPECT_EQ(std::ranges::count(drawn, ' '), 1) << order << ": two words, since no stop is text";
    }
    EXPECT_EQ(filled, 4);
  }
}

Sampler sampler_of(const SmallWorld& world, train::Network& network) {
  return {.network = network, .vocabulary = world.vocabulary(), .rng = Rng(3)};
}

TEST(DrawLeftToRight, StatesTheLogProbabilityThatTheChainGivesOfWhatItDrew) {
  const SmallWorld world;
  Oracle network = exact(world, kCausal);
  const std::vector<std::vector<Token>> starts(5, {begin_token});
  for (const Sample& sample :
       draw_left_to_right(sampler_of(world, network), starts, 24, [](double) {})) {
    const auto drawn = std::span(sample.tokens).subspan(1);
    EXPECT_NEAR(sample.log_probability, log_of(world.language.chain(), drawn), 1e-4);
    EXPECT_LE(sample.tokens.size(), 24u);
    EXPECT_TRUE(sample.tokens.size() == 24 || sample.tokens.back() == end_token);
  }
}

/// Counts how often it is asked whether it reads step by step.
class AskedForSteps : public Oracle {
 public:
  explicit AskedForSteps(Oracle oracle) : Oracle(std::move(oracle)) {}
  std::optional<train::DecodingState> decoding(std::int64_t) const override {
    ++asked;
    return std::nullopt;
  }
  mutable int asked = 0;
};

TEST(DrawLeftToRight, KeepsNothingBetweenTokensAsSpeculativeDecodingDoesBesideIt) {
  const SmallWorld world;
  AskedForSteps network(exact(world, kCausal));
  const std::vector<std::vector<Token>> starts(2, {begin_token});
  draw_left_to_right(sampler_of(world, network), starts, 8, [](double) {});
  EXPECT_EQ(network.asked, 0);
  const std::vector<UnfinishedText> texts(2, {{begin_token}, 1});
  continue_by_draws(sampler_of(world, network).source(Attention::causal),
                    {.texts = texts, .length = 8});
  EXPECT_GT(network.asked, 0);
}

TEST(FillMasks, FillsEveryMaskAndTouchesNothingElse) {
  const SmallWorld world;
  Oracle network = exact(world, kMasked);
  const std::vector<UnfinishedText> masked = {
      {{begin_token, 17, mask_token, mask_token, mask_token, end_token}, 2},
      {{begin_token, mask_token}, 1},
      {{begin_token, 18, 19, end_token}, 3}};
  for (const std::int64_t rounds : {0, 1, 2, 100}) {
    const auto samples = fill_masks(sampler_of(world, network).source(Attention::bidirectional),
                                    {.texts = masked, .rounds = rounds}, UnmaskingOrder::random);
    ASSERT_EQ(samples.size(), masked.size());
    for (std::size_t i = 0; i < masked.size(); ++i)
      for (std::size_t t = 0; t < masked[i].tokens.size(); ++t) {
        const Token before = masked[i].tokens[t], after = samples[i].tokens[t];
        EXPECT_TRUE(before == mask_token ? world.vocabulary().is_ordinary(after) : after == before);
      }
  }
}

// Two neighbours that always agree: drawn one a round they do, drawn at once they need not.
TEST(FillMasks, ReadsWhatItDrewInTheRoundsBefore) {
  const SmallWorld world;
  const auto size = static_cast<std::size_t>(world.vocabulary().size());
  Oracle copying(world.language.chain(), [size](const Seen& seen) {
    std::vector<double> logits(size, 0.0);
    for (const Token token : seen.visible)
      if (token >= special_count) logits[static_cast<std::size_t>(token)] = 100;
    return logits;
  });
  const std::vector<UnfinishedText> masked(20,
                                           {{begin_token, mask_token, mask_token, end_token}, 1});
  const auto agreeing = [&](std::int64_t rounds) {
    int count = 0;
    for (const Sample& s : fill_masks(sampler_of(world, copying).source(Attention::bidirectional),
                                      {.texts = masked, .rounds = rounds}, UnmaskingOrder::random))
      count += s.tokens[1] == s.tokens[2];
    return count;
  };
  EXPECT_EQ(agreeing(0), 20);
  EXPECT_LT(agreeing(1), 20);
}

}  // namespace
}  // namespace ablate::probes
