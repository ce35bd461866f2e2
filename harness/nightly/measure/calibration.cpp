#include "harness/nightly/measure/calibration.h"

#include <fmt/core.h>

#include <cmath>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/nightly/measure/machine.h"
#include "harness/nightly/measure/timing.h"

namespace ablate::nightly {

namespace fs = std::filesystem;

std::map<std::string, double> read_usual(const fs::path& file) {
  if (!fs::exists(file)) return {};
  try {
    return Json::parse(read_file(file)).at("usual_log_ratio");
  } catch (const Json::exception& error) {
    damaged("{}: is no calibration ({}); remove it, and calibrate anew", file.string(),
            error.what());
  }
}

SpeedRule rule_of(const std::string& series, const std::map<std::string, double>& usual) {
  SpeedRule rule;
  if (const auto found = usual.find(series); found != usual.end()) rule.usual = found->second;
  return rule;
}

fs::path calibrate(const Suite& suite, const Home& home, std::int64_t pairs,
                   const std::function<void(const std::string& line)>& say) {
  if (suite.filter.empty()) reject("the suite times no benchmarks: there is nothing to calibrate");
  const Programs programs = running_programs();
  const Json machine = describe_machine();
  const std::string fingerprint = fingerprint_of(machine);
  fs::path file = home.calibration(fingerprint);
  fs::create_directories(file.parent_path() / fingerprint);
  std::map<std::string, std::vector<double>> ratios;
  for (std::int64_t pair = 1; pair <= pairs; ++pair) {
    const fs::path repetitions =
        file.parent_path() / fingerprint / fmt::format("pair-{}.jsonl", pair);
    const auto failures = time_in_turns(
        {{"now", programs}, {"baseline", programs}},
        {suite.filter, suite.repetitions, suite.seconds}, repetitions, fingerprint,
        [&](std::int64_t round) {
          say(fmt::format("pair {} of {}: round {} of {}", pair, pairs, round, suite.repetitions));
        });
    for (const auto& [program, words] : failures) fail("{}", words);
    for (auto& [series, by_program] : read_times(repetitions))
      if (!by_program["now"].empty() && !by_program["baseline"].empty())
        ratios[series].push_back(
            std::log(median_of(by_program["now"]) / median_of(by_program["baseline"])));
  }
  Json usual = Json::object();
  for (const auto& [series, of_pairs] : ratios) usual[series] = usual_log_ratio(of_pairs);
  const Json document = {{"machine", machine}, {"pairs", pairs}, {"usual_log_ratio", usual}};
  write_file(file, document.dump(2) + '\n');
  return file;
}

}  // namespace ablate::nightly
