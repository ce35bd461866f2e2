#include "harness/run/queues.h"

namespace ablate::run {

Queues::Queues(const Todo& todo, const SweepSettings& settings) : measurers_(settings.measurers) {
  training_.waiting.assign(todo.chunks.begin(), todo.chunks.end());
  for (std::size_t i = 0; i < settings.devices.size(); ++i)
    training_.idle.push_back(
        {settings.devices[i], i < settings.cores.size() ? settings.cores[i] : -1, settings.threads,
         i < settings.followers.size() ? settings.followers[i] : std::vector<RankPlace>()});
  measuring_.idle.assign(measurers_, {.device = "cpu"});
  if (measurers_ == 0) return;
  for (Chunk& chunk : training_.waiting) chunk.task = Task::train;
}

std::optional<Assignment> Queues::next() {
  for (Queue* queue : {&measuring_, &training_}) {
    if (queue->waiting.empty() || queue->idle.empty()) continue;
    Assignment assignment{std::move(queue->waiting.front()), std::move(queue->idle.back())};
    queue->waiting.pop_front();
    queue->idle.pop_back();
    return assignment;
  }
  return std::nullopt;
}

void Queues::end(const Assignment& assignment) {
  Queue& queue = assignment.chunk.task == Task::measure ? measuring_ : training_;
  queue.idle.push_back(assignment.place);
}

void Queues::measure(const std::vector<plan::Trial>& trained) {
  if (trained.empty()) return;
  const std::size_t each = (trained.size() + measurers_ - 1) / measurers_;
  for (std::size_t i = 0; i < trained.size(); ++i) {
    if (i % each == 0) measuring_.waiting.push_back({.task = Task::measure});
    measuring_.waiting.back().trials.push_back(trained[i]);
  }
}

void Queues::put_back(Chunk chunk) {
  Queue& queue = chunk.task == Task::measure ? measuring_ : training_;
  queue.waiting.push_front(std::move(chunk));
}

void Queues::retry(const plan::Trial& trial) {
  training_.waiting.push_back({.trials = {trial}, .retry = true});  // Task::all: see the header
}

}  // namespace ablate::run
