#include "harness/plan/preview/printed_preview.h"

#include <fmt/core.h>

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>
#include <utility>

#include "harness/base/utf8.h"
#include "harness/plan/preview/attention_picture.h"

namespace ablate::plan {
namespace {

constexpr std::size_t kLineWidth = 96;

/// Rows of cells below each other, with their names.
struct Grid {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;

  void add(std::string name, std::vector<std::string> cells) {
    names.push_back(std::move(name));
    rows.push_back(std::move(cells));
  }

  void append(const Grid& more) {
    for (std::size_t i = 0; i < more.rows.size(); ++i) add(more.names[i], more.rows[i]);
  }
};

/// Prints rows of cells aligned in columns, split into blocks that fit the width of a line.
void print_aligned(std::ostream& out, const Grid& grid) {
  const auto& [names, rows] = grid;
  const std::size_t count = rows.front().size();
  for (std::size_t first = 0; first < count;) {
    std::vector<std::size_t> widths;
    std::size_t total = 10;
    for (std::size_t i = first; i < count; ++i) {
      std::size_t width = 1;
      for (const auto& row : rows) width = std::max(width, characters(row[i]) + 1);
      if (total + width > kLineWidth && i > first) break;
      total += width;
      widths.push_back(width);
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
      out << "  " << std::left << std::setw(8) << names[row];
      for (std::size_t i = 0; i < widths.size(); ++i)
        out << rows[row][first + i]
            << std::string(widths[i] - characters(rows[row][first + i]), ' ');
      out << '\n';
    }
    first += widths.size();
    if (first < count) out << '\n';
  }
}

std::string spelled(const Preview& preview, Token token) {
  const Vocabulary& vocabulary = preview.vocabulary;
  if (token < vocabulary.end_ordinary() || token >= vocabulary.size())
    return preview.corpus.spelled(token);
  return fmt::format("<S{}>", vocabulary.size() - 1 - token);  // as Vocabulary::sentinel counts
}

std::vector<std::string> spelled(const Preview& preview, const std::vector<Token>& tokens) {
  std::vector<std::string> cells;
  cells.reserve(tokens.size());
  for (const Token token : tokens) cells.push_back(spelled(preview, token));
  return cells;
}

/// The targets that are scored; a dot stands for a target that is not.
std::vector<std::string> scored(const Preview& preview, const Example& example) {
  std::vector<std::string> cells = spelled(preview, example.targets);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (example.weights[i] <= 0) cells[i] = ".";
  return cells;
}

std::vector<std::string> numbers(const std::vector<Token>& tokens) {
  std::vector<std::string> cells;
  cells.reserve(tokens.size());
  for (const Token token : tokens) cells.push_back(std::to_string(token));
  return cells;
}

const HeadTraits& traits_of(const Preview::Shown& shown, const Label& label) {
  return shown.batch.scored[static_cast<std::size_t>(label.head)].need.traits;
}

bool is_token(const Preview::Shown& shown, const Label& label) {
  return traits_of(shown, label).ahead > 0;
}

/// Whether a sample that fills the label's place decides it in training.
bool is_sampled(const Preview::Shown& shown, const Label& label) {
  return std::ranges::any_of(shown.example.labels, [&](const Label& other) {
    return other.at == label.at && traits_of(shown, other).fills;
  });
}

std::string label_text(const Preview::Shown& shown, const Label& label) {
  if (label.partner >= 0)
    return fmt::format("  label   position {} belongs to position {}\n", label.partner, label.at);
  if (is_sampled(shown, label))
    return fmt::format("  label   of the token sampled in training, at position {}\n", label.at);
  return fmt::format("  label   {}, at position {}\n", label.target, label.at);
}

/// The targets, and a row for each further head that predicts tokens: below the target that the same
/// state predicts.
void add_targets(Grid& grid, const Preview& preview, const Preview::Shown& shown) {
  const std::size_t places = std::max(shown.example.targets.size(), shown.example.inputs.size());
  if (!shown.example.targets.empty() || shown.example.inputs.empty())
    grid.add("targets", scored(preview, shown.example));
  std::map<std::int32_t, std::vector<std::string>> heads;
  for (const Label& label : shown.example.labels) {
    if (!(label.weight > 0) || !is_token(shown, label)) continue;
    auto& cells = heads.try_emplace(label.head, places, ".").first->second;
    cells[static_cast<std::size_t>(label.at)] = spelled(preview, label.target);
  }
  for (auto& [head, cells] : heads) grid.add(fmt::format("head {}", head + 1), std::move(cells));
}

void print_tokens(std::ostream& out, const Preview& preview, const Preview::Shown& shown) {
  const Example& example = shown.example;
  Grid text, inputs, targets;
  text.add("text", spelled(preview, shown.text));
  text.add("  ids", numbers(shown.text));
  inputs.add("inputs", spelled(preview, example.inputs));
  inputs.add("  ids", numbers(example.inputs));
  add_targets(targets, preview, shown);
  if (example.inputs.size() == shown.text.size() && example.targets.size() == shown.text.size()) {
    text.append(inputs);
    text.append(targets);
    return print_aligned(out, text);
  }
  print_aligned(out, text);
  if (!example.inputs.empty() && preview.alignment == Alignment::in_place) {
    inputs.append(targets);
    return print_aligned(out, inputs);
  }
  if (!example.inputs.empty()) print_aligned(out, inputs);
  if (example.targets.empty()) return;
  targets.add("  ids", numbers(example.targets));
  if (!example.shown.empty()) targets.add("shown", spelled(preview, example.shown));
  print_aligned(out, targets);
}

/// Whether an objective that changes some texts has left this one as it is.
bool left_alone(const Preview& preview, const Preview::Shown& shown) {
  const Example& example = shown.example;
  return !preview.intended.empty() && example.inputs.empty() && example.targets == shown.text &&
         (example.shown.empty() || example.shown == shown.text);
}

void print_example(std::ostream& out, const Preview& preview, const Preview::Shown& shown) {
  print_tokens(out, preview, shown);
  if (shown.example.inputs.empty() && shown.example.targets.empty())
    out << "  nothing is read of this text; --count shows more\n";
  if (left_alone(preview, shown))
    out << "  this text was left alone: the targets are the text; --count shows more\n";
  for (const Label& label : shown.example.labels)
    if (label.weight > 0 && !is_token(shown, label)) out << label_text(shown, label);
  for (const Fact& fact : shown.example.facts)
    out << fmt::format("  {} = {:g}, as the objective states of this example\n", fact.name,
                       fact.value);
  if (shown.example.inputs.empty() && shown.example.targets.empty()) return;
  out << "  attention: each row is a position and sees the columns marked #; * predicts\n"
      << attention_picture(shown.batch, [&](Token token) { return spelled(preview, token); });
}

/// "1 token: 5, 2 tokens: 3"; "none" where nothing is hidden.
std::string spans_text(const Json& spans) {
  std::string text;
  for (const auto& [length, count] : spans.items())
    text += fmt::format("{}{} token{}: {}", text.empty() ? "" : ", ", length,
                        length == "1" ? "" : "s", count.dump());
  return text.empty() ? "none" : text;
}

void print_realised(std::ostream& out, const Preview& preview) {
  const Json rates = preview.realised.json();
  const std::size_t examples = preview.examples.size();
  out << fmt::format("\nrealised over {} {}:", examples, examples == 1 ? "example" : "examples");
  for (const auto& [name, rate] : rates.items())
    if (rate.is_number()) out << fmt::format(" {} {:.3g}", name, rate.get<double>());
  out << "\nhidden spans by length: " << spans_text(rates["spans"])
      << "\nhidden in each tenth of the text:";
  for (const Json& tenth : rates["positions"]) out << fmt::format(" {:.2g}", tenth.get<double>());
  out << '\n';
  for (const Intended& intended : preview.intended) {
    const std::optional<double> did = realised(preview, intended);
    out << fmt::format("intended {} {}{:.3g}, within {:.3g} over a trial; realised {}\n",
                       intended.name, intended.at_most ? "at most " : "", intended.value,
                       intended.tolerance,
                       did ? fmt::format("{:.3g} in these examples", *did)
                           : "by none of these examples, --count shows more");
  }
}

bool has_further_heads(const Preview& preview) {
  for (const Preview::Shown& shown : preview.examples)
    for (const Label& label : shown.example.labels)
      if (label.weight > 0 && is_token(shown, label)) return true;
  return false;
}

void print_examples(std::ostream& out, const Preview& preview) {
  std::map<std::pair<std::size_t, std::string>, std::size_t> drawn;  // by text and what is printed
  for (std::size_t i = 0; i < preview.examples.size(); ++i) {
    const Preview::Shown& shown = preview.examples[i];
    std::ostringstream example;
    print_example(example, preview, shown);
    const auto [first, is_new] = drawn.try_emplace({shown.source, std::move(example).str()}, i);
    out << "\nexample " << i;
    if (is_new)
      out << '\n' << first->first.second;
    else
      out << ": the same as example " << first->second << ", of the same text\n";
  }
}

}  // namespace

std::string printed(const Preview& preview) {
  std::ostringstream out;
  out << preview.arm << ": "
      << (preview.alignment == Alignment::in_place
              ? "each target is predicted at its input"
              : "the targets follow the inputs, predicted left to right")
      << "; a dot is not scored; seed " << preview.seed << '\n';
  if (has_further_heads(preview))
    out << "head 2 and so on: what each further head predicts from the state of the target above\n";
  print_examples(out, preview);
  print_realised(out, preview);
  return std::move(out).str();
}

}  // namespace ablate::plan
