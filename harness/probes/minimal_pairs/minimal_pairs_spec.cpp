// What the minimal-pairs probe measures: how often a model finds the right one of several sentences
// the likeliest.

#include <fmt/core.h>

#include "harness/probes/members.h"
#include "harness/probes/minimal_pairs/choice_files_spec.h"

namespace ablate::probes {
namespace {

constexpr auto kPseudo =
    "a pseudo-log-likelihood is no probability: its ranking may be set beside others', its value "
    "not";

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  std::vector<Metric> list;
  const ClozeFormat format = cloze_format_of(arm.objective, arm.params);
  if (format == ClozeFormat::none) return list;
  const std::string subject = subject_of(params, "minimal_pairs");
  const auto add = [&](std::string_view name, Better better, std::string description) {
    list.push_back({fmt::format("{}.{}", subject, name), "fraction", better, Comparable::all_arms,
                    std::move(description)});
  };
  add("accuracy", Better::higher,
      "fraction of items whose right completion has the highest probability in the arm's own "
      "format, "
      "left to right; the mean over groups; a tie of two counts a half");
  add("untrained", Better::neither, "the same for the model with its initial weights: the floor");
  add("chance", Better::neither, "accuracy of choosing at random");
  add("accuracy_per_token", Better::higher, "accuracy by log-probability per token");
  add("accuracy_per_character", Better::higher, "accuracy by log-probability per character");
  add("accuracy_equal_length", Better::higher,
      "accuracy on the items whose completions have equally many tokens, which no length favours");
  add("equal_length", Better::neither, "fraction of items of that kind");
  add("item_error", Better::neither,
      "standard error of the accuracy over items: what other items of the same groups would "
      "change");
  for (const Json& field : params.list("fields"))
    add(fmt::format("accuracy_{}", field.get<std::string>()), Better::higher,
        fmt::format("accuracy on the items of field '{}'", field.get<std::string>()));
  if (format != ClozeFormat::told_length) return list;
  const std::size_t first = list.size();
  add("pseudo_accuracy", Better::higher,
      "accuracy by pseudo-log-likelihood: each token given both sides, without the later tokens of "
      "its word (Kauf and Ivanova 2023, arXiv:2305.10588)");
  add("pseudo_accuracy_original", Better::higher,
      "the same where each token is given all others (Salazar et al. 2020, arXiv:1910.14659)");
  add("pseudo_accuracy_whole_word", Better::higher,
      "the same where each token is given all other words");
  for (std::size_t i = first; i < list.size(); ++i) list[i].caveat = kPseudo;
  return list;
}

Json prepare(const Params& settings, const Preparation& preparation) {
  return prepare_choices(settings, preparation, ChoiceKind::labelled);
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  if (arm.language)
    return "the built-in language has no sentences of a file; leave 'minimal_pairs' out of the "
           "probes";
  if (!params.has("path"))
    return "it needs a file of pairs; give \"path\", a JSON Lines file or a folder of them, such "
           "as "
           "--set probes.minimal_pairs.path=blimp";
  return name_refusal(params);
}

}  // namespace

ProbeSpec minimal_pairs_spec() {
  return {
      .name = "minimal_pairs",
      .summary =
          "how often the right one of several sentences is the likeliest (BLiMP and its like)",
      .params = {optional(text("path", nullptr,
                               "JSON Lines file, or folder of *.jsonl files, of BLiMP's form "
                               "(sentence_good, sentence_bad, UID, field) or of {prefix, "
                               "completions, label, group, field}; relative to the file that gives "
                               "it, or by --set to the current folder")),
                 integer("per_group", 30, 0, 1e6,
                         "items of each group (BLiMP's paradigms) that are scored: its first ones; "
                         "0: all"),
                 list("fields", {"morphology", "semantics", "syntax", "syntax_semantics"},
                      {text("", nullptr, "a value of \"field\"")}, 100,
                      "fields whose accuracy is reported apart; those of BLiMP by default"),
                 name_param()},
      .metrics = metrics,
      .refusal = refusal,
      .prepare = prepare};
}

}  // namespace ablate::probes
