#include "harness/plan/read/refusals.h"

#include <fmt/core.h>

namespace ablate::plan {

bool add_refusals(const std::vector<Refusal>& refusals, std::string_view label,
                  const PlaceOf& place_of, Faults& faults) {
  for (const Refusal& refusal : refusals) {
    if (faults.full()) break;
    auto [message, hint] = split_message(refusal.message);
    faults.add(place_of(refusal), fmt::format("{}: {}", label, message), std::move(hint));
  }
  return refusals.empty();
}

bool add_refusals(const std::vector<Refusal>& refusals, std::string_view label,
                  const Sources& sources, const std::string& pointer, Faults& faults) {
  const auto place_of = [&](const Refusal& refusal) {
    const std::string place = pointer + refusal.pointer;
    return refusal.about_key ? sources.key_at(place) : sources.value_at(place);
  };
  return add_refusals(refusals, label, place_of, faults);
}

}  // namespace ablate::plan
