// What the probe of answers measures. Without LibTorch.

#include <fmt/core.h>

#include "harness/data/tasks/task_text.h"
#include "harness/probes/answers/answer_questions_spec.h"
#include "harness/probes/answers/difficulties_spec.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

constexpr auto kAccuracy = "answer accuracy";
constexpr auto kExact = "answer exact match";

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  if (arm.task == nullptr || cloze_format_of(arm.objective, arm.params) == ClozeFormat::none)
    return {};
  const data::TaskText text{*arm.task};
  std::vector<Metric> list;
  const auto add = [&](std::string_view name, std::string label, std::string_view unit,
                       Better better, std::string description) -> Metric& {
    return added(list, {fmt::format("answers.{}", name), std::move(label), unit, better,
                        Comparable::all_arms, std::move(description)});
  };
  const std::string which =
      params.has("asked") ? fmt::format("of the last {} answers, ", params.integer("asked")) : "";
  add("accuracy", kAccuracy, "fraction", Better::higher,
      which +
          "answer tokens that the model gives the highest probability, given what its format shows "
          "of the document and the true tokens of the answer before them")
      .read_against({Bound::untrained("untrained"), Bound::chance("chance")})
      .scores_task();
  add("chance", "answer accuracy, chance", "fraction", Better::neither,
      "the same for a guess that has read nothing");
  add("untrained", "answer accuracy, untrained model", "fraction", Better::neither,
      "the same for the model with its initial weights, on the first documents: the floor");
  add("first", "first answer token accuracy", "fraction", Better::higher,
      "the same for the first token of each answer, which must be planned; later ones can be "
      "looked up");
  add("exact", kExact, "fraction", Better::higher,
      params.has("asked")
          ? fmt::format("documents in which the last {} answers are right, token for token",
                        params.integer("asked"))
          : "documents in which all answers are right, token for token, and so would be greedy "
            "answers");
  add("loss", "answer loss", "nats/token", Better::lower, "mean cost of an answer token")
      .read_against({Bound::ceiling("optimum"), Bound::untrained("untrained_loss")});
  add("optimum", "answer loss, optimum", "nats/token", Better::neither,
      "the same for the exact predictor: answers follow from the text before them");
  add("untrained_loss", "answer loss, untrained model", "nats/token", Better::neither,
      "the same for the model with its initial weights, on the first documents");
  add("text_optimum", "document loss from left to right, optimum", "nats/token", Better::neither,
      "what the exact predictor pays per token of the documents from left to right, including the "
      "token that ends them: no causal LM has a lower held_out.loss if each row is one document "
      "(train.packing = \"padded\")");
  const std::string_view name = text.spec().difficulty.name;
  for (const std::int64_t difficulty : listed_difficulties(text)) {
    const auto add_at = [&](const char* what, const char* label) -> Metric& {
      return add(fmt::format("{}_{}", what, name_of_difficulty(text, difficulty)),
                 fmt::format("{} ({} = {})", label, name, difficulty), "fraction", Better::higher,
                 fmt::format("{} of documents with {} = {}{}", what, name, difficulty,
                             is_trained(text, difficulty) ? "" : ", which training has none of"))
          .indexed_by(difficulty);
    };
    add_at("accuracy", kAccuracy).read_against({Bound::chance("chance")});
    add_at("exact", kExact);
  }
  return list;
}

std::string refusal(const Params&, const ProbedArm& arm) {
  if (arm.task == nullptr)
    return "the corpus has no answers, only tasks (corpus.kind = \"task\") do; leave 'answers' out "
           "of the probes, or see 'cloze'";
  const std::int64_t longest = data::TaskText{*arm.task}.longest_test();
  if (arm.context == 0 || longest + kRoomForMarks <= arm.fewest_context) return {};
  return fmt::format(
      "a document that models are asked about has up to {} tokens, and with the marks of a format "
      "needs a context of {}; an arm has {}: give a longer context, or easier documents",
      longest, longest + kRoomForMarks, arm.fewest_context);
}

double tokens(const Params& params, const ProbedArm& arm) {
  if (arm.task == nullptr) return 0;
  const data::TaskText text{*arm.task};
  const ClozeFormat format = cloze_format_of(arm.objective, arm.params);
  const bool one_each = is_told_length(format);
  double read = 0;
  for (const std::int64_t difficulty : text.test_difficulties()) {
    const data::TaskDocument document = text.document(data::TaskPart::questions, 0, difficulty);
    if (format == ClozeFormat::left) {  // all answers of a document in one row
      read += static_cast<double>(document.tokens.size());
      continue;
    }
    for (const Cloze& question : questions_about(document, params))
      read += static_cast<double>(document.tokens.size() *
                                  (one_each ? question.target.size() : std::size_t{1}));
  }
  return read * static_cast<double>(params.integer("documents"));
}

}  // namespace

ProbeSpec answers_spec() {
  return {.name = "answers",
          .summary = "the marked answers of a task's documents, asked in each arm's own format",
          .subject = "Answers",
          .params = {integer("documents", 200, 1, 1e6,
                             "documents of each difficulty to ask about, drawn by the trial's "
                             "seed, separately from the training text"),
                     optional(integer("asked", nullptr, 1, 1e6,
                                      "number of answers to ask for in each document, counted from "
                                      "its end; absent: all. Models that read from left to right "
                                      "answer all in one pass; others take one pass per answer"))},
          .metrics = metrics,
          .refusal = refusal,
          .tokens = tokens};
}

}  // namespace ablate::probes
