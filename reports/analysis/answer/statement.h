// A sentence of the answer, and what it was computed from.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A number, or a set of them, that a statement rests on.
struct Origin {
  std::string label;   // what readers see
  std::string path;    // a JSON pointer into report.json
  std::string anchor;  // the row of a page that has its values; empty: none
};

/// What a statement was computed from, for those who compute it again.
struct Query {
  std::string metric;               // empty: of no single one
  std::vector<std::string> arms;    // by name, the baseline first
  std::vector<std::int64_t> seeds;  // with a value, ascending
  std::string test;                 // how it was decided; empty: nothing was tested
  std::vector<Origin> origins;
  std::string sql;  // gives the values from index.sqlite; empty: no single index has them
};

/// A sentence that states what was computed.
struct Statement {
  std::string text;
  Query query = {};
  bool forecast = false;   // of what was not measured
  std::string basis = {};  // how it was decided, in small print below it; may be empty
};

/// The statements, with a blank between each two.
std::string text_of(const std::vector<Statement>& statements);

/// Their small print, alike.
std::string basis_of(const std::vector<Statement>& statements);

/// An arm's values in a metric. Requires: it has the metric.
Origin origin_of(const Analysis& analysis, const ArmResult& arm, const std::string& metric);

/// A difference of the analysis, with its test.
Origin origin_of(const Analysis& analysis, const Difference& difference);

/// The row of a page that has the test of a difference.
std::string test_anchor(const Difference& difference);

/// The place of a value in report.json, as a JSON pointer.
std::string path_to(const std::vector<std::string>& keys);

/// The SQL for the values of arms in a metric, seed by seed; empty where they are of several folders.
/// `view`: "result" for the trained models, "dynamics" for what was measured on the way.
std::string values_sql(const Analysis& analysis, const std::vector<std::string>& arms,
                       const std::string& metric, const std::string& view = "result");

/// The same of several metrics, each row with its name.
std::string values_sql(const Analysis& analysis, const std::vector<std::string>& arms,
                       const std::vector<std::string>& metrics);

/// The seeds in which any of the arms has a value of the metric, ascending.
std::vector<std::int64_t> seeds_of(const Analysis& analysis, const std::vector<std::string>& arms,
                                   const std::string& metric);

}  // namespace ablate::reports
