// `ablate collect`: merges the results of several machines.

#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/exit_code.h"
#include "harness/base/text/shell.h"
#include "harness/run/progress/text.h"
#include "harness/store/folder/lock.h"
#include "harness/store/index/index.h"
#include "harness/store/merge.h"

namespace ablate::commands {
namespace {

int collect(const std::string& into, const std::vector<std::string>& folders) {
  store::check_merge(into, {folders.begin(), folders.end()});  // before anything is written
  const store::FolderLock lock(into);
  bool refused = false;
  for (const std::string& from : folders) {
    const store::Merged merged = store::merge_results(into, from);
    std::cerr << from << ": " << merged.added << " trials added, " << merged.advanced
              << " updated, " << merged.kept << " already there\n";
    for (const std::string& why : merged.refused)
      std::cerr << "ablate: " << run::printable(why) << '\n';
    refused = refused || !merged.refused.empty();
  }
  store::read_index(into, [](SQLite::Database&) {});
  if (!refused) std::cerr << "Next: ablate report " << shell_word(into) << '\n';
  return refused ? exit_usage : exit_ok;
}

}  // namespace

void add_collect(Program& program) {
  CLI::App* command =
      program.app.add_subcommand("collect", "Merge the results of several machines");
  struct Options {
    std::string into;
    std::vector<std::string> folders;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("DIR", options->into, "the results folder to merge into; it need not exist")
      ->required();
  command->add_option("FROM", options->folders, "results folders of the same experiment")
      ->required();
  command->callback([&program, options] {
    program.exit_code = guarded([&] { return collect(options->into, options->folders); });
  });
}

}  // namespace ablate::commands
