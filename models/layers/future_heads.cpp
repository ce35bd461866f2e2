// The heads of several tokens ahead.

#include "models/layers/future_heads.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "harness/base/error.h"

namespace ablate::models {
namespace {

/// Ids `ahead - 1` places further on; pad tokens where the row has ended.
at::Tensor shifted(const at::Tensor& tokens, std::int64_t ahead) {
  const std::int64_t by = std::min(ahead - 1, tokens.size(2));
  const at::Tensor later = tokens.roll({-by}, {2});
  later.narrow(2, tokens.size(2) - by, by).fill_(static_cast<std::int64_t>(pad_token));
  return later;
}

}  // namespace

FutureHeads::FutureHeads(Frame& frame, const TransformerShape& shape)
    : frame_(frame), shape_(shape) {
  Parameters& parameters = frame.parameters();
  const double layers = 2.0 * layers_of_path(shape);
  if (shape.future == 0) return;
  const std::int64_t width = shape.width;
  if (shape.future_kind == FutureKind::transformer)
    blocks_.emplace_back(parameters, shape, "", shape.trunk, 1, layers);
  for (std::int64_t ahead = 2; ahead <= shape.future; ++ahead) {
    const std::string name = join("future.", ahead, ".");
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

ResidualStream FutureHeads::first(Pass& pass, ResidualStream flow,
                                  std::vector<at::Tensor>* sums) const {
  if (shape_.future == 0 || shape_.future_kind != FutureKind::transformer) return flow;
  return blocks_.front().run(pass, std::move(flow), sums);
}

train::HeadState FutureHeads::state(std::int64_t ahead, const at::Tensor& from,
                                    const train::Inputs& inputs) const {
  const auto index = static_cast<std::size_t>(ahead - 1);
  if (ahead > 1 && chained()) return sequential(ahead, from, inputs);
  if (shape_.future > 0 && shape_.future_kind == FutureKind::transformer) {
    // Each head's dropout has places of its own; the first one's follow the trunk's.
    Pass pass = frame_.pass(inputs, 2 * (shape_.trunk + ahead - 1));
    const Normed last = frame_.last(blocks_[index].run(pass, {from, {}}, nullptr));
    return {last.sum, last.normed};
  }
  const Normed last = frame_.last({from, {}});
  if (ahead == 1 || shape_.future_kind != FutureKind::linear) return {last.sum, last.normed};
  const at::Tensor moved = frame_.operations().linear(
      last.normed.to(frame_.type()), frame_.parameters().matrix(matrices_[index - 1]));
  return {last.sum, moved.to(last.normed.scalar_type())};
}

train::HeadState FutureHeads::sequential(std::int64_t ahead, const at::Tensor& from,
                                         const train::Inputs& inputs) const {
  const auto index = static_cast<std::size_t>(ahead - 2);
  const Module& module = modules_[index];
  const Parameters& parameters = frame_.parameters();
  const Operations& op = frame_.operations();
  const auto normed = [&](const at::Tensor& stream, std::size_t gain) {
    return op
        .add_norm(stream, {}, parameters.value(gain), shape_.rms_norm ? Norm::rms : Norm::layer,
                  frame_.type())
        .normed;
  };
  const at::Tensor came = frame_.embed(shifted(inputs.tokens, ahead), inputs.positions);
  const at::Tensor both =
      at::cat({normed(came, module.token_norm), normed(from, module.stream_norm)}, -1);
  const at::Tensor stream =
      op.linear(both, parameters.matrix(module.project)).to(from.scalar_type());
  Pass pass = frame_.pass(inputs, 2 * (shape_.trunk + ahead - 1));
  const Normed last = frame_.last(blocks_[index].run(pass, {stream, {}}, nullptr));
  return {last.sum, last.normed};
}

}  // namespace ablate::models
