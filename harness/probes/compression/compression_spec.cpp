// What the compression probe measures: the length of held-out text in the code that a model is,
// beside the codes of general compressors and of counting.

#include <fmt/core.h>

#include "harness/probes/cloze/questions.h"
#include "harness/probes/compression/baselines_spec.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

constexpr auto kNoCode =
    "this arm has no code: its objective has no format in which a model gives a continuation a "
    "probability";

/// Whether the losses of training are of each token given those before it.
bool is_left_to_right(const ProbedArm& arm) {
  return is_text_likelihood(arm.objective, arm.params) &&
         cloze_format_of(arm.objective, arm.params) == ClozeFormat::left;
}

std::vector<Metric> metrics(const Params&, const ProbedArm& arm) {
  const bool words = !arm.text();
  const ClozeFormat format = cloze_format_of(arm.objective, arm.params);
  const std::string_view unit = words ? "bits/token" : "bits/byte";
  std::vector<Metric> list;
  const auto add = [&](std::string_view name, const char* label, Better better,
                       std::string description) -> Metric& {
    return added(list, {fmt::format("compression.{}", name), label, unit, better,
                        Comparable::all_arms, std::move(description)});
  };
  if (format != ClozeFormat::none)
    add(words ? "bits_per_token" : "bits_per_byte", "held-out code length", Better::lower,
        "-log2 P(held-out text), each piece of it in the arm's own format given what is left of "
        "it in its document, as far as the context reaches: the length of the text in the code "
        "that the model is, without the model itself")
        .read_against({only_if(words && arm.language, Bound::ceiling("optimum")),
                       Bound::no_context("unigram"), Bound::untrained("untrained")});
  if (format != ClozeFormat::none)
    add("untrained", "held-out code length, untrained model", Better::neither,
        "the same for the model with its initial weights, on the first 20 of the documents: the "
        "floor");
  if (arm.language)
    add("optimum", "held-out code length, optimum", Better::neither,
        "the same under the language itself, given all that is left of each token");
  add("unigram", "held-out code length, no context", Better::neither,
      "the best loss possible without context: the floor");
  add("kneser_ney", "held-out code length, 5-gram model", Better::neither,
      "the same for a 5-gram model with interpolated modified Kneser-Ney smoothing, counted on the "
      "training text (Chen & Goodman 1999)");
  const std::string form =
      words ? ", which reads each token as a number of one or more whole bytes" : "";
  add("xz", "held-out code length, xz", Better::neither,
      "the same text compressed by xz -9" + form);
  add("zstd", "held-out code length, zstd", Better::neither,
      "the same text compressed by zstd -19" + form);
  add("xz_after_training", "held-out code length, xz after the training text", Better::neither,
      "how much xz -9 of the training text grows if the same text is appended: xz that has also "
      "read the training text");
  if (is_left_to_right(arm))
    add("prequential", "prequential code length of the training text", Better::neither,
        "the length of the training text in the code of the model while it learns: the losses of "
        "every step of the first pass over the text, before the model learned from them, so no "
        "model needs to be sent along. Absent if an arm starts from other weights or has phases")
        .read_against({Bound::no_context("unigram")});
  if (format == ClozeFormat::none) list.front().caveat = kNoCode;
  return list;
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  if (arm.context == 0) return {};
  const std::int64_t piece = params.integer("piece");
  // A begin token, a token of context and the piece must fit beside the marks of a format.
  const std::int64_t most = arm.fewest_context - kRoomForMarks - 2;
  if (most < 1)
    return fmt::format(
        "it needs a context of {} tokens, and an arm has {}; give a longer context, or leave "
        "'compression' out of the probes",
        kRoomForMarks + 3, arm.fewest_context);
  if (piece > most)
    return fmt::format(
        "piece = {} leaves no token before it in a context of {}; give --set "
        "probes.compression.piece={} or less",
        piece, arm.fewest_context, most);
  return {};
}

/// A context for each piece, or for each token where the format shows one after the other.
double tokens(const Params& params, const ProbedArm& arm) {
  const bool one_each = is_told_length(cloze_format_of(arm.objective, arm.params));
  const double asked = static_cast<double>(params.integer("tokens")) /
                       (one_each ? 2.0 : static_cast<double>(params.integer("piece")));
  return asked * static_cast<double>(arm.context);
}

}  // namespace

ProbeSpec compression_spec() {
  return {
      .name = "compression",
      .summary =
          "code length of held-out text under every arm, compared with xz, zstd and a 5-gram model",
      .subject = "Code length of text",
      .params =
          {integer("tokens", 20000, 0, 1e9,
                   "number of held-out tokens to code, in documents drawn once for all "
                   "trials; 0: all. An arm whose format shows one token at a time, such as "
                   "masked LM, runs its model once per token"),
           integer("piece", 16, 1, 1e6,
                   "tokens that are coded at once; before them a model sees at least its "
                   "context minus these and its format's marks, as far as the document goes back"),
           integer("training_tokens", 5000000, 0, 1e9,
                   "number of training tokens, from the first on, that the 5-gram model counts "
                   "and xz reads; 0: all; counting takes up to 400 bytes of memory per token")},
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens,
      .prepare = prepare_baselines,
      .version = 2};
}

}  // namespace ablate::probes
