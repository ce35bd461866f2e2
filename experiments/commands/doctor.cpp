// `ablate doctor`: verifies everything in a results folder and, with --rebuild, repairs it.

#include <algorithm>
#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/exit_code.h"
#include "harness/run/progress/text.h"
#include "harness/store/doctor.h"
#include "harness/store/folder/folder.h"
#include "harness/store/folder/lock.h"

namespace ablate::commands {
namespace {

int doctor(const std::string& results, bool rebuild, bool without_weights) {
  if (rebuild) {
    store::check_results(results);
    const store::FolderLock lock(results);
    store::repair(results);
  }
  std::vector<store::Finding> findings = store::examine(results);
  if (without_weights)
    std::erase_if(findings, [](const store::Finding& finding) { return finding.no_weights; });
  for (const store::Finding& finding : findings)
    std::cout << (finding.damage ? "damaged: " : "note: ") << run::printable(finding.text) << '\n';
  const auto damaged = std::count_if(findings.begin(), findings.end(),
                                     [](const store::Finding& finding) { return finding.damage; });
  if (damaged == 0) std::cout << run::printable(results) << ": everything stored here is intact\n";
  return damaged == 0 ? exit_ok : exit_damaged;
}

}  // namespace

void add_doctor(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "doctor", "Verify the journals, checkpoints and index of a results folder");
  struct Options {
    std::string results;
    bool rebuild = false, without_weights = false;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("DIR", options->results, "the results folder")->required();
  command->add_flag("--rebuild", options->rebuild,
                    "remove incomplete files and lines, and rebuild the index");
  command->add_flag(
      "--without-weights", options->without_weights,
      "accept a folder without weights, such as a copy of only the plan and the journals");
  command->callback([&program, options] {
    program.exit_code = guarded(
        [&] { return doctor(options->results, options->rebuild, options->without_weights); });
  });
}

}  // namespace ablate::commands
