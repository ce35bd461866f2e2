#include "harness/plan/preview/printed_preview.h"

#include <fmt/core.h>

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>
#include <utility>

#include "harness/base/utf8.h"
#include "harness/plan/preview/attention_picture.h"
#include "harness/plan/preview/strips.h"

namespace ablate::plan {
namespace {

constexpr std::size_t kLineWidth = 96;

/// Prints rows of cells aligned in columns, split into blocks that fit the width of a line.
void print_aligned(std::ostream& out, const Strips& strips) {
  const std::vector<std::string>& names = strips.names;
  std::vector<std::vector<std::string>> rows = strips.rows;
  for (std::vector<std::string>& row : rows)
    std::ranges::replace(row, std::string(), std::string("."));
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

std::string label_text(const Preview::Shown& shown, const Label& label) {
  if (label.partner >= 0)
    return fmt::format("  label   position {} belongs to position {}\n", label.partner, label.at);
  if (is_sampled(shown, label))
    return fmt::format("  label   of the token sampled in training, at position {}\n", label.at);
  return fmt::format("  label   {}, at position {}\n", label.target, label.at);
}

void print_example(std::ostream& out, const Preview& preview, const Preview::Shown& shown) {
  for (const Strips& each : strips(preview, shown)) print_aligned(out, each);
  if (shown.example.inputs.empty() && shown.example.targets.empty())
    out << "  nothing is read of this text; --count shows more\n";
  if (left_alone(preview, shown))
    out << "  this text was not transformed: the targets are the text; --count shows more\n";
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
