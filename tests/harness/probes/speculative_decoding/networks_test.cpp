// Speculative decoding by transformers: the same texts as plain decoding, whatever the kind
// of the heads, though it reads longer rows, and other kernels may meet them.

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include "harness/probes/documents.h"
#include "harness/probes/generation/drawing/ancestral.h"
#include "harness/probes/generation/token_filters/greedy.h"
#include "harness/probes/speculative_decoding/decoding.h"
#include "models/registry.h"
#include "models/specs/transformer_spec.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

constexpr std::int64_t kRow = 24;      // tokens of context
constexpr std::size_t kPrompts = 250;  // of each kind: a thousand in all
constexpr std::size_t kNetworkHeads = 3;

/// A small model whose weights are some times as large as initial ones, so that its next token
/// depends on all that it reads. Its drafts are right now and then, by chance.
std::unique_ptr<train::Network> erratic(const Vocabulary& vocabulary, const Needs& needs) {
  train::NetworkSettings settings;
  settings.model = Params(models::transformer_spec().params,
                          {{"depth", 4}, {"width", 16}, {"heads", 2}, {"context", kRow}});
  settings.hosting = {vocabulary, needs, {kRow, 0}};
  auto network = models::build_network("transformer", settings);
  train::initialise(*network, {1});
  for (train::Parameter& parameter : network->parameters())
    if (parameter.deviation > 0) parameter.value.mul_(6);
  network->parameters_changed();
  return network;
}

class SpeculativeNetworks : public ::testing::TestWithParam<std::string> {};

TEST_P(SpeculativeNetworks, ContinueEveryPromptAsPlainGreedyDecodingDoes) {
  const Json more = {{"held_out_tokens", 8000}};
  const SmallWorld world(more);
  const plan::ResolvedModel model = any_model(world.vocabulary());
  const Objective objective =
      phase_of(
          trial_of(
              {{"type", "multi_token_prediction"}, {"heads", kNetworkHeads}, {"kind", GetParam()}},
              "isolated", kRow),
          model)
          .objective;
  const at::NoGradGuard no_gradients;
  const auto network = erratic(world.vocabulary(), objective.needs);
  std::vector<std::vector<Token>> prompts;
  for (const auto document : documents_of(world.corpus.held_out(), SIZE_MAX))
    if (document.size() > 5 && prompts.size() < kPrompts)
      prompts.emplace_back(document.begin(), document.begin() + 5);
  ASSERT_EQ(prompts.size(), kPrompts);

  const Sampler sampler{*network, world.vocabulary(), "cpu", 1, Rng(3), greedy()};
  const std::vector<Sample> plain = draw_left_to_right(sampler, prompts, 17, [](double) {});
  DecodingTally tally;
  const std::vector<Sample> drafted =
      decode_speculatively(sampler, prompts, objective.needs.heads, 17, tally);
  for (std::size_t i = 0; i < prompts.size(); ++i)
    EXPECT_EQ(drafted[i].tokens, plain[i].tokens) << "prompt " << i;
  EXPECT_LT(tally.forwards, tally.tokens) << "no draft was right";
  EXPECT_LT(tally.by_head.front().accepted, tally.by_head.front().checked) << "none was wrong";
}

INSTANTIATE_TEST_SUITE_P(Kinds, SpeculativeNetworks,
                         ::testing::Values("transformer", "linear", "sequential", "shared"),
                         [](const auto& made) { return made.param; });

}  // namespace
}  // namespace ablate::probes
