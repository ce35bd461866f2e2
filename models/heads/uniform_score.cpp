// The head that learns ratios of probabilities under uniform noise: how much more probable each token is at
// a place than the one that noise left there.
//
// The time is not read: a target's weight is one over the probability that its token was kept, as in
// the log-linear schedule (see objectives/uniform_diffusion.cpp).
//
// Sources: Lou, Meng & Ermon 2024, arXiv:2310.16834, section 3.2 (the loss, free scores); Schiff et al. 2024,
// arXiv:2412.10193, section 4 (the scores that a distribution of the clean token implies).

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "harness/contract/vocabulary.h"
#include "models/heads/head.h"
#include "models/heads/losses/score_entropy.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

/// Greatest probability of a token to be kept: that of targets that only fill a lane up is above it.
constexpr double kMostKept = 0.99999;

class UniformScoreHead final : public Head {
 public:
  explicit UniformScoreHead(const HeadSite& site)
      : Head(site), free_(site.params.text("scores") == "free") {}

  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) const override {
    return losses_by_lane(
        hidden.is_cpu(), targets, [&](std::int64_t first, const BankTargets& some) {
          const at::Tensor logits = output().logits_of_lanes(hidden, first, some.positions);
          return (entropy(logits, some.ids, some.shown, some.weights) * some.weights).sum(-1);
        });
  }

  train::TargetCosts costs(const at::Tensor& hidden, std::int64_t lane,
                           const train::LaneTargets& targets) const override {
    const at::Tensor all = logits(hidden, lane, targets.positions).to(at::kDouble);
    return {entropy(all, targets.targets, targets.shown, targets.weights.to(at::kDouble)),
            words_of(all).argmax(-1).eq(targets.targets - special_count)};
  }

 private:
  at::Tensor words_of(const at::Tensor& logits) const {
    return logits.narrow(-1, special_count, shape().ordinary);
  }

  /// The score entropy of targets, of logits [..., token].
  at::Tensor entropy(const at::Tensor& logits, const at::Tensor& ids, const at::Tensor& shown,
                     const at::Tensor& weights) const {
    const UniformNoise noise = {shown - special_count, weights.reciprocal().clamp_max(kMostKept)};
    const at::Tensor words = words_of(logits);
    return uniform_score_entropy(free_ ? words : denoised_scores(words, noise), ids - special_count,
                                 noise);
  }

  bool free_;
};

}  // namespace

std::unique_ptr<Head> build_uniform_score_head(const HeadSite& site) {
  return std::make_unique<UniformScoreHead>(site);
}

}  // namespace ablate::models
