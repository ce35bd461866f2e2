// The transformer for planning: its parameters, what it offers, and formulas for its cost.

#include "models/specs/transformer_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ablate::models {
namespace {

// Units of the feed-forward layer. SwiGLU has three matrices instead of two, so it gets two thirds
// of the units, rounded to a multiple of 4: within 1 % of the parameters of GELU from width 64 on.
std::int64_t hidden_units(double multiple, std::int64_t width, bool swiglu) {
  const double units = multiple * static_cast<double>(width);
  if (!swiglu) return std::max<std::int64_t>(1, std::llround(units));
  return std::max<std::int64_t>(4, 4 * std::llround(units * 2 / 3 / 4));
}

std::int64_t future_heads(const Needs& needs) {
  std::int64_t maximum = 0;
  for (const HeadNeed& need : needs.heads)
    if (need.head == Head::future_tokens) maximum = std::max(maximum, need.ahead);
  return maximum;
}

bool has_pair(const Needs& needs) {
  return std::any_of(needs.heads.begin(), needs.heads.end(),
                     [](const HeadNeed& need) { return need.head == Head::pair; });
}

/// The number of blocks that belong to heads, not to the trunk.
std::int64_t head_blocks(const Needs& needs) {
  const std::int64_t future = future_heads(needs);
  if (future == 0) return 0;
  if (needs.future == FutureKind::transformer) return future;
  return needs.future == FutureKind::sequential ? future - 1 : 0;
}

/// The number of blocks in the trunk. The first head's block always counts towards the depth.
std::int64_t trunk_blocks(std::int64_t depth, const Needs& needs) {
  if (needs.shorten_trunk) return depth - head_blocks(needs);
  return future_heads(needs) > 0 && needs.future == FutureKind::transformer ? depth - 1 : depth;
}

std::string cannot_host(const Params& model, const Needs& needs) {
  const std::int64_t depth = model.integer("depth"), trunk = trunk_blocks(depth, needs);
  if (trunk >= 1) return {};
  return fmt::format(
      "its heads have {} blocks, which leaves {} for the trunk of a model with depth = {}; set "
      "depth to {} or more, or use fewer heads",
      head_blocks(needs), trunk, depth, depth + 1 - trunk);
}

/// Multiply-adds per position of the heads' matrices outside their blocks.
std::int64_t head_matrices(const TransformerShape& shape) {
  const std::int64_t square = shape.width * shape.width,
                     more = std::max<std::int64_t>(0, shape.future - 1);
  if (shape.future_kind == FutureKind::linear) return more * square;
  return shape.future_kind == FutureKind::sequential ? more * 2 * square : 0;
}

/// The number of blocks in the trunk and all heads.
std::int64_t all_blocks(const TransformerShape& shape) {
  if (shape.future == 0) return shape.trunk;
  if (shape.future_kind == FutureKind::transformer) return shape.trunk + shape.future;
  return shape.future_kind == FutureKind::sequential ? shape.trunk + shape.future - 1 : shape.trunk;
}

ParameterCount parameters(const Params& model, const Hosting& hosting) {
  const TransformerShape shape = transformer_shape(model, hosting);
  ParameterCount count;
  count.embeddings = embedding_parameters(shape);
  const std::int64_t block = block_matrices(shape) + 2 * shape.width;
  const std::int64_t pair = shape.pair ? shape.width * (shape.width + 2) : 0;
  const std::int64_t modules =
      shape.future_kind == FutureKind::sequential ? std::max<std::int64_t>(0, shape.future - 1) : 0;
  count.total = count.embeddings + all_blocks(shape) * block + shape.width + pair +
                head_matrices(shape) + modules * 2 * shape.width;
  // Further heads are used in training only; inference uses the first one.
  count.at_inference =
      count.embeddings + static_cast<std::int64_t>(layers_of_path(shape)) * block + shape.width;
  return count;
}

// Counts matrix products only, not norms, activations or the optimizer. Attention counts the full
// context whatever its visibility, as is customary (Kaplan et al. 2020, arXiv 2001.08361).
FlopCount flops(const Params& model, const Hosting& hosting) {
  const TransformerShape shape = transformer_shape(model, hosting);
  const double attention = 2.0 * static_cast<double>(shape.context * shape.width);
  const double matrices = static_cast<double>(block_matrices(shape));
  FlopCount count;
  count.trunk_per_token =
      kTrainingFlops * (static_cast<double>(all_blocks(shape)) * (matrices + attention) +
                        static_cast<double>(head_matrices(shape)));
  count.head_per_target = kTrainingFlops * static_cast<double>(shape.vocabulary * shape.width);
  return count;
}

// Each head runs forward and backward before the next one, but for heads that start from each other.
MemoryCount memory(const Params& model, const Hosting& hosting, bool bfloat16) {
  const TransformerShape shape = transformer_shape(model, hosting);
  const bool chained = shape.future > 0 && shape.future_kind == FutureKind::sequential;
  const double blocks = chained ? static_cast<double>(all_blocks(shape)) : layers_of_path(shape);
  MemoryCount count = outer_memory(shape, bfloat16);
  count.per_token += blocks * block_bytes(shape, bfloat16);
  // The trunk's stream is cut off from its heads: the leaf's gradient, and each head's input.
  if (shape.future > 0 || shape.pair)
    count.per_token += 4 * kFloat32Bytes * static_cast<double>(shape.width);
  if (chained)
    count.per_token += static_cast<double>(shape.future - 1) * 8 * kFloat32Bytes *
                       static_cast<double>(shape.width);
  return count;
}

}  // namespace

double block_bytes(const TransformerShape& shape, bool bfloat16) {
  const double unit = activation_bytes(bfloat16), width = static_cast<double>(shape.width);
  const double hidden = static_cast<double>(shape.hidden);
  const double norms = 2 * (kFloat32Bytes + unit) * width;  // sums, and what products read
  const double attention = (3 + 1 + (shape.rotary ? 2 : 0)) * unit * width;
  // The products, and their activation; a gate has its own.
  const double feed_forward = (shape.swiglu ? 4 : 2) * unit * hidden;
  return norms + attention + feed_forward;
}

MemoryCount outer_memory(const TransformerShape& shape, bool bfloat16) {
  const double unit = activation_bytes(bfloat16), width = static_cast<double>(shape.width);
  MemoryCount count;
  // The embedding, sum and norm of the last layer, and the gradients that begin the backward pass.
  count.per_token = (5 * kFloat32Bytes + unit) * width;
  // The states that the table reads, their gradient, and the same scaled.
  count.per_target = (2 * unit + kFloat32Bytes) * width;
  count.fixed = kFloat32Bytes * static_cast<double>(shape.vocabulary * shape.width);
  return count;
}

std::vector<Param> transformer_params() {
  return {
      integer("depth", 2, 1, 256, "blocks"),
      integer("width", 64, 4, 16384, "units of the residual stream"),
      integer("heads", 4, 1, 256, "attention heads; they divide the width"),
      integer("context", 64, 2, 65536,
              "tokens in a text; rows are longer if an objective adds tokens"),
      number("feed_forward", 4, 0.25, 64,
             "units of the feed-forward layer, as a multiple of the width"),
      choice("positions", "rotary", {"rotary", "learned"}, "position encoding"),
      choice("norm", "layer_norm", {"layer_norm", "rms_norm"}, "normalisation before each layer"),
      choice("activation", "gelu", {"gelu", "swiglu"},
             "activation of the feed-forward layer; swiglu has 2/3 of the units, so that the "
             "number of parameters is the same"),
      choice("head", "free", {"free", "tied"},
             "output table. free: separate parameters; tied: the token table"),
  };
}

std::int64_t embedding_parameters(const TransformerShape& shape) {
  return shape.vocabulary * shape.width * (shape.tied ? 1 : 2) +
         (shape.rotary ? 0 : shape.context * shape.width);
}

std::int64_t block_matrices(const TransformerShape& shape) {
  const std::int64_t feed_forward = (shape.swiglu ? 3 : 2) * shape.width * shape.hidden;
  return 4 * shape.width * shape.width + feed_forward;
}

std::string transformer_refusal(const Params& model) {
  const std::int64_t width = model.integer("width");
  const std::int64_t heads = model.integer("heads");
  if (width % heads != 0)
    return fmt::format(
        "heads = {} does not divide width = {}; choose a width that is a multiple of the heads",
        heads, width);
  if (model.text("positions") == "rotary" && width / heads % 2 != 0)
    return fmt::format(
        "width / heads = {} is odd, but rotary positions rotate pairs of units; choose an even "
        "value, or positions = \"learned\"",
        width / heads);
  return {};
}

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
  const Needs& needs = hosting.needs;
  shape.trunk = trunk_blocks(shape.depth, needs);
  shape.future = future_heads(needs);
  shape.future_kind = needs.future;
  shape.pair = has_pair(needs);
  return shape;
}

double layers_of_path(const TransformerShape& shape) {
  const bool own = shape.future > 0 && shape.future_kind == FutureKind::transformer;
  return static_cast<double>(shape.trunk + (own ? 1 : 0));
}

BackboneSpec transformer_spec() {
  return {.name = "transformer",
          .summary = "pre-norm transformer without biases; each objective sets its attention",
          .params = transformer_params(),
          .offer = {.heads = {Head::token, Head::future_tokens, Head::pair}},
          .parameters = parameters,
          .flops = flops,
          .memory = memory,
          .refusal = transformer_refusal,
          .cannot_host = cannot_host,
          .version = 2};
}

}  // namespace ablate::models
