// Masks that are predicted as the objective lays them out: whatever was kept of what was read before, and
// exactly where the predictor is exact.

#include "harness/probes/generation/drawing/unmasking_source.h"

#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/plan/resolve/pair.h"
#include "harness/probes/decoding/logits.h"
#include "harness/probes/documents.h"
#include "harness/probes/generation/samplers/registry.h"
#include "models/registry.h"
#include "models/specs/head_specs.h"
#include "models/specs/transformer_spec.h"
#include "tests/harness/probes/cloze/asking.h"

namespace ablate::probes {
namespace {

using namespace testing;

constexpr std::size_t kFilledLength = 14;

std::unique_ptr<train::Network> small_network(const Subject& subject) {
  train::NetworkSettings settings;
  settings.model =
      Params(models::transformer_spec().params, {{"depth", 2}, {"width", 16}, {"heads", 2}});
  settings.hosting = {subject.vocabulary(), subject.phase.objective.needs, {32, 0}};
  auto network = models::build_network("transformer", settings);
  train::initialise(*network, {3});
  return network;
}

std::vector<UnfinishedText> masked_texts(std::size_t count) {
  std::vector<UnfinishedText> texts;
  for (std::size_t i = 0; i < count; ++i) {
    UnfinishedText& text = texts.emplace_back();
    text.tokens = {begin_token, special_count + static_cast<Token>(i % 4)};
    text.given = 2;
    text.tokens.resize(kFilledLength - i % 3, mask_token);
    text.tokens.back() = end_token;
  }
  return texts;
}

TEST(UnmaskingSource, PredictsWhatTheWholeRowsGiveAndReadsLess) {
  const at::NoGradGuard no_gradient;
  const SmallWorld world;
  for (const Json& objective :
       {Json{{"type", "block_diffusion"}, {"block", 3}}, Json{{"type", "permutation_lm"}}}) {
    Oracle unused(uniform_rule(world.vocabulary()));
    with_subject(world, objective, unused, [&](const Subject& given) {
      const auto network = small_network(given);
      const Subject subject = given.with(*network);
      TokenSource source = unmasking_source(
          subject, {.network = *network, .vocabulary = subject.vocabulary(), .rng = Rng(5)});
      EXPECT_EQ(source.block, objective.contains("block") ? 3u : 0u);
      std::size_t compared = 0;
      source.predict = [&, own = source.predict](std::span<const std::span<const Token>> texts,
                                                 std::span<const Place> places) {
        const std::vector<float> logits = own(texts, places);
        const std::size_t width = logits.size() / places.size();
        for (std::size_t i = 0; i < places.size(); ++i) {
          const std::size_t at[] = {places[i].position};
          const Example example = subject.phase.objective.unmask(texts[places[i].document], at);
          const data::Batch batch = example_batch({&example, 1}, subject.phase.objective.needs);
          const Place place[] = {
              {0, static_cast<std::size_t>(batch.scored.front().positions.front())}};
          const std::vector<float> alone = batch_logits(*network, batch, place, "cpu");
          for (std::size_t v = 0; v < width; ++v)
            EXPECT_NEAR(logits[i * width + v], alone[v], 1e-4);
          ++compared;
        }
        return logits;
      };
      const std::vector<UnfinishedText> texts = masked_texts(6);
      const auto samples = drawn_by(sampler_named("random_order"), source, {.texts = texts});
      EXPECT_GT(compared, 40u);
      for (const Sample& sample : samples)
        EXPECT_EQ(std::ranges::count(sample.tokens, Token{mask_token}), 0);
    });
  }
}

TEST(UnmaskingSource, FillsBlocksFromLeftToRight) {
  const SmallWorld world;
  Oracle oracle(uniform_rule(world.vocabulary()));
  with_subject(
      world, {{"type", "block_diffusion"}, {"block", 4}}, oracle, [&](const Subject& subject) {
        TokenSource source = unmasking_source(
            subject, {.network = oracle, .vocabulary = subject.vocabulary(), .rng = Rng(5)});
        std::size_t last = 0;
        source.predict = [&, own = source.predict](std::span<const std::span<const Token>> texts,
                                                   std::span<const Place> places) {
          for (const Place& place : places) {
            EXPECT_GE(place.position / 4, last);
            last = place.position / 4;
            // What stands in earlier blocks is filled.
            for (std::size_t at = 0; at < place.position / 4 * 4; ++at)
              EXPECT_NE(texts[place.document][at], mask_token);
          }
          return own(texts, places);
        };
        const std::vector<UnfinishedText> texts = masked_texts(1);
        for (const char* sampler :
             {"random_order", "left_to_right", "confidence_order", "semi_autoregressive"}) {
          last = 0;
          const SamplerSpec& spec = sampler_named(sampler);
          EXPECT_TRUE(spec.draws(Generation::blocks));
          drawn_by(spec, source, {.texts = texts, .options = Params(spec.params, Json::object())});
          EXPECT_EQ(last, (kFilledLength - 2) / 4) << sampler;
        }
        for (const char* sampler : {"gibbs", "mask_predict", "ancestral"})
          EXPECT_FALSE(sampler_named(sampler).draws(Generation::blocks)) << sampler;
      });
}

}  // namespace
}  // namespace ablate::probes
