// Metrics: what a measured number is, and which others it may be compared with.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/metrics/bound.h"

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

/// Where metrics differ in a number alone, such as k of recall at k: that number, and what all of
/// them are called and mean, with N in its place.
struct MetricIndex {
  std::int64_t value = 0;
  std::string name;  // "representation.recall_at_N"
  std::string label;
  std::string description;
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

  std::vector<Bound> bounds = {};         // floors and ceilings, the best known first
  std::string subject = {};               // what it is of, a title; empty: its probe's
  std::optional<MetricIndex> index = {};  // of one of several that differ in a number
  bool task = false;  // a score of a task, which reports put together with other tasks'; of several
                      // that a probe declares, the first that was measured counts

  /// Adds bounds of which the probe measures all metrics on this arm; those that are empty are left
  /// out. Names lack the part before the dot, which is the metric's: "context_free".
  Metric& read_against(std::vector<std::optional<Bound>> declared);

  /// Declares that the metric differs from others of its probe in this number alone, which stands in its
  /// name, label and description. Requires: these are complete.
  Metric& indexed_by(std::int64_t value);

  /// Sets `task`.
  Metric& scores_task();
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

// Before the dot: the probe.
inline constexpr std::string_view kGeneration = "generation";
inline constexpr std::string_view kRepresentation = "representation";

// After the dot.
inline constexpr std::string_view kLogProbability = "log_probability";
inline constexpr std::string_view kDivergence = "divergence";
inline constexpr std::string_view kImpossible = "impossible";

// Full names.
inline constexpr std::string_view kHeldOutLoss = "held_out.loss";
inline constexpr std::string_view kHeldOutOptimum = "held_out.optimum";
inline constexpr std::string_view kHeldOutContextFree = "held_out.context_free";

}  // namespace ablate::metric_names
