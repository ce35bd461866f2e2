// What the minimal-pairs probe measures: how often a model finds the right one of several sentences
// the likeliest.

#include <fmt/core.h>

#include "harness/probes/label_words.h"
#include "harness/probes/members.h"
#include "harness/probes/minimal_pairs/choice_files_spec.h"

namespace ablate::probes {
namespace {

constexpr auto kPseudo =
    "a pseudo-log-likelihood is not a likelihood, and its sums are not comparable with one: "
    "compare accuracies by pseudo-log-likelihood only with one another";

/// Under "SUBJECT.".
class MetricList {
 public:
  explicit MetricList(const Params& params)
      : subject_(subject_of(params, "minimal_pairs")),
        labelled_(as_words(subject_of(params, "minimal-pair"))) {}

  Metric& add(std::string_view name, std::string_view label, Better better,
              std::string_view description, std::string_view caveat = "") {
    return added(list_, {fmt::format("{}.{}", subject_, name),
                         fmt::format("{} {}", labelled_, label), "fraction", better,
                         Comparable::all_arms, std::string(description), std::string(caveat)});
  }

  std::vector<Metric> take() { return std::move(list_); }

 private:
  std::string subject_, labelled_;  // of names and of labels
  std::vector<Metric> list_;
};

/// First the two that a reader is to see first: of pairs that no length favours, and of all.
void add_likelihood(MetricList& list) {
  list.add("accuracy_equal_length", "accuracy (equal length)", Better::higher,
           "the accuracy on the items whose completions have equally many tokens, which no length "
           "favours: a model for which all tokens are equally likely has exactly 1/2 of pairs")
      .read_against({Bound::untrained("untrained_equal_length"), Bound::chance("chance")})
      .scores_task();
  list.add("untrained_equal_length", "accuracy (equal length), untrained model", Better::neither,
           "the same for the model with its initial weights: the floor");
  list.add("accuracy", "accuracy", Better::higher,
           "fraction of items whose right completion has the highest probability (the sum over its "
           "tokens, as BLiMP reports it) in the arm's own format, left to right and at temperature "
           "1; the mean over groups; a tie of two counts a half. It favours short completions")
      .read_against({Bound::untrained("untrained"), Bound::chance("chance")})
      .scores_task();
  list.add("untrained", "accuracy, untrained model", Better::neither,
           "the same for the model with its initial weights: the floor");
  list.add("chance", "accuracy, chance", Better::neither, "accuracy of choosing at random");
  list.add("accuracy_per_token", "accuracy (score per token)", Better::higher,
           "accuracy by log-probability per token: a model for which all tokens are equally likely "
           "has exactly 1/2 of pairs, as on those of equal length")
      .read_against({Bound::chance("chance")});
  list.add("accuracy_per_character", "accuracy (score per character)", Better::higher,
           "accuracy by log-probability per character")
      .read_against({Bound::chance("chance")});
  list.add("equal_length", "share of equal-length items", Better::neither,
           "fraction of items whose completions have equally many tokens");
  list.add("item_error", "accuracy, item standard error", Better::neither,
           "standard error of the accuracy over items: what other items of the same groups would "
           "change");
  list.add("item_error_equal_length", "accuracy (equal length), item standard error",
           Better::neither, "the same of accuracy_equal_length");
}

void add_pseudo(MetricList& list) {
  list.add("pseudo_accuracy", "PLL accuracy", Better::higher,
           "accuracy by pseudo-log-likelihood, at temperature 1: each token given both sides, "
           "without the later tokens of its word (Kauf and Ivanova 2023, arXiv:2305.10588). A word "
           "is what stands between white space, whatever the tokenizer: of bytes and characters, "
           "too",
           kPseudo)
      .read_against({Bound::untrained("pseudo_untrained"), Bound::chance("chance")});
  list.add("pseudo_accuracy_equal_length", "PLL accuracy (equal length)", Better::higher,
           "the same on the items whose completions have equally many tokens", kPseudo)
      .read_against({Bound::untrained("pseudo_untrained_equal_length"), Bound::chance("chance")});
  list.add("pseudo_untrained", "PLL accuracy, untrained model", Better::neither,
           "pseudo_accuracy of the model with its initial weights: the floor", kPseudo);
  list.add("pseudo_untrained_equal_length", "PLL accuracy (equal length), untrained model",
           Better::neither, "the same of pseudo_accuracy_equal_length", kPseudo);
  list.add(
      "pseudo_item_error", "PLL accuracy, item standard error", Better::neither,
      "standard error of pseudo_accuracy over items: what other items of the same groups would "
      "change",
      kPseudo);
  list.add("pseudo_item_error_equal_length", "PLL accuracy (equal length), item standard error",
           Better::neither, "the same of pseudo_accuracy_equal_length", kPseudo);
  list.add("pseudo_accuracy_per_token", "PLL accuracy (score per token)", Better::higher,
           "the same by pseudo-log-likelihood per token", kPseudo)
      .read_against({Bound::chance("chance")});
  list.add("pseudo_accuracy_per_character", "PLL accuracy (score per character)", Better::higher,
           "the same by pseudo-log-likelihood per character", kPseudo)
      .read_against({Bound::chance("chance")});
  list.add("pseudo_accuracy_original", "PLL accuracy (original)", Better::higher,
           "accuracy by the pseudo-log-likelihood that gives each token all others (Salazar et al. "
           "2020, arXiv:1910.14659); it inflates words of many tokens",
           kPseudo)
      .read_against({Bound::chance("chance")});
  list.add("pseudo_accuracy_whole_word", "PLL accuracy (whole word)", Better::higher,
           "accuracy by that which gives each token all other words; it penalises long words",
           kPseudo)
      .read_against({Bound::chance("chance")});
}

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  const ClozeFormat format = cloze_format_of(arm.objective, arm.params);
  if (format == ClozeFormat::none) return {};
  MetricList list(params);
  add_likelihood(list);
  for (const Json& field : params.list("fields"))
    list.add(fmt::format("accuracy_{}", field.get<std::string>()),
             fmt::format("accuracy ({})", as_words(field.get<std::string>())), Better::higher,
             fmt::format("accuracy on the items of field '{}'", field.get<std::string>()))
        .read_against({Bound::chance("chance")});
  if (format != ClozeFormat::told_length) return list.take();
  add_pseudo(list);
  for (const Json& field : params.list("fields"))
    list.add(fmt::format("pseudo_accuracy_{}", field.get<std::string>()),
             fmt::format("PLL accuracy ({})", as_words(field.get<std::string>())), Better::higher,
             fmt::format("pseudo_accuracy on the items of field '{}'", field.get<std::string>()),
             kPseudo)
        .read_against({Bound::chance("chance")});
  return list.take();
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

/// Two short sentences of each item; of an unknown number of groups, as many as BLiMP has. A model
/// that is told the length reads a sentence once for each token, by each pseudo-log-likelihood.
double tokens(const Params& params, const ProbedArm& arm) {
  constexpr double kGroups = 67, kItems = 1000, kSentence = 12;
  const auto asked = static_cast<double>(params.integer("per_group"));
  const bool one_each = is_told_length(cloze_format_of(arm.objective, arm.params));
  return 2 * kGroups * (asked > 0 ? asked : kItems) * kSentence * (one_each ? 6 * kSentence : 2);
}

}  // namespace

ProbeSpec minimal_pairs_spec() {
  return {
      .name = "minimal_pairs",
      .summary =
          "how often the right one of several sentences is the most probable (BLiMP and similar "
          "sets)",
      .subject = "Minimal pairs",
      .params = {optional(text("path", nullptr,
                               "JSON Lines file, or folder of *.jsonl files, of BLiMP's form "
                               "(sentence_good, sentence_bad, UID, field) or of {prefix, "
                               "completions, label, group, field}; relative to the file that gives "
                               "it, or by --set to the current folder")),
                 integer("per_group", 30, 0, 1e6,
                         "how many items of each group (BLiMP's paradigms) to score, from the "
                         "first on; 0: all"),
                 list("fields", {"morphology", "semantics", "syntax", "syntax_semantics"},
                      {text("", nullptr, "a value of \"field\"")}, 100,
                      "fields whose accuracy is reported separately; by default BLiMP's"),
                 name_param()},
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens,
      .prepare = prepare,
      .misfits = choice_misfits,
      .version = 3};
}

}  // namespace ablate::probes
