// Metrics: what a measured number is, and which others it may be compared with.

#pragma once

#include <string>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate {

/// Which values of a metric are better.
enum class Better { lower, higher, neither };

/// Which arms a metric may be compared between, strictest first. A report shows no other
/// differences.
enum class Comparable {
  same_objective,  // the same objective at the same setting: a training loss
  same_family,     // the same objective at any setting: a loss at one common setting
  all_arms,        // every arm of the experiment: probes, the excess over the optimum
};

/// A named number that a probe measures.
struct Metric {
  std::string name;       // such as "held_out.loss"
  std::string label;      // what people read in its place, such as "held-out loss"
  std::string_view unit;  // such as "nats/token"; "fraction" for values between 0 and 1
  Better better = Better::lower;
  Comparable comparable_across = Comparable::all_arms;
  std::string description;
  std::string caveat = {};  // what a reader must know about this arm's value; may be empty
};

/// The unit of a ratio of two times that a clock measured.
inline constexpr std::string_view kRatioOfSeconds = "ratio of seconds";

/// Whether a clock measured the metrics of this unit. They differ from run to run on the same
/// machine, so whatever compares numbers bit for bit leaves them out.
constexpr bool is_timed(std::string_view unit) { return unit == kRatioOfSeconds; }

/// "lower", "higher" or "neither": the name in plans, records and reports.
constexpr std::string_view name_of(Better better) {
  switch (better) {
    case Better::lower:
      return "lower";
    case Better::higher:
      return "higher";
    case Better::neither:
      break;
  }
  return "neither";
}

/// The inverse of name_of(). Unknown names, such as those of a later version, give `neither`: no value
/// is called the best.
inline Better better_from(std::string_view name) {
  for (const Better better : {Better::lower, Better::higher})
    if (name == name_of(better)) return better;
  return Better::neither;
}

/// The name in plans, records and reports, such as "same objective and setting".
constexpr std::string_view name_of(Comparable across) {
  switch (across) {
    case Comparable::same_objective:
      return "same objective and setting";
    case Comparable::same_family:
      return "same objective";
    case Comparable::all_arms:
      break;
  }
  return "all arms";
}

/// The inverse of name_of(). Unknown names, such as those of a later version, give the strictest
/// value, `same_objective`.
inline Comparable comparable_from(std::string_view name) {
  for (const Comparable across : {Comparable::all_arms, Comparable::same_family})
    if (name == name_of(across)) return across;
  return Comparable::same_objective;
}

/// An arm's objective, as far as comparability depends on it. Holds references to its arguments.
struct ObjectiveSetting {
  std::string_view name;
  const Json& settings;  // {"type", every parameter}
};

/// Whether values of a metric may be compared between two arms. The plan counts comparisons by this
/// rule, to divide alpha among them, and the report makes those comparisons.
inline bool comparable(Comparable across, const ObjectiveSetting& a, const ObjectiveSetting& b) {
  if (across == Comparable::all_arms) return true;
  if (a.name != b.name) return false;
  return across == Comparable::same_family || a.settings == b.settings;
}

}  // namespace ablate

/// Names of the metrics that both a probe and a report must know: the probe measures them, the
/// report shows one next to another. All other metrics are known only by what their probe declares.
namespace ablate::metric_names {

// Before the dot: the probe, or what it classifies.
inline constexpr std::string_view kHeldOut = "held_out";
inline constexpr std::string_view kCloze = "cloze";
inline constexpr std::string_view kTopic = "topic";
inline constexpr std::string_view kLabel = "label";
inline constexpr std::string_view kState = "state";
inline constexpr std::string_view kGeneration = "generation";
inline constexpr std::string_view kCompression = "compression";
inline constexpr std::string_view kRepresentation = "representation";

// After the dot: a measured value, or a reference value for it.
inline constexpr std::string_view kLoss = "loss";
inline constexpr std::string_view kOptimum = "optimum";
inline constexpr std::string_view kExcess = "excess";
inline constexpr std::string_view kShareLearned = "share_learned";
inline constexpr std::string_view kContextFree = "context_free";
inline constexpr std::string_view kAccuracy = "accuracy";
inline constexpr std::string_view kBayes = "bayes";
inline constexpr std::string_view kUntrained = "untrained";
inline constexpr std::string_view kMajority = "majority";
inline constexpr std::string_view kChance = "chance";
inline constexpr std::string_view kLogProbability = "log_probability";
inline constexpr std::string_view kReference = "reference";
inline constexpr std::string_view kDivergence = "divergence";
inline constexpr std::string_view kImpossible = "impossible";
inline constexpr std::string_view kBitsPerByte = "bits_per_byte";
inline constexpr std::string_view kUntrainedBitsPerByte = "untrained_bits_per_byte";
inline constexpr std::string_view kBitsPerToken = "bits_per_token";
inline constexpr std::string_view kUnigram = "unigram";
inline constexpr std::string_view kNdcg = "ndcg_at_10";
inline constexpr std::string_view kUntrainedNdcg = "untrained_ndcg_at_10";
inline constexpr std::string_view kOptimumNdcg = "optimum_ndcg_at_10";
inline constexpr std::string_view kSpearman = "spearman";
inline constexpr std::string_view kUntrainedSpearman = "untrained_spearman";

// Full names.
inline constexpr std::string_view kHeldOutLoss = "held_out.loss";
inline constexpr std::string_view kHeldOutOptimum = "held_out.optimum";
inline constexpr std::string_view kHeldOutContextFree = "held_out.context_free";

}  // namespace ablate::metric_names
