// What a JSON Schema says of values, by an implementation that is not ours.

#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <optional>
#include <vector>

#include "harness/base/json/json.h"
#include "tests/temporary_folder.h"

namespace ablate::plan::testing_support {

/// Which of the values a schema accepts; nothing if python3 with jsonschema is not installed.
/// Throws std::runtime_error if the schema is none itself.
inline std::optional<std::vector<bool>> judge(const Json& schema, const Json& values) {
  constexpr int kNoPython = 127, kNoModule = 3;
  const TemporaryFolder folder;
  const std::filesystem::path script =
      folder.write("judge.py",
                   "import json, sys\n"
                   "try: import jsonschema\n"
                   "except ImportError: sys.exit(3)\n"
                   "schema, values = json.load(open(sys.argv[1]))\n"
                   "jsonschema.Draft7Validator.check_schema(schema)\n"
                   "judge = jsonschema.Draft7Validator(schema)\n"
                   "print(json.dumps([judge.is_valid(value) for value in values]))\n");
  const std::filesystem::path input = folder.write("input.json", Json({schema, values}).dump());
  FILE* const pipe = ::popen(("python3 " + script.string() + " " + input.string()).c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string output(1 << 16, '\0');
  output.resize(std::fread(output.data(), 1, output.size(), pipe));
  const int status = WEXITSTATUS(::pclose(pipe));
  if (status == kNoPython || status == kNoModule) return std::nullopt;
  if (status != 0) fail("the schema cannot be used; python3 says why above");
  return Json::parse(output).get<std::vector<bool>>();
}

}  // namespace ablate::plan::testing_support
