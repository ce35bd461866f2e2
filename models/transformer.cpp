// The transformer's parameters and its forward pass; the operations bring the backward one.

#include "models/transformer.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>

#include <cmath>

#include "models/bfloat16_spec.h"
#include "models/dropout.h"

namespace ablate {
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

}  // namespace

Transformer::Transformer(const NetworkSettings& settings)
    : shape_(transformer_shape(settings.model, settings.hosting)),
      lanes_(settings.lanes),
      device_(settings.device),
      bfloat16_(settings.bfloat16),
      operations_(device_.is_cpu() && settings.fused
                      ? fused_operations()
                      : plain_operations(!device_.is_cpu(), settings.fused)) {
  if (const std::string reason = transformer_spec().refusal(settings.model); !reason.empty())
    reject("model: ", reason);
  if (bfloat16_ && device_.is_cpu())
    if (const std::string reason = bfloat16_refusal(); !reason.empty())
      reject("precision: ", reason);
  if (bfloat16_ && !device_.is_cpu()) low_ = std::make_unique<LowPrecision>(at::kBFloat16);
  if (lanes_ < 1) reject("lanes = ", lanes_, " is too few; a bank has at least 1");
  tokens_ = add("tokens", {shape_.vocabulary, shape_.width},
                {.deviation = kTokenDeviation, .decayed = false});
  if (!shape_.rotary)
    positions_ = add("positions", {shape_.context, shape_.width},
                     {.deviation = kPositionDeviation, .decayed = false});
  for (std::int64_t block = 0; block < shape_.depth; ++block) blocks_.push_back(add_block(block));
  norm_ = add("norm", {shape_.width}, {.constant = 1, .decayed = false});
  head_ = shape_.tied
              ? tokens_
              : add("head", {shape_.vocabulary, shape_.width}, {.deviation = kHeadDeviation});
  if (shape_.rotary) turns_ = rotary_turns(shape_.context, shape_.head_width).to(device_);
}

std::size_t Transformer::add(std::string name, std::vector<std::int64_t> sizes, Initial initial) {
  sizes.insert(sizes.begin(), lanes_);
  const at::TensorOptions options = at::TensorOptions().dtype(at::kFloat).device(device_);
  at::Tensor value = at::full(sizes, initial.constant, options);
  value.requires_grad_(true);
  parameters_.push_back(
      {std::move(name), value, initial.deviation, initial.constant, initial.decayed});
  return parameters_.size() - 1;
}

// Matrices keep the size of what passes through them; those that write to the residual stream are
// smaller by the root of their number, so that the stream's size does not grow with depth.
// Source: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners".
Transformer::Block Transformer::add_block(std::int64_t index) {
  const std::string prefix = join("block.", index, ".");
  const auto matrix = [&](const char* name, std::int64_t out, std::int64_t in, double scale) {
    return add(prefix + name, {out, in}, {.deviation = scale / std::sqrt(static_cast<double>(in))});
  };
  const auto gain = [&](const char* name) {
    return add(prefix + name, {shape_.width}, {.constant = 1, .decayed = false});
  };
  const double residual = 1 / std::sqrt(2.0 * static_cast<double>(shape_.depth));
  const std::int64_t width = shape_.width, hidden = shape_.hidden;
  Block block{};
  block.attention_norm = gain("attention_norm");
  block.qkv = matrix("qkv", 3 * width, width, 1);
  block.out = matrix("out", width, width, residual);
  block.feed_forward_norm = gain("feed_forward_norm");
  block.up = matrix("up", (shape_.swiglu ? 2 : 1) * hidden, width, 1);
  block.down = matrix("down", width, hidden, residual);
  return block;
}

/// What products read of a parameter.
at::Tensor Transformer::matrix(std::size_t index) const {
  return low_ ? low_->of(index, value(index)) : value(index);
}

void Transformer::parameters_changed() {
  if (low_) low_->renew();
}

at::Tensor Transformer::embed(const Inputs& inputs) const {
  const at::Tensor tokens = operations_->embed(value(tokens_), inputs.tokens);
  return shape_.rotary ? tokens : tokens + operations_->embed(value(positions_), inputs.positions);
}

at::Tensor Transformer::run(const Inputs& inputs, std::vector<at::Tensor>* layers) const {
  const Norm norm = shape_.rms_norm ? Norm::rms : Norm::layer;
  const Activation activation = shape_.swiglu ? Activation::swiglu : Activation::gelu;
  std::int64_t layer = 0;
  const auto dropped = [&](const at::Tensor& x) {
    return drop(x, {inputs.dropout, inputs.seeds, inputs.step, layer++});
  };
  const Operations& op = *operations_;
  at::Tensor stream = embed(inputs);
  const at::ScalarType type = bfloat16_ ? at::kBFloat16 : stream.scalar_type();
  const Sight sight = op.prepared({inputs.positions, inputs.visible_from, inputs.visible_until,
                                   turns_, shape_.heads, inputs.visibility},
                                  type);
  at::Tensor delta;
  for (const Block& block : blocks_) {
    Normed before = op.add_norm(stream, delta, value(block.attention_norm), norm, type);
    if (layers != nullptr) layers->push_back(before.sum);
    const at::Tensor seen = op.attention(op.linear(before.normed, matrix(block.qkv)), sight);
    delta = dropped(op.linear(seen, matrix(block.out)));
    Normed between = op.add_norm(before.sum, delta, value(block.feed_forward_norm), norm, type);
    const at::Tensor units = op.activated(between.normed, matrix(block.up), activation);
    delta = dropped(op.linear(units, matrix(block.down)));
    stream = between.sum;
  }
  Normed last = op.add_norm(stream, delta, value(norm_), norm, stream.scalar_type());
  if (layers != nullptr) layers->insert(layers->end(), {last.sum, last.normed});
  return last.normed;
}

at::Tensor Transformer::hidden(const Inputs& inputs) { return run(inputs, nullptr); }

std::vector<at::Tensor> Transformer::layers(const Inputs& inputs) {
  const at::NoGradGuard no_gradient;
  std::vector<at::Tensor> found;
  run(inputs, &found);
  return found;
}

// A tied table has the embeddings' deviation, and a hidden state lies near its own token's row: the
// scale holds both the spread of the logits and that row's lead small at any width.
OutputHead Transformer::output_head() const {
  const double scale = shape_.tied ? 2.0 / static_cast<double>(shape_.width) : 1.0;
  return {matrix(head_), scale, bfloat16_ ? at::kBFloat16 : value(head_).scalar_type()};
}

at::Tensor Transformer::losses(const at::Tensor& hidden, const std::vector<LaneTargets>& targets) {
  if (static_cast<std::int64_t>(targets.size()) != lanes_)
    reject("losses: targets of ", targets.size(), " lanes for a bank of ", lanes_,
           "; give one set a lane");
  return operations_->losses(hidden, output_head(), targets);
}

at::Tensor Transformer::logits(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& at) {
  const at::Tensor rows = hidden.select(0, lane).flatten(0, 1).index_select(0, at);
  return at::mm(rows, value(head_).select(0, lane).t()) * output_head().scale;
}

}  // namespace ablate
