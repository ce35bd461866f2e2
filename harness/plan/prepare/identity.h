// Ids of trials and measurements, computed from everything that decides them.

#pragma once

#include "harness/plan/prepare/prepared.h"
#include "harness/plan/read/experiment.h"

namespace ablate::plan {

/// The configuration of a trial, see Trial::config. It contains no names, questions or paths; the
/// corpus is identified by the hash of its content.
Json trial_config(const Catalog& catalog, const Experiment& experiment, const ResolvedArm& arm,
                  std::int64_t seed, const Vocabulary& vocabulary, const std::string& corpus_hash);

/// The arm with the corpora of its phases and the weights that it starts from identified by hashes
/// of their content. `start`: the hash of those weights; empty if there are none.
ResolvedArm by_content(ResolvedArm arm, const std::vector<PreparedPhase>& phases,
                       const std::string& start);

/// The first 16 hexadecimal digits of the SHA-256 of a configuration's canonical text.
std::string id_of(const Json& config);

/// The probes of the trial with id `trial`, each with the id of its measurement as "id".
Json identified_probes(const Catalog& catalog, const Json& probes, const std::string& trial);

}  // namespace ablate::plan
