// What the belief probe measures: how much of the exact posterior of the language's hidden state a linear
// map reads off the hidden states.

#include <fmt/core.h>

#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

std::vector<Metric> metrics(const Params&, const ProbedArm& arm) {
  std::vector<Metric> list;
  if (!arm.language) return list;
  const auto add = [&](std::string_view name, const char* label, std::string_view unit,
                       Better better, std::string_view description) -> Metric& {
    return added(list, {fmt::format("belief.{}", name), label, unit, better, Comparable::all_arms,
                        std::string(description)});
  };
  const auto floor = [&](std::string_view name, const char* label, std::string_view description) {
    add(name, label, "fraction", Better::neither, description);
  };
  add("r2", "belief-state R2", "fraction", Better::higher,
      "part of the variance of the exact posterior of a token's hidden state that a linear map of "
      "the "
      "arm's states says on test tokens; layer and penalty are chosen on development tokens. The "
      "posterior is given what the states see: the token and those before it (after it, if the arm "
      "reads from the end), or the whole document. "
      "1: all of it")
      .read_against({Bound::untrained("untrained"), Bound::floor("four_tokens")});
  add("topic_r2", "topic belief R2", "fraction", Better::higher,
      "the same for the posterior of the topic")
      .read_against({Bound::untrained("untrained_topic_r2")});
  add("state_r2", "within-topic belief R2", "fraction", Better::higher,
      "the same for the posterior of the state within a topic")
      .read_against({Bound::untrained("untrained_state_r2")});
  add("mse", "belief-state mean squared error", "squared probability", Better::lower,
      "the squared error of the posterior of belief.r2, summed over states, mean over test tokens")
      .read_against({Bound::untrained("untrained_mse")});
  add("kl", "belief-state KL divergence", "nats/token", Better::lower,
      "how far probabilities are from the posterior of belief.r2 that the softmax of a linear map "
      "of "
      "the states gives, at the layer of belief.r2: KL(posterior || given), mean over test tokens")
      .read_against({Bound::untrained("untrained_kl")});
  add("past_r2", "left-context belief R2", "fraction", Better::higher,
      "belief.r2 of the posterior given the token and those before it, whatever the arm sees: the "
      "same target for all arms")
      .read_against({Bound::untrained("untrained_past")});
  add("r2_beyond", "belief-state R2 beyond the next token", "fraction", Better::higher,
      "part of the variance of the posterior that the map of belief.next_law leaves unexplained "
      "and a linear map of the states explains: what they know beyond the next token; blank if "
      "states see both sides")
      .read_against({Bound::untrained("untrained_beyond"), Bound::ceiling("beyond_ceiling")});
  floor("untrained", "belief-state R2, untrained model",
        "belief.r2 of the model with its initial weights: a floor");
  floor("untrained_topic_r2", "topic belief R2, untrained model",
        "belief.topic_r2 of the model with its initial weights: its floor");
  floor("untrained_state_r2", "within-topic belief R2, untrained model",
        "belief.state_r2 of the model with its initial weights: its floor");
  add("untrained_mse", "belief-state mean squared error, untrained model", "squared probability",
      Better::neither, "belief.mse of the model with its initial weights: its floor");
  add("untrained_kl", "belief-state KL divergence, untrained model", "nats/token", Better::neither,
      "belief.kl of the model with its initial weights: its floor");
  floor("untrained_past", "left-context belief R2, untrained model",
        "belief.past_r2 of the model with its initial weights: a floor");
  floor("untrained_beyond", "belief-state R2 beyond the next token, untrained model",
        "belief.r2_beyond of the model with its initial weights: its floor");
  floor("beyond_ceiling", "belief-state R2 beyond the next token, ceiling",
        "belief.r2_beyond of a linear map of the posterior itself: its ceiling, below 1 because "
        "the logarithm is not linear; blank if states see both sides");
  floor("token_alone", "belief-state R2, token alone",
        "belief.r2 of a linear map of the token in place of the states: a floor");
  floor("four_tokens", "belief-state R2, last four tokens",
        "belief.r2 of a linear map of the last four tokens: a floor");
  floor("next_law", "belief-state R2, next-token distribution",
        "belief.r2 of a linear map of the logarithm of the exact distribution of the next token, "
        "which a perfect predictor must have; blank if states see both sides");
  floor("past_alone", "belief-state R2, left-context belief",
        "belief.r2 of a linear map of the exact posterior given the past: the part that needs no "
        "use of the right side; blank if states see only the past");
  return list;
}

std::string refusal(const Params&, const ProbedArm& arm) {
  return without_states_refusal(arm, "belief");
}

/// The documents of the tokens under the model and its initial weights; a linear map takes little.
double tokens(const Params& params, const ProbedArm&) {
  const auto of = [&](const char* name) { return static_cast<double>(params.integer(name)); };
  return 2 * kTokensOfRidge *
         (of("training_tokens") + of("development_tokens") + of("test_tokens"));
}

}  // namespace

ProbeSpec belief_spec() {
  constexpr double kMaxTokens = 1e7;
  return {
      .name = "belief",
      .summary = "how much of the exact posterior of the language's hidden state is in the states",
      .subject = "Belief states",
      .params = {integer(
                     "training_tokens", 6000, 100, kMaxTokens,
                     "tokens used to fit the linear map; the trial's seed draws their documents"),
                 integer("development_tokens", 2000, 100, kMaxTokens,
                         "tokens used to choose the layer and the penalty"),
                 integer("test_tokens", 8000, 100, kMaxTokens, "tokens that are scored")},
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens,
      .version = 2};
}

}  // namespace ablate::probes
