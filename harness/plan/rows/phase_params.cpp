// The table of a phase's parameters.

#include "harness/plan/rows/phase_params.h"

#include <vector>

namespace ablate::plan {

std::span<const Param> phase_params() {
  static const std::vector<Param> rows = {
      text("name", nullptr, "name of the phase, as used in metrics and ledgers"),
      section("budget",
              {optional(number("tokens", nullptr, 1, 1e15,
                               "raw tokens of text read, not counting begin tokens and pads")),
               optional(number("positions", nullptr, 1, 1e15,
                               "positions of text read: batch x context in a step")),
               optional(number("targets", nullptr, 1, 1e15, "targets predicted")),
               optional(number("flops", nullptr, 1, 1e25, "training FLOPs")),
               optional(number("steps", nullptr, 1, 1e12, "optimizer steps")),
               optional(number("share", nullptr, 1e-9, 1, "fraction of train.budget"))},
              "what the phase may spend; give exactly one of these"),
      optional(number("learning_rate", nullptr, 1e-9, 10, "peak learning rate of the phase")),
      optional(choice("schedule", nullptr, {"constant", "cosine", "linear", "warmup_stable_decay"},
                      "shape of the learning rate over the phase's budget, after its warm-up")),
      optional(number("warmup", nullptr, 0, 1,
                      "fraction of the phase's budget over which the learning rate rises from 0")),
      optional(number("decay", nullptr, 0, 1,
                      "fraction of the phase's budget over which warmup_stable_decay decays")),
      optional(number("final_rate", nullptr, 0, 1,
                      "final learning rate of the phase, as a fraction of its peak")),
      optional(integer("context", nullptr, 1, 1 << 20, "tokens in a text of the phase")),
  };
  return rows;
}

}  // namespace ablate::plan
