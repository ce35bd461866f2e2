// Measures decoding in which a model's further heads draft what its first head verifies.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/documents.h"
#include "harness/probes/generation/drawing/ancestral.h"
#include "harness/probes/generation/token_filters/greedy.h"
#include "harness/probes/measuring.h"
#include "harness/probes/speculative_decoding/decoding.h"

namespace ablate::probes {
namespace {

using Starts = std::vector<std::vector<Token>>;

constexpr std::ptrdiff_t kUntrainedPrompts = 32;  // by the initial weights: an anchor

constexpr const char* kBins[] = {"below 0.5 nats", "0.5 to 1 nats", "1 to 2 nats", "above 2 nats"};

/// The begin token and the first tokens of held-out documents that are longer.
Starts starts_of(const Subject& subject, const Params& params, const Rng& rng) {
  const auto given = static_cast<std::size_t>(params.integer("prompt")) + 1;
  const auto wanted = static_cast<std::size_t>(params.integer("prompts"));
  const auto documents = documents_of(subject.corpus.held_out(), SIZE_MAX);
  Starts starts;
  for (const std::size_t i : random_order(documents.size(), rng.fork("documents"))) {
    if (starts.size() == wanted) break;
    if (documents[i].size() <= given) continue;
    starts.emplace_back(documents[i].begin(),
                        documents[i].begin() + static_cast<std::ptrdiff_t>(given));
  }
  if (starts.empty())
    fail(
        "speculative_decoding: no held-out document is longer than the prompt of {} tokens; give a "
        "shorter prompt",
        given - 1);
  return starts;
}

/// The maximum tokens of a text, begin token included: drafts, too, must fit into the context.
std::size_t length_of(const Subject& subject, const Params& params) {
  const std::int64_t prompt = params.integer("prompt");
  if (prompt + 2 > subject.phase.context)
    reject(
        "speculative_decoding.prompt = {} leaves nothing to draw in a context of {} tokens; give "
        "at "
        "most {}",
        prompt, subject.phase.context, subject.phase.context - 2);
  return static_cast<std::size_t>(
      std::min(subject.phase.context, prompt + 1 + params.integer("tokens")));
}

/// Greedy decoding both ways, of the same texts.
struct Race {
  DecodingTally tally;
  std::int64_t agreed = 0;
  std::int64_t plain_positions = 0;  // that plain decoding reads
  double plain_seconds = 0, seconds = 0;
};

template <class Decode>
std::vector<Sample> timed(double& seconds, const Decode& decode) {
  const auto begun = std::chrono::steady_clock::now();
  std::vector<Sample> samples = decode();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return samples;
}

/// In turns, a group of texts after the other, each way first in half of them, so that a change of
/// the machine's speed meets both alike.
Race race(const Sampler& sampler, const Starts& starts, std::span<const HeadNeed> heads,
          std::size_t length, const ProgressSink& progress) {
  Race made;
  for (std::size_t first = 0; first < starts.size(); first += kSamplesAtOnce) {
    const auto from = starts.begin() + static_cast<std::ptrdiff_t>(first);
    const Starts group(
        from, from + static_cast<std::ptrdiff_t>(std::min(kSamplesAtOnce, starts.size() - first)));
    std::vector<Sample> plain, drafted;
    const auto decode_plain = [&] {
      plain = timed(made.plain_seconds, [&] {
        return draw_left_to_right(sampler, group, static_cast<std::int64_t>(length), [](double) {});
      });
    };
    const bool plain_first = first / kSamplesAtOnce % 2 == 0;
    if (plain_first) decode_plain();
    drafted = timed(made.seconds, [&] {
      return decode_speculatively(sampler, group, heads, length, made.tally);
    });
    if (!plain_first) decode_plain();
    for (std::size_t i = 0; i < group.size(); ++i) {
      made.agreed += plain[i].tokens == drafted[i].tokens ? 1 : 0;
      for (std::size_t read = plain[i].given; read < plain[i].tokens.size(); ++read)
        made.plain_positions += static_cast<std::int64_t>(read);
    }
    progress(0.7 * static_cast<double>(first + group.size()) / static_cast<double>(starts.size()));
  }
  return made;
}

/// The weights that plain decoding multiplies a position by, over those of all heads.
double share_of_first_head(const Subject& subject) {
  const ParameterCount count = subject.model.backbone->parameters(
      subject.model.params,
      {subject.vocabulary(), subject.phase.objective.needs, subject.phase.shape});
  return static_cast<double>(count.active() - count.embeddings) /
         static_cast<double>(count.total - count.idle_in_training - count.embeddings);
}

double tokens_per_forward(const DecodingTally& tally) {
  return static_cast<double>(tally.tokens) / static_cast<double>(tally.forwards);
}

/// Adds the acceptance of each head whose drafts were checked.
void add_acceptances(const DecodingTally& tally, const std::string& before,
                     std::map<std::string, double>& metrics) {
  for (std::size_t i = 0; i < tally.by_head.size(); ++i)
    if (tally.by_head[i].checked > 0)
      metrics[fmt::format("{}acceptance_head_{}", before, i + 2)] = tally.by_head[i].acceptance();
}

Json as_json(const DecodingTally& tally) {
  Json heads = Json::array(), bins = Json::object();
  for (const DraftCount& head : tally.by_head)
    heads.push_back({{"checked", head.checked}, {"accepted", head.accepted}});
  for (std::size_t i = 0; i < tally.by_entropy.size(); ++i)
    bins[kBins[i]] = {{"checked", tally.by_entropy[i].checked},
                      {"accepted", tally.by_entropy[i].accepted}};
  return {{"forwards", tally.forwards},
          {"tokens", tally.tokens},
          {"by_head", std::move(heads)},
          {"by_entropy", std::move(bins)}};
}

}  // namespace

Measurement measure_speculative_decoding(const Subject& subject, const plan::ResolvedProbe& probe,
                                         const ProgressSink& progress) {
  std::vector<HeadNeed> heads = subject.phase.objective.needs.heads;
  std::erase_if(heads, [](const HeadNeed& head) { return !head.scored; });  // of other phases
  if (heads.size() < 2 || heads[1].traits.ahead < 2 ||
      generation_of(subject.objective(), subject.phase.params) != Generation::ancestral ||
      subject.model.backbone->offer.encoder)
    return no_measurement("speculative_decoding",
                          "the objective has no further heads that could draft");
  const std::size_t length = length_of(subject, probe.params);
  const Rng rng =
      Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("speculative_decoding");
  const Starts starts = starts_of(subject, probe.params, rng);
  Sampler sampler{subject.network, subject.vocabulary(), subject.device, 1, rng, greedy()};
  const Race raced = race(sampler, starts, heads, length, progress);
  sampler.filter = {};
  sampler.temperature = probe.params.number("temperature");
  DecodingTally sampled;
  decode_speculatively(sampler, starts, heads, length, sampled);
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const Sampler from_initial{*initial, subject.vocabulary(), subject.device, 1, rng, greedy()};
  DecodingTally untrained;
  decode_speculatively(
      from_initial,
      Starts(starts.begin(), starts.begin() + std::min(std::ssize(starts), kUntrainedPrompts)),
      heads, length, untrained);
  progress(1);

  const std::string of = "speculative_decoding.";
  Measurement measurement;
  measurement.metrics = {
      {of + "agreement", static_cast<double>(raced.agreed) / static_cast<double>(starts.size())},
      {of + "tokens_per_forward", tokens_per_forward(raced.tally)},
      {of + "expected_tokens_per_forward", expected_tokens(raced.tally.by_head)},
      {of + "sampled_tokens_per_forward", tokens_per_forward(sampled)},
      {of + "untrained_tokens_per_forward", tokens_per_forward(untrained)},
      {of + "predicted_speedup", share_of_first_head(subject) *
                                     static_cast<double>(raced.plain_positions) /
                                     static_cast<double>(raced.tally.positions)},
      {of + "measured_speedup", raced.plain_seconds / raced.seconds}};
  add_acceptances(raced.tally, of, measurement.metrics);
  add_acceptances(untrained, of + "untrained_", measurement.metrics);
  measurement.details = {{"prompts", starts.size()},
                         {"greedy", as_json(raced.tally)},
                         {"sampled", as_json(sampled)},
                         {"seconds", {{"plain", raced.plain_seconds}, {"drafted", raced.seconds}}}};
  return measurement;
}

}  // namespace ablate::probes
