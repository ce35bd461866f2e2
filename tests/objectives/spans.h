// What tests of objectives that hide spans share.

#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/example.h"

namespace ablate::objectives {

/// One of the files of vectors that other projects may test their own code against.
inline Json vectors(const std::string& name) {
  std::ifstream file(std::string(PROJECT_ROOT) + "/tests/vectors/" + name);
  return Json::parse(file);
}

/// The tokens that an example of spans was made from: each sentinel of the inputs gives way to what
/// follows it in the targets; the end token that closes the inputs goes. Sentinels are all ids of
/// `first_sentinel` and above.
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
