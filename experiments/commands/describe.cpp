// `ablate describe`: describes objectives, backbones, probes, metrics and settings.

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/exit_code.h"
#include "harness/plan/describe/describe.h"
#include "harness/plan/describe/description.h"
#include "harness/plan/preview/golden.h"
#include "harness/run/progress/text.h"
#include "harness/store/folder/folder.h"

namespace ablate::commands {
namespace {

struct DescribeOptions {
  std::string name;
  std::string results;
  bool json = false;
  bool golden = false;
};

/// The columns of the terminal that standard output is; 100 where it is none.
std::size_t line_width() {
  constexpr std::size_t kDefault = 100, kMinimum = 60;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefault;
  return std::max<std::size_t>(size.ws_col, kMinimum);
}

/// What the nightly gate compares: "version 1, DIGEST" by objective.
void print_golden(const Catalog& catalog) {
  Json vectors = Json::object();
  for (const auto& [name, golden] : plan::golden_vectors(catalog))
    vectors[name] = plan::golden_text(golden);
  std::cout << vectors.dump(2) << '\n';
}

void describe(const Program& program, const DescribeOptions& options) {
  const Catalog& catalog = program.catalog;
  const Json plan = options.results.empty() ? Json() : store::read_plan(options.results);
  const plan::Families families =
      plan.is_null() ? plan::families_of(catalog) : plan::families_of(catalog, plan);
  if (options.json)
    std::cout << ascii_text(plan::describe(families, options.name, program.words), 2) << '\n';
  else
    std::cout << run::printable_lines(
        plan::description(families, options.name, program.words, line_width()));
}

}  // namespace

void add_describe(Program& program) {
  CLI::App* const command = program.app.add_subcommand(
      "describe", "Describe objectives, backbones, probes, metrics and settings");
  const auto options = std::make_shared<DescribeOptions>();
  CLI::Option* const name = command->add_option(
      "NAME", options->name,
      "a section of an experiment file (objective, model, train ...), a setting (train.batch), an "
      "objective, a backbone, a probe, a metric, or the field's word for one (BERT, \"mixture of "
      "experts\", perplexity); default: list everything except metrics");
  CLI::Option* const results =
      command->add_option("--results", options->results,
                          "a results folder: describe its metrics, with its settings and under the "
                          "experiment's own names (intent.accuracy_16)");
  command->add_flag("--json", options->json, "print one JSON document");
  command
      ->add_flag("--golden", options->golden,
                 "print, as JSON, each objective's version and the SHA-256 of the examples that it "
                 "makes from fixed texts")
      ->excludes(name)
      ->excludes(results);
  command->callback([&program, options] {
    program.exit_code = guarded([&] {
      if (options->golden)
        print_golden(program.catalog);
      else
        describe(program, *options);
      return exit_ok;
    });
  });
}

}  // namespace ablate::commands
