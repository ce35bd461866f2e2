// The content of a report, independent of its format: sections of text, tables, figures and
// samples, in reading order.
//
// All text in it is raw; the writers escape it.

#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reports/analysis/answer/statement.h"
#include "reports/document/plot.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// A paragraph of text.
struct Paragraph {
  std::string text;
  bool warning = false;
};

/// A quantity that a reader may draw lines over.
struct ChartAxis {
  std::string title;
  std::string note = {};  // how positions on it came about; empty: they were recorded
};

/// Drawings of the same quantity, one per panel.
struct Figure {
  std::string name;  // a-z and hyphens
  std::string caption;
  std::vector<Plot> plots = {};
  std::vector<ChartAxis> axes =
      {};                      // what readers may draw lines over, the first as they are drawn;
                               // empty: there is no choice
  std::string band = {};       // what the bands of lines are: "minimum to maximum"
  bool beside_answer = false;  // on a page, beside the answer, not in its section
};

/// A generated text and its details.
struct Passage {
  std::string heading;
  std::string text;
  std::string about;
};

/// Texts that are read side by side, such as one of each arm.
struct Passages {
  std::string title;
  std::vector<Passage> texts;
};

using Block = std::variant<Paragraph, Table, Figure, Passages>;

/// A heading and its content.
struct Section {
  std::string name;  // a-z and hyphens: the anchor
  std::string title;
  std::vector<Block> blocks;
  std::string finding = {};  // what it found, in a few words; may be empty
  bool folded = false;       // on a page, closed until a reader opens it

  /// Adds a table or a figure, if it shows anything.
  void add(Table table) {
    if (!table.rows.empty() || !table.notes.empty()) blocks.push_back(std::move(table));
  }
  void add(Figure figure) {
    if (!figure.plots.empty()) blocks.push_back(std::move(figure));
  }

  /// Puts a paragraph before what there is, if there is anything.
  void introduce(std::string text) {
    if (!blocks.empty()) blocks.insert(blocks.begin(), Paragraph{std::move(text)});
  }
};

/// The report: its head and its sections.
struct Document {
  std::string title;
  std::string question;
  std::vector<Statement> answer;
  std::string facts;  // seeds, arms, trials, in a line
  std::vector<Section> sections;
  std::string limits = {};  // what was not tested; may be empty
  Tone tone = Tone::plain;  // of the answer, where it is a verdict
};

}  // namespace ablate::reports
