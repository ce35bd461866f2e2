// Same id, same thing: what a trial and a measurement are called.

#pragma once

#include "harness/plan/read/experiment.h"
#include "harness/plan/resolve/prepared.h"

namespace ablate::plan {

/// The resolved configuration of a trial (see Trial::config). Names, questions and paths are no
/// part of it; the corpus is there by its content.
Json trial_config(const Catalog& catalog, const Experiment& experiment, const ResolvedArm& arm,
                  std::int64_t seed, const Vocabulary& vocabulary, const std::string& corpus_hash);

/// The arm with the corpora of its phases, and the weights that it starts from (where `start` is
/// not empty, their hash), named by their content.
ResolvedArm by_content(ResolvedArm arm, const std::vector<PreparedPhase>& phases,
                       const std::string& start);

/// The first 16 hexadecimal digits of the SHA-256 of a configuration's canonical text.
std::string id_of(const Json& config);

/// What decides how long a step of a trial takes, for caches of what was measured: objective,
/// model, vocabulary and the settings of training that a step sees.
Json step_kind(const Json& trial_config);

/// The probes of a trial, each with the id of its measurement.
Json identified_probes(const Catalog& catalog, const Json& probes, const std::string& trial);

}  // namespace ablate::plan
