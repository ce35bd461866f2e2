// What the cloze probe measures: the cost of the same tokens under every objective, each in its own
// format.

#include <fmt/core.h>

#include "harness/probes/cloze/questions.h"
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

std::vector<Metric> metrics(const Params&, const ProbedArm& arm) {
  std::vector<Metric> list;
  const ClozeFormat format = cloze_format_of(arm.objective, arm.params);
  if (format == ClozeFormat::none) return list;
  add(list, arm, "continuation", "second half of a document | the first half");
  add(list, arm, "infill",
      "middle third of a document | both sides, or the left where an arm "
      "reads no more");
  add(list, arm, "infill_from_left", "middle third of a document | what is left of it");
  list.push_back(
      {"cloze.gain_of_right", "nats/token", Better::neither, Comparable::all_arms,
       "loss_infill_from_left minus loss_infill: what reading the right side is worth; 0 for an "
       "arm that does not. It is large, too, where an arm is bad without it"});
  if (format == ClozeFormat::told_length)
    for (Metric& metric : list)
      if (metric.better != Better::neither) metric.caveat = kTold;
  return list;
}

/// Arms that read documents up to other lengths would be asked about other tokens.
std::string refusal(const Params& params, const ProbedArm& arm) {
  if (arm.context == 0) return {};
  const std::int64_t room = arm.fewest_context - kRoomForMarks, longest = params.integer("longest");
  if (room < kFewestTokens)
    return fmt::format(
        "its passages need a context of {} tokens, and an arm has {}; give a longer context, or "
        "leave 'cloze' out of the probes",
        kFewestTokens + kRoomForMarks, arm.fewest_context);
  if (longest > room)
    return fmt::format(
        "longest = {} leaves no room for the marks of a format in a context of {}; give at most {}",
        longest, arm.fewest_context, room);
  if (longest == 0 && arm.context != arm.fewest_context)
    return fmt::format(
        "the arms differ in context, and would be asked about different tokens; give "
        "--set probes.cloze.longest={}, which all of them can read",
        room);
  return {};
}

}  // namespace

ProbeSpec cloze_spec() {
  return {.name = "cloze",
          .summary = "cost of the same tokens under every objective, each in its own format",
          .params = {integer("documents", 100, 1, 1e6,
                             "held-out documents of which three passages each are scored, drawn by "
                             "the trial's seed; all where there are fewer"),
                     integer("longest", 0, 0, 1e6,
                             "tokens to which a document is cut, its begin token among them; 0: 4 "
                             "less than the context, which leaves room for the marks of a format")},
          .metrics = metrics,
          .refusal = refusal,
          .reads_held_out = true};
}

}  // namespace ablate::probes
