// The corpora that the phases of an experiment draw from, each made once.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/plan/file/faults.h"
#include "harness/plan/resolve/prepared.h"

namespace ablate::plan {

class PhaseCorpora {
 public:
  /// `main`: the experiment's, whose vocabulary all share.
  PhaseCorpora(const Experiment& experiment, const data::Corpus& main, Faults& faults)
      : experiment_(experiment), main_(main), faults_(faults) {}

  /// What phase `number` of an arm draws from; members of the same content are one. Adds to the
  /// faults what cannot be made, or not in the vocabulary that all share.
  std::vector<PreparedMember> members(const ResolvedArm& arm, const Phase& phase,
                                      std::size_t number);

 private:
  data::Corpus corpus(const ResolvedArm& arm, const Phase& phase, std::size_t number,
                      const Json& section);

  const Experiment& experiment_;
  const data::Corpus main_;
  Faults& faults_;
  std::map<std::string, data::Corpus> made_;  // by section
};

}  // namespace ablate::plan
