// The sums of the held-out probe: the losses of the model, of the exact predictor and of the best
// predictor without context on the same targets. Without LibTorch.

#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/objective.h"

namespace ablate::probes {

/// The losses of one text's targets. The optimum has the weight of `loss`. The floor may have less:
/// it leaves out targets that do not occur in the corpus, such as a tokenizer's unknown piece.
struct TextCost {
  Loss loss;           // of the model
  double optimum = 0;  // total loss of the exact predictor, in nats
  Loss context_free;   // the floor: of the best predictor without context
};

/// The odds that a head of two classes gives its targets of being of the second class, by their class.
class ClassOdds {
 public:
  /// Adds a target of this class that costs so many nats.
  void add(Token target, double nats);

  /// The area under the ROC curve: the probability that a target of the second class has the higher odds,
  /// a tie counted a half. Empty without targets of either class.
  std::optional<double> area() const;

 private:
  std::vector<double> odds_[2];  // logarithms
};

/// The sums of a head other than the first, over all texts.
struct HeadTally {
  HeadNeed need;
  Loss loss;
  double optimum = 0;  // total loss of the exact predictor, in nats
  bool has_optimum = false;
  std::int64_t right = 0;                 // targets that are the model's first choice
  std::map<Token, std::int64_t> targets;  // how often each token or class is the target
  ClassOdds odds;                         // of a head of two classes

  /// Adds the head's metrics, such as "held_out.loss_ahead_2" or "held_out.pair_accuracy", each with
  /// `suffix` appended to its name. Adds none where nothing is scored.
  void add_to(const std::string& suffix, std::map<std::string, double>& metrics) const;

  /// Adds loss and accuracy as those of the model with its initial weights. Adds none where nothing
  /// is scored.
  void add_untrained_to(std::map<std::string, double>& metrics) const;

  /// How many targets are scored.
  std::int64_t scored() const;

  /// The fraction of them that are the model's first choice. Requires: one.
  double accuracy() const;
};

/// The name of a metric of a head other than the first: "held_out.loss_ahead_2",
/// "held_out.pair_accuracy". Requires: a head of a known kind.
inline std::string head_metric(const HeadNeed& need, std::string_view what) {
  return "held_out." + need.metric(what);
}

/// All sums of one run over the held-out texts.
struct Tally {
  std::vector<TextCost> texts;
  std::vector<HeadTally> heads;          // by head of the network; that of `texts` stays empty
  std::int64_t targets = 0;              // of weight above 0
  std::int64_t right = 0;                // targets that are the model's first choice
  ClassOdds odds;                        // of a first head of two classes
  double bytes = 0;                      // UTF-8 bytes that the targets stand for
  double cost_of_bytes = 0;              // nats, of targets that stand for at least one byte
  OptimumKind kind = OptimumKind::none;  // of the optimum in `texts`
  Loss minimiser;  // above the optimum, of what a shaped training loss asks for; empty: not scored

  /// The sum over the texts.
  TextCost total() const;

  /// Monte-Carlo standard error of the mean excess over texts, in nats per target: of a ratio of
  /// sums, to first order. 0 below two texts.
  double excess_error() const;

  /// What each text contributes to the headline, the excess where there is an optimum and else the
  /// loss, in nats per target: see contributions(). Empty where nothing is scored.
  std::vector<double> headline_contributions() const;
};

/// What each text contributes to a ratio of sums, total / weight: the ratio, plus its residual from it
/// by the mean weight of a text. Their mean is the ratio, and their standard error is that of the ratio
/// to first order, so that a long text alone is no deviation. Requires: a weight above 0.
/// Source: Cochran 1977, "Sampling Techniques", section 6.3.
std::vector<double> contributions(std::span<const double> totals, std::span<const double> weights);

/// Adds "held_out.loss", "held_out.context_free" and, where there is an optimum, "held_out.optimum"
/// and "held_out.excess", each with `suffix` appended to its name. Adds none where nothing is
/// scored, and no floor where no scored target has one.
void add_losses(const Tally& tally, const std::string& suffix,
                std::map<std::string, double>& metrics);

}  // namespace ablate::probes
