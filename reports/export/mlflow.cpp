#include "reports/export/mlflow.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "harness/base/sha256.h"
#include "harness/base/time/clock.h"
#include "reports/export/curve_loss.h"
#include "reports/export/safe_name.h"
#include "reports/export/table_files.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

using store::TrialRecord;

constexpr std::size_t kMaxParamCharacters = 500;  // of a param's value in MLflow

/// MLflow's numbers for the status of a run.
enum class RunStatus { finished = 3, failed = 4, killed = 5 };

RunStatus status_of(const TrialRecord& trial) {
  if (trial.outcome == "completed") return RunStatus::finished;
  return trial.outcome == "unfinished" ? RunStatus::killed : RunStatus::failed;
}

/// A text in YAML's double quotes, on one line.
std::string yaml_text(std::string_view raw) {
  std::string quoted = "\"";
  for (const char c : readable(raw)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string yaml_time(const std::string& utc) {
  const auto time = milliseconds_since_1970(utc);
  return time ? std::to_string(*time) : "null";
}

/// The id of an experiment: 18 digits or fewer, as MLflow makes them.
std::string experiment_id(const std::string& name) {
  return std::to_string(
      std::stoull(sha256("mlflow experiment " + name).substr(0, 14), nullptr, 16));
}

std::string run_id(const std::string& experiment, const TrialRecord& trial) {
  return sha256(fmt::format("mlflow run {} {}", canonical(experiment), trial.id)).substr(0, 32);
}

/// A folder of the file store: its place, and the URI by which the store names it.
struct StoreFolder {
  std::string path, uri;

  StoreFolder below(const std::string& name) const { return {path + "/" + name, uri + "/" + name}; }
};

/// When the first trial began and the last ended; empty where none has.
struct Period {
  std::string begun, ended;
};

Period period_of(const Analysis& analysis) {
  Period period;
  for (const ArmResult& arm : analysis.arms)
    for (const TrialRecord* trial : arm.trials) {
      if (trial->started.empty()) continue;
      period.begun = period.begun.empty() ? trial->started : std::min(period.begun, trial->started);
      period.ended = std::max(period.ended, trial->ended);
    }
  return period;
}

ReportFile experiment_file(const Analysis& analysis, const StoreFolder& folder) {
  const Period period = period_of(analysis);
  return {folder.path + "/meta.yaml",
          fmt::format("artifact_location: {}\ncreation_time: {}\nexperiment_id: '{}'\n"
                      "last_update_time: {}\nlifecycle_stage: active\nname: {}\n",
                      yaml_text(folder.uri), yaml_time(period.begun),
                      experiment_id(analysis.experiment), yaml_time(period.ended),
                      yaml_text(analysis.experiment))};
}

std::string run_name(const TrialRecord& trial) {
  return fmt::format("{}, seed {}", trial.arm, trial.seed);
}

ReportFile run_file(const Analysis& analysis, const TrialRecord& trial, const StoreFolder& folder) {
  const std::string id = run_id(analysis.experiment, trial);
  return {folder.path + "/meta.yaml",
          fmt::format("artifact_uri: {}\nend_time: {}\nentry_point_name: ''\nexperiment_id: '{}'\n"
                      "lifecycle_stage: active\nrun_id: {}\nrun_name: {}\nrun_uuid: {}\n"
                      "source_name: ''\nsource_type: 4\nsource_version: ''\nstart_time: {}\n"
                      "status: {}\ntags: []\nuser_id: ''\n",
                      yaml_text(folder.uri + "/artifacts"), yaml_time(trial.ended),
                      experiment_id(analysis.experiment), yaml_text(id), yaml_text(run_name(trial)),
                      yaml_text(id), yaml_time(trial.started), static_cast<int>(status_of(trial)))};
}

/// The scalars of a JSON value by dotted paths.
std::map<std::string, std::string> flat_settings(const Json& config) {
  std::map<std::string, std::string> settings;
  const Json flat = config.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    std::string path = pointer.empty() ? pointer : pointer.substr(1);
    std::replace(path.begin(), path.end(), '/', '.');
    settings[path] = value.is_string() ? value.get<std::string>() : canonical(value);
  }
  return settings;
}

void add_params(const ArmResult& arm, const TrialRecord& trial, const StoreFolder& folder,
                std::vector<ReportFile>& files) {
  std::map<std::string, std::string> settings = flat_settings(arm.config);
  settings["seed"] = std::to_string(trial.seed);
  for (const auto& [path, value] : settings)
    files.push_back({folder.below("params").below(safe_file_name(path)).path,
                     shortened(readable(value), kMaxParamCharacters - 1)});
}

std::string metric_line(std::int64_t time, double value, std::int64_t step) {
  return fmt::format("{} {} {}\n", time, exact_number(value), step);
}

void add_metric_files(const TrialRecord& trial, const StoreFolder& folder,
                      std::vector<ReportFile>& files) {
  const std::int64_t begun = milliseconds_since_1970(trial.started).value_or(0);
  const std::int64_t ended = milliseconds_since_1970(trial.ended).value_or(begun);
  const StoreFolder metrics = folder.below("metrics");
  const std::int64_t last = trial.curve.empty() ? 0 : trial.curve.back().step;
  std::map<std::string, std::string> lines;  // by metric
  for (const auto& [at, measured] : trial.on_the_way)
    for (const auto& [name, value] : measured) lines[name] += metric_line(ended, value, at.step);
  for (const auto& [name, value] : trial.metrics) lines[name] += metric_line(ended, value, last);
  for (auto& [name, text] : lines)
    files.push_back({metrics.below(safe_file_name(name)).path, std::move(text)});
  if (trial.curve.empty()) return;
  std::string loss, learning_rate, gradient_norm;
  for (const store::CurvePoint& point : trial.curve.points()) {
    if (const std::optional<double> scored = curve_loss(trial, point))
      loss += metric_line(begun, *scored, point.step);
    learning_rate += metric_line(begun, point.learning_rate, point.step);
    gradient_norm += metric_line(begun, point.gradient_norm, point.step);
  }
  if (!loss.empty()) files.push_back({metrics.below("curve.loss").path, std::move(loss)});
  files.push_back({metrics.below("curve.learning_rate").path, std::move(learning_rate)});
  files.push_back({metrics.below("curve.gradient_norm").path, std::move(gradient_norm)});
}

void add_tags(const ArmResult& arm, const TrialRecord& trial, const StoreFolder& folder,
              std::vector<ReportFile>& files) {
  const std::map<std::string, std::string> tags = {{"arm", arm.name},
                                                   {"baseline", arm.baseline ? "true" : "false"},
                                                   {"label", arm.label},
                                                   {"message", trial.message},
                                                   {"mlflow.runName", run_name(trial)},
                                                   {"objective", arm.objective},
                                                   {"outcome", trial.outcome},
                                                   {"seed", std::to_string(trial.seed)},
                                                   {"trial", trial.id}};
  for (const auto& [name, value] : tags)
    files.push_back({folder.below("tags").below(name).path, readable(value, true)});
}

}  // namespace

std::vector<ReportFile> mlflow_files(std::span<const Analysis> experiments,
                                     const std::filesystem::path& folder) {
  const StoreFolder store{"mlruns", file_uri((folder / "mlruns").string())};
  std::vector<ReportFile> files;
  for (const Analysis& analysis : experiments) {
    const StoreFolder experiment = store.below(experiment_id(analysis.experiment));
    files.push_back(experiment_file(analysis, experiment));
    for (const ArmResult& arm : analysis.arms)
      for (const TrialRecord* trial : arm.trials) {
        if (trial->attempts == 0) continue;
        const StoreFolder run = experiment.below(run_id(analysis.experiment, *trial));
        files.push_back(run_file(analysis, *trial, run));
        add_params(arm, *trial, run, files);
        add_metric_files(*trial, run, files);
        add_tags(arm, *trial, run, files);
      }
  }
  return files;
}

}  // namespace ablate::reports
