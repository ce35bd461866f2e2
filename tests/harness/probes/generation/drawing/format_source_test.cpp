// Text drawn through the format of an objective: as a causal model draws it where the format is that
// of one, and up to the token by which the format stops.

#include "harness/probes/generation/drawing/format_source.h"

#include <ATen/core/grad_mode.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "harness/probes/generation/drawing/drawn_texts.h"
#include "harness/probes/generation/samplers/registry.h"
#include "models/registry.h"
#include "models/specs/encoder_decoder_spec.h"
#include "models/specs/head_specs.h"
#include "models/specs/transformer_spec.h"
#include "tests/harness/probes/cloze/asking.h"

namespace ablate::probes {
namespace {

using namespace testing;

constexpr std::size_t kTextLength = 24;

/// A begin token and two tokens of prompt each.
std::vector<UnfinishedText> prompts(std::size_t count) {
  std::vector<UnfinishedText> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto token = static_cast<Token>(i % 4);
    texts.push_back({{begin_token, special_count + token, special_count + 3 - token}, 3});
  }
  return texts;
}

Sampler sampler_of(const Subject& subject, train::Network& network) {
  return {.network = network, .vocabulary = subject.vocabulary(), .rng = Rng(3)};
}

TEST(FormatSource, DrawsThroughTheFormatOfCausalLmWhatACausalModelDraws) {
  const SmallWorld world;
  Oracle network(exact_rule(world.language.chain(), objective_named("causal_lm"), Params()));
  with_subject(world, {{"type", "causal_lm"}}, network, [&](const Subject& subject) {
    const std::vector<UnfinishedText> texts = prompts(70);
    const Sampler sampler = sampler_of(subject, network);
    for (const char* name : {"ancestral", "greedy", "beam"}) {
      const SamplerSpec& spec = sampler_named(name);
      const DrawTask task{
          .texts = texts, .length = kTextLength, .options = Params(spec.params, Json::object())};
      const auto plain = drawn_by(spec, sampler.source(Attention::causal), task);
      const auto through = drawn_by(spec, format_source(subject, sampler, 3, kTextLength), task);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT_EQ(through[i].tokens, plain[i].tokens) << name << i;
        EXPECT_EQ(through[i].log_probability, plain[i].log_probability) << name << i;
      }
    }
  });
}

/// Logits that are high for one token, whatever is read.
Oracle::Rule pinned_to(Token token, const Vocabulary& vocabulary) {
  return [token, size = static_cast<std::size_t>(vocabulary.size())](const Seen&) {
    std::vector<double> logits(size, 0.0);
    logits[static_cast<std::size_t>(token)] = 100;
    return logits;
  };
}

std::vector<Sample> drawn_through(const Subject& subject, train::Network& network) {
  const std::vector<UnfinishedText> texts = prompts(3);
  const SamplerSpec& spec = sampler_named("ancestral");
  return drawn_by(spec, format_source(subject, sampler_of(subject, network), 3, kTextLength),
                  {.texts = texts, .length = kTextLength});
}

TEST(FormatSource, EndsTextsByTheTokenThatStopsTheFormat) {
  const SmallWorld world;
  const Vocabulary vocabulary = world.vocabulary();
  for (const char* name : {"span_corruption", "mixture_of_denoisers", "denoising"}) {
    Oracle ending(pinned_to(end_token, vocabulary));
    with_subject(world, {{"type", name}}, ending, [&](const Subject& subject) {
      for (const Sample& sample : drawn_through(subject, ending)) {
        EXPECT_EQ(sample.tokens.size(), 4u) << name;
        EXPECT_EQ(sample.tokens.back(), end_token) << name;
      }
    });
  }
}

TEST(FormatSource, TakesTheStopTokenFromTheFormatAndNoOtherEnd) {
  const SmallWorld world;
  const Vocabulary vocabulary = world.vocabulary();
  const Token stop = vocabulary.sentinel(1);
  const plan::ResolvedModel model = any_model(vocabulary);
  plan::ResolvedPhase phase = phase_of(trial_of({{"type", "span_corruption"}}), model);
  phase.shape = {2 * phase.context, 2 * phase.context};
  phase.objective.cloze_stop = [stop](const Cloze&) {
    return std::vector<Example>{{.targets = {special_count, stop}, .weights = {0, 1}}};
  };
  const auto lengths_when_pinned_to = [&](Token token) {
    Oracle network(pinned_to(token, vocabulary));
    const Subject subject{
        .model = model, .phase = phase, .corpus = world.corpus, .network = network};
    std::vector<std::size_t> lengths;
    for (const Sample& sample : drawn_through(subject, network))
      lengths.push_back(sample.tokens.size());
    return lengths;
  };
  EXPECT_EQ(lengths_when_pinned_to(stop), (std::vector<std::size_t>{4, 4, 4}));
  for (const std::size_t length : lengths_when_pinned_to(special_count + 1))
    EXPECT_EQ(length, kTextLength) << "an ordinary token is text";
}

TEST(FormatSource, DrawsAsMuchAsTheMarksOfTheFormatLeaveRoomFor) {
  const SmallWorld world;
  Oracle network(uniform_rule(world.vocabulary()));
  const auto longest = [&](const char* name, const RowShape& shape, std::size_t given) {
    const plan::ResolvedModel model = any_model(world.vocabulary());
    plan::ResolvedPhase phase = phase_of(trial_of({{"type", name}}), model);
    phase.shape = shape;
    return longest_through_format(
        {.model = model, .phase = phase, .corpus = world.corpus, .network = network}, given, 24);
  };
  EXPECT_EQ(longest("causal_lm", {24, 0}, 3), 24u) << "it has no marks";
  EXPECT_EQ(longest("span_corruption", {24, 0}, 3), 21u) << "two sentinels and an end token";
  EXPECT_EQ(longest("span_corruption", {48, 0}, 3), 24u);
  EXPECT_EQ(longest("denoising", {24, 0}, 3), 20u) << "it writes the prompt again, and has a mask";
  EXPECT_EQ(longest("denoising", {24, 0}, 20), 20u) << "nothing can be drawn";
}

/// A small network with initial weights that are some times as large, so that what it predicts
/// depends on all that it reads.
std::unique_ptr<train::Network> network_on(bool encoder, const Vocabulary& vocabulary,
                                           const plan::ResolvedPhase& phase) {
  train::NetworkSettings settings;
  settings.model =
      Params(encoder ? models::encoder_decoder_spec().params : models::transformer_spec().params,
             {{"depth", 1}, {"width", 16}, {"heads", 2}, {"context", kTextLength}});
  settings.hosting = {vocabulary, phase.objective.needs, phase.shape};
  auto network = models::build_network(encoder ? "encoder_decoder" : "transformer", settings);
  train::initialise(*network, {1});
  for (train::Parameter& parameter : network->parameters())
    if (parameter.deviation > 0) parameter.value.mul_(4);
  network->parameters_changed();
  return network;
}

Measurement generated(const SmallWorld& world, const char* objective, bool encoder) {
  const BackboneSpec backbone =
      encoder ? models::encoder_decoder_spec() : models::transformer_spec();
  const plan::ResolvedModel model{&backbone, {}, world.vocabulary(), models::head_specs()};
  plan::ResolvedPhase phase = phase_of(trial_of({{"type", objective}}), model);
  const auto context = static_cast<std::int64_t>(kTextLength);
  phase.shape = encoder ? RowShape{context, context} : RowShape{2 * context, 0};
  const at::NoGradGuard no_gradients;
  const auto network = network_on(encoder, world.vocabulary(), phase);
  const Subject subject{
      .seed = 1,
      .model = model,
      .phase = phase,
      .corpus = world.corpus,
      .language = &world.language,
      .network = *network,
      .untrained = [&] { return network_on(encoder, world.vocabulary(), phase); }};
  return measure(subject,
                 probe_of({{"type", "generation"},
                           {"samples", 20},
                           {"prompt", 2},
                           {"samplers", {"greedy"}},
                           {"infill", {{"documents", 1}, {"tokens", 2}}}}),
                 {});
}

TEST(FormatSource, YieldsTheMetricsOfGenerationOnBothBackbones) {
  const SmallWorld world;
  for (const bool encoder : {false, true})
    for (const char* objective : {"span_corruption", "mixture_of_denoisers", "denoising"}) {
      const Measurement m = generated(world, objective, encoder);
      for (const char* name : {"log_probability", "impossible", "untrained", "entropy",
                               "divergence", "distinct_1", "repetition", "entropy_greedy"})
        EXPECT_TRUE(m.metrics.contains(fmt::format("generation.{}", name)))
            << name << " of " << objective << (encoder ? " on two stacks" : "");
      EXPECT_EQ(m.details.at("scheme"), "through its format");
      EXPECT_FALSE(m.details.contains("absent"));
      EXPECT_EQ(m.metrics.at("generation.untrained"), m.metrics.at("generation.log_probability"))
          << "the model has its initial weights";
    }
}

}  // namespace
}  // namespace ablate::probes
