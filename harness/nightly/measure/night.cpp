#include "harness/nightly/measure/night.h"

#include <fmt/core.h>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/number_text.h"
#include "harness/base/sha256.h"
#include "harness/base/stopwatch.h"
#include "harness/nightly/judge/speed.h"
#include "harness/nightly/measure/calibration.h"
#include "harness/nightly/measure/machine.h"
#include "harness/nightly/measure/night_file.h"
#include "harness/nightly/measure/timing.h"
#include "harness/run/worker/process.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

using Say = std::function<void(const std::string& line)>;

constexpr std::size_t kWords = 400;  // bytes of a program's last words

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
    night_.time_failures = Json::object();
    night_.quarantine = suite.quarantine;
    night_.usual = read_usual(home.calibration(night_.fingerprint));
    fs::create_directories(night_.folder / "logs");
  }

  Night run() {
    say_(fmt::format("night {}: commit {} against '{}' ({}, pinned {})",
                     night_.folder.filename().string(), night_.commit, night_.baseline, pin_.commit,
                     pin_.when.substr(0, 10)));
    for (const SuiteExperiment& experiment : suite_.experiments) run_experiment(experiment);
    if (!suite_.filter.empty()) run_benchmarks();
    write_night(night_);
    return std::move(night_);
  }

 private:
  // One folder for a date, commit, pin and machine: that of an interrupted night goes on.
  fs::path folder_of_tonight(const Home& home) const {
    const std::string name = night_.date + '-' + night_.commit;
    for (int copy = 1;; ++copy) {
      fs::path folder = home.nights() / (copy == 1 ? name : fmt::format("{}-{}", name, copy));
      if (!fs::exists(folder / "night.json")) return folder;
      const Night earlier = read_night(folder);
      if (earlier.pin == night_.pin && earlier.fingerprint == night_.fingerprint) return folder;
    }
  }

  std::string log_of(const std::string& name) const {
    return (night_.folder / "logs" / (name + ".log")).string();
  }

  void run_experiment(const SuiteExperiment& experiment) {
    NightExperiment made{.name = experiment.name, .margins = experiment.margins};
    made.now = night_.folder / "results" / experiment.name;
    made.now_failure = train(now_, experiment, made.now, "now");
    made.baseline_failure = train_baseline(experiment, made);
    night_.experiments.push_back(std::move(made));
  }

  // Deterministic, so once for a machine and a plan.
  std::string train_baseline(const SuiteExperiment& experiment, NightExperiment& made) {
    const Programs programs = pin_.programs();
    std::string text;
    std::vector<std::string> command = {programs.path_of("ablate"), "plan",
                                        experiment.file.string(), "--json"};
    command.insert(command.end(), experiment.flags.begin(), experiment.flags.end());
    const std::string log = log_of(experiment.name + ".baseline.plan");
    const int status =
        run_program(command, log, [&](const std::string& line) { text += line + '\n'; });
    const Json plan = Json::parse(text, nullptr, false);
    if (status != 0 || !plan.is_object() || !plan.contains("trials"))
      return fmt::format("the baseline's program refuses it: {}", run::last_lines(log, kWords));
    std::string ids;
    for (const Json& trial : plan.at("trials")) ids += trial.at("id").get<std::string>() + '\n';
    made.baseline = pin_.folder / "results" / night_.fingerprint /
                    (experiment.name + '-' + sha256(ids).substr(0, 12));
    return train(programs, experiment, made.baseline, "baseline");
  }

  // Why there are no results; empty where there are.
  std::string train(const Programs& programs, const SuiteExperiment& experiment,
                    const fs::path& results, const std::string& whose) {
    Stopwatch watch;
    fs::create_directories(results.parent_path());
    std::vector<std::string> command = {programs.path_of("ablate"),
                                        "run",
                                        experiment.file.string(),
                                        "--results",
                                        results.string(),
                                        "--progress",
                                        "plain"};
    command.insert(command.end(), experiment.flags.begin(), experiment.flags.end());
    const std::string log = log_of(experiment.name + '.' + whose);
    say_(fmt::format("{} ({}): training, log {}", experiment.name, whose, log));
    const int status = run_program(command, log);
    say_(fmt::format("{} ({}): {}", experiment.name, whose, duration_text(watch.lap())));
    if (status == exit_ok || status == exit_some_failed) return {};
    return fmt::format("'ablate run' ended with status {}: {}", status,
                       run::last_lines(log, kWords));
  }

  void run_benchmarks() {
    const std::vector<TimedProgram> programs = {{"now", now_}, {"baseline", pin_.programs()}};
    const fs::path file = night_.folder / "bench.jsonl";
    TimingOrder order = {suite_.filter, suite_.repetitions, suite_.seconds};
    night_.time_failures = time(programs, order, file, "benchmarks");
    std::vector<std::string> again;
    for (auto& [series, by_program] : read_times(file)) {
      const Finding finding = judge_speed(series, by_program["baseline"], by_program["now"],
                                          rule_of(series, night_.usual));
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
    return time_in_turns(programs, order, file, night_.fingerprint, [&](std::int64_t round) {
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
