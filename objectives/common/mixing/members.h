// The members of a mixture: objectives with their parameters, by the names that they go by in it.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/contract/objective.h"
#include "objectives/common/mixing/shares.h"

namespace ablate::objectives {

struct MixtureMember {
  std::string name;  // its type; the second of a type ends in _2, the third in _3
  const ObjectiveSpec* spec = nullptr;
  Params params;

  bool predicts_tokens() const { return spec->predicts_tokens(); }
};

/// Reads the parameter `members`, which names some of `objectives`. Throws std::invalid_argument for
/// what cannot be a member.
std::vector<MixtureMember> members_of(const Params& params,
                                      std::span<const ObjectiveSpec> objectives);

/// The heads of the members that do not predict tokens, each once: those of the mixture after its first.
std::vector<HeadNeed> further_heads_of(const std::vector<MixtureMember>& members);

/// The index, among the heads of the mixture, of the head of this member's labels; 0 where it predicts
/// tokens and has none.
std::int32_t head_of_labels(const std::vector<MixtureMember>& members, std::size_t member);

/// The index of the member that questions are asked of: that which `asked_as` names, or else of those
/// that predict tokens, and among them of those that a question can be asked of, the one with the largest
/// share, the first of equal ones. Throws std::invalid_argument where no such member has the name.
std::size_t asked_member(const Params& params, const std::vector<MixtureMember>& members);

/// Parameters of a mixture of this member alone.
Json alone(const MixtureMember& member);

/// What every member needs. Throws std::invalid_argument where no model has all of it.
Needs joined_needs(const std::vector<MixtureMember>& members,
                   const std::vector<Objective>& objectives);

}  // namespace ablate::objectives
