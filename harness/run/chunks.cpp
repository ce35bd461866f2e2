// Cutting what is left of a plan into work for one worker each.

#include <map>
#include <utility>

#include "harness/run/sweep.h"
#include "harness/store/digest.h"
#include "harness/store/folder.h"

namespace ablate {
namespace {

bool is_done(const Trial& trial, const SweepSettings& settings) {
  const Digest state = read_digest(journal_file(settings.results, trial.id));
  if (state.outcome == "diverged") return true;  // it would diverge again
  if (state.outcome == "failed") return !settings.retry_failed;
  std::vector<std::string> wanted;
  for (const Json& probe : trial.probes) wanted.push_back(probe.at("id").get<std::string>());
  return state.complete(wanted);
}

}  // namespace

Todo what_is_left(const Plan& plan, const SweepSettings& settings) {
  Todo todo;
  std::map<std::string, const Trial*> left;
  for (const Trial& trial : plan.trials) {
    if (is_done(trial, settings))
      todo.done.push_back(trial.id);
    else
      left[trial.id] = &trial;
  }
  for (const Bank& bank : plan.banks) {
    Chunk chunk;
    for (const std::string& id : bank) {
      if (left.contains(id)) chunk.trials.push_back(*left.at(id));
      if (chunk.trials.size() >= settings.lanes) todo.chunks.push_back(std::exchange(chunk, {}));
    }
    if (!chunk.trials.empty()) todo.chunks.push_back(std::move(chunk));
  }
  return todo;
}

}  // namespace ablate
