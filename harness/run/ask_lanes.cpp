// Asks a worker for the best number of lanes on a device.

#include "harness/run/ask_lanes.h"

#include <fmt/core.h>
#include <poll.h>

#include <optional>

#include "harness/base/error.h"
#include "harness/run/job/protocol.h"
#include "harness/run/worker/process.h"

namespace ablate::run {
namespace {

/// The choice that an event tells; nothing where it is another event, or tells none.
std::optional<LaneChoice> choice_in(const Json& event) {
  if (!event.is_object() || event.at("event") != "lanes") return std::nullopt;
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
  const auto log = settings.results / "calibration.log";
  Process worker(settings.worker, canonical(job) + "\n", log);
  std::optional<LaneChoice> choice;
  do {
    pollfd file = {worker.output(), POLLIN, 0};
    ::poll(&file, worker.closed() ? 0 : 1, 100);
    for (const std::string& line : worker.lines())
      if (auto told = choice_in(event_in(line))) choice = std::move(told);
    shorten_log(log);
  } while (!worker.ended() || !worker.closed());
  if (!choice)
    fail(
        "--lanes auto: measuring {} failed: the worker ended with {}\n{}\n"
        "give --lanes a number",
        job.device, status_text(worker.status()), last_lines(log));
  std::error_code ignored;
  std::filesystem::remove(log, ignored);
  return *choice;
}

}  // namespace ablate::run
