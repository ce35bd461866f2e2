// Memorisation: a map from keys to values that never changes, so that only weights can hold it.
//
//   k7 v2 k3 v9                      the values are answers
//
// Source: Poli et al. 2024, "Mechanistic Design and Scaling of Hybrid Architectures", arXiv:2403.17844,
// appendix B.

#include <cmath>

#include "harness/data/tasks/task.h"

namespace ablate::data {
namespace {

std::vector<std::string> words(const Params& dials) {
  std::vector<std::string> all;
  add_words(all, "k", dials.integer("keys"));
  add_words(all, "v", dials.integer("values"));
  return all;
}

std::int64_t length(const Params&, std::int64_t pairs) { return 2 * pairs + 2; }

double chance(const Params& dials) { return 1 / static_cast<double>(dials.integer("values")); }

void draw(const TaskDraw& with, Rng& rng, TaskDocument& document) {
  const std::int64_t keys = with.dials.integer("keys"), values = with.dials.integer("values");
  const Rng map = Rng(with.seed, Stream::language).fork("memorisation");
  for (std::int64_t pair = 0; pair < with.difficulty; ++pair) {
    const std::int64_t key = rng.below(keys);
    document.put(key);
    document.put(keys + map.fork(static_cast<std::uint64_t>(key)).below(values), true);
  }
  document.nats = static_cast<double>(with.difficulty) * std::log(static_cast<double>(keys));
}

}  // namespace

TaskSpec memorisation_task() {
  return {.name = "memorisation",
          .summary = "keys that have the same value in every document",
          .source = "Poli et al. 2024, arXiv:2403.17844, appendix B",
          .difficulty = {"pairs", "test_pairs", {16}, {}, 1, 1024, "pairs of a document"},
          .dials = {integer("keys", 256, 1, 16384, "keys, each with a value of its own"),
                    integer("values", 64, 2, 16384, "number of different values")},
          .refusal = nullptr,
          .words = words,
          .length = length,
          .chance = chance,
          .draw = draw};
}

}  // namespace ablate::data
