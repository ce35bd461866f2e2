// `ablate preview`: shows what an arm's objective makes of texts.

#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/experiment_file.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/previewed.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/plan/preview/preview.h"
#include "harness/plan/preview/printed_preview.h"
#include "harness/run/progress/text.h"
#include "reports/web/preview_page.h"

namespace ablate::commands {
namespace {

struct PreviewOptions {
  plan::PreviewRequest request;
  std::string file, text, tokens, html;
  bool json = false;
};

void warn_of(const plan::Preview& made) {
  for (const std::string& warning : made.warnings)
    std::cerr << "warning: " << run::printable(warning) << '\n';
}

/// The page of an arm, or of all that the file has.
void write_page(const Program& program, const PreviewOptions& options) {
  const plan::PreviewedFile file = plan::previewed_file(program.catalog, options.request);
  const std::vector<std::string> arms =
      options.request.arm.empty() ? file.arms : std::vector{options.request.arm};
  std::vector<reports::PreviewedArm> shown;
  for (const std::string& arm : arms) {
    plan::PreviewRequest request = options.request;
    request.arm = arm;
    const plan::Preview made = plan::preview(program.catalog, request);
    if (shown.empty()) warn_of(made);
    shown.push_back(previewed(made));
  }
  write_file(options.html, reports::preview_page(file.name, file.question, shown));
  std::cout << "Wrote " << options.html << ".\n";
}

int run(const Program& program, PreviewOptions& options) {
  options.request.file = options.file;
  if (!options.text.empty()) options.request.text = options.text;
  if (!options.tokens.empty()) options.request.tokens = options.tokens;
  const bool documents = !options.request.documents.empty();
  if (options.request.text.has_value() + options.request.tokens.has_value() + documents > 1)
    reject("--text, --tokens and --documents: give one of them");
  if (!options.html.empty()) {
    write_page(program, options);
    return exit_ok;
  }
  if (options.request.arm.empty()) reject("--arm is needed, or --html FILE for a page of all arms");
  const plan::Preview made = plan::preview(program.catalog, options.request);
  warn_of(made);
  if (options.json)
    std::cout << ascii_text(to_json(made)) << '\n';
  else
    std::cout << run::printable_lines(plan::printed(made));
  return exit_ok;
}

}  // namespace

void add_preview(Program& program) {
  CLI::App* const command = program.app.add_subcommand(
      "preview", "Show the examples that an arm's objective makes from texts");
  const auto options = std::make_shared<PreviewOptions>();
  add_experiment_file(*command, options->file);
  command->add_option(
      "--arm", options->request.arm,
      "the arm, as `ablate plan` names it, or a new one: NAME:path=value,path=value");
  command
      ->add_option("--count", options->request.count,
                   "number of examples (default: 1, or all texts of --documents)")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--seed", options->request.seed,
                      "seed for everything random (default: the experiment's first)");
  command
      ->add_option(
          "--documents", options->request.documents,
          "numbers of training documents to use instead of the held-out part, such as 17,203")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber);
  command->add_option("--text", options->text,
                      "file of plain text to use instead of the held-out part");
  command->add_option(
      "--tokens", options->tokens,
      "file with a JSON array of arrays of token ids, to use instead of the held-out part");
  command->add_option("--set", options->request.set, "path=value: change the arm")
      ->allow_extra_args(false);
  CLI::Option* const json = command->add_flag("--json", options->json, "print one JSON document");
  command
      ->add_option("--html", options->html,
                   "write a page for a slide, for --arm or for all arms: the tokens, the targets, "
                   "and which position sees which")
      ->excludes(json);
  command->callback([&program, options] {
    program.exit_code = guarded([&] {
      options->file = experiment_file(options->file);
      return run(program, *options);
    });
  });
}

}  // namespace ablate::commands
