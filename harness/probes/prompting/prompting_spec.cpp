// What the probe prompting measures: how often the label that a model finds the likeliest after some
// demonstrations is the right one.

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "harness/base/error.h"
#include "harness/probes/classification/labelled_files_spec.h"
#include "harness/probes/label_words.h"
#include "harness/probes/lengths/misfits_spec.h"
#include "harness/probes/members.h"
#include "harness/probes/prompting/verbalisers_spec.h"

namespace ablate::probes {
namespace {

void add_shots(std::vector<Metric>& list, const std::string& subject, std::int64_t shots,
               bool language) {
  const auto add = [&](std::string_view name, std::string_view label, Better better,
                       std::string description) -> Metric& {
    return added(list, {fmt::format("{}.{}_{}", subject, name, shots),
                        fmt::format("{} {}-shot {}", as_words(subject), shots, label), "fraction",
                        better, Comparable::all_arms, std::move(description)})
        .indexed_by(shots);
  };
  const auto after = [&](std::string_view name) { return fmt::format("{}_{}", name, shots); };
  const Bound untrained_f1 = Bound::untrained(after("untrained_macro_f1"));
  add("accuracy", "accuracy", Better::higher,
      fmt::format("fraction of test documents whose label has the most probable verbaliser after "
                  "{} demonstrations, in the arm's own format; ties share",
                  shots))
      .read_against({only_if(language, Bound::ceiling(after("bayes"))),
                     Bound::untrained(after("untrained")), Bound::chance("chance"),
                     Bound::majority("majority")});
  add("macro_f1", "macro F1", Better::higher, "the same as the mean F1 over labels")
      .read_against({untrained_f1});
  add("calibrated", "accuracy (calibrated)", Better::higher,
      "accuracy after the cost of each verbaliser under an empty text is subtracted (contextual "
      "calibration)")
      .read_against({Bound::chance("chance")});
  add("calibrated_macro_f1", "macro F1 (calibrated)", Better::higher,
      "the same as the mean F1 over labels")
      .read_against({untrained_f1});
  add("untrained", "accuracy, untrained model", Better::neither,
      "accuracy of the model with its initial weights: the floor");
  add("untrained_macro_f1", "macro F1, untrained model", Better::neither,
      "the same as the mean F1 over labels");
  if (shots > 0)
    add("permuted", "accuracy, permuted labels", Better::neither,
        "accuracy if every demonstration has another label's verbaliser: as high as accuracy if a "
        "model does not read the labels of demonstrations");
  if (language)
    add("bayes", "accuracy, ceiling", Better::neither,
        "accuracy of the exact posterior of the topic given the tokens of the question that the "
        "prompt shows");
}

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  std::vector<Metric> list;
  const ClozeFormat format = cloze_format_of(arm.objective, arm.params);
  if (format == ClozeFormat::none) return list;
  const std::string subject = subject_of(params, "prompting");
  const std::int64_t context = arm.context == 0 ? 1 << 20 : arm.context;
  for (const std::int64_t shots : shots_that_fit(params, room_of(params, context)))
    add_shots(list, subject, shots, arm.language);
  for (const auto& [name, label, description] :
       {std::tuple{"chance", "chance",
                   "1 / labels: the accuracy of a model that finds all labels equally probable"},
        std::tuple{"majority", "majority class",
                   "accuracy of always predicting the most frequent training label"}})
    list.push_back({fmt::format("{}.{}", subject, name),
                    fmt::format("{} accuracy, {}", as_words(subject), label), "fraction",
                    Better::neither, Comparable::all_arms, description});
  if (is_told_length(format))
    for (Metric& metric : list)
      if (metric.better != Better::neither)
        metric.caveat = "its format is told the number of tokens of each verbaliser";
  return list;
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  if (params.list("shots").empty()) return "shots is empty; give at least one, such as [0, 4]";
  if (arm.language && !params.list("verbalisers").empty())
    return "'verbalisers' are texts, and the built-in language has none: its first words stand for "
           "its topics; leave them out";
  const std::int64_t longest = params.integer("longest");
  if (arm.context > 0 && longest > arm.fewest_context)
    return fmt::format("longest = {} does not fit into a context of {}; give at most as many",
                       longest, arm.fewest_context);
  if (arm.context > 0 && longest == 0 && arm.context != arm.fewest_context)
    return fmt::format(
        "the arms differ in context, and would be shown different prompts; give "
        "--set probes.{}.longest={}, which all of them can read",
        subject_of(params, "prompting"), arm.fewest_context);
  if (arm.context > 0 && shots_that_fit(params, room_of(params, arm.context)).empty())
    return fmt::format(
        "no number of demonstrations in shots fits into a context of {}: each text takes {} tokens "
        "at least; give fewer, or a longer context",
        arm.context, kFewestPerText);
  return labelled_refusal(params, arm);
}

/// A context for each test text, number of demonstrations and label (ten of them), calibrated and by
/// the initial weights, too.
double tokens(const Params& params, const ProbedArm& arm) {
  constexpr double kLabels = 10;
  const auto shots = static_cast<double>(params.list("shots").size());
  return 2 * static_cast<double>(params.integer("test_documents") * arm.context) * shots * kLabels;
}

/// The numbers of demonstrations that cannot be shown.
Misfits prompting_misfits(const Json& prepared, const Params& params, const ProbedArm& arm,
                          const std::filesystem::path& cache) {
  const auto corpus = prepared_corpus(prepared, "labelled", cache);
  const std::vector<Metric> listed = metrics(params, arm);
  if (!corpus || listed.empty()) return {};
  const PromptFormat format = format_of(prepared.at("prompt"));
  const std::int64_t room = room_of(params, arm.context);
  const std::int64_t training =
      std::min(params.integer("training_documents"), corpus->training().documents);
  const std::vector<std::int64_t> all = shots_that_fit(params, room);
  Misfits found;
  for (const std::int64_t shots : all) {
    const std::string why = no_demonstrations(format, shots, room, training);
    if (why.empty()) continue;
    found.sentences.push_back(why + ": their metrics are absent");
    for (std::string& name : names_of_shots(listed, shots)) found.absent.push_back(std::move(name));
  }
  if (found.sentences.size() == all.size())
    reject("{}; give fewer, shorter verbalisers, or a longer context",
           no_demonstrations(format, all.front(), room, training));
  return found;
}

}  // namespace

ProbeSpec prompting_spec() {
  std::vector<Param> params = labelled_params();
  std::erase_if(params, [](const Param& param) { return param.name == "development_documents"; });
  for (Param& param : params)
    if (param.name == "pair_field")
      param.description =
          "key of a line's second text, which follows the first and between_texts; absent: a line "
          "has one text";
  params.push_back(
      list("shots", {0, 1, 4, 16}, {integer("", nullptr, 0, 1000, "demonstrations in a prompt")},
           20, "numbers of demonstrations; those that do not fit into the context are left out"));
  params.push_back(list("verbalisers", Json::array(),
                        {text("label", nullptr, "a label of the files"),
                         text("text", nullptr, "text to write for the label")},
                        1000, "how to write a label in a prompt; absent: the label itself"));
  params.push_back(text("between_texts", "\n", "text between the two texts of a pair"));
  params.push_back(text("before_label", "\nlabel: ", "text between a text and its label"));
  params.push_back(text("after_label", "\n\n", "text after the label of a demonstration"));
  params.push_back(integer("longest", 0, 0, 1e6,
                           "maximum tokens of a prompt, including marks; its texts are cut to "
                           "equal parts of it; 0: the context"));
  return {.name = "prompting",
          .summary =
              "labels given after a few demonstrations, without any training: topics, or labels of "
              "a file",
          .subject = "Few-shot prompting",
          .params = std::move(params),
          .metrics = metrics,
          .refusal = refusal,
          .tokens = tokens,
          .prepare = prepare_prompting,
          .misfits = prompting_misfits,
          .version = 4};
}

}  // namespace ablate::probes
