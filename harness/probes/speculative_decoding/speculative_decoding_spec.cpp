// What the probe of self-speculative decoding measures.

#include <fmt/core.h>

#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

/// Whether an arm has heads that draft the text which its first head continues.
bool drafts(const ProbedArm& arm) {
  if (generation_of(arm.objective, arm.params) != Generation::ancestral || arm.offer.encoder)
    return false;
  const std::vector<HeadNeed> further = arm.further_heads();
  return !further.empty() && further.front().traits.ahead > 1;
}

std::vector<Metric> metrics(const Params&, const ProbedArm& arm) {
  std::vector<Metric> list;
  if (!drafts(arm)) return list;
  const auto add = [&](const std::string& name, const std::string& label, std::string_view unit,
                       Better better, const char* description, const char* caveat = "") -> Metric& {
    return added(list, {"speculative_decoding." + name, label, unit, better, Comparable::all_arms,
                        description, caveat});
  };
  add("agreement", "agreement with greedy decoding", "fraction", Better::higher,
      "fraction of prompts that greedy speculative decoding continues as plain greedy decoding "
      "does, token for token; 1: lossless");
  add("tokens_per_forward", "tokens per forward pass", "tokens", Better::higher,
      "tokens drawn by greedy decoding over forwards of the model; plain decoding has 1")
      .read_against({Bound::untrained("untrained_tokens_per_forward")});
  add("expected_tokens_per_forward", "tokens per forward pass, expected", "tokens", Better::neither,
      "the same predicted from the acceptances: 1 plus, for each head, the product of the "
      "acceptances up to it; higher than the measured value if texts end in the middle of drafts");
  add("sampled_tokens_per_forward", "tokens per forward pass (sampling)", "tokens", Better::higher,
      "tokens per forward pass if tokens are sampled at the probe's temperature, not greedily")
      .read_against({Bound::floor(1.0)});
  add("untrained_tokens_per_forward", "tokens per forward pass, untrained model", "tokens",
      Better::neither,
      "tokens_per_forward of the model with its initial weights, on the first 32 prompts");
  const std::size_t further = arm.further_heads().size();
  for (std::size_t head = 2; head < further + 2; ++head) {
    add(fmt::format("acceptance_head_{}", head), fmt::format("acceptance of head {}", head),
        "fraction", Better::higher,
        "fraction of this head's greedy drafts that the first head confirms, given that it "
        "confirmed the drafts before")
        .read_against({Bound::untrained(fmt::format("untrained_acceptance_head_{}", head))})
        .indexed_by(static_cast<std::int64_t>(head));
    add(fmt::format("untrained_acceptance_head_{}", head),
        fmt::format("acceptance of head {}, untrained model", head), "fraction", Better::neither,
        "the same for the model with its initial weights, on the first 32 prompts")
        .indexed_by(static_cast<std::int64_t>(head));
  }
  add("predicted_speedup", "predicted speed-up", "ratio", Better::neither,
      "positions that plain greedy decoding reads divided by those that speculative decoding "
      "reads, both without a cache of keys and values, each times the weights that it multiplies a "
      "position by, including those of the further heads when they draft");
  add("measured_speedup", "measured speed-up", "ratio", Better::neither,
      "seconds of plain greedy decoding over those of speculative decoding, without a cache, in "
      "turns on the same texts",
      "it is a time: it differs between runs and machines");
  return list;
}

/// Texts that are drawn four times (greedy and sampled, plainly and with drafts), token by token.
double tokens(const Params& params, const ProbedArm& arm) {
  if (arm.objective.further_heads == nullptr) return 0;
  const auto drawn = static_cast<double>(params.integer("tokens"));
  const double length = static_cast<double>(params.integer("prompt")) + drawn;
  return 4 * static_cast<double>(params.integer("prompts")) * drawn * length;
}

}  // namespace

ProbeSpec speculative_decoding_spec() {
  return {
      .name = "speculative_decoding",
      .summary =
          "the further heads of multi-token prediction draft tokens and the first verifies them: "
          "tokens per forward pass, speed-up, and whether the text stays the same",
      .subject = "Speculative decoding",
      .params = {integer("prompts", 200, 1, 1e5,
                         "number of held-out documents whose beginnings are continued; the trial's "
                         "seed draws them"),
                 integer("prompt", 8, 0, 1e5, "tokens of each document that are given"),
                 integer("tokens", 24, 1, 1e5, "maximum number of tokens to draw"),
                 number("temperature", 1, 0.05, 5, "temperature of the draws that are not greedy")},
      .metrics = metrics,
      .tokens = tokens,
      .version = 4};
}

}  // namespace ablate::probes
