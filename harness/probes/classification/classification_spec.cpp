// What the classification probe measures: how well a linear model predicts the labels of documents
// from frozen hidden states.

#include <fmt/core.h>

#include "harness/probes/classification/labelled_files_spec.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

std::vector<Metric> metrics(const ProbedArm& arm) {
  const bool language = arm.language;
  const std::string of = language ? "topic" : "label";
  std::vector<Metric> list;
  const auto add = [&](const char* name, Better better, const char* description) {
    list.push_back(
        {fmt::format("{}.{}", of, name), "fraction", better, Comparable::all_arms, description});
  };
  add("accuracy", Better::higher,
      "fraction of test documents that a linear model on the frozen hidden states classifies "
      "correctly; layer, pooling and regularisation are chosen on development documents");
  add("untrained", Better::neither, "the same for the model with its initial weights: the floor");
  add("majority", Better::neither,
      "accuracy of always predicting the most frequent training label");
  if (language)
    add("bayes", Better::neither,
        "accuracy of the exact posterior of the topic given the tokens that the model reads: the "
        "ceiling");
  return list;
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  const bool language = arm.language;
  const bool train = params.has("train"), test = params.has("test");
  if (language && (train || test))
    return "'train' and 'test' name labelled text, but the built-in language labels documents by "
           "topic; leave both out";
  if (!language && !(train && test))
    return "a text corpus has no labels of its own; give 'train' and 'test', JSON Lines files with "
           "a text and a label per line, such as --set probes.classification.train=FILE, or leave "
           "'classification' out of the probes";
  return {};
}

}  // namespace

ProbeSpec classification_spec() {
  constexpr double kMaxDocuments = 1e6;
  return {
      .name = "classification",
      .summary = "accuracy of a linear probe on frozen hidden states: topics, or labels of a file",
      .params = {integer("training_documents", 400, 10, kMaxDocuments,
                         "documents that the probe is fitted to; the trial's seed draws them"),
                 integer("development_documents", 200, 10, kMaxDocuments,
                         "documents that layer, pooling and regularisation are chosen on"),
                 integer("test_documents", 400, 10, kMaxDocuments,
                         "documents that the accuracy is of"),
                 choice("pooling", "best", {"best", "mean", "last"},
                        "of a layer's hidden states over a document; best: chosen like the layer"),
                 optional(text(
                     "train", nullptr,
                     "JSON Lines file of labelled training and development documents; relative "
                     "to the file that gives it, or by --set to the current folder. Where it has "
                     "more than are asked for, the trial's seed draws them")),
                 optional(text("test", nullptr,
                               "JSON Lines file of labelled test documents; all are tested, or "
                               "test_documents of them, drawn by the trial's seed")),
                 text("text_field", "text", "key of a line's text"),
                 text("label_field", "label", "key of a line's label: a string or an integer")},
      .metrics = metrics,
      .refusal = refusal,
      .prepare = prepare_labelled,
      .version = 2};
}

}  // namespace ablate::probes
