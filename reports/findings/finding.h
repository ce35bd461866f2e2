// A finding: what follows from an analysis and has a place of its own on the page.
//
// To add one, write a file with a function of this type, and its line in findings.inc. The page, the
// paper, the CSV files, report.json and the list of every value are written from what it returns.

#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "reports/document/document.h"
#include "reports/findings/fields.h"
#include "reports/tables/metric_tables.h"

namespace ablate::reports {

/// What findings are made of.
struct Study {
  const Analysis& analysis;
  const Analysis* common = nullptr;  // at the common learning rate; null without tuning
  std::vector<Group> groups = groups_of(analysis);

  /// The section of a metric's group.
  std::string section_of(const MetricRow& metric) const;
};

/// The name of the section of a group of metrics.
std::string section_of(const Group& group);

/// The rows whose metric is of the group.
template <class Row>
std::vector<Row> of_group(const Group& group, const std::vector<Row>& rows) {
  std::vector<Row> own;
  std::ranges::copy_if(rows, std::back_inserter(own), [&](const Row& row) {
    return std::ranges::find(group.metrics, row.metric) != group.metrics.end();
  });
  return own;
}

/// A number that follows from several values, seed by seed.
struct DerivedValue {
  std::string label;
  Estimate estimate;  // by seed; a page lists it by its anchor
  std::string path;   // a JSON pointer into report.json
};

/// What there is to say of one thing. Parts may be empty.
struct Finding {
  std::vector<std::pair<std::string, Block>> blocks = {};  // by section, in order
  std::pair<std::string, std::string> found = {};  // by section, in a few words: for its head
  std::vector<Statement> statements = {};          // of the answer
  std::vector<Records> records = {};               // for programs
  std::vector<DerivedValue> values = {};

  /// Adds a table or a figure to a section, if it shows anything.
  void add(const std::string& section, Table table);
  void add(const std::string& section, Figure figure);
};

/// Makes a finding. The result points into the analysis.
using MakeFinding = Finding(const Study& study);

}  // namespace ablate::reports
