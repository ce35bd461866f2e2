#include "harness/plan/price/time/timed_kind.h"

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"

namespace ablate::plan {
namespace {

constexpr std::size_t kMaxRuns = 5;

/// Zero where there are none.
double median_of_runs(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double quantity(const Json& json, const char* name) {
  const double value = json.at(name).get<double>();
  if (!std::isfinite(value) || value < 0)
    fail("speeds: {} is not a finite number of at least 0", name);
  return value;
}

double positive(const Json& json, const char* name) {
  const double value = quantity(json, name);
  if (value == 0) fail("speeds: {} is 0", name);
  return value;
}

Json json_of_run(const TimedRun& run) {
  return {{"flops", run.flops},
          {"training_seconds", run.training},
          {"beside_seconds", run.overhead},
          {"trials", run.trials},
          {"assumed_beside_seconds", run.assumed_overhead}};
}

TimedRun run_from_json(const Json& json) {
  return {.flops = quantity(json, "flops"),
          .training = positive(json, "training_seconds"),
          .overhead = quantity(json, "beside_seconds"),
          .trials = positive(json, "trials"),
          .assumed_overhead = positive(json, "assumed_beside_seconds"),
          .date = json.value("date", ""),
          .load = json.contains("load") ? quantity(json, "load") : 0};
}

}  // namespace

bool TimedKind::knows_speed() const {
  return std::any_of(runs.begin(), runs.end(), [](const TimedRun& run) { return run.flops > 0; });
}

double TimedKind::seconds_per_flop() const {
  std::vector<double> values;
  for (const TimedRun& run : runs)
    if (run.flops > 0) values.push_back(run.training / run.flops);
  return median_of_runs(std::move(values));
}

double TimedKind::overhead_factor() const {
  std::vector<double> values;
  for (const TimedRun& run : runs) values.push_back(run.overhead / run.assumed_overhead);
  return median_of_runs(std::move(values));
}

TimedRun TimedKind::typical() const {
  TimedRun all;
  std::vector<double> loads;
  for (const TimedRun& run : runs) {
    all.flops += run.flops;
    all.training += run.training;
    all.trials += run.trials;
    all.assumed_overhead += run.assumed_overhead;
    all.date = std::max(all.date, run.date);
    if (run.load > 0) loads.push_back(run.load);
  }
  if (knows_speed()) all.training = all.flops * seconds_per_flop();
  all.overhead = all.assumed_overhead * overhead_factor();
  all.load = median_of_runs(std::move(loads));
  return all;
}

void TimedKind::add(const TimedRun& run) {
  runs.push_back(run);
  if (!run.date.empty())
    std::erase_if(runs, [](const TimedRun& each) { return each.date.empty(); });
  if (runs.size() > kMaxRuns)
    runs.erase(runs.begin(), runs.end() - static_cast<std::ptrdiff_t>(kMaxRuns));
}

Json to_json(const TimedKind& kind) {
  Json json = json_of_run(kind.typical());
  json.update({{"size", kind.size},
               {"step", kind.step},
               {"probes", kind.probes},
               {"device", kind.device},
               {"turn", kind.order}});
  for (const TimedRun& run : kind.runs) {
    json["runs"].push_back(json_of_run(run));
    if (run.date.empty()) continue;
    json["runs"].back()["date"] = run.date;
    json["runs"].back()["load"] = run.load;
  }
  return json;
}

TimedKind timed_kind_from_json(const Json& json) {
  TimedKind kind{.size = positive(json, "size"),
                 .step = json.at("step").get<std::string>(),
                 .probes = json.at("probes").get<std::string>(),
                 .device = json.at("device").get<std::string>(),
                 .order = quantity(json, "turn"),
                 .runs = {}};
  const Json runs = json.value("runs", Json::array({json}));
  for (const Json& run : runs) kind.runs.push_back(run_from_json(run));
  if (kind.runs.empty()) fail("speeds: a kind has no runs");
  return kind;
}

}  // namespace ablate::plan
