// What all heads of a network share.

#include "models/heads/output.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <stdexcept>

#include "harness/base/error.h"
#include "models/heads/losses/shaped_losses.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {

// A tied table has the deviation of the embeddings, and a hidden state lies near the row of its own
// token. The scale keeps both the spread of the logits and the lead of that row small at every
// width.
Output::Output(Bank& bank, const Embeddings& embeddings, const Shape& shape,
               const std::string& prefix)
    : bank_(bank),
      kind_(shape.rms_norm ? Norm::rms : Norm::layer),
      scale_(shape.tied ? 2.0 / static_cast<double>(shape.width) : 1.0) {
  norm_ = bank.parameters.add_gain(prefix + "norm", shape.width);
  if (!shape.table) return;
  table_ = shape.tied ? embeddings.token_table()
                      : bank.parameters.add(prefix + "head", {shape.vocabulary, shape.width},
                                            {.deviation = kHeadDeviation});
}

Normed Output::last(const ResidualStream& residual) const {
  return bank_.operations->add_norm(residual.stream, residual.delta, bank_.parameters.value(norm_),
                                    kind_, residual.stream.scalar_type());
}

std::size_t Output::table() const {
  if (!table_) throw std::logic_error("no head of this network predicts tokens");
  return *table_;
}

OutputHead Output::output_head() const {
  return {bank_.parameters.matrix(table()), scale_, bank_.type};
}

at::Tensor Output::losses(const at::Tensor& hidden, const train::HeadTargets& targets) const {
  if (static_cast<std::int64_t>(targets.size()) != bank_.lanes)
    reject("losses: targets of {} lanes for a bank of {}; give one set per lane", targets.size(),
           bank_.lanes);
  if (!targets.front().loss.plain()) return shaped_losses(hidden, output_head(), targets);
  return bank_.operations->losses(hidden, output_head(), targets);
}

at::Tensor Output::logits(const at::Tensor& hidden, std::int64_t lane,
                          const at::Tensor& positions) const {
  const at::Tensor weight = bank_.parameters.value(table()).select(0, lane);
  return at::mm(chosen(hidden, lane, positions), weight.t()) * scale_;
}

at::Tensor Output::logits_of_lanes(const at::Tensor& hidden, std::int64_t first,
                                   const at::Tensor& positions) const {
  const std::int64_t lanes = positions.size(0);
  const at::Tensor weight = bank_.parameters.value(table()).narrow(0, first, lanes);
  const at::Tensor states = lane_rows(hidden.narrow(0, first, lanes).flatten(1, 2), positions);
  return at::bmm(states, weight.transpose(1, 2)).mul_(scale_);
}

at::Tensor Output::frozen_logits(const at::Tensor& states, std::int64_t first) const {
  const at::Tensor weight =
      bank_.parameters.value(table()).narrow(0, first, states.size(0)).detach();
  return at::bmm(states, weight.transpose(1, 2)) * scale_;
}

at::Tensor chosen(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& positions) {
  return hidden.select(0, lane).flatten(0, 1).index_select(0, positions);
}

}  // namespace ablate::models
