#include "harness/probes/seq2seq/sequence_bank.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "harness/base/time/time_spent.h"
#include "harness/probes/documents.h"
#include "harness/probes/seq2seq/pair_format.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kPairRowsAtOnce = 64;

using Outputs = std::vector<std::vector<Token>>;  // by pair

/// The most probable of the ids [first, end) in each row of `logits` [rows, vocab]: [rows].
std::vector<Token> most_probable(const at::Tensor& logits, Token first, Token end) {
  const at::Tensor best = logits.narrow(1, first, end - first).argmax(-1).cpu().contiguous();
  const std::int64_t* const ids = best.data_ptr<std::int64_t>();
  std::vector<Token> tokens;
  tokens.reserve(static_cast<std::size_t>(best.numel()));
  for (std::int64_t i = 0; i < best.numel(); ++i)
    tokens.push_back(first + static_cast<Token>(ids[i]));
  return tokens;
}

/// The outputs of a lane while they are written.
struct Writing {
  Outputs outputs;
  std::vector<std::uint8_t> ended;

  bool all_ended() const {
    return std::all_of(ended.begin(), ended.end(), [](auto each) { return each != 0; });
  }
};

/// The token that a lane finds most probable at each of the positions.
std::vector<Token> next_tokens(train::Network& network, const SequenceSettings& settings,
                               const at::Tensor& hidden, std::size_t lane,
                               const at::Tensor& positions) {
  const Vocabulary& vocabulary = settings.vocabulary;
  const at::Tensor logits =
      network.logits(hidden, static_cast<std::int64_t>(lane), positions);  // [pair, vocab]
  if (!tells_length(settings.needs))
    return most_probable(logits, 0, static_cast<Token>(logits.size(1)));
  return most_probable(logits, vocabulary.first_ordinary(), vocabulary.end_ordinary());
}

/// Adds the next token to each output that has not ended.
void add_written(std::span<const TokenPair> pairs, const std::vector<Token>& next,
                 const SequenceSettings& settings, Writing& lane) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (lane.ended[i]) continue;
    const bool is_text = settings.vocabulary.is_ordinary(next[i]);
    std::vector<Token>& output = lane.outputs[i];
    if (is_text) output.push_back(next[i]);
    lane.ended[i] = !is_text || (tells_length(settings.needs) &&
                                 output.size() == pairs[i].outputs.front().size());
  }
}

/// Adds one token to every output of `pairs` that has not ended.
void write_tokens(train::Network& network, const SequenceSettings& settings,
                  std::span<const TokenPair> pairs, std::vector<Writing>& lanes) {
  std::vector<std::vector<Example>> examples(lanes.size());
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      std::span<const Token> before = lanes[lane].outputs[i];
      if (lanes[lane].ended[i]) before = before.first(0);  // nothing is read off its row
      examples[lane].push_back(
          next_example(pairs[i].input, before, pairs[i].outputs.front().size(), settings.needs));
    }
  const std::vector<data::Batch> batches = example_batches(examples, settings.needs);
  const at::Tensor hidden = network.hidden(train::to_inputs(batches, settings.device));
  const std::vector<train::LaneTargets> targets = train::to_targets(batches, 0, settings.device);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    add_written(pairs, next_tokens(network, settings, hidden, lane, targets[lane].positions),
                settings, lanes[lane]);
}

}  // namespace

SequenceBank::SequenceBank(std::unique_ptr<train::Network> network, SequenceSettings settings)
    : settings_(std::move(settings)), bank_(std::move(network), settings_.lanes) {}

SequenceBank SequenceBank::part(std::size_t first, std::unique_ptr<train::Network> network) const {
  SequenceSettings settings = settings_;
  settings.lanes = bank_.lanes_from(first, network->lanes());
  SequenceBank part(std::move(network), std::move(settings));
  part.bank_.copy_from(bank_, first);
  return part;
}

void SequenceBank::fine_tune(std::span<const TokenPair> pairs, const ProgressSink& progress) {
  const auto losses = [&](const TuningStep& step) {
    std::vector<std::vector<Example>> lanes(settings_.lanes.size());
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const Rng rng = Rng(settings_.lanes[lane].seed, Stream::probes)
                          .fork("hidden")
                          .fork(static_cast<std::uint64_t>(step.number));
      for (const std::size_t i : step.chosen[lane])
        lanes[lane].push_back(learned_example(pairs[i], settings_.needs, rng.fork(i)));
    }
    return train::mean_losses(bank_.network(), example_batches(lanes, settings_.needs),
                              settings_.device);
  };
  bank_.fine_tune(pairs.size(), settings_.epochs, settings_.batch, losses, progress);
}

std::vector<double> SequenceBank::losses(std::span<const TokenPair> pairs) const {
  const Spending passes(Activity::passes);
  const c10::NoGradGuard no_gradients;
  std::vector<Example> examples;
  double tokens = 0;
  for (const TokenPair& pair : pairs) {
    std::ranges::move(scored_examples(pair, settings_.needs), std::back_inserter(examples));
    tokens += static_cast<double>(pair.outputs.front().size());
  }
  std::vector<double> losses(settings_.lanes.size());
  for (std::size_t first = 0; first < examples.size(); first += kPairRowsAtOnce) {
    const auto rows =
        std::span(examples).subspan(first, std::min(kPairRowsAtOnce, examples.size() - first));
    const data::Batch batch = example_batch(rows, settings_.needs);
    const at::Tensor totals =
        train::total_losses(bank_.network(), std::vector(losses.size(), batch), settings_.device)
            .cpu()
            .contiguous();  // [lane]
    for (std::size_t lane = 0; lane < losses.size(); ++lane)
      losses[lane] += static_cast<double>(totals.data_ptr<float>()[lane]) / tokens;
  }
  return losses;
}

std::vector<Outputs> SequenceBank::written(std::span<const TokenPair> pairs,
                                           std::size_t longest) const {
  const Spending writing(Activity::text);
  const c10::NoGradGuard no_gradients;
  std::vector<Outputs> all(settings_.lanes.size());
  for (std::size_t first = 0; first < pairs.size(); first += kPairRowsAtOnce) {
    const auto some = pairs.subspan(first, std::min(kPairRowsAtOnce, pairs.size() - first));
    std::vector<Writing> lanes(all.size(),
                               {Outputs(some.size()), std::vector<std::uint8_t>(some.size(), 0)});
    for (std::size_t token = 0; token < longest; ++token) {
      if (std::ranges::all_of(lanes, [](const Writing& lane) { return lane.all_ended(); })) break;
      write_tokens(bank_.network(), settings_, some, lanes);
    }
    for (std::size_t lane = 0; lane < all.size(); ++lane)
      std::ranges::move(lanes[lane].outputs, std::back_inserter(all[lane]));
  }
  return all;
}

}  // namespace ablate::probes
