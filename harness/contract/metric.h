// What a measured number means, and beside which others it may stand.

#pragma once

#include <string_view>

namespace ablate {

enum class Better { lower, higher, neither };

/// Arms between which a metric's values may be compared. A report differences no others.
enum class Comparable {
  same_objective,  // the same objective at the same setting: a training loss
  same_family,     // the same objective at any setting: a loss at one fixed yardstick
  all_arms,        // every arm of the experiment: probes, excess over the optimum
};

struct Metric {
  std::string_view name;  // such as "held_out.loss"
  std::string_view unit;  // such as "nats/token"; "fraction" for shares
  Better better = Better::lower;
  Comparable comparable_across = Comparable::all_arms;
  std::string_view description;
  std::string_view caveat = {};  // what must be known of this arm's value; empty: nothing
};

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

}  // namespace ablate
