// The tables that every writer of a report receives.
//
// All text in them is raw; each writer escapes it for its format at every position.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/contract/metrics/metric.h"
#include "reports/analysis/analysis.h"
#include "reports/analysis/comparisons/standings.h"

namespace ablate::reports {

/// The tone of a cell. The colour only repeats what the text says.
enum class Tone { plain, good, bad, neutral, quiet };

/// A place on the page of a table.
struct PageLink {
  std::string text;
  std::string anchor;
};

/// A cell with an estimate or a text.
struct Cell {
  std::string text;
  std::optional<Estimate>
      estimate;  // shown as mean and half-width, without its values; the writers
                 // ignore `text` then
  Tone tone = Tone::plain;
  std::string link;                        // of a text: a path relative to the page; empty: none
  Standing standing = Standing::unmarked;  // of an estimate, among those of its metric
  std::string origin = {};  // the row of a page with what it was computed from; empty: its row's
  std::vector<PageLink> links = {};  // on a page, after the text
  std::string key = {};              // what records call what the text names; empty: no metric
  std::vector<double> course = {};   // values in order, drawn on a page in the height of a line
};

/// The head of a column.
struct Column {
  std::string title;
  std::string unit;                 // empty: none
  Better better = Better::neither;  // shown as an arrow where there is a direction
  bool numbers = false;             // aligned as numbers
  std::string key = {};             // what records call it; empty: it is no metric
};

/// The column of a metric.
inline Column column_of(const MetricRow& metric) {
  return {metric.label, metric.unit, metric.better, true, metric.name};
}

/// A line of a table.
struct Row {
  std::vector<Cell> cells;  // one for each column; the first is the row's label
  bool strong = false;      // the row that the question is about
  std::string anchor = {};  // its name on a page; empty: none
  std::string origin =
      {};  // the row of a page with what its numbers were computed from; empty: none
};

/// A table with its caption, and notes below it.
struct Table {
  std::string name;  // identifies it within the report: a-z and hyphens
  std::string caption;
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<std::string> notes;  // below the table, in order
  bool alike = true;               // a column holds one quantity, so readers may sort by it
  std::string source = {};  // which fields of which records its numbers are; empty: see cells
};

/// A cell of raw text.
inline Cell text_cell(std::string text, Tone tone = Tone::plain) {
  return {std::move(text), std::nullopt, tone, {}};
}

/// A cell whose text leads to another page.
inline Cell link_cell(std::string text, std::string link) {
  return {std::move(text), std::nullopt, Tone::plain, std::move(link)};
}

/// A cell that shows an estimate.
inline Cell estimate_cell(const Estimate& estimate, Standing standing = Standing::unmarked) {
  Estimate shown{.values = {},
                 .n = estimate.n,
                 .mean = estimate.mean,
                 .interval = estimate.interval,
                 .anchor = estimate.anchor};
  return {"", std::move(shown), Tone::plain, {}, standing};
}

/// The cell with the row of a page that has what it was computed from.
inline Cell from(std::string origin, Cell cell) {
  cell.origin = std::move(origin);
  return cell;
}

/// What the numbers of a table of the ledger are.
constexpr std::string_view kLedgerSource =
    "means over an arm's completed trials of the field of that name in `ledger` of their records; "
    "in report.json: /ledger/ARM/FIELD";

/// The cell that names a metric, by its label and arrow.
Cell label_cell(const MetricRow& metric);

/// A p-value, and any other number with three significant digits; blank where there is none.
Cell p_cell(const std::optional<double>& p);
Cell number_cell(const std::optional<double>& value);

/// "↓" or "↑"; empty where there is no better direction.
std::string_view arrow_of(Better better);

/// The metric's label and its arrow: "held-out loss ↓".
std::string arrowed(const MetricRow& metric);

}  // namespace ablate::reports
