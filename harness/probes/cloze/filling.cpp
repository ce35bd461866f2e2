#include "harness/probes/cloze/filling.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>

#include "harness/data/batches/layout.h"
#include "harness/probes/cloze/cloze.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

/// The example that scores the blank's token number `at`, which is its only scored target.
Example asked(const Subject& subject, const Blank& blank, std::span<const Token> filled) {
  std::vector<Token> target(filled.begin(), filled.end());
  target.resize(std::max(blank.tokens, filled.size() + 1), subject.vocabulary().first_ordinary());
  const std::size_t at = filled.size();
  std::vector<Example> examples = subject.phase.objective.cloze({blank.left, target, blank.right});
  const bool one_each = examples.size() > 1;
  Example example = std::move(examples[one_each ? at : 0]);
  std::size_t seen = one_each ? at : 0;  // scored targets so far
  for (float& weight : example.weights)
    if (weight > 0 && seen++ != at) weight = 0;
  return example;
}

/// The positions that each stack of the model has: those of a text at least, however few of them its
/// training rows take.
RowShape room_of(const Subject& subject) {
  RowShape room = subject.phase.shape;
  room.time = std::max(room.time, subject.phase.context);
  if (room.source_time > 0) room.source_time = std::max(room.source_time, subject.phase.context);
  return room;
}

/// The logits of the one scored target of an example.
std::vector<float> logits_of(const Subject& subject, const Example& example) {
  const Needs& needs = subject.phase.objective.needs;
  data::PlacedExample placed{.example = example};
  data::settle(placed.example, needs);
  const data::Batch batch =
      data::lay_out({&placed, 1}, needs, data::Packing::padded, 1, own_row(example, needs));
  const at::Tensor hidden = subject.network.hidden(train::to_inputs({&batch, 1}, subject.device));
  const at::Tensor position = at::tensor({std::int64_t{batch.scored.front().positions.at(0)}});
  const at::Tensor logits = subject.network.logits(hidden, 0, position.to(hidden.device()))
                                .to(at::kFloat)
                                .cpu()
                                .contiguous();
  const float* const values = logits.data_ptr<float>();
  return {values, values + logits.numel()};
}

}  // namespace

std::vector<double> blank_distribution(const Subject& subject, const Blank& blank,
                                       std::span<const Token> filled) {
  const Example example = asked(subject, blank, filled);
  const RowShape row = own_row(example, subject.phase.objective.needs), room = room_of(subject);
  if (row.time > room.time || row.source_time > room.source_time)
    reject(
        "a text of {} tokens and a blank of {} take {} positions and do not fit into the {} that "
        "the model has",
        blank.left.size() - 1 + blank.right.size(), blank.tokens, row.time + row.source_time,
        room.time + room.source_time);
  const std::vector<float> logits = logits_of(subject, example);
  const double maximum = *std::max_element(logits.begin(), logits.end());
  const auto ordinary = static_cast<std::size_t>(subject.vocabulary().ordinary);
  std::vector<double> probabilities(ordinary + 1);
  double total = 0;
  for (std::size_t id = 0; id < logits.size(); ++id) {
    const double mass = std::exp(static_cast<double>(logits[id]) - maximum);
    const bool is_text = subject.vocabulary().is_ordinary(static_cast<Token>(id));
    probabilities[is_text ? id - special_count : ordinary] += mass;
    total += mass;
  }
  for (double& probability : probabilities) probability /= total;
  return probabilities;
}

std::vector<Token> filled(const Subject& subject, const Blank& blank, double temperature, Rng rng) {
  std::vector<Token> tokens;
  while (tokens.size() < blank.tokens) {
    std::vector<double> mass = blank_distribution(subject, blank, tokens);
    std::size_t chosen =
        static_cast<std::size_t>(std::max_element(mass.begin(), mass.end()) - mass.begin());
    if (temperature > 0) {
      const double top = mass[chosen];
      double total = 0;
      for (double& each : mass) total += each = std::pow(each / top, 1 / temperature);
      double left = rng.fork(tokens.size()).uniform() * total;
      for (chosen = 0; chosen + 1 < mass.size() && (left -= mass[chosen]) >= 0; ++chosen) {
      }
    }
    if (chosen + 1 == mass.size()) break;  // a special id: the blank is full
    tokens.push_back(special_count + static_cast<Token>(chosen));
  }
  return tokens;
}

}  // namespace ablate::probes
