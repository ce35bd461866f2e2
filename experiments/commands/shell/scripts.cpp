#include "experiments/commands/shell/scripts.h"

namespace ablate::commands {
namespace {

// Bash splits words at "=" and ":", and replaces only what follows them.
constexpr const char* kBash =
    R"sh(# Completion of ablate for bash:  source <(ablate completion bash)
_ablate() {
  local line="${COMP_LINE:0:COMP_POINT}" words last
  [[ "$line" == *[\"\'\\]* ]] && return 0  # quoted words are left to bash
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  last="${words[${#words[@]}-1]}"
  mapfile -t COMPREPLY < <(ablate complete -- "${words[@]:1}" 2>/dev/null)
  local skipped="${last%"${last##*[=:]}"}"
  [[ -n "$skipped" ]] && COMPREPLY=("${COMPREPLY[@]#"$skipped"}")
  local i
  for i in "${!COMPREPLY[@]}"; do printf -v "COMPREPLY[i]" %q "${COMPREPLY[i]}"; done
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
if [[ "${funcstack[1]}" == _ablate ]]; then _ablate "$@"; else compdef _ablate ablate; fi
)sh";

constexpr const char* kFish = R"sh(# Completion of ablate for fish:  ablate completion fish | source
complete -c ablate -a '(ablate complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
)sh";

constexpr ShellScript kScripts[] = {
    {"bash", "bash-completion/completions/ablate", kBash},
    {"fish", "fish/vendor_completions.d/ablate.fish", kFish},
    {"zsh", "zsh/site-functions/_ablate", kZsh},
};

}  // namespace

std::span<const ShellScript> shell_scripts() { return kScripts; }

}  // namespace ablate::commands
