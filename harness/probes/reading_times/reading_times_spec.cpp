// What the reading-times probe measures: whether people read the longer what surprises a model.

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/probes/label_words.h"
#include "harness/probes/members.h"
#include "harness/probes/minimal_pairs/choice_files_spec.h"
#include "harness/probes/reading_times/surprisal_gain.h"

namespace ablate::probes {
namespace {

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  std::vector<Metric> list;
  const ClozeFormat format = cloze_format_of(arm.objective, arm.params);
  if (format == ClozeFormat::none) return list;
  const std::string subject = subject_of(params, "reading_times");
  const std::string labelled = as_words(subject_of(params, "reading-time"));
  const auto add = [&](std::string_view name, std::string_view label, std::string_view unit,
                       Better better, std::string description) -> Metric& {
    return added(list, {fmt::format("{}.{}", subject, name), fmt::format("{} {}", labelled, label),
                        unit, better, Comparable::all_arms, std::move(description)});
  };
  add("gain", "log-likelihood gain", "nats/word", Better::higher,
      "how much more probable a regression with the word's surprisal, in the arm's own format, "
      "finds its reading time than one on only its length, rarity and position; on words that "
      "neither was fitted to. Below 0 it explains nothing")
      .read_against({Bound::floor(0.0)});
  add("untrained", "log-likelihood gain, untrained model", "nats/word", Better::neither,
      "gain of the model with its initial weights: the floor");
  add("r2_gain", "gain in explained variance", "fraction", Better::higher,
      "fraction of the variance left by the regression without surprisal that it explains, on the "
      "words that both were fitted to: the score of the BabyLM challenge; never below 0")
      .read_against({Bound::untrained("untrained_r2_gain")});
  add("untrained_r2_gain", "gain in explained variance, untrained model", "fraction",
      Better::neither, "r2_gain of the model with its initial weights");
  add("baseline_r2", "explained variance, without surprisal", "fraction", Better::neither,
      "variance that length, rarity, position and their products explain: the same for all arms "
      "of a seed");
  add("correlation", "correlation with surprisal", "correlation", Better::higher,
      "Spearman's correlation of surprisal and reading time; long and rare words have both")
      .read_against({Bound::floor(0.0)});
  if (is_told_length(format))
    for (Metric& metric : list)
      if (metric.better != Better::neither)
        metric.caveat =
            "its format is told the number of tokens of each word, and that no text "
            "follows it";
  return list;
}

/// Refuses words that no regression could explain.
void check_times(const std::vector<Choice>& words) {
  if (words.size() < kFewestWords)
    reject("reading_times: the file has {} words, too few for a regression; give at least {}",
           words.size(), kFewestWords);
  const auto as_first = [&](const Choice& word) { return word.ratios == words.front().ratios; };
  if (std::all_of(words.begin(), words.end(), as_first))
    reject("reading_times: all times of the file are equal, so nothing can explain them");
}

Json prepare(const Params& settings, const Preparation& preparation) {
  if (settings.has("path"))
    check_times(
        read_choices(preparation.folder_of("path") / settings.text("path"), ChoiceKind::timed));
  return prepare_choices(settings, preparation, ChoiceKind::timed);
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  if (arm.language)
    return "nobody has read the built-in language; leave 'reading_times' out of the probes";
  if (!params.has("path"))
    return "it needs a file of words with their reading times; give \"path\", a JSON Lines file or "
           "a folder of them, such as --set probes.reading_times.path=times.jsonl";
  if (arm.context != arm.fewest_context)
    return fmt::format(
        "the arms differ in context ({} and {}), and those that read less would be asked about "
        "fewer "
        "words; give all the same",
        arm.context, arm.fewest_context);
  return name_refusal(params);
}

/// A word after half a context each, by the trained and the initial weights.
double tokens(const Params& params, const ProbedArm& arm) {
  constexpr double kWords = 2000, kTokensOfWord = 2;
  const auto asked = static_cast<double>(params.integer("per_group"));
  const bool one_each = is_told_length(cloze_format_of(arm.objective, arm.params));
  return 2 * (asked > 0 ? asked : kWords) * static_cast<double>(arm.context) / 2 *
         (one_each ? kTokensOfWord : 1);
}

}  // namespace

ProbeSpec reading_times_spec() {
  return {.name = "reading_times",
          .summary = "how well the model's surprisals explain how long people read words",
          .subject = "Reading times",
          .params = {optional(text(
                         "path", nullptr,
                         "JSON Lines file, or folder of *.jsonl files, of {prefix, completions, "
                         "ratios, group}, with a line for each word in the order of the text: one "
                         "completion, the word, and one ratio, its reading time. Relative to the "
                         "file that gives it, or by --set to the current folder")),
                     integer("per_group", 0, 0, 1e6,
                             "how many words of each group to score, from the first on; 0: all"),
                     name_param()},
          .metrics = metrics,
          .refusal = refusal,
          .tokens = tokens,
          .prepare = prepare,
          .misfits = choice_misfits,
          .version = 2};
}

}  // namespace ablate::probes
