// `ablate`: plans experiments, starts workers, keeps the store and writes reports. It does not link
// LibTorch.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "experiments/catalog.h"
#include "experiments/commands/command.h"
#include "experiments/commands/help.h"
#include "experiments/commands/shell/declared.h"
#include "experiments/field_words.h"
#include "harness/base/exit_code.h"
#include "harness/base/names.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/run/progress/printable_stream.h"

namespace ablate {
namespace {

/// A suggestion for an unknown word on the command line: the closest command or flag. May be empty.
/// `flags_only`: the other words are known.
std::string suggestion(const CLI::App& app, int argc, char** argv, bool flags_only) {
  std::vector<std::string> owned;
  const auto add_all = [&](const CLI::App& of) {
    for (const CLI::App* sub : commands::commands_of(of)) owned.push_back(sub->get_name());
    for (std::string& flag : commands::flags_of(of)) owned.push_back(std::move(flag));
  };
  add_all(app);
  for (const CLI::App* sub : app.get_subcommands()) add_all(*sub);
  const std::vector<std::string_view> names(owned.begin(), owned.end());
  for (int i = 1; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (flags_only && !word.starts_with("--")) continue;
    if (std::find(names.begin(), names.end(), word) != names.end()) continue;
    const std::string_view near = closest_match(word, names);
    if (!near.empty() && near != word) return fmt::format("; did you mean '{}'?", near);
  }
  return "";
}

constexpr int kRequiredError = static_cast<int>(CLI::ExitCodes::RequiredError);
constexpr int kExtrasError = static_cast<int>(CLI::ExitCodes::ExtrasError);

int run_program(int argc, char** argv) {
  CLI::App app{"What does the pre-training objective do to a language model, all else being equal?",
               "ablate"};
  app.set_version_flag("--version", "ablate " ABLATE_VERSION " (commit " ABLATE_COMMIT ")");
  app.require_subcommand(1);
  commands::Program program{app, catalog(), field_words(), argc, argv};
  commands::add_init(program);
  commands::add_plan(program);
  commands::add_run(program);
  commands::add_noise(program);
  commands::add_status(program);
  commands::add_show(program);
  commands::add_report(program);
  commands::add_claims(program);
  commands::add_diff(program);
  commands::add_export(program);
  commands::add_try(program);
  commands::add_preview(program);
  commands::add_describe(program);
  commands::add_schema(program);
  commands::add_collect(program);
  commands::add_doctor(program);
  commands::add_bench(program);
  commands::add_nightly(program);
  commands::add_gate(program);
  commands::add_completion(program);
  commands::add_manual(program);
  commands::add_help(app);
  if (commands::completes(program)) return commands::complete(program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    const int kind = error.get_exit_code();
    // A command was given where an option of it is missing; its name is no misspelling of another.
    const bool lacks_option =
        kind == kRequiredError && !std::string_view(error.what()).starts_with("A subcommand");
    const bool has_unknown = kind == kRequiredError || kind == kExtrasError;
    std::cerr << "ablate: " << error.what()
              << (has_unknown ? suggestion(app, argc, argv, lacks_option) : "")
              << (lacks_option ? commands::example(app) : "")
              << "\n`ablate --help` shows the commands, `ablate COMMAND --help` their flags.\n";
    return exit_usage;
  }
  return program.exit_code;
}

}  // namespace
}  // namespace ablate

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  ablate::let_large_files_fail();
  // Results folders and experiment files are handed around: nothing in them commands the terminal.
  const ablate::run::PrintableStream output(std::cout), errors(std::cerr);
  try {
    return ablate::run_program(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "ablate: internal error: " << ablate::explained(error) << '\n';
    return ablate::exit_failure;
  }
}
