// What the forgetting probe measures: the loss on every phase's corpus after every phase.

#include "harness/probes/members.h"

#include <fmt/core.h>

#include "harness/probes/label_words.h"

namespace ablate::probes {
namespace {

constexpr auto kNats = "nats/target";

std::vector<Metric> metrics(const Params&, const ProbedArm&) { return {}; }

std::vector<Metric> phase_metrics(const std::vector<PhaseAbout>& phases, bool language) {
  std::vector<Metric> list;
  if (phases.empty()) return list;
  list.push_back({"forgetting.increase_" + phases.front().name,
                  "increase of held-out loss on " + as_words(phases.front().name), kNats,
                  Better::lower, Comparable::all_arms,
                  "held-out loss on the first phase's corpus after the last phase minus that after "
                  "the first, under the first phase's objective; below 0 nothing was forgotten"});
  for (const PhaseAbout& read : phases) {
    const std::size_t first = list.size();
    const bool optimum = language && has_optimum(*read.objective, read.params);
    for (const PhaseAbout& after : phases) {
      const std::string at = fmt::format("{}_after_{}", read.name, after.name);
      const std::string on_after =
          fmt::format(" on {} after {}", as_words(read.name), as_words(after.name));
      const std::string where = fmt::format(
          " on held-out text of phase {}, under its objective, by the weights at the end of phase "
          "{}",
          read.name, after.name);
      list.push_back({"forgetting.loss_" + at, "held-out loss" + on_after, kNats, Better::lower,
                      Comparable::same_objective, "mean cost of a scored target" + where});
      if (optimum)
        list.push_back({"forgetting.excess_" + at, "held-out loss above the optimum" + on_after,
                        kNats, Better::lower, Comparable::all_arms, "loss minus optimum" + where});
    }
    if (optimum)
      list.push_back(
          {"forgetting.optimum_" + read.name,
           fmt::format("held-out loss on {}, optimum", as_words(read.name)), kNats, Better::neither,
           Comparable::same_objective,
           fmt::format(
               "loss of the exact predictor on held-out text of phase {}, under its objective",
               read.name)});
    if (optimum) add_caveats(list, first, *read.objective, read.params);
  }
  return list;
}

std::string refusal(const Params&, const ProbedArm&) { return {}; }

/// The texts of two corpora after two phases.
double tokens(const Params& params, const ProbedArm& arm) {
  return 4 * static_cast<double>(params.integer("texts") * arm.context);
}

}  // namespace

ProbeSpec forgetting_spec() {
  return {.name = "forgetting",
          .summary = "loss on every phase's corpus after every phase of training",
          .subject = "Forgetting",
          .params = {integer("texts", 400, 1, 1e6,
                             "number of held-out texts of each corpus to score, drawn by the "
                             "trial's seed; all if there are fewer")},
          .metrics = metrics,
          .refusal = refusal,
          .tokens = tokens,
          .reads_held_out = true,
          .version = 2,
          .phase_metrics = phase_metrics};
}

}  // namespace ablate::probes
