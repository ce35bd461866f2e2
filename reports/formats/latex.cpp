#include "reports/formats/latex.h"

#include <fmt/core.h>

#include <map>
#include <set>

#include "harness/base/sha256.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

/// Replaces the symbols of reports, which the general escapes keep, by commands that every LaTeX
/// engine knows.
std::string tex(std::string_view raw) {
  static const std::map<std::string, std::string> symbols = {
      {"±", "$\\pm$"},   {"−", "$-$"}, {"↓", "$\\downarrow$"}, {"↑", "$\\uparrow$"},
      {"·", "$\\cdot$"}, {"–", "--"},  {"…", "\\ldots{}"}};
  std::string text = latex_text(raw);
  for (const auto& [symbol, command] : symbols) {
    for (std::size_t at = text.find(symbol); at != std::string::npos;
         at = text.find(symbol, at + command.size())) {
      text.replace(at, symbol.size(), command);
    }
  }
  return text;
}

std::string number_tex(const Estimate& estimate) {
  if (!estimate.mean) return "--";
  const Rounded number = rounded(*estimate.mean, estimate.interval);
  return number.half_width.empty() ? fmt::format("${}$", number.mean)
                                   : fmt::format("${} \\pm {}$", number.mean, number.half_width);
}

/// A column's title, with its unit and the probe of its metric on separate lines, because numbers
/// are narrower than the names of metrics.
std::string head_tex(const Column& column) {
  const std::size_t dot = column.unit.empty() ? column.title.npos : column.title.find('.');
  std::string text = dot == column.title.npos
                         ? tex(column.title)
                         : fmt::format("{}\\\\ {}", tex(column.title.substr(0, dot + 1)),
                                       tex(column.title.substr(dot + 1)));
  if (column.better != Better::neither) text += " " + tex(arrow_of(column.better));
  if (column.unit.empty()) return text;
  return fmt::format("\\begin{{tabular}}[b]{{@{{}}r@{{}}}}{}\\\\({})\\end{{tabular}}", text,
                     tex(column.unit));
}

std::string row_tex(const Row& row) {
  std::string line;
  for (const Cell& cell : row.cells) {
    const std::string text = cell.estimate ? number_tex(*cell.estimate) : tex(cell.text);
    line += (line.empty() ? "" : " & ");
    line +=
        row.strong && !cell.estimate && &cell == row.cells.data() ? "\\textbf{" + text + "}" : text;
    if (line.empty()) line = "{}";  // an empty first cell must not lose its ampersand
  }
  return line + " \\\\\n";
}

/// Scales a table that is wider than the text to its width.
constexpr const char* kFit =
    "\\providecommand{\\AblateFit}[1]{\\setbox0\\hbox{#1}%\n"
    "  \\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\box0}\\else\\box0\\fi}\n";

/// An experiment's name in labels: small letters and digits, with hyphens between words.
std::string label_part(std::string_view raw) {
  std::string result;
  for (const char c : raw) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      result += capital ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!result.empty() && result.back() != '-')
      result += '-';
  }
  while (result.ends_with('-')) result.pop_back();
  return result.empty() ? "experiment" : result;
}

/// The table with the label "tab:EXPERIMENT:TABLE".
std::string table_tex(const Table& table, std::string_view experiment) {
  std::string columns;
  std::string head;
  for (const Column& column : table.columns) {
    columns += column.numbers ? 'r' : 'l';
    head += (head.empty() ? "" : " & ") + (column.title.empty() ? "{}" : head_tex(column));
  }
  std::string out = fmt::format(
      "\\begin{{table}}[tb]\n\\centering\n\\caption{{{}}}\n\\label{{tab:{}:{}}}"
      "\n\\small\n\\AblateFit{{%\n\\begin{{tabular}}{{@{{}}{}@{{}}}}\n\\toprule\n{} "
      "\\\\\n\\midrule\n",
      tex(table.caption), label_part(experiment), table.name, columns, head);
  for (const Row& row : table.rows) out += row_tex(row);
  out += "\\bottomrule\n\\end{tabular}}\n";
  if (!table.notes.empty()) {
    out += "\\par\\smallskip\n\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright\n";
    for (const std::string& note : table.notes) out += tex(note) + "\\par\n";
    out += "\\end{minipage}\n";
  }
  return out + "\\end{table}\n";
}

/// The name of a macro, what it stands for, and its text.
struct Macro {
  std::string name;
  std::string subject;
  std::string text;
};

class Macros {
 public:
  /// The names of all macros begin with `prefix`.
  explicit Macros(std::string prefix) : prefix_(std::move(prefix)) {}

  void add(const std::string& name, const std::string& subject, const std::string& text) {
    macros_.push_back({prefix_ + name, subject, text});
  }

  std::string str() const {
    std::map<std::string, std::set<std::string>> subjects;
    for (const Macro& macro : macros_) subjects[macro.name].insert(macro.subject);
    std::string out;
    for (const Macro& macro : macros_) {
      const bool shared = subjects[macro.name].size() > 1;
      out += fmt::format("\\newcommand{{\\{}{}}}{{{}}}% {}\n", macro.name,
                         shared ? letters(macro.subject) : "", macro.text, tex(macro.subject));
    }
    return out;
  }

 private:
  static std::string letters(const std::string& subject) {
    std::string result = "X";
    for (const char digit : sha256(subject).substr(0, 8)) {
      const int value = digit <= '9' ? digit - '0' : digit - 'a' + 10;
      result += static_cast<char>('a' + value);
    }
    return result;
  }

  std::string prefix_;
  std::vector<Macro> macros_;
};

void add_estimate(Macros& macros, const std::string& name, const std::string& subject,
                  const Estimate& estimate) {
  macros.add(name, subject, number_tex(estimate));
  macros.add(name + "N", subject + ", n", std::to_string(estimate.n));
  if (estimate.mean) {
    const Rounded number = rounded(*estimate.mean, estimate.interval);
    macros.add(name + "Mean", subject + ", mean", "$" + number.mean + "$");
  }
  if (estimate.interval) {
    const auto at = [&](double value) {  // with the digits of the mean
      const double half_width = (estimate.interval->high - estimate.interval->low) / 2;
      const statistics::Interval around{value - half_width, value + half_width};
      return "$" + rounded(value, around).mean + "$";
    };
    macros.add(name + "Low", subject + ", low", at(estimate.interval->low));
    macros.add(name + "High", subject + ", high", at(estimate.interval->high));
  }
}

/// What each file of tables begins with.
std::string preamble(const Document& document) {
  return "% " + tex(document.title) + ". Needs \\usepackage{booktabs,graphicx}.\n" + kFit;
}

/// The tables of the document that have rows.
std::vector<const Table*> tables_of(const Document& document) {
  std::vector<const Table*> tables;
  for (const Section& section : document.sections)
    for (const Block& block : section.blocks) {
      const auto* table = std::get_if<Table>(&block);
      if (table != nullptr && !table->rows.empty()) tables.push_back(table);
    }
  return tables;
}

std::string numbers_tex(const Content& content) {
  const Analysis& analysis = content.analysis;
  Macros macros("Ablate" + macro_part(analysis.experiment));
  for (const ArmResult& arm : analysis.arms) {
    macros.add(macro_part(arm.name) + "Trials", arm.name + ", trials",
               std::to_string(arm.trials.size()));
    macros.add(macro_part(arm.name) + "Failed", arm.name + ", failed or diverged",
               std::to_string(arm.failed + arm.diverged));
    for (const MetricRow& metric : analysis.metrics) {
      const auto found = arm.metrics.find(metric.name);
      if (found == arm.metrics.end()) continue;
      add_estimate(macros, macro_part(arm.name) + macro_part(metric.name),
                   arm.name + ", " + metric.name, found->second);
    }
  }
  for (const Difference& difference : analysis.differences) {
    if (!difference.over_seeds.mean) continue;
    const std::string name = "Diff" + macro_part(difference.arm) + macro_part(difference.metric);
    const std::string subject = "difference of " + difference.arm + ", " + difference.metric;
    add_estimate(macros, name, subject, difference.over_seeds);
    if (difference.p_adjusted) {
      macros.add(name + "P", subject + ", adjusted p", "$" + p_text(*difference.p_adjusted) + "$");
    }
    if (difference.p_equivalent) {
      macros.add(name + "PEquivalent", subject + ", adjusted p of equivalence",
                 "$" + p_text(*difference.p_equivalent) + "$");
    }
  }
  return "% Numbers of " + tex(analysis.experiment) + ".\n" + macros.str();
}

}  // namespace

Format latex_format() {
  return {"tex", [](const Content& content) -> std::vector<ReportFile> {
            const std::string begin = preamble(content.document);
            std::vector<ReportFile> files = {{"tables.tex", begin},
                                             {"numbers.tex", numbers_tex(content)}};
            for (const Table* table : tables_of(content.document)) {
              const std::string text = "\n" + table_tex(*table, content.document.title);
              files.front().bytes += text;
              files.push_back({fmt::format("table-{}.tex", table->name), begin + text});
            }
            return files;
          }};
}

}  // namespace ablate::reports
