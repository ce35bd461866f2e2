// `ablate completion SHELL`: prints what makes a shell complete the program's command lines. The scripts ask
// `ablate complete`, so that they know what this program knows.

#include <algorithm>
#include <iostream>
#include <memory>
#include <string_view>
#include <vector>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/shell/candidates.h"
#include "experiments/commands/shell/scripts.h"
#include "harness/base/exit_code.h"

namespace ablate::commands {

void add_completion(Program& program) {
  CLI::App* const command =
      program.app.add_subcommand("completion", "Print a completion script for a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "fish", "zsh"}));
  command->callback([&program, shell] {
    std::cout << std::ranges::find(shell_scripts(), *shell, &ShellScript::shell)->text;
    program.exit_code = exit_ok;
  });
}

bool completes(const Program& program) {
  return program.argc > 1 && std::string_view(program.argv[1]) == "complete";
}

int complete(const Program& program) {
  std::vector<std::string> words(program.argv + 2, program.argv + program.argc);
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  return guarded([&] {
    for (const std::string& each : candidates(program.app, program.catalog, std::move(words)))
      std::cout << each << '\n';
    return exit_ok;
  });
}

}  // namespace ablate::commands
