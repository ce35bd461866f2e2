// The heads of multi-token prediction.

#include "models/layers/future_heads.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/core.h>

namespace ablate::models {
namespace {

/// Ids shifted left by `ahead - 1` positions; pad tokens past the end of a row.
at::Tensor shifted(const at::Tensor& tokens, std::int64_t ahead) {
  const std::int64_t by = std::min(ahead - 1, tokens.size(2));
  const at::Tensor later = tokens.roll({-by}, {2});
  later.narrow(2, tokens.size(2) - by, by).fill_(static_cast<std::int64_t>(pad_token));
  return later;
}

}  // namespace

FutureHeads::FutureHeads(Bank& bank, const Embeddings& embeddings, const TransformerShape& shape)
    : bank_(bank), embeddings_(embeddings), shape_(shape) {
  Parameters& parameters = bank.parameters;
  const double layers = 2.0 * layers_of_path(shape);
  if (shape.future == 0) return;
  const std::int64_t width = shape.width;
  if (shape.future_kind == FutureKind::transformer)
    blocks_.emplace_back(parameters, shape, "", shape.trunk, 1, layers);
  for (std::int64_t ahead = 2; ahead <= shape.future; ++ahead) {
    const std::string name = fmt::format("future.{}.", ahead);
    if (shape.future_kind == FutureKind::linear)
      matrices_.push_back(parameters.add_matrix(name + "matrix", width, width));
    if (shape.future_kind == FutureKind::sequential)
      modules_.push_back({parameters.add_gain(name + "token_norm", width),
                          parameters.add_gain(name + "stream_norm", width),
                          parameters.add_matrix(name + "project", width, 2 * width)});
    if (shape.future_kind == FutureKind::transformer || chained())
      blocks_.emplace_back(parameters, shape, name, 0, 1, layers);
  }
}

ResidualStream FutureHeads::first(Pass& pass, ResidualStream residual,
                                  std::vector<at::Tensor>* sums) const {
  if (shape_.future == 0 || shape_.future_kind != FutureKind::transformer) return residual;
  return blocks_.front().run(pass, std::move(residual), sums);
}

train::HeadState FutureHeads::state(const Heads& heads, std::int64_t ahead, const at::Tensor& from,
                                    const train::Inputs& inputs) const {
  const auto index = static_cast<std::size_t>(ahead - 1);
  if (ahead > 1 && chained()) return sequential(heads, ahead, from, inputs);
  if (shape_.future > 0 && shape_.future_kind == FutureKind::transformer) {
    // Each head has its own dropout indices; those of the first follow the trunk's.
    Pass pass = embeddings_.pass(inputs, 2 * (shape_.trunk + ahead - 1));
    const Normed last = heads.last(blocks_[index].run(pass, {from, {}}, nullptr));
    return {last.sum, last.normed};
  }
  const Normed last = heads.last({from, {}});
  if (ahead == 1 || shape_.future_kind != FutureKind::linear) return {last.sum, last.normed};
  const at::Tensor projected = bank_.operations->linear(
      last.normed.to(bank_.type), bank_.parameters.matrix(matrices_[index - 1]));
  return {last.sum, projected.to(last.normed.scalar_type())};
}

train::HeadState FutureHeads::sequential(const Heads& heads, std::int64_t ahead,
                                         const at::Tensor& from,
                                         const train::Inputs& inputs) const {
  const auto index = static_cast<std::size_t>(ahead - 2);
  const Module& module = modules_[index];
  const Parameters& parameters = bank_.parameters;
  const Operations& op = *bank_.operations;
  const auto normed = [&](const at::Tensor& stream, std::size_t gain) {
    return op
        .add_norm(stream, {}, parameters.value(gain), shape_.rms_norm ? Norm::rms : Norm::layer,
                  bank_.type)
        .normed;
  };
  const at::Tensor tokens = embeddings_.embed(shifted(inputs.tokens, ahead), inputs.positions);
  const at::Tensor both =
      at::cat({normed(tokens, module.token_norm), normed(from, module.stream_norm)}, -1);
  const at::Tensor stream =
      op.linear(both, parameters.matrix(module.project)).to(from.scalar_type());
  Pass pass = embeddings_.pass(inputs, 2 * (shape_.trunk + ahead - 1));
  const Normed last = heads.last(blocks_[index].run(pass, {stream, {}}, nullptr));
  return {last.sum, last.normed};
}

}  // namespace ablate::models
