// night.json: written and read.

#include "harness/nightly/measure/night_file.h"

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/checksummed.h"
#include "harness/base/sha256.h"
#include "harness/nightly/measure/timing.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

Json json_of(const NightExperiment& experiment, const fs::path& home) {
  Json margins = Json::object();
  for (const auto& [metric, margin] : experiment.margins)
    margins[metric] = margin ? Json(*margin) : Json();
  return {{"name", experiment.name},
          {"now", fs::relative(experiment.now, home).string()},
          {"baseline", fs::relative(experiment.baseline, home).string()},
          {"now_failure", experiment.now_failure},
          {"baseline_failure", experiment.baseline_failure},
          {"baseline_some_failed", experiment.baseline_some_failed},
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

Json json_of(const std::vector<Quarantine>& all) {
  Json quarantine = Json::array();
  for (const Quarantine& each : all)
    quarantine.push_back({{"series", each.series},
                          {"owner", each.owner},
                          {"reason", each.reason},
                          {"until", each.until}});
  return quarantine;
}

Json json_of(const std::vector<Retired>& all) {
  Json retired = Json::array();
  for (const Retired& each : all)
    retired.push_back({{"series", each.series}, {"reason", each.reason}});
  return retired;
}

NightExperiment experiment_in(const Json& each, const fs::path& home) {
  return {.name = each.at("name"),
          .now = home / each.at("now").get<std::string>(),
          .baseline = home / each.at("baseline").get<std::string>(),
          .now_failure = each.at("now_failure"),
          .baseline_failure = each.at("baseline_failure"),
          .baseline_some_failed = each.at("baseline_some_failed"),
          .margins = margins_in(each.at("margins")),
          .now_previews = each.at("now_previews"),
          .baseline_previews = each.at("baseline_previews")};
}

NightIdentity identity_in(const Json& document) {
  return {.date = document.at("date"),
          .baseline = document.at("baseline"),
          .pin = document.at("pin"),
          .fingerprint = document.at("fingerprint"),
          .programs = document.at("programs"),
          .suite = document.at("suite")};
}

Json json_of(const NightIdentity& identity) {
  return {{"date", identity.date},         {"baseline", identity.baseline},
          {"pin", identity.pin},           {"fingerprint", identity.fingerprint},
          {"programs", identity.programs}, {"suite", identity.suite}};
}

// What a night's folder has of records: repetitions, plans and journals.
bool is_record(const fs::path& file) {
  const std::string name = file.filename();
  return name == "bench.jsonl" || name == "confirm.jsonl" || name == "plan.json" ||
         name == "journal.jsonl";
}

std::map<std::string, std::string> hashes_in(const fs::path& folder) {
  std::map<std::string, std::string> hashes;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && is_record(entry.path()))
      hashes[fs::relative(entry.path(), folder).string()] = sha256(read_file(entry.path()));
  return hashes;
}

Night night_in(const Json& document, const fs::path& folder) {
  const fs::path home = folder.parent_path().parent_path();
  Night night;
  night.folder = folder;
  night.identity = identity_in(document);
  night.commit = document.at("commit");
  night.finished = document.at("finished");
  night.machine = document.at("machine");
  night.filter = document.at("filter");
  night.repetitions = integer_in(document.at("repetitions"));
  night.now_benchmarks = document.at("now_benchmarks");
  night.baseline_benchmarks = document.at("baseline_benchmarks");
  night.time_failures = document.at("time_failures");
  night.calibration = calibration_from(document.at("calibration"));
  night.now_golden = document.at("now_golden");
  night.baseline_golden = document.at("baseline_golden");
  night.last.night = document.at("last").at("night");
  for (const auto& [series, kind] : document.at("last").at("series").items())
    night.last.series[series] = kind_named(kind.get_ref<const std::string&>());
  night.records = document.at("records");
  for (const Json& each : document.at("experiments"))
    night.experiments.push_back(experiment_in(each, home));
  for (const Json& each : document.at("quarantine"))
    night.quarantine.push_back(
        {each.at("series"), each.at("owner"), each.at("reason"), each.at("until")});
  for (const Json& each : document.at("retired"))
    night.retired.push_back({each.at("series"), each.at("reason")});
  return night;
}

std::optional<double> stored_number(const Json& numbers, const char* name) {
  const auto found = numbers.find(name);
  return found != numbers.end() && found->is_number() ? std::optional(found->get<double>())
                                                      : std::nullopt;
}

StoredNumbers numbers_in(const Json& json) {
  return {.now = stored_number(json, "now"),
          .baseline = stored_number(json, "baseline"),
          .margin = stored_number(json, "margin"),
          .ratio = stored_number(json, "ratio"),
          .p = stored_number(json, "p"),
          .low = stored_number(json, "low"),
          .high = stored_number(json, "high"),
          .unit = json.value("unit", ""),
          .better = json.value("better", ""),
          .digest = json.value("digest", ""),
          .confirmation = json.contains("confirmation")};
}

StoredFinding finding_in(const Json& json) {
  return {.series = json.at("series"),
          .kind = json.value("kind", ""),
          .verdict = json.at("verdict"),
          .reason = json.value("reason", ""),
          .numbers = numbers_in(json.value("numbers", Json::object()))};
}

// Throws where a record is not the one that the night ended with.
void verify_record(const Night& night, const std::string& name, const std::string& hash) {
  const fs::path file = night.folder / name;
  if (!fs::is_regular_file(file))
    damaged("{}: is gone; the night {} had it", file.string(), night.folder.filename().string());
  if (sha256(read_file(file)) != hash)
    damaged(
        "{}: is not what the night {} ended with; it was changed, by hand or by a fault of the "
        "disk",
        file.string(), night.folder.filename().string());
}

}  // namespace

void write_started(const NightIdentity& identity, const fs::path& folder) {
  write_file(folder / "started.json", checksummed_text(json_of(identity)));
}

std::optional<NightIdentity> read_started(const fs::path& folder) {
  const fs::path file = folder / "started.json";
  if (!fs::exists(file)) return std::nullopt;
  try {
    return identity_in(read_checked_document(file));
  } catch (const Json::exception& error) {
    damaged("{}: does not say what the night is of ({})", file.string(), error.what());
  }
}

void write_night(Night& night) {
  const fs::path home = night.folder.parent_path().parent_path();
  Json experiments = Json::array();
  for (const NightExperiment& each : night.experiments) experiments.push_back(json_of(each, home));
  Json last = Json::object();
  for (const auto& [series, kind] : night.last.series) last[series] = name_of(kind);
  night.records = hashes_in(night.folder);
  Json document = json_of(night.identity);
  document.update({{"finished", night.finished},
                   {"commit", night.commit},
                   {"machine", night.machine},
                   {"experiments", experiments},
                   {"now_golden", night.now_golden},
                   {"baseline_golden", night.baseline_golden},
                   {"filter", night.filter},
                   {"repetitions", night.repetitions},
                   {"now_benchmarks", night.now_benchmarks},
                   {"baseline_benchmarks", night.baseline_benchmarks},
                   {"time_failures", night.time_failures},
                   {"calibration", json_of(night.calibration)},
                   {"quarantine", json_of(night.quarantine)},
                   {"retired", json_of(night.retired)},
                   {"last", {{"night", night.last.night}, {"series", last}}},
                   {"records", night.records}});
  write_file(night.folder / "night.json", checksummed_text(document));
}

Night read_night(const fs::path& folder) {
  const fs::path file = folder / "night.json";
  const std::string text = read_file(file);
  try {
    return night_in(checked_document(text, file.string()), folder);
  } catch (const Json::exception& error) {
    damaged("{}: is no record of a night ({})", file.string(), error.what());
  } catch (const DamagedFile& error) {
    damaged("{}; to go on without this night, move its folder out of {}", error.what(),
            folder.parent_path().string());
  }
}

void verify_records(const Night& night) {
  for (const auto& [name, hash] : night.records) verify_record(night, name, hash);
  for (const auto& [name, hash] : hashes_in(night.folder))
    if (!night.records.contains(name))
      damaged("{}: was not there when the night ended", (night.folder / name).string());
}

Times times_of(const Night& night, const std::string& name) {
  const auto record = night.records.find(name);
  if (record == night.records.end()) return {};
  verify_record(night, name, record->second);
  return read_times(night.folder / name);
}

StoredVerdict read_verdict(const fs::path& file) {
  const Json json = read_checked_document(file);
  try {
    StoredVerdict verdict{json.at("verdict"), json.at("counts"), {}};
    for (const Json& finding : json.at("findings").get_ref<const Json::array_t&>())
      verdict.findings.push_back(finding_in(finding));
    return verdict;
  } catch (const Json::exception& error) {
    damaged("{}: is no verdict ({}); ablate gate judge makes it anew", file.string(), error.what());
  }
}

}  // namespace ablate::nightly
