// The tables of a report, built from its analysis.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// The comparison that the experiment is about. Two arms: a row a metric that both have, with the
/// difference. More arms: a row an arm, with the primary metric and what all arms share.
Table main_table(const Analysis& analysis);

/// Metrics of one probe, in the plan's order.
struct Group {
  std::string name;   // a-z, digits and hyphens, of this group alone: identifies its tables
  std::string title;  // for a heading
  std::vector<const MetricRow*> metrics;
};

std::vector<Group> groups_of(const Analysis& analysis);

/// Metrics by arms, whichever way round needs fewer tables; and the differences from the baseline
/// in the same form.
std::vector<Table> metric_tables(const Analysis& analysis, const Group& group);
std::vector<Table> difference_tables(const Analysis& analysis, const Group& group);

/// What each arm spent, by every way of counting; what was the same in every trial is a note.
Table ledger_table(const store::Records& records, const Analysis& analysis);

/// What each arm's objective really did to the text, beside its settings and what it intended; of
/// an arm trained in phases, a row for each.
Table realised_table(const Analysis& analysis);

/// Every trial: its id, seed, outcome and what it left.
Table trials_table(const Analysis& analysis);

/// Machine, code, libraries: each fact that the trials share, or how many trials say what.
Table provenance_table(const Analysis& analysis);

/// Trials that did not complete, a line for each arm and outcome; and what the trials said of it.
std::vector<std::string> failures(const Analysis& analysis);
std::vector<std::string> messages(const Analysis& analysis);

}  // namespace ablate::reports
