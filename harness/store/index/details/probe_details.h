// What probes store beside metrics for reports: curves by a setting, scores of parts, the sizes of
// splits, and why there is no number.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::store {

/// What a probe measured at several values of something, such as learning rates.
struct ProbeCurve {
  struct Point {
    double at = 0;
    double value = 0;
  };

  std::string metric;            // that it explains, such as "fine_tuning.accuracy"
  std::string along;             // such as "learning rate" or "training documents"
  std::vector<Point> points;     // ascending, at least one
  std::optional<double> chosen;  // the value whose result the metric is; empty: none was chosen
};

/// The accuracy of a part of the items of a metric.
struct ScorePart {
  std::string name;  // empty where the file names none
  double accuracy = 0;
  double item_error = 0;  // standard error of drawing other items of the part
  std::int64_t items = 0;
};

/// The accuracies of all parts of a metric's items, by one way of dividing them.
struct ScoreParts {
  std::string metric;
  std::string by;  // "field" or "group"
  std::vector<ScorePart> parts;
};

/// How much a probe of labelled or paired text was fitted to and tested on.
struct SplitSizes {
  std::string metric;                                 // one of the probe's
  std::string unit;                                   // "documents", "pairs", "sentences", "items"
  std::optional<std::int64_t> training, development;  // empty: the probe has no such split
  std::int64_t test = 0;
  std::map<std::string, std::string> schemes;  // of tags, by "train" and "test"; empty: IOB2
  std::int64_t left_out = 0;                   // more, which do not fit into the context
  std::int64_t cut = 0;                        // of all, those of which only what fits is read

  bool operator==(const SplitSizes&) const = default;
};

/// The sizes in the details of a measurement ("documents", "pairs" or "sentences": {"training",
/// "development", "test", "too_long", "cut"}, "schemes": {"train", "test"}); or "choices", "words" or
/// "problems", numbers of items, where others, "too_long", are left out. Nothing where it has neither.
/// Throws DamagedFile for another form.
std::optional<SplitSizes> split_sizes_in(const Json& details);

/// The curves in the details of a measurement ("curves": [{"metric", "along", "points": [[at,
/// value]], "chosen"}]). Points that are no numbers are left out. Throws DamagedFile for another
/// form.
std::vector<ProbeCurve> probe_curves_in(const Json& curves);

/// The parts in the details of a measurement ("parts": {METRIC: {"field": [{"name", "items",
/// "accuracy", "item_error"}], "group": ...}}). Throws DamagedFile for another form.
std::vector<ScoreParts> score_parts_in(const Json& parts);

/// Why a measurement has no number ("absent": {METRIC or PROBE: reason}). Throws DamagedFile for
/// another form.
std::map<std::string, std::string> reasons_in(const Json& absent);

}  // namespace ablate::store
