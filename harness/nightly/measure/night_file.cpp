// night.json: written and read.

#include "harness/nightly/measure/night_file.h"
#include "harness/base/error.h"
#include "harness/base/files.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

using Digests = std::map<std::string, std::string>;

Json json_of(const NightExperiment& experiment, const fs::path& home) {
  Json margins = Json::object();
  for (const auto& [metric, margin] : experiment.margins)
    margins[metric] = margin ? Json(*margin) : Json();
  return {{"name", experiment.name},
          {"now", fs::relative(experiment.now, home).string()},
          {"baseline", fs::relative(experiment.baseline, home).string()},
          {"now_failure", experiment.now_failure},
          {"baseline_failure", experiment.baseline_failure},
          {"margins", margins},
          {"now_previews", experiment.now_previews},
          {"baseline_previews", experiment.baseline_previews}};
}

std::map<std::string, std::optional<double>> margins_in(const Json& given) {
  std::map<std::string, std::optional<double>> margins;
  for (const auto& [metric, margin] : given.items())
    margins[metric] = margin.is_null() ? std::nullopt : std::optional<double>(margin);
  return margins;
}

}  // namespace

void write_night(const Night& night) {
  const fs::path home = night.folder.parent_path().parent_path();
  Json experiments = Json::array(), quarantine = Json::array();
  for (const NightExperiment& each : night.experiments) experiments.push_back(json_of(each, home));
  for (const Quarantine& each : night.quarantine)
    quarantine.push_back({{"series", each.series},
                          {"owner", each.owner},
                          {"reason", each.reason},
                          {"until", each.until}});
  const Json document = {{"date", night.date},
                         {"finished", night.finished},
                         {"commit", night.commit},
                         {"baseline", night.baseline},
                         {"pin", night.pin},
                         {"fingerprint", night.fingerprint},
                         {"machine", night.machine},
                         {"experiments", experiments},
                         {"now_golden", night.now_golden},
                         {"baseline_golden", night.baseline_golden},
                         {"filter", night.filter},
                         {"time_failures", night.time_failures},
                         {"calibration", json_of(night.calibration)},
                         {"quarantine", quarantine}};
  write_file(night.folder / "night.json", document.dump(2) + '\n');
}

Night read_night(const fs::path& folder) {
  const fs::path file = folder / "night.json", home = folder.parent_path().parent_path();
  const Json document = Json::parse(read_file(file), nullptr, false);
  Night night;
  try {
    night = {.folder = folder,
             .date = document.at("date"),
             .commit = document.at("commit"),
             .baseline = document.at("baseline"),
             .pin = document.at("pin"),
             .fingerprint = document.at("fingerprint"),
             .finished = document.value("finished", ""),
             .machine = document.at("machine"),
             .filter = document.at("filter"),
             .time_failures = document.at("time_failures"),
             .calibration = document.contains("usual")  // an earlier version's
                                ? Calibration{.usual = document.at("usual")}
                                : calibration_from(document.at("calibration")),
             .now_golden = document.value("now_golden", Digests()),
             .baseline_golden = document.value("baseline_golden", Digests())};
    for (const Json& each : document.at("experiments"))
      night.experiments.push_back(
          {.name = each.at("name"),
           .now = home / each.at("now").get<std::string>(),
           .baseline = home / each.at("baseline").get<std::string>(),
           .now_failure = each.at("now_failure"),
           .baseline_failure = each.at("baseline_failure"),
           .margins = margins_in(each.at("margins")),
           .now_previews = each.value("now_previews", Digests()),
           .baseline_previews = each.value("baseline_previews", Digests())});
    for (const Json& each : document.at("quarantine"))
      night.quarantine.push_back(
          {each.at("series"), each.at("owner"), each.at("reason"), each.at("until")});
  } catch (const Json::exception& error) {
    damaged("{}: is no record of a night ({})", file.string(), error.what());
  }
  return night;
}

}  // namespace ablate::nightly
