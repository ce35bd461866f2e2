// What a measured number means, and which others it may be compared with.

#pragma once

#include <string>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate {

enum class Better { lower, higher, neither };

/// Arms between which a metric's values may be compared, the strictest first. A report differences
/// no others.
enum class Comparable {
  same_objective,  // the same objective at the same setting: a training loss
  same_family,     // the same objective at any setting: a loss at one common setting
  all_arms,        // every arm of the experiment: probes, excess over the optimum
};

struct Metric {
  std::string name;       // such as "held_out.loss"
  std::string_view unit;  // such as "nats/token"; "fraction" for what lies between 0 and 1
  Better better = Better::lower;
  Comparable comparable_across = Comparable::all_arms;
  std::string description;
  std::string caveat = {};  // what must be known of this arm's value; empty: nothing
};

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

/// What `name_of` made a name of. A name that is not known, as of a later version, is taken for the
/// strictest: `same_objective`.
inline Comparable comparable_from(std::string_view name) {
  for (const Comparable across : {Comparable::all_arms, Comparable::same_family})
    if (name == name_of(across)) return across;
  return Comparable::same_objective;
}

/// The objective of an arm, as far as comparability depends on it. Refers to what it was made from.
struct ObjectiveSetting {
  std::string_view name;
  const Json& settings;  // the objective with every parameter
};

/// Whether values of a metric may be compared between two arms: the one rule, of the plan, which
/// counts the comparisons that share alpha, and of the report, which makes them.
inline bool comparable(Comparable across, const ObjectiveSetting& a, const ObjectiveSetting& b) {
  if (across == Comparable::all_arms) return true;
  if (a.name != b.name) return false;
  return across == Comparable::same_family || a.settings == b.settings;
}

}  // namespace ablate

/// Names of metrics that both a probe, which measures them, and a report, which reads one against
/// another, must know. Every other metric is known by what its probe declares.
namespace ablate::metric_names {

// What stands before the dot: the probe, or what it classifies.
inline constexpr std::string_view kHeldOut = "held_out";
inline constexpr std::string_view kTopic = "topic";
inline constexpr std::string_view kLabel = "label";
inline constexpr std::string_view kGeneration = "generation";

// What stands after the dot: a measured value, and what it is read against.
inline constexpr std::string_view kLoss = "loss";
inline constexpr std::string_view kOptimum = "optimum";
inline constexpr std::string_view kContextFree = "context_free";
inline constexpr std::string_view kAccuracy = "accuracy";
inline constexpr std::string_view kBayes = "bayes";
inline constexpr std::string_view kUntrained = "untrained";
inline constexpr std::string_view kMajority = "majority";
inline constexpr std::string_view kLogProbability = "log_probability";
inline constexpr std::string_view kReference = "reference";

// Whole names.
inline constexpr std::string_view kHeldOutLoss = "held_out.loss";
inline constexpr std::string_view kHeldOutOptimum = "held_out.optimum";
inline constexpr std::string_view kHeldOutContextFree = "held_out.context_free";

}  // namespace ablate::metric_names
