#include "reports/paper/paper.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "harness/base/sha256.h"
#include "reports/figures/drawing/draw.h"
#include "reports/formats/svg_files.h"
#include "reports/paper/appendix.h"
#include "reports/paper/captions.h"
#include "reports/paper/figures/pgfplots.h"
#include "reports/paper/figures/row_tex.h"
#include "reports/paper/numbers/macros.h"
#include "reports/paper/preamble.h"
#include "reports/paper/snippet.h"
#include "reports/paper/tables/table_float.h"
#include "reports/tables/main_notes.h"
#include "reports/text/latex.h"

namespace ablate::reports {
namespace {

/// The document's tables that have rows. The main one says in its caption what it says on the page
/// in its first notes.
std::vector<Table> paper_tables(const Content& content) {
  std::vector<Table> tables;
  for (const Section& section : content.document.sections)
    for (const Block& block : section.blocks) {
      const auto* table = std::get_if<Table>(&block);
      if (table == nullptr || table->rows.empty()) continue;
      tables.push_back(*table);
      if (table->name != "main") continue;
      tables.back().caption = main_caption(content.analysis);
      const std::vector<std::string> said = reading_notes(content.analysis);
      std::erase_if(tables.back().notes, [&](const std::string& note) {
        return std::find(said.begin(), said.end(), note) != said.end();
      });
    }
  return tables;
}

/// A plot, or some of its rows, under the name of its files.
struct PaperFigure {
  std::string name;
  Plot plot;
};

/// The plot, or where its rows have no room on a page, parts of it: on one scale, and the first of them
/// with the numbers of all.
std::vector<Plot> in_parts(Plot plot) {
  std::vector<Plot> parts;
  if (std::ssize(plot.rows) > kRowsInADrawing) plot.x.ends = range_of_rows(plot);
  for (auto from = plot.rows.begin(); from != plot.rows.end();) {
    const auto to = from + std::min(kRowsInADrawing, plot.rows.end() - from);
    parts.push_back(plot);
    parts.back().rows.assign(from, to);
    plot.paper.csv.clear();
    from = to;
  }
  if (parts.empty()) parts.push_back(plot);
  return parts;
}

/// The plots of the document that papers have, in its order: "dose-1", "dose-2"; "forest", "forest-2".
std::vector<PaperFigure> paper_figures(const Document& document) {
  std::vector<PaperFigure> all;
  std::map<std::string, int> numbers;
  for (const Section& section : document.sections)
    for (const Block& block : section.blocks) {
      const auto* figure = std::get_if<Figure>(&block);
      if (figure == nullptr) continue;
      for (const Plot& plot : figure->plots) {
        if (plot.paper.name.empty()) continue;
        for (Plot& part : in_parts(plot)) {
          const int number = ++numbers[plot.paper.name];
          const bool numbered = plot.paper.numbered || number > 1;
          all.push_back({numbered ? fmt::format("{}-{}", plot.paper.name, number) : plot.paper.name,
                         std::move(part)});
        }
      }
    }
  return all;
}

std::string figure_float(const PaperFigure& figure, const Content& content) {
  return fmt::format(
      "\\begin{{figure}}[tb]\n\\centering\n{}\\caption{{{}}}\\label{{fig:{}:{}}}\n"
      "\\end{{figure}}\n",
      pgfplots(figure.plot, content.venue), latex_breakable(figure.plot.paper.caption),
      label_part(content.document.title), figure.name);
}

void add_tables(std::vector<ReportFile>& files, const std::vector<Table>& tables,
                const Content& content) {
  for (const Table& table : tables) {
    files.push_back({table.name + ".tex", tabular(table, content.venue)});
    files.push_back(
        {table.name + "-float.tex", table_float(table, content.document.title, content.venue)});
  }
}

void add_figures(std::vector<ReportFile>& files, const std::vector<PaperFigure>& figures,
                 const Content& content) {
  for (const PaperFigure& figure : figures) {
    const std::string name = "figures/" + figure.name;
    files.push_back({name + ".tex", pgfplots(figure.plot, content.venue)});
    files.push_back({name + "-float.tex", figure_float(figure, content)});
    if (!figure.plot.paper.csv.empty()) files.push_back({name + ".csv", figure.plot.paper.csv});
    files.push_back({name + ".svg", standalone_svg(draw(figure.plot, figure.name, kSlide))});
  }
}

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

/// Puts the files into their folder, marks them, and adds their hashes.
std::vector<ReportFile> placed(std::vector<ReportFile> files) {
  std::string sums;
  for (ReportFile& file : files) {
    if (file.name.ends_with(".tex")) file.bytes.insert(0, kPaperMark);
    sums += fmt::format("{}  {}\n", sha256(file.bytes), file.name);
    file.name = "paper/" + file.name;
  }
  files.push_back({"paper/SHA256SUMS", sums});
  return files;
}

std::vector<ReportFile> paper_files(const Content& content) {
  const std::vector<Macro> macros = macros_of(content.analysis, content.json);
  const std::vector<Table> tables = paper_tables(content);
  const std::vector<PaperFigure> figures = paper_figures(content.document);
  std::vector<ReportFile> files = {
      {"paper.tex",
       sample_document(content.document.title, names_of(tables), names_of(figures), content.venue)},
      {"preamble.tex", preamble()},
      {"numbers.tex", numbers_file(content.analysis, macros)},
      {"paper-snippet.tex", snippet(content.analysis, macros)},
      {"appendix.tex", appendix(reproducibility(content.analysis))}};
  add_tables(files, tables, content);
  add_figures(files, figures, content);
  return placed(std::move(files));
}

}  // namespace

Format paper_format() { return {"tex", paper_files}; }

}  // namespace ablate::reports
