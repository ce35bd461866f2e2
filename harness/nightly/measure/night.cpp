#include "harness/nightly/measure/night.h"

#include <fmt/core.h>

#include "harness/base/clock.h"
#include "harness/base/error.h"
#include "harness/base/number_text.h"
#include "harness/base/stopwatch.h"
#include "harness/nightly/judge/benchmarks.h"
#include "harness/nightly/measure/calibration.h"
#include "harness/nightly/measure/machine.h"
#include "harness/nightly/measure/night_file.h"
#include "harness/nightly/measure/previews.h"
#include "harness/nightly/measure/timing.h"
#include "harness/nightly/measure/training.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

using Say = std::function<void(const std::string& line)>;

// The filter that matches these names alone.
std::string exactly(const std::vector<std::string>& names) {
  std::string filter;
  for (const std::string& name : names) {
    filter += filter.empty() ? "^(" : "|";
    for (const char c : name) {
      if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) filter += '\\';
      filter += c;
    }
  }
  return filter + ")$";
}

class NightRun {
 public:
  NightRun(const Suite& suite, const Home& home, const Pin& pin, const std::string& baseline,
           Say say)
      : suite_(suite), pin_(pin), now_(running_programs()), say_(std::move(say)) {
    const fs::path scratch = home.folder() / "about.log";
    fs::create_directories(home.nights());
    night_.commit = about(now_, scratch).value("commit", "unknown");
    fs::remove(scratch);
    night_.date = today();
    night_.baseline = baseline;
    night_.pin = pin.name;
    night_.machine = describe_machine();
    night_.fingerprint = fingerprint_of(night_.machine);
    night_.folder = folder_of_tonight(home);
    night_.filter = suite.filter;
    night_.quarantine = suite.quarantine;
    night_.calibration = read_calibration(home.calibration(night_.fingerprint));
    fs::create_directories(night_.folder / "logs");
  }

  Night run() {
    say_(fmt::format("night {}: commit {} against '{}' ({}, pinned {})",
                     night_.folder.filename().string(), night_.commit, night_.baseline, pin_.commit,
                     pin_.when.substr(0, 10)));
    const fs::path log = night_.folder / "logs" / "golden.log";
    night_.now_golden = golden_digests(now_, log);
    night_.baseline_golden = golden_digests(pin_.programs(), log);
    for (const SuiteExperiment& experiment : suite_.experiments) run_experiment(experiment);
    if (!suite_.filter.empty()) run_benchmarks();
    night_.finished = utc_now();
    write_night(night_);
    return std::move(night_);
  }

 private:
  // One folder for a date, commit, pin and machine: that of an interrupted night goes on.
  fs::path folder_of_tonight(const Home& home) const {
    const std::string name = night_.date + '-' + night_.commit;
    for (int copy = 1;; ++copy) {
      fs::path folder = home.nights() / (copy == 1 ? name : fmt::format("{}-{:02}", name, copy));
      if (!fs::exists(folder / "night.json")) return folder;
      const Night earlier = read_night(folder);
      if (earlier.pin == night_.pin && earlier.fingerprint == night_.fingerprint) return folder;
    }
  }

  void run_experiment(const SuiteExperiment& experiment) {
    NightExperiment made{.name = experiment.name, .margins = experiment.margins};
    const Trained now = timed(experiment, "now", [&](const fs::path& log) {
      return train(now_, experiment, night_.folder / "results" / experiment.name, log);
    });
    // The trainer is deterministic, so the baseline trains once for a machine and a plan.
    const Trained before = timed(experiment, "baseline", [&](const fs::path& log) {
      return train_once(pin_.programs(), experiment, pin_.folder / "results" / night_.fingerprint,
                        log);
    });
    made.now = now.results;
    made.now_failure = now.failure;
    made.baseline = before.results;
    made.baseline_failure = before.failure;
    const fs::path log = night_.folder / "logs" / (experiment.name + ".previews.log");
    made.now_previews = preview_digests(now_, experiment, log);
    made.baseline_previews = preview_digests(pin_.programs(), experiment, log);
    night_.experiments.push_back(std::move(made));
  }

  Trained timed(const SuiteExperiment& experiment, const std::string& whose,
                const std::function<Trained(const fs::path& log)>& training) {
    Stopwatch watch;
    const fs::path log = night_.folder / "logs" / (experiment.name + '.' + whose + ".log");
    say_(fmt::format("{} ({}): training, log {}", experiment.name, whose, log.string()));
    Trained trained = training(log);
    say_(fmt::format("{} ({}): {}", experiment.name, whose, duration_text(watch.lap())));
    return trained;
  }

  void run_benchmarks() {
    const std::vector<TimedProgram> programs = {{"now", now_}, {"baseline", pin_.programs()}};
    const fs::path file = night_.folder / "bench.jsonl";
    TimingOrder order = {suite_.filter, suite_.repetitions, suite_.seconds};
    night_.time_failures = time(programs, order, file, "benchmarks");
    std::vector<std::string> again;
    const Times times = read_times(file);
    for (const auto& [series, by_program] : times) {
      const Finding finding = judge_series(series, times, night_.calibration.usual);
      if (finding.verdict == Verdict::regression || finding.verdict == Verdict::improvement)
        again.push_back(series);
    }
    if (again.empty()) return;
    order.filter = exactly(again);
    time(programs, order, night_.folder / "confirm.jsonl",
         fmt::format("a second measurement of {}", again.size()));
  }

  std::map<std::string, std::string> time(const std::vector<TimedProgram>& programs,
                                          const TimingOrder& order, const fs::path& file,
                                          const std::string& what) {
    Stopwatch watch;
    double spent = 0;
    std::int64_t rounds = 0;
    return time_in_turns(programs, order, file, night_.machine, [&](std::int64_t round) {
      spent += watch.lap();
      ++rounds;
      const double left =
          spent / static_cast<double>(rounds) * static_cast<double>(order.repetitions - round);
      say_(fmt::format("{}: round {} of {}, {} left", what, round, order.repetitions,
                       duration_text(left)));
    });
  }

  const Suite& suite_;
  const Pin& pin_;
  Programs now_;
  Say say_;
  Night night_;
};

}  // namespace

Night run_night(const Suite& suite, const Home& home, const std::string& baseline, const Say& say) {
  const std::vector<Pin> pins = home.pins(baseline);
  if (pins.empty())
    reject(
        "{}: there is no baseline '{}'; pin the programs that the next nights are compared with: "
        "ablate gate pin {} --reason TEXT --home {}",
        home.folder().string(), baseline, baseline, home.folder().string());
  return NightRun(suite, home, pins.back(), baseline, say).run();
}

}  // namespace ablate::nightly
