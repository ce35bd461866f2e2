// `ablate`: plans experiments, starts workers, keeps the store, writes reports. Links no LibTorch.

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <vector>

#include "experiments/catalog.h"
#include "experiments/commands/command.h"
#include "harness/base/exit_code.h"
#include "harness/base/names.h"

namespace ablate {
namespace {

constexpr const char* kFooter = R"(
Examples:
  ablate plan   experiments/masking_rate.json
  ablate run    experiments/masking_rate.json --results results/masking_rate
  ablate report results/masking_rate --out report/

Exit status: 0 ok, 2 a flag or an experiment file was refused, 3 finished but some trials failed or
diverged, 6 a store or checkpoint is damaged, 75 stopped with a checkpoint (run the same command
again), 130 interrupted.)";

/// The command or flag that a word which nothing expected was probably meant to be.
std::string suggestion(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> owned;
  const auto add_all = [&](const CLI::App& of) {
    for (const CLI::App* sub : of.get_subcommands([](const CLI::App*) { return true; }))
      owned.push_back(sub->get_name());
    for (const CLI::Option* option : of.get_options())
      for (const std::string& name : option->get_lnames()) owned.push_back("--" + name);
  };
  add_all(app);
  for (const CLI::App* sub : app.get_subcommands()) add_all(*sub);
  const std::vector<std::string_view> names(owned.begin(), owned.end());
  for (int i = 1; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    const std::string_view near = nearest(word, names);
    if (!near.empty() && near != word) return join("; did you mean '", near, "'?");
  }
  return "";
}

int run_program(int argc, char** argv) {
  CLI::App app{"What does the pre-training objective do to a language model, all else being equal?",
               "ablate"};
  app.footer(kFooter);
  app.set_version_flag("--version", "ablate " ABLATE_VERSION);
  app.require_subcommand(1);
  Program program{app, catalog(), argc, argv};
  add_plan(program);
  add_run(program);
  add_status(program);
  add_show(program);
  add_report(program);
  add_preview(program);
  add_describe(program);
  add_schema(program);
  add_collect(program);
  add_doctor(program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    std::cerr << "ablate: " << error.what() << suggestion(app, argc, argv)
              << "\n`ablate --help` shows the commands, `ablate COMMAND --help` their flags.\n";
    return exit_usage;
  }
  return program.exit_code;
}

}  // namespace
}  // namespace ablate

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  try {
    return ablate::run_program(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "ablate: internal error: " << error.what() << '\n';
    return ablate::exit_failure;
  }
}
