// Asks a worker for the best number of lanes on a device.

#include "harness/run/ask_lanes.h"

#include <fmt/core.h>

#include <optional>

#include "harness/base/error.h"
#include "harness/run/ask_worker.h"
#include "harness/run/job/protocol.h"

namespace ablate::run {
namespace {

/// The choice that an event tells; nothing where it is another event, or tells none.
std::optional<LaneChoice> choice_in(const Json& event) {
  if (event.at("event") != "lanes") return std::nullopt;
  try {
    return lane_choice_from_json(event.value("choice", Json()));
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

}  // namespace

LaneChoice ask_lanes(const Chunk& chunk, const std::filesystem::path& corpus,
                     const SweepSettings& settings) {
  const Job job{.results = settings.results,
                .corpus = corpus,
                .trials = chunk.trials,
                .device = settings.devices.at(0),
                .threads = settings.threads,
                .command = settings.command,
                .task = Task::calibrate};
  const std::string failure = fmt::format("--lanes auto: measuring {} failed", job.device);
  std::optional<LaneChoice> choice;
  ask_worker(job, settings.worker, settings.results / "calibration.log",
             failure + "; give --lanes a number", [&](const Json& event) {
               if (auto told = choice_in(event)) choice = std::move(told);
             });
  if (!choice) fail("{}: the worker reported no choice; give --lanes a number", failure);
  return *choice;
}

}  // namespace ablate::run
