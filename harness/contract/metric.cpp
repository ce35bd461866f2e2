#include "harness/contract/metric.h"

namespace ablate {

Comparable comparable_from(std::string_view name) {
  for (const Comparable across : {Comparable::all_arms, Comparable::same_family})
    if (name == name_of(across)) return across;
  return Comparable::same_objective;
}

bool comparable(Comparable across, const ObjectiveSetting& a, const ObjectiveSetting& b) {
  if (across == Comparable::all_arms) return true;
  if (a.name != b.name) return false;
  return across == Comparable::same_family || a.settings == b.settings;
}

}  // namespace ablate
