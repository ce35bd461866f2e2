#include "harness/nightly/measure/calibration.h"

#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <set>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/checksummed.h"
#include "harness/base/sha256.h"
#include "harness/nightly/judge/results.h"
#include "harness/nightly/judge/speed.h"
#include "harness/nightly/measure/machine.h"
#include "harness/nightly/measure/timing.h"
#include "harness/nightly/programs/prepared.h"
#include "harness/nightly/programs/training.h"
#include "harness/statistics/one_sample/summary.h"
#include "harness/statistics/paired/non_inferiority.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

using Say = std::function<void(const std::string& line)>;

Json stored(const fs::path& file) {
  const std::string text = read_file(file);
  try {
    return checked_document(text, file.string());
  } catch (const DamagedFile& error) {
    damaged("{}; remove it, and calibrate anew: ablate gate calibrate", error.what());
  }
}

std::map<std::string, double> usual_of(const Suite& suite, const Programs& programs,
                                       const fs::path& folder, const Json& machine,
                                       std::int64_t pairs, const Say& say) {
  std::map<std::string, std::vector<double>> ratios;
  for (std::int64_t pair = 1; pair <= pairs; ++pair) {
    const fs::path repetitions = folder / fmt::format("pair-{}.jsonl", pair);
    const auto failures = time_in_turns(
        {{"now", programs}, {"baseline", programs}},
        {suite.filter, suite.repetitions, suite.seconds}, repetitions, machine,
        [&](std::int64_t round) {
          say(fmt::format("pair {} of {}: round {} of {}", pair, pairs, round, suite.repetitions));
        });
    for (const auto& [program, words] : failures) fail("{}", words);
    for (auto& [series, by_program] : read_times(repetitions)) {
      const auto &now = by_program["now"].values, &baseline = by_program["baseline"].values;
      if (!now.empty() && !baseline.empty())
        ratios[series].push_back(std::log(median_of(now) / median_of(baseline)));
    }
  }
  std::map<std::string, double> usual;
  for (const auto& [series, of_pairs] : ratios) usual[series] = usual_log_ratio(of_pairs);
  return usual;
}

std::map<std::string, QualityNoise> quality_of(const SuiteExperiment& experiment,
                                               const Programs& programs, const fs::path& folder,
                                               const Say& say) {
  if (experiment.margins.empty()) return {};
  fs::create_directories(folder);
  const fs::path log = folder / (experiment.name + ".log");
  say(fmt::format("{}: training, log {}", experiment.name, log.string()));
  const Trained trained = train(programs, experiment, folder / experiment.name, {}, log);
  if (!trained.failure.empty()) fail("{}: {}", experiment.name, trained.failure);
  return quality_noise(experiment, store::load_records(trained.results));
}

// The series in quarantine: a calibration does not know what a night has beside its own.
std::set<std::string> names_of(const Suite& suite) {
  std::set<std::string> names;
  for (const Quarantine& each : suite.quarantine) names.insert(each.series);
  return names;
}

}  // namespace

std::map<std::string, QualityNoise> quality_noise(const SuiteExperiment& experiment,
                                                  const store::Records& records,
                                                  std::optional<std::int64_t> seeds) {
  std::map<std::string, QualityNoise> noise;
  for (const auto& [series, values] : judged_values(experiment.name, records, experiment.margins)) {
    if (values.size() < 2) continue;  // one seed has no deviation
    QualityNoise& made = noise[series];
    made.deviation = std::numbers::sqrt2 * statistics::deviation(values);
    made.seeds = seeds.value_or(static_cast<std::int64_t>(values.size()));
    made.margin =
        made.seeds < 2 ? INFINITY : statistics::non_inferiority_margin(made.deviation, made.seeds);
  }
  return noise;
}

Json json_of(const Calibration& calibration) {
  Json quality = Json::object();
  for (const auto& [series, noise] : calibration.quality)
    quality[series] = {
        {"deviation", noise.deviation}, {"seeds", noise.seeds}, {"margin", noise.margin}};
  return {{"usual_log_ratio", calibration.usual}, {"quality", quality}};
}

Calibration calibration_from(const Json& document) {
  Calibration calibration = {.usual = document.at("usual_log_ratio")};
  if (!document.contains("quality")) return calibration;  // an earlier version's
  for (const auto& [series, noise] : document.at("quality").items())
    calibration.quality[series] = {noise.at("deviation"), noise.at("seeds"), noise.at("margin")};
  return calibration;
}

Calibration read_calibration(const fs::path& file) {
  if (!fs::exists(file)) return {};
  const Json document = stored(file);
  try {
    return calibration_from(document);
  } catch (const Json::exception& error) {
    damaged("{}: is no calibration ({}); remove it, and calibrate anew", file.string(),
            error.what());
  }
}

std::map<std::string, double> held_margins(const Calibration& calibration) {
  std::map<std::string, double> margins;
  for (const auto& [series, noise] : calibration.quality) margins[series] = noise.margin;
  return margins;
}

fs::path add_noise(const Home& home, const std::map<std::string, QualityNoise>& quality,
                   const std::string& source) {
  const Json machine = describe_machine();
  fs::path file = home.calibration(fingerprint_of(machine));
  Calibration calibration = read_calibration(file);
  Json document = fs::exists(file) ? stored(file) : Json::object();
  for (const auto& [series, noise] : quality) {
    if (!std::isfinite(noise.margin)) continue;
    calibration.quality[series] = noise;
    document["noise_from"][series] = source;
  }
  document.update(json_of(calibration));
  document["machine"] = machine;
  fs::create_directories(file.parent_path());
  write_file(file, checksummed_text(document));
  return file;
}

fs::path calibrate(const Suite& suite, const Home& home, std::int64_t pairs, const Say& say) {
  const Programs programs = running_programs();
  const Json machine = describe_machine();
  const std::string fingerprint = fingerprint_of(machine);
  fs::path file = home.calibration(fingerprint);
  const Prepared prepared = prepare(programs, suite, file.parent_path() / "preparing");
  check_names(suite, prepared, prepared, names_of(suite));
  fs::remove_all(file.parent_path() / "preparing");
  Json asked = {{"suite", json_of(suite)}, {"programs", hashes_of(programs)}};
  for (const auto& [name, plan] : prepared.plans) asked["plans"][name] = plan_hash(plan);
  // What was measured before is of the same programs and the same suite.
  const fs::path folder = file.parent_path() / fingerprint / sha256(canonical(asked)).substr(0, 12);
  fs::create_directories(folder);
  Calibration calibration;
  for (const SuiteExperiment& experiment : suite.experiments)
    calibration.quality.merge(quality_of(experiment, programs, folder / "results", say));
  if (!suite.filter.empty())
    calibration.usual = usual_of(suite, programs, folder, machine, pairs, say);
  if (calibration.usual.empty() && calibration.quality.empty())
    reject(
        "there is nothing to calibrate: the suite times no benchmarks, and no metric with a margin "
        "has two seeds");
  Json document = json_of(calibration);
  document["machine"] = machine;
  document["pairs"] = pairs;
  write_file(file, checksummed_text(document));
  return file;
}

}  // namespace ablate::nightly
