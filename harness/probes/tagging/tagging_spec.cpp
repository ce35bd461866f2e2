// What the tagging probe measures: how well a linear model tags words from frozen hidden states.

#include <fmt/core.h>

#include "harness/probes/label_words.h"
#include "harness/probes/lengths/misfits_spec.h"
#include "harness/probes/members.h"
#include "harness/probes/tagging/tagged_files_spec.h"

namespace ablate::probes {
namespace {

std::vector<Metric> metrics(const Params& params, const ProbedArm&) {
  std::vector<Metric> list;
  const std::string subject = subject_of(params, "tagging");
  const std::string before = params.has("name") ? as_words(subject) + " " : "";
  const auto add = [&](std::string_view name, std::string_view label, Better better,
                       std::string_view description) -> Metric& {
    return added(list, {fmt::format("{}.{}", subject, name), fmt::format("{}{}", before, label),
                        "fraction", better, Comparable::all_arms, std::string(description)});
  };
  add("f1", "entity F1", Better::higher,
      "F1 of the entities of test sentences, by exact borders and type (strict IOB2: only a B tag "
      "opens an entity); those beyond the model's context count as missed. A linear model on the "
      "frozen hidden states tags each word by its first token; layer and regularisation are chosen "
      "on development sentences")
      .read_against({Bound::untrained("untrained_f1")});
  add("untrained_f1", "entity F1, untrained model", Better::neither,
      "the same for the model with its initial weights: the floor");
  add("accuracy", "tagging accuracy", Better::higher,
      "fraction of test words within the context that are tagged correctly")
      .read_against({Bound::untrained("untrained"), Bound::majority("majority")})
      .scores_task();
  add("untrained", "tagging accuracy, untrained model", Better::neither,
      "the same for the model with its initial weights: the floor of the accuracy");
  add("majority", "tagging accuracy, majority class", Better::neither,
      "accuracy of always giving the most frequent tag");
  add("selectivity", "tagging selectivity", Better::higher,
      "accuracy minus that of the same probe for tags that depend on a word's first token and "
      "nothing else: what the probe could have learned by heart")
      .read_against({Bound::floor(0.0)});
  add("beyond_context", "share of entities beyond the context", Better::neither,
      "fraction of the entities of test sentences that end beyond the context, and so are missed");
  return list;
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  if (arm.language)
    return "the built-in language has no tagged words of a file; its hidden states are measured by "
           "the probe 'hidden_state'; leave 'tagging' out of the probes";
  if (!params.has("train") || !params.has("test"))
    return "it needs tagged words; give 'train' and 'test', files with a word, a tab and its tag "
           "in "
           "a line and blank lines between sentences, such as --set probes.tagging.train=FILE";
  return name_refusal(params);
}

/// All sentences under the model and its initial weights; linear models of every layer on the words.
double tokens(const Params& params, const ProbedArm&) {
  constexpr double kSentence = 25;
  const auto of = [&](const char* name) { return static_cast<double>(params.integer(name)); };
  const double fitted = of("training_sentences") + of("development_sentences");
  return 2 * kSentence * (fitted + of("test_sentences") + kTokensOfFit * fitted);
}

/// Sentences that are cut: their last words are not tagged.
Misfits misfits(const Json& prepared, const Params&, const ProbedArm& arm,
                const std::filesystem::path& cache) {
  const auto corpus = prepared_corpus(prepared, "tagged", cache);
  if (!corpus) return {};
  auto sentences = prepared_documents(corpus->training());
  const auto tested = prepared_documents(corpus->held_out());
  sentences.insert(sentences.end(), tested.begin(), tested.end());
  return cut_documents("tagged sentences", sentences, arm.context);
}

}  // namespace

ProbeSpec tagging_spec() {
  constexpr double kMaxSentences = 1e6;
  return {
      .name = "tagging",
      .summary = "entity F1 of a linear probe that tags words from frozen hidden states",
      .subject = "Tagging",
      .params = {integer("training_sentences", 600, 10, kMaxSentences,
                         "sentences used to fit the probe; the trial's seed draws them"),
                 integer("development_sentences", 200, 10, kMaxSentences,
                         "sentences used to choose the layer and the regularisation"),
                 integer("test_sentences", 1000, 10, kMaxSentences, "sentences that are scored"),
                 optional(
                     text("train", nullptr,
                          "file of tagged training and development sentences in CoNLL's form, with "
                          "tags in IOB2, IOB1, IOBES, BILOU or BMES; relative to the file that "
                          "gives it, or by --set to the current "
                          "folder")),
                 optional(text("test", nullptr, "file of tagged test sentences")), name_param()},
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens,
      .prepare = prepare_tagged,
      .misfits = misfits,
      .version = 3};
}

}  // namespace ablate::probes
