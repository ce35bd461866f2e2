// What the infilling probe measures: how well a model fills blanks in texts of a file.

#include <fmt/core.h>

#include <cctype>

#include "harness/probes/cloze/orders_spec.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/generation/drawing/scheme_spec.h"
#include "harness/probes/infilling/infill_files_spec.h"
#include "harness/probes/label_words.h"
#include "harness/probes/lengths/misfits_spec.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

/// "PSM" of "psm".
std::string in_capitals(std::string_view letters) {
  std::string capitals(letters);
  for (char& letter : capitals) letter = static_cast<char>(std::toupper(letter));
  return capitals;
}

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  std::vector<Metric> list;
  const ClozeFormat format = cloze_format_of(arm.objective, arm.params);
  if (format == ClozeFormat::none) return list;
  const std::string subject = subject_of(params, "infilling");
  const auto add = [&](std::string_view name, std::string_view label, std::string_view unit,
                       Better better, std::string_view description) -> Metric& {
    return added(
        list, {fmt::format("{}.{}", subject, name), fmt::format("{} {}", as_words(subject), label),
               unit, better, Comparable::all_arms, std::string(description)});
  };
  const Bound untrained_bits = Bound::untrained("untrained_bits_per_byte");
  add("bits_per_byte", "bits per byte", "bits/byte", Better::lower,
      "-log2 P(middle | both sides, or the left where an arm reads no more) over its UTF-8 bytes, "
      "in the arm's own format")
      .read_against({untrained_bits});
  add("bits_per_byte_from_left", "bits per byte from the left alone", "bits/byte", Better::lower,
      "the same given the left alone")
      .read_against({untrained_bits});
  add("gain_of_right", "bits per byte, gain from the right context", "bits/byte", Better::neither,
      "bits_per_byte_from_left minus bits_per_byte: the gain from reading the right side");
  add("untrained_bits_per_byte", "bits per byte, untrained model", "bits/byte", Better::neither,
      "bits_per_byte of the model with its initial weights, of the first 20 blanks: the floor");
  add("exact_match", "exact match", "fraction", Better::higher,
      "fraction of blanks that the most probable tokens, one after the other, fill exactly, white "
      "space at the end aside; an arm may write as many tokens as the reference has")
      .read_against({Bound::untrained("untrained_exact_match")});
  add("edit_similarity", "edit similarity", "fraction", Better::higher,
      "1 - edit distance / length of the longer text, of the same fillings, the mean over blanks")
      .read_against({Bound::untrained("untrained_edit_similarity")});
  add("untrained_exact_match", "exact match, untrained model", "fraction", Better::neither,
      "exact_match of the model with its initial weights, of the first 20 blanks: the floor");
  add("untrained_edit_similarity", "edit similarity, untrained model", "fraction", Better::neither,
      "the same of edit_similarity");
  add("first_line", "exact match of first line", "fraction", Better::higher,
      "fraction whose first line is exact")
      .read_against({Bound::untrained("untrained_first_line")});
  add("untrained_first_line", "exact match of first line, untrained model", "fraction",
      Better::neither, "the same of first_line");
  if (says_where_middles_end(arm.objective, arm.params)) {
    add("with_stop_bits_per_byte", "bits per byte with the end token", "bits/byte", Better::lower,
        "bits_per_byte plus the cost of the token that ends the middle; blank if no token of a "
        "format does so")
        .read_against({Bound::untrained("untrained_with_stop_bits_per_byte")});
    add("untrained_with_stop_bits_per_byte", "bits per byte with the end token, untrained model",
        "bits/byte", Better::neither,
        "with_stop_bits_per_byte of the model with its initial weights, of the first 20 blanks");
  }
  for (const std::string_view order : cloze_orders_of(arm.objective, arm.params))
    add(fmt::format("{}_bits_per_byte", order),
        fmt::format("bits per byte ({} order)", in_capitals(order)), "bits/byte", Better::lower,
        fmt::format("bits_per_byte with the parts in the order {}, by their first letters: prefix, "
                    "suffix, middle; blanks are filled in the order that is better on the arm's "
                    "held-out documents",
                    order))
        .read_against({untrained_bits});
  if (is_told_length(format))
    for (Metric& metric : list)
      if (metric.better != Better::neither)
        metric.caveat = "its format is told the number of tokens";
  return list;
}

std::string refusal(const Params& params, const ProbedArm& arm) {
  if (arm.language)
    return "the built-in language has no texts of a file; the probe 'cloze' asks it for the middle "
           "of its documents; leave 'infilling' out of the probes";
  if (!params.has("path"))
    return "it needs a file of texts with a blank; give \"path\", JSON Lines with prompt, "
           "canonical_solution and suffix, such as --set probes.infilling.path=FILE";
  return name_refusal(params);
}

/// A blank of a quarter of the context: its tokens are filled in one after the other, and scored with
/// both sides, with the left one, in another order and with a stop.
double tokens(const Params& params, const ProbedArm& arm) {
  const auto context = static_cast<double>(arm.context);
  const bool one_each = is_told_length(cloze_format_of(arm.objective, arm.params));
  const double blank = context / 4, scored = context * (one_each ? 2 * blank : 4);
  return static_cast<double>(params.integer("problems")) *
             (reads_to_fill(arm, context, blank) + scored) +
         tokens_of_orders(arm);
}

/// Problems that are left out, because their middle takes more than half of what is shown.
Misfits misfits(const Json& prepared, const Params&, const ProbedArm& arm,
                const std::filesystem::path& cache) {
  const auto corpus = prepared_corpus(prepared, "problems_hash", cache);
  if (!corpus || cloze_format_of(arm.objective, arm.params) == ClozeFormat::none) return {};
  LeftOut problems{"problems"};
  for (const Json& item : corpus->about().at("items")) {
    problems.count += middle_fits(item.at(1), arm.context) ? 0 : 1;
    ++problems.all;
  }
  return misfits_of(problems, arm.context);
}

}  // namespace

ProbeSpec infilling_spec() {
  return {
      .name = "infilling",
      .summary =
          "how well blanks in the texts of a file are filled (HumanEval infilling and similar "
          "sets; nothing is executed)",
      .subject = "Infilling",
      .params = {optional(text(
                     "path", nullptr,
                     "JSON Lines file with a prompt, canonical_solution and suffix on each line; "
                     "relative to the file that gives it, or by --set to the current folder")),
                 integer("problems", 100, 1, 1e6,
                         "number of the file's problems to ask, drawn by the trial's seed; all if "
                         "there are fewer"),
                 name_param()},
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens,
      .prepare = prepare_problems,
      .misfits = misfits,
      .version = 6};
}

}  // namespace ablate::probes
