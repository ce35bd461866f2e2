// Next-latent prediction: beside the next token, predict what the state will be once it is read.
//
// A second head takes a state and the true next token and predicts the state of the next place, and from that,
// with the token there, the next one, as many steps as `steps` says. What a state must hold for it is all that the
// next states need: a belief that can be updated token by token. The first head is causal language modelling; the second is
// left out after training.
//
// The exact posterior of a hidden Markov chain can be updated so, and both losses of the second head reach 0: its
// optimum is 0, and the first head's is that of causal LM.
//
// Source: Teoh et al. 2025, "Next-Latent Prediction Transformers Learn Compact World Models", arXiv:2511.05963,
// section 3.2.

#include "harness/contract/objective.h"
#include "objectives/common/futures/futures.h"
#include "objectives/common/futures/with_future.h"
#include "objectives/common/optimum/left_to_right.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d\n"
    "inputs   (none)\n"
    "targets  a b c d     of head 1, which predicts the next token\n"
    "         h_1 h_2 h_3 of head 2: given the state h_0 and a, the state h_1 that has read a, "
    "and\n"
    "                     so on; a label says how many steps are left in the document\n";

constexpr std::string_view kDiffers =
    "no step leads past the end of the document, because its inputs say nothing about the next "
    "one\n"
    "the losses of a place are means over its steps, and those of states means over the width\n"
    "the tokens are read without positions\n";

std::vector<Example> transform(std::int64_t steps, const Text& text) {
  std::vector<Example> examples = {left_to_right(text)};
  for (const Future& future : futures_of(text.tokens, static_cast<std::size_t>(steps)))
    examples.front().labels.push_back({.head = 1,
                                       .at = static_cast<std::int32_t>(future.at),
                                       .target = static_cast<Token>(future.ahead.size())});
  return examples;
}

std::vector<HeadNeed> further_heads(const Params& params) {
  return {{.kind = "next_latent",
           .params = {{"steps", params.integer("steps")},
                      {"state_weight", params.number("state_weight")},
                      {"prediction_weight", params.number("prediction_weight")}},
           .coefficient = params.number("coefficient")}};
}

Objective build(const Params& params, const Context&) {
  Needs needs{.reads = false};
  for (const HeadNeed& head : further_heads(params)) needs.heads.push_back(head);
  Objective objective = causal_with_heads(
      std::move(needs),
      [steps = params.integer("steps")](const Text& text) { return transform(steps, text); });
  objective.label_optima = [](const Chain&, const Text&, const Example& example) {
    Loss loss;
    for (const Label& label : example.labels) loss += {0, label.weight};
    return std::vector<Loss>{loss};
  };
  return objective;
}

}  // namespace

ObjectiveSpec next_latent_objective() {
  return causal_with_heads(
      {.name = "next_latent",
       .summary = "predict every token, and what the state will be once it is read",
       .picture = kPicture,
       .source = "Teoh et al. 2025, arXiv:2511.05963, section 3.2",
       .differs = kDiffers,
       .params = {integer("steps", 1, 1, 16,
                          "places ahead whose states are predicted, each from the one before"),
                  number("state_weight", 1, 0, 10, "of the distance between states"),
                  number("prediction_weight", 1, 0, 10,
                         "of the divergence between what the predicted and the real state predict"),
                  number("coefficient", 1, 0, 10,
                         "weight of the second head's mean loss in the sum; the first head has 1")},
       .build = build,
       .further_heads = further_heads});
}

}  // namespace ablate::objectives
