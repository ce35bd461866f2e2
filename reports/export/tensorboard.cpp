#include "reports/export/tensorboard.h"

#include <fmt/core.h>

#include "harness/base/time/clock.h"
#include "reports/export/curve_loss.h"
#include "reports/export/event_file.h"
#include "reports/export/safe_name.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

float as_float(double value) { return static_cast<float>(value); }

std::string events_of(const store::TrialRecord& trial, double wall_time) {
  std::string bytes = tf_record(version_event(wall_time));
  for (const store::CurvePoint& point : trial.curve.points()) {
    std::vector<Scalar> scalars;
    if (const std::optional<double> loss = curve_loss(trial, point))
      scalars.push_back({"curve/loss", as_float(*loss)});
    scalars.push_back({"curve/learning_rate", as_float(point.learning_rate)});
    scalars.push_back({"curve/gradient_norm", as_float(point.gradient_norm)});
    bytes += tf_record(scalars_event(wall_time, point.step, scalars));
  }
  const auto add = [&](std::int64_t step, const store::MetricValues& metrics) {
    std::vector<Scalar> scalars;
    scalars.reserve(metrics.size());
    for (const auto& [name, value] : metrics)
      scalars.push_back({"metric/" + readable(name), as_float(value)});
    if (!scalars.empty()) bytes += tf_record(scalars_event(wall_time, step, scalars));
  };
  for (const auto& [at, metrics] : trial.on_the_way) add(at.step, metrics);
  add(trial.curve.empty() ? 0 : trial.curve.back().step, trial.metrics);
  return bytes;
}

ReportFile event_file_of(const Analysis& analysis, const store::TrialRecord& trial) {
  const auto begun = milliseconds_since_1970(trial.started).value_or(0);
  return {fmt::format("{}/{}/seed-{}/events.out.tfevents.{:010}.ablate",
                      safe_file_name(analysis.experiment), safe_file_name(trial.arm, "[]=,"),
                      trial.seed, begun / 1000),
          events_of(trial, static_cast<double>(begun) / 1000)};
}

}  // namespace

std::vector<ReportFile> tensorboard_files(std::span<const Analysis> experiments) {
  std::vector<ReportFile> files;
  for (const Analysis& analysis : experiments)
    for (const ArmResult& arm : analysis.arms)
      for (const store::TrialRecord* trial : arm.trials)
        if (trial->attempts > 0) files.push_back(event_file_of(analysis, *trial));
  return files;
}

}  // namespace ablate::reports
