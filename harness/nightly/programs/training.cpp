#include "harness/nightly/programs/training.h"

#include <fmt/core.h>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/json/parse.h"
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
  Json plan = parse_or_discard(text);
  if (status != 0 || !plan.is_object() || !plan.contains("trials")) return nullptr;
  return plan;
}

std::string plan_hash(const Json& plan) {
  Json ids = Json::array();
  for (const Json& trial : plan.at("trials")) ids.push_back(trial.at("id"));
  return sha256(canonical({{"trials", ids}, {"resolved", plan.value("resolved", Json())}}));
}

Trained train(const Programs& programs, const SuiteExperiment& experiment, const fs::path& results,
              const TrainSettings& settings, const fs::path& log) {
  fs::create_directories(results.parent_path());
  std::vector<std::string> command = {programs.path_of("ablate"),
                                      "run",
                                      experiment.file.string(),
                                      "--results",
                                      results.string(),
                                      "--progress",
                                      "plain"};
  command.insert(command.end(), experiment.flags.begin(), experiment.flags.end());
  if (settings.workers > 0)
    command.insert(command.end(), {"--workers", std::to_string(settings.workers)});
  if (settings.retry_failed) command.emplace_back("--retry-failed");
  const int status = run_program(command, log);
  Trained trained = {.results = results, .some_failed = status == exit_some_failed};
  if (status == exit_ok || status == exit_some_failed) return trained;
  const std::string words = run::last_lines(log, kWords);
  if (status == exit_damaged) damaged("{}: {}", results.string(), words);
  trained.failure = fmt::format("'ablate run' ended with {}: {}", ending_text(status), words);
  return trained;
}

}  // namespace ablate::nightly
