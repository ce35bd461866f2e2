// The pre-norm transformer as a bank of lanes.

#include "models/transformer.h"

#include <c10/core/GradMode.h>

#include "harness/base/error.h"
#include "models/layers/decoding.h"

namespace ablate::models {
namespace {

Shape checked_shape(const train::NetworkSettings& settings) {
  if (const std::string reason = transformer_refusal(settings.model); !reason.empty())
    reject("model: {}", reason);
  return shape_of(settings.model, settings.hosting);
}

}  // namespace

Transformer::Transformer(const train::NetworkSettings& settings)
    : BankNetwork(settings),
      shape_(checked_shape(settings)),
      embeddings_(bank_, shape_),
      trunk_(bank_.parameters, shape_, {.count = shape_.trunk},
             writing_layers(shape_, shape_.trunk + shape_.first)),
      heads_(bank_, embeddings_, shape_, settings.hosting.needs.heads) {}

ResidualStream Transformer::run(Pass& pass, std::vector<at::Tensor>* sums) const {
  const train::Inputs& inputs = pass.inputs;
  return trunk_.run(pass, {embeddings_.embed(inputs.tokens, inputs.positions, inputs.inner), {}},
                    sums);
}

at::Tensor Transformer::hidden(const train::Inputs& inputs) {
  Pass pass = embeddings_.pass(inputs, 0);
  return heads_.last(pass, run(pass, nullptr), nullptr).normed;
}

at::Tensor Transformer::hidden_at(const train::Inputs& inputs, const at::Tensor& positions) {
  const at::NoGradGuard no_gradient;
  Wanted wanted = {positions, shape_.trunk + shape_.first};
  Pass pass = embeddings_.pass(inputs, 0);
  pass.wanted = &wanted;
  return heads_.last(pass, run(pass, nullptr), nullptr).normed;
}

at::Tensor Transformer::trunk(const train::Inputs& inputs) {
  Pass pass = embeddings_.pass(inputs, 0);
  return run(pass, nullptr).sum();
}

std::vector<at::Tensor> Transformer::layers(const train::Inputs& inputs) {
  const at::NoGradGuard no_gradient;
  std::vector<at::Tensor> found;
  Pass pass = embeddings_.pass(inputs, 0);
  const Normed last = heads_.last(pass, run(pass, &found), &found);
  found.insert(found.end(), {last.sum, last.normed});
  return found;
}

std::vector<train::ChosenExperts> Transformer::routes(const train::Inputs& inputs) {
  const at::NoGradGuard no_gradient;
  std::vector<train::ChosenExperts> found;
  Pass pass = embeddings_.pass(inputs, 0);
  pass.routes = &found;
  static_cast<void>(heads_.last(pass, run(pass, nullptr), nullptr));
  return found;
}

std::optional<train::DecodingState> Transformer::decoding(std::int64_t rows) const {
  return decoding_state(shape_, shape_.trunk + shape_.first, 0, rows);
}

at::Tensor Transformer::read(const train::Inputs& inputs, DecodingStep& step) const {
  Pass pass = embeddings_.pass(inputs, step);
  return heads_.last(pass, run(pass, nullptr), nullptr).normed;
}

std::unique_ptr<train::Network> build_transformer(const train::NetworkSettings& settings) {
  return std::make_unique<Transformer>(settings);
}

}  // namespace ablate::models
