// The analysis of an experiment: every estimate, difference and verdict that a report may print.
//
// Computed from the records only, by the analysis that the experiment declared before it ran:
//   primary metric   arm - baseline, paired by seed: exact sign-flip p, adjusted over the declared
//                    family (every comparable arm, also one without values), and a verdict
//   declared trends  contrasts along swept numbers, by the same test; members of the family
//   equivalence      where a smallest effect of interest is given: two one-sided t-tests, adjusted
//                    in the same way. Where both tests are significant it takes precedence: the
//                    difference is real but too small to matter
//   not worse        there, too, the one-sided t-test against a loss of more than the smallest
//                    effect, adjusted in the same way. It adds to a verdict, and is none
//   other metrics    the same differences, exploratory: without a verdict (`inconclusive`). q is
//                    their p adjusted by Benjamini and Hochberg's method over all of them that have
//                    a better direction: a bound on the false findings among those below it
// In an experiment that is run until it is decided, p of the primary metric counts its looks
// (analysis/looks.h).
// For a primary metric without a better direction the only finding is `equivalent`.
//
// Only completed trials have values. Trials that failed, diverged or are unfinished are counted and
// shown. Arms that lost different numbers of trials to divergence get no verdict, because their
// values are not missing at random.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/contract/metrics/metric.h"
#include "harness/statistics/families/corrections.h"
#include "harness/statistics/one_sample/summary.h"
#include "harness/statistics/sequential/looks.h"
#include "harness/statistics/verdict.h"
#include "harness/store/index/records.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::reports {

/// A metric as the plan declared it. Where arms declare it differently, the strictest comparability
/// holds, a direction only if all agree on it, and of the rest what the first of them says; bounds are
/// each arm's own.
struct MetricRow {
  std::string name;
  std::string label;  // what readers see in place of the name
  std::string unit;
  Better better = Better::neither;
  Comparable comparable_across = Comparable::same_objective;
  std::string description;
  std::map<std::string, std::vector<std::string>> caveats = {};  // each with the arms it applies to
  std::string subject = {};  // the title of its group; empty: the plan has none
  std::map<std::string, std::vector<Bound>> bounds = {};  // by arm, the best known first
  std::optional<MetricIndex> index = {};  // of one of several that differ in a number
  bool task = false;                      // a score to put together with those of other tasks
};

/// One quantity over seeds.
struct Estimate {
  std::vector<std::optional<double>> values;     // by seed; empty where a trial has no finite value
  std::int64_t n = 0;                            // number of values
  std::optional<double> mean;                    // empty where n is 0
  std::optional<statistics::Interval> interval;  // 95 % t-interval over seeds; empty below n = 2
  std::string anchor = {};  // where a page shows the values: a-z, digits, hyphens; empty: nowhere
};

/// The estimate from values by seed.
Estimate estimate(std::vector<std::optional<double>> values);

/// At which learning rates an experiment that was tuned is analysed: each arm's own, or the
/// baseline's for all. Without tuning there is only the first.
enum class Rates { own, common };

/// An arm, with its trials and their measurements.
struct ArmResult {
  std::string name;
  std::string planned;    // the arm of the plan that its trials are of: its name, or a copy of it
  std::string label;      // what readers see in place of the name
  std::string objective;  // the objective's name
  Json settings;          // the objective with all parameters
  Json config;            // every resolved section, the objective among them
  std::string material = {};  // of several stores: the text and probes of its own (side_by_side())
  bool baseline = false;
  std::vector<const store::TrialRecord*> trials;  // by seed, ascending; into the records analysed
  std::int64_t completed = 0;
  std::int64_t failed = 0;
  std::int64_t diverged = 0;
  std::int64_t unfinished = 0;
  std::map<std::string, Estimate> metrics;  // by name; values in the order of `trials`
  std::string anchor = {};                  // where a page lists its trials: a-z, digits, hyphens

  /// Whether no trial has ended yet: so far the experiment was run in part.
  bool pending() const { return unfinished == static_cast<std::int64_t>(trials.size()); }

  /// The value of a metric with a seed; empty where there is none.
  std::optional<double> value_at(const std::string& metric, std::int64_t seed) const;
};

/// Arm - baseline in one metric, over the seeds that both have.
struct Difference {
  std::string arm;
  std::string metric;
  bool primary = false;
  Estimate over_seeds;  // values by the arm's seeds
  std::optional<double> p;
  std::optional<double> p_adjusted;      // of the primary metric only
  double interval_level = 0.05;          // alpha of the interval of `over_seeds`
  std::optional<double> p_equivalent;    // the same of the equivalence test, where it is asked for
  std::optional<double> p_non_inferior;  // the same of "not worse by more", in the better direction
  bool non_inferior = false;             // that is below alpha, and the interval says so, too
  std::optional<double> q;               // of every other metric that has a better direction
  statistics::Verdict verdict = statistics::Verdict::inconclusive;
  std::string note;  // why there is no verdict, where that is not obvious
};

/// A swept value that most of a trend rests on.
struct CarryingValue {
  double value = 0;
  Estimate without;  // the trend over the other values
};

/// A trend contrast that the experiment declared: a test of the family. Without values there is no p.
struct TrendContrast {
  std::string along;   // "objective.rate"
  std::string family;  // the entry of its arms: "mlm" of mlm[rate=0.15]
  std::string metric;
  std::size_t degree = 1;      // 1: linear, 2: quadratic
  std::vector<double> values;  // of the swept number, ascending
  bool doublings = false;      // the trend is along log2 of the values, else along the values
  Estimate over_seeds;         // by the seeds of its first arm
  std::optional<double> p;
  std::optional<double> p_adjusted;
  std::optional<CarryingValue> carried_by;  // where one value carries it
  std::string note;                         // why there is no verdict
};

/// The looks of an experiment that is run until it is decided.
struct LooksSoFar {
  statistics::Looks seeds;      // at each look that is planned
  std::vector<double> weights;  // the part of alpha that each may take
  std::size_t complete = 0;     // looks whose trials have all ended
};

/// Everything that a report may print about an experiment.
struct Analysis {
  store::StoredPlan plan;  // points into the records analysed
  std::string experiment;
  std::string question;
  std::vector<ArmResult> arms;          // in the plan's order
  std::vector<MetricRow> metrics;       // in the plan's order; those it does not declare come last
  std::vector<Difference> differences;  // by metric, then by arm; without the baseline

  std::string primary;  // empty where none was declared
  double alpha = 0.05;
  statistics::Correction correction = statistics::Correction::holm;
  std::optional<double> smallest_effect;       // in the primary metric's unit
  std::int64_t comparisons = 0;                // size of the family: primary differences and trends
  std::vector<TrendContrast> declared_trends;  // in the order of the file
  std::optional<LooksSoFar> looks;             // of an experiment that is run until it is decided
  bool none_above_floor = false;               // see floors.h: then no difference is an answer
  bool floors_unknown = false;  // an arm's plan was written before metrics stated bounds

  /// The baseline; null where there is none.
  const ArmResult* baseline() const;
  /// The arm of that name. Requires: there is one.
  const ArmResult& arm(const std::string& name) const;
  /// What readers see in place of an arm's name. Requires: an arm has the name.
  const std::string& label(const std::string& name) const;
  /// The arms of which a trial has ended, in the plan's order.
  std::vector<const ArmResult*> arms_with_records() const;
  /// The metric of that name; null where there is none.
  const MetricRow* metric(const std::string& name) const;
  /// What readers see in place of a metric's name: the name itself where no arm has the metric.
  std::string metric_label(const std::string& name) const;
  /// The difference of an arm from the baseline in a metric; null where either has no such metric,
  /// and for the baseline itself.
  const Difference* difference(const std::string& arm, const std::string& metric) const;
  /// The number of trials of all arms, whatever their outcome.
  std::int64_t trials() const;
};

/// Analyses an experiment's records, at these learning rates if it was tuned. Throws DamagedFile where plan and trials are inconsistent. The
/// result points into `records`.
Analysis analyse(const store::Records& records, Rates rates = Rates::own);
Analysis analyse(store::Records&& records, Rates rates = Rates::own) = delete;

}  // namespace ablate::reports
