#include "reports/web/preview_page.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/utf8.h"
#include "reports/assets/assets.h"
#include "reports/figures/svg.h"
#include "reports/web/content_policy.h"
#include "reports/web/template.h"

namespace ablate::reports {
namespace {

constexpr double kCell = 14, kNameWidth = 92;  // pixels
constexpr double kLeastWidth = 540;            // so that pictures of few positions are not blown up
constexpr std::size_t kNameLetters = 13;
constexpr std::size_t kLineLetters = 92, kCellSpace = 2;  // of a line of tokens

/// The class of a row's cell: what is read for a hidden token, what is predicted, nothing, or a token.
std::string kind_of(const std::string& row, const std::string& cell) {
  if (cell.empty()) return "none";
  if (row == "targets" || row.starts_with("head")) return "target";
  return cell.size() > 2 && cell.front() == '<' && cell.back() == '>' ? "special" : "token";
}

/// Columns of a block of rows, from one to before another.
struct ColumnRange {
  std::size_t from = 0, to = 0;
};

/// The columns of a block in as many lines as they take, so that none is scrolled out of sight.
std::vector<ColumnRange> in_lines(const TokenRows& given) {
  std::vector<ColumnRange> lines;
  std::size_t used = 0;
  for (std::size_t column = 0; column < given.rows.front().size(); ++column) {
    std::size_t widest = 0;
    for (const std::vector<std::string>& row : given.rows)
      widest = std::max(widest, characters(row[column]));
    used += widest + kCellSpace;
    if (lines.empty() || used > kLineLetters) {
      lines.push_back({column, column});
      used = widest + kCellSpace;
    }
    lines.back().to = column + 1;
  }
  return lines;
}

/// Whether an input is another word than the text's, which stands above it.
bool is_replaced(const TokenRows& given, std::size_t row, std::size_t column) {
  if (given.names[row] != "inputs" || given.names.front() != "text" || row == 0) return false;
  const std::string &text = given.rows.front()[column], &input = given.rows[row][column];
  return !text.empty() && !input.empty() && text != input;
}

Json line_data(const TokenRows& given, ColumnRange columns) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < given.rows.size(); ++i) {
    Json cells = Json::array();
    for (std::size_t column = columns.from; column < columns.to; ++column) {
      const std::string& cell = given.rows[i][column];
      const bool replaced = is_replaced(given, i, column);
      cells.push_back(
          {{"kind", replaced ? "special" : kind_of(given.names[i], cell)}, {"text", cell}});
    }
    rows.push_back({{"name", given.names[i]}, {"cells", std::move(cells)}});
  }
  return {{"rows", std::move(rows)}};
}

/// One square for each pair of positions, filled where the row's sees the column's.
std::string picture_of(const SightMatrix& sight, const std::string& id) {
  const std::size_t rows = sight.rows.size(), columns = sight.columns.size();
  Svg svg(id,
          {std::max(kLeastWidth, kNameWidth + kCell * static_cast<double>(columns) + 8),
           22 + kCell * static_cast<double>(rows)},
          sight.title, "Each row is a position; filled squares are the positions that it sees.");
  for (std::size_t i = 0; i < rows; ++i) {
    const double top = 18 + kCell * static_cast<double>(i);
    svg.text({kNameWidth - 6, top + kCell - 3.5}, Anchor::end,
             sight.predicts[i] ? "sight-name predicts" : "sight-name",
             clipped(sight.rows[i], kNameLetters));
    for (std::size_t j = 0; j < columns; ++j)
      svg.box({kNameWidth + kCell * static_cast<double>(j) + 1, top + 1}, kCell - 2, kCell - 2,
              sight.sees[i][j] ? "sees" : "blind");
  }
  svg.text({kNameWidth, 12}, Anchor::start, "sight-name", sight.title);
  return svg.str();
}

Json example_data(const PreviewedArm::Shown& shown, const std::string& id) {
  Json blocks = Json::array(), pictures = Json::array();
  for (const TokenRows& rows : shown.tokens)
    if (!rows.rows.empty())
      for (const ColumnRange columns : in_lines(rows)) blocks.push_back(line_data(rows, columns));
  for (std::size_t i = 0; i < shown.sights.size(); ++i)
    pictures.push_back(picture_of(shown.sights[i], fmt::format("{}-{}", id, i)));
  return {{"blocks", std::move(blocks)}, {"pictures", std::move(pictures)}, {"notes", shown.notes}};
}

}  // namespace

std::string preview_page(const std::string& title, const std::string& question,
                         const std::vector<PreviewedArm>& arms) {
  const std::vector<std::string> styles = {std::string(asset("report.css")),
                                           std::string(asset("preview.css"))};
  Json sections = Json::array();
  for (std::size_t arm = 0; arm < arms.size(); ++arm) {
    Json examples = Json::array();
    for (std::size_t i = 0; i < arms[arm].examples.size(); ++i)
      examples.push_back(example_data(arms[arm].examples[i], fmt::format("sight-{}-{}", arm, i)));
    sections.push_back({{"name", arms[arm].name},
                        {"summary", arms[arm].summary},
                        {"source", arms[arm].source},
                        {"examples", std::move(examples)}});
  }
  return filled("preview.mustache", {{"page_title", title},
                                     {"question", question},
                                     {"policy", content_policy(styles, {})},
                                     {"styles", styles},
                                     {"arms", std::move(sections)}});
}

}  // namespace ablate::reports
