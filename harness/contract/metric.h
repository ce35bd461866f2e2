// What a measured number means, and which others it may be compared with.

#pragma once

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
  std::string_view name;  // such as "held_out.loss"
  std::string_view unit;  // such as "nats/token"; "fraction" for what lies between 0 and 1
  Better better = Better::lower;
  Comparable comparable_across = Comparable::all_arms;
  std::string_view description;
  std::string_view caveat = {};  // what must be known of this arm's value; empty: nothing
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
Comparable comparable_from(std::string_view name);

/// The objective of an arm, as far as comparability depends on it. Refers to what it was made from.
struct ObjectiveSetting {
  std::string_view name;
  const Json& settings;  // the objective with every parameter
};

/// Whether values of a metric may be compared between two arms: the one rule, of the plan, which
/// counts the comparisons that share alpha, and of the report, which makes them.
bool comparable(Comparable across, const ObjectiveSetting& a, const ObjectiveSetting& b);

}  // namespace ablate
