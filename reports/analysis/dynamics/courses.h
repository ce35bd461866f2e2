// Metrics along training: what was measured on the way, and at the end.

#pragma once

#include <string_view>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// What training uses, and a metric is followed along.
enum class Quantity { text_tokens, targets, flops, seconds };

constexpr Quantity kQuantities[] = {Quantity::text_tokens, Quantity::targets, Quantity::flops,
                                    Quantity::seconds};

/// Its name in files: "text_tokens".
std::string_view name_of(Quantity quantity);

/// How much of it had been used.
double amount_at(const store::TrainingPoint& point, Quantity quantity);

/// A metric of an arm at a step.
struct CoursePoint {
  std::int64_t step = 0;
  std::vector<std::optional<store::TrainingPoint>> at;  // by seed; empty where there is no value
  Estimate over_seeds;                                  // of the metric, by seed

  /// How much of it had been used, on average over the seeds with a value. Requires: there is one.
  double mean_amount(Quantity quantity) const;
};

/// A metric of an arm along its training.
struct Course {
  const MetricRow* metric = nullptr;
  const ArmResult* arm = nullptr;
  std::vector<CoursePoint> points;  // by step, at least two; the last is what is trained
};

/// A course for each metric and each arm in which completed trials have a finite value on the way
/// and at the end: by metric, then by arm. Seeds are those of the arm's trials. The result points into the
/// analysis.
std::vector<Course> courses_of(const Analysis& analysis);

}  // namespace ablate::reports
