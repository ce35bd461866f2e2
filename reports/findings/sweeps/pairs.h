// Two arms along a number, in words, numbers and rows: along swept numbers and in training.

#pragma once

#include <functional>

#include "reports/analysis/sweeps/crossings.h"
#include "reports/findings/finding.h"

namespace ablate::reports {

/// Where report.json and pages have pairs, and which view of the index has their values.
struct PairSource {
  std::string name;               // of the pairs in anchors: "crossing"
  std::vector<std::string> path;  // in report.json
  std::string view;
};

/// "597 k", "0.31".
std::string place_text(double value);

/// The row of a pair: the metric, the arms, who is ahead at both ends, and where they cross.
Row row_of(const SweptPair& pair, const Analysis& analysis);

/// The fields of a pair for programs.
Fields<SweptPair> pair_fields();

/// Names the rows of a page that have the pairs' values, and lists them.
void add_values(const PairSource& source, std::vector<SweptPair>& pairs, Finding& finding);

/// Adds "In METRIC, ONE overtakes OTHER PLACE X (95 % interval ...)." for each pair that crosses once in
/// the primary metric, with an interval that reaches neither end. `place`: the words up to X; empty:
/// the pair is left out.
void add_statements(const std::vector<SweptPair>& pairs, const Analysis& analysis,
                    const PairSource& source,
                    const std::function<std::string(const SweptPair&)>& place, Finding& finding);

/// What a table of pairs says below it. `joined`: what differences are taken as linear between; `places`:
/// what the interval holds.
std::string pair_note(std::string_view joined, std::string_view places);

}  // namespace ablate::reports
