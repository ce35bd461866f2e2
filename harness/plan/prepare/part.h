// The part of an experiment that --only and --drop leave.

#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/plan/prepare/prepared.h"

namespace ablate::plan {

/// A part of an experiment: some of its arms, seeds and trials.
struct Part {
  std::vector<std::size_t> arms;    // indices: the arms that have trials, and the baseline
  std::vector<std::int64_t> seeds;  // those that have trials
  std::vector<std::pair<std::size_t, std::int64_t>> trials;  // index in `arms`, and seed; in order
  bool complete = false;  // whether every arm of the experiment has a trial of every seed
};

/// The part that the overrides select, and the trials that they hold. Adds a fault if they select
/// nothing, or drop an arm that does not exist or is the baseline.
Part part_of(const Experiment& experiment, const Overrides& overrides, Faults& faults);

/// The experiment with the arms and seeds of the part alone. Warns if its baseline has no trials.
Experiment restricted(const Experiment& experiment, const Part& part);

/// The entries of `all`, one for each arm of the experiment, that belong to the part.
template <class T>
std::vector<T> restricted(const std::vector<T>& all, const Part& part) {
  std::vector<T> kept;
  for (const std::size_t arm : part.arms) kept.push_back(all[arm]);
  return kept;
}

/// The entries of `all`, by name of arm, that belong to the arms of `some`.
template <class T>
std::map<std::string, T> restricted(const std::map<std::string, T>& all, const Experiment& some) {
  std::map<std::string, T> kept;
  for (const ResolvedArm& arm : some.arms) kept.emplace(arm.name, all.at(arm.name));
  return kept;
}

/// The same for everything that is prepared for arms. Corpus and vocabulary stay as they are, and
/// with them the ids of trials.
Prepared restricted(const Prepared& prepared, const Part& part);

/// The arms and seeds of a complete experiment, as a plan of a part stores them: {"arms": [{"name",
/// "config"}], "seeds"}. "config" is that of the arm's trials, with a seed of 0.
Json complete_json(const Experiment& experiment, const Prepared& prepared);

}  // namespace ablate::plan
