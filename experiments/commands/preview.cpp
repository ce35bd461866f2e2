// `ablate preview`: shows what an arm's objective makes of texts.

#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/utf8.h"
#include "harness/plan/preview/attention_picture.h"
#include "harness/plan/preview/preview.h"
#include "harness/run/progress/text.h"

namespace ablate::commands {
namespace {

constexpr std::size_t kLineWidth = 96;

struct PreviewOptions {
  plan::PreviewRequest request;
  std::string file, text, tokens;
  bool json = false;
};

/// Prints rows of cells aligned in columns, split into blocks that fit the width of a line.
void print_aligned(std::ostream& out, const std::vector<std::string>& names,
                   const std::vector<std::vector<std::string>>& rows) {
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

std::vector<std::string> spelled(const data::Corpus& corpus, const std::vector<Token>& tokens) {
  std::vector<std::string> cells;
  cells.reserve(tokens.size());
  for (const Token token : tokens) cells.push_back(corpus.spelled(token));
  return cells;
}

/// The targets that are scored; a dot stands for a target that is not.
std::vector<std::string> scored(const data::Corpus& corpus, const Example& example) {
  std::vector<std::string> cells = spelled(corpus, example.targets);
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

void print_tokens(std::ostream& out, const plan::Preview& preview,
                  const plan::Preview::Shown& shown) {
  const std::vector<std::string> text = spelled(preview.corpus, shown.text);
  const std::vector<std::string> inputs = spelled(preview.corpus, shown.example.inputs);
  const std::vector<std::string> targets = scored(preview.corpus, shown.example);
  const std::vector<std::string> text_ids = numbers(shown.text);
  const std::vector<std::string> input_ids = numbers(shown.example.inputs);
  const std::vector<std::string> target_ids = numbers(shown.example.targets);
  if (inputs.size() == text.size() && targets.size() == text.size())
    return print_aligned(out, {"text", "  ids", "inputs", "  ids", "targets"},
                         {text, text_ids, inputs, input_ids, targets});
  print_aligned(out, {"text", "  ids"}, {text, text_ids});
  if (!inputs.empty() && preview.alignment == Alignment::in_place)
    return print_aligned(out, {"inputs", "  ids", "targets"}, {inputs, input_ids, targets});
  if (!inputs.empty()) print_aligned(out, {"inputs", "  ids"}, {inputs, input_ids});
  if (!targets.empty()) print_aligned(out, {"targets", "  ids"}, {targets, target_ids});
}

/// Whether an objective that changes some texts has left this one as it is.
bool left_alone(const plan::Preview& preview, const plan::Preview::Shown& shown) {
  return !preview.intended.empty() && shown.example.inputs.empty() &&
         shown.example.targets == shown.text;
}

void print_example(std::ostream& out, const plan::Preview& preview,
                   const plan::Preview::Shown& shown) {
  print_tokens(out, preview, shown);
  if (left_alone(preview, shown))
    out << "  this text was left alone: the targets are the text; --count shows more\n";
  for (const Label& label : shown.example.labels)
    if (label.weight > 0 &&
        shown.batch.scored[static_cast<std::size_t>(label.head)].need.head == Head::pair)
      out << "  label   " << label.target << ", at position " << label.at << '\n';
  for (const Fact& fact : shown.example.facts)
    out << fmt::format("  {} = {:g}, as the objective states of this example\n", fact.name,
                       fact.value);
  out << "  attention: each row is a position that predicts; it sees the columns marked #\n"
      << plan::attention_picture(shown.batch,
                                 [&](Token token) { return preview.corpus.spelled(token); });
}

/// "1 token: 5, 2 tokens: 3"; "none" where nothing is hidden.
std::string spans_text(const Json& spans) {
  std::string text;
  for (const auto& [length, count] : spans.items())
    text += fmt::format("{}{} token{}: {}", text.empty() ? "" : ", ", length,
                        length == "1" ? "" : "s", count.dump());
  return text.empty() ? "none" : text;
}

void print_realised(std::ostream& out, const plan::Preview& preview) {
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
    const std::optional<double> did = plan::realised(preview, intended);
    out << fmt::format(
        "intended {} {}{:.3g} within {:.3g} on average; realised {}\n", intended.name,
        intended.at_most ? "at most " : "", intended.value, intended.tolerance,
        did ? fmt::format("{:.3g}", *did) : "by none of these examples, --count shows more");
  }
}

std::string text_of(const plan::Preview& preview) {
  std::ostringstream out;
  out << preview.arm << ": "
      << (preview.alignment == Alignment::in_place
              ? "each target is predicted at its input"
              : "the targets follow the inputs, predicted left to right")
      << "; a dot is not scored\n";
  for (std::size_t i = 0; i < preview.examples.size(); ++i) {
    out << "\nexample " << i << '\n';
    print_example(out, preview, preview.examples[i]);
  }
  print_realised(out, preview);
  return std::move(out).str();
}

int run(const Program& program, PreviewOptions& options) {
  options.request.file = options.file;
  if (!options.text.empty()) options.request.text = options.text;
  if (!options.tokens.empty()) options.request.tokens = options.tokens;
  if (options.request.text && options.request.tokens)
    reject("--text and --tokens: give one of the two");
  const plan::Preview made = plan::preview(program.catalog, options.request);
  if (options.json)
    std::cout << ascii_text(to_json(made)) << '\n';
  else
    std::cout << run::printable_lines(text_of(made));
  return exit_ok;
}

}  // namespace

void add_preview(Program& program) {
  CLI::App* const command =
      program.app.add_subcommand("preview", "Show what an arm's objective makes of texts");
  const auto options = std::make_shared<PreviewOptions>();
  command->add_option("FILE", options->file, "the experiment file")->required();
  command
      ->add_option("--arm", options->request.arm,
                   "the arm, as `ablate plan` names it, or a new one: NAME:path=value,path=value")
      ->required();
  command->add_option("--count", options->request.count, "number of examples (default: 1)")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--text", options->text, "file of plain text, instead of the held-out part");
  command->add_option("--tokens", options->tokens, "file with a JSON array of arrays of ids");
  command->add_option("--set", options->request.set, "path=value: change the arm")
      ->allow_extra_args(false);
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [&program, options] { program.exit_code = guarded([&] { return run(program, *options); }); });
}

}  // namespace ablate::commands
