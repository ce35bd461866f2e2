#include "reports/paper/paper.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "harness/base/sha256.h"
#include "reports/formats/svg_files.h"
#include "reports/paper/appendix.h"
#include "reports/paper/captions.h"
#include "reports/paper/figures/budget_figure.h"
#include "reports/paper/figures/curve_figures.h"
#include "reports/paper/figures/forest_figure.h"
#include "reports/paper/figures/plot_figures.h"
#include "reports/paper/figures/seed_figure.h"
#include "reports/paper/figures/task_figures.h"
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

std::vector<PaperFigure> paper_figures(const Content& content) {
  std::vector<PaperFigure> all;
  const auto add = [&](std::vector<PaperFigure> figures) {
    std::ranges::move(figures, std::back_inserter(all));
  };
  add(forest_figures(content.analysis, content.venue));
  for (const Finding& finding : content.findings)
    for (const PaperPlots& plots : finding.plots) add(plot_figures(plots, content.venue));
  for (const auto& figures : {seed_figures, budget_figures, curve_figures})
    add(figures(content.analysis, content.venue));
  add(task_figures(compare_tasks(content.analysis), content.venue));
  return all;
}

std::string figure_float(const PaperFigure& figure, std::string_view experiment) {
  return fmt::format(
      "\\begin{{figure}}[tb]\n\\centering\n{}\\caption{{{}}}\\label{{fig:{}:{}}}\n"
      "\\end{{figure}}\n",
      figure.tex, latex_breakable(figure.caption), label_part(experiment), figure.name);
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
    files.push_back({name + ".tex", figure.tex});
    files.push_back({name + "-float.tex", figure_float(figure, content.document.title)});
    files.push_back({name + ".csv", figure.csv});
    if (!figure.svg.empty()) files.push_back({name + ".svg", standalone_svg(figure.svg)});
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
  const std::vector<PaperFigure> figures = paper_figures(content);
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
