// Finds out in sampled batches how often an objective has nothing to do: texts that it leaves as they
// are, and steps that score no target.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/data/batches/batches.h"

namespace ablate::plan {

/// Counts texts and steps in which there is nothing to do.
class IdleCounter {
 public:
  /// `objective` outlives the counter.
  explicit IdleCounter(const Objective& objective);

  /// Counts the texts of a batch, and the batch as a step.
  void add(const data::SampledBatch& drawn);

  /// A sentence for each way to have nothing to do that is that of more than a third of the texts, such
  /// as "93 % of its sampled texts are not paired: they have one sentence each; ...".
  std::vector<std::string> sentences() const;

  /// The expected fraction of steps that score no target of the first head, where a step has `ratio`
  /// times the rows of a batch that was added.
  double unscored_steps(double ratio) const;

 private:
  const Objective& objective_;
  std::int64_t texts_ = 0, steps_ = 0;
  std::vector<std::int64_t> idle_;   // by the objective's entry
  std::int64_t without_target_ = 0;  // texts
  std::int64_t unscored_steps_ = 0;
};

/// "of 2000 steps, about 840 score no target, and have no loss"; empty where less than one is to be
/// expected. `steps`: 0 where their number is not known.
std::string unscored_sentence(double fraction, std::int64_t steps);

}  // namespace ablate::plan
