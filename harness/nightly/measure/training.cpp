#include "harness/nightly/measure/training.h"

#include <fmt/core.h>

#include "harness/base/exit_code.h"
#include "harness/base/sha256.h"
#include "harness/run/worker/process.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWords = 400;  // bytes of a program's last words

}  // namespace

Json plan_of(const Programs& programs, const SuiteExperiment& experiment, const fs::path& log) {
  std::vector<std::string> command = {programs.path_of("ablate"), "plan", experiment.file.string(),
                                      "--json"};
  command.insert(command.end(), experiment.flags.begin(), experiment.flags.end());
  std::string text;
  const int status =
      run_program(command, log, [&](const std::string& line) { text += line + '\n'; });
  Json plan = Json::parse(text, nullptr, false);
  if (status != 0 || !plan.is_object() || !plan.contains("trials")) return nullptr;
  return plan;
}

Trained train(const Programs& programs, const SuiteExperiment& experiment, const fs::path& results,
              const fs::path& log) {
  fs::create_directories(results.parent_path());
  std::vector<std::string> command = {programs.path_of("ablate"),
                                      "run",
                                      experiment.file.string(),
                                      "--results",
                                      results.string(),
                                      "--progress",
                                      "plain"};
  command.insert(command.end(), experiment.flags.begin(), experiment.flags.end());
  const int status = run_program(command, log);
  Trained trained = {results, ""};
  if (status != exit_ok && status != exit_some_failed)
    trained.failure =
        fmt::format("'ablate run' ended with status {}: {}", status, run::last_lines(log, kWords));
  return trained;
}

Trained train_once(const Programs& programs, const SuiteExperiment& experiment,
                   const fs::path& parent, const fs::path& log) {
  const fs::path plan_log = log.string() + ".plan";
  const Json plan = plan_of(programs, experiment, plan_log);
  if (plan.is_null())
    return {{}, fmt::format("'ablate plan' refuses it: {}", run::last_lines(plan_log, kWords))};
  std::string ids;
  for (const Json& trial : plan.at("trials")) ids += trial.at("id").get<std::string>() + '\n';
  return train(programs, experiment, parent / (experiment.name + '-' + sha256(ids).substr(0, 12)),
               log);
}

}  // namespace ablate::nightly
