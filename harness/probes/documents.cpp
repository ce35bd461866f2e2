// Lays out documents and examples for probes.

#include "harness/probes/documents.h"

#include <algorithm>

namespace ablate::probes {
namespace {

/// The smallest shape of a row that holds any of the examples, and `other`.
RowShape largest_row(std::span<const Example> examples, const Needs& needs,
                     RowShape other = {1, 0}) {
  for (const Example& example : examples) {
    const RowShape own = own_row(example, needs);
    other = {std::max(other.time, own.time), std::max(other.source_time, own.source_time)};
  }
  return other;
}

data::Batch laid_out(std::span<const Example> examples, const Needs& needs, const RowShape& shape) {
  std::vector<data::PlacedExample> rows;
  rows.reserve(examples.size());
  for (const Example& example : examples) {
    rows.push_back({.example = example, .row = std::ssize(rows)});
    data::settle(rows.back().example, needs);
  }
  return data::lay_out(rows, needs, data::Packing::padded, std::ssize(rows), shape);
}

}  // namespace

std::vector<std::span<const Token>> documents_of(const data::Part& part, std::size_t maximum) {
  std::vector<std::span<const Token>> documents;
  for (std::size_t first = 0; first < part.tokens.size() && documents.size() < maximum;) {
    const std::size_t end = document_end(part.tokens, first);
    if (part.tokens[first] == begin_token)
      documents.push_back(part.tokens.subspan(first, end - first));
    first = end;
  }
  return documents;
}

data::Batch document_batch(std::span<const std::span<const Token>> documents, Reading reading,
                           std::size_t time) {
  std::vector<data::PlacedExample> placed;
  for (const auto tokens : documents) {
    data::PlacedExample& one = placed.emplace_back();
    one.row = static_cast<std::int64_t>(placed.size()) - 1;
    one.text.tokens = tokens;
    one.example.inputs.assign(tokens.begin(), tokens.end());
    if (reading.reversed) std::ranges::reverse(one.example.inputs);
    one.example.targets = one.example.inputs;
    one.example.weights.assign(tokens.size(), 0);  // nothing is scored
    time = std::max(time, tokens.size());
  }
  const Needs needs{.attention = reading.attention, .alignment = Alignment::in_place};
  return data::lay_out(placed, needs, data::Packing::padded,
                       static_cast<std::int64_t>(documents.size()),
                       {static_cast<std::int64_t>(time), 0});
}

RowShape own_row(const Example& example, const Needs& needs) {
  const std::int64_t inputs = std::ssize(example.inputs), targets = std::ssize(example.targets);
  if (needs.separate_inputs) return {targets, inputs};
  std::int64_t time = needs.alignment == Alignment::continuation ? inputs + targets : inputs;
  // A row holds as many places as the highest position, however few of them are read.
  for (const std::int32_t position : example.positions)
    time = std::max<std::int64_t>(time, position + 1);
  return {time, 0};
}

data::Batch example_batch(std::span<const Example> examples, const Needs& needs) {
  return laid_out(examples, needs, largest_row(examples, needs));
}

std::vector<data::Batch> example_batches(std::span<const std::vector<Example>> lanes,
                                         const Needs& needs) {
  RowShape shape{.time = 1};
  for (const std::vector<Example>& examples : lanes) shape = largest_row(examples, needs, shape);
  std::vector<data::Batch> batches;
  batches.reserve(lanes.size());
  for (const std::vector<Example>& examples : lanes)
    batches.push_back(laid_out(examples, needs, shape));
  return batches;
}

}  // namespace ablate::probes
