// The program as a user runs it, a process each time: start-up, a plan of 10,000 trials, collecting
// and reporting 1,000, tokenising a text that is not in the cache yet, and a whole answer.

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cstdlib>

#include "harness/base/files.h"
#include "harness/base/posix/program.h"
#include "harness/base/rng.h"
#include "harness/store/index/status.h"
#include "tests/bench/sweep_folder.h"
#include "tests/paths.h"

namespace ablate::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kPlanned = 100;  // arms, and seeds of each
constexpr int kArms = 50, kSeeds = 20;

const SweepFolder& folder() {
  static const SweepFolder made;
  return made;
}

const fs::path& results() {
  static const fs::path made = folder().results(kArms, kSeeds);
  return made;
}

bool run(const std::string& arguments) {
  const std::string command =
      fmt::format("{}/ablate {} > /dev/null", program_folder().string(), arguments);
  return std::system(command.c_str()) == 0;
}

void count_trials(benchmark::State& state, std::int64_t trials) {
  state.counters["trials/s"] = benchmark::Counter(static_cast<double>(state.iterations() * trials),
                                                  benchmark::Counter::kIsRate);
}

void start_up(benchmark::State& state) {
  for (auto _ : state)
    if (!run("--help")) return state.SkipWithError("ablate --help failed");
}

// The corpus is in the cache after a first plan, as it is for everybody who plans twice.
void plan_10000(benchmark::State& state) {
  const std::string command = "plan " + folder().experiment(kPlanned, kPlanned).string();
  if (!run(command)) return state.SkipWithError("ablate plan failed");
  for (auto _ : state)
    if (!run(command)) return state.SkipWithError("ablate plan failed");
  count_trials(state, kPlanned * kPlanned);
}

void collect_1000(benchmark::State& state) {
  const fs::path into = folder().path() / "collected";
  const std::string command = "collect " + into.string() + ' ' + results().string();
  for (auto _ : state) {
    state.PauseTiming();
    fs::remove_all(into);
    state.ResumeTiming();
    if (!run(command)) return state.SkipWithError("ablate collect failed");
  }
  count_trials(state, kArms * kSeeds);
}

void report_1000(benchmark::State& state) {
  const std::string command = "report " + results().string();
  if (!run(command)) return state.SkipWithError("ablate report failed");
  for (auto _ : state)
    if (!run(command)) return state.SkipWithError("ablate report failed");
  count_trials(state, kArms * kSeeds);
}

/// A text of 20,000 made-up words, a sentence a line and a document every ten, as a corpus.
fs::path text_experiment(const std::string& tokenizer) {
  const fs::path file = folder().path() / ("text-" + tokenizer + ".json");
  Rng rng(1);
  std::string text;
  for (int word = 1; word <= 20000; ++word) {
    for (std::int64_t letters = 2 + rng.below(8); letters > 0; --letters)
      text += static_cast<char>('a' + rng.below(1 + rng.below(26)));
    text += word % 100 == 0 ? "\n\n" : word % 10 == 0 ? "\n" : " ";
  }
  write_file(folder().path() / "words.txt", text);
  Json experiment = {
      {"name", "text"},
      {"question", "How long does a text take?"},
      {"extends", {"ablate:base/small.json"}},
      {"corpus",
       {{"kind", "text"},
        {"paths", {"words.txt"}},
        {"documents", "blank_lines"},
        {"held_out", {{"share", 0.1}}},
        {"tokenizer", {{"kind", tokenizer}}}}},
      {"arms", {{{"name", "clm"}, {"set", {{"objective", {{"type", "causal_lm"}}}}}}}},
      {"baseline", "clm"},
      {"seeds", 1},
      {"probes", {"held_out"}},
      {"analysis", {{"primary", "held_out.loss"}}}};
  if (tokenizer != "bytes") experiment["corpus"]["tokenizer"]["vocabulary"] = 1024;
  write_file(file, experiment.dump(2));
  return file;
}

/// Trains the tokenizer, where it is trained, and tokenises 130 kB; with a start of the program.
void tokenise(benchmark::State& state, const std::string& tokenizer) {
  const std::string command = "plan " + text_experiment(tokenizer).string();
  const fs::path cache = folder().path() / "cache";  // as $ABLATE_CACHE says
  for (auto _ : state) {
    state.PauseTiming();
    fs::remove_all(cache);
    state.ResumeTiming();
    if (!run(command)) return state.SkipWithError("ablate plan failed");
  }
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

/// Time to an answer: a shipped experiment from its file to its report, with one worker and one seed. The
/// counters say where the time went, as `ablate status --time` does. `settings`: further arguments of
/// `ablate run`.
void answer(benchmark::State& state, const std::string& experiment, const std::string& settings) {
  const fs::path file = project_root() / "experiments" / (experiment + ".json");
  const fs::path results = folder().path() / ("answer_to_" + experiment);
  fs::remove_all(results);
  for (auto _ : state) {
    if (!run(fmt::format("run {} --results {} --workers 1 --set seeds=1 {} 2> /dev/null",
                         file.string(), results.string(), settings)))
      return state.SkipWithError("ablate run failed");
    if (!run("report " + results.string())) return state.SkipWithError("ablate report failed");
  }
  add_times(results, state);
}

BENCHMARK_CAPTURE(tokenise, bytes, "bytes")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(tokenise, bpe, "bpe")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(tokenise, unigram, "unigram")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(start_up)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(plan_10000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(collect_1000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(report_1000)->Unit(benchmark::kMillisecond)->UseRealTime();
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
