// `ablate nightly`: runs a night beside the baseline's program, and judges it.

#include <fmt/core.h>

#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/nightly/night_report.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/nightly/measure/night.h"

namespace ablate::commands {

void add_nightly(Program& program) {
  CLI::App* const command = program.app.add_subcommand(
      "nightly", "Run a suite beside the baseline's programs, and judge what has changed");
  struct Options {
    std::string suite;
    std::string home = "nightly";
    std::string baseline = "main";
    VerdictOptions verdict;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("FILE", options->suite, "the suite: experiments and benchmarks")->required();
  command->add_option("--home", options->home, "the nightly folder (default: nightly)");
  command->add_option("--baseline", options->baseline, "the baseline's name (default: main)");
  add_verdict_options(*command, options->verdict);
  command->callback([&program, options] {
    program.exit_code = guarded([&] {
      const nightly::Suite suite = nightly::read_suite(options->suite);
      const nightly::Night night =
          nightly::run_night(suite, nightly::Home(options->home), options->baseline,
                             [](const std::string& line) { std::cerr << line << std::endl; });
      const int status = report_night(night.folder, options->verdict);
      write_history(options->home, nightly::read_history(nightly::Home(options->home)));
      return status;
    });
  });
}

}  // namespace ablate::commands
