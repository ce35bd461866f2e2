// What the fine-tuning probe measures: how well a model classifies documents once all of it is
// trained to.

#include <fmt/core.h>

#include "harness/probes/classification/labelled_files_spec.h"
#include "harness/probes/label_words.h"
#include "harness/probes/lengths/misfits_spec.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  std::vector<Metric> list;
  const std::string of = subject_of(params, "fine_tuning");
  const std::string subject = as_words(subject_of(params, "fine-tuned"));
  const auto add = [&](std::string_view name, std::string_view label, Better better,
                       std::string description) -> Metric& {
    return added(list, {fmt::format("{}.{}", of, name), fmt::format("{} {}", subject, label),
                        "fraction", better, Comparable::all_arms, std::move(description)});
  };
  add("accuracy", "accuracy", Better::higher,
      "fraction of test documents that the fine-tuned model classifies correctly, with the "
      "attention it was trained with; the learning rate is chosen on development documents, and "
      "the mean is over fine-tuning seeds")
      .read_against({only_if(arm.language, Bound::ceiling("bayes")), Bound::untrained("untrained"),
                     Bound::majority("majority")})
      .scores_task();
  add("untrained", "accuracy, untrained model", Better::neither,
      "accuracy of the same training from the model's initial weights: what pre-training must "
      "beat");
  add("gain", "accuracy gain from pre-training", Better::higher,
      "accuracy minus untrained, paired by seed: the gain from pre-training. If the interval "
      "reaches 0, the arm has not beaten the floor")
      .read_against({Bound::floor(0.0)});
  add("macro_f1", "macro F1", Better::higher,
      "the accuracy's classifications as the mean F1 over labels")
      .read_against({Bound::untrained("untrained_macro_f1")});
  add("untrained_macro_f1", "macro F1, untrained model", Better::neither,
      "the same for untrained: the floor of macro_f1");
  for (const std::int64_t count : label_counts(params)) {
    add(fmt::format("accuracy_{}", count), fmt::format("accuracy from {} labels", count),
        Better::higher,
        fmt::format(
            "accuracy after fine-tuning on {} of the training documents, of the rate that is "
            "chosen for so many on the same development documents",
            count))
        .read_against(
            {Bound::untrained(fmt::format("untrained_{}", count)), Bound::majority("majority")})
        .indexed_by(count);
    add(fmt::format("untrained_{}", count),
        fmt::format("accuracy from {} labels, untrained model", count), Better::neither,
        "accuracy of the same training from the model's initial weights")
        .indexed_by(count);
  }
  add("accuracy_bidirectional", "accuracy (bidirectional)", Better::higher,
      "accuracy if every arm is fine-tuned with bidirectional attention")
      .read_against({Bound::untrained("untrained_bidirectional")});
  add("untrained_bidirectional", "accuracy (bidirectional), untrained model", Better::neither,
      "accuracy of the same training from the model's initial weights, with bidirectional "
      "attention");
  add("gain_bidirectional", "accuracy gain from pre-training (bidirectional)", Better::higher,
      "accuracy_bidirectional minus untrained_bidirectional, paired by seed")
      .read_against({Bound::floor(0.0)});
  add("macro_f1_bidirectional", "macro F1 (bidirectional)", Better::higher,
      "the classifications of accuracy_bidirectional as the mean F1 over labels")
      .read_against({Bound::untrained("untrained_macro_f1_bidirectional")});
  add("untrained_macro_f1_bidirectional", "macro F1 (bidirectional), untrained model",
      Better::neither, "the same for untrained_bidirectional: the floor of macro_f1_bidirectional");
  add("majority", "accuracy, majority class", Better::neither,
      "accuracy of always predicting the most frequent training label");
  if (arm.language)
    add("bayes", "accuracy, ceiling", Better::neither,
        "accuracy of the exact posterior of the topic given the tokens that the model reads: the "
        "ceiling");
  add("seed_deviation", "accuracy, SD over fine-tuning seeds", Better::neither,
      "standard deviation of the accuracy over fine-tuning seeds");
  return list;
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  if (params.json().at("learning_rates").empty())
    return "learning_rates is empty; give at least one, such as [1e-3]";
  const std::string counts = label_counts_refusal(params);
  return counts.empty() ? labelled_refusal(params, arm) : counts;
}

/// Every learning rate and seed, from the trained and the initial weights, under both attentions; with
/// fewer labels under one.
double tokens(const Params& params, const ProbedArm& arm) {
  const auto of = [&](const char* name) { return static_cast<double>(params.integer(name)); };
  const auto rates = static_cast<double>(params.list("learning_rates").size());
  const auto read = [&](double documents) {
    return 0.5 * of("epochs") * documents + of("development_documents");
  };
  double documents = 4 * read(of("training_documents"));
  for (const std::int64_t count : label_counts(params))
    documents += 2 * read(static_cast<double>(count));
  return documents * rates * of("seeds") * static_cast<double>(arm.context);
}

}  // namespace

ProbeSpec fine_tuning_spec() {
  std::vector<Param> params = labelled_params();
  params.push_back(list("learning_rates", {1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2},
                        {number("", nullptr, 0, 1, "the peak of a schedule")}, 20,
                        "learning rates to try; the one that is best on development documents is "
                        "used, the smallest if several are"));
  params.push_back(integer(
      "seeds", 3, 1, 100,
      "fine-tuning seeds, for the classifier's initial weights and the order of documents"));
  params.push_back(integer("epochs", 10, 1, 1000, "passes over the training documents"));
  params.push_back(integer("batch", 32, 1, 1000, "documents per step"));
  params.push_back(
      choice("pooling", "mean", {"mean", "last"},
             "how a document's last hidden states are pooled: their mean, or the last position's"));
  params.push_back(label_counts_param());
  return {.name = "fine_tuning",
          .summary = "accuracy of the fine-tuned model: topics, or labels of a file",
          .subject = "Fine-tuning",
          .params = std::move(params),
          .metrics = metrics,
          .refusal = refusal,
          .tokens = tokens,
          .prepare = prepare_labelled,
          .misfits = labelled_misfits,
          .version = 3};
}

}  // namespace ablate::probes
