// `ablate doctor`: does everything in a results folder verify? With --rebuild: tidy up.

#include <algorithm>
#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/exit_code.h"
#include "harness/run/text.h"
#include "harness/store/doctor.h"
#include "harness/store/lock.h"

namespace ablate {
namespace {

int doctor(const std::string& results, bool rebuild) {
  if (rebuild) {
    if (!std::filesystem::exists(std::filesystem::path(results) / "plan.json"))
      fail(results, ": holds no results (no plan.json)");
    const FolderLock lock(results);
    repair(results);
  }
  const std::vector<Finding> findings = examine(results);
  for (const Finding& finding : findings)
    std::cout << (finding.damage ? "damaged: " : "note: ") << printable(finding.text) << '\n';
  const auto damaged = std::count_if(findings.begin(), findings.end(),
                                     [](const Finding& finding) { return finding.damage; });
  if (damaged == 0) std::cout << results << ": all that is stored here verifies\n";
  return damaged == 0 ? exit_ok : exit_damaged;
}

}  // namespace

void add_doctor(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "doctor", "Verify journals, checkpoints and index of a results folder");
  struct Options {
    std::string results;
    bool rebuild = false;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("DIR", options->results, "the results folder")->required();
  command->add_flag("--rebuild", options->rebuild,
                    "remove half-written files, cut off torn lines and make the index anew");
  command->callback([&program, options] {
    program.exit_code = guarded([&] { return doctor(options->results, options->rebuild); });
  });
}

}  // namespace ablate
