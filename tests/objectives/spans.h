// Common helpers for tests of objectives that hide spans.

#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/example.h"
#include "tests/paths.h"

namespace ablate::objectives {

/// A file of conformance vectors, which other projects can test their code against.
inline Json vectors(const std::string& name) {
  std::ifstream file(project_root() / "tests/vectors" / name);
  return Json::parse(file);
}

/// Restores the tokens that an example was made from: replaces each sentinel of the inputs with the
/// tokens that follow it in the targets, and drops the final end token. Ids from `first_sentinel`
/// on are sentinels.
inline std::vector<Token> spliced(const Example& example, Token first_sentinel) {
  std::vector<Token> text;
  for (const Token token : example.inputs) {
    if (token < first_sentinel) {
      text.push_back(token);
      continue;
    }
    for (std::size_t i = 0; i < example.targets.size(); ++i)
      if (example.targets[i] == token)
        while (example.targets[++i] < first_sentinel && example.targets[i] != end_token)
          text.push_back(example.targets[i]);
  }
  text.pop_back();
  return text;
}

}  // namespace ablate::objectives
