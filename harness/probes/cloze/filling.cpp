#include "harness/probes/cloze/filling.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>

#include "harness/data/batches/layout.h"
#include "harness/probes/cloze/costs.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kBlanksAtOnce = 64;

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

/// The logits of the one scored target of each example: [examples, vocabulary], float32, on the CPU.
at::Tensor logits_of(const Subject& subject, const std::vector<Example>& examples) {
  const Needs& needs = subject.phase.objective.needs;
  std::vector<data::PlacedExample> rows;
  rows.reserve(examples.size());
  RowShape shape{.time = 1};
  for (const Example& example : examples) {
    rows.push_back({.example = example, .row = std::ssize(rows)});
    data::settle(rows.back().example, needs);
    const RowShape own = own_row(example, needs);
    shape = {std::max(shape.time, own.time), std::max(shape.source_time, own.source_time)};
  }
  const data::Batch batch =
      data::lay_out(rows, needs, data::Packing::padded, std::ssize(rows), shape);
  const at::Tensor hidden = subject.network.hidden(train::to_inputs({&batch, 1}, subject.device));
  const std::vector<std::int32_t>& scored = batch.scored.front().positions;
  const at::Tensor positions =
      at::tensor(std::vector<std::int64_t>(scored.begin(), scored.end()));  // one of each row
  return subject.network.logits(hidden, 0, positions.to(hidden.device()))
      .to(at::kFloat)
      .cpu()
      .contiguous();
}

void check_room(const Subject& subject, const Blank& blank, const Example& example) {
  const RowShape row = own_row(example, subject.phase.objective.needs), room = room_of(subject);
  if (row.time > room.time || row.source_time > room.source_time)
    reject(
        "a text of {} tokens and a blank of {} take {} positions and do not fit into the {} that "
        "the model has",
        blank.left.size() - 1 + blank.right.size(), blank.tokens, row.time + row.source_time,
        room.time + room.source_time);
}

/// The softmax of logits: of the ordinary ids, and last of all special ids together.
std::vector<double> probabilities_of(std::span<const float> logits, const Vocabulary& vocabulary) {
  const double maximum = *std::max_element(logits.begin(), logits.end());
  const auto ordinary = static_cast<std::size_t>(vocabulary.ordinary);
  std::vector<double> probabilities(ordinary + 1);
  double total = 0;
  for (std::size_t id = 0; id < logits.size(); ++id) {
    const double mass = std::exp(static_cast<double>(logits[id]) - maximum);
    const bool is_text = vocabulary.is_ordinary(static_cast<Token>(id));
    probabilities[is_text ? id - special_count : ordinary] += mass;
    total += mass;
  }
  for (double& probability : probabilities) probability /= total;
  return probabilities;
}

/// The distributions of the tokens that follow `filled` in each of the blanks numbered `open`.
std::vector<std::vector<double>> distributions_of(const Subject& subject,
                                                  std::span<const Blank> blanks,
                                                  const std::vector<std::vector<Token>>& filled,
                                                  std::span<const std::size_t> open) {
  std::vector<Example> examples;
  examples.reserve(open.size());
  for (const std::size_t i : open) {
    examples.push_back(asked(subject, blanks[i], filled[i]));
    check_room(subject, blanks[i], examples.back());
  }
  const at::Tensor logits = logits_of(subject, examples);
  const auto width = static_cast<std::size_t>(logits.size(1));
  std::vector<std::vector<double>> distributions;
  distributions.reserve(open.size());
  for (std::size_t i = 0; i < open.size(); ++i)
    distributions.push_back(probabilities_of(std::span(logits.data_ptr<float>() + i * width, width),
                                             subject.vocabulary()));
  return distributions;
}

std::size_t most_probable(const std::vector<double>& mass) {
  return static_cast<std::size_t>(std::max_element(mass.begin(), mass.end()) - mass.begin());
}

}  // namespace

std::vector<double> blank_distribution(const Subject& subject, const Blank& blank,
                                       std::span<const Token> filled) {
  const std::size_t first = 0;
  return distributions_of(subject, {&blank, 1}, {{filled.begin(), filled.end()}}, {&first, 1})
      .front();
}

std::vector<Token> filled(const Subject& subject, const Blank& blank, double temperature, Rng rng) {
  std::vector<Token> tokens;
  while (tokens.size() < blank.tokens) {
    std::vector<double> mass = blank_distribution(subject, blank, tokens);
    std::size_t chosen = most_probable(mass);
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

std::vector<std::vector<Token>> filled_together(const Subject& subject,
                                                std::span<const Blank> blanks) {
  std::vector<std::vector<Token>> filled(blanks.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < blanks.size(); ++i)
    if (blanks[i].tokens > 0) open.push_back(i);
  while (!open.empty()) {
    std::vector<std::size_t> still_open;
    for (std::size_t first = 0; first < open.size(); first += kBlanksAtOnce) {
      const auto some =
          std::span(open).subspan(first, std::min(kBlanksAtOnce, open.size() - first));
      const auto distributions = distributions_of(subject, blanks, filled, some);
      for (std::size_t i = 0; i < some.size(); ++i) {
        const std::size_t chosen = most_probable(distributions[i]), blank = some[i];
        if (chosen + 1 == distributions[i].size()) continue;  // a special id: the blank is full
        filled[blank].push_back(special_count + static_cast<Token>(chosen));
        if (filled[blank].size() < blanks[blank].tokens) still_open.push_back(blank);
      }
    }
    open = std::move(still_open);
  }
  return filled;
}

}  // namespace ablate::probes
