// The encoder-decoder for planning: its parameters, what it offers, and formulas for its cost.

#include "models/specs/encoder_decoder_spec.h"

#include <fmt/core.h>

#include <algorithm>

#include "models/specs/layer_settings.h"
#include "models/specs/layer_specs.h"

namespace ablate::models {
namespace {

std::vector<Param> rows() {
  std::vector<Param> rows = transformer_params();
  rows.front().description = "blocks of the decoder";
  rows.push_back(optional(integer("encoder_depth", nullptr, 1, 256,
                                  "blocks of the encoder; absent: as many as the decoder")));
  rows.push_back(choice("sharing", "own", {"own", "shared"},
                        "own: each stack has its own blocks; shared: one set of parameters for "
                        "both, except for cross-attention"));
  return rows;
}

std::int64_t encoder_depth(const Params& model) {
  return model.integer(model.has("encoder_depth") ? "encoder_depth" : "depth");
}

std::string refusal(const Params& model) {
  if (model.text("sharing") == "shared" && encoder_depth(model) != model.integer("depth"))
    return fmt::format(
        "encoder_depth = {} and depth = {} differ, but stacks with shared blocks have the same "
        "depth; leave encoder_depth out",
        encoder_depth(model), model.integer("depth"));
  if (std::string why = sizes_refusal(model); !why.empty()) return why;
  return layers_refusal(model, std::max(encoder_depth(model), model.integer("depth")));
}

BlockCost encoder_cost(const EncoderDecoderShape& shape, bool bfloat16) {
  return stack_cost(shape.stack, shape.encoder_depth, shape.source_time, bfloat16);
}

BlockCost decoder_cost(const EncoderDecoderShape& shape, bool bfloat16) {
  return stack_cost(shape.stack, shape.stack.depth, shape.time, bfloat16);
}

ParameterCount parameters(const Params& model, const Hosting& hosting) {
  const EncoderDecoderShape shape = encoder_decoder_shape(model, hosting);
  const std::int64_t width = shape.stack.width;
  const std::int64_t across = 4 * width * width + width;
  ParameterCount count;
  count.embeddings = embedding_parameters(shape.stack);
  count.total = count.embeddings + encoder_cost(shape, false).parameters +
                (shape.shared ? 0 : decoder_cost(shape, false).parameters) +
                shape.stack.depth * across + 2 * width;
  count.at_inference = count.total;
  count.idle =
      encoder_cost(shape, false).idle + (shape.shared ? 0 : decoder_cost(shape, false).idle);
  count.idle_in_training = count.idle;
  return count;
}

/// Counts matrix products only, as in transformer_spec.cpp, each stack by its own positions. Keys
/// and values of cross-attention count for the encoder's positions, queries and outputs for the
/// decoder's.
FlopCount flops(const Params& model, const Hosting& hosting) {
  const EncoderDecoderShape shape = encoder_decoder_shape(model, hosting);
  const auto width = static_cast<double>(shape.stack.width);
  const auto depth = static_cast<double>(shape.stack.depth);
  const double square = width * width;
  const double across = 2 * square + 2 * static_cast<double>(shape.source_time) * width;
  FlopCount count;
  count.trunk_per_token =
      kTrainingFlops * (decoder_cost(shape, false).multiply_adds + depth * across);
  count.source_per_token =
      kTrainingFlops * (encoder_cost(shape, false).multiply_adds + depth * 2 * square);
  count.head_per_target = kTrainingFlops * static_cast<double>(shape.stack.vocabulary) * width;
  return count;
}

// Of the decoder, and what each block reads of the source.
std::int64_t state(const Params& model, const Hosting& hosting) {
  const EncoderDecoderShape shape = encoder_decoder_shape(model, hosting);
  return state_numbers(shape.stack, shape.stack.depth, shape.time) +
         2 * shape.stack.depth * shape.source_time * shape.stack.width;
}

// Cross-attention writes out its scores: the probabilities before and after the mask.
MemoryCount memory(const Params& model, const Hosting& hosting, bool bfloat16) {
  const EncoderDecoderShape shape = encoder_decoder_shape(model, hosting);
  const double unit = activation_bytes(bfloat16), width = static_cast<double>(shape.stack.width);
  const double depth = static_cast<double>(shape.stack.depth);
  const double scores = static_cast<double>(shape.stack.heads * shape.source_time);
  MemoryCount count = outer_memory(shape.stack, bfloat16);
  const double across = (kFloat32Bytes + unit) * width + 3 * unit * width + 3 * unit * scores;
  const BlockCost decoder = decoder_cost(shape, bfloat16), encoder = encoder_cost(shape, bfloat16);
  count.per_token += decoder.bytes + depth * across;
  count.per_source_token =
      (4 * kFloat32Bytes + unit) * width + encoder.bytes + depth * 4 * unit * width;
  if (shape.stack.positions == Positions::alibi) count.per_source_token += unit * scores;
  count.fixed += decoder.fixed_bytes + encoder.fixed_bytes;
  return count;
}

}  // namespace

EncoderDecoderShape encoder_decoder_shape(const Params& model, const Hosting& hosting) {
  EncoderDecoderShape shape;
  shape.stack = shape_of(model, hosting);
  shape.encoder_depth = encoder_depth(model);
  shape.time = std::max<std::int64_t>(1, hosting.shape.time);
  shape.source_time = std::max<std::int64_t>(1, hosting.shape.source_time);
  shape.stack.context = std::max(shape.stack.context, shape.source_time);
  shape.shared = model.text("sharing") == "shared";
  return shape;
}

BackboneSpec encoder_decoder_spec() {
  return {.name = "encoder_decoder",
          .summary = "two stacks: an encoder reads the inputs, a decoder predicts what follows",
          .params = rows(),
          .offer = {.in_place = false, .encoder = true},
          .parameters = parameters,
          .flops = flops,
          .memory = memory,
          .state = state,
          .refusal = refusal,
          .routes = has_experts,
          .canonical = canonical_layers};
}

}  // namespace ablate::models
