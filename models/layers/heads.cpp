// The last layers of a network: the final norm and the output heads.

#include "models/layers/heads.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "harness/base/error.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

// Initial standard deviation: a free head at .02 starts with the loss of a uniform prediction.
constexpr double kHeadDeviation = 0.02;

// Hidden states [chosen, width] of one lane at positions row * time + t.
at::Tensor chosen(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& positions) {
  return hidden.select(0, lane).flatten(0, 1).index_select(0, positions);
}

}  // namespace

// A tied table has the deviation of the embeddings, and a hidden state lies near the row of its own
// token. The scale keeps both the spread of the logits and the lead of that row small at every
// width.
Heads::Heads(Bank& bank, const Embeddings& embeddings, const TransformerShape& shape)
    : bank_(bank),
      kind_(shape.rms_norm ? Norm::rms : Norm::layer),
      scale_(shape.tied ? 2.0 / static_cast<double>(shape.width) : 1.0) {
  norm_ = bank.parameters.add_gain("norm", shape.width);
  head_ = shape.tied ? embeddings.token_table()
                     : bank.parameters.add("head", {shape.vocabulary, shape.width},
                                           {.deviation = kHeadDeviation});
  if (!shape.pair) return;
  pool_ = bank.parameters.add_matrix("pair_pool", shape.width, shape.width);
  pair_ = bank.parameters.add("pair", {2, shape.width}, {.deviation = kHeadDeviation});
}

Normed Heads::last(const ResidualStream& residual) const {
  return bank_.operations->add_norm(residual.stream, residual.delta, bank_.parameters.value(norm_),
                                    kind_, residual.stream.scalar_type());
}

OutputHead Heads::output_head() const {
  return {bank_.parameters.matrix(head_), scale_, bank_.type};
}

at::Tensor Heads::losses(const at::Tensor& hidden,
                         const std::vector<train::LaneTargets>& targets) const {
  if (static_cast<std::int64_t>(targets.size()) != bank_.lanes)
    reject("losses: targets of {} lanes for a bank of {}; give one set per lane", targets.size(),
           bank_.lanes);
  return bank_.operations->losses(hidden, output_head(), targets);
}

at::Tensor Heads::logits(const at::Tensor& hidden, std::int64_t lane,
                         const at::Tensor& positions) const {
  const at::Tensor table = bank_.parameters.value(head_).select(0, lane);
  return at::mm(chosen(hidden, lane, positions), table.t()) * scale_;
}

at::Tensor Heads::pair_logits(const at::Tensor& hidden, std::int64_t first,
                              const at::Tensor& positions) const {
  const at::Tensor pool = bank_.parameters.value(pool_), pair = bank_.parameters.value(pair_);
  const std::int64_t lanes = positions.size(0);
  if (lanes == 1) {
    const at::Tensor states = chosen(hidden, first, positions.select(0, 0));
    const at::Tensor pooled = at::tanh(at::mm(states, pool.select(0, first).t()));
    return at::mm(pooled, pair.select(0, first).t()).unsqueeze(0);
  }
  const at::Tensor states = lane_rows(hidden.narrow(0, first, lanes).flatten(1, 2), positions);
  const auto of_lanes = [&](const at::Tensor& weight) {
    return weight.narrow(0, first, lanes).transpose(1, 2);
  };
  return at::bmm(at::tanh(at::bmm(states, of_lanes(pool))), of_lanes(pair));
}

}  // namespace ablate::models
