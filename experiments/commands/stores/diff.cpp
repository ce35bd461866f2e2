// `ablate diff`: compares two results folders.

#include <fmt/core.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/exit_code.h"
#include "harness/run/progress/text.h"
#include "harness/store/folder/lock.h"
#include "harness/store/index/records.h"
#include "reports/diff/difference_text.h"

namespace ablate::commands {
namespace {

// Exit codes as diff(1) has them, which says 2 for every trouble.
constexpr int kEqual = 0;
constexpr int kDifferent = 1;

/// Says where a run is active: more results may come there.
void tell_of_runs(const reports::ComparedFolders& folders) {
  for (const std::string& folder : {folders.first, folders.second})
    if (const auto holder = store::holder_of(folder))
      std::cerr << run::printable(fmt::format(
                       "ablate: {}: {} is running in this folder; its present state is compared",
                       folder, holder->text()))
                << '\n';
}

int diff(const reports::ComparedFolders& folders, bool json) {
  std::error_code absent;
  const bool same = std::filesystem::equivalent(folders.first, folders.second, absent);
  const store::Records first = store::load_records(folders.first);
  // A run may be writing to the folder: it equals itself all the same.
  const store::Records second = same ? first : store::load_records(folders.second);
  tell_of_runs(folders);
  const reports::StoreDifference difference = reports::difference_between(first, second);
  if (json)
    std::cout << ascii_text(reports::difference_json(folders, difference), 2) << '\n';
  else
    std::cout << run::printable_lines(reports::difference_text(folders, difference));
  return difference.equal() ? kEqual : kDifferent;
}

}  // namespace

void add_diff(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "diff", "Compare the plans, programs and numbers of two results folders");
  struct Options {
    reports::ComparedFolders folders;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("A", options->folders.first, "a results folder")->required();
  command->add_option("B", options->folders.second, "the results folder to compare with it")
      ->required();
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([&program, options] {
    int found = exit_usage;
    const int code = guarded([&] { return found = diff(options->folders, options->json); });
    program.exit_code = code == exit_failure && found != kDifferent ? exit_usage : code;
  });
}

}  // namespace ablate::commands
