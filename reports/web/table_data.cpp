#include "reports/web/table_data.h"

#include <fmt/core.h>

#include <string_view>
#include <vector>

#include "harness/base/utf8.h"
#include "reports/figures/svg.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kWrappedText = 60;   // characters from which a cell's text may wrap
constexpr std::size_t kWrappedLinks = 3;   // links from which it may
constexpr std::size_t kNotesShown = 4;     // more notes are folded
constexpr std::size_t kUnbrokenName = 22;  // characters up to which a row's name stays in a line

/// Whether any cell of the column is an estimate: it then takes two columns, so that ± aligns.
std::vector<bool> estimate_columns(const Table& table) {
  std::vector<bool> result(table.columns.size(), false);
  for (const Row& row : table.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (row.cells[i].estimate) result[i] = true;
    }
  }
  return result;
}

/// The row of the page that a cell leads to: its own, else that of its row; null where the page has
/// no such row.
Json origin_in(const Anchors& anchors, const std::string& own, const Row& row) {
  const std::string& origin = own.empty() ? row.origin : own;
  return anchors.contains(origin) ? Json(origin) : Json();
}

Json estimate_data(const Estimate& estimate, const Row& row, const Anchors& anchors) {
  if (!estimate.mean) return {{"missing", true}};
  const Rounded number = rounded(*estimate.mean, estimate.interval);
  return {{"estimate",
           {{"origin", origin_in(anchors, estimate.anchor, row)},
            {"mean", with_minus(number.mean)},
            {"half", number.half_width.empty() ? "" : "± " + number.half_width}}}};
}

/// A name in parts, between which a line may break: after the marks within it, not within a number.
Json breakable(const std::string& name) {
  const auto digit = [&](std::size_t i) {
    return i < name.size() && name[i] >= '0' && name[i] <= '9';
  };
  Json parts = Json::array();
  std::string part;
  for (std::size_t i = 0; i < name.size(); ++i) {
    part += name[i];
    const bool mark = std::string_view("._[,=").find(name[i]) != std::string_view::npos;
    if (!mark || (name[i] == '.' && digit(i + 1))) continue;
    parts.push_back({{"part", part}, {"more", true}});
    part.clear();
  }
  parts.push_back({{"part", part}, {"more", false}});
  return parts;
}

bool has_number(const std::string& text) {
  return text.find_first_of("0123456789") != std::string::npos;
}

Json links_data(const Cell& cell, const Anchors& anchors) {
  Json links = Json::array();
  for (const PageLink& link : cell.links)
    links.push_back({{"text", link.text},
                     {"place", anchors.contains(link.anchor) ? Json(link.anchor) : Json()},
                     {"last", &link == &cell.links.back()}});
  return links;
}

std::string classes_of(const Cell& cell, const Column& column) {
  std::string classes(class_of_tone(cell.tone));
  if (column.numbers) classes += classes.empty() ? "n" : " n";
  if (characters(cell.text) > kWrappedText || cell.links.size() > kWrappedLinks)
    classes += classes.empty() ? "wrap" : " wrap";
  return classes;
}

Json text_data(const Cell& cell, const Row& row, const Column& column, bool wide,
               const Anchors& anchors) {
  const bool counted = column.numbers && has_number(cell.text);
  const bool computed = !cell.origin.empty() || counted;
  return {{"plain",
           {{"wide", wide},
            {"classes", given(classes_of(cell, column))},
            {"link", given(cell.link)},
            {"origin", computed && cell.link.empty() && !cell.text.empty()
                           ? origin_in(anchors, cell.origin, row)
                           : Json()},
            {"text", column.numbers ? with_minus(cell.text) : cell.text},
            {"course", given(sparkline(cell.course))},
            {"links", links_data(cell, anchors)}}}};
}

/// The first cell of a row, which names it.
Json label_data(const Cell& cell) {
  return {{"label",
           {{"long", characters(cell.text) > kUnbrokenName},
            {"key", given(cell.key)},
            {"parts", breakable(cell.text)},
            {"link", given(cell.link)}}}};
}

Json row_data(const Table& table, const Row& row, const std::vector<bool>& wide,
              const Anchors& anchors) {
  Json cells = Json::array();
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const Cell& cell = row.cells[i];
    if (cell.estimate)
      cells.push_back(estimate_data(*cell.estimate, row, anchors));
    else if (i == 0)
      cells.push_back(label_data(cell));
    else
      cells.push_back(text_data(cell, row, table.columns[i], wide[i], anchors));
  }
  return {{"strong", row.strong}, {"anchor", given(row.anchor)}, {"cells", std::move(cells)}};
}

Json grid_data(const Table& table, const Anchors& anchors) {
  const std::vector<bool> wide = estimate_columns(table);
  Json columns = Json::array(), rows = Json::array();
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    columns.push_back({{"wide", bool(wide[i])},
                       {"numbers", table.columns[i].numbers},
                       {"parts", breakable(table.columns[i].title)},
                       {"arrow", given(arrow_of(table.columns[i].better))},
                       {"unit", given(table.columns[i].unit)},
                       {"key", given(table.columns[i].key)}});
  for (const Row& row : table.rows) rows.push_back(row_data(table, row, wide, anchors));
  return {{"sortable", table.alike && table.rows.size() > 1},
          {"columns", std::move(columns)},
          {"rows", std::move(rows)}};
}

}  // namespace

std::string_view class_of_tone(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "good";
    case Tone::bad:
      return "bad";
    case Tone::neutral:
      return "neutral";
    case Tone::quiet:
      return "quiet";
    case Tone::plain:
      break;
  }
  return "";
}

Json given(std::string_view text) { return text.empty() ? Json() : Json(std::string(text)); }

Json table_data(const Table& table, const Anchors& anchors) {
  return {{"table_name", table.name},
          {"caption", table.caption},
          {"grid", table.rows.empty() ? Json() : grid_data(table, anchors)},
          {"source", given(table.source)},
          {"has_notes", !table.notes.empty() || !table.source.empty()},
          {"folded_notes", table.notes.size() > kNotesShown
                               ? Json(fmt::format("{} notes on this table", table.notes.size()))
                               : Json()},
          {"notes", table.notes}};
}

}  // namespace ablate::reports
