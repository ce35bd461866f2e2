// `ablate nightly`: runs a night beside the baseline's program, and judges it.

#include <fmt/core.h>

#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/nightly/night_report.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/nightly/gate.h"
#include "harness/nightly/measure/night.h"

namespace ablate::commands {

void add_nightly(Program& program) {
  CLI::App* const command = program.app.add_subcommand(
      "nightly",
      "Run a suite with tonight's programs and the baseline's, and judge what has changed");
  struct Options {
    std::string suite;
    std::string home = "nightly";
    nightly::NightSettings settings;
    VerdictOptions verdict;
  };
  const auto options = std::make_shared<Options>();
  command
      ->add_option(
          "FILE", options->suite,
          "the suite: experiments and benchmarks; ablate:suites/nightly.json is the shipped one")
      ->required();
  command->add_option("--home", options->home, "the nightly folder (default: nightly)");
  command->add_option("--baseline", options->settings.baseline,
                      "the baseline's name (default: main)");
  command
      ->add_option("--workers", options->settings.workers,
                   "number of training processes (default: as for `ablate run`)")
      ->check(CLI::Range(1, 1024));
  add_verdict_options(*command, options->verdict);
  command->callback([&program, options] {
    program.exit_code = guarded([&] {
      const nightly::Suite suite = nightly::read_suite(options->suite);
      const nightly::Home home(options->home);
      home.latest_pin(options->settings.baseline);  // a mistyped folder is refused, not created
      const Descriptor lock = home.lock();
      const nightly::NightRun made =
          nightly::run_night(suite, home, options->settings,
                             nightly::last_night(home, options->settings.baseline), say);
      if (!made.ran)
        say(
            fmt::format("night {}: nothing ran: the same programs finished the same suite at "
                        "{}; its verdict again:",
                        made.night.folder.filename().string(), made.night.finished));
      const int status = report_night(made.night.folder, options->verdict);
      write_history(options->home, nightly::read_history(home));
      return status;
    });
  });
}

}  // namespace ablate::commands
