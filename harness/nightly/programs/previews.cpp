#include "harness/nightly/programs/previews.h"

#include "harness/base/json/parse.h"
#include "harness/nightly/judge/bits.h"

namespace ablate::nightly {
namespace {

constexpr const char* kExamples = "8";

}  // namespace

std::map<std::string, std::string> preview_digests(const Programs& programs,
                                                   const SuiteExperiment& experiment,
                                                   const Json& plan,
                                                   const std::filesystem::path& log) {
  std::map<std::string, std::string> digests;
  if (plan.is_null()) return digests;
  for (const store::StoredArm& arm : store::stored_plan(plan).arms) {
    std::vector<std::string> command = {programs.path_of("ablate"),
                                        "preview",
                                        experiment.file.string(),
                                        "--arm",
                                        arm.name,
                                        "--count",
                                        kExamples,
                                        "--json"};
    command.insert(command.end(), experiment.flags.begin(), experiment.flags.end());
    std::string text;
    const int status =
        run_program(command, log, [&](const std::string& line) { text += line + '\n'; });
    if (status == 0) digests[arm.name] = digest_of(text);
  }
  return digests;
}

std::map<std::string, std::string> golden_digests(const Programs& programs,
                                                  const std::filesystem::path& log) {
  std::string text;
  const int status = run_program({programs.path_of("ablate"), "describe", "--golden"}, log,
                                 [&](const std::string& line) { text += line + '\n'; });
  const Json printed = status == 0 ? parse_or_discard(text) : Json();
  std::map<std::string, std::string> digests;
  if (!printed.is_object()) return digests;
  for (const auto& [name, golden] : printed.items())
    if (golden.is_string()) digests[name] = golden;
  return digests;
}

}  // namespace ablate::nightly
