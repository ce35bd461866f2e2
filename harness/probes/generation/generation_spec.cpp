// What the generation probe measures about text drawn from a model.

#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

constexpr auto kTold = "unmasking is told the length and the end token of each text";

void add_likelihoods(std::vector<Metric>& list, bool ancestral) {
  constexpr auto kNats = "nats/token";
  list.push_back({"generation.log_probability", kNats, Better::higher, Comparable::all_arms,
                  "exact log-probability of the samples under the language, impossible ones left "
                  "out; above generation.reference the sampler is sharper than the language, not "
                  "better"});
  list.push_back(
      {"generation.impossible", "fraction", Better::lower, Comparable::all_arms,
       "fraction of samples that the language cannot generate: they end where no document "
       "does, or contain ids that stand for no text"});
  list.push_back(
      {"generation.reference", kNats, Better::neither, Comparable::all_arms,
       "the same for held-out documents truncated to the same length: what a perfect sampler "
       "reaches"});
  if (!ancestral) return;
  list.push_back({"generation.entropy", kNats, Better::neither, Comparable::all_arms,
                  "minus the model's own log-probability of its samples"});
  list.push_back({"generation.divergence", kNats, Better::lower, Comparable::all_arms,
                  "Kullback-Leibler divergence of the model from the language, estimated on the "
                  "possible samples: E[log q - log p]"});
}

bool can_generate(const ProbedArm& arm) {
  return arm.objective.generation != Generation::none && !arm.offer.encoder;
}

std::vector<Metric> metrics(const Params&, const ProbedArm& arm) {
  std::vector<Metric> list;
  if (!can_generate(arm)) return list;
  const bool ancestral = arm.objective.generation == Generation::ancestral;
  if (arm.language) add_likelihoods(list, ancestral);
  const auto add = [&](const char* name, const char* description) {
    list.push_back({name, "fraction", Better::neither, Comparable::all_arms, description});
  };
  add("generation.distinct_1",
      "distinct tokens over tokens of the samples; no direction is better: "
      "compare with held-out text, in the details");
  add("generation.distinct_2", "distinct pairs of adjacent tokens over all such pairs");
  add("generation.distinct_3", "distinct runs of three tokens over all such runs");
  add("generation.repetition",
      "fraction of runs of four tokens that occurred earlier in the same sample");
  if (!ancestral)
    for (Metric& metric : list)
      if (metric.better != Better::neither) metric.caveat = kTold;
  return list;
}

}  // namespace

ProbeSpec generation_spec() {
  return {
      .name = "generation",
      .summary = "text drawn from the model: its probability under the language, its variety",
      .params = {integer("samples", 64, 1, 1e5, "texts that are drawn"),
                 integer("length", 0, 0, 1e5, "maximum tokens of a text; 0: the model's context"),
                 number("temperature", 1, 0.05, 5, "of the model's distribution at each draw"),
                 optional(integer("top_k", nullptr, 1, 1e6,
                                  "draw among the most probable tokens alone, of this number")),
                 optional(number("top_p", nullptr, 1e-6, 1,
                                 "draw among the fewest most probable tokens whose probabilities "
                                 "add up to this; after top_k where both are given")),
                 integer("prompt", 0, 0, 1e5,
                         "tokens of a held-out document that each sample continues; the trial's "
                         "seed draws the documents"),
                 integer("steps", 32, 0, 1e5,
                         "rounds of iterative unmasking; 0: one position per round, the most "
                         "accurate and the slowest; not used where text is drawn left to right")},
      .metrics = metrics,
      .version = 2};
}

}  // namespace ablate::probes
