#include "reports/web/query_table.h"

#include <fmt/ranges.h>

namespace ablate::reports {
namespace {

Cell values_cell(const Query& query) {
  Cell cell;
  for (const Origin& origin : query.origins) cell.links.push_back({origin.label, origin.anchor});
  return cell;
}

std::string paths_of(const Query& query) {
  std::string paths;
  for (const Origin& origin : query.origins)
    if (paths.find(origin.path) == std::string::npos)
      paths += (paths.empty() ? "" : ", ") + origin.path;
  return paths;
}

Row row_of(const Statement& statement, std::size_t index) {
  const Query& query = statement.query;
  return {
      .cells = {text_cell(statement.text), text_cell(statement.forecast ? "forecast" : "result"),
                text_cell(query.metric), text_cell(fmt::format("{}", fmt::join(query.arms, ", "))),
                text_cell(fmt::format("{}", fmt::join(query.seeds, ", "))), text_cell(query.test),
                values_cell(query), text_cell(paths_of(query)), text_cell(query.sql)},
      .anchor = query_anchor(index)};
}

}  // namespace

std::string query_anchor(std::size_t index) { return fmt::format("sentence-{}", index + 1); }

Table query_table(const std::vector<Statement>& answer) {
  Table table{.name = "queries",
              .caption = "What each sentence of the answer was computed from",
              .columns = {{.title = "sentence"},
                          {.title = "kind"},
                          {.title = "metric"},
                          {.title = "arms"},
                          {.title = "seeds"},
                          {.title = "test"},
                          {.title = "values"},
                          {.title = "report.json"},
                          {.title = "SQL"}},
              .alike = false};
  for (std::size_t i = 0; i < answer.size(); ++i) table.rows.push_back(row_of(answer[i], i));
  table.notes = {
      "report.json: JSON pointers into it (`ablate report DIR --json`). SQL: gives the values from "
      "index.sqlite of the results folder (`sqlite3 -readonly`). A forecast is about values that "
      "were not measured."};
  return table;
}

}  // namespace ablate::reports
