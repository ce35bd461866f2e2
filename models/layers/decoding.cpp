// Reading rows step by step.

#include "models/layers/decoding.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace ablate::models {
namespace {

void check_step(const train::DecodingState& state, const train::Inputs& inputs,
                const std::vector<std::int64_t>& counts) {
  const std::int64_t rows = std::ssize(state.lengths), time = inputs.tokens.size(2);
  if (inputs.tokens.size(1) != rows || std::ssize(counts) != rows)
    throw std::logic_error(fmt::format("step: {} rows and {} counts for a state of {} rows",
                                       inputs.tokens.size(1), counts.size(), rows));
  for (const std::int64_t count : counts)
    if (count < 0 || count > time)
      throw std::logic_error(fmt::format("step: a count of {} in a step of {}", count, time));
}

}  // namespace

train::DecodingState decoding_state(const Shape& shape, std::int64_t blocks, std::int64_t crosses,
                                    std::int64_t rows) {
  train::DecodingState state;
  state.lengths.resize(static_cast<std::size_t>(rows));
  state.mixers.resize(static_cast<std::size_t>(blocks + crosses));
  for (std::int64_t block = 0; block < blocks; ++block)
    state.truncates = state.truncates && shape.mixer(block).truncates;
  return state;
}

DecodingStep begin_step(train::DecodingState& state, const train::Inputs& inputs,
                        const std::vector<std::int64_t>& counts) {
  check_step(state, inputs, counts);
  const at::Device device = inputs.tokens.device();
  const std::int64_t time = inputs.tokens.size(2);
  const at::Tensor offsets = at::arange(time, at::kLong).unsqueeze(0);
  const at::Tensor before = at::tensor(state.lengths, at::kLong);
  const std::int64_t longest = state.lengths.empty() ? 0 : std::ranges::max(state.lengths);
  return {.state = state,
          .places = (before.unsqueeze(1) + offsets).to(device),
          .read = (offsets < at::tensor(counts, at::kLong).unsqueeze(1)).to(device),
          .before = before.to(device),
          .end = longest + time,
          .first = longest == 0};
}

void finish_step(train::DecodingState& state, const std::vector<std::int64_t>& counts) {
  for (std::size_t row = 0; row < counts.size(); ++row) state.lengths[row] += counts[row];
}

}  // namespace ablate::models
