// What makes shells complete the program's command lines.

#pragma once

#include <span>
#include <string_view>

namespace ablate::commands {

/// A script that asks `ablate complete`, so that it knows what the program knows.
struct ShellScript {
  std::string_view shell;
  std::string_view installed;  // where the shell finds it, below share/
  std::string_view text;
};

/// Of bash, fish and zsh.
std::span<const ShellScript> shell_scripts();

}  // namespace ablate::commands
