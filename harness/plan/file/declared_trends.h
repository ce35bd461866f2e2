// The trend contrasts that an experiment declares under "analysis.trends", and which arms each is of.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::plan {

/// One entry of "analysis.trends".
struct DeclaredTrend {
  std::string along;   // the swept number: "objective.rate"
  std::string of;      // the entry of "arms" that sweeps over it; empty: every one that does
  std::string metric;  // the primary one unless another is given
  std::size_t degree = 1;

  friend bool operator==(const DeclaredTrend&, const DeclaredTrend&) = default;
};

/// The shapes that may be declared; the first has degree 1, the second degree 2.
constexpr std::string_view kTrendShapes[] = {"linear", "quadratic"};

/// The trends that a resolved section "analysis" declares.
std::vector<DeclaredTrend> declared_trends(const Json& analysis);

/// The fewest values of a number that have a trend.
constexpr std::size_t kFewestSweptValues = 3;

/// An arm by its name and its resolved sections.
struct NamedSections {
  std::string name;
  const Json* sections = nullptr;  // {"model", "objective", "train", ...}
};

/// An arm at its value of a swept number.
struct SweptValue {
  double value = 0;
  std::size_t arm = 0;  // its index
};

/// The arms of one entry, which the number tells apart.
struct TrendFamily {
  std::string entry;                // "mlm" of mlm[rate=0.15]
  std::vector<SweptValue> members;  // by value, ascending
};

/// The families of arms that a trend is of: entries that sweep over the number, with three different
/// values or more. Other settings may be swept together with it ("zip").
std::vector<TrendFamily> families_of(const DeclaredTrend& trend,
                                     const std::vector<NamedSections>& arms);

}  // namespace ablate::plan
