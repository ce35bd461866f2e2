// Records: what a worker appends while it trains, what reading them back costs, and the index.
//
//   journal/append/now          an event that is on the disk on return
//   journal/append/with_next    a point of a curve, which is there with the next such event
//   journal/read                a journal of 1,000 events, every checksum verified
//   index/rebuild_100           the SQLite index of 100 trials, made anew
//   index/load_100              their records for a report, from an index that is up to date

#include <benchmark/benchmark.h>

#include "harness/store/index/index.h"
#include "harness/store/index/records.h"
#include "tests/bench/sweep_folder.h"

namespace ablate::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kEvents = 1000;

/// On the disk that results are usually on, which /dev/shm is not.
const TemporaryFolder& journals_folder() {
  static const TemporaryFolder made{fs::temp_directory_path()};
  return made;
}

Json curve_point(std::int64_t step) {
  return {{"step", step},          {"text_tokens", 2048 * step}, {"loss", 2.5},   {"seconds", 0.1},
          {"learning_rate", 1e-3}, {"gradient_norm", 0.7},       {"spike", false}};
}

/// A new journal of a trial.
store::Journal new_journal(const std::string& trial) {
  const fs::path file = store::journal_file(journals_folder().path(), trial);
  fs::remove_all(file.parent_path());
  fs::create_directories(file.parent_path());
  return store::Journal(file);
}

void append_event(benchmark::State& state, Durable durable) {
  store::Journal out = new_journal("append");
  out.write("attempt", {{"trial", "append"}});
  std::int64_t step = 0;
  for (auto _ : state) out.write("curve", curve_point(++step), durable);
}

void read_events(benchmark::State& state) {
  {
    store::Journal out = new_journal("read");
    out.write("attempt", {{"trial", "read"}});
    for (int step = 1; step < kEvents; ++step)
      out.write("curve", curve_point(step), Durable::with_next);
  }
  const fs::path file = store::journal_file(journals_folder().path(), "read");
  for (auto _ : state) benchmark::DoNotOptimize(store::Journal(file).events().size());
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(state.iterations() * kEvents),
                                                  benchmark::Counter::kIsRate);
}

const fs::path& indexed_results() {
  static const SweepFolder sweep;
  static const fs::path made = sweep.results(10, 10);
  return made;
}

void rebuild_of_100(benchmark::State& state) {
  for (auto _ : state) store::rebuild_index(indexed_results());
}

void load_of_100(benchmark::State& state) {
  benchmark::DoNotOptimize(store::load_records(indexed_results()));
  for (auto _ : state)
    benchmark::DoNotOptimize(store::load_records(indexed_results()).trials.size());
}

BENCHMARK_CAPTURE(append_event, now, Durable::now)->Name("journal/append/now")->UseRealTime();
BENCHMARK_CAPTURE(append_event, with_next, Durable::with_next)->Name("journal/append/with_next");
BENCHMARK(read_events)->Name("journal/read")->Unit(benchmark::kMillisecond);
BENCHMARK(rebuild_of_100)->Name("index/rebuild_100")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(load_of_100)->Name("index/load_100")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace ablate::bench
