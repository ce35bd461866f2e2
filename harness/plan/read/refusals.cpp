#include "harness/plan/read/refusals.h"

#include <fmt/core.h>

namespace ablate::plan {

bool add_refusals(const Sources& sources, const std::string& pointer, std::string_view label,
                  const std::vector<Refusal>& refusals, Faults& faults) {
  for (const Refusal& refusal : refusals) {
    if (faults.full()) break;
    auto [message, hint] = split_message(refusal.message);
    const std::string place = pointer + refusal.pointer;
    faults.add(refusal.about_key ? sources.key_at(place) : sources.value_at(place),
               fmt::format("{}: {}", label, message), std::move(hint));
  }
  return refusals.empty();
}

}  // namespace ablate::plan
