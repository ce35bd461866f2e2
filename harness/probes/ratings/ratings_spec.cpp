// What the ratings probe measures: whether a model finds likelier what people prefer.

#include <fmt/core.h>

#include "harness/probes/label_words.h"
#include "harness/probes/members.h"
#include "harness/probes/minimal_pairs/choice_files_spec.h"

namespace ablate::probes {
namespace {

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  std::vector<Metric> list;
  if (cloze_format_of(arm.objective, arm.params) == ClozeFormat::none) return list;
  const std::string subject = subject_of(params, "ratings");
  const std::string before = params.has("name") ? as_words(subject) + " " : "";
  const auto add = [&](std::string_view name, std::string_view label, Better better,
                       std::string description) -> Metric& {
    return added(list, {fmt::format("{}.{}", subject, name), fmt::format("{}{}", before, label),
                        "correlation", better, Comparable::all_arms, std::move(description)});
  };
  add("correlation", "correlation with ratings", Better::higher,
      "Spearman's correlation of people's ratings with the model's: each completion's probability "
      "in "
      "the arm's own format, as a fraction of those of all completions of the item")
      .read_against({Bound::untrained("untrained"), Bound::floor(0.0)});
  add("correlation_per_token", "correlation with ratings (score per token)", Better::higher,
      "the same with the geometric mean of the probabilities of a completion's tokens, which "
      "favours "
      "no length")
      .read_against({Bound::floor(0.0)});
  add("untrained", "correlation with ratings, untrained model", Better::neither,
      "the correlation of the model with its initial weights");
  return list;
}

Json prepare(const Params& settings, const Preparation& preparation) {
  return prepare_choices(settings, preparation, ChoiceKind::rated);
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  if (arm.language)
    return "the built-in language has no sentences that people rated; leave 'ratings' out of the "
           "probes";
  if (!params.has("path"))
    return "it needs a file of rated completions; give \"path\", a JSON Lines file or a folder of "
           "them, such as --set probes.ratings.path=wug.jsonl";
  return name_refusal(params);
}

/// Two completions of each item of a file of some hundred.
double tokens(const Params& params, const ProbedArm& arm) {
  constexpr double kItems = 400, kCompletion = 20;
  const auto asked = static_cast<double>(params.integer("per_group"));
  const bool one_each = is_told_length(cloze_format_of(arm.objective, arm.params));
  return 4 * (asked > 0 ? asked : kItems) * kCompletion * (one_each ? kCompletion : 1);
}

}  // namespace

ProbeSpec ratings_spec() {
  return {
      .name = "ratings",
      .summary = "whether the model gives a higher probability to what people rated higher",
      .subject = "Ratings",
      .params = {optional(text("path", nullptr,
                               "JSON Lines file, or folder of *.jsonl files, of {prefix, "
                               "completions, ratios, group}: a number for each completion, such "
                               "as how many people chose it; relative to the file that gives it, "
                               "or by --set to the current folder")),
                 integer("per_group", 0, 0, 1e6,
                         "how many items of each group to score, from the first on; 0: all"),
                 name_param()},
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens,
      .prepare = prepare,
      .misfits = choice_misfits,
      .version = 2};
}

}  // namespace ablate::probes
