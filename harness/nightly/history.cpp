#include "harness/nightly/history.h"

#include <algorithm>
#include <cmath>

#include "harness/base/files.h"
#include "harness/nightly/judge/speed.h"
#include "harness/nightly/measure/night_file.h"
#include "harness/nightly/measure/timing.h"
#include "harness/statistics/change_points.h"
#include "harness/statistics/e_divisive.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

constexpr double kLeastStep = 0.05;  // relative

NightLine line_of(const fs::path& folder) {
  const Night night = read_night(folder);
  NightLine line = {.name = folder.filename().string(),
                    .date = night.date,
                    .commit = night.commit,
                    .pin = night.pin,
                    .fingerprint = night.fingerprint,
                    .verdict = "not judged"};
  if (!fs::exists(folder / "gate.json")) return line;
  const Json judged = Json::parse(read_file(folder / "gate.json"), nullptr, false);
  if (!judged.is_object()) return line;
  line.verdict = judged.value("verdict", line.verdict);
  line.counts = judged.value("counts", std::map<std::string, int>());
  return line;
}

void find_steps(SeriesHistory& history, StepMethod method) {
  std::vector<double> logs;
  for (const NightTime& time : history.times) logs.push_back(std::log(time.median));
  const std::vector<statistics::Level> levels =
      method == StepMethod::potts ? statistics::levels_of(logs, statistics::usual_penalty(logs))
                                  : statistics::e_divisive(logs);
  for (std::size_t i = 1; i < levels.size(); ++i) {
    const Step step = {history.times[levels[i].first - 1].night,
                       history.times[levels[i].first].night, std::exp(levels[i - 1].median),
                       std::exp(levels[i].median)};
    if (std::abs(step.ratio() - 1) >= kLeastStep) history.steps.push_back(step);
  }
}

}  // namespace

History read_history(const Home& home, StepMethod method, std::size_t nights) {
  std::vector<fs::path> folders = home.all_nights();
  if (folders.size() > nights)
    folders.erase(folders.begin(), folders.end() - static_cast<std::ptrdiff_t>(nights));
  History history;
  std::map<std::pair<std::string, std::string>, SeriesHistory> by_series;
  for (const fs::path& folder : folders) {
    history.nights.push_back(line_of(folder));
    const std::string& machine = history.nights.back().fingerprint;
    for (const auto& [series, by_program] : read_times(folder / "bench.jsonl")) {
      const auto now = by_program.find("now");
      if (now == by_program.end() || !all_positive(now->second.values)) continue;
      SeriesHistory& of = by_series[{series, machine}];
      of.series = series;
      of.fingerprint = machine;
      of.times.push_back({history.nights.size() - 1, quantile_of(now->second.values, 0.25),
                          median_of(now->second.values), quantile_of(now->second.values, 0.75)});
    }
  }
  for (auto& [key, series] : by_series) {
    find_steps(series, method);
    history.series.push_back(std::move(series));
  }
  return history;
}

}  // namespace ablate::nightly
