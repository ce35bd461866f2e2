#include "harness/probes/held_out/references.h"

namespace ablate::probes {
namespace {

std::vector<MadeExample> made(std::span<const data::PlacedExample> step) {
  std::vector<MadeExample> all;
  all.reserve(step.size());
  for (const data::PlacedExample& placed : step) all.push_back({placed.text, placed.example});
  return all;
}

}  // namespace

std::vector<Loss> floors_of(const Objective& objective, std::span<const double> unigram,
                            std::span<const data::PlacedExample> step) {
  if (objective.step_context_free) return objective.step_context_free(made(step));
  if (!objective.context_free) return std::vector<Loss>(step.size());
  std::vector<Loss> floors;
  floors.reserve(step.size());
  for (const data::PlacedExample& placed : step)
    floors.push_back(objective.context_free(unigram, placed.text, placed.example));
  return floors;
}

std::vector<Loss> optima_of(const Objective& objective, const Chain& language,
                            std::span<const data::PlacedExample> step) {
  if (objective.step_optimum) return objective.step_optimum(language, made(step));
  std::vector<Loss> optima;
  optima.reserve(step.size());
  for (const data::PlacedExample& placed : step)
    optima.push_back(objective.optimum(language, placed.text, placed.example));
  return optima;
}

}  // namespace ablate::probes
