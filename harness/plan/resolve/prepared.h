// An experiment with its corpus and its objectives: what pricing and previews need.

#pragma once

#include "harness/data/corpus/corpus.h"
#include "harness/plan/read/experiment.h"
#include "harness/plan/read/start.h"
#include "harness/plan/resolve/resolve.h"
#include "harness/plan/trial/phase.h"

namespace ablate::plan {

/// A corpus that a phase draws from, and the share of its texts.
struct PreparedMember {
  data::Corpus corpus;
  Json section;  // as resolved
  double share = 1;
};

/// A phase of an arm with what it reads; the first member is its own corpus. Its rows are not
/// measured and its steps not counted yet.
struct PreparedPhase : ResolvedPhase {
  std::vector<PreparedMember> members;
};

struct Prepared {
  std::filesystem::path corpus_file;
  data::Corpus corpus;
  Vocabulary vocabulary;              // sentinels: the most that an arm needs
  Json probes;                        // those of the experiment, with what was made for them
  std::vector<ResolvedModel> models;  // of each arm
  std::vector<ResolvedPhase> own;     // of each arm: its own objective, by which it is measured
  std::vector<std::vector<PreparedPhase>> phases;  // of each arm: at least one
  std::vector<Start> starts;                       // of each arm
};

/// Makes the corpora (or finds them in the cache) and builds every arm's objectives. Adds to
/// `faults` what cannot be built or hosted; the answer is not to be used then.
Prepared prepare(const Catalog& catalog, const Experiment& experiment, Faults& faults);

/// The phases of an arm, whose corpora are sections or "main".
std::vector<Phase> phases_of(const ResolvedArm& arm);

}  // namespace ablate::plan
