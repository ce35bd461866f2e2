// `ablate completion SHELL`: prints what makes a shell complete the program's command lines. The scripts ask
// `ablate complete`, so that they know what this program knows.

#include <iostream>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/shell/candidates.h"
#include "harness/base/exit_code.h"

namespace ablate::commands {
namespace {

// Bash splits words at "=" and ":", and replaces only what follows them.
constexpr const char* kBash =
    R"sh(# Completion of ablate for bash:  source <(ablate completion bash)
_ablate() {
  local line="${COMP_LINE:0:COMP_POINT}" words last
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  last="${words[${#words[@]}-1]}"
  mapfile -t COMPREPLY < <(ablate complete -- "${words[@]:1}" 2>/dev/null)
  local skipped="${last%"${last##*[=:]}"}"
  [[ -n "$skipped" ]] && COMPREPLY=("${COMPREPLY[@]#"$skipped"}")
  [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *= ]] && compopt -o nospace
  return 0
}
complete -o default -F _ablate ablate
)sh";

constexpr const char* kZsh = R"sh(#compdef ablate
# Completion of ablate for zsh:  source <(ablate completion zsh)
_ablate() {
  local -a found
  found=(${(f)"$(ablate complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -S '' -a -- found
  _files
}
compdef _ablate ablate
)sh";

constexpr const char* kFish = R"sh(# Completion of ablate for fish:  ablate completion fish | source
complete -c ablate -a '(ablate complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
)sh";

const std::map<std::string, const char*>& scripts() {
  static const std::map<std::string, const char*> all = {
      {"bash", kBash}, {"fish", kFish}, {"zsh", kZsh}};
  return all;
}

}  // namespace

void add_completion(Program& program) {
  CLI::App* const command = program.app.add_subcommand(
      "completion", "Print what makes a shell complete these command lines");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "fish", "zsh"}));
  command->callback([&program, shell] {
    std::cout << scripts().at(*shell);
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
