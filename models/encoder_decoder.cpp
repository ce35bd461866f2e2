// The encoder-decoder transformer as a bank of lanes.

#include "models/encoder_decoder.h"

#include <c10/core/GradMode.h>

#include "harness/base/error.h"
#include "models/layers/balance.h"
#include "models/layers/decoding.h"
#include "models/operations/attention.h"

namespace ablate::models {
namespace {

EncoderDecoderShape checked_shape(const train::NetworkSettings& settings) {
  if (const std::string reason = encoder_decoder_spec().refusal(settings.model); !reason.empty())
    reject("model: {}", reason);
  return encoder_decoder_shape(settings.model, settings.hosting);
}

/// The number of layers that write to the decoder's stream: those of a stack, and cross-attention.
std::int64_t decoder_layers(const EncoderDecoderShape& shape) {
  return shape.stack.depth + writing_layers(shape.stack, shape.stack.depth);
}

/// The number of layers that write to the encoder's stream. Shared blocks count as the decoder's.
std::int64_t encoder_layers(const EncoderDecoderShape& shape) {
  return shape.shared ? decoder_layers(shape) : writing_layers(shape.stack, shape.encoder_depth);
}

}  // namespace

EncoderDecoder::EncoderDecoder(const train::NetworkSettings& settings)
    : BankNetwork(settings),
      shape_(checked_shape(settings)),
      embeddings_(bank_, shape_.stack),
      encoder_(bank_.parameters, shape_.stack,
               {.prefix = "encoder.", .count = shape_.encoder_depth}, encoder_layers(shape_)),
      decoder_(Stack::decoder(bank_.parameters, shape_.stack, shape_.stack.depth,
                              decoder_layers(shape_), shape_.shared ? &encoder_ : nullptr)),
      encoder_norm_(bank_.parameters.add_gain("encoder.norm", shape_.stack.width)),
      heads_(bank_, embeddings_, shape_.stack, settings.hosting.needs.heads) {}

Normed EncoderDecoder::encode(const train::Inputs& inputs, std::vector<at::Tensor>* sums,
                              std::vector<train::ChosenExperts>* routes) const {
  Pass pass = embeddings_.pass(inputs, 0);
  pass.routes = routes;
  const ResidualStream residual =
      encoder_.run(pass, {embeddings_.embed(inputs.tokens, inputs.positions), {}}, sums);
  return bank_.operations->add_norm(residual.stream, residual.delta,
                                    bank_.parameters.value(encoder_norm_),
                                    shape_.stack.rms_norm ? Norm::rms : Norm::layer, bank_.type);
}

Pass EncoderDecoder::decoder_pass(const train::Inputs& inputs) const {
  return embeddings_.pass(inputs, 2 * shape_.encoder_depth);
}

at::Tensor EncoderDecoder::source_states(const train::Inputs& inputs) const {
  const train::Inputs::Source& source = inputs.source;
  if (!source.tokens.defined())
    throw std::logic_error("encoder_decoder: got inputs without a source; set a source");
  train::Inputs read = inputs;
  read.tokens = source.tokens;
  read.positions = source.positions;
  read.visible_from = source.visible_from;
  read.visible_until = source.visible_until;
  read.visibility = train::Visibility::general;
  if (inputs.target_weights.defined())
    read.target_weights = weights_of_source(inputs, source.tokens.size(2));
  return encode(read, nullptr).normed;
}

ResidualStream EncoderDecoder::run(Pass& pass) const {
  const train::Inputs& inputs = pass.inputs;
  Memory memory;
  if (pass.step == nullptr || pass.step->first) memory.states = source_states(inputs);
  const std::int64_t source_time =
      memory.states.defined() ? memory.states.size(2) : pass.step->state.mixers.at(1).at(0).size(2);
  memory.mask = with_source(inputs.source.seen_from, inputs.source.seen_until, source_time,
                            shape_.stack.heads);
  return decoder_.run(pass, {embeddings_.embed(inputs.tokens, inputs.positions), {}}, nullptr,
                      &memory);
}

at::Tensor EncoderDecoder::hidden(const train::Inputs& inputs) {
  Pass pass = decoder_pass(inputs);
  return heads_.last(pass, run(pass), nullptr).normed;
}

at::Tensor EncoderDecoder::hidden_at(const train::Inputs& inputs, const at::Tensor& positions) {
  const at::NoGradGuard no_gradient;
  Wanted wanted = {positions, shape_.stack.depth + shape_.stack.first};
  Pass pass = decoder_pass(inputs);
  pass.wanted = &wanted;
  return heads_.last(pass, run(pass), nullptr).normed;
}

std::optional<train::DecodingState> EncoderDecoder::decoding(std::int64_t rows) const {
  const Shape& shape = shape_.stack;
  return decoding_state(shape, shape.depth + shape.first, shape.depth, rows);
}

at::Tensor EncoderDecoder::read(const train::Inputs& inputs, DecodingStep& step) const {
  Pass pass = embeddings_.pass(inputs, step);
  return heads_.last(pass, run(pass), nullptr).normed;
}

at::Tensor EncoderDecoder::trunk(const train::Inputs& inputs) {
  Pass pass = decoder_pass(inputs);
  return run(pass).sum();
}

at::Tensor EncoderDecoder::document_states(const train::Inputs& inputs) {
  return encode(inputs, nullptr).normed;
}

std::vector<at::Tensor> EncoderDecoder::layers(const train::Inputs& inputs) {
  const at::NoGradGuard no_gradient;
  std::vector<at::Tensor> found;
  const Normed last = encode(inputs, &found);
  found.insert(found.end(), {last.sum, last.normed.to(last.sum.scalar_type())});
  return found;
}

std::vector<train::ChosenExperts> EncoderDecoder::routes(const train::Inputs& inputs) {
  const at::NoGradGuard no_gradient;
  std::vector<train::ChosenExperts> found;
  static_cast<void>(encode(inputs, nullptr, &found));
  return found;
}

std::unique_ptr<train::Network> build_encoder_decoder(const train::NetworkSettings& settings) {
  return std::make_unique<EncoderDecoder>(settings);
}

}  // namespace ablate::models
