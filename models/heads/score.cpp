// The head that learns ratios of probabilities: the token at a masked place, by scores that need not add up
// to 1. As in the source's code, the log of the number of tokens is taken off the logits, so that the
// scores do add up to 1 at the start.
//
// Source: Lou, Meng & Ermon 2024, arXiv:2310.16834, section 3.2; its code for the scale.

#include <ATen/TensorOperators.h>
#include <cmath>

#include "models/heads/head.h"
#include "models/heads/losses/score_entropy.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

class ScoreHead final : public Head {
 public:
  explicit ScoreHead(const HeadSite& site)
      : Head(site), log_ids_(std::log(static_cast<double>(site.shape.vocabulary))) {}

  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) const override {
    return losses_by_lane(hidden.is_cpu(), targets,
                          [&](std::int64_t first, const BankTargets& some) {
                            const at::Tensor logits =
                                output().logits_of_lanes(hidden, first, some.positions) - log_ids_;
                            return (score_entropy(logits, some.ids) * some.weights).sum(-1);
                          });
  }

 private:
  double log_ids_;  // of the table's ids
};

}  // namespace

std::unique_ptr<Head> build_score_head(const HeadSite& site) {
  return std::make_unique<ScoreHead>(site);
}

}  // namespace ablate::models
