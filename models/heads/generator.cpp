// The head that generates what replaces tokens: a masked language model of its own, smaller than the
// backbone. A sample of what it predicts fills the masks; the backbone reads the filled text.
//
// Source: Clark et al. 2020, "ELECTRA", arXiv:2003.10555, section 2: the sample has no gradient, and
// where it is the token of the text it counts as not replaced. Tied embeddings: section 3.2.
// Differs: special tokens are not sampled, because they would be recognisable; the projections of tied
// embeddings have no activation.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "models/heads/head.h"
#include "models/operations/keyed_sample.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

constexpr const char* kGenerator = "generator.";
constexpr std::int64_t kFirstDropout = 1 << 20;                 // far from those of any other layer
constexpr std::int64_t kNumbersAtOnce = std::int64_t{1} << 21;  // of noise, over all lanes

/// The step, first row and seeds of inputs, on their device.
at::Tensor keys_of(const train::Inputs& inputs) {
  if (inputs.keys.defined()) return inputs.keys;
  std::vector<std::int64_t> keys = {inputs.step, inputs.first_row};
  for (const std::uint64_t seed : inputs.seeds) keys.push_back(static_cast<std::int64_t>(seed));
  return at::tensor(keys).to(inputs.tokens.device());
}

class GeneratorHead final : public Head {
 public:
  explicit GeneratorHead(const HeadSite& site)
      : Head(site),
        shape_(narrowed(site.shape, narrow_network(site.params))),
        own_(site.bank, shape_, kGenerator, shape_.tied ? &site.embeddings : nullptr),
        stack_(site.bank.parameters, shape_, {.prefix = kGenerator, .count = shape_.depth},
               writing_layers(shape_, shape_.depth)),
        output_(site.bank, own_, shape_, kGenerator) {
    if (!shape_.tied) return;
    // Logits are scaled by the width of the state that the table reads, which is the backbone's.
    const std::int64_t wide = site.shape.width;
    project_ = site.bank.parameters.add_matrix(
        std::string(kGenerator) + "state_projection", wide, shape_.width,
        static_cast<double>(shape_.width) / static_cast<double>(wide));
  }

  HeadState state(const at::Tensor&, const train::Inputs& inputs) const override {
    Pass pass = own_.pass(inputs, kFirstDropout);
    const ResidualStream read = {own_.embed(inputs.tokens, inputs.positions, inputs.inner), {}};
    const Normed last = output_.last(stack_.run(pass, read, nullptr));
    return {last.sum, leave(last.normed)};
  }

  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) const override {
    return output_.losses(hidden, targets);
  }

  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                    const at::Tensor& positions) const override {
    return output_.logits(hidden, lane, positions);
  }

  Filling filling(const at::Tensor& hidden, const train::Inputs& inputs,
                  const train::HeadTargets& targets) const override {
    const c10::NoGradGuard no_gradient;
    const at::Tensor keys = keys_of(inputs), tokens = inputs.tokens.flatten(1, 2);
    const auto lanes = std::ssize(targets);
    const std::int64_t together = hidden.is_cpu() ? 1 : lanes;  // as in losses_by_lane()
    std::vector<at::Tensor> filled, replaced, right, scored;
    for (std::int64_t first = 0; first < lanes; first += together) {
      const auto begin = targets.begin() + first;
      const BankTargets some = stacked({begin, begin + together});
      const at::Tensor read = tokens.narrow(0, first, together);
      const at::Tensor counts = some.weights.gt(0).to(at::kLong);  // 0: fills the list up
      const at::Tensor sample =
          sampled(hidden, {keys, first, some.positions, inputs.tokens.size(2)});
      const at::Tensor wrong = sample.ne(some.ids).to(at::kLong) * counts;
      const at::Tensor masks = lane_rows(read.unsqueeze(-1), some.positions).squeeze(-1);
      filled.push_back(read + spread((sample - masks) * counts, some.positions, read));
      replaced.push_back(spread(wrong, some.positions, read));
      right.push_back((counts - wrong).sum(-1));
      scored.push_back(counts.sum(-1));
    }
    return {at::cat(filled).view(inputs.tokens.sizes()),
            at::cat(replaced).view(inputs.tokens.sizes()),
            at::stack({at::cat(right), at::cat(scored)}).to(at::kFloat)};
  }

 protected:
  at::Tensor leave(const at::Tensor& normed) const override {
    if (!shape_.tied) return normed;
    return bank()
        .operations->linear(normed.to(bank().type), bank().parameters.matrix(project_))
        .to(normed.scalar_type());
  }

 private:
  /// Tokens of text for the places, [lanes, chosen].
  at::Tensor sampled(const at::Tensor& hidden, const SampledPlaces& places) const {
    const std::int64_t lanes = places.positions.size(0), chosen = places.positions.size(1);
    const std::int64_t part = std::max<std::int64_t>(1, kNumbersAtOnce / (lanes * shape_.ordinary));
    std::vector<at::Tensor> parts = {places.positions.narrow(1, 0, 0)};
    for (std::int64_t first = 0; first < chosen; first += part) {
      SampledPlaces some = places;
      some.positions = places.positions.narrow(1, first, std::min(part, chosen - first));
      const at::Tensor logits = output_.logits_of_lanes(hidden, places.first, some.positions)
                                    .narrow(-1, special_count, shape_.ordinary);
      parts.push_back(keyed_sample(logits, some) + static_cast<std::int64_t>(special_count));
    }
    return at::cat(parts, 1);
  }

  /// Zeros like `rows` [lanes, batch * time], with the values [lanes, chosen] added at the positions.
  /// Sums of integers: their order changes nothing.
  static at::Tensor spread(const at::Tensor& values, const at::Tensor& positions,
                           const at::Tensor& rows) {
    const at::Tensor flat = flat_positions(positions, rows.size(1));
    return at::zeros({rows.numel()}, rows.options())
        .index_add_(0, flat, values.flatten())
        .view(rows.sizes());
  }

  Shape shape_;
  Embeddings own_;
  Stack stack_;
  Output output_;
  std::size_t project_ = 0;
};

}  // namespace

std::unique_ptr<Head> build_generator_head(const HeadSite& site) {
  return std::make_unique<GeneratorHead>(site);
}

}  // namespace ablate::models
