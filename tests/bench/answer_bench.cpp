// Time to an answer: a shipped experiment from its file to its report, as a user runs it, with one
// worker and one seed. The counters say what of a trial's time went where, as `ablate status --time`
// does: a change that makes only one part faster shows there.

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cstdlib>

#include "harness/base/files.h"
#include "harness/base/posix/program.h"
#include "harness/store/index/status.h"
#include "tests/paths.h"
#include "tests/temporary_folder.h"

namespace ablate::bench {
namespace {

namespace fs = std::filesystem;

bool ran(const std::string& arguments) {
  const std::string command =
      fmt::format("{}/ablate {} > /dev/null 2> /dev/null", program_folder().string(), arguments);
  return std::system(command.c_str()) == 0;
}

/// Adds the seconds of all trials: training, measuring, and each probe.
void add_times(const fs::path& results, benchmark::State& state) {
  for (const store::TrialStatus& trial : store::load_status(results).trials) {
    for (const char* stage : {"train", "probes"})
      if (const auto found = trial.time.stages.find(stage); found != trial.time.stages.end())
        state.counters[std::string(stage) + "_s"] += found->second;
    for (const auto& [probe, time] : trial.time.probes)
      state.counters["probes." + probe + "_s"] += time.seconds;
  }
}

/// `settings`: further arguments of `ablate run`.
void answer(benchmark::State& state, const std::string& experiment, const std::string& settings) {
  const TemporaryFolder folder;
  ::setenv("ABLATE_CACHE", (folder.path() / "cache").c_str(), 1);
  const fs::path file = project_root() / "experiments" / (experiment + ".json");
  const fs::path results = folder.path() / "results";
  for (auto _ : state) {
    if (!ran(fmt::format("run {} --results {} --workers 1 --set seeds=1 {}", file.string(),
                         results.string(), settings)))
      return state.SkipWithError("ablate run failed");
    if (!ran("report " + results.string())) return state.SkipWithError("ablate report failed");
  }
  add_times(results, state);
}

BENCHMARK_CAPTURE(answer, quickstart, "quickstart", "")
    ->Iterations(1)
    ->Unit(benchmark::kSecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(answer, compare_objectives_small, "compare_objectives",
                  "--set train.budget.tokens=400000")
    ->Iterations(1)
    ->Unit(benchmark::kSecond)
    ->UseRealTime();

}  // namespace
}  // namespace ablate::bench
