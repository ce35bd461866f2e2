// What the hidden-state probe measures: how well a linear model reads off a token's hidden state
// which state of the built-in language emitted the token.

#include <fmt/core.h>

#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

/// The end of the names of metrics of ambiguous tokens.
std::string_view suffix(bool ambiguous) { return ambiguous ? "_ambiguous" : ""; }

/// A metric of all tokens, and the same of the ambiguous ones. `bound`: what follows in labels.
void add(std::vector<Metric>& list, std::string_view name, std::string_view bound, Better better,
         std::string_view description) {
  for (const bool ambiguous : {false, true})
    list.push_back(
        {fmt::format("state.{}{}", name, suffix(ambiguous)),
         fmt::format("hidden-state accuracy{}{}", ambiguous ? " on ambiguous tokens" : "", bound),
         "fraction", better, Comparable::all_arms,
         ambiguous ? fmt::format("state.{} over ambiguous tokens: given the token alone, no "
                                 "state has a posterior of 0.9 or more",
                                 name)
                   : std::string(description)});
}

std::vector<Metric> metrics(const Params&, const ProbedArm& arm) {
  std::vector<Metric> list;
  if (!arm.language) return list;
  add(list, "accuracy", "", Better::higher,
      "fraction of test tokens whose state a linear model on the frozen hidden states names; layer "
      "and regularisation are chosen on development tokens");
  list.front().scores_task();
  for (const bool ambiguous : {false, true})
    list[ambiguous ? 1 : 0].read_against(
        {Bound::ceiling(fmt::format("bayes{}", suffix(ambiguous))),
         Bound::untrained(fmt::format("untrained{}", suffix(ambiguous)))});
  add(list, "bayes", ", ceiling", Better::neither,
      "accuracy of the exact posterior given what the arm's hidden state can see: the ceiling");
  add(list, "untrained", ", untrained model", Better::neither,
      "the same linear model on the hidden states of the model with its initial weights: the "
      "floor");
  add(list, "token_alone", ", token ceiling", Better::neither,
      "accuracy of the exact posterior given the token and nothing around it");
  add(list, "filtering", ", prefix ceiling", Better::neither,
      "accuracy of the exact posterior given the token and those before it: what no left-to-right "
      "model can exceed");
  add(list, "smoothing", ", document ceiling", Better::neither,
      "accuracy of the exact posterior given the complete document as far as the context reaches");
  return list;
}

std::string refusal(const Params&, const ProbedArm& arm) {
  return without_states_refusal(arm, "hidden_state");
}

/// The documents of the tokens under the model and its initial weights; linear models of every layer.
double tokens(const Params& params, const ProbedArm&) {
  const auto of = [&](const char* name) { return static_cast<double>(params.integer(name)); };
  const double fitted = of("training_tokens") + of("development_tokens");
  return 2 * (fitted + of("test_tokens") + kTokensOfFit * fitted);
}

}  // namespace

ProbeSpec hidden_state_spec() {
  constexpr double kMaxTokens = 1e7;
  return {
      .name = "hidden_state",
      .summary = "accuracy of a linear probe for the state of the language that emitted a token",
      .subject = "Hidden state of a token",
      .params = {integer("training_tokens", 3000, 100, kMaxTokens,
                         "tokens used to fit the probe; the trial's seed draws their documents"),
                 integer("development_tokens", 1000, 100, kMaxTokens,
                         "tokens used to choose the layer and the regularisation"),
                 integer("test_tokens", 8000, 100, kMaxTokens,
                         "tokens that the accuracy is measured on")},
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens,
      .version = 2};
}

}  // namespace ablate::probes
