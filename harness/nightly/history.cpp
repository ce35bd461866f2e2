#include "harness/nightly/history.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "harness/nightly/judge/speed.h"
#include "harness/nightly/measure/night_file.h"
#include "harness/statistics/change_points.h"
#include "harness/statistics/e_divisive.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

constexpr double kLeastStep = 0.05;  // of a benchmark, relative

// Speed is looked at in logarithms: a step is a factor.
double scaled(Kind kind, double value) { return kind == Kind::speed ? std::log(value) : value; }
double unscaled(Kind kind, double value) { return kind == Kind::speed ? std::exp(value) : value; }

bool matters(const SeriesHistory& history, const Step& step) {
  if (history.kind == Kind::speed) return std::abs(step.ratio() - 1) >= kLeastStep;
  return step.after != step.before && std::abs(step.after - step.before) >= history.margin;
}

// Without noise, as where nights have the same bits, a level costs as much as a change that matters.
double penalty_of(const SeriesHistory& history, const std::vector<double>& values) {
  return std::max(statistics::usual_penalty(values), history.margin);
}

void find_steps(SeriesHistory& history, StepMethod method) {
  std::vector<double> values;
  for (const NightValue& each : history.values) values.push_back(scaled(history.kind, each.centre));
  const std::vector<statistics::Level> levels =
      method == StepMethod::potts ? statistics::levels_of(values, penalty_of(history, values))
                                  : statistics::e_divisive(values);
  for (std::size_t i = 1; i < levels.size(); ++i) {
    const Step step = {
        history.values[levels[i].first - 1].night, history.values[levels[i].first].night,
        unscaled(history.kind, levels[i - 1].median), unscaled(history.kind, levels[i].median)};
    if (matters(history, step)) history.steps.push_back(step);
  }
}

void find_changes(ExactHistory& history) {
  std::string last;
  for (std::size_t i = 0; i < history.nights.size(); ++i) {
    const std::string& digest = history.nights[i].digest;
    if (digest.empty()) continue;
    if (!last.empty() && digest != last) history.changes.push_back(i);
    last = digest;
  }
}

class HistoryReader {
 public:
  void add_night(const fs::path& folder) {
    const Night night = read_night(folder);
    history_.nights.push_back({.name = folder.filename().string(),
                               .date = night.identity.date,
                               .commit = night.commit,
                               .baseline = night.identity.baseline,
                               .pin = night.identity.pin,
                               .fingerprint = night.identity.fingerprint,
                               .verdict = "not judged",
                               .counts = {},
                               .quarantine = night.quarantine,
                               .programs = night.identity.programs,
                               .suite = night.identity.suite});
    add_times(night);
    const fs::path verdict = folder / "gate.json";
    if (fs::exists(verdict)) add_verdicts(read_verdict(verdict));
  }

  void add_pins(const Home& home) {
    for (const std::string& baseline : home.baselines())
      for (Pin& pin : home.pins(baseline)) {
        const std::string name = pin.name;
        history_.pins.emplace(std::pair{baseline, name}, std::move(pin));
      }
  }

  History read(StepMethod method) {
    for (auto& [key, series] : by_series_) {
      find_steps(series, method);
      history_.series.push_back(std::move(series));
    }
    for (auto& [key, series] : exact_) {
      find_changes(series);
      history_.exact.push_back(std::move(series));
    }
    for (auto& [key, run] : runs_) {
      std::tie(run.flakiness.series, run.flakiness.fingerprint) = key;
      if (run.flakiness.is_flaky()) history_.flaky.push_back(std::move(run.flakiness));
    }
    std::stable_sort(history_.flaky.begin(), history_.flaky.end(),
                     [](const Flakiness& a, const Flakiness& b) {
                       return std::tie(a.unchanged, a.gone, a.unconfirmed) >
                              std::tie(b.unchanged, b.gone, b.unconfirmed);
                     });
    return std::move(history_);
  }

 private:
  using Key = std::pair<std::string, std::string>;  // a series, and the machine's fingerprint

  // The verdicts on a series, night after night.
  struct VerdictRun {
    Flakiness flakiness;
    bool alarm = false;     // in the last night that has it
    std::size_t night = 0;  // that night's place
  };

  std::size_t place() const { return history_.nights.size() - 1; }
  const std::string& machine() const { return history_.nights.back().fingerprint; }

  void add_times(const Night& night) {
    for (const auto& [name, by_program] : times_of(night, "bench.jsonl")) {
      const auto now = by_program.find("now");
      if (now == by_program.end() || !all_positive(now->second.values)) continue;
      const std::vector<double>& seconds = now->second.values;
      SeriesHistory& series = by_series_[{name, machine()}];
      series.series = name;
      series.fingerprint = machine();
      series.values.push_back(
          {place(), quantile_of(seconds, 0.25), median_of(seconds), quantile_of(seconds, 0.75)});
    }
  }

  void add_verdicts(const StoredVerdict& judged) {
    NightLine& line = history_.nights.back();
    line.verdict = judged.verdict;
    line.counts = judged.counts;
    for (const StoredFinding& finding : judged.findings) {
      if (finding.kind == name_of(Kind::quality)) add_metric(finding);
      if (finding.kind == name_of(Kind::exact)) add_exact(finding);
      add_alarm(finding);
    }
  }

  void add_alarm(const StoredFinding& finding) {
    VerdictRun& run = runs_[{finding.series, machine()}];
    Flakiness& flakiness = run.flakiness;
    if (flakiness.nights > 0 && run.night == place()) return;  // the most urgent comes first
    const bool passes =
        finding.verdict == name_of(Verdict::pass) || finding.verdict == name_of(Verdict::changed);
    ++flakiness.nights;
    flakiness.alarms += !passes;
    flakiness.unconfirmed += passes && finding.numbers.confirmation;
    if (run.alarm && passes) {
      const NightLine &before = history_.nights[run.night], &now = history_.nights.back();
      const bool same_pin = before.baseline == now.baseline && before.pin == now.pin;
      flakiness.gone += same_pin;
      flakiness.unchanged +=
          same_pin && before.programs == now.programs && before.suite == now.suite;
    }
    run.alarm = !passes;
    run.night = place();
  }

  // Records of earlier versions have no values of metrics, and those without data have none.
  void add_metric(const StoredFinding& finding) {
    const StoredNumbers& numbers = finding.numbers;
    if (!numbers.now) return;
    SeriesHistory& series = by_series_[{finding.series, machine()}];
    series.series = finding.series;
    series.fingerprint = machine();
    series.kind = Kind::quality;
    series.unit = numbers.unit;
    series.better = numbers.better == name_of(Better::higher) ? Better::higher : Better::lower;
    series.margin = numbers.margin.value_or(series.margin);
    NightValue value = {place(), *numbers.now, *numbers.now, *numbers.now};
    value.baseline = numbers.baseline;
    if (series.values.empty() || series.values.back().night != place())
      series.values.push_back(value);
  }

  void add_exact(const StoredFinding& finding) {
    ExactHistory& series = exact_[{finding.series, machine()}];
    series.series = finding.series;
    series.fingerprint = machine();
    if (!series.nights.empty() && series.nights.back().night == place()) return;
    series.nights.push_back({place(), finding.verdict, finding.numbers.digest});
  }

  History history_;
  std::map<Key, SeriesHistory> by_series_;
  std::map<Key, ExactHistory> exact_;
  std::map<Key, VerdictRun> runs_;
};

}  // namespace

History read_history(const Home& home, StepMethod method, std::size_t nights) {
  std::vector<fs::path> folders = home.all_nights();
  if (folders.size() > nights)
    folders.erase(folders.begin(), folders.end() - static_cast<std::ptrdiff_t>(nights));
  HistoryReader reader;
  for (const fs::path& folder : folders) reader.add_night(folder);
  reader.add_pins(home);
  return reader.read(method);
}

}  // namespace ablate::nightly
