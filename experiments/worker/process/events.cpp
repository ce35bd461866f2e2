// Writes events to standard output, one complete line at a time.

#include "experiments/worker/process/events.h"

#include <unistd.h>

#include "harness/store/journal/journal.h"

namespace ablate::worker {

void WorkerEvents::versions(const Json& versions) {
  write({{"event", "versions"}, {"versions", versions}});
}

void WorkerEvents::progress(const plan::Trial& trial, const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  const auto written = written_.find(trial.id);
  const bool last = progress.fraction >= 1;  // a reader keeps the last event of a stage
  if (!last && written != written_.end() && now - written->second < std::chrono::milliseconds(200))
    return;
  written_[trial.id] = now;
  Json event = {{"event", "progress"}, {"trial", trial.id},       {"arm", trial.arm},
                {"seed", trial.seed},  {"stage", progress.stage}, {"share", progress.fraction}};
  if (progress.stage == "train")
    event.update({{"step", progress.step},
                  {"steps", progress.steps},
                  {"loss", progress.loss ? store::number_to_json(*progress.loss) : Json()},
                  {"tokens_per_second", progress.tokens_per_second}});
  write(event);
}

void WorkerEvents::outcome(const plan::Trial& trial, std::string_view outcome,
                           const std::string& message) {
  write({{"event", "outcome"}, {"trial", trial.id}, {"outcome", outcome}, {"message", message}});
}

void WorkerEvents::fault(const run::Fault& fault) {
  write({{"event", "fault"}, {"message", fault.message}, {"no_space", fault.no_space}});
}

void WorkerEvents::lanes(const Json& choice) { write({{"event", "lanes"}, {"choice", choice}}); }

void WorkerEvents::device(const std::string& model, const std::string& bfloat16_refusal) {
  write({{"event", "device"}, {"model", model}, {"bfloat16_refusal", bfloat16_refusal}});
}

void WorkerEvents::answer(const plan::Trial& trial, Json answer) {
  answer.update({{"event", "answer"}, {"trial", trial.id}});
  write(answer);
}

void WorkerEvents::write(const Json& event) {
  const std::string line = canonical(event) + '\n';
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the reader has gone away
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace ablate::worker
