// Parts of a plan that have one form where it is made and where it is read again.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/statistics/families/corrections.h"
#include "harness/statistics/sequential/looks.h"

namespace ablate::store {

/// How arms are compared: the section "analysis" of the experiment.
struct DeclaredAnalysis {
  std::string primary;  // the metric that decides the question; may be empty
  double alpha = 0.05;
  statistics::Correction correction = statistics::Correction::holm;
  std::optional<double> smallest_effect;  // of interest, in the metric's unit
  Json section = {};                      // as resolved, trends among it
};

/// The section itself.
void to_json(Json& json, const DeclaredAnalysis& analysis);

/// What older versions did not store has its default. Throws Json::exception where `section` is no
/// object, or its alpha no number.
void from_json(const Json& section, DeclaredAnalysis& analysis);

/// A count in which the arms are matched, such as "tokens", in its own unit.
struct MatchedCount {
  std::string on;
  double low = 0, high = 0;  // of all arms
  double spread = 0;         // (high - low) / high
  double tolerance = 0;      // the largest spread that is allowed
};

void to_json(Json& json, const MatchedCount& count);

/// Throws Json::exception where `json` is none.
void from_json(const Json& json, MatchedCount& count);

/// The looks of an experiment that is run until it is decided.
struct PlannedLooks {
  statistics::Looks seeds;      // at each look
  std::vector<double> weights;  // the part of alpha that each may take
  std::size_t begun = 0;        // looks

  friend bool operator==(const PlannedLooks&, const PlannedLooks&) = default;
};

void to_json(Json& json, const PlannedLooks& looks);

/// Throws Json::exception where `json` is none, and DamagedFile where no plan has such looks.
void from_json(const Json& json, PlannedLooks& looks);

}  // namespace ablate::store
