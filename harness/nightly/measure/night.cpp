#include "harness/nightly/measure/night.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/number_text.h"
#include "harness/base/posix/unsynced_file.h"
#include "harness/base/sha256.h"
#include "harness/base/time/clock.h"
#include "harness/base/time/stopwatch.h"
#include "harness/nightly/judge/benchmarks.h"
#include "harness/nightly/measure/calibration.h"
#include "harness/nightly/measure/machine.h"
#include "harness/nightly/measure/night_file.h"
#include "harness/nightly/measure/timing.h"
#include "harness/nightly/programs/prepared.h"
#include "harness/nightly/programs/previews.h"
#include "harness/nightly/programs/training.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

using Say = std::function<void(const std::string& line)>;

// Copies plans and journals: what results are judged by. The weights stay where they are.
void copy_records(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file() || (name != "plan.json" && name != "journal.jsonl")) continue;
    const fs::path copy = to / fs::relative(entry.path(), from);
    fs::create_directories(copy.parent_path());
    copy_unsynced(entry.path(), copy);
  }
}

class Runner {
 public:
  Runner(const Suite& suite, const Home& home, const Pin& pin, const NightSettings& settings,
         Say say)
      : suite_(suite),
        home_(home),
        pin_(pin),
        settings_(settings),
        now_(running_programs()),
        say_(std::move(say)) {}

  NightRun run(const LastNight& last) {
    const fs::path scratch = home_.folder() / "preparing";
    fs::remove_all(scratch);
    fs::create_directories(scratch);
    prepare_night(scratch, last);
    fs::remove_all(scratch);
    night_.folder = folder_of_tonight();
    if (fs::exists(night_.folder / "night.json")) {
      Night finished = read_night(night_.folder);
      if (is_complete(finished)) return {std::move(finished), false};
      fs::remove(night_.folder / "night.json");  // its records are about to change
      if (!finished.time_failures.empty())       // rounds of one program alone are no comparison
        for (const char* const times : {"bench.jsonl", "confirm.jsonl"})
          fs::remove(night_.folder / times);
    }
    fs::create_directories(night_.folder / "logs");
    write_started(night_.identity, night_.folder);
    run_all();
    return {std::move(night_), true};
  }

 private:
  // All that is known of the night before anything is trained or timed.
  void prepare_night(const fs::path& scratch, const LastNight& last) {
    const Json info = about(now_, scratch / "about.log");
    prepared_now_ = prepare(now_, suite_, scratch / "now");
    prepared_baseline_ = prepare(pin_.programs(), suite_, scratch / "baseline");
    std::set<std::string> had;
    for (const auto& [series, kind] : last.series) had.insert(series);
    check_names(suite_, prepared_now_, prepared_baseline_, had);
    Json plans = Json::object();
    for (const auto& [name, plan] : prepared_now_.plans) plans[name] = plan_hash(plan);
    for (const auto& [name, words] : prepared_now_.refused) plans[name] = nullptr;
    night_.identity.date = today();
    night_.commit = info.value("commit", "unknown");
    night_.identity.baseline = settings_.baseline;
    night_.identity.pin = pin_.name;
    night_.machine = describe_machine();
    night_.identity.fingerprint = fingerprint_of(night_.machine);
    night_.identity.programs = hashes_of(now_);
    night_.identity.suite =
        sha256(canonical({{"suite", json_of(suite_)}, {"plans", plans}, {"worker", info}}));
    night_.filter = suite_.filter;
    night_.repetitions = suite_.repetitions;
    night_.now_benchmarks = prepared_now_.benchmarks;
    night_.baseline_benchmarks = prepared_baseline_.benchmarks;
    night_.now_golden = prepared_now_.golden;
    night_.baseline_golden = prepared_baseline_.golden;
    night_.quarantine = suite_.quarantine;
    night_.retired = suite_.retired;
    night_.last = last;
    night_.calibration = read_calibration(home_.calibration(night_.identity.fingerprint));
    libraries_ = sha256(canonical(about(pin_.programs(), scratch / "baseline.log"))).substr(0, 12);
  }

  // One folder for an identity: that of an interrupted night goes on, that of a finished one says what
  // was found.
  fs::path folder_of_tonight() const {
    const std::string name = night_.identity.date + '-' + night_.commit;
    for (int copy = 1;; ++copy) {
      fs::path folder = home_.nights() / (copy == 1 ? name : fmt::format("{}-{:02}", name, copy));
      if (!fs::exists(folder)) return folder;
      if (read_started(folder) == night_.identity) return folder;
    }
  }

  void run_all() {
    say_(fmt::format("night {}: commit {} against '{}' ({}, pinned {})",
                     night_.folder.filename().string(), night_.commit, night_.identity.baseline,
                     pin_.commit, pin_.when.substr(0, 10)));
    for (const SuiteExperiment& experiment : suite_.experiments) run_experiment(experiment);
    run_benchmarks();
    night_.finished = utc_now();
    write_night(night_);
  }

  void run_experiment(const SuiteExperiment& experiment) {
    NightExperiment made{.name = experiment.name,
                         .now = night_.folder / "results" / experiment.name,
                         .baseline = night_.folder / "baseline" / experiment.name,
                         .margins = experiment.margins};
    made.now_failure = trained(experiment, prepared_now_, "now", [&](const fs::path& log) {
      return train(now_, experiment, made.now, {settings_.workers}, log);
    });
    // The trainer is deterministic, so the baseline trains once for a machine, a plan and the libraries
    // that its worker finds. What failed is tried again: a machine's fault can be mended.
    made.baseline_failure =
        trained(experiment, prepared_baseline_, "baseline", [&](const fs::path& log) {
          const std::string plan = plan_hash(prepared_baseline_.plans.at(experiment.name));
          const fs::path kept = pin_.folder / "results" /
                                (night_.identity.fingerprint + '-' + libraries_) /
                                (experiment.name + '-' + plan.substr(0, 12));
          Trained trained =
              train(pin_.programs(), experiment, kept, {settings_.workers, true}, log);
          if (trained.failure.empty()) copy_records(kept, made.baseline);
          made.baseline_some_failed = trained.some_failed;
          return trained;
        });
    const fs::path log = night_.folder / "logs" / (experiment.name + ".previews.log");
    const auto previews = [&](const Programs& programs, const Prepared& prepared) {
      const auto plan = prepared.plans.find(experiment.name);
      return plan == prepared.plans.end()
                 ? std::map<std::string, std::string>()
                 : preview_digests(programs, experiment, plan->second, log);
    };
    made.now_previews = previews(now_, prepared_now_);
    made.baseline_previews = previews(pin_.programs(), prepared_baseline_);
    night_.experiments.push_back(std::move(made));
  }

  // Trains, unless the program refuses the experiment; why there are no results, or nothing.
  std::string trained(const SuiteExperiment& experiment, const Prepared& prepared,
                      const std::string& whose,
                      const std::function<Trained(const fs::path& log)>& training) {
    const auto refused = prepared.refused.find(experiment.name);
    if (refused != prepared.refused.end()) return refused->second;
    Stopwatch watch;
    const fs::path log = night_.folder / "logs" / (experiment.name + '.' + whose + ".log");
    say_(fmt::format("{} ({}): training, log {}", experiment.name, whose, log.string()));
    std::string failure = training(log).failure;
    say_(fmt::format("{} ({}): {}", experiment.name, whose, duration_text(watch.lap())));
    return failure;
  }

  void run_benchmarks() {
    std::vector<TimedProgram> programs;
    const auto add = [&](const char* name, const Programs& from, const Prepared& prepared) {
      if (!prepared.no_benchmarks.empty()) night_.time_failures[name] = prepared.no_benchmarks;
      if (!prepared.benchmarks.empty()) programs.push_back({name, from});
    };
    add("now", now_, prepared_now_);
    add("baseline", pin_.programs(), prepared_baseline_);
    if (programs.empty()) return;
    const fs::path file = night_.folder / "bench.jsonl";
    TimingOrder order = {suite_.filter, suite_.repetitions, suite_.seconds};
    night_.time_failures.merge(time(programs, order, file, "benchmarks"));
    std::vector<std::string> again;
    const Times times = read_times(file);
    for (const auto& [series, by_program] : times) {
      const Finding finding = judge_series(series, times, night_.calibration.usual);
      if (finding.verdict == Verdict::regression || finding.verdict == Verdict::improvement)
        again.push_back(series);
    }
    if (again.empty()) return;
    order.filter = filter_of(again);
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
  const Home& home_;
  const Pin& pin_;
  const NightSettings& settings_;
  Programs now_;
  Say say_;
  Prepared prepared_now_, prepared_baseline_;
  std::string libraries_;  // a hash of what the baseline's worker runs with
  Night night_;
};

}  // namespace

bool is_complete(const Night& night) {
  return !night.time_failures.contains("baseline") &&
         std::none_of(night.experiments.begin(), night.experiments.end(),
                      [](const NightExperiment& each) {
                        return each.baseline_some_failed || !each.baseline_failure.empty();
                      });
}

NightRun run_night(const Suite& suite, const Home& home, const NightSettings& settings,
                   const LastNight& last, const Say& say) {
  const Pin pin = home.latest_pin(settings.baseline);
  pin.verify();
  return Runner(suite, home, pin, settings, say).run(last);
}

}  // namespace ablate::nightly
