#include "harness/nightly/programs/prepared.h"

#include <fmt/core.h>

#include <vector>

#include "harness/base/names.h"
#include "harness/nightly/judge/paired_metric.h"
#include "harness/nightly/programs/previews.h"
#include "harness/nightly/programs/training.h"
#include "harness/plan/file/faults.h"
#include "harness/run/worker/process.h"

namespace ablate::nightly {
namespace {

constexpr std::size_t kLastWords = 400;  // bytes of a program's last words

std::string suggestion_among(const std::string& given, const std::set<std::string>& names) {
  const std::vector<std::string_view> all(names.begin(), names.end());
  if (all.empty()) return "there is none";
  return suggestion(given, all);
}

// The metrics of all arms of a plan, by whether they have a better direction.
struct MetricNames {
  std::set<std::string> judged, others;

  void add(const Prepared& prepared, const std::string& experiment) {
    const auto plan = prepared.plans.find(experiment);
    if (plan == prepared.plans.end()) return;
    for (const auto& [arm, metrics] : store::stored_plan(plan->second).metrics)
      for (const store::StoredMetric& metric : metrics)
        (has_direction(&metric) ? judged : others).insert(metric.name);
  }
};

// The names of the series that a night of these programs has, as far as they are known beforehand.
std::set<std::string> series_of(const Suite& suite, const Prepared& prepared) {
  std::set<std::string> series = prepared.benchmarks;
  for (const auto& [objective, digest] : prepared.golden)
    series.insert("objectives/" + objective + "/golden");
  for (const SuiteExperiment& experiment : suite.experiments) {
    series.insert(experiment.name + "/results");
    const auto plan = prepared.plans.find(experiment.name);
    if (plan == prepared.plans.end()) continue;
    for (const auto& [arm, metrics] : store::stored_plan(plan->second).metrics) {
      const std::string prefix = experiment.name + '/' + arm + '/';
      for (const char* const what : {"plan", "trials", "bits", "preview"})
        series.insert(prefix + what);
      for (const store::StoredMetric& metric : metrics)
        if (experiment.margins.contains(metric.name)) series.insert(prefix + metric.name);
    }
  }
  return series;
}

class Checker {
 public:
  Checker(const Suite& suite, const Prepared& now, const Prepared& baseline)
      : suite_(suite), now_(now), baseline_(baseline) {}

  void check(const std::set<std::string>& last) {
    for (const SuiteExperiment& experiment : suite_.experiments) {
      check_plan(experiment);
      check_metrics(experiment);
    }
    check_filter();
    const std::set<std::string> tonight = series_of(suite_, now_);
    std::set<std::string> known = series_of(suite_, baseline_);
    known.insert(tonight.begin(), tonight.end());
    known.insert(last.begin(), last.end());
    for (const Quarantine& each : suite_.quarantine)
      if (!known.contains(each.series))
        add(each.where, fmt::format("no series is named '{}'", each.series),
            suggestion_among(each.series, known));
    for (const Retired& each : suite_.retired)
      for (const std::string& name : tonight)
        if (each.covers(name)) {
          add(each.where, fmt::format("'{}' is not retired: tonight's programs have it", name),
              "remove it from the suite's experiments or filter, or from \"retired\"");
          break;
        }
    faults_.throw_if_any();
  }

 private:
  void add(Stretch where, const std::string& message, const std::string& hint) {
    faults_.add({suite_.source.get(), where, "", 0}, message, hint);
  }

  // What only one program refuses is for the gate to tell.
  void check_plan(const SuiteExperiment& experiment) {
    const auto refused = now_.refused.find(experiment.name);
    if (refused != now_.refused.end() && baseline_.refused.contains(experiment.name))
      add(experiment.place,
          fmt::format("no program plans '{}': {}", experiment.name, refused->second),
          "ablate plan " + experiment.file.string());
  }

  void check_metrics(const SuiteExperiment& experiment) {
    MetricNames names;
    names.add(now_, experiment.name);
    names.add(baseline_, experiment.name);
    if (names.judged.empty()) return;  // neither program plans it: there will be no data
    for (const auto& [metric, margin] : experiment.margins) {
      if (names.judged.contains(metric)) continue;
      const bool known = names.others.contains(metric);
      add(experiment.places.at(metric),
          known ? fmt::format("'{}' has no better direction, so nothing of it can be worse", metric)
                : fmt::format("no arm of '{}' has a metric '{}'", experiment.name, metric),
          known ? "take a metric of which more or less is better: ablate describe " + metric
                : suggestion_among(metric, names.judged));
    }
  }

  void check_filter() {
    if (suite_.filter.empty() || !now_.no_benchmarks.empty() || !baseline_.no_benchmarks.empty())
      return;
    if (now_.benchmarks.empty() && baseline_.benchmarks.empty())
      add(suite_.filter_place,
          fmt::format("no benchmark matches the regular expression '{}'", suite_.filter),
          "ablate_bench --benchmark_list_tests lists them all");
  }

  const Suite& suite_;
  const Prepared &now_, &baseline_;
  plan::Faults faults_;
};

}  // namespace

Prepared prepare(const Programs& programs, const Suite& suite, const std::filesystem::path& logs) {
  Prepared prepared;
  std::filesystem::create_directories(logs);
  for (const SuiteExperiment& experiment : suite.experiments) {
    const std::filesystem::path log = logs / (experiment.name + ".plan.log");
    if (Json plan = plan_of(programs, experiment, log); plan.is_object())
      prepared.plans[experiment.name] = std::move(plan);
    else
      prepared.refused[experiment.name] =
          fmt::format("'ablate plan' refuses it: {}", run::last_lines(log, kLastWords));
  }
  prepared.golden = golden_digests(programs, logs / "golden.log");
  if (suite.filter.empty()) return prepared;
  try {
    prepared.benchmarks = benchmarks_of(programs, suite.filter, logs / "benchmarks.log");
  } catch (const std::runtime_error& error) {
    prepared.no_benchmarks = error.what();
  }
  return prepared;
}

void check_names(const Suite& suite, const Prepared& now, const Prepared& baseline,
                 const std::set<std::string>& last) {
  Checker(suite, now, baseline).check(last);
}

}  // namespace ablate::nightly
