// What the cloze probe measures: the cost of the same tokens under every objective, each in its own
// format.

#include <fmt/ranges.h>

#include "harness/probes/cloze/questions.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

constexpr auto kTold = "its format is told the number of tokens";

/// What is asked of every document.
struct Question {
  std::string_view about;  // part of metric names
  std::string_view asked;  // part of labels
  std::string_view given;  // what follows in labels; may be empty
  std::string_view what;   // part of descriptions
};

/// The metrics of one question.
void add(std::vector<Metric>& list, const ProbedArm& arm, const Question& question) {
  const std::string loss = fmt::format("{} loss{}", question.asked, question.given);
  const auto one = [&](std::string_view name, std::string label, Better better,
                       std::string description, std::string_view unit = "nats/token") -> Metric& {
    return added(list, {fmt::format("cloze.{}_{}", name, question.about), std::move(label), unit,
                        better, Comparable::all_arms, std::move(description)});
  };
  const auto of = [&](std::string_view name) { return fmt::format("{}_{}", name, question.about); };
  one("loss", loss, Better::lower,
      fmt::format("-log P({}), in the arm's own format", question.what))
      .read_against({only_if(arm.language, Bound::ceiling(of("optimum"))),
                     Bound::no_context(of("context_free"))});
  one("context_free", loss + ", no context", Better::neither,
      "the best loss possible without context: the floor");
  one("untrained", loss + ", untrained model", Better::neither,
      "the same for the model with its initial weights, on the first 20 documents");
  if (arm.language)
    one("optimum", loss + ", optimum", Better::neither,
        "the same for the exact predictor of the language that reads what the arm's format shows; "
        "if that shows both sides, it also knows the number of tokens, and so is a lower bound");
  else if (arm.text())
    one("bits_per_byte", fmt::format("bits per byte of {}{}", question.asked, question.given),
        Better::lower, fmt::format("-log2 P({}) over its UTF-8 bytes", question.what), "bits/byte")
        .read_against({Bound::no_context(of("context_free")).per_byte(of("loss"))});
}

/// An order of the parts, "psm", as "prefix-suffix-middle".
std::string order_in_words(std::string_view order) {
  std::vector<std::string_view> parts;
  for (const char part : order)
    parts.push_back(part == 'p' ? "prefix" : part == 's' ? "suffix" : "middle");
  return fmt::format("{}", fmt::join(parts, "-"));
}

/// What the cost of an answer is called in labels.
std::string_view loss_of(std::string_view question) {
  return question == "infill" ? "infilling loss" : "continuation loss";
}

/// Those that only some formats have. The others are blank, and their descriptions say why.
void add_further(std::vector<Metric>& list, const ProbedArm& arm, ClozeFormat format) {
  const auto one = [&](std::string_view name, std::string label, std::string description,
                       std::string_view unit = "nats/token",
                       Better better = Better::lower) -> Metric& {
    return added(list, {fmt::format("cloze.{}", name), std::move(label), unit, better,
                        Comparable::all_arms, std::move(description)});
  };
  // Also of its cost in another order, and of the bound on it.
  const auto bounds_of = [&](std::string_view question) -> std::vector<std::optional<Bound>> {
    return {only_if(arm.language, Bound::ceiling(fmt::format("optimum_{}", question))),
            Bound::no_context(fmt::format("context_free_{}", question))};
  };
  const auto with_stop = [&](std::string_view question, std::string description) {
    const std::string label = fmt::format("{} with the end token", loss_of(question));
    one(fmt::format("with_stop_{}", question), label, std::move(description))
        .read_against({Bound::untrained(fmt::format("untrained_with_stop_{}", question))});
    one(fmt::format("untrained_with_stop_{}", question), label + ", untrained model",
        "the same for the model with its initial weights, on the first 20 documents: the floor",
        "nats/token", Better::neither);
  };
  if (!is_told_length(format)) {
    one("perplexity_continuation", "continuation perplexity",
        "exp(loss_continuation): the perplexity of a model that knows only the text on the left; "
        "blank if a format is told the number of tokens",
        "perplexity")
        .read_against({only_if(arm.language, Bound::ceiling("optimum_continuation").exponential()),
                       Bound::no_context("context_free_continuation").exponential()});
    with_stop("continuation",
              "loss_continuation plus the cost of the token that ends the document, per token of "
              "the target; only for documents that are not cut; blank if a format is told the "
              "number of tokens");
  }
  if (says_where_middles_end(arm.objective, arm.params))
    with_stop("infill",
              "loss_infill plus the cost of the token that ends the middle, per token of the "
              "target; blank if no token of a format does so");
  if (format == ClozeFormat::told_length &&
      generation_of(arm.objective, arm.params) == Generation::unmasking)
    for (const std::string_view question : {"continuation", "infill"})
      one(fmt::format("bound_{}", question),
          fmt::format("{} (any-order upper bound)", loss_of(question)),
          fmt::format("an upper bound on loss_{} if tokens may be revealed in any order: the sum "
                      "over k of 1 / k times the cost of k random tokens, hidden at once; one draw "
                      "for each k. Blank if tokens are predicted left to right",
                      question))
          .read_against(bounds_of(question));
  for (const std::string_view order : cloze_orders_of(arm.objective, arm.params))
    one(fmt::format("{}_infill", order),
        fmt::format("infilling loss ({} order)", order_in_words(order)),
        fmt::format("loss_infill with the parts in the order {}, by their first letters: prefix, "
                    "suffix, middle; also for arms that were trained only on the other order",
                    order))
        .read_against(bounds_of("infill"));
}

/// What must be known of the values of one arm.
void note_formats(std::vector<Metric>& list, const ProbedArm& arm, ClozeFormat format) {
  std::string about_infill;
  if (const auto orders = cloze_orders_of(arm.objective, arm.params); orders.size() > 1)
    about_infill = fmt::format(
        "asked in the order of the parts, {}, that is better on held-out documents which are not "
        "scored",
        fmt::join(orders, " or "));
  for (Metric& metric : list) {
    if (is_told_length(format) && metric.better != Better::neither) metric.caveat = kTold;
    if (metric.name == "cloze.loss_infill" && !about_infill.empty()) metric.caveat = about_infill;
  }
}

std::vector<Metric> metrics(const Params&, const ProbedArm& arm) {
  std::vector<Metric> list;
  const ClozeFormat format = cloze_format_of(arm.objective, arm.params);
  if (format == ClozeFormat::none) return list;
  add(list, arm,
      {"continuation", "continuation", "", "second half of a document | the first half"});
  add(list, arm,
      {"infill", "infilling", "",
       "middle third of a document | both sides, or the left where an arm "
       "reads no more"});
  add(list, arm,
      {"infill_from_left", "infilling", " from the left alone",
       "middle third of a document | what is left of it"});
  list.push_back({"cloze.gain_of_right", "infilling gain from the right context", "nats/token",
                  Better::neither, Comparable::all_arms,
                  "loss_infill_from_left minus loss_infill: the gain from reading the right side; "
                  "0 for an arm that does not. It is also large if an arm is bad without it"});
  add_further(list, arm, format);
  note_formats(list, arm, format);
  return list;
}

/// Arms that read documents up to other lengths would be asked about other tokens.
std::string refusal(const Params& params, const ProbedArm& arm) {
  if (arm.context == 0) return {};
  const std::int64_t room = arm.fewest_context - kRoomForMarks, longest = params.integer("longest");
  if (room < kFewestTokens)
    return fmt::format(
        "its passages need a context of {} tokens, and an arm has {}; give a longer context, or "
        "leave 'cloze' out of the probes",
        kFewestTokens + kRoomForMarks, arm.fewest_context);
  if (longest > room)
    return fmt::format(
        "longest = {} leaves no room for the marks of a format in a context of {}; give at most {}",
        longest, arm.fewest_context, room);
  if (longest == 0 && arm.context != arm.fewest_context)
    return fmt::format(
        "the arms differ in context, and would be asked about different tokens; give "
        "--set probes.cloze.longest={}, which all of them can read",
        room);
  return {};
}

/// Three passages of each document. A model that is told the length reads one once for each token, and
/// once more for the bound.
double tokens(const Params& params, const ProbedArm& arm) {
  const auto context = static_cast<double>(arm.context);
  const bool one_each = is_told_length(cloze_format_of(arm.objective, arm.params));
  return static_cast<double>(params.integer("documents")) * context *
         (one_each ? 0.6 * context : 4);
}

}  // namespace

ProbeSpec cloze_spec() {
  return {.name = "cloze",
          .summary = "cost of the same tokens under every objective, each in its own format",
          .subject = "Cost of the same tokens",
          .params = {integer("documents", 100, 1, 1e6,
                             "number of held-out documents, drawn by the trial's seed, or all if "
                             "there are fewer; three passages of each are scored"),
                     integer("longest", 0, 0, 1e6,
                             "number of tokens to cut documents to, including the begin token; 0: "
                             "4 less than the context, which leaves room for a format's marks")},
          .metrics = metrics,
          .refusal = refusal,
          .tokens = tokens,
          .reads_held_out = true,
          .version = 4};
}

}  // namespace ablate::probes
