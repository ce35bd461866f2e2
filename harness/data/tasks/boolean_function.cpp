// Parity and majority of bits.
//
//   0 1 1 0 1 = 1                    what follows the "=" is the answer
//
// Source: Hahn 2020, "Theoretical Limitations of Self-Attention in Neural Sequence Models",
// arXiv:1906.06755; Bhattamishra et al. 2023, arXiv:2211.12316.

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "harness/data/tasks/task.h"

namespace ablate::data {
namespace {

std::string refusal(const Params& dials, std::int64_t bits) {
  if (dials.text("function") == "parity" || bits % 2 == 1) return {};
  return fmt::format("{} bits may have no majority; give odd lengths", bits);
}

std::vector<std::string> words(const Params&) { return {"0", "1", "="}; }

std::int64_t length(const Params&, std::int64_t bits) { return bits + 4; }

double chance(const Params&) { return 0.5; }

void draw(const TaskDraw& with, Rng& rng, TaskDocument& document) {
  std::int64_t ones = 0;
  for (std::int64_t i = 0; i < with.difficulty; ++i) {
    const std::int64_t bit = rng.below(2);
    ones += bit;
    document.put(bit);
  }
  document.put(2);
  const bool parity = with.dials.text("function") == "parity";
  document.put(parity ? ones % 2 : (2 * ones > with.difficulty ? 1 : 0), true);
  document.nats = static_cast<double>(with.difficulty) * std::numbers::ln2;
}

}  // namespace

TaskSpec boolean_function_task() {
  return {.name = "boolean_function",
          .summary = "random bits, then their parity or their majority",
          .source = "Bhattamishra et al. 2023, arXiv:2211.12316, section 4",
          .difficulty = {"length", "test_length", {7}, {}, 1, 4096, "bits of a document"},
          .dials = {choice("function", "parity", {"parity", "majority"},
                           "the function of the bits that is asked for")},
          .refusal = refusal,
          .words = words,
          .length = length,
          .chance = chance,
          .draw = draw};
}

}  // namespace ablate::data
