// What the cloze probe measures: the cost of the same tokens under every objective, each in its own
// format.

#include <fmt/core.h>

#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

constexpr auto kTold = "its format is told the number of tokens";

/// The metrics of one question: `about` is part of their names, `what` of their descriptions.
void add(std::vector<Metric>& list, const ProbedArm& arm, std::string_view about,
         std::string_view what) {
  const auto one = [&](std::string_view name, Better better, std::string description,
                       std::string_view unit = "nats/token") {
    list.push_back({fmt::format("cloze.{}_{}", name, about), unit, better, Comparable::all_arms,
                    std::move(description)});
  };
  one("loss", Better::lower, fmt::format("-log P({}), in the arm's own format", what));
  one("context_free", Better::neither,
      "the same of the best predictor that sees no context: the floor");
  if (arm.language)
    one("optimum", Better::neither,
        "the same of the exact predictor of the language that reads what the arm's format shows; "
        "where that shows both sides, it also knows the number of tokens, and so is a lower bound");
  else
    one("bits_per_byte", Better::lower, fmt::format("-log2 P({}) over its UTF-8 bytes", what),
        "bits/byte");
}

std::vector<Metric> metrics(const ProbedArm& arm) {
  std::vector<Metric> list;
  const auto format_of = arm.objective.cloze_format;
  const ClozeFormat format = format_of ? format_of(arm.params) : ClozeFormat::none;
  if (format == ClozeFormat::none) return list;
  add(list, arm, "continuation", "second half of a document | the first half");
  add(list, arm, "infill",
      "middle third of a document | both sides, or the left where an arm "
      "reads no more");
  add(list, arm, "infill_from_left", "middle third of a document | what is left of it");
  list.push_back(
      {"cloze.gain_of_right", "nats/token", Better::higher, Comparable::all_arms,
       "loss_infill_from_left minus loss_infill: what reading the right side is worth; 0 "
       "for an arm that does not"});
  if (format == ClozeFormat::told_length)
    for (Metric& metric : list)
      if (metric.better != Better::neither) metric.caveat = kTold;
  return list;
}

}  // namespace

ProbeSpec cloze_spec() {
  return {.name = "cloze",
          .summary = "cost of the same tokens under every objective, each in its own format",
          .params = {integer("documents", 100, 1, 1e6,
                             "held-out documents of which three passages each are scored, drawn by "
                             "the trial's seed; all where there are fewer")},
          .metrics = metrics,
          .reads_held_out = true};
}

}  // namespace ablate::probes
