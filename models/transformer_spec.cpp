// The transformer, to those who plan: its parameters, what it offers, and what it costs by formula.

#include "models/transformer_spec.h"

#include <cmath>

namespace ablate {
namespace {

std::vector<Param> rows() {
  return {
      integer("depth", 2, 1, 256, "blocks"),
      integer("width", 64, 4, 16384, "units of the residual stream"),
      integer("heads", 4, 1, 256, "attention heads; they divide the width"),
      integer("context", 64, 2, 65536,
              "tokens of a text; where an objective adds some, its rows have more positions"),
      number("feed_forward", 4, 0.25, 64,
             "units of the feed-forward layer, as a multiple of the width"),
      choice("positions", "rotary", {"rotary", "learned"}, "how a position is told apart"),
      choice("norm", "layer_norm", {"layer_norm", "rms_norm"}, "normalisation before each layer"),
      choice("activation", "gelu", {"gelu", "swiglu"},
             "of the feed-forward layer; swiglu has 2/3 of the units, so that parameters agree"),
      choice("head", "free", {"free", "tied"}, "output table of its own, or the token table"),
  };
}

// Units of the feed-forward layer. SwiGLU has three matrices where GELU has two, so it gets two
// thirds of the units, to the nearest multiple of 4: within 1 % of the parameters from width 64 on.
std::int64_t hidden_units(double multiple, std::int64_t width, bool swiglu) {
  const double units = multiple * static_cast<double>(width);
  if (!swiglu) return std::max<std::int64_t>(1, std::llround(units));
  return std::max<std::int64_t>(4, 4 * std::llround(units * 2 / 3 / 4));
}

std::string refusal(const Params& model) {
  const std::int64_t width = model.integer("width");
  const std::int64_t heads = model.integer("heads");
  if (width % heads != 0)
    return join("heads = ", heads, " does not divide width = ", width,
                "; choose a width that is a multiple of the heads");
  if (model.text("positions") == "rotary" && width / heads % 2 != 0)
    return join("width / heads = ", width / heads,
                " is odd, and rotary positions turn pairs of units; ",
                "choose an even one, or positions = \"learned\"");
  return {};
}

// Products of one block, multiply-adds per position, without attention's own.
std::int64_t block_matrices(const TransformerShape& shape) {
  const std::int64_t feed_forward = (shape.swiglu ? 3 : 2) * shape.width * shape.hidden;
  return 4 * shape.width * shape.width + feed_forward;
}

ParameterCount parameters(const Params& model, const Hosting& hosting) {
  const TransformerShape shape = transformer_shape(model, hosting);
  ParameterCount count;
  count.embeddings = shape.vocabulary * shape.width * (shape.tied ? 1 : 2) +
                     (shape.rotary ? 0 : shape.context * shape.width);
  const std::int64_t norms = (2 * shape.depth + 1) * shape.width;
  count.total = count.embeddings + shape.depth * block_matrices(shape) + norms;
  count.at_inference = count.total;
  return count;
}

// Products alone: norms, activations and the optimizer are not counted. Attention is counted over
// the whole context, whatever its visibility, as is the custom (Kaplan et al. 2020, arXiv
// 2001.08361).
FlopCount flops(const Params& model, const Hosting& hosting) {
  const TransformerShape shape = transformer_shape(model, hosting);
  const double attention = 2.0 * static_cast<double>(shape.context * shape.width);
  const double matrices = static_cast<double>(block_matrices(shape));
  constexpr double kForwardAndBackward = 3, kMultiplyAdd = 2;
  FlopCount count;
  count.trunk_per_token = kForwardAndBackward * kMultiplyAdd * static_cast<double>(shape.depth) *
                          (matrices + attention);
  count.head_per_target =
      kForwardAndBackward * kMultiplyAdd * static_cast<double>(shape.vocabulary * shape.width);
  return count;
}

}  // namespace

TransformerShape transformer_shape(const Params& model, const Hosting& hosting) {
  TransformerShape shape;
  shape.depth = model.integer("depth");
  shape.width = model.integer("width");
  shape.heads = model.integer("heads");
  shape.head_width = shape.width / shape.heads;
  shape.context = std::max(model.integer("context"), hosting.shape.time);
  shape.vocabulary = hosting.vocabulary.size();
  shape.rotary = model.text("positions") == "rotary";
  shape.rms_norm = model.text("norm") == "rms_norm";
  shape.swiglu = model.text("activation") == "swiglu";
  shape.tied = model.text("head") == "tied";
  shape.hidden = hidden_units(model.number("feed_forward"), shape.width, shape.swiglu);
  return shape;
}

BackboneSpec transformer_spec() {
  return {.name = "transformer",
          .summary = "pre-norm transformer without biases, attention by visibility",
          .params = rows(),
          .offer = {},
          .parameters = parameters,
          .flops = flops,
          .refusal = refusal,
          .semantics = 2};
}

}  // namespace ablate
