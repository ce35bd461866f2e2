// Multi-token prediction: predict each of the next few tokens, with one head for every distance.
//
// The first head is causal language modelling, and curves and comparisons show its loss; training
// minimises the sum over heads. A head has no target past the end of the document. With one head
// this is causal language modelling.
//
// Source: Gloeckle et al. 2024, "Better & Faster Large Language Models via Multi-token Prediction",
// arXiv:2404.19737, section 2. Sequential modules: DeepSeek-AI 2024, "DeepSeek-V3 Technical
// Report", arXiv:2412.19437, section 2.2.

#include <cmath>

#include "harness/contract/objective.h"
#include "objectives/common/futures/futures.h"
#include "objectives/common/futures/with_future.h"
#include "objectives/common/optimum/left_to_right.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e\n"
    "inputs   (none)\n"
    "targets  a b c d e     of head 1, which predicts the next token\n"
    "         b c d e .     of head 2, at the same states: the one after it\n";

constexpr std::string_view kDiffers =
    "a head has no target past the end of its document, because its inputs say nothing about the "
    "next one\n"
    "trunk and heads use the norms of the backbone; the paper does not say which it uses";

/// The state that predicts target i also predicts target i + ahead - 1 if both and the state itself
/// belong to one document.
std::vector<Example> transform(std::int64_t heads, const Text& text) {
  std::vector<Example> examples = {left_to_right(text)};
  const std::vector<Future> futures = futures_of(text.tokens, static_cast<std::size_t>(heads));
  for (std::size_t ahead = 2; ahead <= static_cast<std::size_t>(heads); ++ahead)
    for (const Future& future : futures)
      if (future.ahead.size() >= ahead)
        examples.front().labels.push_back({.head = static_cast<std::int32_t>(ahead - 1),
                                           .at = static_cast<std::int32_t>(future.at),
                                           .target = future.ahead[ahead - 1]});
  return examples;
}

/// Parallel head k: filtering up to the predicting state, then k - 1 more steps of the chain. A
/// sequential module has read all tokens before its target: filtering up to there.
std::vector<Loss> label_optima(bool sequential, std::int64_t heads, const Chain& language,
                               const Text& text, const Example& example) {
  std::vector<Loss> losses(static_cast<std::size_t>(heads - 1));
  for (const Segment& segment : segments(text.tokens)) {
    const Forecast forecast(language, text, segment);
    for (const Label& label : example.labels) {
      const auto at = static_cast<std::size_t>(label.at);
      if (!(label.weight > 0) || at < segment.first || at >= segment.first + segment.count)
        continue;
      const auto further = static_cast<std::size_t>(label.head);
      const double probability =
          sequential ? forecast.probability(at - segment.first + further, 0, label.target)
                     : forecast.probability(at - segment.first, further, label.target);
      losses[further - 1] += {-label.weight * std::log(probability), label.weight};
    }
  }
  return losses;
}

std::vector<HeadNeed> further_heads(const Params& params) {
  std::vector<HeadNeed> heads;
  for (std::int64_t ahead = 2; ahead <= params.integer("heads"); ++ahead)
    heads.push_back({.kind = "future_tokens",
                     .params = {{"ahead", ahead},
                                {"architecture", params.text("kind")},
                                {"trunk", params.text("trunk")}},
                     .coefficient = params.number("coefficient")});
  if (!params.has("later_coefficient")) return heads;
  for (HeadNeed& head : heads)
    head.later = {params.number("later_coefficient"), params.number("later_from")};
  return heads;
}

Objective build(const Params& params, const Context&) {
  const std::int64_t heads = params.integer("heads");
  if (params.has("later_coefficient") != params.has("later_from"))
    reject("later_coefficient and later_from are given together or not at all: {} is missing",
           params.has("later_coefficient") ? "later_from" : "later_coefficient");
  Needs needs{.reads = false};
  if (heads > 1 && params.text("kind") == "transformer")
    needs.heads.front().params = {{"block", true}};
  for (const HeadNeed& head : further_heads(params)) needs.heads.push_back(head);
  const bool sequential = params.text("kind") == "sequential";
  Objective objective = causal_with_heads(
      std::move(needs), [heads](const Text& text) { return transform(heads, text); });
  objective.label_optima = [=](const Chain& language, const Text& text, const Example& example) {
    return label_optima(sequential, heads, language, text, example);
  };
  return objective;
}

}  // namespace

ObjectiveSpec multi_token_prediction_objective() {
  return causal_with_heads(
      {.name = "multi_token_prediction",
       .summary = "predict each of the next few tokens, with a head for every distance",
       .picture = kPicture,
       .source = "Gloeckle et al. 2024, arXiv:2404.19737, section 2",
       .differs = kDiffers,
       .params =
           {integer("heads", 4, 1, 8, "tokens predicted from each state"),
            choice("kind", "transformer", {"transformer", "linear", "sequential", "shared"},
                   "kind of head. transformer: each head, including the first, has a block on "
                   "the trunk; linear: each further head has a matrix; sequential: each "
                   "further head has a block that reads the previous head's state and the "
                   "next true token (DeepSeek-V3); shared: no parameters, the last state "
                   "predicts all"),
            choice("trunk", "shortened", {"shortened", "whole"},
                   "shortened: the trunk gives up as many blocks as the heads have, so that "
                   "parameters match; whole: the trunk and the first head together keep "
                   "the depth"),
            number("coefficient", 1, 0, 1,
                   "weight of each further head's mean loss in the sum; the first head has 1"),
            optional(number("later_coefficient", nullptr, 0, 1,
                            "replaces coefficient from later_from on; DeepSeek-V3: .1 after .3")),
            optional(number(
                "later_from", nullptr, 0, 1,
                "fraction of the budget after which later_coefficient applies; DeepSeek-V3: .68"))},
       .build = build,
       .further_heads = further_heads});
}

}  // namespace ablate::objectives
