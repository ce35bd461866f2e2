// An experiment with its corpus and its objectives: what pricing and previews need.

#pragma once

#include "harness/data/corpus.h"
#include "harness/plan/experiment.h"

namespace ablate {

struct Prepared {
  std::filesystem::path corpus_file;
  Corpus corpus;
  Vocabulary vocabulary;              // sentinels: the most that an arm needs
  Json probes;                        // those of the experiment, with what was made for them
  std::vector<Objective> objectives;  // by arm
};

/// Makes the corpus (or finds it in the cache) and builds every arm's objective. Adds to `faults`
/// what cannot be built or hosted; the answer is not to be used then.
Prepared prepare(const Catalog& catalog, const Experiment& experiment, Faults& faults);

/// The parameters of a resolved section, its tag apart.
Params params_of(const TaggedSection& section, const Json& resolved);

}  // namespace ablate
