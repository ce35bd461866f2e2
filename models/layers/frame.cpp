// What stands around the blocks of every transformer.

#include "models/layers/frame.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cmath>

#include "harness/base/error.h"
#include "models/specs/bfloat16_spec.h"

namespace ablate::models {
namespace {

// Initial deviations. With a free head at .02 the first loss is that of a uniform guess; token
// embeddings at .5 and rotary positions are what masked arms learn well with. Learned positions are
// of the tokens' size, as in BERT: at a fifth of it and below, masked arms do not find them in a
// million tokens.
constexpr double kTokenDeviation = 0.5;
constexpr double kPositionDeviation = kTokenDeviation;
constexpr double kHeadDeviation = 0.02;

// Cosines and signed sines of position * 10000^(-2 d / head_width), computed in float64.
at::Tensor rotary_turns(std::int64_t context, std::int64_t head_width) {
  const at::TensorOptions options = at::TensorOptions().dtype(at::kDouble);
  const at::Tensor exponents =
      at::arange(0, head_width, 2, options).div(static_cast<double>(head_width));
  const at::Tensor angles =
      at::outer(at::arange(context, options), at::exp(exponents * -std::log(10000.0)));
  const at::Tensor cosines = at::cos(angles), sines = at::sin(angles);
  return at::stack({at::cat({cosines, cosines}, 1), at::cat({-sines, sines}, 1)}, 1).to(at::kFloat);
}

const train::NetworkSettings& checked(const train::NetworkSettings& settings) {
  if (settings.lanes < 1) reject("lanes = ", settings.lanes, " is too few; a bank has at least 1");
  if (settings.bfloat16 && settings.device == "cpu")
    if (const std::string reason = bfloat16_refusal(); !reason.empty())
      reject("precision: ", reason);
  return settings;
}

}  // namespace

Frame::Frame(const train::NetworkSettings& settings, const TransformerShape& shape)
    : shape_(shape),
      lanes_(checked(settings).lanes),
      device_(settings.device),
      type_(settings.bfloat16 ? at::kBFloat16 : at::kFloat),
      operations_(device_.is_cpu() && settings.fused
                      ? fused_operations()
                      : plain_operations(!device_.is_cpu(), settings.fused)),
      parameters_(lanes_, device_, settings.bfloat16 && !device_.is_cpu()) {
  tokens_ = parameters_.add("tokens", {shape_.vocabulary, shape_.width},
                            {.deviation = kTokenDeviation, .decayed = false});
  if (shape_.rotary)
    rotary_ = rotary_turns(shape_.context, shape_.head_width).to(device_);
  else
    positions_ = parameters_.add("positions", {shape_.context, shape_.width},
                                 {.deviation = kPositionDeviation, .decayed = false});
}

void Frame::add_output() {
  norm_ = parameters_.add_gain("norm", shape_.width);
  head_ = shape_.tied ? tokens_
                      : parameters_.add("head", {shape_.vocabulary, shape_.width},
                                        {.deviation = kHeadDeviation});
  if (!shape_.pair) return;
  pool_ = parameters_.add_matrix("pair_pool", shape_.width, shape_.width);
  pair_ = parameters_.add("pair", {2, shape_.width}, {.deviation = kHeadDeviation});
}

at::Tensor Frame::embed(const at::Tensor& tokens, const at::Tensor& positions) const {
  const at::Tensor rows = operations_->embed(parameters_.value(tokens_), tokens);
  if (shape_.rotary) return rows;
  return rows + operations_->embed(parameters_.value(positions_), positions);
}

Pass Frame::pass(const train::Inputs& inputs, std::int64_t layer) const {
  AttentionMask sight =
      operations_->prepared({inputs.positions, inputs.visible_from, inputs.visible_until, rotary_,
                             shape_.heads, inputs.visibility},
                            type_);
  return {*operations_, inputs, std::move(sight), type_, layer};
}

Normed Frame::last(const ResidualStream& flow) const {
  return operations_->add_norm(flow.stream, flow.delta, parameters_.value(norm_),
                               shape_.rms_norm ? Norm::rms : Norm::layer,
                               flow.stream.scalar_type());
}

// A tied table has the embeddings' deviation, and a hidden state lies near its own token's row: the
// scale holds both the spread of the logits and that row's lead small at any width.
OutputHead Frame::output_head() const {
  const double scale = shape_.tied ? 2.0 / static_cast<double>(shape_.width) : 1.0;
  return {parameters_.matrix(head_), scale, type_};
}

at::Tensor Frame::losses(const at::Tensor& hidden,
                         const std::vector<train::LaneTargets>& targets) const {
  if (static_cast<std::int64_t>(targets.size()) != lanes_)
    reject("losses: targets of ", targets.size(), " lanes for a bank of ", lanes_,
           "; give one set a lane");
  return operations_->losses(hidden, output_head(), targets);
}

at::Tensor Frame::logits(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& at) const {
  const at::Tensor rows = hidden.select(0, lane).flatten(0, 1).index_select(0, at);
  return at::mm(rows, parameters_.value(head_).select(0, lane).t()) * output_head().scale;
}

at::Tensor Frame::pair_logits(const at::Tensor& hidden, std::int64_t lane,
                              const at::Tensor& at) const {
  const at::Tensor rows = hidden.select(0, lane).flatten(0, 1).index_select(0, at);
  const at::Tensor pooled = at::tanh(at::mm(rows, parameters_.value(pool_).select(0, lane).t()));
  return at::mm(pooled, parameters_.value(pair_).select(0, lane).t());
}

}  // namespace ablate::models
