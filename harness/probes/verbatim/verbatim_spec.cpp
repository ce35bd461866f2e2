// What the probe of verbatim recall measures. Without LibTorch.

#include <fmt/core.h>

#include "harness/probes/cloze/questions.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  if (cloze_format_of(arm.objective, arm.params) == ClozeFormat::none) return {};
  std::vector<Metric> list;
  const auto add = [&](std::string_view name, std::string label, std::string_view unit,
                       Better better, std::string description) -> Metric& {
    return added(list, {fmt::format("verbatim.{}", name), std::move(label), unit, better,
                        Comparable::all_arms, std::move(description)});
  };
  const auto add_pair = [&](const char* what, const char* label, std::string_view unit,
                            const std::string& description) {
    add(fmt::format("{}_training", what), fmt::format("{}, training text", label), unit,
        Better::neither, description + ", of passages of the training text");
    add(fmt::format("{}_fresh", what), fmt::format("{}, held-out text", label), unit,
        Better::neither, "the same of held-out text, which no model has read");
  };
  const std::string given =
      fmt::format("given {} tokens from the beginning of its document, and the true tokens between",
                  params.integer("prompt"));
  add("gain", "verbatim recall above that of held-out text", "fraction", Better::lower,
      "accuracy_training minus accuracy_fresh: what was learned by heart. A model that was trained "
      "for "
      "less than one pass has not read all of the training text")
      .read_against({Bound::floor(0.0)});
  add_pair("accuracy", "recall", "fraction",
           "tokens that the model gives the highest probability, " + given);
  add_pair("exact", "recall of whole passages", "fraction",
           "passages all of whose tokens are, so that greedy continuation writes them word for "
           "word");
  add_pair("loss", "loss of passages", "nats/token", "mean cost of these tokens");
  return list;
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  const std::int64_t needed =
      1 + params.integer("prompt") + params.integer("length") + kRoomForMarks;
  if (arm.context == 0 || needed <= arm.fewest_context) return {};
  return fmt::format(
      "{} tokens that are shown and {} to recall, with the marks of a format, need a context of "
      "{}; "
      "an arm has {}: give a longer context, or less of prompt and length",
      params.integer("prompt"), params.integer("length"), needed, arm.fewest_context);
}

/// One pass for each passage, or for each of its tokens where the format shows one after the other.
double tokens(const Params& params, const ProbedArm& arm) {
  const ClozeFormat format = cloze_format_of(arm.objective, arm.params);
  const auto length = static_cast<double>(params.integer("length"));
  const double passes = is_told_length(format) ? length : 1;
  return 2 * static_cast<double>(params.integer("documents")) * passes *
         (static_cast<double>(params.integer("prompt")) + length);
}

}  // namespace

ProbeSpec verbatim_spec() {
  return {.name = "verbatim",
          .summary = "how much of its training text a model can recite, beside held-out text",
          .subject = "Verbatim recall",
          .params = {integer("documents", 500, 10, 1e6,
                             "documents of the training text, and as many held-out ones, drawn by "
                             "the trial's seed from those that are long enough"),
                     integer("prompt", 16, 1, 1e5, "tokens of a document that are shown"),
                     integer("length", 16, 1, 1e5, "tokens after them, which are to be recalled")},
          .metrics = metrics,
          .refusal = refusal,
          .tokens = tokens};
}

}  // namespace ablate::probes
