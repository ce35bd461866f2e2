#include "harness/probes/seq2seq/sequence_bank.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/probes/cloze/costs.h"
#include "harness/probes/seq2seq/pair_format.h"
#include "harness/train/network/flat.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kPairRowsAtOnce = 64;

using Outputs = std::vector<std::vector<Token>>;  // by pair

/// A batch of each lane, of one shape: an example a row.
std::vector<data::Batch> batches_of(const std::vector<std::vector<Example>>& lanes,
                                    const Needs& needs) {
  RowShape shape{.time = 1};
  for (const std::vector<Example>& examples : lanes)
    for (const Example& example : examples) {
      const RowShape own = own_row(example, needs);
      shape = {std::max(shape.time, own.time), std::max(shape.source_time, own.source_time)};
    }
  std::vector<data::Batch> batches;
  batches.reserve(lanes.size());
  for (const std::vector<Example>& examples : lanes) {
    std::vector<data::PlacedExample> rows;
    rows.reserve(examples.size());
    for (const Example& example : examples)
      rows.push_back({.example = example, .row = std::ssize(rows)});
    batches.push_back(data::lay_out(rows, needs, data::Packing::padded, std::ssize(rows), shape));
  }
  return batches;
}

/// The total loss of each lane's batch, float32 [lane]; differentiable.
at::Tensor losses_of(train::Network& network, std::span<const data::Batch> batches,
                     const std::string& device) {
  return network.losses(network.hidden(train::to_inputs(batches, device)),
                        train::to_targets(batches, 0, device));
}

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

}  // namespace

struct SequenceBank::State {
  State(std::unique_ptr<train::Network> given, SequenceSettings chosen)
      : settings(std::move(chosen)), network(std::move(given)) {
    flat = std::make_unique<train::FlatParameters>(network->parameters());
    optimizer = std::make_unique<train::AdamW>(*flat, tuning_optimizer(settings.lanes.size()));
    network->parameters_changed();
  }

  void learn(std::span<const TokenPair> pairs, const TuningStep& step) {
    std::vector<std::vector<Example>> lanes(settings.lanes.size());
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const Rng rng = Rng(settings.lanes[lane].seed, Stream::probes)
                          .fork("hidden")
                          .fork(static_cast<std::uint64_t>(step.number));
      for (const std::size_t i : step.chosen[lane])
        lanes[lane].push_back(learned_example(pairs[i], settings.needs, rng.fork(i)));
    }
    const std::vector<data::Batch> batches = batches_of(lanes, settings.needs);
    std::vector<float> scales;
    for (const data::Batch& batch : batches)
      scales.push_back(static_cast<float>(1 / batch.scored.front().weight()));
    const at::Tensor losses = losses_of(*network, batches, settings.device);
    (losses * at::tensor(scales).to(losses.device())).sum().backward();  // lanes share nothing
    optimizer->step(step.number, step.learning_rates);
    network->parameters_changed();
  }

  /// Adds one token to every output of `pairs` that has not ended.
  void write(std::span<const TokenPair> pairs, std::vector<Writing>& lanes) const {
    std::vector<std::vector<Example>> examples(lanes.size());
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        std::span<const Token> before = lanes[lane].outputs[i];
        if (lanes[lane].ended[i]) before = before.first(0);  // nothing is read off its row
        examples[lane].push_back(
            next_example(pairs[i].input, before, pairs[i].outputs.front().size(), settings.needs));
      }
    const std::vector<data::Batch> batches = batches_of(examples, settings.needs);
    const at::Tensor hidden = network->hidden(train::to_inputs(batches, settings.device));
    const std::vector<train::LaneTargets> targets = train::to_targets(batches, 0, settings.device);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      extend(pairs, next_tokens(hidden, lane, targets[lane].positions), lanes[lane]);
  }

  std::vector<Token> next_tokens(const at::Tensor& hidden, std::size_t lane,
                                 const at::Tensor& positions) const {
    const Vocabulary& vocabulary = settings.vocabulary;
    const at::Tensor logits =
        network->logits(hidden, static_cast<std::int64_t>(lane), positions);  // [pair, vocab]
    if (!tells_length(settings.needs))
      return most_probable(logits, 0, static_cast<Token>(logits.size(1)));
    return most_probable(logits, vocabulary.first_ordinary(), vocabulary.end_ordinary());
  }

  void extend(std::span<const TokenPair> pairs, const std::vector<Token>& next,
              Writing& lane) const {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (lane.ended[i]) continue;
      const bool is_text = settings.vocabulary.is_ordinary(next[i]);
      std::vector<Token>& output = lane.outputs[i];
      if (is_text) output.push_back(next[i]);
      lane.ended[i] = !is_text || (tells_length(settings.needs) &&
                                   output.size() == pairs[i].outputs.front().size());
    }
  }

  const SequenceSettings settings;
  std::unique_ptr<train::Network> network;
  std::unique_ptr<train::FlatParameters> flat;
  std::unique_ptr<train::AdamW> optimizer;
};

SequenceBank::SequenceBank(std::unique_ptr<train::Network> network, SequenceSettings settings) {
  if (network->lanes() != std::ssize(settings.lanes))
    reject("fine-tuning: a bank of {} lanes cannot hold {} copies", network->lanes(),
           settings.lanes.size());
  state_ = std::make_unique<State>(std::move(network), std::move(settings));
}

SequenceBank::SequenceBank(SequenceBank&&) noexcept = default;
SequenceBank::~SequenceBank() = default;

std::vector<train::Parameter>& SequenceBank::parameters() { return state_->network->parameters(); }

SequenceBank SequenceBank::part(std::size_t first, std::unique_ptr<train::Network> network) const {
  const std::int64_t count = network->lanes();
  SequenceSettings settings = state_->settings;
  if (first + static_cast<std::size_t>(count) > settings.lanes.size())
    reject("fine-tuning: lanes {} to {} of {}", first, first + static_cast<std::size_t>(count),
           settings.lanes.size());
  const auto begin = settings.lanes.begin() + static_cast<std::ptrdiff_t>(first);
  settings.lanes = {begin, begin + static_cast<std::ptrdiff_t>(count)};
  const c10::NoGradGuard no_gradients;
  const std::vector<train::Parameter>& from = state_->network->parameters();
  for (std::size_t i = 0; i < from.size(); ++i)
    network->parameters()[i].value.copy_(
        from[i].value.narrow(0, static_cast<std::int64_t>(first), count));
  return SequenceBank(std::move(network), std::move(settings));
}

void SequenceBank::fine_tune(std::span<const TokenPair> pairs, const ProgressSink& progress) {
  const c10::AutoGradMode gradients(true);
  const SequenceSettings& settings = state_->settings;
  each_tuning_step(
      settings.lanes, pairs.size(), settings.epochs, settings.batch,
      [&](const TuningStep& step) { state_->learn(pairs, step); }, progress);
}

std::vector<double> SequenceBank::losses(std::span<const TokenPair> pairs) const {
  const c10::NoGradGuard no_gradients;
  const SequenceSettings& settings = state_->settings;
  std::vector<Example> examples;
  double tokens = 0;
  for (const TokenPair& pair : pairs) {
    std::ranges::move(scored_examples(pair, settings.needs), std::back_inserter(examples));
    tokens += static_cast<double>(pair.outputs.front().size());
  }
  std::vector<double> losses(settings.lanes.size());
  for (std::size_t first = 0; first < examples.size(); first += kPairRowsAtOnce) {
    const auto rows =
        std::span(examples).subspan(first, std::min(kPairRowsAtOnce, examples.size() - first));
    const data::Batch batch = batches_of({{rows.begin(), rows.end()}}, settings.needs).front();
    const at::Tensor totals =
        losses_of(*state_->network, std::vector(losses.size(), batch), settings.device)
            .cpu()
            .contiguous();  // [lane]
    for (std::size_t lane = 0; lane < losses.size(); ++lane)
      losses[lane] += static_cast<double>(totals.data_ptr<float>()[lane]) / tokens;
  }
  return losses;
}

std::vector<Outputs> SequenceBank::written(std::span<const TokenPair> pairs,
                                           std::size_t longest) const {
  const c10::NoGradGuard no_gradients;
  std::vector<Outputs> all(state_->settings.lanes.size());
  for (std::size_t first = 0; first < pairs.size(); first += kPairRowsAtOnce) {
    const auto some = pairs.subspan(first, std::min(kPairRowsAtOnce, pairs.size() - first));
    std::vector<Writing> lanes(all.size(),
                               {Outputs(some.size()), std::vector<std::uint8_t>(some.size(), 0)});
    for (std::size_t token = 0; token < longest; ++token) {
      if (std::ranges::all_of(lanes, [](const Writing& lane) { return lane.all_ended(); })) break;
      state_->write(some, lanes);
    }
    for (std::size_t lane = 0; lane < all.size(); ++lane)
      std::ranges::move(lanes[lane].outputs, std::back_inserter(all[lane]));
  }
  return all;
}

}  // namespace ablate::probes
