// The first layer of a network: embeddings of tokens and positions.

#include "models/layers/embeddings.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cmath>

namespace ablate::models {
namespace {

// Initial standard deviations. Masked arms learn well with token embeddings at .5 and rotary
// positions. Learned positions have the deviation of the tokens, as in BERT: at a fifth of it or
// less, masked arms do not learn to use them within a million tokens.
constexpr double kTokenDeviation = 0.5;
constexpr double kPositionDeviation = kTokenDeviation;

// Cosines and sines of position / scale * base^(-2 d / head_width), the sines negated in the first half;
// computed in float64, returned as float32 [context, 2, head_width]. The scale: Chen et al. 2023, "Extending
// Context Window of Large Language Models via Position Interpolation", arXiv:2306.15595, section 2.3.
at::Tensor rotary_table(const Shape& shape) {
  const at::TensorOptions options = at::TensorOptions().dtype(at::kDouble);
  const at::Tensor exponents =
      at::arange(0, shape.head_width, 2, options).div(static_cast<double>(shape.head_width));
  const at::Tensor angles = at::outer(at::arange(shape.context, options).div(shape.rotary_scale),
                                      at::exp(exponents * -std::log(shape.rotary_base)));
  const at::Tensor cosines = at::cos(angles), sines = at::sin(angles);
  return at::stack({at::cat({cosines, cosines}, 1), at::cat({-sines, sines}, 1)}, 1).to(at::kFloat);
}

// What the scores of each head lose for a position of distance: 2^(-8 / heads), its square and so on, float32
// [heads]. Source: Press et al. 2022, arXiv:2108.12409, section 3.
at::Tensor alibi_slopes(std::int64_t heads) {
  const at::Tensor numbers = at::arange(1, heads + 1, at::TensorOptions().dtype(at::kDouble));
  return at::exp2(numbers * (-8.0 / static_cast<double>(heads))).to(at::kFloat);
}

// The table of a batch whose places have second positions, float32 [lane * batch * time, 2, head_width]:
// every other pair of units is rotated by the second one. Pairs, not halves of the units, so that both
// have slow and fast ones. Source: Du et al. 2022, arXiv:2103.10360, section 2.3; as rotary positions, the
// code of GLM-130B, which rotates the first half of the units by one and the second by the other.
at::Tensor rotary_of_both(const at::Tensor& table, const at::Tensor& positions,
                          const at::Tensor& inner) {
  const std::int64_t head_width = table.size(2);
  const at::Tensor pair = at::arange(head_width, inner.options()).remainder(head_width / 2);
  const at::Tensor second = pair.remainder(2).to(at::kBool);
  return at::where(second, table.index_select(0, inner.flatten()),
                   table.index_select(0, positions.flatten()));
}

}  // namespace

Embeddings::Embeddings(Bank& bank, const Shape& shape) : Embeddings(bank, shape, "", nullptr) {}

Embeddings::Embeddings(Bank& bank, const Shape& shape, const std::string& prefix,
                       const Embeddings* table)
    : bank_(bank), heads_(shape.heads), inner_(shape.inner) {
  if (table != nullptr) {
    tokens_ = table->tokens_;
    const std::int64_t wide = bank.parameters.value(tokens_).size(-1);
    project_ = bank.parameters.add_matrix(prefix + "token_projection", shape.width, wide);
  } else {
    tokens_ = bank.parameters.add(prefix + "tokens", {shape.vocabulary, shape.width},
                                  {.deviation = kTokenDeviation, .decayed = false});
  }
  if (shape.rotary()) rotary_ = rotary_table(shape).to(bank.device);
  if (shape.positions == Positions::alibi) slopes_ = alibi_slopes(shape.heads).to(bank.device);
  if (shape.positions != Positions::learned) return;
  const auto add_table = [&](const char* name) {
    return bank.parameters.add(prefix + name, {shape.context, shape.width},
                               {.deviation = kPositionDeviation, .decayed = false});
  };
  positions_ = add_table("positions");
  if (inner_) inner_positions_ = add_table("inner_positions");
}

at::Tensor Embeddings::embed(const at::Tensor& tokens, const at::Tensor& positions,
                             const at::Tensor& inner) const {
  at::Tensor rows = bank_.operations->embed(bank_.parameters.value(tokens_), tokens);
  if (project_)
    rows = bank_.operations->linear(rows.to(bank_.type), bank_.parameters.matrix(*project_))
               .to(rows.scalar_type());
  if (!positions_) return rows;
  rows = rows + bank_.operations->embed(bank_.parameters.value(*positions_), positions);
  if (!inner_positions_) return rows;
  return rows + bank_.operations->embed(bank_.parameters.value(*inner_positions_),
                                        inner.defined() ? inner : at::zeros_like(positions));
}

AttentionMask Embeddings::mask(const train::Inputs& inputs) const {
  AttentionMask mask = {inputs.positions, inputs.visible_from, inputs.visible_until, rotary_,
                        heads_,           inputs.visibility};
  mask.also_from = inputs.also_from;
  mask.also_until = inputs.also_until;
  mask.slopes = slopes_;
  if (!inner_ || !rotary_.defined()) return mask;
  const at::Tensor& positions = inputs.positions;
  mask.rotary = rotary_of_both(rotary_, positions,
                               inputs.inner.defined() ? inputs.inner : at::zeros_like(positions));
  mask.positions = at::arange(positions.numel(), positions.options()).view(positions.sizes());
  return mask;
}

Pass Embeddings::pass(const train::Inputs& inputs, std::int64_t layer) const {
  return {*bank_.operations, inputs, bank_.operations->prepared(mask(inputs), bank_.type),
          bank_.type, layer};
}

Pass Embeddings::pass(const train::Inputs& inputs, DecodingStep& step) const {
  AttentionMask own = mask(inputs);
  own.visibility = train::Visibility::general;
  return {*bank_.operations, inputs, std::move(own), bank_.type, 0, &step};
}

}  // namespace ablate::models
