#include "reports/formats/html.h"

#include <fmt/core.h>

#include "harness/base/utf8.h"
#include "reports/formats/style_sheet.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kLongText = 60;  // characters from which a cell's text may wrap

/// The number with the typographic minus in place of a hyphen.
std::string minus(const std::string& number) {
  return number.starts_with('-') ? "−" + number.substr(1) : number;
}

std::string_view class_of(Tone tone) {
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

/// The seeds' values, shown when the pointer is on a cell.
std::string values_text(const Estimate& estimate) {
  std::string text = fmt::format("n = {}", estimate.n);
  for (const auto& value : estimate.values) {
    text += fmt::format("{}{}", text.find(':') == std::string::npos ? ": " : ", ",
                        value ? significant(*value, 5) : "none");
  }
  return text;
}

std::string estimate_html(const Estimate& estimate) {
  if (!estimate.mean) return "<td class=\"mean quiet\">–</td><td class=\"half\"></td>";
  const Rounded number = rounded(*estimate.mean, estimate.interval);
  return fmt::format("<td class=\"mean\" title=\"{}\">{}</td><td class=\"half\">{}</td>",
                     html_text(values_text(estimate)), minus(number.mean),
                     number.half_width.empty() ? "" : "± " + number.half_width);
}

/// A name, which may break after the marks within it, but not within a number.
std::string breakable(std::string_view raw) {
  const std::string whole = html_text(raw);
  const auto digit = [&](std::size_t i) {
    return i < whole.size() && whole[i] >= '0' && whole[i] <= '9';
  };
  std::string text;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    text += whole[i];
    const bool mark = std::string_view("._[,=").find(whole[i]) != std::string_view::npos;
    if (mark && !(whole[i] == '.' && digit(i + 1))) text += "<wbr>";
  }
  return text;
}

std::string linked(const Cell& cell, const std::string& html) {
  if (cell.link.empty()) return html;
  return fmt::format("<a href=\"{}\">{}</a>", html_text(cell.link), html);
}

std::string cell_html(const Cell& cell, const Column& column, bool wide, bool first) {
  if (cell.estimate) return estimate_html(*cell.estimate);
  if (first) return "<th scope=\"row\">" + linked(cell, breakable(cell.text)) + "</th>";
  std::string classes(class_of(cell.tone));
  if (column.numbers) classes += classes.empty() ? "n" : " n";
  if (characters(cell.text) > kLongText) classes += classes.empty() ? "wrap" : " wrap";
  return fmt::format("<td{}{}>{}</td>", wide ? " colspan=\"2\"" : "",
                     classes.empty() ? "" : " class=\"" + classes + "\"",
                     linked(cell, html_text(cell.text)));
}

std::string head_html(const Column& column, bool wide) {
  const std::string_view arrow = arrow_of(column.better);
  return fmt::format(
      "<th scope=\"col\"{}{}>{}{}{}{}</th>", wide ? " colspan=\"2\"" : "",
      column.numbers ? " class=\"n\"" : "", breakable(column.title), arrow.empty() ? "" : "&nbsp;",
      arrow,
      column.unit.empty() ? "" : "<span class=\"unit\">" + html_text(column.unit) + "</span>");
}

std::string rows_html(const Table& table) {
  const std::vector<bool> wide = estimate_columns(table);
  std::string out = "<table><thead><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    out += head_html(table.columns[i], wide[i]);
  out += "</tr></thead>\n<tbody>\n";
  for (const Row& row : table.rows) {
    out += row.strong ? "<tr class=\"strong\">" : "<tr>";
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      out += cell_html(row.cells[i], table.columns[i], wide[i], i == 0);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table>";
}

struct Writer {
  std::string& out;

  void operator()(const Paragraph& paragraph) const {
    out += fmt::format("{}{}</p>\n", paragraph.warning ? "<p class=\"note\">" : "<p>",
                       html_text(paragraph.text));
  }

  void operator()(const Table& table) const {
    const std::string caption = html_text(table.caption);
    out += fmt::format("<div class=\"table\" id=\"table-{}\"><p class=\"caption\">{}</p>",
                       html_text(table.name), caption);
    if (!table.rows.empty()) {
      out += fmt::format(
          "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">{}</div>",
          caption, rows_html(table));
    }
    if (!table.notes.empty()) {
      out += "<ul class=\"notes\">";
      for (const std::string& note : table.notes) out += "<li>" + html_text(note) + "</li>";
      out += "</ul>";
    }
    out += "</div>\n";
  }

  void operator()(const Figure& figure) const {
    out += "<figure class=\"figure\"><div class=\"panels\">";
    for (const std::string& panel : figure.panels) out += "<div>" + panel + "</div>\n";
    out += fmt::format("</div><figcaption>{}</figcaption></figure>\n", html_text(figure.caption));
  }

  void operator()(const Passage& passage) const {
    out += fmt::format(
        "<figure class=\"passage\"><figcaption>{}{}</figcaption><pre>{}</pre></figure>\n",
        html_text(passage.heading), passage.about.empty() ? "" : " · " + html_text(passage.about),
        html_text(passage.text, true));
  }
};

std::string head(const Document& document) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; img-src data:\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<meta name=\"referrer\" "
      "content=\"no-referrer\">\n<title>{}</title>\n<style>{}</style>\n</head>\n",
      html_text(document.title), style_sheet());
}

}  // namespace

std::string html_page(const Document& document) {
  std::string out = head(document) + "<body>\n<main>\n<header>\n";
  out += "<h1>" + html_text(document.title) + "</h1>\n";
  if (!document.question.empty()) {
    out += "<p class=\"question\">" + html_text(document.question) + "</p>\n";
  }
  out += "<p class=\"answer\">" + html_text(document.answer) + "</p>\n";
  out +=
      "<p class=\"facts\">" + html_text(document.facts) + "</p>\n<nav aria-label=\"Contents\"><ul>";
  for (const Section& section : document.sections) {
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>", html_text(section.name),
                       html_text(section.title));
  }
  out += "</ul></nav>\n</header>\n";
  for (const Section& section : document.sections) {
    out += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", html_text(section.name),
                       html_text(section.title));
    for (const Block& block : section.blocks) std::visit(Writer{out}, block);
    out += "</section>\n";
  }
  return out + "</main>\n</body>\n</html>\n";
}

Format html_format() {
  return {"html", [](const Content& content) -> std::vector<ReportFile> {
            return {{"report.html", html_page(content.document)}};
          }};
}

}  // namespace ablate::reports
