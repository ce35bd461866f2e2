// The transformer for planning: its parameters, what it offers, and formulas for its cost.

#include "models/specs/transformer_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "models/specs/head_specs.h"
#include "models/specs/layer_settings.h"
#include "models/specs/layer_specs.h"

namespace ablate::models {
namespace {

constexpr double kForwardFlops = 2;  // of a multiply-add

Positions positions_of(const Params& model) {
  const std::string& name = model.text("positions");
  return name == "rotary"    ? Positions::rotary
         : name == "learned" ? Positions::learned
         : name == "alibi"   ? Positions::alibi
                             : Positions::none;
}

/// Why a model has no blocks left for its trunk; empty if it has some.
std::string heads_refusal(const Params& model, const Needs& needs) {
  const std::vector<HeadNeed> heads = known_heads(needs.heads, head_specs());
  const std::int64_t depth = model.integer("depth"), trunk = trunk_blocks(depth, heads);
  if (trunk >= 1) return {};
  std::int64_t own = 0;
  for (const HeadNeed& head : heads) own += head.traits.blocks;
  return fmt::format(
      "its heads have {} blocks, which leaves {} for the trunk of a model with depth = {}; set "
      "depth to {} or more, or use fewer heads",
      own, trunk, depth, depth + 1 - trunk);
}

/// Why a model cannot let inputs see each other before a continuation; empty if it can.
std::string prefix_refusal(const Params& model, const Needs& needs) {
  if (needs.attention != Attention::bidirectional || needs.alignment != Alignment::continuation ||
      !needs.reads)
    return {};
  const std::string_view mixer = mixer_without_prefix(model);
  if (mixer.empty()) return {};
  return fmt::format(
      "its inputs see each other and what follows them sees only the past, but in one stack {} "
      "shows either both directions or the past; leave {} out of model.layers, or set "
      "model.backbone to decoder, where the inputs also see only the past, or to encoder_decoder",
      mixer, mixer);
}

/// Why a model cannot show two intervals to a place; empty if it can.
std::string intervals_refusal(const Params& model, const Needs& needs) {
  const std::string_view mixer = needs.two_intervals ? mixer_without_two_intervals(model) : "";
  if (mixer.empty()) return {};
  return fmt::format(
      "its places see two intervals at once, their own block and what is before it, and {} shows "
      "one; "
      "leave {} out of model.layers",
      mixer, mixer);
}

/// Why a head cannot have a network that is a fraction as wide as the model; empty if all can.
std::string narrow_refusal(const Params& model, const Needs& needs) {
  const std::int64_t heads = model.integer("heads");
  for (const HeadNeed& need : known_heads(needs.heads, head_specs())) {
    if (!need.traits.fills) continue;
    const double fraction = narrow_network(need.settings()).width;
    const double own = narrowed_heads(heads, fraction);
    if (own >= 1 && own == std::round(own)) continue;
    return fmt::format(
        "its {} is {:g} as wide, which makes {:g} of {} attention heads, and there is no part of "
        "one; choose a multiple of {:g}, or set model.heads to another number",
        need.kind, fraction, own, heads, 1 / static_cast<double>(heads));
  }
  return "";
}

std::string cannot_host(const Params& model, const Needs& needs) {
  std::string why = heads_refusal(model, needs);
  if (why.empty()) why = narrow_refusal(model, needs);
  if (why.empty()) why = intervals_refusal(model, needs);
  if (why.empty()) why = positions_refusal(model, needs);
  return why.empty() ? prefix_refusal(model, needs) : why;
}

/// What the blocks of the trunk cost.
BlockCost trunk_cost(const Shape& shape, bool bfloat16) {
  return stack_cost(shape, shape.trunk, shape.context, bfloat16);
}

/// What a network of a head's own costs: its stack and norm, its tables, or the projections from and
/// to the width of the backbone's.
HeadCost narrow_cost(const Shape& shape, const NarrowNetwork& own, bool bfloat16) {
  const Shape narrow = narrowed(shape, own);
  const BlockCost stack = stack_cost(narrow, narrow.depth, narrow.context, bfloat16);
  const std::int64_t projections = own.tied ? 2 * shape.width * narrow.width : 0;
  HeadCost cost;
  cost.embeddings = embedding_parameters(narrow);
  if (own.tied) cost.embeddings -= narrow.vocabulary * narrow.width;
  cost.parameters = cost.embeddings + stack.parameters + narrow.width + projections;
  cost.multiply_adds = stack.multiply_adds + static_cast<double>(projections);
  cost.idle = stack.idle;
  cost.fixed_bytes = stack.fixed_bytes;
  cost.per_target =
      static_cast<double>(narrow.vocabulary * (own.tied ? shape.width : narrow.width));
  // The embedding, sum and norm of its last layer, and the gradients that begin its backward pass.
  cost.bytes = stack.bytes + 5 * kFloat32Bytes * static_cast<double>(narrow.width) +
               (own.tied ? 2 * (kFloat32Bytes + activation_bytes(bfloat16)) : 0) *
                   static_cast<double>(shape.width);
  return cost;
}

/// What the heads of the needs cost.
HeadsCost heads_cost(const Needs& needs, const Shape& shape, bool bfloat16) {
  return cost_of(
      needs, shape.width, shape.vocabulary,
      [&](std::int64_t place) {
        const std::int64_t block = shape.trunk + place;  // in a stack of its own
        return block_cost(shape, block, block, shape.context, bfloat16);
      },
      [&](const NarrowNetwork& own) { return narrow_cost(shape, own, bfloat16); });
}

ParameterCount parameters(const Params& model, const Hosting& hosting) {
  const Shape shape = shape_of(model, hosting);
  const HeadsCost heads = heads_cost(hosting.needs, shape, false);
  ParameterCount count;
  const std::int64_t tables = embedding_parameters(shape);
  const BlockCost trunk = trunk_cost(shape, false);
  const std::int64_t below = tables + trunk.parameters + shape.width;
  count.embeddings = tables + heads.embeddings;
  count.total = below + heads.parameters;
  count.at_inference = below + heads.at_inference;
  count.idle = stack_cost(shape, shape.trunk + shape.first, shape.context, false).idle;
  count.idle_in_training = trunk.idle + heads.idle;
  return count;
}

// Counts matrix products only, not norms, activations or the optimizer.
FlopCount flops(const Params& model, const Hosting& hosting) {
  const Shape shape = shape_of(model, hosting);
  const HeadsCost heads = heads_cost(hosting.needs, shape, false);
  FlopCount count;
  count.trunk_per_token =
      kTrainingFlops * (trunk_cost(shape, false).multiply_adds + heads.multiply_adds);
  // A table of its own is that of a generator, whose samples take another forward pass.
  count.head_per_target =
      heads.per_target > 0 ? (kTrainingFlops + kForwardFlops) * heads.per_target
                           : kTrainingFlops * static_cast<double>(shape.vocabulary * shape.width);
  return count;
}

MemoryCount memory(const Params& model, const Hosting& hosting, bool bfloat16) {
  const Shape shape = shape_of(model, hosting);
  MemoryCount count = outer_memory(shape, bfloat16);
  const HeadsCost heads = heads_cost(hosting.needs, shape, bfloat16);
  const BlockCost trunk = trunk_cost(shape, bfloat16);
  count.per_token += trunk.bytes + heads.bytes;
  // The trunk's stream is cut off from its heads: the leaf's gradient, and each head's input.
  if (hosting.needs.heads.size() > 1)
    count.per_token += 4 * kFloat32Bytes * static_cast<double>(shape.width);
  // A network that runs before the trunk holds nothing any more when that runs.
  count.per_token = std::max(count.per_token, heads.bytes_before);
  count.fixed = std::max(count.fixed, kFloat32Bytes * heads.per_target) + trunk.fixed_bytes +
                heads.fixed_bytes;
  return count;
}

std::int64_t state(const Params& model, const Hosting& hosting) {
  const Shape shape = shape_of(model, hosting);
  return state_numbers(shape, shape.trunk + shape.first, hosting.shape.time);
}

}  // namespace

std::int64_t state_numbers(const Shape& shape, std::int64_t blocks, std::int64_t time) {
  std::int64_t numbers = 0;
  for (std::int64_t block = 0; block < blocks; ++block)
    numbers += shape.mixer(block).state(shape, time);
  return numbers;
}

MemoryCount outer_memory(const Shape& shape, bool bfloat16) {
  const double unit = activation_bytes(bfloat16), width = static_cast<double>(shape.width);
  MemoryCount count;
  // The embedding, sum and norm of the last layer, and the gradients that begin the backward pass.
  count.per_token = (5 * kFloat32Bytes + unit) * width;
  // The states that the table reads, their gradient, and the same scaled.
  count.per_target = (2 * unit + kFloat32Bytes) * width;
  if (shape.positions == Positions::alibi)  // of one mask, which all blocks read
    count.per_token += unit * static_cast<double>(shape.heads * shape.context);
  if (shape.table)
    count.fixed = kFloat32Bytes * static_cast<double>(shape.vocabulary * shape.width);
  return count;
}

std::vector<Param> transformer_params() {
  std::vector<Param> params = {
      integer("depth", 2, 1, 256, "blocks"),
      integer("width", 64, 4, 16384, "units of the residual stream"),
      integer("heads", 4, 1, 256, "attention heads; they divide the width"),
      integer("context", 64, 2, 65536,
              "tokens in a text; rows are longer if an objective adds tokens"),
      number("feed_forward", 4, 0.25, 64,
             "units of the feed-forward layer, as a multiple of the width"),
      choice("positions", "rotary", {"rotary", "learned", "alibi", "none"},
             "position encoding; alibi: attention scores fall with the distance; none: attention "
             "knows a position only from what it may see"),
      choice("norm", "layer_norm", {"layer_norm", "rms_norm"}, "normalisation before each layer"),
      choice("activation", "gelu", {"gelu", "swiglu"},
             "activation of the feed-forward layer; swiglu has 2/3 of the units, so that the "
             "number of parameters is the same"),
      choice("head", "free", {"free", "tied"},
             "output table. free: separate parameters; tied: the token table"),
  };
  params.push_back(optional(
      number("rotary_base", nullptr, 1, 1e9,
             "base of the angles of rotary positions; larger for longer contexts; absent: 10000"),
      Shape().rotary_base));
  params.push_back(optional(number("rotary_scale", nullptr, 1, 1e6,
                                   "divisor of rotary positions, which lets a longer context use "
                                   "the angles of a shorter one; absent: 1"),
                            Shape().rotary_scale));
  for (Param& param : layer_params()) params.push_back(std::move(param));
  return params;
}

std::int64_t embedding_parameters(const Shape& shape) {
  return shape.vocabulary * shape.width * (shape.tied || !shape.table ? 1 : 2) +
         (shape.positions != Positions::learned
              ? 0
              : (shape.inner ? 2 : 1) * shape.context * shape.width);
}

std::string transformer_refusal(const Params& model) {
  std::string why = sizes_refusal(model);
  return why.empty() ? layers_refusal(model, model.integer("depth")) : why;
}

std::string sizes_refusal(const Params& model) {
  const std::int64_t width = model.integer("width");
  const std::int64_t heads = model.integer("heads");
  if (width % heads != 0)
    return fmt::format(
        "heads = {} does not divide width = {}; choose a width that is a multiple of the heads",
        heads, width);
  for (const char* const setting : {"rotary_base", "rotary_scale"})
    if (model.has(setting) && model.text("positions") != "rotary")
      return fmt::format(
          "{} is given, and positions = \"{}\"; leave it out, or set positions to rotary", setting,
          model.text("positions"));
  if (model.text("positions") == "rotary" && width / heads % 2 != 0)
    return fmt::format(
        "width / heads = {} is odd, but rotary positions rotate pairs of units; choose an even "
        "value, or positions = \"learned\" or \"none\"",
        width / heads);
  return {};
}

Shape shape_of(const Params& model, const Hosting& hosting) {
  Shape shape;
  shape.depth = model.integer("depth");
  shape.width = model.integer("width");
  shape.heads = model.integer("heads");
  shape.head_width = shape.width / shape.heads;
  shape.context = std::max(model.integer("context"), hosting.shape.time);
  shape.vocabulary = hosting.vocabulary.size();
  shape.ordinary = hosting.vocabulary.ordinary;
  shape.positions = positions_of(model);
  if (model.has("rotary_base")) shape.rotary_base = model.number("rotary_base");
  if (model.has("rotary_scale")) shape.rotary_scale = model.number("rotary_scale");
  shape.inner = hosting.needs.inner_positions;
  shape.rms_norm = model.text("norm") == "rms_norm";
  shape.tied = model.text("head") == "tied";
  shape.hidden_multiple = model.number("feed_forward");
  set_layers(shape, model);
  const std::vector<HeadNeed> heads = known_heads(hosting.needs.heads, head_specs());
  shape.trunk = trunk_blocks(shape.depth, heads);
  shape.first = heads.front().traits.blocks;
  shape.table = std::any_of(heads.begin(), heads.end(), [](const HeadNeed& head) {
    return head.traits.ahead > 0 && !head.traits.fills;
  });
  return shape;
}

BackboneSpec transformer_spec() {
  return {.name = "transformer",
          .summary = "pre-norm transformer without biases; each objective sets its attention",
          .params = transformer_params(),
          .offer = {},
          .parameters = parameters,
          .flops = flops,
          .memory = memory,
          .state = state,
          .refusal = transformer_refusal,
          .cannot_host = cannot_host,
          .routes = has_experts,
          .canonical = canonical_layers,
          .version = 2};
}

}  // namespace ablate::models
