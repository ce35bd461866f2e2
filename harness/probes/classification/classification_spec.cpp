// What the classification probe measures: how well a linear model predicts the labels of documents
// from frozen hidden states.

#include <fmt/core.h>

#include "harness/probes/classification/labelled_files_spec.h"
#include "harness/probes/label_words.h"
#include "harness/probes/lengths/misfits_spec.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  const bool language = arm.language;
  const std::string of = subject_of(params, language ? "topic" : "label");
  const std::string subject = as_words(of);
  std::vector<Metric> list;
  const auto add = [&](const char* name, const char* label, Better better,
                       const char* description) -> Metric& {
    return added(list, {fmt::format("{}.{}", of, name), fmt::format("{} {}", subject, label),
                        "fraction", better, Comparable::all_arms, description});
  };
  add("accuracy", "accuracy", Better::higher,
      "fraction of test documents that a linear model on the frozen hidden states classifies "
      "correctly; layer, pooling and regularisation are chosen on development documents")
      .read_against({only_if(language, Bound::ceiling("bayes")), Bound::untrained("untrained"),
                     Bound::majority("majority")})
      .scores_task();
  add("untrained", "accuracy, untrained model", Better::neither,
      "the same for the model with its initial weights: the floor");
  add("majority", "accuracy, majority class", Better::neither,
      "accuracy of always predicting the most frequent training label");
  add("macro_f1", "macro F1", Better::higher,
      "the accuracy's classifications as the mean F1 over labels")
      .read_against({Bound::untrained("untrained_macro_f1")});
  add("untrained_macro_f1", "macro F1, untrained model", Better::neither,
      "the same for untrained: the floor of macro_f1");
  add("selectivity", "selectivity", Better::higher,
      "accuracy minus that of the same probe for labels that depend on a document's first token "
      "and "
      "nothing else: what the probe could have learned by heart")
      .read_against({Bound::floor(0.0)});
  added(list, {fmt::format("{}.compression", of), subject + " MDL compression", "ratio",
               Better::higher, Comparable::all_arms,
               "bits of the training labels without a model over their bits in the probe's "
               "online code: 1 tells nothing, more tells the labels from few documents"})
      .read_against({Bound::floor(1.0)});
  for (const std::int64_t count : label_counts(params))
    added(list, {fmt::format("{}.accuracy_{}", of, count),
                 fmt::format("{} accuracy from {} labels", subject, count), "fraction",
                 Better::higher, Comparable::all_arms,
                 fmt::format("the accuracy of a probe that is fitted to {} of the training "
                             "documents, chosen on the same development documents",
                             count)})
        .read_against({Bound::majority("majority")})
        .indexed_by(count);
  if (language)
    add("bayes", "accuracy, ceiling", Better::neither,
        "accuracy of the exact posterior of the topic given the tokens that the model reads: the "
        "ceiling");
  if (!params.has("name"))
    for (Metric& metric : list)
      metric.subject = language ? "Classification by topic" : "Classification";
  return list;
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  if (params.text("pair_features") == "apart" && !params.has("pair_field"))
    return "pair_features = \"apart\" reads both texts of a pair, but 'pair_field' names no second "
           "text; give it, or leave pair_features out";
  const std::string counts = label_counts_refusal(params);
  return counts.empty() ? labelled_refusal(params, arm) : counts;
}

/// All documents under the model and its initial weights; linear models of every layer.
double tokens(const Params& params, const ProbedArm& arm) {
  const auto of = [&](const char* name) { return static_cast<double>(params.integer(name)); };
  const double fitted = of("training_documents") + of("development_documents");
  return 2 * ((fitted + of("test_documents")) * static_cast<double>(arm.context) +
              kTokensOfFit * fitted);
}

}  // namespace

ProbeSpec classification_spec() {
  std::vector<Param> params = labelled_params();
  params.push_back(choice(
      "pooling", "best", {"best", "mean", "last"},
      "how a layer's hidden states are pooled over a document; best: chosen like the layer"));
  params.push_back(choice(
      "pair_features", "together", {"together", "apart"},
      "features of a pair of texts. together: both are read as one text with a separator; apart: "
      "each is read alone, and the features are [u; v; |u - v|; u * v] of their states"));
  params.push_back(label_counts_param());
  return {
      .name = "classification",
      .summary = "accuracy of a linear probe on frozen hidden states: topics, or labels of a file",
      .subject = "Frozen probe",
      .params = std::move(params),
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens,
      .prepare = prepare_labelled,
      .misfits = labelled_misfits,
      .version = 5};
}

}  // namespace ablate::probes
