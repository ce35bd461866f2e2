// An experiment with its corpora and objectives, ready to be priced or previewed.

#pragma once

#include "harness/data/corpus/corpus.h"
#include "harness/plan/read/experiment.h"
#include "harness/plan/resolve/resolve.h"
#include "harness/plan/trial/phase.h"
#include "harness/plan/trial/start.h"

namespace ablate::plan {

/// A corpus that a phase draws from.
struct PreparedMember {
  data::Corpus corpus;
  Json section;         // as resolved
  double fraction = 1;  // of the phase's texts
};

/// A phase of an arm with the corpora that it reads; the first one is its own. Its row shape and
/// its steps are not known yet.
struct PreparedPhase : ResolvedPhase {
  std::vector<PreparedMember> members;
};

/// The prepared experiment. Vectors have one entry per arm.
struct Prepared {
  std::filesystem::path corpus_file;
  data::Corpus corpus;
  Vocabulary vocabulary;                 // with the maximum number of sentinels that an arm needs
  std::vector<PlannedProbe> probes;      // with the files that were prepared for them
  std::vector<std::string> probe_notes;  // what their files hold
  std::vector<std::string> warnings;     // about files of corpora and of probes
  std::vector<ResolvedModel> models;
  std::vector<ResolvedPhase> own;                  // the objective that the arm is measured by
  std::vector<std::vector<PreparedPhase>> phases;  // at least one
  std::vector<Start> starts;                       // weights that the arm starts from
};

/// Adds a fault if the main corpus cannot be made, as far as that is known without reading text, so
/// that it is reported with the faults of the file.
void check_corpus(const Experiment& experiment, Faults& faults);

/// Makes the corpora, or finds them in the cache, and builds the objectives of all arms. Adds a
/// fault for everything that cannot be built or hosted; the returned value must not be used then.
Prepared prepare(const Catalog& catalog, const Experiment& experiment, Faults& faults);

/// The phases of an arm; at least one. Their corpora are sections or "main".
std::vector<Phase> phases_of(const ResolvedArm& arm);

}  // namespace ablate::plan
