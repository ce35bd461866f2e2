// Makes the corpora that the phases of an experiment draw from, each of them once.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/plan/file/faults.h"
#include "harness/plan/prepare/prepared.h"

namespace ablate::plan {

/// The corpora of all phases.
class PhaseCorpora {
 public:
  /// `main`: the experiment's corpus, whose vocabulary all others share. Adds to
  /// `warnings` what the user of their files probably does not mean. Keeps references to all but
  /// `main`.
  PhaseCorpora(const Experiment& experiment, const data::Corpus& main, Faults& faults,
               std::vector<std::string>& warnings)
      : experiment_(experiment), main_(main), faults_(faults), warnings_(warnings) {}

  /// The corpora that phase `number` of an arm draws from, with their fractions. Members with the
  /// same content are merged. Adds a fault for each corpus that cannot be made with the shared
  /// vocabulary.
  std::vector<PreparedMember> members(const ResolvedArm& arm, const Phase& phase,
                                      std::size_t number);

 private:
  /// The corpus of one section, or the main one if it is refused.
  data::Corpus corpus(const ResolvedArm& arm, const Phase& phase, std::size_t number,
                      const Json& section);

  const Experiment& experiment_;
  const data::Corpus main_;
  Faults& faults_;
  std::vector<std::string>& warnings_;
  std::map<std::string, data::Corpus> made_;  // by section
};

}  // namespace ablate::plan
