#include "harness/run/chunks.h"

#include <algorithm>
#include <map>
#include <utility>

#include "harness/run/outcomes.h"
#include "harness/store/folder/folder.h"
#include "harness/store/index/trial_state.h"

namespace ablate::run {
namespace {

bool is_done(const std::string& outcome, const SweepSettings& settings) {
  if (outcome == "failed") return !settings.retry_failed;
  return outcome != "unfinished";  // a diverged trial would diverge again
}

/// The ids that provenance has of a bank; none where it has none.
std::vector<std::string> bank_in(const Json& provenance) {
  std::vector<std::string> ids;
  if (!provenance.is_object()) return ids;
  for (const Json& id : provenance.value("bank", Json::array()))
    if (id.is_string()) ids.push_back(id);
  return ids;
}

/// Ids of the trials in the bank that wrote a trial's last checkpoint, the trial among them; none
/// without a checkpoint.
std::vector<std::string> previous_bank(const std::string& id, const store::TrialState& state) {
  if (state.checkpoints.empty()) return {};
  for (const store::Attempt& attempt : state.attempts) {
    if (attempt.number != state.checkpoints.back().attempt) continue;
    auto bank = bank_in(attempt.provenance);
    if (std::find(bank.begin(), bank.end(), id) != bank.end()) return bank;
  }
  return {};
}

/// An unfinished trial.
struct Left {
  const plan::Trial* trial = nullptr;
  std::vector<std::string> bank;  // in which it was interrupted
  bool trained = false;           // lacks only measurements
};

/// Whether a trial lacks only measurements of what is trained. One that lacks some on the way is
/// trained again: its weights there are no longer kept.
bool is_trained(const plan::Trial& trial, const store::TrialState& state) {
  return state.outcome == "completed" && state.missing(trial.probes.ids_on_the_way()) == 0;
}

/// Moves the unfinished trials of `ids` to a chunk.
Chunk take(std::map<std::string, Left>& left, const std::vector<std::string>& ids) {
  Chunk chunk;
  for (const std::string& id : ids)
    if (const auto found = left.find(id); found != left.end()) {
      chunk.trials.push_back(*found->second.trial);
      chunk.trained += found->second.trained ? 1 : 0;
      left.erase(found);
    }
  return chunk;
}

}  // namespace

Todo what_is_left(const plan::Plan& plan, const SweepSettings& settings) {
  Todo todo;
  std::map<std::string, Left> left;
  for (const plan::Trial& trial : plan.trials) {
    const store::TrialState state =
        store::read_trial_state(store::journal_file(settings.results, trial.id));
    if (is_done(outcome_of(trial, state), settings))
      todo.done.push_back(trial.id);
    else
      left[trial.id] = {&trial, previous_bank(trial.id, state), is_trained(trial, state)};
  }
  for (const plan::Bank& bank : plan.banks) {
    std::vector<std::string> fresh;
    const auto close = [&] {
      if (!fresh.empty()) todo.chunks.push_back(take(left, std::exchange(fresh, {})));
    };
    for (const std::string& id : bank) {
      if (!left.contains(id)) continue;
      if (const auto previous = left.at(id).bank; !previous.empty()) {
        todo.chunks.push_back(take(left, previous));
        todo.chunks.back().cut_before = true;
        continue;
      }
      fresh.push_back(id);
      if (fresh.size() >= settings.lanes) close();
    }
    close();
  }
  return todo;
}

Todo cut(Todo todo, const std::function<Json(const Chunk&)>& choose) {
  std::vector<Chunk> pieces;
  for (Chunk& chunk : todo.chunks) {
    if (chunk.trials.size() < 2 || chunk.cut_before) {
      pieces.push_back(std::move(chunk));
      continue;
    }
    const Json choice = choose(chunk);
    const std::size_t lanes = choice.at("lanes");
    for (std::size_t first = 0; first < chunk.trials.size(); first += lanes) {
      const auto begin = chunk.trials.begin() + static_cast<std::ptrdiff_t>(first);
      const std::size_t count = std::min(lanes, chunk.trials.size() - first);
      pieces.push_back({.trials = {begin, begin + static_cast<std::ptrdiff_t>(count)},
                        .retry = chunk.retry,
                        .lane_choice = choice,
                        .trained = chunk.trained == chunk.trials.size() ? count : 0});
    }
  }
  todo.chunks = std::move(pieces);
  return todo;
}

}  // namespace ablate::run
