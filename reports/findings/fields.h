// The fields of a finding's rows, and what each format makes of them.
//
// A field has up to three faces: a column of a table on pages, columns of a CSV file, and a key in
// report.json. A face without a name is not there.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "reports/analysis/answer/statement.h"
#include "reports/tables/table.h"
#include "reports/text/csv_writer.h"

namespace ablate::reports {

/// An arm: pages show its label, programs read its name.
struct ArmName {
  std::string name, label;
};

/// A p-value, which pages show as p_text() does.
struct PValue {
  std::optional<double> p;
};

/// The ends of an interval, of which one may be unknown.
struct Ends {
  std::optional<double> low, high;
};

/// Numbers of things, which CSV files join by blanks.
struct Numbers {
  std::vector<std::int64_t> all;
};

/// What a field holds. Pages show numbers with three significant digits, an interval as "a to b", and an
/// estimate as mean and half-width. In CSV an interval is two columns, and an estimate three: its mean
/// and its interval. Ends and lists are of report.json alone.
using Value =
    std::variant<std::string, bool, std::int64_t, std::optional<std::int64_t>,
                 std::optional<double>, PValue, ArmName, std::optional<statistics::Interval>,
                 Estimate, Ends, std::vector<double>, Numbers>;

/// The key of an estimate whose "mean", "ci", "n" and "values" stand in the row itself.
inline constexpr auto kInRow = "+";

/// A field of rows of this type.
template <class Row>
struct Field {
  Column page;       // on pages
  std::string csv;   // columns of the CSV file, separated by commas
  std::string json;  // key in report.json, or kInRow
  std::function<Value(const Row&)> value;
  std::function<Value(const Row&)> shown;  // on pages, where it is another
};

template <class Row>
using Fields = std::vector<Field<Row>>;

/// Columns of texts, and of numbers.
inline Column text_column(std::string title) { return {.title = std::move(title)}; }
inline Column number_column(std::string title) {
  return {.title = std::move(title), .numbers = true};
}

/// What pages show of a member of a row as a p-value.
template <class Row>
auto p_of(std::optional<double> Row::*member) {
  return [member](const Row& row) { return PValue{row.*member}; };
}

/// Of a row's difference: its arm by name and label, that label by itself, its metric, and the row of a
/// page that has its test.
template <class Row>
auto arm_of_difference(const Analysis& analysis) {
  return [&analysis](const Row& row) {
    return ArmName{row.difference->arm, analysis.label(row.difference->arm)};
  };
}
template <class Row>
auto label_of_difference(const Analysis& analysis) {
  return [&analysis](const Row& row) { return analysis.label(row.difference->arm); };
}
template <class Row>
std::string metric_of_difference(const Row& row) {
  return row.difference->metric;
}
template <class Row>
std::string test_of(const Row& row) {
  return test_anchor(*row.difference);
}

/// Rows for programs: a file of a CSV report, and a part of report.json.
struct Records {
  std::string file;               // its name without ".csv"; empty: none
  std::string csv;                // its content
  std::vector<std::string> path;  // of the keys in report.json; empty: none
  Json json;                      // its value there
};

/// A value as a cell of a table.
Cell cell_of(const Value& value);

/// Puts a value into a row of report.json by its key; null where there is none.
void put(Json& row, const std::string& key, const Value& value);

/// Begins a CSV file with the experiment's name and these columns.
Csv begin_csv(const std::vector<std::string>& columns);

/// Adds a value to a line of CSV.
void put(Csv& csv, const Value& value);

/// The rows as JSON.
template <class Row>
Json json_rows(const Fields<Row>& fields, const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) {
    Json& object = list.emplace_back(Json::object());
    for (const Field<Row>& field : fields)
      if (!field.json.empty()) put(object, field.json, field.value(row));
  }
  return list;
}

/// The rows as CSV.
template <class Row>
std::string csv_rows(const std::string& experiment, const Fields<Row>& fields,
                     const std::vector<Row>& rows) {
  std::vector<std::string> columns;
  for (const Field<Row>& field : fields)
    if (!field.csv.empty()) columns.push_back(field.csv);
  Csv csv = begin_csv(columns);
  for (const Row& row : rows) {
    csv.text(experiment);
    for (const Field<Row>& field : fields)
      if (!field.csv.empty()) put(csv, field.value(row));
    csv.end();
  }
  return csv.str();
}

/// The rows for programs, in NAME.csv and in a list of report.json by this path.
template <class Row>
Records records_of(const Analysis& analysis, std::string name, std::vector<std::string> path,
                   const Fields<Row>& fields, const std::vector<Row>& rows) {
  return {std::move(name), csv_rows(analysis.experiment, fields, rows), std::move(path),
          json_rows(fields, rows)};
}

/// Adds the columns and rows of the fields that pages show. `origin`: where a page has what a row was
/// computed from.
template <class Row>
void add_rows(Table& table, const Fields<Row>& fields, const std::vector<Row>& rows,
              const std::type_identity_t<std::function<std::string(const Row&)>>& origin) {
  for (const Field<Row>& field : fields)
    if (!field.page.title.empty()) table.columns.push_back(field.page);
  for (const Row& row : rows) {
    reports::Row& line = table.rows.emplace_back();
    line.origin = origin(row);
    for (const Field<Row>& field : fields)
      if (!field.page.title.empty())
        line.cells.push_back(cell_of(field.shown ? field.shown(row) : field.value(row)));
  }
}

}  // namespace ablate::reports
