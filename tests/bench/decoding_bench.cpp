// Drawing texts: 8 of at most 32 tokens from a model with initial weights, which cost what those of
// a trained one do.
//
//   decode/left_to_right/SAMPLER    one token a forward
//   decode/speculative/SAMPLER      drafts by further heads, verified by the first
//   decode/unmasking/rounds:N       several tokens a forward; 0: one
//
// Continuing texts to the end of the context, by models of the sizes S and M of other contexts:
//
//   continue/SIZE/READING/tokens:N  16 texts of N tokens, given 8; READING is `steps`, in which a token
//                                   is read once, or `whole`, in which texts are read again for each

#include <ATen/core/grad_mode.h>
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "harness/probes/decoding/logits.h"
#include "harness/probes/generation/drawing/ancestral.h"
#include "harness/probes/generation/samplers/common/continuing.h"
#include "harness/probes/generation/samplers/common/unmasking.h"
#include "harness/probes/generation/token_filters/greedy.h"
#include "harness/probes/generation/token_filters/top_k.h"
#include "harness/probes/generation/token_filters/top_p.h"
#include "harness/probes/speculative_decoding/decoding.h"
#include "harness/train/network/device.h"
#include "harness/train/network/tensor_memory.h"
#include "tests/bench/hosted.h"
#include "tests/bench/sizes.h"

namespace ablate::bench {
namespace {

constexpr std::size_t kDrawnTexts = 8;
constexpr std::int64_t kDrawnTokens = 32;

struct NamedFilter {
  const char* name;
  probes::TokenFilter filter;
};

std::vector<NamedFilter> filters() {
  return {{"all", {}},
          {"greedy", probes::greedy()},
          {"top_k", probes::top_k(10)},
          {"top_p", probes::top_p(0.9)}};
}

const BackboneSpec& transformer() {
  for (const BackboneSpec& backbone : models::backbone_specs())
    if (backbone.name == "transformer") return backbone;
  throw std::logic_error("the backbone 'transformer' is gone");
}

const ObjectiveSpec& spec_named(std::string_view name) {
  for (const ObjectiveSpec& spec : objectives::objective_specs())
    if (spec.name == name) return spec;
  throw std::logic_error(fmt::format("the objective '{}' is gone", name));
}

/// A model of an objective and what draws from it.
class Decoder {
 public:
  explicit Decoder(std::string_view objective, probes::TokenFilter filter = {})
      : hosted_(spec_named(objective), transformer()),
        network_(hosted_.network()),
        sampler_{.network = *network_,
                 .vocabulary = hosted_.vocabulary,
                 .rng = Rng(1),
                 .filter = std::move(filter)} {
    train::keep_tensor_memory();
    train::use_threads(1);
    network_->parameters_changed();
  }

  const probes::Sampler& sampler() const { return sampler_; }
  const std::vector<HeadNeed>& heads() const { return hosted_.objective.needs.heads; }

 private:
  Hosted hosted_;
  std::unique_ptr<train::Network> network_;
  probes::Sampler sampler_;
};

void count_drawn(benchmark::State& state, const std::vector<probes::Sample>& samples) {
  std::size_t tokens = 0;
  for (const probes::Sample& sample : samples) tokens += sample.tokens.size() - sample.given;
  state.counters["tokens/s"] =
      benchmark::Counter(static_cast<double>(tokens) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}

std::vector<std::vector<Token>> starts() {
  return std::vector<std::vector<Token>>(kDrawnTexts, {begin_token});
}

void left_to_right(benchmark::State& state, const probes::TokenFilter& filter) {
  const at::NoGradGuard no_gradient;
  const Decoder decoder("causal_lm", filter);
  std::vector<probes::Sample> samples;
  for (auto _ : state)
    samples = draw_left_to_right(decoder.sampler(), starts(), kDrawnTokens, [](double) {});
  count_drawn(state, samples);
}

void speculative(benchmark::State& state, const probes::TokenFilter& filter) {
  const at::NoGradGuard no_gradient;
  const Decoder decoder("multi_token_prediction", filter);
  std::vector<probes::Sample> samples;
  for (auto _ : state) {
    probes::DecodingTally tally;
    tally.by_head.resize(decoder.heads().size() - 1);
    samples =
        decode_speculatively(decoder.sampler(), starts(), decoder.heads(), kDrawnTokens, tally);
  }
  count_drawn(state, samples);
}

void unmasking(benchmark::State& state) {
  const at::NoGradGuard no_gradient;
  const Decoder decoder("masked_diffusion");
  std::vector<Token> masks(kDrawnTokens + 2, mask_token);
  masks.front() = begin_token;
  masks.back() = end_token;
  const std::vector<probes::UnfinishedText> texts(kDrawnTexts, {masks});
  std::vector<probes::Sample> samples;
  for (auto _ : state)
    samples =
        fill_masks(decoder.sampler().source(Attention::bidirectional),
                   {.texts = texts, .rounds = state.range(0)}, probes::UnmaskingOrder::random);
  count_drawn(state, samples);
}

Vocabulary vocabulary_of(const Size& size) {
  return {.ordinary = static_cast<Token>(size.vocabulary - special_count)};
}

/// A model of one of the table's sizes for texts of `context` tokens.
std::unique_ptr<train::Network> model_of(const Size& size, std::int64_t context) {
  train::NetworkSettings settings;
  settings.model = Params(
      transformer().params,
      {{"depth", size.depth}, {"width", size.width}, {"heads", size.heads}, {"context", context}});
  settings.hosting.vocabulary = vocabulary_of(size);
  auto network = models::build_network("transformer", settings);
  train::initialise(*network, {1});
  return network;
}

/// Never ends a text.
void endless(probes::TokenDistribution& distribution) {
  std::vector<std::uint8_t> kept(distribution.scores.size(), 1);
  kept.back() = 0;
  distribution.keep(kept);
}

void continue_texts(benchmark::State& state, const Size& size, bool steps) {
  constexpr std::size_t kTexts = 16, kGiven = 8;
  const at::NoGradGuard no_gradient;
  train::use_threads(1);
  train::keep_tensor_memory();
  const std::int64_t tokens = state.range(0);
  const auto network = model_of(size, tokens);
  const probes::Sampler sampler{
      .network = *network, .vocabulary = vocabulary_of(size), .rng = Rng(1), .filter = endless};
  probes::TokenSource source = sampler.source(Attention::causal);
  if (!steps)
    source.predict = [&](std::span<const std::span<const Token>> texts,
                         std::span<const probes::Place> places) {
      return probes::logits_at(*network, texts, Attention::causal, places, "cpu");
    };
  std::vector<Token> start(kGiven, special_count);
  start.front() = begin_token;
  const std::vector<probes::UnfinishedText> texts(kTexts, {start, kGiven});
  std::vector<probes::Sample> samples;
  for (auto _ : state)
    samples =
        continue_by_draws(source, {.texts = texts, .length = static_cast<std::size_t>(tokens)});
  count_drawn(state, samples);
}

const bool added_decoding = [] {
  for (const Size& size : kTableSizes)
    for (const bool steps : {true, false})
      benchmark::RegisterBenchmark(
          fmt::format("continue/{}/{}", size.name, steps ? "steps" : "whole").c_str(),
          continue_texts, size, steps)
          ->ArgName("tokens")
          ->Arg(128)
          ->Arg(256)
          ->Arg(512)
          ->Unit(benchmark::kMillisecond);

  for (const NamedFilter& each : filters()) {
    benchmark::RegisterBenchmark(fmt::format("decode/left_to_right/{}", each.name).c_str(),
                                 left_to_right, each.filter)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(fmt::format("decode/speculative/{}", each.name).c_str(),
                                 speculative, each.filter)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("decode/unmasking", unmasking)
      ->ArgName("rounds")
      ->Arg(0)
      ->Arg(8)
      ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace ablate::bench
